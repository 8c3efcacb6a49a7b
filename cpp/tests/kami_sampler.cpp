// Worlds of a Kami view: what is certain always, the rest by its exact frequency.
#include <array>
#include <map>
#include <string>

#include "check.hpp"
#include "kami_positions.hpp"

using namespace kibitz;
using namespace kibitz::kami;

namespace {

double chi_square(const std::map<std::string, int>& counts,
                  const std::map<std::string, double>& share, int drawn) {
  double sum = 0;
  for (const auto& [key, part] : share) {
    const auto found = counts.find(key);
    const double n = found == counts.end() ? 0 : found->second;
    sum += (n - part * drawn) * (n - part * drawn) / (part * drawn);
  }
  return sum;
}

}  // namespace

TEST_CASE("kami: five announced Soldiers are in every world, and no more") {
  const Rules rules = rules_of({});
  State state = dealt(rules, {"11334567", "11111228", "23344555", "11124678"}, 0);
  play(rules, state, "- ?5 - - -");
  Rng rng(1, "test");
  for (const Seat seat : {Seat{0}, Seat{2}, Seat{3}}) {
    const View view = Kami::view(rules, state, seat);
    const Sampler sampler(rules, view);
    State world;
    for (int i = 0; i < 500; ++i) {
      sampler.draw(world, rng);
      CHECK(world.hand[1][0] == 5);
      CHECK(Kami::view(rules, world, seat) == view);
    }
  }
}

TEST_CASE("kami: a face-down card is any unseen card as likely as any other") {
  // Seat 0 sees all but seat 1's face-down card and hand, 4 and 3 3, and the eight Soldiers of
  // seats 2 and 3: eleven unseen cards, so seat 1's face-down card is a Soldier in 8 of 11 worlds.
  const Rules rules = rules_of({{"redeal", false}});
  StateSheet sheet;
  sheet.hands = {"2255", "33", "1111", "1111"};
  sheet.first = 1;
  sheet.phase = "respond";
  sheet.owner = 1;
  sheet.to_move = 2;
  sheet.lines = {{"62", "37"}, {".45", "63", "42"}, {"15", "14"}, {"87", "84"}};
  State state = position(rules, sheet);
  const View view = Kami::view(rules, state, 0);
  Rng rng(2, "test");
  const Sampler sampler(rules, view);
  std::map<std::string, int> counts;
  constexpr int drawn = 11'000;
  State world;
  for (int i = 0; i < drawn; ++i) {
    sampler.draw(world, rng);
    ++counts[std::string(1, digit_char(world.board.line[8] >> 4))];
  }
  const double x = chi_square(counts, {{"1", 8 / 11.0}, {"3", 2 / 11.0}, {"4", 1 / 11.0}}, drawn);
  CHECK(counts.size() == 3);
  CHECK(x < 13.8);  // 0.001 at two degrees of freedom
}

TEST_CASE("kami: a world is whole and its hands have the view's sizes") {
  Rng rng(3, "test");
  for (const int players : {2, 3, 4}) {
    const Rules rules = rules_of({{"players", players}, {"rounds", 1}});
    for (int game = 0; game < 50; ++game) {
      State state = Kami::deal(rules, rng);
      while (!Kami::turn(rules, state).is_over()) {
        for (int s = 0; s < players; ++s) {
          State world;
          Sampler(rules, Kami::view(rules, state, static_cast<Seat>(s))).draw(world, rng);
          CHECK(world.board.size == state.board.size);
          State again;
          CHECK_FALSE(Kami::read(rules, Kami::sheet(rules, world), again));
        }
        Kami::play(rules, state,
                   Kami::turn(rules, state).is_seat() ? Kami::pick(rules, state, rng)
                                                      : Kami::roll(rules, state, rng));
      }
    }
  }
}
