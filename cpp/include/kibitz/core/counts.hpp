// A hand of up to eight kinds of card as eight byte lanes of one word: equal cards are one
// kind, so a hand has no order that could leak, and adding or taking a card is one addition.
//
//     bit 63      56 55       8 7      0
//     | kind 7     | ...       | kind 0 |      each lane 0..127
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kibitz {

class Counts {
 public:
  constexpr Counts() = default;
  constexpr explicit Counts(std::uint64_t lanes) : lanes_(lanes) {}

  static constexpr Counts one(int kind) { return Counts(std::uint64_t{1} << (8 * kind)); }

  constexpr int operator[](int kind) const {
    return static_cast<int>((lanes_ >> (8 * kind)) & 0xff);
  }
  constexpr void add(int kind) { lanes_ += std::uint64_t{1} << (8 * kind); }
  constexpr void take(int kind) { lanes_ -= std::uint64_t{1} << (8 * kind); }

  // Total of all lanes, at most 255.
  constexpr int size() const { return static_cast<int>((lanes_ * 0x0101010101010101u) >> 56); }
  constexpr bool empty() const { return lanes_ == 0; }

  // Bit k is set when kind k is held: each lane's carry into its top bit, gathered by one
  // multiplication.
  constexpr std::uint32_t kinds() const {
    const std::uint64_t held = (lanes_ + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
    return static_cast<std::uint32_t>((held * 0x0002040810204081u) >> 56);
  }

  constexpr std::uint64_t lanes() const { return lanes_; }

  friend constexpr Counts operator+(Counts a, Counts b) { return Counts(a.lanes_ + b.lanes_); }
  friend constexpr Counts operator-(Counts a, Counts b) { return Counts(a.lanes_ - b.lanes_); }
  friend constexpr bool operator==(Counts, Counts) = default;

 private:
  std::uint64_t lanes_ = 0;
};

namespace detail {
inline constexpr auto nth_bit_table = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned n = 0;
    for (unsigned bit = 0; bit < 8; ++bit)
      if (mask >> bit & 1) table[mask][n++] = static_cast<std::uint8_t>(bit);
  }
  return table;
}();
}  // namespace detail

// Position of the n-th set bit of an eight-bit mask, counted from 0. A 2 kB table: the
// x86-64-v2 baseline has no pdep.
constexpr int nth_bit(std::uint32_t mask, std::uint32_t n) {
  return detail::nth_bit_table[mask][n];
}

}  // namespace kibitz
