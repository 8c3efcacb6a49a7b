// The game of docs/adding-a-game.md, behind the same surface as any other: every position of its
// smallest pack held to the laws, refused fields, and searches that find what can be worked out.
#include <string>
#include <vector>

#include <kibitz/erased/game_of.hpp>

#include "../../examples/adding_a_game/highcard.hpp"
#include "check.hpp"

namespace {

using namespace kibitz;

GamePtr high_card(int cards) {
  return entry_of<highcard::HighCard>().load({{"cards", Value(cards)}});
}

// Positions below and including `state`, each one checked.
int walk(const AnyGame& game, const AnyState& state, Rng& rng) {
  const std::string law = game.broken_law(state, rng);
  CHECK_MESSAGE(law.empty(), law);
  int count = 1;
  std::vector<Move> next = game.moves(state);
  for (const auto& [outcome, weight] : game.outcomes(state)) next.push_back(outcome);
  for (const Move move : next) count += walk(game, game.play(state, move), rng);
  return count;
}

std::string best(const ValueMap& start, Method method) {
  const GamePtr game = high_card(9);
  Request request;
  request.method = method;
  request.iterations = {4000};
  const Analysis found = game->analyse(game->view(1, start), request, Control{});
  return game->move_text(found.rows[found.best].move);
}

}  // namespace

// Before the deal, with one card dealt, with both: 1 + 4 + 12. Of these 12, seat 0 keeps (1) or
// changes (1) and draws one of 2: each of the 3 ways seat 1 keeps, or changes and draws one of the
// cards left, 2 or 1; then show and end. Keep: 1 + (keep 2) + (change 1 + 2 * 2) = 8. Change:
// 1 + 2 * (1 + 2 + 1 + 1 * 2) = 13. 17 + 12 * 21 = 269.
TEST_CASE("adding a game: every position keeps the laws") {
  const GamePtr game = high_card(4);
  Rng rng(1, "test walk");
  CHECK(walk(*game, game->blank(), rng) == 269);
}

TEST_CASE("adding a game: fields that cannot be are refused") {
  const GamePtr game = high_card(9);
  for (const ValueMap& fields : std::vector<ValueMap>{
           {},
           {{"hands", "7"}},
           {{"hands", "77"}},
           {{"hands", "7x"}},
           {{"hands", "70"}},
           {{"hands", "7-"}},
           {{"hands", "73"}, {"aside", "-5"}},
           {{"hands", "73"}, {"phase", "done"}},
           {{"hands", "73"}, {"phase", "over"}},
           {{"hands", "73"}, {"to_move", 2}},
           {{"hands", "-3"}, {"phase", "deal"}},
       })
    CHECK_THROWS_AS(game->state(fields), Failure);
  CHECK_THROWS_AS(game->view(1, {{"hands", "73"}}), Failure);
  CHECK_THROWS_AS(game->view(0, {{"hands", "7x"}, {"aside", "-4"}, {"phase", "show"}}), Failure);
  CHECK(game->turn(game->state({{"hands", "73"}})) == Turn::of(0));
}

// Seat 0 has changed, so its card is any of the 8 others: a 6 wins 5 times in 8, a 4 wins 3 times.
// A new card wins 4 times in 8.
TEST_CASE("adding a game: searches keep a six and change a four") {
  for (const Method method : {Method::flat, Method::ismcts}) {
    CHECK(best({{"hands", "x6"}, {"aside", "x-"}, {"to_move", 1}}, method) == "keep");
    CHECK(best({{"hands", "x4"}, {"aside", "x-"}, {"to_move", 1}}, method) == "change");
  }
}

// A State of six bytes: smaller than any that the surface might expect.
TEST_CASE("adding a game: playouts and worlds in bulk") {
  const GamePtr game = high_card(9);
  const AnyState state = game->deal(1);
  const Control control;
  Rng rng(1, "test bulk");
  CHECK(game->playouts(state, 100, PlayoutPolicy::uniform, rng, control).plies == 200);
  CHECK(game->samples(game->view(state, 0), 100, rng, control) !=
        game->samples(game->view(state, 0), 100, rng, control));
}
