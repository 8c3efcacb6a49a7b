// Searches that live on, for the thread sanitizer: looked at from other threads while they run, run
// again, moved along. A snapshot is exactly what a search of its iterations finds.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <kibitz/erased/any_game.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;

constexpr Method methods[] = {Method::flat, Method::pimc, Method::ismcts, Method::moismcts,
                              Method::mcts};

std::vector<GamePtr> games() {
  std::vector<GamePtr> out;
  for (const GameEntry* entry : game_entries()) out.push_back(entry->load({}));
  return out;
}

Request request_of(Method method, int threads) {
  Request request;
  request.method = method;
  request.threads = threads;
  request.bytes = std::size_t{8} << 20;
  request.seed = 5;
  return request;
}

// A deal, rolled on to the first decision between several moves.
AnyState some_state(const GamePtr& game, std::uint64_t seed) {
  Rng rng(seed, "test");
  AnyState state = game->deal(seed);
  while (!(game->turn(state).is_seat() && game->moves(state).size() > 1))
    state = game->play(
        state, game->turn(state).is_seat() ? game->pick(state, rng) : game->roll(state, rng));
  return state;
}

std::uint64_t iterations(const Analysis& found) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : found.iterations) sum += n;
  return sum;
}

void same_rows(const Analysis& a, const Analysis& b) {
  REQUIRE(a.rows.size() == b.rows.size());
  CHECK(a.best == b.best);
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    CHECK(a.rows[i].move == b.rows[i].move);
    CHECK(a.rows[i].visits == b.rows[i].visits);
    CHECK(a.rows[i].total == b.rows[i].total);
    CHECK(a.rows[i].squares == b.rows[i].squares);
  }
}

template <class Use>
void each_search(Use&& use) {
  for (const GamePtr& game : games())
    for (const Method method : methods)
      if (method != Method::mcts || game->facts().open) use(game, method);
}

}  // namespace

TEST_CASE("a snapshot of a running search is what a search of its iterations finds") {
  each_search([](const GamePtr& game, Method method) {
    const AnyState state = some_state(game, 1);
    const AnyView view = game->view(state, game->turn(state).seat());
    const Request request = request_of(method, 2);
    const std::unique_ptr<AnySearch> search = game->search(view, request);
    Control control;
    std::vector<Analysis> seen;
    {
      std::jthread runner([&] { search->run(Request{}, control); });
      while (seen.size() < 5) {
        Analysis found = search->snapshot();
        if (!seen.empty()) CHECK(iterations(found) >= iterations(seen.back()));
        // A solved game ends by itself.
        const bool ended = found.reason != Reason::running && found.reason != Reason::waiting;
        if (iterations(found) > 0) seen.push_back(std::move(found));
        if (ended) break;
      }
      control.stop = true;
    }
    seen.push_back(search->snapshot());
    for (const Analysis& found : seen) {
      Request again = request;
      again.iterations = found.iterations;
      same_rows(found, game->analyse(view, again, Control{}));
    }
  });
}

TEST_CASE("many may look at once") {
  each_search([](const GamePtr& game, Method method) {
    const AnyState state = some_state(game, 2);
    const std::unique_ptr<AnySearch> search =
        game->search(game->view(state, game->turn(state).seat()), request_of(method, 3));
    Control control;
    std::atomic<int> wrong = 0;
    {
      std::jthread runner([&] { search->run(Request{}, control); });
      {
        std::vector<std::jthread> lookers;
        for (int t = 0; t < 3; ++t)
          lookers.emplace_back([&] {
            std::uint64_t last = 0;
            for (int i = 0; i < 20; ++i) {
              const std::uint64_t now = iterations(search->snapshot());
              wrong += now < last;
              last = now;
            }
          });
      }
      control.stop = true;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("a run during a run, and a move during a run, are refused") {
  const GamePtr game = games().front();
  const AnyState state = some_state(game, 3);
  const Turn turn = game->turn(state);
  const std::unique_ptr<AnySearch> search =
      game->search(game->view(state, turn.seat()), request_of(Method::flat, 2));
  Control control;
  std::jthread runner([&] { search->run(Request{}, control); });
  while (search->snapshot().reason != Reason::running) std::this_thread::yield();
  CHECK_THROWS_AS(search->run(Request{}, control), Failure);
  CHECK_THROWS_AS(search->advance(turn, game->moves(state).front()), Failure);
  CHECK(search->snapshot().reason == Reason::running);
  control.stop = true;
}

TEST_CASE("two threads: same starts and moves, same answers") {
  each_search([](const GamePtr& game, Method method) {
    std::vector<std::vector<Analysis>> all(2);
    for (std::vector<Analysis>& found : all) {
      Rng rng(4, "test");
      AnyState state = some_state(game, 4);
      const Seat seat = game->turn(state).seat();
      const std::unique_ptr<AnySearch> search =
          game->search(game->view(state, seat), request_of(method, 2));
      Request limits;
      limits.iterations = {150, 100};
      for (int ply = 0; ply < 40 && !game->turn(state).is_over(); ++ply) {
        const Turn turn = game->turn(state);
        Move move;
        if (turn == Turn::of(seat)) {
          search->run(limits, Control{});
          found.push_back(search->snapshot());
          move = found.back().rows[found.back().best].move;
          CHECK_FALSE(game->check(state, move));
        } else {
          move = turn.is_chance() ? game->roll(state, rng) : game->pick(state, rng);
        }
        search->advance(turn, game->seen(state, move, seat));
        state = game->play(state, move);
      }
    }
    REQUIRE(all[0].size() == all[1].size());
    for (std::size_t i = 0; i < all[0].size(); ++i) same_rows(all[0][i], all[1][i]);
  });
}
