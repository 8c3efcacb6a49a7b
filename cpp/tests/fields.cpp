// Plain fields to values and back, and options: what is wrong is said, nothing else is changed.
#include <kibitz/core/fields.hpp>

#include <optional>
#include <string>
#include <vector>

#include <kibitz/core/options.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;

struct Sheet {
  std::string hand = "12";
  int first = 0;
  bool open = false;
  std::optional<int> owner;
  std::vector<std::vector<std::string>> lines;

  template <class V>
  void fields(V&& v) {
    v("hand", hand, "cards");
    v("first", first, "seat");
    v("open", open, "yes or no");
    v("owner", owner, "seat or none");
    v("lines", lines, "pairs by seat");
  }
};

std::string fault(const ValueMap& map) {
  Sheet sheet;
  return from_map(map, sheet);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<Option> some_options() {
  return {Option::integer("players", 2, 4, 3, "seats"), Option::flag("redeal", true, "ask"),
          Option::choice("victory", {"soldier", "lord"}, "ending")};
}

// The message of the failure, or nothing.
std::string refusal(const std::string& name, const Value& value) {
  const std::vector<Option> options = some_options();
  Choices choices(options);
  try {
    choices.set("game", name, value);
  } catch (const Failure& failure) {
    CHECK(failure.fault().kind == FaultKind::invalid_option);
    CHECK(choices["players"] == 3);
    return failure.what();
  }
  return {};
}

}  // namespace

TEST_CASE("fields go to a map in their order and come back") {
  Sheet sheet{"345", 2, true, 1, {{"86"}, {}}};
  const ValueMap map = to_map(sheet);
  std::string names;
  for (const auto& [name, value] : map) names += name + " ";
  CHECK(names == "hand first open owner lines ");
  Sheet again;
  CHECK(from_map(map, again).empty());
  CHECK(again.hand == "345");
  CHECK(again.first == 2);
  CHECK(again.open);
  CHECK(again.owner == 1);
  CHECK(again.lines == sheet.lines);
}

TEST_CASE("a field that is left out keeps its value, null empties an optional") {
  Sheet sheet{"345", 2, true, 1, {}};
  CHECK(from_map({{"first", 1}, {"owner", Value()}}, sheet).empty());
  CHECK(sheet.hand == "345");
  CHECK(sheet.first == 1);
  CHECK_FALSE(sheet.owner.has_value());
}

TEST_CASE("a wrong field is named with what it must be and what it is") {
  CHECK(fault({{"first", "1"}}) == "'first' must be a whole number, not '1'");
  CHECK(fault({{"first", true}}) == "'first' must be a whole number, not true");
  CHECK(fault({{"open", 1}}) == "'open' must be true or false, not 1");
  CHECK(fault({{"hand", Value()}}) == "'hand' must be a text, not null");
  CHECK(says(fault({{"owner", "x"}}), "a whole number or null"));
  CHECK(says(fault({{"first", std::int64_t{1} << 40}}), "'first' must be a whole number"));
  CHECK(says(fault({{"lines", "x"}}), "'lines' must be a list"));
  CHECK(says(fault({{"lines", ValueList{ValueList{Value(1)}}}}), "lines[0]"));
  CHECK(says(fault({{"suit", 1}}), "there is no field 'suit'; the fields are hand, first"));
  CHECK(says(fault({{"first", 1}, {"first", 2}}), "twice"));
}

TEST_CASE("fields describe themselves") {
  const ValueList described = describe_fields<Sheet>();
  CHECK(described.size() == 5);
  const auto& owner = std::get<ValueMap>(described[3].data);
  CHECK(std::get<std::string>(owner[1].second.data) == "integer?");
  const auto& lines = std::get<ValueMap>(described[4].data);
  CHECK(std::get<std::string>(lines[1].second.data) == "[[string]]");
}

TEST_CASE("options start at their defaults and take what is allowed") {
  const std::vector<Option> options = some_options();
  Choices choices(options);
  CHECK(choices["players"] == 3);
  CHECK(choices["redeal"] == 1);
  CHECK(choices["victory"] == 0);
  choices.set("game", "players", 4);
  choices.set("game", "redeal", false);
  choices.set("game", "victory", "lord");
  CHECK(choices["players"] == 4);
  CHECK(choices["redeal"] == 0);
  CHECK(std::get<std::string>(choices.value(2).data) == "lord");
  CHECK(std::get<bool>(choices.value(1).data) == false);
}

TEST_CASE("an option that is not allowed is refused with what is") {
  CHECK(says(refusal("players", 5), "players cannot be 5; allowed: 2 to 4"));
  CHECK(says(refusal("players", 1), "allowed: 2 to 4"));
  CHECK(says(refusal("players", true), "players cannot be true"));
  CHECK(says(refusal("players", "3"), "players cannot be '3'"));
  CHECK(says(refusal("redeal", 1), "allowed: true, false"));
  CHECK(says(refusal("victory", "kami"), "allowed: soldier, lord"));
  CHECK(says(refusal("bots", 1), "no option 'bots'; its options are players, redeal, victory"));
}
