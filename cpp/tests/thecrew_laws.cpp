// The laws of core/laws.hpp at the positions of random and of advised games: every mission with
// every number of players, and the options that change the course of a game.
#include "check.hpp"

#include <kibitz/core/laws.hpp>
#include <kibitz/games/thecrew/thecrew.hpp>

namespace {

using namespace kibitz;
using namespace kibitz::thecrew;

void walk(const Rules& rules, std::uint64_t seed, bool advised, const char* what, int mission) {
  Rng rng(seed, "laws test");
  State state = blank_state(rules);
  for (int step = 0;; ++step) {
    // While cards are dealt one position looks like the next.
    if (!before_play(state.table.phase) || step % 8 == 0) {
      const std::string law = broken_law<TheCrew>(rules, state, rng);
      CHECK_MESSAGE(law.empty(), law, " (", what, ", mission ", mission, ", seats ", rules.seats,
                    ")\n", draw_table(rules, state));
      if (!law.empty()) return;
    }
    if (state.table.phase == Phase::over) return;
    const bool decision = is_decision(state.table.phase);
    const Eyes eyes(rules, state.table, decision ? acting_hand(state) : 0);
    play_move(rules, state,
              !decision ? roll_outcome(rules, state, rng)
              : advised ? hinted_move(eyes, rng)
                        : eyes.any(rng));
  }
}

void walk_all(const char* what, const Settings& given, int least, int most) {
  for (int mission = 1; mission <= 50; ++mission)
    for (int players = least; players <= most; ++players) {
      Settings settings = given;
      settings.players = players;
      const Rules rules = make_rules(missions[at(mission - 1)], settings);
      walk(rules, static_cast<std::uint64_t>(mission), mission % 2, what, mission);
    }
}

}  // namespace

TEST_CASE("thecrew: laws hold in every mission") { walk_all("defaults", {}, 2, 5); }

TEST_CASE("thecrew: laws hold after cards were passed, radio until all pass") {
  Settings settings;
  settings.distress = Distress::right;
  settings.radio = Radio::until_all_pass;
  walk_all("right, until all pass", settings, 2, 5);
}

TEST_CASE("thecrew: laws hold in challenge mode") {
  Settings settings;
  settings.challenge = true;
  settings.distress = Distress::left;
  walk_all("challenge", settings, 2, 3);
}
