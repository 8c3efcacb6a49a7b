// Results of rounds counted in self-play, by match_table.py; do not edit by hand.
#pragma once

#include <array>
#include <cstdint>

namespace kibitz::kami {

// [players - 2][winner counted from the leader, by team][points]; void rounds at [0][0].
inline constexpr std::array<std::array<std::array<std::uint32_t, 11>, 3>, 3> round_results = {{
    {{{270, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1}, {0, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1}, {}}},
    {{{0, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1},
      {0, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1},
      {0, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1}}},
    {{{0, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1}, {0, 80, 120, 100, 60, 20, 10, 0, 8, 0, 1}, {}}},
}};

}  // namespace kibitz::kami
