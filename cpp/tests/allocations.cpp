// Between the first and the last ply nothing is allocated: what a search of many iterations takes
// is no more than what one of few takes, but for the lines it reports.
#include <vector>

#include <kibitz/erased/any_game.hpp>

#include "check.hpp"
#include "counting_new.hpp"

namespace {

using namespace kibitz;

long allocations_of(const AnyGame& game, const AnyView& view, Request request,
                    std::uint64_t iterations) {
  request.iterations = {iterations};
  const long before = allocations;
  static_cast<void>(game.analyse(view, request, Control{}));
  return allocations - before;
}

// Of drawing worlds, the sampler's own included.
long allocations_of(const AnyGame& game, const AnyView& view, Rng& rng, std::uint64_t worlds) {
  const long before = allocations;
  game.samples(view, worlds, rng, Control{});
  return allocations - before;
}

}  // namespace

TEST_CASE("allocations are counted") {
  const long before = allocations;
  const std::vector<int> some(100);
  CHECK(some.size() == 100);
  CHECK(allocations == before + 1);
}

TEST_CASE("worlds, playouts and iterations allocate nothing, in any game") {
  for (const GameEntry* entry : game_entries()) {
    const Option& players = entry->facts().options.front();
    for (int n = players.minimum; n <= players.maximum; ++n) {
      const GamePtr game = entry->load({{players.name, n}});
      Rng rng(1, "test");
      AnyState state = game->deal(1);
      while (!(game->turn(state).is_seat() && game->moves(state).size() > 1))
        state = game->play(
            state, game->turn(state).is_seat() ? game->pick(state, rng) : game->roll(state, rng));
      const AnyView view = game->view(state, game->turn(state).seat());
      const long lines =
          static_cast<long>(game->moves(view).size()) * 10;  // vectors of up to 32 steps
      for (const Method method : {Method::flat, Method::ismcts})
        for (const PlayoutPolicy policy : {PlayoutPolicy::uniform, PlayoutPolicy::hint}) {
          Request request;
          request.method = method;
          request.playout = policy;
          const long few = allocations_of(*game, view, request, 100);
          CHECK(allocations_of(*game, view, request, 3000) <= few + lines);
        }
      const long before = allocations;
      game->playouts(state, 100, PlayoutPolicy::uniform, rng, Control{});
      CHECK(allocations == before);
      CHECK(allocations_of(*game, view, rng, 1000) == allocations_of(*game, view, rng, 10));
    }
  }
}
