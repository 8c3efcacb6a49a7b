// How far a solver may go.
#pragma once

#include <cstdint>

#include <kibitz/core/solution.hpp>

namespace kibitz::kami {

// Positions looked at, and whether the limits allow more.
class Effort {
 public:
  explicit Effort(const SolveLimits& limits) : limits_(limits) {}

  // One more; false where the limits allow none.
  bool spend() {
    if (limits_.nodes && nodes_ == limits_.nodes) ended_ = true;
    if (ended_) return false;
    ++nodes_;
    if (nodes_ % 1024 == 0 && limits_.stopped()) ended_ = true;
    return !ended_;
  }
  bool ended() const { return ended_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  const SolveLimits& limits_;
  std::uint64_t nodes_ = 0;
  bool ended_ = false;
};

}  // namespace kibitz::kami
