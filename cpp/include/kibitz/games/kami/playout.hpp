// A whole round of uniform play in one loop: what pick and play do one after the other, with the
// phase known from where the loop stands instead of looked up twice a ply. Same functions, same
// random numbers, same end (bench/test_core.py compares them).
#pragma once

#include <kibitz/core/rng.hpp>
#include <kibitz/games/kami/chance.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/play.hpp>

namespace kibitz::kami {

namespace detail {

// The type put down, taken off the hand or read off the stack.
template <bool mercenaries>
int take_card(State& state, Picked picked) {
  if (mercenaries && picked.stack >= 0) return lane(top_of(state.board, picked.stack));
  state.hand[state.board.to_move].take(picked.kind);
  return picked.kind;
}

template <bool mercenaries>
int play_round(const Rules& rules, State& state, Rng& stream) {
  Rng rng = stream;  // kept in registers
  Board& board = state.board;
  int plies = 0;
  while (board.phase < Phase::score) {
    if (board.phase <= Phase::answer) {
      play_decision(rules, state, pick_move(rules, board, state.hand[board.to_move], rng));
      ++plies;
      continue;
    }
    if (board.phase == Phase::turn_up) {
      play_outcome(rules, state, turn_up_outcome(state));
      continue;
    }
    if (board.phase != Phase::attack) {
      const bool leading = board.phase == Phase::lead;
      const Picked picked = pick_from<mercenaries>(
          defences<mercenaries>(board, state.hand[board.to_move], leading), rng);
      ++plies;
      if (picked.kind < 0 && picked.stack < 0) {
        pass(rules, board);
        continue;
      }
      defend<mercenaries>(rules, board, take_card<mercenaries>(state, picked), picked.stack,
                          leading);
      if (mercenaries && board.phase == Phase::turn_up) continue;
    }
    const Picked picked =
        pick_from<mercenaries>(attacks<mercenaries>(rules, board, state.hand[board.to_move]), rng);
    ++plies;
    attack<mercenaries>(rules, board, take_card<mercenaries>(state, picked), picked.stack);
  }
  stream = rng;
  return plies;
}

}  // namespace detail

// Precondition: a seat is to move or a mercenary is turned up.
inline int play_round(const Rules& rules, State& state, Rng& rng) {
  return rules.players == 2 ? detail::play_round<true>(rules, state, rng)
                            : detail::play_round<false>(rules, state, rng);
}

}  // namespace kibitz::kami
