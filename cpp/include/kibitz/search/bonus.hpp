// The arithmetic of the selection formula, the same bits on every machine: division and square root
// are exact by IEEE 754, the logarithm is not, so it comes from an own table.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kibitz {

class Logarithm {
 public:
  Logarithm() {
    for (std::uint32_t i = 0; i < size; ++i)
      mantissa_[i] = static_cast<float>(log1(1.0 + static_cast<double>(i) / size));
  }

  // ln n for n >= 1: exact to a float below 512, else to 8 bits of the mantissa, an error below
  // 0.004. The table is small on purpose: it stays in the nearest cache.
  float operator()(std::uint32_t n) const {
    const int exponent = std::bit_width(n) - 1;
    const auto index = static_cast<std::uint32_t>(std::uint64_t{n} << 8 >> exponent) & (size - 1);
    return static_cast<float>(exponent) * 0.693147181f + mantissa_[index];
  }

 private:
  static constexpr std::uint32_t size = 256;

  // ln x for 1 <= x < 2, by ln x = 2 artanh((x - 1) / (x + 1)); 16 terms leave less than 1e-15.
  static double log1(double x) {
    const double y = (x - 1) / (x + 1);
    double power = y;
    double sum = 0;
    for (int k = 1; k < 32; k += 2) {
      sum += power / k;
      power *= y * y;
    }
    return 2 * sum;
  }

  std::array<float, size> mantissa_{};
};

inline const Logarithm natural_log;

// mean + c * sqrt(ln a / n), in units of utility. Precondition: n >= 1, a >= 1.
inline float selection_score(std::int64_t total, std::uint32_t n, std::uint32_t a, float c) {
  const float inverse = 1.0f / static_cast<float>(n);
  return static_cast<float>(total) * inverse + c * std::sqrt(natural_log(a) * inverse);
}

}  // namespace kibitz
