// Chance: the deal hand by hand, mercenaries turned up, and the announcement of a round's points.
#pragma once

#include <kibitz/core/rng.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// Cards not yet dealt in phase deal.
constexpr Counts undealt(const Rules& rules, const State& state) {
  Counts rest = full_deck;
  if (state.board.dealt == 0) return rest;
  for (int s = 0; s < rules.players; ++s) rest = rest - state.hand[static_cast<std::size_t>(s)];
  for (const std::uint8_t d : state.aside)
    if (d) rest.take(d - 1);
  for (int s = 0; s < stacks; ++s) {
    if (const int d = digit(top_of(state.board, s))) rest.take(d - 1);
    if (const int d = static_cast<int>(state.lower >> (4 * s) & 15)) rest.take(d - 1);
  }
  return rest;
}

// One card of `rest`, every physical card equally likely.
inline int draw_card(Counts& rest, Rng& rng) {
  int n = static_cast<int>(rng.below(static_cast<std::uint32_t>(rest.size())));
  int kind = 0;
  while (n >= rest[kind]) n -= rest[kind++];
  rest.take(kind);
  return kind;
}

inline Move score_outcome(const Rules& rules, const Board& board) {
  if (is_void(board)) return dead_move;
  return make(Kind::points, static_cast<std::uint32_t>(round_points(rules, board)));
}

inline Move turn_up_outcome(const State& state) {
  const int s = state.board.from - 1;
  return make(Kind::turn_up,
              static_cast<std::uint32_t>(s + 1) << 4 | (state.lower >> (4 * s) & 15));
}

inline Move roll_outcome(const Rules& rules, const State& state, Rng& rng) {
  const Board& board = state.board;
  switch (board.phase) {
    case Phase::turn_up: return turn_up_outcome(state);
    case Phase::score:   return score_outcome(rules, board);
    case Phase::first:
      return make(Kind::first, rng.below(static_cast<std::uint32_t>(rules.players)));
    default: break;
  }
  Counts rest = undealt(rules, state);
  if (board.dealt < rules.players) {
    Counts hand;
    for (int i = 0; i < rules.hand_size; ++i) hand.add(draw_card(rest, rng));
    return make(Kind::hand, pack_hand(hand));
  }
  if (rules.players == 3)
    return make(Kind::aside, static_cast<std::uint32_t>(draw_card(rest, rng) + 1));
  const auto upper = static_cast<std::uint32_t>(draw_card(rest, rng) + 1);
  const auto lower = static_cast<std::uint32_t>(draw_card(rest, rng) + 1);
  return make(Kind::stack, upper << 4 | lower);
}

constexpr std::uint64_t binomial(int n, int k) {
  std::uint64_t out = 1;
  for (int i = 1; i <= k; ++i)
    out = out * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  return out;
}

// Every hand of `size` cards that `rest` allows, with its number of physical hands.
template <class Each>
void each_hand(Counts rest, int size, Each&& each, int kind = 7, Counts hand = {},
               std::uint64_t ways = 1) {
  if (kind < 0) {
    if (size == 0) each(hand, ways);
    return;
  }
  for (int n = 0; n <= rest[kind] && n <= size; ++n) {
    each_hand(rest, size - n, each, kind - 1, hand, ways * binomial(rest[kind], n));
    hand.add(kind);
  }
}

template <class Each>
void each_outcome(const Rules& rules, const State& state, Each&& each) {
  const Board& board = state.board;
  switch (board.phase) {
    case Phase::turn_up: return each(turn_up_outcome(state), std::uint64_t{1});
    case Phase::score:   return each(score_outcome(rules, board), std::uint64_t{1});
    case Phase::first:
      for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(rules.players); ++s)
        each(make(Kind::first, s), std::uint64_t{1});
      return;
    case Phase::deal: break;
    default:          return;
  }
  const Counts rest = undealt(rules, state);
  if (board.dealt < rules.players)
    return each_hand(rest, rules.hand_size, [&](Counts hand, std::uint64_t ways) {
      each(make(Kind::hand, pack_hand(hand)), ways);
    });
  for (int a = 0; a < card_types; ++a) {
    if (rest[a] == 0) continue;
    const auto ways = static_cast<std::uint64_t>(rest[a]);
    if (rules.players == 3) {
      each(make(Kind::aside, static_cast<std::uint32_t>(a + 1)), ways);
      continue;
    }
    Counts under = rest;
    under.take(a);
    for (int b = 0; b < card_types; ++b)
      if (under[b])
        each(make(Kind::stack, static_cast<std::uint32_t>((a + 1) << 4 | (b + 1))),
             ways * static_cast<std::uint64_t>(under[b]));
  }
}

inline State blank_state(const Rules& rules) {
  State state{};
  state.board.round = 1;
  state.board.winner = nobody;
  clear_table(state.board);
  state.board.phase = Phase::first;
  static_cast<void>(rules);
  return state;
}

inline State deal_state(const Rules& rules, Rng& rng) {
  State state = blank_state(rules);
  while (!is_decision(state.board.phase))
    play_outcome(rules, state, roll_outcome(rules, state, rng));
  return state;
}

}  // namespace kibitz::kami