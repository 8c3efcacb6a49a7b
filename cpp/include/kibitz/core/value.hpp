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

  // Implicit on purpose: fields are written as plain literals.
  Value() = default;
  Value(bool b) : data(b) {}
  Value(std::int64_t i) : data(i) {}
  Value(int i) : data(static_cast<std::int64_t>(i)) {}
  Value(std::string s) : data(std::move(s)) {}
  Value(const char* s) : data(std::string(s)) {}
  Value(ValueList l) : data(std::move(l)) {}
  Value(ValueMap m) : data(std::move(m)) {}

  friend bool operator==(const Value&, const Value&) = default;
};

}  // namespace kibitz
