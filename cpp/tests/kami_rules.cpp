// A few of Kami's rules at the level of the core; the rest is in tests/games/test_kami.py.
#include <string>

#include <kibitz/core/perft.hpp>

#include "check.hpp"
#include "kami_positions.hpp"

using namespace kibitz;
using namespace kibitz::kami;

namespace {

const std::vector<std::string> w8 = {"11113477", "12344568", "11123368", "11224555"};

std::string why(const Rules& rules, const State& state, const std::string& text) {
  return Kami::check(rules, state, *Kami::from_text(text)).rule;
}

}  // namespace

TEST_CASE("kami: a lead, three passes, the lead again") {
  const Rules rules = rules_of({{"redeal", false}});
  State state = dealt(rules, w8, 1);
  CHECK(legal(rules, state) == "d1 d2 d3 d4 d5 d6 d8");
  play(rules, state, "d3 a4");
  CHECK(Kami::turn(rules, state) == Turn::of(2));
  CHECK(legal(rules, state) == "p d8");
  play(rules, state, "p p p");
  CHECK(Kami::turn(rules, state) == Turn::of(1));
  CHECK(state.board.phase == Phase::lead);
}

TEST_CASE("kami: W1 has 8 defences and 49 turns") {
  const Rules rules = rules_of({{"redeal", false}});
  const State state = dealt(rules, {"12345678", "12345678", "11112345", "11112345"}, 0);
  CHECK(perft<Kami>(rules, state, 1) == 8);
  CHECK(perft<Kami>(rules, state, 2) == 49);
}

TEST_CASE("kami: R8, R10, R13, R21: the rule that a move breaks is named") {
  const Rules four = rules_of({{"redeal", false}});
  State state = dealt(four, {"11234588", "11234567", "11122345", "11134567"}, 0);
  CHECK(why(four, state, "p") == "kami R1, R3");
  play(four, state, "d8");
  CHECK(why(four, state, "a8") == "kami R10, R13");
  play(four, state, "a1");
  CHECK(why(four, state, "d8") == "kami R8");
  CHECK(why(four, state, "d2") == "kami: answers");
}

TEST_CASE("kami: points of a pair, doubled only face-down") {
  CHECK(points_of(0x44, true) == 6);
  CHECK(points_of(0x44, false) == 3);
  CHECK(points_of(0x88, true) == 10);
  CHECK(points_of(0x14, true) == 3);
}

TEST_CASE("kami: totals under the three endings (R29)") {
  CHECK(add_points(Victory::soldier, 14, 10) == 24);
  CHECK(add_points(Victory::lord, 14, 10) == 6);
  CHECK(add_points(Victory::kami, 14, 10) == 0);
  for (const Victory victory : {Victory::soldier, Victory::lord, Victory::kami}) {
    CHECK(add_points(victory, 5, 10) == 15);
    CHECK(add_points(victory, 3, 4) == 7);
  }
}

TEST_CASE("kami: a hand packs into a move and back") {
  Rng rng(1, "test");
  const Rules rules = rules_of({{"players", 3}});
  for (int i = 0; i < 500; ++i) {
    const State state = Kami::deal(rules, rng);
    for (std::size_t s = 0; s < 3; ++s)
      CHECK(unpack_hand(pack_hand(state.hand[s])) == state.hand[s]);
  }
}

TEST_CASE("kami: every deal has the deck's 32 cards") {
  Rng rng(2, "test");
  for (const int players : {2, 3, 4}) {
    const Rules rules = rules_of({{"players", players}});
    for (int i = 0; i < 200; ++i) {
      const State state = Kami::deal(rules, rng);
      Counts all;
      for (const Counts hand : state.hand) all = all + hand;
      for (const std::uint8_t d : state.aside)
        if (d) all.add(d - 1);
      for (int s = 0; s < stacks; ++s) {
        if (const Card top = top_of(state.board, s); top != Card::none) all.add(lane(top));
        if (const auto d = state.lower >> (4 * s) & 15) all.add(static_cast<int>(d) - 1);
      }
      CHECK(all == full_deck);
    }
  }
}

TEST_CASE("kami: texts of moves are read back, anything else is none") {
  for (const char* text : {"p",
                           "-",
                           "+",
                           "d1",
                           "d8",
                           "dA",
                           "dH",
                           "dx",
                           "a1",
                           "a8",
                           "aA",
                           "?5",
                           "?8",
                           "up C 5",
                           "points 10",
                           "points 1",
                           "void",
                           "deal 11113477",
                           "deal 1112345678",
                           "deal x",
                           "aside 7",
                           "aside x",
                           "stack 58",
                           "stack 5x",
                           "first 3"}) {
    const auto move = Kami::from_text(text);
    CHECK_MESSAGE(move.has_value(), text);
    CHECK_MESSAGE((move && Kami::to_text(*move) == text), text);
  }
  for (const char* text : {"",
                           "P",
                           "d",
                           "d0",
                           "d9",
                           "dI",
                           "a",
                           "ax",
                           "d11",
                           "? 5",
                           "?",
                           "up C",
                           "up I 5",
                           "up C x",
                           "points 0",
                           "points 11",
                           "points",
                           "deal 123",
                           "deal 11111111111",
                           "deal 77778888",
                           "aside 9",
                           "stack 5",
                           "stack x5",
                           "first 4",
                           "first",
                           "pass",
                           "d1 ",
                           "\xc3\xa9"}) {
    CHECK_MESSAGE(!Kami::from_text(text).has_value(), text);
  }
}
