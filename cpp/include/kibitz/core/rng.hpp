// xoroshiro128++ (Blackman, Vigna 2019): two words of state, a handful of instructions a number.
//
// A stream is named by (seed, purpose, index) and nothing else: "deal" streams and "search"
// streams of the same seed have no state in common, so a search seeded like the deal knows no
// more than any other. Bounded numbers are exact (Lemire 2019) and own code: the standard
// library's distributions differ between vendors.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace kibitz {

// splitmix64's finaliser (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Rng {
 public:
  constexpr Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0) {
    std::uint64_t h = mix(seed);
    for (const char c : purpose) h = mix(h ^ static_cast<unsigned char>(c));
    h = mix(h ^ index);
    a_ = mix(h + 1);
    b_ = mix(h + 2) | 1;  // never both words zero
  }

  constexpr std::uint64_t next() {
    const std::uint64_t a = a_;
    std::uint64_t b = b_;
    const std::uint64_t out = rotate(a + b, 17) + a;
    b ^= a;
    a_ = rotate(a, 49) ^ b ^ (b << 21);
    b_ = rotate(b, 28);
    return out;
  }

  // Uniform in [0, bound), bound >= 1.
  constexpr std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
      const std::uint32_t floor = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < floor) product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform in [0, bound) for weights that outgrow 32 bits, bound >= 1.
  constexpr std::uint64_t below64(std::uint64_t bound) {
    if (bound <= 0xffffffffu) return below(static_cast<std::uint32_t>(bound));
    const std::uint64_t floor = (0u - bound) % bound;
    for (;;) {
      const std::uint64_t x = next();
      if (x >= floor) return x % bound;
    }
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }
  std::uint64_t a_ = 0;
  std::uint64_t b_ = 0;
};

// Fisher-Yates: every order equally likely.
template <class T>
constexpr void shuffle(T* items, std::uint32_t count, Rng& rng) {
  for (std::uint32_t i = count; i > 1; --i) {
    const std::uint32_t j = rng.below(i);
    const T swapped = items[i - 1];
    items[i - 1] = items[j];
    items[j] = swapped;
  }
}

}  // namespace kibitz
