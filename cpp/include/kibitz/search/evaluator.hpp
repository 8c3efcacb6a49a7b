// Who judges positions for a search that plays nothing out: a neural network, say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <kibitz/core/types.hpp>

namespace kibitz {

inline constexpr std::uint32_t default_batch = 16;
inline constexpr std::uint32_t max_batch = 4096;

// A position to be judged, as the seat to move knows it: never the world it was met in.
struct Leaf {
  std::span<const std::byte> view;  // the bytes of that seat's View
  std::span<const Move> moves;      // its legal moves, in their order; at least one
  Seat mover;
  // To be filled in:
  std::span<float> priors;                  // one a move, at least 0, their sum 1
  std::array<double, max_seats> utility{};  // one a seat, 0..1
};

// Called once for many leaves, from the threads of a search, several at a time if there are several
// threads. What it throws ends that thread's share, and reaches the caller when the other threads
// have ended theirs: who cannot go on throws to all.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual void judge(std::span<Leaf> leaves) = 0;
};

}  // namespace kibitz
