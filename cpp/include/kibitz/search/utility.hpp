// What a seat maximises, as whole numbers of 1/840: integer sums make a result independent of the
// order of additions, so every machine and every thread count gives the same one. 840 is divisible
// by 2 to 8: shared wins are exact.
#pragma once

#include <array>
#include <cstdint>

#include <kibitz/core/game.hpp>
#include <kibitz/search/request.hpp>

namespace kibitz {

inline constexpr int utility_unit = 840;
inline constexpr double margin_weight = 0.05;  // of "win+margin": enough to keep play purposeful

using Utilities = std::array<std::int32_t, max_seats>;

// What is at stake: how far the better outcomes that a search met lie above the worse ones on
// average. Better and worse are told apart by the running mean, so a sure win and an even game
// between the same two outcomes have the same stake.
class Stake {
 public:
  constexpr void add(std::int32_t u) {
    const bool above =
        static_cast<std::int64_t>(u) * static_cast<std::int64_t>(count_[0] + count_[1]) >=
        total_[0] + total_[1];
    total_[above] += u;
    ++count_[above];
  }
  constexpr void merge(const Stake& other) {
    for (std::size_t side = 0; side < 2; ++side) {
      total_[side] += other.total_[side];
      count_[side] += other.count_[side];
    }
  }
  constexpr bool known() const { return count_[0] > 0 && count_[1] > 0; }
  // Mean utility of the worse (0) or better (1) outcomes. Precondition: known().
  constexpr double mean(std::size_t side) const {
    return static_cast<double>(total_[side]) / static_cast<double>(count_[side]) / utility_unit;
  }

 private:
  std::array<std::int64_t, 2> total_{};
  std::array<std::uint64_t, 2> count_{};
};

constexpr std::int32_t utility_of(UtilityKind kind, double win, double margin) {
  const double count = 0.5 + 0.5 * margin;
  double u = win;
  if (kind == UtilityKind::score) u = count;
  if (kind == UtilityKind::win_margin) u = (1.0 - margin_weight) * win + margin_weight * count;
  return static_cast<std::int32_t>(u * utility_unit + 0.5);
}

template <class G>
Utilities utilities(const typename G::Rules& rules, const typename G::State& state,
                    UtilityKind kind) {
  const Worth worth = G::worth(rules, state);
  Utilities out{};
  const auto seats = static_cast<std::size_t>(G::seats(rules));
  for (std::size_t s = 0; s < seats; ++s) out[s] = utility_of(kind, worth.win[s], worth.margin[s]);
  return out;
}

}  // namespace kibitz
