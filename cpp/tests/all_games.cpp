// Every game that is built in, behind the common surface: walks, worlds, playouts and searches,
// above all for the sanitizers. The laws themselves have their suite in tests/test_laws.py.
#include <string>
#include <vector>

#include <kibitz/erased/any_game.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;

// Each number of players with the other options at their defaults.
std::vector<GamePtr> tables() {
  std::vector<GamePtr> out;
  for (const GameEntry* entry : game_entries()) {
    const Option& players = entry->facts().options.front();
    for (int n = players.minimum; n <= players.maximum; ++n)
      out.push_back(entry->load({{players.name, n}}));
  }
  return out;
}

AnyState step(const AnyGame& game, const AnyState& state, Rng& rng) {
  return game.play(state,
                   game.turn(state).is_seat() ? game.pick(state, rng) : game.roll(state, rng));
}

}  // namespace

TEST_CASE("every game holds the laws along walks from before the deal") {
  for (const GamePtr& game : tables()) {
    Rng rng(1, "test");
    for (int walk = 0; walk < 3; ++walk) {
      AnyState state = game->blank();
      for (int i = 0; i < 120 && !game->turn(state).is_over(); ++i) {
        const std::string law = game->broken_law(state, rng);
        CHECK_MESSAGE(law.empty(), law);
        state = step(*game, state, rng);
      }
    }
  }
}

TEST_CASE("every game draws, is told as fields, and read back") {
  for (const GamePtr& game : tables()) {
    Rng rng(2, "test");
    AnyState state = game->deal(2);
    for (int i = 0; i < 40 && !game->turn(state).is_over(); ++i) {
      CHECK(game->draw(state).size() > 20);
      CHECK(game->fields(game->state(game->fields(state))).size() == game->fields(state).size());
      for (int s = 0; s < game->seats(); ++s) {
        const AnyView view = game->view(state, static_cast<Seat>(s));
        CHECK(game->draw(view).size() > 20);
        CHECK(game->turn(view) == game->turn(state));
      }
      state = step(*game, state, rng);
    }
  }
}

TEST_CASE("every game's playouts end settled, and their counts repeat") {
  for (const GamePtr& game : tables())
    for (const PlayoutPolicy policy : {PlayoutPolicy::uniform, PlayoutPolicy::hint}) {
      const AnyState start = game->deal(3);
      Rng rng(3, "test"), again(3, "test");
      CHECK(game->settled(game->play_out(start, policy, rng).first));
      Rng one(4, "test"), two(4, "test");
      const PlayoutReport report = game->playouts(start, 200, policy, one, Control{});
      CHECK(report.plies >= 200);
      CHECK(game->playouts(start, 200, policy, two, Control{}).checksum == report.checksum);
    }
}

TEST_CASE(
    "every game is searched by every method: rows in legal order, visits that add up, the same "
    "again") {
  for (const GamePtr& game : tables()) {
    Rng rng(5, "test");
    AnyState state = game->deal(5);
    for (int i = 0; i < 60 && !game->turn(state).is_over(); ++i, state = step(*game, state, rng)) {
      if (!game->turn(state).is_seat() || i % 6) continue;
      const AnyView view = game->view(state, game->turn(state).seat());
      for (const Method method : {Method::random, Method::greedy, Method::flat, Method::ismcts}) {
        Request request;
        request.method = method;
        request.iterations = {150};
        request.seed = 5;
        const Analysis found = game->analyse(view, request, Control{});
        const std::vector<Move> moves = game->moves(view);
        REQUIRE(found.rows.size() == moves.size());
        std::uint64_t visits = 0;
        for (std::size_t m = 0; m < moves.size(); ++m) {
          CHECK(found.rows[m].move == moves[m]);
          CHECK(found.rows[m].mean() >= 0);
          CHECK(found.rows[m].mean() <= 1);
          visits += found.rows[m].visits;
        }
        const bool searched =
            moves.size() > 1 && (method == Method::flat || method == Method::ismcts);
        CHECK(visits == (searched ? 150u : 0u));
        const Analysis again = game->analyse(view, request, Control{});
        CHECK(again.best == found.best);
        for (std::size_t m = 0; m < moves.size(); ++m)
          CHECK(again.rows[m].total == found.rows[m].total);
      }
    }
  }
}

TEST_CASE("every game's search survives a tree that is full from the start") {
  for (const GamePtr& game : tables()) {
    Rng rng(6, "test");
    AnyState state = game->deal(6);
    while (!(game->turn(state).is_seat() && game->moves(state).size() > 1))
      state = step(*game, state, rng);
    Request request;
    request.iterations = {3000};
    request.bytes = 1;  // as little as the tree will do with
    const Analysis found =
        game->analyse(game->view(state, game->turn(state).seat()), request, Control{});
    CHECK(found.iterations.front() == 3000);
  }
}

TEST_CASE("every game refuses what is no move, leaving the position") {
  for (const GamePtr& game : tables()) {
    const AnyState state = game->deal(7);
    for (const char* text : {"", "?", "no such move", "\xff\xfe", "d1d1d1d1d1d1d1d1"}) {
      CHECK_THROWS_AS(static_cast<void>(game->parse_move(text)), Failure);
    }
    Rng rng(7, "test");
    for (int i = 0; i < 200; ++i) {
      const Move noise{static_cast<std::uint32_t>(rng.next())};
      if (!game->check(state, noise)) continue;
      CHECK_THROWS_AS(static_cast<void>(game->play(state, noise)), Failure);
    }
  }
}
