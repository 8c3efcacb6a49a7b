// A round with open hands as the solver asks about it: between the game's own State, which the
// first plies are played in, and the searches, which know fused turns only.
#pragma once

#include <algorithm>
#include <cstdint>

#include <kibitz/core/small_list.hpp>
#include <kibitz/core/solution.hpp>
#include <kibitz/games/kami/chance.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/effort.hpp>
#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/open_ring.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/three_seats.hpp>
#include <kibitz/games/kami/two_sides.hpp>

namespace kibitz::kami {

using OpenMoves = SmallList<Move, max_list>;

inline OpenMoves moves_of(const Rules& rules, const State& state) {
  OpenMoves out;
  list_moves(rules, state.board, state.hand[state.board.to_move], out);
  return out;
}

inline State played(const Rules& rules, const State& state, Move move) {
  State next = state;
  play_move(rules, next, move);
  return next;
}

// What has one result only: a mercenary turned up, a seat that may not ask for a redeal.
constexpr bool is_forced(const Board& board) {
  return board.phase == Phase::turn_up || board.phase == Phase::ask;
}
inline Move forced_move(const State& state) {
  return state.board.phase == Phase::turn_up ? turn_up_outcome(state) : no_move;
}

// Two players, or four as two sides. Values are points of the side of seat 0 less the other's.
template <class Position>
class SidesRound {
 public:
  using Value = int;

  SidesRound(const Rules& rules, std::size_t bytes, Effort& effort)
      : rules_(rules), effort_(effort), sides_(bytes, effort) {}

  // From windows that close in on it, beginning with a guess.
  int value(const State& state, int guess) {
    Between bounds{-max_points, max_points};
    int bound = guess;
    while (bounds.low < bounds.high && !effort_.ended()) {
      const int beta = bound == bounds.low ? bound + 1 : bound;
      bound = test(state, beta);
      if (bound < beta)
        bounds.high = bound;
      else
        bounds.low = bound;
    }
    return bounds.low;
  }

  int value(const State& state) { return value(state, 0); }

  SeatValues by_seat(int value) const {
    SeatValues out{};
    for (int s = 0; s < rules_.players; ++s)
      out[static_cast<std::size_t>(s)] = Position::same_side(s) ? value : -value;
    return out;
  }

  // Whether the position gives this seat no less than the value.
  bool is_known_to_keep(const State& state, Seat seat, int value) const {
    const Between bounds = known(state);
    return Position::same_side(seat) ? bounds.low >= value : bounds.high <= value;
  }
  bool keeps(const State& state, Seat seat, int value) {
    return Position::same_side(seat) ? test(state, value) >= value
                                     : test(state, value + 1) <= value;
  }

 private:
  // What the searches know, for a position in which a turn begins.
  struct Root {
    typename Position::Next next;
    bool first;  // seat 0's side is to move there

    explicit Root(const State& state) : next(Position::of(state).settle(0)) {
      first = Position::same_side(state.board.to_move) == Position::same_side(next.seat);
    }
    int points() const { return first ? next.points : -next.points; }
  };

  int at_end(const Board& board) const {
    const int points = is_void(board) ? 0 : round_points(rules_, board);
    return Position::same_side(board.owner) ? points : -points;
  }

  // A bound of the value that answers whether it is `beta` or more, as of TwoSides::test.
  int test(const State& state, int beta) {
    const Board& board = state.board;
    if (is_settled(board)) return at_end(board);
    if (is_forced(board)) return test(played(rules_, state, forced_move(state)), beta);
    if (board.phase == Phase::attack) {
      const bool first = Position::same_side(board.to_move);
      int best = first ? -max_points - 1 : max_points + 1;
      for (const Move move : moves_of(rules_, state)) {
        const int value = test(played(rules_, state, move), beta);
        best = first ? std::max(best, value) : std::min(best, value);
        if (first == (best >= beta)) break;
      }
      return best;
    }
    const Root root(state);
    if (root.next.ended) return root.points();
    return root.first ? sides_.test(root.next.position, beta)
                      : -sides_.test(root.next.position, 1 - beta);
  }

  // The same without search.
  Between known(const State& state) const {
    const Board& board = state.board;
    if (is_settled(board)) return {at_end(board), at_end(board)};
    if (is_forced(board)) return known(played(rules_, state, forced_move(state)));
    if (board.phase == Phase::attack) {
      const bool first = Position::same_side(board.to_move);
      const int worst = first ? -max_points : max_points;
      Between out{worst, worst};
      for (const Move move : moves_of(rules_, state)) {
        const Between one = known(played(rules_, state, move));
        out.low = first ? std::max(out.low, one.low) : std::min(out.low, one.low);
        out.high = first ? std::max(out.high, one.high) : std::min(out.high, one.high);
      }
      return out;
    }
    const Root root(state);
    if (root.next.ended) return {root.points(), root.points()};
    const Between found = sides_.known(root.next.position);
    return root.first ? found : Between{-found.high, -found.low};
  }

  const Rules& rules_;
  Effort& effort_;
  TwoSides<Position> sides_;
};

// Three players. A value is an outcome, counted from seat 0.
class SeatsRound {
 public:
  using Value = Outcomes;

  SeatsRound(const Rules& rules, std::size_t bytes, Effort& effort)
      : rules_(rules), effort_(effort), seats_(bytes, effort) {}

  Outcomes value(const State& state) { return search(state, all_outcomes); }
  Outcomes value(const State& state, Outcomes) { return value(state); }

  SeatValues by_seat(Outcomes one) const {
    SeatValues out{};
    for (int s = 0; s < 3; ++s)
      out[static_cast<std::size_t>(s)] = s == winner_of(one) ? points_of(one) : -points_of(one);
    return out;
  }

  // Whether the position comes to what this seat, for which nothing better is to be had, has.
  bool is_known_to_keep(const State& state, Seat, Outcomes one) const {
    return known(state) == one;
  }
  bool keeps(const State& state, Seat, Outcomes one) { return search(state, one) == one; }

 private:
  static constexpr Outcomes from_seat(Outcomes set, int seat) {
    return seen_from(set, (3 - seat) % 3);
  }

  // For a position in which a turn begins.
  struct Root {
    ThreeSeats::Position::Next next;
    int seat;  // to move there

    explicit Root(const State& state)
        : next(ThreeSeats::Position::of(state).settle(0)),
          seat((state.board.to_move + next.seat) % 3) {}
  };

  // As ThreeSeats::search.
  Outcomes search(const State& state, Outcomes asked) {
    const Board& board = state.board;
    if (effort_.ended()) return 0;
    if (is_settled(board)) return outcome(board.owner, round_points(rules_, board));
    if (board.phase == Phase::attack) {
      const int mover = board.to_move;
      Outcomes best = 0;
      for (const Move move : moves_of(rules_, state)) {
        const Outcomes wanted =
            best ? from_seat(better_than(seen_from(best, mover)), mover) : all_outcomes;
        const Outcomes found = search(played(rules_, state, move), wanted);
        if (effort_.ended()) return 0;
        if (found & wanted) best = found;
      }
      return best;
    }
    const Root root(state);
    if (root.next.ended) return outcome(root.seat, root.next.points);
    return from_seat(seats_.search(root.next.position, seen_from(asked, root.seat)), root.seat);
  }

  // A set with the true outcome in it, without search.
  Outcomes known(const State& state) const {
    const Board& board = state.board;
    if (is_settled(board)) return outcome(board.owner, round_points(rules_, board));
    if (board.phase == Phase::attack) {
      const int mover = board.to_move;
      // The best of one outcome each: no worse than the worst of any, and one of them all.
      Outcomes some = 0;
      Outcomes left = all_outcomes;
      for (const Move move : moves_of(rules_, state)) {
        const Outcomes one = seen_from(known(played(rules_, state, move)), mover);
        some |= one;
        Outcomes least = 0;
        for (Outcomes rest = one; rest; rest &= rest - 1) {
          const Outcomes each = rest & (~rest + 1);
          least |= each | better_than(each);
        }
        left &= least;
      }
      return from_seat(left & some, mover);
    }
    const Root root(state);
    if (root.next.ended) return outcome(root.seat, root.next.points);
    return from_seat(seats_.known(root.next.position), root.seat);
  }

  const Rules& rules_;
  Effort& effort_;
  ThreeSeats seats_;
};

}  // namespace kibitz::kami
