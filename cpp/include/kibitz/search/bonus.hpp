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
    for (std::uint32_t n = 1; n < size; ++n) table_[n] = static_cast<float>(exact(n));
  }

  // ln n for n >= 1: exact to a float in the table, past it to 11 bits of the mantissa.
  float operator()(std::uint32_t n) const {
    if (n < size) [[likely]]
      return table_[n];
    const int shift = std::bit_width(n) - std::bit_width(size - 1);
    return static_cast<float>(shift) * static_cast<float>(ln2) + table_[n >> shift];
  }

 private:
  static constexpr std::uint32_t size = 2048;  // 8 kB: it stays in the nearest cache
  static constexpr double ln2 = 0.693147180559945309417;

  // ln n = e ln 2 + ln x with 1 <= x < 2, and ln x = 2 artanh((x - 1) / (x + 1)); 16 terms leave
  // less than 1e-15.
  static double exact(std::uint32_t n) {
    const int exponent = std::bit_width(n) - 1;
    const double x = static_cast<double>(n) / static_cast<double>(std::uint32_t{1} << exponent);
    const double y = (x - 1) / (x + 1);
    double power = y;
    double sum = 0;
    for (int k = 1; k < 32; k += 2) {
      sum += power / k;
      power *= y * y;
    }
    return exponent * ln2 + 2 * sum;
  }

  std::array<float, size> table_{};
};

inline const Logarithm natural_log;

// mean + c * sqrt(ln a / n), in units of utility. Precondition: n >= 1, a >= 1.
inline float selection_score(std::int64_t total, std::uint32_t n, std::uint32_t a, float c) {
  const float inverse = 1.0f / static_cast<float>(n);
  return static_cast<float>(total) * inverse + c * std::sqrt(natural_log(a) * inverse);
}

}  // namespace kibitz
