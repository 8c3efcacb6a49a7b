// Missions from outside: what is accepted plays, what is not is refused with its reason.
#include "check.hpp"

#include <string>

#include <kibitz/core/laws.hpp>
#include <kibitz/games/thecrew/thecrew.hpp>

namespace {

using namespace kibitz;
using namespace kibitz::thecrew;

Value map(ValueMap fields) { return Value(std::move(fields)); }

ValueMap mission(ValueList setup, ValueList constraints) {
  return {{"setup", Value(std::move(setup))}, {"constraints", Value(std::move(constraints))}};
}

std::string fault_of(const ValueMap& fields) {
  static const std::vector<Option> options = TheCrew::options();
  Choices choices(options);
  choices.set("thecrew", "own_mission", Value(fields));
  try {
    static_cast<void>(TheCrew::rules(choices));
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

const Value deal_three =
    map({{"step", "deal_tasks"}, {"n", 3}, {"tokens", Value(ValueList{"a1", "a2"})}});
const Value draft = map({{"step", "draft"}});
const Value tasks = map({{"type", "tasks"}});

}  // namespace

TEST_CASE("thecrew: a mission of one's own obeys the laws") {
  const std::vector<Option> options = TheCrew::options();
  Choices choices(options);
  choices.set(
      "thecrew", "own_mission",
      Value(ValueMap{
          {"communication", map({{"mode", "dead_zone"}, {"from_trick", 2}})},
          {"setup",
           Value(ValueList{deal_three, map({{"step", "edit_tokens"}, {"kind", "move_one"}}), draft,
                           map({{"step", "announce_holder"}, {"card", "G5"}, {"role", "S2"}}),
                           map({{"step", "distress"}})})},
          {"constraints",
           Value(ValueList{tasks,
                           map({{"type", "tricks_won"}, {"who", "S2"}, {"min", 0}, {"max", 9}})})},
          {"effects",
           Value(ValueList{map({{"effect", "draw_from_right"}, {"after_trick", 2}})})}}));
  const Rules rules = TheCrew::rules(choices);
  CHECK(rules.mission.tasks == 3);
  CHECK(rules.mission.draw_after == 2);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Rng rng(seed, "own mission");
    State state = deal_state(rules, rng);
    while (state.table.phase != Phase::over) {
      const std::string law = broken_law<TheCrew>(rules, state, rng);
      CHECK_MESSAGE(law.empty(), law);
      const bool decision = is_decision(state.table.phase);
      const Eyes eyes(rules, state.table, decision ? acting_hand(state) : 0);
      play_move(rules, state, decision ? plain_advice(eyes) : roll_outcome(rules, state, rng));
    }
  }
}

TEST_CASE("thecrew: a mission that does not hold together is refused") {
  CHECK(fault_of(mission({deal_three, draft}, {tasks})).empty());
  const auto says = [](const ValueMap& fields, std::string_view part) {
    const std::string fault = fault_of(fields);
    CHECK_MESSAGE(fault.find(part) != std::string::npos, "'", fault, "' does not say ", part);
  };
  says(mission({draft, deal_three}, {tasks}), "comes after deal_tasks");
  says(mission({deal_three}, {tasks}), "no step assigns the tasks");
  says(mission({deal_three, draft}, {map({{"type", "balanced"}})}), "go together");
  says(mission({deal_three, draft, map({{"step", "distress"}}), map({{"step", "five_pass"}})},
               {tasks}),
       "distress is the last step");
  says(mission({}, {map({{"type", "tricks_won"}, {"who", "S1"}})}), "no step names S1");
  says(mission({}, {}), "constraints must be 1 to 6");
  says(mission({map({{"step", "shuffle"}})}, {tasks}), "there is no step 'shuffle'");
  says(mission({map({{"stepp", "draft"}})}, {tasks}), "there is no field 'stepp'");
  says(mission({}, {map({{"type", "each_card_wins"}, {"cards", Value(ValueList{"R5"})}})}),
       "'R5' is no card");
  says(mission({}, {map({{"type", "win_positions"},
                         {"who", "commander"},
                         {"tricks", Value(ValueList{14})}})}),
       "tricks are 1 to 13");
}
