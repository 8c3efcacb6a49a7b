// From options to Rules.
#pragma once

#include <string>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/options.hpp>
#include <kibitz/games/thecrew/missions.hpp>
#include <kibitz/games/thecrew/own_mission.hpp>
#include <kibitz/games/thecrew/state.hpp>

namespace kibitz::thecrew {

// tasks=n: plain tasks, drafted or with random owners, and no other condition.
constexpr Mission plain_mission(int tasks, bool random_owners) {
  Mission m;
  m.tasks = static_cast<std::uint8_t>(tasks);
  m.step_count = 3;
  m.step[0].kind = StepKind::deal_tasks;
  m.step[1].kind = random_owners ? StepKind::random_owners : StepKind::draft;
  m.step[2].kind = StepKind::distress;
  m.constraint_count = 1;
  return m;
}

struct Settings {
  int players = 4;
  bool challenge = false;
  Distress distress = Distress::vote;
  Radio radio = Radio::one_round;
  Passing passing = Passing::unanimous;
};

// Rules of any mission. Precondition: the mission has been checked (or is one of the fifty).
inline Rules make_rules(const Mission& mission, const Settings& settings) {
  Rules rules;
  rules.mission = mission;
  rules.players = settings.players;
  rules.jarvis = settings.players == 2;
  rules.seats = rules.jarvis ? 3 : settings.players;
  rules.distress = settings.distress;
  rules.radio = settings.radio;
  rules.passing = settings.passing;
  const bool three = rules.seats == 3;
  if (settings.challenge) rules.deck &= ~(suit_cards[1] | bit(36));
  rules.tricks = settings.challenge ? 10 : three ? 13 : rules.seats == 4 ? 10 : 8;
  rules.hand_size = rules.tricks;
  rules.extra = three && !settings.challenge;
  rules.columns = !rules.jarvis ? 0 : settings.challenge ? 5 : 7;
  const Constraint& only = mission.constraint[0];
  rules.tasks_only =
      mission.constraint_count == 1 && only.kind == ConstraintKind::tasks && !only.last_trick;
  return rules;
}

inline Failure refused(std::string why, std::string given) {
  return Failure({FaultKind::invalid_option, "thecrew: " + why + ".", std::move(given), {}, {}});
}

inline std::vector<Option> option_list() {
  return {
      Option::integer(
          "players", 2, 5, 4,
          "people; with two the automatic third member (JARVIS) joins, which makes three seats"),
      Option::integer("mission", 1, 50, 1, "mission of the logbook"),
      Option::integer(
          "tasks", 0, max_tasks, 0,
          "so many plain tasks and no other condition instead of a mission; 0: the mission"),
      Option::data(
          "own_mission",
          "a mission of one's own in the vocabulary of the mission file, instead of 'mission'"),
      Option::choice("owners", {"draft", "random"},
                     "with tasks=1 to 10: drafted from the commander, or owners drawn by lot; "
                     "a mission says itself who owns its tasks"),
      Option::flag("challenge", false, "three seats: without green cards and R1, ten cards each"),
      Option::choice("distress", {"vote", "off", "left", "right"},
                     "a vote on the distress signal, none, or cards always passed to that side"),
      Option::choice("radio", {"one_round", "until_all_pass", "off"},
                     "A1: rounds of the radio before a trick"),
      Option::choice("five_pass", {"unanimous", "owner_only", "off"},
                     "A5, five players: whether a task may change hands in missions marked so, and "
                     "who agrees"),
  };
}

// The mission of option own_mission.
inline Mission own_mission(const Value& given) {
  const auto* map = std::get_if<ValueMap>(&given.data);
  if (!map)
    throw refused("own_mission must be an object, not " + kibitz::detail::describe(given),
                  "own_mission");
  MissionSheet sheet;
  Mission mission;
  std::string fault = from_map(*map, sheet);
  if (fault.empty()) fault = read_mission(sheet, mission);
  if (!fault.empty()) throw refused("own_mission: " + fault, "own_mission");
  return mission;
}

inline Rules rules_of(const Choices& chosen) {
  Settings settings;
  settings.players = chosen["players"];
  settings.challenge = chosen["challenge"] == 1;
  settings.distress = static_cast<Distress>(chosen["distress"]);
  settings.radio = static_cast<Radio>(chosen["radio"]);
  settings.passing = static_cast<Passing>(chosen["five_pass"]);
  if (settings.challenge && settings.players > 3)
    throw refused("challenge is for three seats, that is players 2 or 3", "challenge");
  const int tasks = chosen["tasks"];
  Mission mission =
      tasks ? plain_mission(tasks, chosen["owners"] == 1) : missions[at(chosen["mission"] - 1)];
  const Value& own = chosen.data("own_mission");
  if (!std::holds_alternative<std::monostate>(own.data)) {
    if (tasks) throw refused("own_mission and tasks are two different missions", "own_mission");
    mission = own_mission(own);
  }
  const Rules rules = make_rules(mission, settings);
  for (const Step& step : mission.step)
    if (step.kind == StepKind::announce_holder && !(rules.deck >> step.card & 1))
      throw refused("the card that is announced is not in the deck of this game", "challenge");
  for (int i = 0; i < mission.constraint_count; ++i)
    if (const Cards cards = mission.constraint[at(i)].cards; cards && !(cards & rules.deck))
      throw refused("the cards of a constraint are not in the deck of this game", "challenge");
  return rules;
}

}  // namespace kibitz::thecrew
