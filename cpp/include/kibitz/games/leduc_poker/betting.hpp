// A round of betting in Leduc poker: its decisions as one byte, and what each such line comes to.
#pragma once

#include <array>
#include <cstdint>

#include <kibitz/core/game.hpp>

namespace kibitz::leduc_poker {

inline constexpr std::array<int, 2> raise_size = {2, 4};  // chips, by round
inline constexpr int max_raises = 2;                      // in a round

inline constexpr Move fold{1};
inline constexpr Move call{2};
inline constexpr Move raise{3};

// What a line of betting has come to. A line is two bits a decision, their codes, the last one
// lowest; four decisions are the most: call raise raise call.
struct Betting {
  enum End : std::uint8_t { open, called, folded, impossible };
  End end = open;
  std::uint8_t decisions = 0;  // even: seat 0 is to move
  std::uint8_t raises = 0;

  constexpr Seat mover() const { return decisions & 1; }
  constexpr bool facing() const { return raises > 0; }  // while open: somebody has raised last
  constexpr Move first() const { return facing() ? fold : call; }
  constexpr Move last() const { return raises < max_raises ? raise : call; }
  constexpr std::uint32_t choices() const { return last().code - first().code + 1; }
};

// By line.
inline constexpr auto betting_table = [] {
  std::array<Betting, 256> table{};
  for (unsigned line = 1; line < 256; ++line) {
    Betting& now = table[line];
    now = table[line >> 2];
    const Move move{line & 3};
    if (now.end != Betting::open || move.code < now.first().code || move.code > now.last().code) {
      now.end = Betting::impossible;
      continue;
    }
    if (move == fold) now.end = Betting::folded;
    if (move == call && now.decisions > 0) now.end = Betting::called;
    now.raises = static_cast<std::uint8_t>(now.raises + (move == raise));
    ++now.decisions;
  }
  return table;
}();

}  // namespace kibitz::leduc_poker
