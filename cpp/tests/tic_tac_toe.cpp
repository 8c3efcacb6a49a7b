// Tic-tac-toe's keys: one for each position, none for two. All else is in
// tests/games/test_tic_tac_toe.py.
#include <map>
#include <vector>

#include <kibitz/games/tic_tac_toe/tic_tac_toe.hpp>

#include "check.hpp"

using namespace kibitz;
using namespace kibitz::tic_tac_toe;

TEST_CASE("tic-tac-toe: 5478 positions have as many keys") {
  const Rules rules;
  std::map<std::uint64_t, State> met{{0, State{}}};
  std::vector<State> queue{State{}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const State state = queue[i];
    MoveList<TicTacToe> moves;
    TicTacToe::moves(rules, state, moves);
    for (const Move move : moves) {
      State next = state;
      TicTacToe::play(rules, next, move);
      const auto [at, fresh] = met.emplace(TicTacToe::key(rules, next), next);
      CHECK(at->second == next);
      if (fresh) queue.push_back(next);
    }
  }
  CHECK(met.size() == 5478);
}
