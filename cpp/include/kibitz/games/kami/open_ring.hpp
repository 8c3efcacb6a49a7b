// Three or four open hands in a ring, seen from the seat to move: what the future of a round turns
// on, and nothing else. Turns are fused: defence and attack, or a pass.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <kibitz/games/kami/open_cards.hpp>
#include <kibitz/games/kami/solve_table.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// What a value lies between, both included, for the side to move.
struct Between {
  int low;
  int high;
};

// What a turn leads to, once all forced passes are made.
template <class Position>
struct OpenNext {
  Position position;
  int seat;    // to move there, counted from who made the turn
  int points;  // of that seat, if the round is over; else 0
  bool ended;
};

template <int seats>
struct OpenRing {
  std::array<Nibbles, seats> hand;  // from the seat to move on
  std::uint8_t attack;              // digit to be answered, 0 while leading
  std::uint8_t owner;               // of it, counted from the seat to move; 0 while leading
  std::uint8_t empress_up;

  using Next = OpenNext<OpenRing>;
  using Turns = TurnOrder<65>;  // 8 x 8 pairs and a pass

  static OpenRing of(const State& state) {
    const Board& board = state.board;
    OpenRing out{};
    for (int s = 0; s < seats; ++s)
      out.hand[static_cast<std::size_t>(s)] =
          nibbles_of(state.hand[static_cast<std::size_t>((board.to_move + s) % seats)]);
    out.empress_up = board.empress_up;
    if (board.phase == Phase::respond) {
      out.attack = board.attack;
      out.owner = static_cast<std::uint8_t>((board.owner + seats - board.to_move) % seats);
    }
    return out;
  }

  // Types of attack that no seat but the mover, and of four not its partner, can answer.
  std::uint32_t safe() const {
    std::uint32_t against = kinds_in(hand[1]);
    against = seats == 4 ? answered_by(against) | answered_by(kinds_in(hand[3]))
                         : answered_by(against | kinds_in(hand[2]));
    return ~against & (empress_up ? 0xffu : 0x7fu);
  }

  bool leading() const { return attack == 0; }
  bool can_answer() const { return answered_by(kinds_in(hand[0])) >> (attack - 1) & 1; }

  // What the mover has for certain by unanswered leads, 0 if it does not lead or has not so much.
  int run() const {
    if (attack != 0) return 0;
    return run_points(hand[0], safe(), cards_in(hand[0]) / 2, pairs_in(hand[0]), 1);
  }

  // Four seats: partners sit opposite.
  static bool same_side(int seat) { return seat % 2 == 0; }

  // Four seats: no side wins more than its best last card, and the mover no less than its run.
  Between bounds() const {
    const auto most = [&](std::size_t s) {
      return most_points(kinds_in(hand[s]), pairs_in(hand[s]));
    };
    const int sure = run();
    return {sure ? sure : -std::max(most(1), most(3)), std::max(most(0), most(2))};
  }

  void rotate() {
    const Nibbles first = hand[0];
    for (std::size_t s = 0; s + 1 < seats; ++s) hand[s] = hand[s + 1];
    hand[seats - 1] = first;
    if (owner == 0) {
      owner = seats - 1;
    } else if (--owner == 0) {
      attack = 0;
    }
  }

  // Makes the passes of seats that can do nothing else, and the last turn of a leader with two
  // cards, who must play both and may choose their order (R17): so far there is no choice, but for
  // points, where more is better for its side.
  Next settle(int seat) const {
    Next next{*this, seat, 0, false};
    OpenRing& p = next.position;
    while (p.attack != 0 && !p.can_answer()) {
      p.rotate();
      if (++next.seat == seats) next.seat = 0;
    }
    if (p.attack == 0 && cards_in(p.hand[0]) == 2) {
      next.ended = true;
      next.points = most_points(kinds_in(p.hand[0]), pairs_in(p.hand[0]));
    }
    p.fold();
    return next;
  }

  // Precondition: turns() has it.
  Next after(OpenTurn turn) const {
    Next next{*this, 0, 0, false};
    OpenRing& p = next.position;
    if (!turn.is_pass()) {
      p.hand[0] -= one_card(turn.defence) + one_card(turn.attack);
      if (p.hand[0] == 0) {  // as an answer: a leader's last turn was settled
        next.ended = true;
        next.points = points_of_kind(turn.attack);
        return next;
      }
      if (attack != 0 && turn.defence == 7) p.empress_up = 1;
      p.attack = static_cast<std::uint8_t>(turn.attack + 1);
      p.owner = 0;
    }
    p.rotate();
    return p.settle(1);
  }

  // All turns, likely good ones first.
  void turns(Turns& out) const {
    out.clear();
    const std::uint32_t sure = safe();
    const std::uint32_t held = kinds_in(hand[0]);
    const bool last = cards_in(hand[0]) == 2;
    const bool lead = attack == 0;
    for (std::uint32_t d = lead ? held : held & answers[attack]; d; d &= d - 1) {
      const int defence = std::countr_zero(d);
      const Nibbles left = hand[0] - one_card(defence);
      std::uint32_t a = kinds_in(left);
      if (!last && !empress_up && (lead || defence != 7)) a &= ~empress_bit;
      for (; a; a &= a - 1) {
        const int kind = std::countr_zero(a);
        int rate = last ? 1000 : 0;
        if (sure >> kind & 1) rate += 100;
        rate += 2 * copies_in(left, kind) + 3 * points_of_kind(kind) - 4 * points_of_kind(defence);
        out.add({static_cast<std::uint8_t>(defence), static_cast<std::uint8_t>(kind)}, rate);
      }
    }
    if (!lead) out.add(open_pass, seats == 4 && owner == 2 ? 50 : -50);
  }

  OpenKey key() const {
    OpenKey key{hand[0] | std::uint64_t{hand[1]} << 32, hand[2], 0};
    if constexpr (seats == 4) key.b |= std::uint64_t{hand[3]} << 32;
    key.place = static_cast<std::uint8_t>(attack << 3 | owner << 1 | empress_up);
    return key;
  }

 private:
  // Positions that differ in names only become one. Types 4 and 5 have the same points, and each
  // is answered by itself and the Empress: to change them for each other in all hands and in the
  // attack changes no value. So with 6 and 7; and with 2 and 3 when nobody holds an Empress, as
  // then each is answered by itself alone. Whether an Empress lies face-up matters only to who
  // still holds one.
  void fold() {
    fold_pair(3);
    fold_pair(5);
    Nibbles all = 0;
    for (const Nibbles h : hand) all |= h;
    if (all >> 28) return;
    empress_up = 0;
    fold_pair(1);
  }

  void fold_pair(int kind) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (const Nibbles h : hand) {
      low = low << 4 | (h >> (4 * kind) & 15);
      high = high << 4 | (h >> (4 * kind + 4) & 15);
    }
    if (low > high || (low == high && attack != kind + 2)) return;
    if (low != high)
      for (Nibbles& h : hand) {
        const Nibbles both = (h >> (4 * kind) ^ h >> (4 * kind + 4)) & 15;
        h ^= both << (4 * kind) | both << (4 * kind + 4);
      }
    if (attack == kind + 1)
      attack = static_cast<std::uint8_t>(kind + 2);
    else if (attack == kind + 2)
      attack = static_cast<std::uint8_t>(kind + 1);
  }
};

}  // namespace kibitz::kami
