// Connect Four: two seats drop discs into the columns of an upright board, 7 wide and 6 high, in
// turn. A disc falls onto those below. Four own discs in a row, column or diagonal win; a full
// board without such a line is a draw. Everything is public: a view is the state and the seat that
// looks at it.
//
// Source: docs/games/connect_four.md.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/connect_four/board.hpp>
#include <kibitz/games/connect_four/sheet.hpp>

namespace kibitz::connect_four {

// The one world that fits a view.
class Sampler {
 public:
  Sampler(const Rules&, const View& view) : world_(view) {}
  void draw(State& world, Rng&) const { world = world_; }

 private:
  State world_;
};

// What the advice looks at.
struct Eyes {
  int columns;
  Cells own, other;  // discs of the seat to move, and of the other
  Cells next;        // where a disc may come to lie
};

// Cells that no policy passes over: those that win, else those where the other seat would win.
constexpr Cells urgent(const Eyes& eyes) {
  const Cells wins = completing(eyes.own) & eyes.next;
  return wins ? wins : completing(eyes.other) & eyes.next;
}

// Win, else stop the other seat from winning, else no disc below a cell where the other seat would
// win, as near to the middle as can be.
constexpr Move advise(const Eyes& eyes) {
  Cells good = urgent(eyes);
  if (!good) good = eyes.next & ~(completing(eyes.other) >> 1);
  if (!good) good = eyes.next;
  int best = -1;
  const auto off = [&](int column) { return std::abs(2 * column + 1 - eyes.columns); };
  for (; good; good &= good - 1)
    if (best < 0 || off(column_of(good)) < off(best)) best = column_of(good);
  return drop_into(best);
}

// Win, else stop the other seat from winning, else any column (Teytaud, Teytaud 2010: decisive and
// anti-decisive moves).
constexpr Move hinted(const Eyes& eyes, Rng& rng) {
  Cells good = urgent(eyes);
  if (!good) good = eyes.next;
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(good))); skip > 0; --skip)
    good &= good - 1;
  return drop_into(column_of(good));
}

struct ConnectFour {
  using Rules = connect_four::Rules;
  using State = connect_four::State;
  using View = connect_four::View;
  using Sampler = connect_four::Sampler;
  using Eyes = connect_four::Eyes;
  using StateSheet = Sheet;
  using ViewSheet = Sheet;

  static constexpr std::string_view slug = "connect_four";
  static constexpr std::string_view title = "Connect Four";
  static constexpr std::string_view summary = "drop discs into columns in turn; four in a line win";
  static constexpr int version = 1;
  static constexpr bool open = true;
  static constexpr std::string_view grammar = "1 to 7, the column from the left";
  static constexpr std::size_t max_moves = most_columns;
  static constexpr bool cooperative = false;

  static std::vector<Option> options() {
    return {Option::integer("players", 2, 2, 2, "seats, each for itself; seat 0 begins"),
            Option::integer("columns", 4, most_columns, most_columns, "columns of the board"),
            Option::integer("rows", 4, most_rows, most_rows, "cells in a column")};
  }
  static Rules rules(const Choices& chosen) { return rules_of(chosen["columns"], chosen["rows"]); }
  static int seats(const Rules&) { return 2; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules& rules) { return rules.columns * rules.rows; }

  // Not asked for by the concept, for searches that know positions again: equal for equal positions
  // of the same board, and for no others. A column of height h adds 2^h - 1 for its discs and at
  // most as much for those of the mover: no other height or pattern comes to the same seven bits.
  static std::uint64_t key(const Rules&, const State& state) { return state.discs + state.mover; }

  static State blank(const Rules&) { return {}; }
  static State deal(const Rules&, Rng&) { return {}; }
  static Turn turn(const Rules&, const State& state) {
    return is_over(state) ? Turn::over() : Turn::of(seat_next(state));
  }
  static void moves(const Rules& rules, const State& state, MoveList<ConnectFour>& out) {
    out.clear();
    if (is_over(state)) return;
    for (std::uint32_t open = open_columns(rules, state.discs); open; open &= open - 1)
      out.push_back(drop_into(std::countr_zero(open)));
  }
  static Move pick(const Rules& rules, const State& state, Rng& rng) {
    return drop_into(pick_column(rules, state, rng));
  }
  template <class Each>
  static void outcomes(const Rules&, const State&, Each&&) {}
  static Move roll(const Rules&, const State&, Rng&) { return {}; }
  static void play(const Rules& rules, State& state, Move move) {
    drop(rules, state, static_cast<int>(move.code) - 1);
  }
  static int play_out(const Rules& rules, State& state, Rng& rng) {
    return play_to_end(rules, state, rng);
  }
  static Breach check(const Rules& rules, const State& state, Move move) {
    if (is_over(state)) return {"connect_four: turn", "the game is over"};
    if (move.code < 1 || move.code > static_cast<std::uint32_t>(rules.columns))
      return {"connect_four: columns",
              "the board has columns 1 to " + std::to_string(rules.columns)};
    if (!(open_columns(rules, state.discs) >> (move.code - 1) & 1))
      return {"connect_four: full", "that column is full"};
    return {};
  }
  static bool settled(const Rules&, const State& state) { return is_over(state); }
  static Worth worth(const Rules&, const State& state) {
    Worth worth{{0.5, 0.5}, {}};
    if (!has_four(last_mover(state))) return worth;
    const std::size_t loser = seat_next(state);
    worth.win[loser] = 0;
    worth.win[1 - loser] = 1;
    worth.margin[loser] = -1;
    worth.margin[1 - loser] = 1;
    return worth;
  }
  static void returns(const Rules& rules, const State& state, double* share) {
    const Worth known = worth(rules, state);
    for (std::size_t s = 0; s < 2; ++s) share[s] = known.win[s];
  }
  static int score(const Rules&, const State& state, int* count) {
    const Seat next = seat_next(state);
    count[next] = 0;
    count[1 - next] = has_four(last_mover(state));
    return 2;
  }

  static View view(const Rules&, const State& state, Seat seat) { return {state, seat}; }
  static Seat seat(const View& view) { return static_cast<Seat>(view.seat); }
  static void moves(const Rules& rules, const View& view, MoveList<ConnectFour>& out) {
    out.clear();
    if (view.seat == seat_next(view)) moves(rules, static_cast<const State&>(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (!is_over(view) && view.seat != seat_next(view))
      return {"connect_four: turn", "it is the other seat's turn"};
    return check(rules, static_cast<const State&>(view), move);
  }
  static Move seen(const Rules&, const State&, Move move, Seat) { return move; }
  static Move mask(const Rules&, const View&, Turn, Move move) { return move; }
  static Verdict observe(const Rules& rules, View& view, Turn turn, Move seen) {
    using enum Verdict::Kind;
    if (is_over(view) || turn != Turn::of(seat_next(view)))
      return {wrong_actor, {"connect_four: turn", "the seats move in turn until the game is over"}};
    if (Breach breach = check(rules, static_cast<const State&>(view), seen))
      return {illegal, std::move(breach)};
    play(rules, view, seen);
    return {};
  }

  static std::string to_text(Move move) {
    if (move.code < 1 || move.code > most_columns) return "?";
    return std::to_string(move.code);
  }
  static std::optional<Move> from_text(std::string_view text) {
    if (text.size() != 1 || text[0] < '1' || text[0] > '0' + most_columns) return std::nullopt;
    return drop_into(text[0] - '1');
  }
  static std::string draw(const Rules& rules, const State& state) {
    return draw_board(rules, state, 2);
  }
  static std::string draw(const Rules& rules, const View& view) {
    return draw_board(rules, view, seat(view));
  }
  static Sheet sheet(const Rules& rules, const State& state) { return sheet_of(rules, state); }
  static Breach read(const Rules& rules, const Sheet& sheet, State& out) {
    return read_board(rules, sheet, out);
  }
  static Breach read(const Rules& rules, const Sheet& sheet, Seat seat, View& out) {
    out.seat = seat;
    return read_board(rules, sheet, out);
  }

  static Eyes eyes(const Rules& rules, const State& state) {
    return {rules.columns, state.mover, last_mover(state),
            (state.discs + rules.floor) & rules.board};
  }
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) { return advise(eyes); }
  static Move hint(const Rules&, const Eyes& eyes, Rng& rng) { return hinted(eyes, rng); }
};

using game_type = ConnectFour;  // what the list of games picks up
static_assert(check_game<ConnectFour>());

}  // namespace kibitz::connect_four
