// Tic-tac-toe: two seats mark the cells of a 3x3 board in turn. Three own marks in a row, column
// or diagonal win; a full board without such a line is a draw. Everything is public: a view is the
// state and the seat that looks at it.
//
// Source: docs/games/tic_tac_toe.md.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>

namespace kibitz::tic_tac_toe {

// A set of cells, nine bits: a1 b1 c1 from bit 0, a2 b2 c2 from bit 3, a3 b3 c3 from bit 6.
using Cells = std::uint16_t;

inline constexpr int cells = 9;
inline constexpr Cells board = (1 << cells) - 1;
inline constexpr std::array<Cells, 8> lines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

// By set of cells: whether it holds a line.
inline constexpr auto has_line = [] {
  std::array<bool, board + 1> table{};
  for (unsigned set = 0; set <= board; ++set)
    for (const Cells line : lines) table[set] |= (set & line) == line;
  return table;
}();

// By set of cells: its cells in order, a nibble each. 4 kB for a pick without a loop.
inline constexpr auto cells_of = [] {
  std::array<std::uint64_t, board + 1> table{};
  for (unsigned set = 0; set <= board; ++set)
    for (unsigned cell = 0, n = 0; cell < cells; ++cell)
      if (set >> cell & 1) table[set] |= std::uint64_t{cell} << (4 * n++);
  return table;
}();

// The n-th cell of a set, from 0.
constexpr int nth_cell(Cells set, std::uint32_t n) {
  return static_cast<int>(cells_of[set] >> (4 * n) & 15);
}

struct Rules {};

// The whole truth.
struct State {
  std::array<Cells, 2> marks;  // by seat: seat 0 makes the first, x; seat 1 o
  friend bool operator==(const State&, const State&) = default;
};

struct View : State {
  std::uint16_t seat;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(State) == 4 && sizeof(View) == 6);

// A move is the cell to mark, 1 for a1 to 9 for c3. There are no outcomes.
constexpr Move mark_of(int cell) { return {static_cast<std::uint32_t>(cell) + 1}; }
constexpr Cells cell_of(Move move) { return static_cast<Cells>(1u << (move.code - 1)); }

constexpr Cells marked(const State& state) { return state.marks[0] | state.marks[1]; }
constexpr Cells empty_cells(const State& state) { return board & ~marked(state); }
// Seat 0 moves when as many cells are marked as by itself twice.
constexpr Seat seat_next(const State& state) {
  return static_cast<Seat>(std::popcount(marked(state)) & 1);
}
constexpr Turn turn_of(const State& state) {
  if (has_line[state.marks[0]] || has_line[state.marks[1]] || marked(state) == board)
    return Turn::over();
  return Turn::of(seat_next(state));
}

// What pick and play do one after the other, up to the end of the game; the number of plies.
inline int play_to_end(State& state, Rng& rng) {
  Seat seat = seat_next(state);
  Cells empty = empty_cells(state);
  auto left = static_cast<std::uint32_t>(std::popcount(empty));
  for (int plies = 1;; ++plies) {
    const auto cell = static_cast<Cells>(1u << nth_cell(empty, rng.below(left)));
    empty ^= cell;
    if (has_line[state.marks[seat] |= cell] || --left == 0) return plies;
    seat ^= 1;
  }
}

// The one world that fits a view.
class Sampler {
 public:
  Sampler(const Rules&, const View& view) : world_(view) {}
  void draw(State& world, Rng&) const { world = world_; }

 private:
  State world_;
};

// What the advice looks at: the marks of the seat to move, and of the other.
struct Eyes {
  Cells own, other;
  constexpr Cells empty() const { return board & ~(own | other); }
};

// The cells of `open` that would complete a line of `marks`.
constexpr Cells completing(Cells marks, Cells open) {
  Cells found = 0;
  for (Cells rest = open; rest; rest &= static_cast<Cells>(rest - 1)) {
    const auto cell = static_cast<Cells>(rest & -rest);
    if (has_line[marks | cell]) found |= cell;
  }
  return found;
}

// Cells that no policy passes over: those that win, else those where the other seat would win.
constexpr Cells urgent(const Eyes& eyes) {
  const Cells wins = completing(eyes.own, eyes.empty());
  return wins ? wins : completing(eyes.other, eyes.empty());
}

struct Sheet {
  std::vector<std::string> rows;

  template <class V>
  void fields(V&& v) {
    v("board", rows,
      "three rows of cells a to c, row 3 first: x seat 0, o seat 1, . empty; [] is the start");
  }
};

inline Sheet sheet_of(const State& state) {
  Sheet sheet{{3, "..."}};
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (std::size_t seat = 0; seat < 2; ++seat)
      if (state.marks[seat] >> cell & 1) sheet.rows[2 - cell / 3][cell % 3] = "xo"[seat];
  return sheet;
}

inline Breach read_board(const Sheet& sheet, State& out) {
  const auto bad = [](const char* why) { return Breach{"tic_tac_toe: position", why}; };
  State state{};
  if (!sheet.rows.empty() && sheet.rows.size() != 3)
    return bad("'board' has three rows, the uppermost first");
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
    if (sheet.rows[row].size() != 3) return bad("a row of 'board' has three cells");
    for (std::size_t column = 0; column < 3; ++column) {
      const char c = sheet.rows[row][column];
      if (c != 'x' && c != 'o' && c != '.') return bad("a cell of 'board' is x, o or .");
      if (c != '.') state.marks[c == 'o'] |= static_cast<Cells>(1u << (3 * (2 - row) + column));
    }
  }
  const int lead = std::popcount(state.marks[0]) - std::popcount(state.marks[1]);
  if (lead != 0 && lead != 1)
    return bad("seats mark in turn, seat 0 first: as many x as o, or one x more");
  if ((has_line[state.marks[0]] && lead == 0) || (has_line[state.marks[1]] && lead == 1))
    return bad("the game was over with a line, and yet the other seat has marked a cell");
  out = state;
  return {};
}

// The board, with a line that says how the game stands; `seat` is who looks at it, 2 for nobody.
inline std::string draw_board(const State& state, unsigned seat) {
  const auto name = [&](unsigned s) {
    return std::string(s == 0 ? "seat 0 (x" : "seat 1 (o") + (s == seat ? ", you)" : ")");
  };
  std::string out = "Tic-tac-toe, ";
  if (turn_of(state).is_seat())
    out += name(seat_next(state)) + " to move\n";
  else if (has_line[state.marks[0]] || has_line[state.marks[1]])
    out += name(has_line[state.marks[0]] ? 0 : 1) + " has won\n";
  else
    out += "a draw\n";
  const Sheet sheet = sheet_of(state);
  for (std::size_t row = 0; row < 3; ++row) {
    out += static_cast<char>('3' - row);
    out += ' ';
    for (const char c : sheet.rows[row]) out += {' ', c};
    out += '\n';
  }
  return out + "   a b c\n";
}

struct TicTacToe {
  using Rules = tic_tac_toe::Rules;
  using State = tic_tac_toe::State;
  using View = tic_tac_toe::View;
  using Sampler = tic_tac_toe::Sampler;
  using Eyes = tic_tac_toe::Eyes;
  using StateSheet = Sheet;
  using ViewSheet = Sheet;

  static constexpr std::string_view slug = "tic_tac_toe";
  static constexpr std::string_view title = "Tic-tac-toe";
  static constexpr std::string_view summary =
      "mark cells of a 3x3 board in turn; three in a line win";
  static constexpr int version = 1;
  static constexpr bool open = true;
  static constexpr std::string_view grammar =
      "a1 to c3, the cell to mark: column from the left, row from the bottom";
  static constexpr std::size_t max_moves = cells;
  static constexpr bool cooperative = false;

  static std::vector<Option> options() {
    return {Option::integer("players", 2, 2, 2, "seats, each for itself; seat 0 begins")};
  }
  static Rules rules(const Choices&) { return {}; }
  static int seats(const Rules&) { return 2; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules&) { return cells; }

  // Not asked for by the concept, for searches that know positions again: equal for equal positions
  // and for no others. Nine bits a seat; they tell the turn as well.
  static std::uint64_t key(const Rules&, const State& state) {
    return state.marks[0] | std::uint64_t{state.marks[1]} << cells;
  }

  static State blank(const Rules&) { return {}; }
  static State deal(const Rules&, Rng&) { return {}; }
  static Turn turn(const Rules&, const State& state) { return turn_of(state); }
  static void moves(const Rules&, const State& state, MoveList<TicTacToe>& out) {
    out.clear();
    if (turn_of(state).is_over()) return;
    for (unsigned rest = empty_cells(state); rest; rest &= rest - 1)
      out.push_back(mark_of(std::countr_zero(rest)));
  }
  static Move pick(const Rules&, const State& state, Rng& rng) {
    const Cells empty = empty_cells(state);
    return mark_of(nth_cell(empty, rng.below(static_cast<std::uint32_t>(std::popcount(empty)))));
  }
  template <class Each>
  static void outcomes(const Rules&, const State&, Each&&) {}
  static Move roll(const Rules&, const State&, Rng&) { return {}; }
  static void play(const Rules&, State& state, Move move) {
    state.marks[seat_next(state)] |= cell_of(move);
  }
  static int play_out(const Rules&, State& state, Rng& rng) { return play_to_end(state, rng); }
  static Breach check(const Rules&, const State& state, Move move) {
    if (turn_of(state).is_over()) return {"tic_tac_toe: turn", "the game is over"};
    if (move.code < 1 || move.code > cells)
      return {"tic_tac_toe: cells", "a move is one of the nine cells, a1 to c3"};
    if (marked(state) & cell_of(move))
      return {"tic_tac_toe: marked", "that cell is marked already, and a mark stays"};
    return {};
  }
  static bool settled(const Rules&, const State& state) { return turn_of(state).is_over(); }
  static Worth worth(const Rules& rules, const State& state) {
    Worth worth;
    returns(rules, state, worth.win.data());
    for (std::size_t s = 0; s < 2; ++s) worth.margin[s] = 2 * worth.win[s] - 1;
    return worth;
  }
  static void returns(const Rules&, const State& state, double* share) {
    for (std::size_t s = 0; s < 2; ++s)
      share[s] = 0.5 + 0.5 * (has_line[state.marks[s]] - has_line[state.marks[1 - s]]);
  }
  static int score(const Rules&, const State& state, int* count) {
    for (std::size_t s = 0; s < 2; ++s) count[s] = has_line[state.marks[s]];
    return 2;
  }

  static View view(const Rules&, const State& state, Seat seat) { return {state, seat}; }
  static Seat seat(const View& view) { return static_cast<Seat>(view.seat); }
  static void moves(const Rules& rules, const View& view, MoveList<TicTacToe>& out) {
    out.clear();
    if (turn_of(view) == Turn::of(seat(view))) moves(rules, static_cast<const State&>(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (turn_of(view) == Turn::of(1 - seat(view)))
      return {"tic_tac_toe: turn", "it is the other seat's turn"};
    return check(rules, static_cast<const State&>(view), move);
  }
  static Move seen(const Rules&, const State&, Move move, Seat) { return move; }
  static Move mask(const Rules&, const View&, Turn, Move move) { return move; }
  static Verdict observe(const Rules& rules, View& view, Turn turn, Move seen) {
    using enum Verdict::Kind;
    if (turn != turn_of(view) || turn.is_over())
      return {wrong_actor, {"tic_tac_toe: turn", "the seats mark in turn until the game is over"}};
    if (Breach breach = check(rules, static_cast<const State&>(view), seen))
      return {illegal, std::move(breach)};
    play(rules, view, seen);
    return {};
  }

  static std::string to_text(Move move) {
    if (move.code < 1 || move.code > cells) return "?";
    const auto cell = static_cast<char>(move.code - 1);
    return {static_cast<char>('a' + cell % 3), static_cast<char>('1' + cell / 3)};
  }
  static std::optional<Move> from_text(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '3')
      return std::nullopt;
    return mark_of(text[0] - 'a' + 3 * (text[1] - '1'));
  }
  static std::string draw(const Rules&, const State& state) { return draw_board(state, 2); }
  static std::string draw(const Rules&, const View& view) { return draw_board(view, view.seat); }
  static Sheet sheet(const Rules&, const State& state) { return sheet_of(state); }
  static Breach read(const Rules&, const Sheet& sheet, State& out) {
    return read_board(sheet, out);
  }
  static Breach read(const Rules&, const Sheet& sheet, Seat seat, View& out) {
    out.seat = seat;
    return read_board(sheet, out);
  }

  static Eyes eyes(const Rules&, const State& state) {
    const std::size_t seat = seat_next(state);
    return {state.marks[seat], state.marks[1 - seat]};
  }
  // Win, else stop the other seat from winning, else the centre, a corner, a side.
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) {
    const Cells first = urgent(eyes);
    for (const Cells wanted : {first, Cells{0020}, Cells{0505}, board})
      if (const unsigned good = wanted & eyes.empty()) return mark_of(std::countr_zero(good));
    return {};
  }
  // Win, else stop the other seat from winning, else any cell.
  static Move hint(const Rules&, const Eyes& eyes, Rng& rng) {
    const Cells first = urgent(eyes);
    const Cells good = first ? first : eyes.empty();
    return mark_of(nth_cell(good, rng.below(static_cast<std::uint32_t>(std::popcount(good)))));
  }
};

using game_type = TicTacToe;  // what the list of games picks up
static_assert(check_game<TicTacToe>());

}  // namespace kibitz::tic_tac_toe
