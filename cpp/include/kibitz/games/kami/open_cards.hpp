// Open hands for the solver: a hand as eight nibbles of one word, and what can be said of hands
// without a search. Rule numbers (R..) are those of docs/games/kami.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <kibitz/core/counts.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// Copies of each type, a nibble a type, Soldiers lowest: 10 cards of a kind at most.
using Nibbles = std::uint32_t;

constexpr Nibbles nibbles_of(Counts hand) {
  Nibbles out = 0;
  for (int kind = 0; kind < card_types; ++kind)
    out |= static_cast<Nibbles>(hand[kind]) << (4 * kind);
  return out;
}
constexpr Nibbles one_card(int kind) { return Nibbles{1} << (4 * kind); }
constexpr int copies_in(Nibbles hand, int kind) {
  return static_cast<int>(hand >> (4 * kind) & 15);
}
constexpr int cards_in(Nibbles hand) {
  return static_cast<int>(((hand & 0x0f0f0f0fu) + (hand >> 4 & 0x0f0f0f0fu)) * 0x01010101u >> 24);
}

// Bit k: the hand has type k; has it twice.
constexpr std::uint32_t kinds_in(Nibbles hand) { return gather(nonzero(hand)); }
constexpr std::uint32_t pairs_in(Nibbles hand) { return gather(nonzero(hand & 0xeeeeeeeeu)); }

// Types of attack that a hand with these types can answer (R8, R9, R11).
constexpr std::uint32_t answered_by(std::uint32_t kinds) {
  return (kinds & 0x7fu) | (kinds & empress_bit ? 0x7cu : 0u);
}

// Kinds are 0 to 7; the mask says so to compilers that warn of bounds.
constexpr int points_of_kind(int kind) {
  return card_points[(static_cast<std::size_t>(kind) & 7) + 1];
}
constexpr int top_kind(std::uint32_t kinds) { return std::bit_width(kinds) - 1; }

// The most that a hand can score with its last card: a type that it has, doubled if it may lie
// face-down as well. Points never fall from type to type (state.hpp), so the last type is the best.
constexpr int most_points(std::uint32_t kinds, std::uint32_t doubled) {
  const int single = kinds ? points_of_kind(top_kind(kinds)) : 0;
  return doubled ? std::max(single, 2 * points_of_kind(top_kind(doubled))) : single;
}

// What a leader scores by leads alone that nobody in its way can answer, 0 if it cannot so run out.
// `safe` are the types which they cannot answer: while they only pass, no hand but the leader's
// changes and the set stays as it is, and who could help may pass, too. A run of `leads` spends
// leads - 1 safe attacks, as many cards face-down, and last of all any card as attack, an Empress
// too (R14); before that an Empress attacks only when the other lies face-up (R12), so it counts as
// safe only then. `single` types may be the last attack; for a `doubled` one `spent` more cards of
// its type lie face-down, and that many of them are no safe attacks before.
constexpr int run_points(Nibbles hand, std::uint32_t safe, int leads, std::uint32_t doubled,
                         int spent) {
  int attacks = 0;
  for (std::uint32_t rest = safe & kinds_in(hand); rest; rest &= rest - 1)
    attacks += copies_in(hand, std::countr_zero(rest));
  int best = 0;
  for (std::uint32_t rest = kinds_in(hand); rest; rest &= rest - 1) {
    const int kind = std::countr_zero(rest);
    const int left = attacks - static_cast<int>(safe >> kind & 1);
    if (left >= leads - 1) best = std::max(best, points_of_kind(kind));
    if ((doubled >> kind & 1) && left - spent * static_cast<int>(safe >> kind & 1) >= leads - 1)
      best = std::max(best, 2 * points_of_kind(kind));
  }
  return best;
}

// One turn, or a pass: type or stack laid as defence and as attack; what stacks mean is the duel's.
struct OpenTurn {
  std::uint8_t defence;
  std::uint8_t attack;

  constexpr bool is_pass() const { return defence == 0xff; }
  friend constexpr bool operator==(OpenTurn, OpenTurn) = default;
};
inline constexpr OpenTurn open_pass = {0xff, 0xff};

// Turns in the order in which they are to be tried: by a rate, of equals the first added first.
template <std::size_t room>
class TurnOrder {
 public:
  void clear() { size_ = 0; }
  void add(OpenTurn turn, int rate) {
    std::size_t at = size_++;
    for (; at > 0 && rates_[at - 1] < rate; --at) {
      rates_[at] = rates_[at - 1];
      turns_[at] = turns_[at - 1];
    }
    rates_[at] = rate;
    turns_[at] = turn;
  }

  std::size_t size() const { return size_; }
  const OpenTurn* begin() const { return turns_.data(); }
  const OpenTurn* end() const { return turns_.data() + size_; }

 private:
  std::array<OpenTurn, room> turns_;  // only the first size_ are ever read
  std::array<int, room> rates_;
  std::size_t size_ = 0;
};

}  // namespace kibitz::kami
