// Sets of up to 64 things as one word.
#pragma once

#include <bit>
#include <cstdint>

#include <kibitz/core/counts.hpp>

namespace kibitz {

// Position of the n-th set bit, counted from 0. Precondition: n < popcount(set). Byte sums find the
// byte, a 2 kB table the bit within it: the x86-64-v2 baseline has no pdep.
constexpr int nth_bit64(std::uint64_t set, std::uint32_t n) {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  std::uint64_t sums = set - ((set >> 1) & 0x5555555555555555u);
  sums = (sums & 0x3333333333333333u) + ((sums >> 2) & 0x3333333333333333u);
  sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * ones;  // byte i: bits in bytes 0 to i
  // A byte's top bit stays set where its sum is at most n: as many as bytes lie wholly before.
  const std::uint64_t before = (((n * ones) | 0x8080808080808080u) - sums) & 0x8080808080808080u;
  const int byte = std::popcount(before) * 8;
  const auto skipped = static_cast<std::uint32_t>((sums << 8) >> byte) & 0xff;
  return byte + nth_bit(static_cast<std::uint32_t>(set >> byte) & 0xff, n - skipped);
}

}  // namespace kibitz
