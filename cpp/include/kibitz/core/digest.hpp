// A 64-bit digest of a value's bytes, the same on every little-endian machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <kibitz/core/rng.hpp>

namespace kibitz {

inline std::uint64_t digest(const void* bytes, std::size_t size) {
  std::uint64_t h = mix(size);
  const auto* p = static_cast<const unsigned char*>(bytes);
  for (; size >= 8; size -= 8, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    h = mix(h ^ word);
  }
  std::uint64_t tail = 0;
  std::memcpy(&tail, p, size);
  return mix(h ^ tail);
}

}  // namespace kibitz
