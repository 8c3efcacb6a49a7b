// The square roots and logarithms of the selection formula, from tables: the same bits on every
// machine (sqrt is exact by IEEE 754; log is not, so it is an own series), and a few loads instead
// of two dozen cycles an edge.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kibitz {

class BonusTables {
 public:
  static constexpr std::uint32_t size = 4096;

  BonusTables() {
    for (std::uint32_t i = 1; i < size; ++i) {
      inverse_[i] = 1.0f / static_cast<float>(i);
      inverse_sqrt_[i] = static_cast<float>(1.0 / std::sqrt(static_cast<double>(i)));
      log_[i] = natural_log(1.0 + static_cast<double>(i) / size);
      sqrt_log_[i] = static_cast<float>(std::sqrt(log_of(i)));
    }
  }

  float inverse(std::uint32_t n) const {
    return n < size ? inverse_[n] : 1.0f / static_cast<float>(n);
  }
  float inverse_sqrt(std::uint32_t n) const {
    return n < size ? inverse_sqrt_[n]
                    : static_cast<float>(1.0 / std::sqrt(static_cast<double>(n)));
  }
  float sqrt_log(std::uint32_t n) const {
    return n < size ? sqrt_log_[n] : static_cast<float>(std::sqrt(log_of(n)));
  }

 private:
  static constexpr double ln2 = 0.693147180559945309417;

  // ln x for 1 <= x < 2, by ln x = 2 artanh((x - 1) / (x + 1)); 16 terms leave less than 1e-16.
  static double natural_log(double x) {
    const double y = (x - 1) / (x + 1);
    double power = y;
    double sum = 0;
    for (int k = 1; k < 32; k += 2) {
      sum += power / k;
      power *= y * y;
    }
    return 2 * sum;
  }

  // ln n to 12 bits of its mantissa.
  double log_of(std::uint32_t n) const {
    const int exponent = std::bit_width(n) - 1;
    const std::uint64_t mantissa = (static_cast<std::uint64_t>(n) << 12 >> exponent) & (size - 1);
    if (exponent <= 12 && n < size)
      return exponent * ln2 + natural_log(static_cast<double>(n) / (1u << exponent));
    return exponent * ln2 + log_[mantissa];
  }

  std::array<float, size> inverse_{};
  std::array<float, size> inverse_sqrt_{};
  std::array<float, size> sqrt_log_{};
  std::array<double, size> log_{};
};

inline const BonusTables bonus_tables;

}  // namespace kibitz
