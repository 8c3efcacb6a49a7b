// From one list of fields to dicts, back, and to a description for people.
//
// A game describes a position as a plain struct (a sheet) of ints, flags, texts, optionals and
// lists, and lists its fields once:
//
//     struct Sheet {
//       std::string hand;
//       std::optional<int> owner;
//       template <class V> void fields(V&& v) {
//         v("hand", hand, "own cards, one digit a card");
//         v("owner", owner, "seat of the last attack");
//       }
//     };
//
// A field that is absent keeps the value it has; an unknown or ill-typed one is a fault that
// says where, what was given and what is allowed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <kibitz/core/value.hpp>

namespace kibitz {

// A field may itself be such a struct: it crosses as an object.
template <class T>
concept HasFields = requires(T t) { t.fields([](const char*, auto&, const char*) {}); };

template <class Sheet>
ValueMap to_map(Sheet sheet);
template <class Sheet>
std::string from_map(const ValueMap& map, Sheet& sheet);

namespace detail {

template <HasFields T>
Value encode(const T& inner) {
  return Value(to_map(inner));
}
inline Value encode(bool b) { return Value(b); }
inline Value encode(int i) { return Value(i); }
inline Value encode(const std::string& s) { return Value(s); }
template <class T>
Value encode(const std::optional<T>& o);
template <class T>
Value encode(const std::vector<T>& items) {
  ValueList out;
  out.reserve(items.size());
  for (const T& item : items) out.push_back(encode(item));
  return Value(std::move(out));
}
template <class T>
Value encode(const std::optional<T>& o) {
  return o ? encode(*o) : Value();
}

// A text in quotes; control characters, which a terminal would obey, as \x1b.
inline std::string quoted(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      out += c;
    else
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return out + "'";
}

inline std::string describe(const Value& v) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(const std::string& s) const {
      return s.size() <= 40 ? quoted(s) : "a text of " + std::to_string(s.size()) + " characters";
    }
    std::string operator()(const ValueList& l) const {
      return "a list of " + std::to_string(l.size());
    }
    std::string operator()(const ValueMap&) const { return "an object"; }
  };
  return std::visit(Visitor{}, v.data);
}

inline constexpr std::size_t most_items = 4096;  // of a list, characters of a text

// Each decode returns what was expected, or nothing when it went well.
inline std::string decode(const Value& v, bool& out, std::string& where) {
  static_cast<void>(where);
  if (const auto* b = std::get_if<bool>(&v.data)) return out = *b, std::string();
  return "true or false";
}
inline std::string decode(const Value& v, int& out, std::string& where) {
  static_cast<void>(where);
  const auto* i = std::get_if<std::int64_t>(&v.data);
  if (i && *i >= std::numeric_limits<int>::min() && *i <= std::numeric_limits<int>::max())
    return out = static_cast<int>(*i), std::string();
  return "a whole number";
}
inline std::string decode(const Value& v, std::string& out, std::string& where) {
  static_cast<void>(where);
  const auto* s = std::get_if<std::string>(&v.data);
  if (s && s->size() <= most_items) return out = *s, std::string();
  return s ? "a text of at most " + std::to_string(most_items) + " characters" : "a text";
}
template <HasFields T>
std::string decode(const Value& v, T& out, std::string& where) {
  static_cast<void>(where);
  const auto* map = std::get_if<ValueMap>(&v.data);
  if (!map) return "an object";
  const std::string fault = from_map(*map, out);
  return fault.empty() ? fault : "right inside (" + fault + ")";
}
template <class T>
std::string decode(const Value& v, std::optional<T>& out, std::string& where);
template <class T>
std::string decode(const Value& v, std::vector<T>& out, std::string& where) {
  const auto* list = std::get_if<ValueList>(&v.data);
  if (!list) return "a list";
  if (list->size() > most_items) return "a list of at most " + std::to_string(most_items);
  out.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    T item{};
    const std::string place = where + "[" + std::to_string(i) + "]";
    std::string inner = place;  // becomes longer if the fault lies deeper
    if (std::string expected = decode((*list)[i], item, inner); !expected.empty())
      return where = inner, inner == place ? expected + ", not " + describe((*list)[i]) : expected;
    out.push_back(std::move(item));
  }
  return {};
}
template <class T>
std::string decode(const Value& v, std::optional<T>& out, std::string& where) {
  if (std::holds_alternative<std::monostate>(v.data)) return out.reset(), std::string();
  T item{};
  if (std::string expected = decode(v, item, where); !expected.empty())
    return expected + " or null";
  out = std::move(item);
  return {};
}

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_same_v<T, int>) {
    return "integer";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "string";
  } else if constexpr (HasFields<T>) {
    return "object";
  } else if constexpr (requires(T t) { t.has_value(); }) {
    return type_name<typename T::value_type>() + "?";
  } else {
    return "[" + type_name<typename T::value_type>() + "]";
  }
}

}  // namespace detail

template <class Sheet>
ValueMap to_map(Sheet sheet) {
  ValueMap out;
  sheet.fields([&](const char* name, const auto& field, const char*) {
    out.emplace_back(name, detail::encode(field));
  });
  return out;
}

// Fills `sheet` from `map`. Returns a sentence that says what is wrong, or nothing.
template <class Sheet>
std::string from_map(const ValueMap& map, Sheet& sheet) {
  std::string names;
  std::size_t known = 0;
  std::string fault;
  sheet.fields([&](const char* name, auto& field, const char*) {
    names += (names.empty() ? "" : ", ") + std::string(name);
    bool given = false;
    for (const auto& [key, value] : map) {
      if (key != name) continue;
      ++known;
      if (!fault.empty()) continue;
      std::string where = name;
      if (given) fault = "'" + where + "' is given twice";
      if (given) continue;
      given = true;
      const std::string expected = detail::decode(value, field, where);
      if (!expected.empty()) {
        fault = "'" + where + "' must be " + expected;
        if (where == name) fault += ", not " + detail::describe(value);
      }
    }
  });
  if (!fault.empty()) return fault;
  if (known == map.size()) return {};
  for (std::size_t i = 0; i < map.size(); ++i) {
    bool listed = false;
    sheet.fields([&](const char* name, auto&, const char*) { listed |= map[i].first == name; });
    if (!listed)
      return "there is no field " + detail::describe(Value(map[i].first)) + "; the fields are " +
             names;
  }
  return {};
}

// One entry a field: name, type, meaning.
template <class Sheet>
ValueList describe_fields() {
  ValueList out;
  Sheet sheet{};
  sheet.fields([&](const char* name, auto& field, const char* meaning) {
    out.push_back(
        Value(ValueMap{{"name", name},
                       {"type", detail::type_name<std::remove_cvref_t<decltype(field)>>()},
                       {"meaning", meaning}}));
  });
  return out;
}

}  // namespace kibitz
