// Searches on several threads, for the thread sanitizer: own trees, a stop from outside, many
// searches at once.
#include <atomic>
#include <chrono>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <kibitz/erased/any_game.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;

// The first decision of a deal with several moves.
AnyView some_view(const GamePtr& game, std::uint64_t seed) {
  Rng rng(seed, "test");
  AnyState state = game->deal(seed);
  while (!(game->turn(state).is_seat() && game->moves(state).size() > 1))
    state = game->play(
        state, game->turn(state).is_seat() ? game->pick(state, rng) : game->roll(state, rng));
  return game->view(state, game->turn(state).seat());
}

std::vector<GamePtr> games() {
  std::vector<GamePtr> out;
  for (const GameEntry* entry : game_entries()) out.push_back(entry->load({}));
  return out;
}

Request request_of(Method method, std::vector<std::uint64_t> iterations) {
  Request request;
  request.method = method;
  request.threads = static_cast<int>(iterations.size());
  request.iterations = std::move(iterations);
  return request;
}

std::uint64_t visits(const Analysis& found) {
  std::uint64_t sum = 0;
  for (const Row& row : found.rows) sum += row.visits;
  return sum;
}

}  // namespace

TEST_CASE("two to four threads find the same each time") {
  for (const GamePtr& game : games())
    for (const Method method : {Method::flat, Method::ismcts})
      for (const std::vector<std::uint64_t>& iterations :
           {std::vector<std::uint64_t>{200, 150}, {100, 100, 100}, {90, 80, 70, 60}}) {
        const AnyView view = some_view(game, 1);
        const Request request = request_of(method, iterations);
        const Analysis found = game->analyse(view, request, Control{});
        const Analysis again = game->analyse(view, request, Control{});
        CHECK(found.iterations == iterations);
        CHECK(again.best == found.best);
        for (std::size_t i = 0; i < found.rows.size(); ++i) {
          CHECK(again.rows[i].visits == found.rows[i].visits);
          CHECK(again.rows[i].total == found.rows[i].total);
        }
      }
}

TEST_CASE("a stop from outside ends all threads of a search") {
  for (const GamePtr& game : games())
    for (const Method method : {Method::flat, Method::ismcts}) {
      const AnyView view = some_view(game, 2);
      Request request = request_of(method, {max_iterations, max_iterations, max_iterations});
      request.bytes = std::size_t{16} << 20;
      Control control;
      std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        control.stop = true;
      });
      const Analysis found = game->analyse(view, request, control);
      stopper.join();
      CHECK(found.reason == Reason::stop);
      CHECK(visits(found) > 0);
    }
}

TEST_CASE("an outer control ends the inner one's work") {
  const GamePtr game = games().front();
  Control outer, inner;
  inner.outer = &outer;
  CHECK_FALSE(inner.stopped());
  std::thread stopper([&] { outer.stop = true; });
  Request request = request_of(Method::ismcts, {max_iterations, max_iterations});
  request.bytes = std::size_t{16} << 20;
  CHECK(game->analyse(some_view(game, 3), request, inner).reason == Reason::stop);
  stopper.join();
  CHECK(inner.stopped());
  CHECK_FALSE(inner.stop.load());
}

TEST_CASE("a deadline ends all threads of a search") {
  const GamePtr game = games().front();
  Request request = request_of(Method::ismcts, {max_iterations, max_iterations});
  request.timed = true;
  request.bytes = std::size_t{16} << 20;
  request.deadline = Clock::now() + std::chrono::milliseconds(20);
  const Analysis found = game->analyse(some_view(game, 4), request, Control{});
  CHECK(found.reason == Reason::ms);
  CHECK(Clock::now() >= request.deadline);
}

TEST_CASE("threads that share an evaluator find the same each time, and what it throws comes out") {
  struct Judge final : Evaluator {
    void judge(std::span<Leaf> leaves) override {
      if (++calls > most) throw std::runtime_error("the net");
      for (Leaf& leaf : leaves) {
        for (std::size_t i = 0; i < leaf.priors.size(); ++i)
          leaf.priors[i] = static_cast<float>(leaf.moves[i].code % 7 + 1);
        leaf.utility.fill(0.25);
      }
    }
    std::atomic<int> calls = 0;
    int most = 1'000'000;
  };
  for (const GamePtr& game : games()) {
    const AnyView view = some_view(game, 6);
    Judge judge;
    Request request = request_of(Method::puct, {300, 200, 100});
    request.evaluator = &judge;
    const Analysis found = game->analyse(view, request, Control{});
    const Analysis again = game->analyse(view, request, Control{});
    CHECK(visits(found) == 600);
    CHECK(again.best == found.best);
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
      CHECK(again.rows[i].visits == found.rows[i].visits);
      CHECK(again.rows[i].total == found.rows[i].total);
    }
    judge.calls = 0;
    judge.most = 4;  // the roots, and one more
    CHECK_THROWS_AS(game->analyse(view, request, Control{}), std::runtime_error);
  }
}

TEST_CASE("many searches of one game at once don't disturb each other") {
  for (const GamePtr& game : games()) {
    const AnyView view = some_view(game, 5);
    const Request request = request_of(Method::ismcts, {150, 150});
    const Analysis alone = game->analyse(view, request, Control{});
    std::atomic<int> different = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 3; ++i) {
          const Analysis found = game->analyse(view, request, Control{});
          for (std::size_t m = 0; m < found.rows.size(); ++m)
            different += found.rows[m].total != alone.rows[m].total;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(different == 0);
  }
}

TEST_CASE("games are loaded, dealt and sampled by many threads at once") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (const GamePtr& game : games()) {
        const AnyView view = some_view(game, t);
        Rng rng(t, "test");
        for (int i = 0; i < 20; ++i) {
          const AnyState world = game->sample(view, rng);
          wrong += game->turn(world) != game->turn(view);
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
