#pragma once

#include <cstdint>

namespace kibitz {

// Solves The Crew's deals of these seeds and prints how many can be won.
void count_winnable(int players, int tasks, std::uint64_t from, std::uint64_t count, int workers);

}  // namespace kibitz
