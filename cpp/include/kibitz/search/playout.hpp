// Light play from a position to where its worth is known. No allocation, no virtual call.
#pragma once

#include <kibitz/core/game.hpp>
#include <kibitz/search/request.hpp>

namespace kibitz {

// A seat's decision under a policy. Precondition: a seat is to move.
template <class G>
Move decide(const typename G::Rules& rules, const typename G::State& state, PlayoutPolicy policy,
            Rng& rng) {
  if (policy == PlayoutPolicy::uniform) return G::pick(rules, state, rng);
  return G::hint(rules, G::eyes(rules, state), rng);
}

// Plays on until the state is settled; returns the number of plies (decisions).
template <class G>
int play_out(const typename G::Rules& rules, typename G::State& state, PlayoutPolicy policy,
             Rng& rng) {
  int plies = 0;
  if (policy == PlayoutPolicy::uniform) {
    while (!G::settled(rules, state)) {
      if (G::turn(rules, state).is_seat()) {
        G::play(rules, state, G::pick(rules, state, rng));
        ++plies;
      } else {
        G::play(rules, state, G::roll(rules, state, rng));
      }
    }
    return plies;
  }
  while (!G::settled(rules, state)) {
    if (G::turn(rules, state).is_seat()) {
      G::play(rules, state, G::hint(rules, G::eyes(rules, state), rng));
      ++plies;
    } else {
      G::play(rules, state, G::roll(rules, state, rng));
    }
  }
  return plies;
}

}  // namespace kibitz
