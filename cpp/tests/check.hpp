#pragma once
// TEST_CASE, CHECK, CHECK_FALSE, CHECK_MESSAGE, CHECK_THROWS_AS, REQUIRE: doctest where the system
// has it, else the few lines below, spelt the same. Tests use no other part of doctest.
// CHECK is safe from any thread; REQUIRE, which ends the case, only from the one that runs it.
#ifdef KIBITZ_DOCTEST
#include <doctest/doctest.h>
#else

#include <atomic>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace kibitz::check {

struct Case {
  const char* name;
  void (*run)();
};

struct Ended {};  // thrown by REQUIRE

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline bool add(const char* name, void (*run)()) {
  cases().push_back({name, run});
  return true;
}

inline std::atomic<int> failures{0};  // in the case that runs

// One write a line: lines of several threads don't mix.
template <class... Parts>
void fail(const char* file, int line, const char* text, const Parts&... parts) {
  ++failures;
  std::ostringstream out;
  out << file << ':' << line << ": " << text << ' ';
  static_cast<void>((out << ... << parts));
  std::cerr << out.str() + '\n';
}

}  // namespace kibitz::check

// clang-format off
#define KIBITZ_CASE_3(title, body, listed)                               \
  static void body();                                                    \
  [[maybe_unused]] static const bool listed = kibitz::check::add(title, body); \
  static void body()
#define KIBITZ_CASE_2(title, line) KIBITZ_CASE_3(title, case_at_##line, listed_at_##line)
#define KIBITZ_CASE_1(title, line) KIBITZ_CASE_2(title, line)
#define KIBITZ_FAIL(...) kibitz::check::fail(__FILE__, __LINE__, __VA_ARGS__)

#define TEST_CASE(title) KIBITZ_CASE_1(title, __LINE__)
#define CHECK(...) ((__VA_ARGS__) ? void() : KIBITZ_FAIL("CHECK(" #__VA_ARGS__ ")"))
#define CHECK_FALSE(...) (!(__VA_ARGS__) ? void() : KIBITZ_FAIL("CHECK_FALSE(" #__VA_ARGS__ ")"))
#define CHECK_MESSAGE(truth, ...) ((truth) ? void() : KIBITZ_FAIL("CHECK(" #truth ")", __VA_ARGS__))
#define REQUIRE(...) \
  ((__VA_ARGS__) ? void() : (KIBITZ_FAIL("REQUIRE(" #__VA_ARGS__ ")"), throw kibitz::check::Ended{}))
#define CHECK_THROWS_AS(expression, ...)                                     \
  do {                                                                       \
    try { static_cast<void>(expression); } catch (const __VA_ARGS__&) { break; } catch (...) {} \
    KIBITZ_FAIL(#expression " should throw " #__VA_ARGS__);                  \
  } while (false)
// clang-format on
#endif
