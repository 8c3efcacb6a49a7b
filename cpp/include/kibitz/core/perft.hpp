// Perft: leaves at depth d with every move and outcome tried. Depth counts decisions; outcomes are
// tried where they come and cost none. A position that is settled before depth d has no leaves. A
// stopped count is short.
#pragma once

#include <cstdint>

#include <kibitz/core/control.hpp>
#include <kibitz/core/game.hpp>

namespace kibitz {

template <class G>
std::uint64_t perft(const typename G::Rules& rules, const typename G::State& state, int depth,
                    const Control& control = {}) {
  if (depth == 0) return 1;
  if (G::settled(rules, state) || control.stopped()) return 0;
  std::uint64_t leaves = 0;
  if (G::turn(rules, state).is_chance()) {
    G::outcomes(rules, state, [&](Move outcome, std::uint64_t) {
      typename G::State next = state;
      G::play(rules, next, outcome);
      leaves += perft<G>(rules, next, depth, control);
    });
    return leaves;
  }
  MoveList<G> moves;
  G::moves(rules, state, moves);
  for (const Move move : moves) {
    typename G::State next = state;
    G::play(rules, next, move);
    leaves += perft<G>(rules, next, depth - 1, control);
  }
  return leaves;
}

// The leaves below each first move or outcome: what a wrong total is narrowed down with.
template <class G, class Each>
void divide(const typename G::Rules& rules, const typename G::State& state, int depth,
            const Control& control, Each&& each) {
  if (depth <= 0 || G::turn(rules, state).is_over()) return;
  const auto branch = [&](Move move, int left) {
    typename G::State next = state;
    G::play(rules, next, move);
    each(move, perft<G>(rules, next, left, control));
  };
  if (G::turn(rules, state).is_chance())
    return G::outcomes(rules, state, [&](Move outcome, std::uint64_t) { branch(outcome, depth); });
  MoveList<G> moves;
  G::moves(rules, state, moves);
  for (const Move move : moves) branch(move, depth - 1);
}

}  // namespace kibitz
