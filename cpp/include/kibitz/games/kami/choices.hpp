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

// The choices of one decision as sets: hand types, mercenary stacks (two players), and passing.
struct Choice {
  std::uint32_t cards;   // bit a type
  std::uint32_t stacks;  // bit a stack
  std::uint32_t pass;    // 0 or 1

  constexpr std::uint32_t count() const {
    return pass + static_cast<std::uint32_t>(std::popcount(cards) + std::popcount(stacks));
  }
};

// Stacks are read eight at a time: a nibble each, of which 8 (Empress) alone has the top bit.
inline constexpr std::uint32_t each_nibble = 0x11111111u;

// The lowest bit of every nibble, gathered into eight bits.
constexpr std::uint32_t gather(std::uint32_t nibbles) {
  nibbles = (nibbles | nibbles >> 3) & 0x03030303u;
  nibbles = (nibbles | nibbles >> 6) & 0x000f000fu;
  return (nibbles | nibbles >> 12) & 0xffu;
}

constexpr std::uint32_t nonzero(std::uint32_t nibbles) {
  return (nibbles | nibbles >> 1 | nibbles >> 2 | nibbles >> 3) & each_nibble;
}

constexpr std::uint32_t visible_stacks(const Board& board) { return gather(nonzero(board.top)); }

// Visible stacks whose upper card answers the attack.
constexpr std::uint32_t stacks_answering(const Board& board) {
  std::uint32_t fits = ~nonzero(board.top ^ board.attack * each_nibble) & each_nibble;
  if (answers[board.attack] & empress_bit) fits |= board.top >> 3 & each_nibble;
  return board.attack == digit(Card::empress) ? 0 : gather(fits);
}

// Visible stacks that may attack: an Empress only when the other lies face-up (R22, R27).
constexpr std::uint32_t stacks_attacking(const Board& board) {
  std::uint32_t seen = nonzero(board.top);
  if (!board.empress_up) seen &= ~(board.top >> 3);
  return gather(seen);
}

inline constexpr Counts two_empresses = Counts(std::uint64_t{2} << 56);

// R23: the last visible mercenary is no defence when nothing is turned up under it and the hand
// that must then attack is exactly two Empresses.
constexpr bool leaves_no_attack(const Board& board, Counts hand) {
  if (hand != two_empresses) [[likely]]
    return false;
  const std::uint32_t visible = visible_stacks(board);
  return std::has_single_bit(visible) && !(board.covered & visible);
}

// Cards that the seat to move may put down as defence, and whether it may pass. `mercenaries` is
// whether there are any: two players.
template <bool mercenaries>
constexpr Choice defences(const Board& board, Counts hand, bool leading) {
  Choice choice{hand.kinds(), 0, 0};
  if (!leading) choice.cards &= answers[board.attack];
  if constexpr (mercenaries) {
    if (board.size[board.to_move] < 2) choice.cards = 0;  // R21
    if (!leaves_no_attack(board, hand))
      choice.stacks = leading ? visible_stacks(board) : stacks_answering(board);
    // R1, R3: a leader cannot pass; R24 guards a leader who has nothing to put down.
    choice.pass = !leading || (choice.cards | choice.stacks) == 0;
  } else {
    choice.pass = !leading;
  }
  return choice;
}

// Cards that may follow as attack. An Empress only as the last card of the hand (R14) or when the
// other lies face-up on a defence line (R10 to R13).
template <bool mercenaries>
constexpr Choice attacks(const Rules& rules, const Board& board, Counts hand) {
  const bool last = board.size[board.to_move] == 1;
  Choice choice{hand.kinds(), 0, 0};
  if (!last && !board.empress_up) choice.cards &= ~empress_bit;
  if constexpr (mercenaries) {
    // R21: who holds a single card and defended with a mercenary attacks with that card.
    const bool must_finish = last && board.from != 0 && !rules.one_card_free;
    if (!must_finish) choice.stacks = stacks_attacking(board);
  }
  return choice;
}

constexpr bool is_question(Phase phase) { return phase <= Phase::answer; }
constexpr bool is_decision(Phase phase) { return phase <= Phase::attack; }

constexpr bool may_ask(const Board& board, Counts hand) {
  return hand[lane(Card::soldier)] >= ask_soldiers && board.redeals < max_redeals;
}

template <bool mercenaries>
constexpr Choice choices(const Rules& rules, const Board& board, Counts hand) {
  if (board.phase == Phase::attack) return attacks<mercenaries>(rules, board, hand);
  return defences<mercenaries>(board, hand, board.phase == Phase::lead);
}

// Precondition: a card is to be played or passed (phase lead, respond or attack).
constexpr Choice choices(const Rules& rules, const Board& board, Counts hand) {
  return rules.players == 2 ? choices<true>(rules, board, hand)
                            : choices<false>(rules, board, hand);
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
    const int kind = std::countr_zero(rest);
    out.push_back(attack ? attack_with(kind) : defend_with(kind));
  }
  for (std::uint32_t rest = choice.stacks; rest; rest &= rest - 1) {
    const int stack = std::countr_zero(rest);
    out.push_back(attack ? attack_stack(stack) : defend_stack(stack));
  }
}

// One of the choices: a type from the hand, a stack, or passing (both -1).
struct Picked {
  int kind;
  int stack;
};

// Uniform over the choices, in the order in which they are listed.
template <bool mercenaries>
Picked pick_from(const Choice& choice, Rng& rng) {
  const auto held = static_cast<std::uint32_t>(std::popcount(choice.cards));
  std::uint32_t n = rng.below(mercenaries ? choice.count() : choice.pass + held);
  if (n < choice.pass) return {-1, -1};
  n -= choice.pass;
  if (!mercenaries || n < held) return {nth_bit(choice.cards, n), -1};
  return {-1, nth_bit(choice.stacks, n - held)};
}

// One of the legal moves, uniformly.
inline Move pick_move(const Rules& rules, const Board& board, Counts hand, Rng& rng) {
  if (is_question(board.phase)) {
    SmallList<Move, 2> list;
    list_moves(rules, board, hand, list);
    return list[rng.below(static_cast<std::uint32_t>(list.size()))];
  }
  const Choice choice = choices(rules, board, hand);
  const Picked picked =
      rules.players == 2 ? pick_from<true>(choice, rng) : pick_from<false>(choice, rng);
  const bool attack = board.phase == Phase::attack;
  if (picked.kind >= 0) return attack ? attack_with(picked.kind) : defend_with(picked.kind);
  if (picked.stack >= 0) return attack ? attack_stack(picked.stack) : defend_stack(picked.stack);
  return pass_move;
}

}  // namespace kibitz::kami
