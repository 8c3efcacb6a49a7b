// Results of rounds counted in self-play. Written by
//     python tools/match_table.py --rounds 20000 --iterations 1000 --playout uniform --seed 1
// and not edited by hand.
#pragma once

#include <array>
#include <cstdint>

namespace kibitz::kami {

// [players - 2][winner counted from the leader, by team][points]; void rounds at [0][0].
// clang-format off
inline constexpr std::array<std::array<std::array<std::uint32_t, 11>, 3>, 3> round_results = {{
    // 2 players: 20000 rounds
    {{{0, 1422, 3116, 1827, 1603, 729, 865, 0, 187, 0, 37},
      {0, 1104, 3366, 1842, 1933, 585, 1122, 0, 230, 0, 32},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
    // 3 players: 20000 rounds
    {{{0, 1936, 2468, 1539, 829, 706, 123, 0, 7, 0, 57},
      {0, 1369, 1916, 1245, 793, 522, 186, 0, 6, 0, 31},
      {0, 1312, 2119, 1194, 822, 587, 192, 0, 13, 0, 28}}},
    // 4 players: 20000 rounds
    {{{0, 2219, 3737, 2292, 1390, 875, 244, 0, 22, 0, 56},
      {0, 1520, 3336, 1939, 1305, 693, 318, 0, 22, 0, 32},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
}};
// clang-format on

}  // namespace kibitz::kami
