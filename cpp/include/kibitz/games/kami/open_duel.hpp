// Two open hands and the mercenaries with their lower cards, seen from the seat to move: what the
// future of a round turns on, and nothing else. Turns are fused, turn-ups included.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <kibitz/games/kami/open_cards.hpp>
#include <kibitz/games/kami/open_ring.hpp>
#include <kibitz/games/kami/solve_table.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// A turn names a hand type 0 to 7, or a stack: 8 and its place in the order of the moment.
inline constexpr int from_stack = 8;

template <bool one_card_free>
struct OpenDuel {
  std::array<Nibbles, 2> hand;  // from the seat to move on
  std::uint64_t stacks;         // a byte a stack: upper digit << 4 | lower; the largest lowest
  std::uint8_t attack;          // digit to be answered, 0 while leading
  std::uint8_t empress_up;

  using Next = OpenNext<OpenDuel>;
  // 16 x 16 pairs of hand types and stacks, and a pass; equal stacks are one.
  using Turns = TurnOrder<257>;

  static OpenDuel of(const State& state) {
    const Board& board = state.board;
    OpenDuel out{};
    for (std::size_t s = 0; s < 2; ++s)
      out.hand[s] = nibbles_of(state.hand[(board.to_move + s) & 1]);
    for (int s = 0; s < kami::stacks; ++s) {
      const auto upper = static_cast<std::uint64_t>(digit(top_of(board, s)));
      out.put(upper << 4 | (state.lower >> (4 * s) & 15));
    }
    out.empress_up = board.empress_up;
    if (board.phase == Phase::respond) out.attack = board.attack;
    return out;
  }

  static bool same_side(int seat) { return seat == 0; }

  bool leading() const { return attack == 0; }

  // Bit k: a stack shows type k.
  std::uint32_t visible() const {
    std::uint32_t kinds = 0;
    for (std::uint64_t rest = stacks; rest; rest >>= 8) kinds |= 1u << (rest >> 4 & 15);
    return kinds >> 1;
  }
  // Bit k: type k is among the mercenaries.
  std::uint32_t mercenaries() const {
    std::uint32_t kinds = 0;
    for (std::uint64_t rest = stacks; rest; rest >>= 4) kinds |= 1u << (rest & 15);
    return kinds >> 1;
  }

  // Types of attack that the other seat cannot answer, now and as long as no stack is touched. Its
  // only card is no defence (R21).
  std::uint32_t safe(std::uint32_t seen) const {
    const std::uint32_t held = cards_in(hand[1]) >= 2 ? kinds_in(hand[1]) : 0;
    return ~answered_by(held | seen) & (empress_up ? 0xffu : 0x7fu);
  }

  // What the mover has for certain by unanswered leads, hand cards only, but for a mercenary as the
  // defence of the last turn when the hand is odd. Until then no stack is touched.
  int run() const {
    if (attack != 0) return 0;
    const int held = cards_in(hand[0]);
    const std::uint32_t seen = visible();
    if (held % 2 == 0) return run_points(hand[0], safe(seen), held / 2, pairs_in(hand[0]), 1);
    if (seen == 0) return 0;
    return run_points(hand[0], safe(seen), (held + 1) / 2, seen, 0);
  }

  // No side wins more than its best last card, which comes from its hand (R22) and is doubled by
  // any card of its type, a mercenary too (R26); a void round is 0.
  Between bounds() const {
    const std::uint32_t all = mercenaries();
    const auto most = [&](Nibbles h) {
      return most_points(kinds_in(h), pairs_in(h) | (kinds_in(h) & all));
    };
    const int sure = run();
    return {sure ? sure : -most(hand[1]), most(hand[0])};
  }

  bool can_answer() const {
    const std::uint32_t held = cards_in(hand[0]) >= 2 ? kinds_in(hand[0]) : 0;
    return (held | visible()) & answers[attack];
  }

  void pass() {
    std::swap(hand[0], hand[1]);
    attack = 0;  // the owner of the attack leads
  }

  Next settle(int seat) const {
    Next next{*this, seat, 0, false};
    OpenDuel& p = next.position;
    if (p.attack != 0 && !p.can_answer()) {
      p.pass();
      next.seat ^= 1;
    }
    p.fold();
    return next;
  }

  // Precondition: turns() has it.
  Next after(OpenTurn turn) const {
    Next next{*this, 1, 0, false};
    OpenDuel& p = next.position;
    if (turn.is_pass()) {
      p.pass();
      return p.settle(1);
    }
    const int defence = p.take(turn.defence);
    if (attack != 0 && defence == 7) p.empress_up = 1;
    const int kind = p.take(turn.attack);
    if (p.hand[0] == 0) {
      next.seat = 0;
      next.ended = true;
      next.points = points_of_kind(kind) * (attack == 0 && defence == kind ? 2 : 1);
      return next;
    }
    if (p.stacks == 0 && cards_in(p.hand[0]) % 2 != 0) {  // R25: void
      next.ended = true;
      return next;
    }
    std::swap(p.hand[0], p.hand[1]);
    p.attack = static_cast<std::uint8_t>(kind + 1);
    return p.settle(1);
  }

  // All turns, likely good ones first.
  void turns(Turns& out) const {
    out.clear();
    const std::uint32_t seen = visible();
    const std::uint32_t sure = safe(seen);
    const bool lead = attack == 0;
    const auto add = [&](int defence_kind, int defence_from, int kind, int from, bool last) {
      int rate = sure >> kind & 1 ? 100 : 0;
      if (last) rate += 1000;
      if (defence_from < from_stack) rate += 10 - 4 * points_of_kind(defence_kind);
      if (from >= from_stack) rate += 3 * points_of_kind(kind);
      out.add({static_cast<std::uint8_t>(defence_from), static_cast<std::uint8_t>(from)}, rate);
    };
    each_defence([&](int defence, int defence_from) {
      OpenDuel p = *this;
      p.take(defence_from);
      if (!lead && defence == 7) p.empress_up = 1;
      p.each_attack(defence_from, [&](int kind, int from) {
        add(defence, defence_from, kind, from, from < from_stack && cards_in(p.hand[0]) == 1);
      });
    });
    if (!lead || out.size() == 0) out.add(open_pass, -50);  // R24
  }

  OpenKey key() const {
    return {hand[0] | std::uint64_t{hand[1]} << 32, stacks,
            static_cast<std::uint8_t>(attack << 1 | empress_up)};
  }

 private:
  int upper(int stack) const { return static_cast<int>(stacks >> (8 * stack + 4) & 15) - 1; }

  // Each stack that differs from the one before it: equal ones are one choice.
  template <class Each>
  void each_stack(Each&& each) const {
    int before = 0;
    for (int s = 0; s < kami::stacks; ++s) {
      const int byte = static_cast<int>(stacks >> (8 * s) & 255);
      if (byte == 0) return;
      if (byte != before) each(upper(s), from_stack + s);
      before = byte;
    }
  }

  // R23 needs no word: a defence after which nothing can attack makes no turn.
  template <class Each>
  void each_defence(Each&& each) const {
    const std::uint32_t fits = attack == 0 ? 0xffu : answers[attack];
    if (cards_in(hand[0]) >= 2)
      for (std::uint32_t d = kinds_in(hand[0]) & fits; d; d &= d - 1)
        each(std::countr_zero(d), std::countr_zero(d));
    each_stack([&](int kind, int from) {
      if (fits >> kind & 1) each(kind, from);
    });
  }

  // After a defence from hand or stack, taken already.
  template <class Each>
  void each_attack(int defence_from, Each&& each) const {
    const bool last = cards_in(hand[0]) == 1;
    const std::uint32_t barred = empress_up ? 0 : empress_bit;
    for (std::uint32_t a = kinds_in(hand[0]) & ~(last ? 0 : barred); a; a &= a - 1)
      each(std::countr_zero(a), std::countr_zero(a));
    if (last && defence_from >= from_stack && !one_card_free) return;  // R21
    each_stack([&](int kind, int from) {
      if (!(barred >> kind & 1)) each(kind, from);
    });
  }

  // The card is gone, and of a stack the lower one lies open; its type.
  int take(int from) {
    if (from < from_stack) {
      hand[0] -= one_card(from);
      return from;
    }
    const int at = 8 * (from - from_stack);
    const std::uint64_t byte = stacks >> at & 255;
    const std::uint64_t below = (std::uint64_t{1} << at) - 1;
    stacks = (stacks & below) | (stacks >> 8 & ~below);
    put(byte << 4 & 0xf0);
    return static_cast<int>(byte >> 4) - 1;
  }

  // Into its place in the order.
  void put(std::uint64_t byte) {
    if (byte == 0) return;
    int at = 0;
    while ((stacks >> at & 255) >= byte) at += 8;
    const std::uint64_t below = (std::uint64_t{1} << at) - 1;
    stacks = (stacks & below) | byte << at | (stacks & ~below) << 8;
  }

  // Whether an Empress lies face-up matters only while there is one to play. Names that could be
  // changed for each other, as OpenRing does, save a twelfth of the positions here and cost more.
  void fold() {
    if ((hand[0] | hand[1]) >> 28 == 0 && !(mercenaries() & empress_bit)) empress_up = 0;
  }
};

}  // namespace kibitz::kami
