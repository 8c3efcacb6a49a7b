// Open hands of three seats, each for itself: max^n (Luckhardt and Irani 1986).
//
// What a round comes to is an outcome: who wins it, with how many points. Every seat ranks all
// outcomes in a strict order: its own win with more points before one with fewer, before another's
// with fewer, before another's with more; of two others' equal wins it likes better that of the
// seat after it. So backward induction has one result in every position, whatever the order in
// which turns are looked at, and positions that differ in names only have the same.
//
// Sets of outcomes are 24 bits. A search is asked about a set: the outcomes that the seat before
// would like better than what it has. It answers with a set that has the true outcome in it and is
// that outcome alone, or has none of those asked about. That is shallow pruning (Korf 1991), which
// is sound for any number of sides: a seat that has something for certain never ends with what it
// likes less, and if all that is left to it does not interest the seat before, that seat will not
// come this way. Deep pruning, which is not sound, would use what seats further up have.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <kibitz/games/kami/effort.hpp>
#include <kibitz/games/kami/open_ring.hpp>
#include <kibitz/games/kami/solve_table.hpp>

namespace kibitz::kami {

// Bit 8 * winner + i: the winner, counted from the seat to move, has the i-th of these points.
using Outcomes = std::uint32_t;
inline constexpr std::array<int, 8> point_steps = {1, 2, 3, 4, 5, 6, 8, 10};
inline constexpr Outcomes all_outcomes = 0xffffff;

constexpr int step_of(int points) { return points <= 6 ? points - 1 : points / 2 + 2; }
constexpr Outcomes outcome(int winner, int points) { return 1u << (8 * winner + step_of(points)); }
constexpr int winner_of(Outcomes one) { return std::countr_zero(one) / 8; }
constexpr int points_of(Outcomes one) {
  return point_steps[static_cast<std::size_t>(std::countr_zero(one) % 8)];
}

// The same outcomes counted from the seat `seat` places further.
constexpr Outcomes seen_from(Outcomes set, int seat) {
  return (set >> (8 * seat) | set << (24 - 8 * seat)) & all_outcomes;
}

// What the seat to move likes better than each outcome.
inline constexpr std::array<Outcomes, 24> liked_better = [] {
  std::array<Outcomes, 24> out{};
  Outcomes better = 0;
  for (int i = 7; i >= 0; --i) {
    out[static_cast<std::size_t>(i)] = better;
    better |= 1u << i;
  }
  for (int i = 0; i < 8; ++i)
    for (int winner = 1; winner < 3; ++winner) {
      out[static_cast<std::size_t>(8 * winner + i)] = better;
      better |= 1u << (8 * winner + i);
    }
  return out;
}();
constexpr Outcomes better_than(Outcomes one) {
  return liked_better[static_cast<std::size_t>(std::countr_zero(one))];
}

class ThreeSeats {
 public:
  using Position = OpenRing<3>;

  ThreeSeats(std::size_t bytes, Effort& effort) : table_(bytes), effort_(effort) {}

  // What is known of it without search: a set with the true outcome in it.
  Outcomes known(const Position& position) const {
    Outcomes out = possible(position);
    if (const auto* entry = table_.find(position.key())) out &= entry->known;
    return out;
  }

  // The true outcome alone, or a set with it and none of `asked`. Meaningless once the limits are
  // reached.
  Outcomes search(const Position& position, Outcomes asked) {
    if (!effort_.spend()) return 0;
    Outcomes left = possible(position);
    if (answers_it(left, asked)) return left;
    const OpenKey key = position.key();
    OpenTurn first = open_pass;
    bool has_first = false;
    if (const auto* entry = table_.find(key)) {
      left &= entry->known;
      if (answers_it(left, asked)) return left;
      first = entry->turn;
      has_first = true;
    }
    const std::uint64_t before = effort_.nodes();
    Outcomes best = 0;  // of the turns looked at
    OpenTurn chosen = open_pass;
    // Whether the rest need not be looked at: nothing better is left, or nothing asked about.
    const auto look = [&](OpenTurn turn) {
      const Outcomes wanted = best ? left & better_than(best) : left;
      const Outcomes found = after(position, turn, wanted);
      if (effort_.ended()) return true;
      if (found & wanted) {  // so it is one outcome, and better
        best = found;
        chosen = turn;
        left &= best | better_than(best);
      }
      return answers_it(left, asked);
    };
    if (!(has_first && look(first))) {
      typename Position::Turns turns;
      position.turns(turns);
      for (const OpenTurn turn : turns)
        if (!(has_first && turn == first) && look(turn)) break;
    }
    if (effort_.ended()) return 0;
    if (!answers_it(left, asked)) left = best;  // all turns were looked at
    table_.note(key, left, chosen, effort_.nodes() - before);
    return left;
  }

 private:
  static bool answers_it(Outcomes set, Outcomes asked) {
    return std::has_single_bit(set) || (set & asked) == 0;
  }

  Outcomes after(const Position& position, OpenTurn turn, Outcomes wanted) {
    const Position::Next next = position.after(turn);
    if (next.ended) return outcome(next.seat, next.points);
    return seen_from(search(next.position, seen_from(wanted, next.seat)), (3 - next.seat) % 3);
  }

  // No seat wins with what it has not, and the mover has no less than its run.
  static Outcomes possible(const Position& position) {
    Outcomes out = 0;
    for (int s = 0; s < 3; ++s) {
      const Nibbles hand = position.hand[static_cast<std::size_t>(s)];
      for (std::uint32_t k = kinds_in(hand); k; k &= k - 1)
        out |= outcome(s, points_of_kind(std::countr_zero(k)));
      for (std::uint32_t k = pairs_in(hand); k; k &= k - 1)
        out |= outcome(s, 2 * points_of_kind(std::countr_zero(k)));
    }
    if (const int sure = position.run()) {
      const Outcomes least = outcome(0, sure);
      out &= least | better_than(least);
    }
    return out;
  }

  SolveTable table_;
  Effort& effort_;
};

}  // namespace kibitz::kami
