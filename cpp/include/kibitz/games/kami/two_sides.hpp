// Open hands between two sides: alpha-beta (Knuth and Moore 1975) in negamax form with a table of
// bounds, asked in windows of width one (MTD(f): Plaat, Schaeffer, Pijls, de Bruin 1996).
#pragma once

#include <algorithm>
#include <cstdint>

#include <kibitz/games/kami/effort.hpp>
#include <kibitz/games/kami/open_ring.hpp>
#include <kibitz/games/kami/solve_table.hpp>

namespace kibitz::kami {

template <class Position>
class TwoSides {
 public:
  TwoSides(std::size_t bytes, Effort& effort) : table_(bytes), effort_(effort) {}

  // What is known of a position without search.
  Between known(const Position& position) const {
    Between out = position.bounds();
    if (const auto* entry = table_.find(position.key())) narrow(out, entry->known);
    return out;
  }

  // A bound of the value for the side to move that answers whether it is `beta` or more: at least
  // beta, and the value is no less; or less, and the value is no more. Meaningless once the
  // limits are reached.
  int test(const Position& position, int beta) {
    if (!effort_.spend()) return 0;
    Between bounds = position.bounds();
    if (bounds.low >= beta) return bounds.low;
    if (bounds.high < beta) return bounds.high;
    const OpenKey key = position.key();
    OpenTurn first = open_pass;
    bool has_first = false;
    if (const auto* entry = table_.find(key)) {
      narrow(bounds, entry->known);
      if (bounds.low >= beta) return bounds.low;
      if (bounds.high < beta) return bounds.high;
      first = entry->turn;
      has_first = true;
    }
    const std::uint64_t before = effort_.nodes();
    int best = -max_points - 1;
    OpenTurn chosen = open_pass;
    const auto look = [&](OpenTurn turn) {
      const int value = value_after(position, turn, beta);
      if (value > best) {
        best = value;
        chosen = turn;
      }
      return best >= beta || effort_.ended();
    };
    if (!(has_first && look(first))) {
      typename Position::Turns turns;
      position.turns(turns);
      for (const OpenTurn turn : turns)
        if (!(has_first && turn == first) && look(turn)) break;
    }
    if (effort_.ended()) return 0;
    // All turns together are the position's value: the best bound is a bound of it, from below if
    // one turn reaches beta, from above if none does.
    if (best >= beta)
      bounds.low = std::max(bounds.low, best);
    else
      bounds.high = std::min(bounds.high, best);
    table_.note(key, packed(bounds), chosen, effort_.nodes() - before);
    return best;
  }

 private:
  int value_after(const Position& position, OpenTurn turn, int beta) {
    const typename Position::Next next = position.after(turn);
    const bool ours = Position::same_side(next.seat);
    if (next.ended) return ours ? next.points : -next.points;
    return ours ? test(next.position, beta) : -test(next.position, 1 - beta);
  }

  static std::uint32_t packed(Between bounds) {
    return static_cast<std::uint32_t>(bounds.low + 64) |
           static_cast<std::uint32_t>(bounds.high + 64) << 8;
  }
  static void narrow(Between& bounds, std::uint32_t known) {
    bounds.low = std::max(bounds.low, static_cast<int>(known & 255) - 64);
    bounds.high = std::min(bounds.high, static_cast<int>(known >> 8 & 255) - 64);
  }

  SolveTable table_;
  Effort& effort_;
};

}  // namespace kibitz::kami
