// Positions as plain fields: written, read with every check, drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/connect_four/board.hpp>

namespace kibitz::connect_four {

struct Sheet {
  std::vector<std::string> rows;

  template <class V>
  void fields(V&& v) {
    v("board", rows,
      "rows of the board, the uppermost first: x seat 0, o seat 1, . empty; [] is the start");
  }
};

constexpr Cells cell_at(int column, int row) { return Cells{1} << (stride * column + row); }

inline Sheet sheet_of(const Rules& rules, const State& state) {
  Sheet sheet;
  const Cells crosses = seat_next(state) == 0 ? state.mover : last_mover(state);
  for (int row = rules.rows; row-- > 0;) {
    std::string line;
    for (int column = 0; column < rules.columns; ++column) {
      const Cells cell = cell_at(column, row);
      line += crosses & cell ? 'x' : state.discs & cell ? 'o' : '.';
    }
    sheet.rows.push_back(line);
  }
  return sheet;
}

// Whether play leads to a board: takes discs back, one of the seat that moved last at a time, until
// none is left. What is left below is told by the heights alone; heights that led nowhere are kept,
// one of 7^7 bits each. Needed once a position from outside.
class TakeBack {
 public:
  static bool to_start(Cells discs, Cells mover) {
    std::uint32_t heights = 0;
    for (int column = 0; column < most_columns; ++column)
      heights +=
          place[column] * static_cast<std::uint32_t>(std::popcount(discs & column_cells(column)));
    return TakeBack().back(discs, mover, heights);
  }

 private:
  static constexpr std::uint32_t place[] = {1, 7, 49, 343, 2401, 16807, 117649, 823543};

  bool back(Cells discs, Cells mover, std::uint32_t heights) {
    if (discs == 0) return true;
    if (dead_[heights]) return false;
    const Cells last = discs ^ mover;
    for (int column = 0; column < most_columns; ++column) {
      const Cells cell = std::bit_floor(discs & column_cells(column));  // the uppermost disc
      if (!(cell & last)) continue;
      // Nobody had four before the last move.
      if (!has_four(last ^ cell) && back(discs ^ cell, last ^ cell, heights - place[column]))
        return true;
    }
    dead_[heights] = true;
    return false;
  }

  std::vector<bool> dead_ = std::vector<bool>(place[most_columns]);
};

inline Breach read_board(const Rules& rules, const Sheet& sheet, State& out) {
  const auto bad = [](std::string why) { return Breach{"connect_four: position", std::move(why)}; };
  if (sheet.rows.empty()) return out = {}, Breach{};
  Cells discs[2] = {};
  if (sheet.rows.size() != static_cast<std::size_t>(rules.rows))
    return bad("'board' has " + std::to_string(rules.rows) + " rows, the uppermost first");
  for (int row = 0; row < rules.rows; ++row) {
    const std::string& line = sheet.rows[static_cast<std::size_t>(rules.rows - 1 - row)];
    if (line.size() != static_cast<std::size_t>(rules.columns))
      return bad("a row of 'board' has " + std::to_string(rules.columns) + " cells");
    for (int column = 0; column < rules.columns; ++column) {
      const char c = line[static_cast<std::size_t>(column)];
      if (c != 'x' && c != 'o' && c != '.') return bad("a cell of 'board' is x, o or .");
      if (c == '.') continue;
      if (row > 0 && !((discs[0] | discs[1]) & cell_at(column, row - 1)))
        return bad("a disc in column " + std::to_string(column + 1) +
                   " hangs in the air: discs fall onto those below");
      discs[c == 'o'] |= cell_at(column, row);
    }
  }
  const int lead = std::popcount(discs[0]) - std::popcount(discs[1]);
  if (lead != 0 && lead != 1)
    return bad("seats move in turn, seat 0 first: there are as many x as o, or one x more");
  const Cells mover = discs[lead];
  const Cells last = discs[1 - lead];
  if (has_four(mover))
    return bad("the game was over with four in a line, and yet the other seat has moved");
  if (!TakeBack::to_start(discs[0] | discs[1], mover))
    return bad("no order of moves leads to this board with the seats moving in turn");
  out = {discs[0] | discs[1], mover};
  if (has_four(last) || out.discs == rules.board) out.discs |= over_bit;
  return {};
}

// The board, with a line that says how the game stands; `seat` is who looks at it, 2 for nobody.
inline std::string draw_board(const Rules& rules, const State& state, unsigned seat) {
  const auto name = [&](unsigned s) {
    return std::string(s == 0 ? "seat 0 (x" : "seat 1 (o") + (s == seat ? ", you)" : ")");
  };
  std::string out = "Connect Four, ";
  if (!is_over(state))
    out += name(seat_next(state)) + " to move\n";
  else
    out += has_four(last_mover(state)) ? name(1u - seat_next(state)) + " has won\n" : "a draw\n";
  for (const std::string& line : sheet_of(rules, state).rows) {
    for (const char c : line) out += {' ', c};
    out += '\n';
  }
  for (int column = 1; column <= rules.columns; ++column) out += " " + std::to_string(column);
  return out + "\n";
}

}  // namespace kibitz::connect_four
