// Runs the test cases and closes with a line `N passed, N failed`.
#ifdef KIBITZ_DOCTEST
#define DOCTEST_CONFIG_IMPLEMENT
#endif
#include "check.hpp"

#include <exception>
#include <iostream>
#include <string_view>

namespace {

struct Count {
  unsigned passed = 0, failed = 0;
} count;

}  // namespace

#ifdef KIBITZ_DOCTEST

namespace {

struct Counter : doctest::IReporter {
  explicit Counter(const doctest::ContextOptions&) {}
  void test_run_end(const doctest::TestRunStats& run) override {
    count = {run.numTestCasesPassingFilters - run.numTestCasesFailed, run.numTestCasesFailed};
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("counter", 1, Counter);

void run(int argc, char** argv) { doctest::Context(argc, argv).run(); }

}  // namespace

#else

namespace {

// An argument runs only the cases whose name contains it.
void run(int argc, char** argv) {
  for (const auto& [name, body] : kibitz::check::cases()) {
    if (argc > 1 && std::string_view(name).find(argv[1]) == std::string_view::npos) continue;
    kibitz::check::failures = 0;
    try {
      body();
    } catch (const kibitz::check::Ended&) {
    } catch (const std::exception& error) {
      kibitz::check::fail(__FILE__, __LINE__, "unexpected exception:", error.what());
    } catch (...) {
      kibitz::check::fail(__FILE__, __LINE__, "unexpected exception");
    }
    const bool good = kibitz::check::failures == 0;
    ++(good ? count.passed : count.failed);
    if (!good) std::cerr << "FAILED: " << name << '\n';
  }
}

}  // namespace

#endif

int main(int argc, char** argv) {
  run(argc, argv);
  std::cout << count.passed << " passed, " << count.failed << " failed" << std::endl;
  return count.failed == 0 && count.passed > 0 ? 0 : 1;
}
