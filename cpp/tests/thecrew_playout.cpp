// The fast playout is what pick, roll and play do one after the other, with the same random
// numbers.
#include "check.hpp"

#include <cstring>

#include <kibitz/games/thecrew/thecrew.hpp>

TEST_CASE("thecrew: a playout equals its moves one by one") {
  using namespace kibitz;
  using namespace kibitz::thecrew;
  for (int mission = 1; mission <= 50; ++mission)
    for (int players = 2; players <= 5; ++players)
      for (int variant = 0; variant < 3; ++variant) {
        Settings settings;
        settings.players = players;
        settings.challenge = variant == 1 && players <= 3;
        settings.distress = variant == 2 ? Distress::left : Distress::vote;
        settings.radio = variant == 1 ? Radio::until_all_pass : Radio::one_round;
        const Rules rules = make_rules(missions[at(mission - 1)], settings);
        Rng deals(static_cast<std::uint64_t>(mission), "playout test",
                  static_cast<std::uint64_t>(players));
        for (int game = 0; game < 4; ++game) {
          State fast = deal_state(rules, deals);
          State slow = fast;
          Rng one(static_cast<std::uint64_t>(game), "playout test"), two = one;
          int plies = 0;
          while (slow.table.phase != Phase::over) {
            const bool decision = is_decision(slow.table.phase);
            play_move(rules, slow,
                      decision ? pick_move(rules, slow.table, acting_hand(slow), two)
                               : roll_outcome(rules, slow, two));
            plies += decision;
          }
          CHECK(play_mission(rules, fast, one) == plies);
          CHECK(std::memcmp(&fast, &slow, sizeof fast) == 0);
          CHECK(one.next() == two.next());
          CHECK(plies <= TheCrew::max_plies(rules));
        }
      }
}
