// A tree of plain values, the form in which positions and options cross the edge of the core.
// The core knows no JSON: Python turns this into dicts and those into text.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kibitz {

struct Value;
using ValueList = std::vector<Value>;
using ValueMap = std::vector<std::pair<std::string, Value>>;  // in the order given

struct Value {
  std::variant<std::monostate, bool, std::int64_t, std::string, ValueList, ValueMap> data;

  Value() = default;
  Value(bool b) : data(b) {}                            // NOLINT(google-explicit-constructor)
  Value(std::int64_t i) : data(i) {}                    // NOLINT(google-explicit-constructor)
  Value(int i) : data(static_cast<std::int64_t>(i)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string s) : data(std::move(s)) {}          // NOLINT(google-explicit-constructor)
  Value(const char* s) : data(std::string(s)) {}        // NOLINT(google-explicit-constructor)
  Value(ValueList l) : data(std::move(l)) {}            // NOLINT(google-explicit-constructor)
  Value(ValueMap m) : data(std::move(m)) {}             // NOLINT(google-explicit-constructor)

  friend bool operator==(const Value&, const Value&) = default;
};

}  // namespace kibitz
