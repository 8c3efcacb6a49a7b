// Hearts: the fast playout is what pick, roll and play do one after the other, with the same random
// numbers; what an end is worth; and the policies do better than chance.
#include "check.hpp"

#include <algorithm>
#include <cstring>

#include <kibitz/games/hearts/hearts.hpp>

namespace {

using namespace kibitz;
using namespace kibitz::hearts;

// Every combination of the options, one a bit.
Rules rules_of(unsigned bits) {
  Rules rules;
  rules.pass_cards = bits & 1;
  rules.first_trick_free = bits & 2;
  rules.any_club = bits & 4;
  rules.jack_bonus = bits & 8;
  rules.no_trick_bonus = bits & 16;
  rules.hearts_for_queen = bits & 32;
  if (bits & 64) rules.breakers = bits & 128 ? pack : kibitz::hearts::hearts;
  return rules;
}

Move step(const Rules& rules, const State& state, Rng& rng) {
  return is_decision(state.table.phase) ? Hearts::pick(rules, state, rng)
                                        : Hearts::roll(rules, state, rng);
}

// Mean points of one seat that plays by `policy` among three that play by chance.
template <class Policy>
double points_among_chance(const Rules& rules, Policy&& policy) {
  constexpr int deals = 2000;
  int points = 0;
  for (int deal = 0; deal < deals; ++deal) {
    const auto seed = static_cast<std::uint64_t>(deal);
    const auto seat = static_cast<Seat>(deal & 3);
    Rng dealing(seed, "policy test"), playing(seed, "policy test", 1);
    State state = deal_state(rules, dealing);
    while (state.table.phase != Phase::over) {
      const bool mine = turn_of(state.table) == Turn::of(seat);
      play_move(rules, state,
                mine ? policy(Hearts::eyes(rules, state), playing) : step(rules, state, playing));
    }
    points += count_points(rules, state.table)[seat];
  }
  return static_cast<double>(points) / deals;
}

}  // namespace

TEST_CASE("hearts: a playout equals its moves one by one, from anywhere in a deal") {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const Rules rules = rules_of(bits);
    Rng deals(bits, "playout test");
    for (int game = 0; game < 4; ++game) {
      State slow = deal_state(rules, deals);
      const auto seed = static_cast<std::uint64_t>(game);
      const std::uint32_t skip = deals.below(50);
      for (std::uint32_t i = 0; i < skip; ++i) play_move(rules, slow, step(rules, slow, deals));
      State fast = slow;
      Rng one(seed, "playout test"), two = one;
      int plies = 0;
      while (slow.table.phase != Phase::over) {
        plies += is_decision(slow.table.phase);
        play_move(rules, slow, step(rules, slow, two));
      }
      CHECK(play_deal(rules, fast, one) == plies);
      CHECK(std::memcmp(&fast, &slow, sizeof fast) == 0);
      CHECK(one.next() == two.next());
    }
  }
}

TEST_CASE("hearts: the margin is linear in a seat's own points, and the win is shared out") {
  for (unsigned bits = 0; bits < 32; ++bits) {
    const Rules rules = rules_of(bits);
    const int least = rules.jack_bonus ? -10 : rules.no_trick_bonus ? -5 : 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Rng rng(seed, "worth test");
      State state = deal_state(rules, rng);
      play_deal(rules, state, rng);
      const Worth worth = Hearts::worth(rules, state);
      const std::array<int, 4> points = count_points(rules, state.table);
      double win = 0;
      for (std::size_t s = 0; s < 4; ++s) {
        CHECK(std::abs((1 - worth.margin[s]) * (26 - least) / 2 - (points[s] - least)) < 1e-9);
        CHECK(std::abs(worth.margin[s]) <= 1);
        CHECK((worth.win[s] > 0) == (points[s] == *std::min_element(points.begin(), points.end())));
        win += worth.win[s];
      }
      CHECK(std::abs(win - 1) < 1e-9);
    }
  }
}

TEST_CASE("hearts: the advice takes fewer points than chance") {
  for (const bool jack : {false, true}) {
    Rules rules;
    rules.jack_bonus = jack;
    const double chance = points_among_chance(
        rules, [](const Eyes& eyes, Rng& rng) { return eyes.move(pick_card(eyes.legal(), rng)); });
    const double hint = points_among_chance(
        rules, [&](const Eyes& eyes, Rng& rng) { return Hearts::hint(rules, eyes, rng); });
    const double greedy = points_among_chance(
        rules, [&](const Eyes& eyes, Rng& rng) { return Hearts::greedy(rules, eyes, rng); });
    CHECK(hint < chance - 3);
    CHECK(greedy < hint);
  }
}
