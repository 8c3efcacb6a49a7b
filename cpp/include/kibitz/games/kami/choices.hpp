// Which cards a seat may choose: the legal sets of each phase, listed or picked from. Rule numbers
// (R..) and assumptions (A..) are those of docs/games/kami.md.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include <kibitz/core/counts.hpp>
#include <kibitz/core/game.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// The choices of one decision as sets: hand types in bits 0-7, stacks in bits 8-15, and passing.
struct Choice {
  std::uint32_t cards;
  std::uint32_t pass;  // 0 or 1
};

constexpr std::uint32_t visible_stacks(const Board& board) {
  std::uint32_t mask = 0;
  for (int s = 0; s < stacks; ++s)
    if (top_of(board, s) != Card::none) mask |= 1u << s;
  return mask;
}

// Stacks whose upper card is of one of `kinds`.
constexpr std::uint32_t stacks_showing(const Board& board, std::uint32_t kinds) {
  std::uint32_t mask = 0;
  for (int s = 0; s < stacks; ++s) {
    const Card top = top_of(board, s);
    if (top != Card::none && (kinds >> lane(top) & 1)) mask |= 1u << s;
  }
  return mask;
}

inline constexpr Counts two_empresses = Counts(std::uint64_t{2} << 56);

// Mercenaries that may serve as defence. R23: not the last visible one when nothing is turned up
// and the hand that must then attack is exactly two Empresses.
constexpr std::uint32_t defence_stacks(const Board& board, Counts hand, std::uint32_t kinds) {
  const std::uint32_t visible = visible_stacks(board);
  if (std::has_single_bit(visible) && !(board.covered & visible) && hand == two_empresses) return 0;
  return stacks_showing(board, kinds);
}

// Cards that the seat to move may put down as defence, and whether it may pass.
constexpr Choice defences(const Rules& rules, const Board& board, Counts hand) {
  const bool leading = board.phase == Phase::lead;
  const std::uint32_t kinds = leading ? 0xff : answers[board.attack];
  std::uint32_t cards = hand.kinds() & kinds;
  if (rules.players == 2) {
    if (board.size[board.to_move] < 2) cards = 0;  // R21
    cards |= defence_stacks(board, hand, kinds) << 8;
  }
  // R1, R3: a leader cannot pass; R24 guards a leader who has nothing to put down.
  return {cards, !leading || cards == 0};
}

// Cards that may follow as attack. An Empress only as the last card of the hand (R14) or when the
// other lies face-up on a defence line (R10 to R13, R22, R27).
constexpr Choice attacks(const Rules& rules, const Board& board, Counts hand) {
  const bool last = board.size[board.to_move] == 1;
  std::uint32_t cards = hand.kinds();
  if (!last && !board.empress_up) cards &= ~empress_bit;
  if (rules.players == 2) {
    // R21: who holds a single card and defended with a mercenary attacks with that card.
    const bool must_finish = last && board.from != 0 && !rules.one_card_free;
    if (!must_finish) {
      const std::uint32_t kinds = board.empress_up ? 0xff : 0xff & ~empress_bit;
      cards |= stacks_showing(board, kinds) << 8;
    }
  }
  return {cards, 0};
}

constexpr bool is_question(Phase phase) { return phase <= Phase::answer; }
constexpr bool is_decision(Phase phase) { return phase <= Phase::attack; }

constexpr bool may_ask(const Board& board, Counts hand) {
  return hand[lane(Card::soldier)] >= ask_soldiers && board.redeals < max_redeals;
}

constexpr Choice choices(const Rules& rules, const Board& board, Counts hand) {
  return board.phase == Phase::attack ? attacks(rules, board, hand) : defences(rules, board, hand);
}

// The legal moves of the seat to move, from the table and its own hand alone; so a State and a View
// list the same.
template <class List>
constexpr void list_moves(const Rules& rules, const Board& board, Counts hand, List& out) {
  out.clear();
  if (board.phase == Phase::ask) {
    if (may_ask(board, hand))
      out.push_back(make(Kind::ask, static_cast<std::uint32_t>(hand[lane(Card::soldier)])));
    out.push_back(no_move);
    return;
  }
  if (board.phase == Phase::answer) {
    out.push_back(yes_move);
    out.push_back(no_move);
    return;
  }
  const Choice choice = choices(rules, board, hand);
  const bool attack = board.phase == Phase::attack;
  if (choice.pass) out.push_back(pass_move);
  for (std::uint32_t rest = choice.cards; rest; rest &= rest - 1) {
    const int bit = std::countr_zero(rest);
    if (bit < 8)
      out.push_back(attack ? attack_with(bit) : defend_with(bit));
    else
      out.push_back(attack ? attack_stack(bit - 8) : defend_stack(bit - 8));
  }
}

// One of them, uniformly.
inline Move pick_move(const Rules& rules, const Board& board, Counts hand, Rng& rng) {
  if (is_question(board.phase)) {
    SmallList<Move, 2> list;
    list_moves(rules, board, hand, list);
    return list[rng.below(static_cast<std::uint32_t>(list.size()))];
  }
  const Choice choice = choices(rules, board, hand);
  const std::uint32_t own = choice.cards & 0xff;
  const auto held = static_cast<std::uint32_t>(std::popcount(own));
  std::uint32_t n;
  if (rules.players == 2)
    n = rng.below(choice.pass + held +
                  static_cast<std::uint32_t>(std::popcount(choice.cards >> 8)));
  else
    n = rng.below(choice.pass + held);
  if (n < choice.pass) return pass_move;
  n -= choice.pass;
  const Kind kind = board.phase == Phase::attack ? Kind::attack : Kind::defend;
  if (n < held) return make(kind, static_cast<std::uint32_t>(nth_bit(own, n)) + 1);
  return make(kind, static_cast<std::uint32_t>(nth_bit(choice.cards >> 8, n - held) + 1) << 4);
}

}  // namespace kibitz::kami
