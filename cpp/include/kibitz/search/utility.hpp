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
