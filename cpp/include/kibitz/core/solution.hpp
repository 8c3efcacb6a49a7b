// What is known of a position with open hands once it is solved: what each seat can have, which
// moves keep it, and one line of best play.
//
// A game that can solve has
//
//     static constexpr std::string_view solves = "points";  // what its values count
//     static Solution solve(const Rules&, const State&, const SolveLimits&);
//
// where every seat sees all hands and plays for its own value (max^n; between two sides, minimax).
// A solution is exact, or it says that the limits ended it first: nothing is guessed.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/control.hpp>
#include <kibitz/core/game.hpp>
#include <kibitz/core/types.hpp>

namespace kibitz {

using SeatValues = std::array<std::int32_t, max_seats>;  // by seat, in the game's unit

struct SolveLimits {
  std::uint64_t nodes = 0;           // positions looked at, at most; 0: any number
  std::size_t bytes = 64u << 20;     // of tables, at most
  bool every_move = true;            // the value of each legal move; else of the best alone
  const Control* control = nullptr;  // ends it early

  bool stopped() const { return control != nullptr && control->stopped(); }
};

// A legal move and what each seat has after it.
struct SolvedMove {
  Move move{};
  SeatValues values{};
};

struct Solution {
  bool solved = false;                      // false: the limits ended it, and only `nodes` is meant
  SeatValues values{};                      // of the position
  std::vector<SolvedMove> moves;            // in legal order; empty where no decision is due
  std::vector<std::pair<Turn, Move>> line;  // best play from here to the end of what is solved
  std::uint64_t nodes = 0;                  // positions looked at
};

template <class G>
concept Solvable = requires(const typename G::Rules& rules, const typename G::State& state,
                            const SolveLimits& limits) {
  { G::solves } -> std::convertible_to<std::string_view>;
  { G::solve(rules, state, limits) } -> std::same_as<Solution>;
};

// What the values of a game's solutions count; empty where it offers none.
template <class G>
std::string solves() {
  if constexpr (Solvable<G>) return std::string(G::solves);
  return {};
}

}  // namespace kibitz
