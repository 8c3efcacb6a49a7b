// The options of a game: what may be chosen, what is the default, and the check of a choice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/fields.hpp>
#include <kibitz/core/value.hpp>

namespace kibitz {

struct Option {
  enum class Kind { integer, flag, choice, data };
  std::string name;
  Kind kind;
  int minimum = 0;  // integer: bounds, both allowed; flag: 0 and 1
  int maximum = 1;
  std::vector<std::string> choices;  // choice: the allowed words
  int initial = 0;                   // default: the number, 0/1, or the index of a choice
  std::string meaning;

  static Option integer(std::string name, int lo, int hi, int initial, std::string meaning) {
    return {std::move(name), Kind::integer, lo, hi, {}, initial, std::move(meaning)};
  }
  static Option flag(std::string name, bool initial, std::string meaning) {
    return {std::move(name), Kind::flag, 0, 1, {}, initial, std::move(meaning)};
  }
  static Option choice(std::string name, std::vector<std::string> words, std::string meaning) {
    const int last = static_cast<int>(words.size()) - 1;
    return {std::move(name), Kind::choice, 0, last, std::move(words), 0, std::move(meaning)};
  }
  // Plain values of any shape (an own mission), null by default; the game checks them itself.
  static Option data(std::string name, std::string meaning) {
    return {std::move(name), Kind::data, 0, 0, {}, 0, std::move(meaning)};
  }
};

// The chosen numbers, in the order of the game's option list.
class Choices {
 public:
  explicit Choices(const std::vector<Option>& options) : options_(&options) {
    for (const Option& option : options) values_.push_back(option.initial);
    data_.resize(options.size());
  }

  int operator[](std::string_view name) const {
    for (std::size_t i = 0; i < options_->size(); ++i)
      if ((*options_)[i].name == name) return values_[i];
    return 0;
  }

  // What was given for an option of kind data, or null.
  const Value& data(std::string_view name) const {
    for (std::size_t i = 0; i < options_->size(); ++i)
      if ((*options_)[i].name == name) return data_[i];
    static const Value none;
    return none;
  }

  // Sets one option; a fault says what is allowed and changes nothing.
  void set(const std::string& slug, const std::string& name, const Value& value) {
    for (std::size_t i = 0; i < options_->size(); ++i) {
      const Option& option = (*options_)[i];
      if (option.name != name) continue;
      if (option.kind == Option::Kind::data)
        data_[i] = value;
      else
        values_[i] = number(slug, option, value);
      return;
    }
    std::vector<std::string> names;
    for (const Option& option : *options_) names.push_back(option.name);
    throw Failure({FaultKind::invalid_option,
                   slug + " has no option " + detail::describe(Value(name)) + "; its options are " +
                       join(names) + ".",
                   name,
                   names,
                   {}});
  }

  Value value(std::size_t i) const {
    const Option& option = (*options_)[i];
    if (option.kind == Option::Kind::data) return data_[i];
    if (option.kind == Option::Kind::choice)
      return Value(option.choices[static_cast<std::size_t>(values_[i])]);
    if (option.kind == Option::Kind::flag) return Value(values_[i] != 0);
    return Value(values_[i]);
  }

 private:
  static std::string join(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
  }

  static int number(const std::string& slug, const Option& option, const Value& value) {
    std::vector<std::string> allowed;
    switch (option.kind) {
      case Option::Kind::integer:
        if (const auto* i = std::get_if<std::int64_t>(&value.data))
          if (*i >= option.minimum && *i <= option.maximum) return static_cast<int>(*i);
        allowed = {std::to_string(option.minimum) + " to " + std::to_string(option.maximum)};
        break;
      case Option::Kind::flag:
        if (const auto* b = std::get_if<bool>(&value.data)) return *b;
        allowed = {"true", "false"};
        break;
      case Option::Kind::choice:
        if (const auto* s = std::get_if<std::string>(&value.data))
          for (std::size_t c = 0; c < option.choices.size(); ++c)
            if (option.choices[c] == *s) return static_cast<int>(c);
        allowed = option.choices;
        break;
      case Option::Kind::data: break;
    }
    throw Failure({FaultKind::invalid_option,
                   slug + ": " + option.name + " cannot be " + detail::describe(value) +
                       "; allowed: " + join(allowed) + ".",
                   detail::describe(value),
                   allowed,
                   {}});
  }

  const std::vector<Option>* options_;
  std::vector<int> values_;
  std::vector<Value> data_;  // of kind data only
};

}  // namespace kibitz
