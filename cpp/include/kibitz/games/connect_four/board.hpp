// The board as bits: column after column, seven bits each, from the bottom up. The seventh bit of a
// column stays empty, so that no line runs from the top of one column into the next:
//
//      6 13 20 27 34 41 48    always empty
//      5 12 19 26 33 40 47    row 6
//      .  .  .  .  .  .  .
//      0  7 14 21 28 35 42    row 1
//
// Smaller boards do without the upper rows and the right-hand columns. Then a four is a set of bits
// one step apart: 1 upright, 7 level, 6 and 8 aslant.
#pragma once

#include <bit>
#include <cstdint>

#include <kibitz/core/counts.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/core/types.hpp>

namespace kibitz::connect_four {

using Cells = std::uint64_t;  // a set of cells

inline constexpr int most_columns = 7;
inline constexpr int most_rows = 6;
inline constexpr int stride = most_rows + 1;  // bits a column

// The lowest cell of each of so many columns.
constexpr Cells floor_of(int columns) {
  Cells cells = 0;
  for (int c = 0; c < columns; ++c) cells |= Cells{1} << (stride * c);
  return cells;
}

struct Rules {
  int columns = most_columns;
  int rows = most_rows;
  Cells floor = floor_of(most_columns);          // the lowest row
  Cells top = floor << (most_rows - 1);          // the uppermost row
  Cells board = floor * ((1 << most_rows) - 1);  // all cells
};

constexpr Rules rules_of(int columns, int rows) {
  const Cells floor = floor_of(columns);
  return {columns, rows, floor, floor << (rows - 1), floor * ((Cells{1} << rows) - 1)};
}

// Bit 63 of State::discs is set once the game is over, so that nobody has to look for a four twice.
inline constexpr Cells over_bit = Cells{1} << 63;

// The whole truth. The number of discs tells whose turn it is.
struct State {
  Cells discs;  // of both seats; bit 63: the game is over
  Cells mover;  // those of the seat to move; at the end of the seat that did not move last
  friend bool operator==(const State&, const State&) = default;
};

struct View : State {
  std::uint64_t seat;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(State) == 16 && sizeof(View) == 24);

constexpr bool is_over(const State& state) { return state.discs & over_bit; }

// The seat whose turn it is, or would be if the game were not over.
constexpr Seat seat_next(const State& state) {
  return static_cast<Seat>(std::popcount(state.discs & ~over_bit) & 1);
}

// The discs of the seat that moved last.
constexpr Cells last_mover(const State& state) { return (state.discs & ~over_bit) ^ state.mover; }

constexpr bool has_four(Cells discs) {
  Cells found = 0;
  for (const int step : {1, 6, 7, 8}) {
    const Cells pairs = discs & discs >> step;
    found |= pairs & pairs >> 2 * step;
  }
  return found != 0;
}

// The cells, taken or not, that would make four together with these discs. Some lie off the board.
constexpr Cells completing(Cells discs) {
  Cells found = discs << 1 & discs << 2 & discs << 3;
  for (const int step : {6, 7, 8}) {
    const Cells below = discs << step & discs << 2 * step;
    const Cells above = discs >> step & discs >> 2 * step;
    found |= below & (discs << 3 * step | discs >> step);
    found |= above & (discs >> 3 * step | discs << step);
  }
  return found;
}

constexpr Cells column_cells(int column) {
  return Cells{(1 << most_rows) - 1} << (stride * column);
}
constexpr int column_of(Cells cell) { return std::countr_zero(cell) / stride; }

// Where a disc comes to lie. Precondition: the column is open.
constexpr Cells landing(Cells discs, int column) {
  return (discs + (Cells{1} << (stride * column))) & column_cells(column);
}

// The columns that are not full as bits 0 to 6. The top row's bits, moved down to 0, 7, 14, ...,
// are gathered at 42, 43, 44, ... by one multiplication: 7a + 6b is different for every pair of
// a and b up to 6, so nothing carries.
constexpr std::uint32_t open_columns(const Rules& rules, Cells discs) {
  constexpr Cells gather = [] {
    Cells factor = 0;
    for (int b = 0; b < most_columns; ++b) factor |= Cells{1} << (6 * b + 6);
    return factor;
  }();
  const Cells open = (~discs & rules.top) >> (rules.rows - 1);
  return static_cast<std::uint32_t>(open * gather >> 42) & 0x7f;
}

// A move is the column, from 1. There are no outcomes.
constexpr Move drop_into(int column) { return {static_cast<std::uint32_t>(column) + 1}; }

// Precondition: the game goes on and the column is open.
constexpr void drop(const Rules& rules, State& state, int column) {
  const Cells cell = landing(state.discs, column);
  const Cells own = state.mover | cell;
  state.mover ^= state.discs;
  state.discs |= cell;
  if (has_four(own) || state.discs == rules.board) state.discs |= over_bit;
}

constexpr int pick_column(const Rules& rules, const State& state, Rng& rng) {
  const std::uint32_t open = open_columns(rules, state.discs);
  return nth_bit(open, rng.below(static_cast<std::uint32_t>(std::popcount(open))));
}

// What pick_column and drop do one after the other, up to the end of the game, with the open
// columns kept up instead of gathered every ply; the number of plies. Precondition: not over.
inline int play_to_end(const Rules& rules, State& state, Rng& stream) {
  Rng rng = stream;  // kept in registers
  Cells discs = state.discs;
  Cells mover = state.mover;
  std::uint32_t open = open_columns(rules, discs);
  auto count = static_cast<std::uint32_t>(std::popcount(open));
  int plies = 0;
  while (count > 0) {
    const int column = nth_bit(open, rng.below(count));
    const Cells cell = landing(discs, column);
    const Cells own = mover | cell;
    mover ^= discs;
    discs |= cell;
    ++plies;
    if (has_four(own)) break;
    if (cell & rules.top) [[unlikely]] {
      open ^= 1u << column;
      --count;
    }
  }
  state = {discs | over_bit, mover};
  stream = rng;
  return plies;
}

}  // namespace kibitz::connect_four
