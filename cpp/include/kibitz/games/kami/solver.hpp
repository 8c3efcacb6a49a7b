// The rest of a round with open hands: what each seat can have of it under best play of all.
//
// Two players, and four as two sides, play for the points of the own side less the other's:
// alpha-beta with a table (two_sides.hpp). Three play max^n (three_seats.hpp) for the own points
// less the winner's. Nothing but the round counts; a void round is 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include <kibitz/core/solution.hpp>
#include <kibitz/games/kami/effort.hpp>
#include <kibitz/games/kami/open_duel.hpp>
#include <kibitz/games/kami/open_ring.hpp>
#include <kibitz/games/kami/open_round.hpp>
#include <kibitz/games/kami/solve_table.hpp>

namespace kibitz::kami {

// Whether all that follows is play: not where the cards may be dealt anew, or are yet to be dealt.
// An open question whose answers are all forced leads to play.
inline bool leads_to_play(const Rules& rules, State state) {
  while (state.board.phase == Phase::ask) {
    if (may_ask(state.board, state.hand[state.board.to_move])) return false;
    play_decision(rules, state, no_move);
  }
  return state.board.phase != Phase::answer && state.board.phase != Phase::deal &&
         state.board.phase != Phase::first;
}

namespace detail {

// A table no larger than is of use: so few positions come up in small endings that most of a large
// one would only be slow to touch. At 28 cards it is a hundred times what half of all deals need.
inline std::size_t table_bytes(const Rules& rules, const State& state, std::size_t most) {
  int cards = 0;
  for (const Counts hand : state.hand) cards += hand.size();
  if (rules.players == 2)
    cards += std::popcount(visible_stacks(state.board)) +
             std::popcount(static_cast<unsigned>(state.board.covered));
  return std::min(most, sizeof(SolveTable::Entry) << (3 * cards / 4 + 1));
}

// Of the moves that keep the value one that is known to, else the first that does.
template <class Round>
Move keeping_move(Round& round, const Rules& rules, const State& state,
                  typename Round::Value value) {
  const OpenMoves moves = moves_of(rules, state);
  const Seat seat = state.board.to_move;
  for (const Move move : moves)
    if (round.is_known_to_keep(played(rules, state, move), seat, value)) return move;
  for (const Move move : moves)
    if (round.keeps(played(rules, state, move), seat, value)) return move;
  return moves[0];  // the limits were reached
}

inline Solution unsolved(const Effort& effort) {
  Solution out;
  out.nodes = effort.nodes();
  return out;
}

template <class Round>
Solution solve_as(const Rules& rules, State state, const SolveLimits& limits) {
  Effort effort(limits);
  Round round(rules, table_bytes(rules, state, limits.bytes), effort);
  Solution out;
  const auto value = round.value(state);
  if (effort.ended()) return unsolved(effort);
  out.values = round.by_seat(value);
  if (is_decision(state.board.phase) && limits.every_move)
    for (const Move move : moves_of(rules, state)) {
      const auto one = round.value(played(rules, state, move), value);
      if (effort.ended()) return unsolved(effort);
      out.moves.push_back({move, round.by_seat(one)});
    }
  const bool only_best = is_decision(state.board.phase) && !limits.every_move;
  while (!is_settled(state.board)) {
    const Turn turn = turn_of(state.board);
    const Move move =
        turn.is_seat() ? keeping_move(round, rules, state, value) : forced_move(state);
    if (effort.ended()) return unsolved(effort);
    state = played(rules, state, move);
    out.line.emplace_back(turn, move);
  }
  if (only_best) out.moves.push_back({out.line.front().second, out.values});
  out.nodes = effort.nodes();
  out.solved = true;
  return out;
}

}  // namespace detail

inline Solution solve_round(const Rules& rules, const State& state, const SolveLimits& limits) {
  if (!leads_to_play(rules, state)) return {};
  if (rules.players == 4) return detail::solve_as<SidesRound<OpenRing<4>>>(rules, state, limits);
  if (rules.players == 3) return detail::solve_as<SeatsRound>(rules, state, limits);
  return rules.one_card_free ? detail::solve_as<SidesRound<OpenDuel<true>>>(rules, state, limits)
                             : detail::solve_as<SidesRound<OpenDuel<false>>>(rules, state, limits);
}

}  // namespace kibitz::kami
