// How long work is ended early.
#pragma once

#include <atomic>

namespace kibitz {

// Shared by long work and whoever may want to end it early.
struct Control {
  std::atomic<bool> stop{false};
  const Control* outer = nullptr;  // ends this one too

  bool stopped() const {
    return stop.load(std::memory_order_relaxed) || (outer && outer->stopped());
  }
};

}  // namespace kibitz
