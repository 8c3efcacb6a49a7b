// A list with room for N values inside itself: legal moves are listed without allocation.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace kibitz {

template <class T, std::size_t N>
class SmallList {
 public:
  static constexpr std::size_t capacity() { return N; }

  // Precondition: size() < N. The bound is the game's max_moves, proven by its own tests.
  constexpr void push_back(T value) {
    assert(size_ < N);
    items_[size_++] = value;
  }
  constexpr void clear() { size_ = 0; }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T operator[](std::size_t i) const { return items_[i]; }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }

  constexpr bool contains(T value) const {
    for (T item : *this)
      if (item == value) return true;
    return false;
  }

 private:
  std::array<T, N> items_;  // only the first size_ are ever read
  std::size_t size_ = 0;
};

}  // namespace kibitz
