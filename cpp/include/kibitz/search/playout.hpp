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

// A game may bring its own uniform playout, from a seat's decision to a settled state. It must do
// what pick, roll and play do one after the other, with the same random numbers, only faster.
template <class G>
concept FastPlayout = requires(const typename G::Rules& rules, typename G::State& state, Rng& rng) {
  { G::play_out(rules, state, rng) } -> std::same_as<int>;
};

// One step: a decision (1) or an outcome (0).
template <class G>
int advance(const typename G::Rules& rules, typename G::State& state, PlayoutPolicy policy,
            Rng& rng) {
  if (G::turn(rules, state).is_chance()) {
    G::play(rules, state, G::roll(rules, state, rng));
    return 0;
  }
  G::play(rules, state, decide<G>(rules, state, policy, rng));
  return 1;
}

// Plays on until the state is settled; returns the number of plies (decisions).
template <class G>
int play_out(const typename G::Rules& rules, typename G::State& state, PlayoutPolicy policy,
             Rng& rng) {
  int plies = 0;
  while (!G::settled(rules, state)) {
    if constexpr (FastPlayout<G>)
      if (policy == PlayoutPolicy::uniform && G::turn(rules, state).is_seat())
        return plies + G::play_out(rules, state, rng);
    plies += advance<G>(rules, state, policy, rng);
  }
  return plies;
}

}  // namespace kibitz
