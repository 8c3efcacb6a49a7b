// Sampled worlds are uniform over all States that fit a view: compared with an enumeration that
// asks `read`, which plays the tricks again and knows nothing of the sampler's facts.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <kibitz/games/thecrew/thecrew.hpp>

namespace {

using namespace kibitz;
using namespace kibitz::thecrew;

// A mission that lasts to the last trick, so that late positions come up.
Mission endless() {
  Mission m;
  m.constraint_count = 1;
  m.constraint[0].kind = ConstraintKind::tricks_won;
  m.constraint[0].most = 13;
  return m;
}

struct Case {
  const char* name;
  int players;
  bool dead_zone;
  int draw_after;
  bool announced;
  Distress distress;
};

Rules rules_for(const Case& c) {
  Mission m = endless();
  m.dead_zone = c.dead_zone;
  m.draw_after = static_cast<std::uint8_t>(c.draw_after);
  if (c.announced)
    m.step[m.step_count++] = {.kind = StepKind::announce_holder, .role = Role::s1, .card = 26};
  m.step[m.step_count++] = {.kind = StepKind::distress};
  Settings settings;
  settings.players = c.players;
  settings.distress = c.distress;
  return make_rules(m, settings);
}

using Bytes = std::string;
Bytes bytes_of(const State& state) { return {reinterpret_cast<const char*>(&state), sizeof state}; }

// All States with the unseen parts filled in any way that `read` accepts.
std::map<Bytes, int> enumerate(const Rules& rules, const View& view, std::size_t limit) {
  std::map<Bytes, int> found;
  State world{};
  world.table = view.table;
  Table& t = world.table;
  world.hand[view.seat] = view.hand;
  if (t.jarvis != nobody) world.hand[t.jarvis] = face_up(t);
  std::vector<int> cards;
  for (Cards rest = rules.deck & ~view.hand & ~t.played & ~face_up(t); rest; rest &= rest - 1)
    cards.push_back(std::countr_zero(rest));
  const auto accept = [&] {
    State again;
    if (read_state(rules, sheet_of(rules, world), again)) return;
    const View seen = view_of(rules, again, view.seat);
    if (std::memcmp(&seen, &view, sizeof view) == 0) found[bytes_of(again)] = 0;
  };
  std::function<void(int)> label = [&](int s) {
    if (found.size() > limit) return;
    if (s == rules.seats) return accept();
    const Card given = t.given[at(s)], drawn = t.drawn[at(s)];
    for (int g = 0; g < deck_size; ++g) {
      if (given == hidden ? !(colours >> g & 1) : g > 0) continue;
      if (given == hidden) {
        // Until a draw moves cards on, the card is with who chose it or who got it, or played.
        const int to =
            t.phase == Phase::give || t.phase == Phase::get ? s : receiver_of(rules, t, s);
        if (t.drawn[0] == no_card && !((world.hand[at(to)] | t.played) >> g & 1)) continue;
        t.given[at(s)] = static_cast<Card>(g);
      }
      for (int d = 0; d < deck_size; ++d) {
        if (drawn == hidden ? false : d > 0) continue;
        if (drawn == hidden) {
          // What a hand received is there or was played by it: the rest is refused by `read`
          // anyway.
          const int to = left_of(rules, s);
          const bool there = to == t.jarvis
                                 ? std::find(t.under.begin(), t.under.end(), d) != t.under.end() ||
                                       (t.turned >> d & 1)
                                 : ((world.hand[at(to)] | t.played) >> d & 1);
          const bool before = s == t.count && t.phase == Phase::draw;
          if (!there && t.phase != Phase::draw && !before) continue;
          t.drawn[at(s)] = static_cast<Card>(d);
        }
        label(s + 1);
      }
      t.drawn[at(s)] = drawn;
    }
    t.given[at(s)] = given;
  };
  std::function<void(std::size_t)> place = [&](std::size_t i) {
    if (found.size() > limit) return;
    if (i == cards.size()) return label(0);
    for (int s = 0; s < rules.seats; ++s) {
      if (s == view.seat || s == t.jarvis) continue;
      if (std::popcount(world.hand[at(s)]) == size_of(rules, t, s)) continue;
      world.hand[at(s)] |= bit(cards[i]);
      place(i + 1);
      world.hand[at(s)] &= ~bit(cards[i]);
    }
    for (int c = 0; c < rules.columns; ++c) {
      if (t.under[at(c)] != hidden) continue;
      t.under[at(c)] = static_cast<Card>(cards[i]);
      place(i + 1);
      t.under[at(c)] = hidden;
    }
  };
  place(0);
  return found;
}

// Worlds listed at a position; fewer in the unoptimised builds that look for other faults.
#ifdef NDEBUG
constexpr std::size_t most = 2500;
constexpr int share = 1;  // of the games
#else
constexpr std::size_t most = 150;
constexpr int share = 4;
#endif

// Positions of random play where so few cards are unseen that all worlds can be listed.
void compare(const Case& c, int games, int unseen, std::size_t limit) {
  const Rules rules = rules_for(c);
  int compared = 0;
  double worst = 0;
  for (int g = 0; g < games; g += share) {
    Rng rng(static_cast<std::uint64_t>(g), "sampler test");
    State state = deal_state(rules, rng);
    while (state.table.phase != Phase::over) {
      const Move move = is_decision(state.table.phase)
                            ? pick_move(rules, state.table, acting_hand(state), rng)
                            : roll_outcome(rules, state, rng);
      play_move(rules, state, move);
      const Cards out = rules.deck & ~state.table.played & ~face_up(state.table);
      const auto seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules.seats)));
      const View view = view_of(rules, state, seat);
      if (std::popcount(out & ~view.hand) > unseen || rng.below(3)) continue;
      CHECK_MESSAGE(contradiction(rules, view).empty(), contradiction(rules, view), c.name);
      std::map<Bytes, int> worlds = enumerate(rules, view, limit);
      if (worlds.size() > limit) continue;
      CHECK_MESSAGE(worlds.count(bytes_of(state)) == 1, "the truth is no world: ", c.name, "\n",
                    draw_table(rules, state));
      const Sampler sampler(rules, view);
      const int draws = 60 * static_cast<int>(worlds.size()) + 200;
      bool outside = false;
      for (int i = 0; i < draws; ++i) {
        State world;
        sampler.draw(world, rng);
        const auto at_world = worlds.find(bytes_of(world));
        if (at_world == worlds.end())
          outside = true;
        else
          ++at_world->second;
      }
      CHECK_MESSAGE(!outside, "a sampled world is none: ", c.name, " seat ", int{seat}, "\n",
                    draw_table(rules, state));
      const double expected = static_cast<double>(draws) / static_cast<double>(worlds.size());
      double chi = 0;
      for (const auto& [world, n] : worlds) chi += (n - expected) * (n - expected) / expected;
      const auto freedom = static_cast<double>(worlds.size() - 1);
      if (freedom < 1) continue;
      const double z = (chi - freedom) / std::sqrt(2 * freedom);
      worst = std::max(worst, z);
      // Wilson-Hilferty would be closer; seeds are fixed, and 6 leaves room for its skew.
      CHECK_MESSAGE(z < 6, "not uniform: ", c.name, " seat ", int{seat}, " worlds ", worlds.size(),
                    " z ", z, "\n", draw_table(rules, state));
      ++compared;
    }
  }
  CHECK_MESSAGE(compared >= (share == 1 ? 3 : 1), c.name, " compared ", compared);
}

}  // namespace

TEST_CASE("thecrew: worlds are uniform with voids and statements") {
  compare({"normal 3", 3, false, 0, false, Distress::off}, 8, 8, most);
  compare({"normal 4", 4, false, 0, false, Distress::off}, 8, 8, most);
  compare({"normal 5", 5, false, 0, false, Distress::off}, 8, 7, most);
}

TEST_CASE("thecrew: worlds are uniform in a dead zone") {
  compare({"dead 3", 3, true, 0, false, Distress::off}, 8, 8, most);
  compare({"dead 4", 4, true, 0, false, Distress::off}, 8, 8, most);
}

TEST_CASE("thecrew: worlds are uniform after cards were passed") {
  compare({"left 3", 3, false, 0, false, Distress::left}, 8, 6, most);
  compare({"right 4", 4, false, 0, false, Distress::right}, 8, 5, most);
  compare({"announced 3", 3, false, 0, true, Distress::left}, 8, 6, most);
  compare({"announced 4", 4, true, 0, true, Distress::right}, 8, 5, most);
}

TEST_CASE("thecrew: worlds are uniform after the draw of mission 12") {
  compare({"draw 3", 3, false, 1, false, Distress::off}, 10, 6, most);
  compare({"draw 4", 4, false, 1, false, Distress::off}, 8, 5, most);
  compare({"late draw 3", 3, true, 4, false, Distress::off}, 10, 6, most);
  compare({"draw and left 3", 3, false, 1, false, Distress::left}, 10, 5, most);
}

TEST_CASE("thecrew: worlds are uniform with the automatic member") {
  compare({"jarvis", 2, false, 0, false, Distress::off}, 8, 7, most);
  compare({"jarvis draw", 2, false, 1, false, Distress::off}, 8, 5, most);
  compare({"jarvis draw left", 2, true, 2, false, Distress::left}, 6, 4, 600);
  compare({"jarvis announced", 2, false, 0, true, Distress::right}, 8, 6, most);
}
