// The small words everything else is written in: seats, moves, whose turn it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kibitz {

using Seat = std::uint8_t;  // 0-based, in turn order

inline constexpr int max_seats = 8;

// One decision or one chance outcome; what the bits mean is the game's affair.
// Code 0 is no move.
struct Move {
  std::uint32_t code = 0;
  friend constexpr bool operator==(Move, Move) = default;
};

// Who decides next: a seat, chance, or nobody because the game is over.
class Turn {
 public:
  static constexpr Turn of(Seat seat) { return Turn(static_cast<std::int8_t>(seat)); }
  static constexpr Turn chance() { return Turn(-1); }
  static constexpr Turn over() { return Turn(-2); }

  constexpr bool is_seat() const { return value_ >= 0; }
  constexpr bool is_chance() const { return value_ == -1; }
  constexpr bool is_over() const { return value_ == -2; }
  constexpr Seat seat() const { return static_cast<Seat>(value_); }
  constexpr int value() const { return value_; }  // seat, -1 chance, -2 over
  friend constexpr bool operator==(Turn, Turn) = default;

 private:
  explicit constexpr Turn(std::int8_t value) : value_(value) {}
  std::int8_t value_;
};

}  // namespace kibitz
