// The small values that games are made of: counts of cards, bits, lists, digests.
#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <string>

#include <kibitz/core/counts.hpp>
#include <kibitz/core/digest.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/core/small_list.hpp>
#include <kibitz/core/types.hpp>

#include "check.hpp"

using namespace kibitz;

TEST_CASE("counts agree with eight plain numbers") {
  Rng rng(1, "test");
  Counts counts;
  std::array<int, 8> plain{};
  for (int i = 0; i < 5000; ++i) {
    const auto kind = static_cast<int>(rng.below(8));
    auto& n = plain[static_cast<std::size_t>(kind)];
    if (rng.below(2) && n < 20) {
      counts.add(kind);
      ++n;
    } else if (n > 0) {
      counts.take(kind);
      --n;
    }
    int size = 0;
    std::uint32_t kinds = 0;
    for (int k = 0; k < 8; ++k) {
      CHECK(counts[k] == plain[static_cast<std::size_t>(k)]);
      size += plain[static_cast<std::size_t>(k)];
      kinds |= static_cast<std::uint32_t>(plain[static_cast<std::size_t>(k)] > 0) << k;
    }
    CHECK(counts.size() == size);
    CHECK(counts.kinds() == kinds);
    CHECK(counts.empty() == (size == 0));
  }
}

TEST_CASE("counts are told apart up to the top of a lane") {
  Counts full;
  for (int i = 0; i < 127; ++i) full.add(7);
  CHECK(full[7] == 127);
  CHECK(full.kinds() == 0x80);
  CHECK(full + Counts::one(0) - Counts::one(0) == full);
  CHECK((full + Counts::one(0)).kinds() == 0x81);
}

TEST_CASE("nth_bit finds the n-th set bit of every byte") {
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    std::uint32_t n = 0;
    for (int bit = 0; bit < 8; ++bit)
      if (mask >> bit & 1) CHECK(nth_bit(mask, n++) == bit);
    CHECK(n == static_cast<std::uint32_t>(std::popcount(mask)));
  }
}

TEST_CASE("a small list keeps order and knows its members") {
  SmallList<int, 4> list;
  CHECK(list.empty());
  CHECK(list.capacity() == 4);
  for (const int value : {5, 3, 8, 1}) list.push_back(value);
  CHECK(list.size() == 4);
  std::string order;
  for (const int value : list) order += std::to_string(value);
  CHECK(order == "5381");
  CHECK(list[2] == 8);
  CHECK(list.contains(1));
  CHECK_FALSE(list.contains(2));
  list.clear();
  CHECK(list.empty());
  CHECK_FALSE(list.contains(5));
}

TEST_CASE("a turn is a seat, chance or the end") {
  CHECK(Turn::of(3).is_seat());
  CHECK(Turn::of(3).seat() == 3);
  CHECK(Turn::chance().is_chance());
  CHECK(Turn::over().is_over());
  CHECK_FALSE(Turn::over().is_seat());
  CHECK(Turn::chance() != Turn::over());
  CHECK(Turn::of(0).value() == 0);
  CHECK(Turn::chance().value() == -1);
  CHECK(Turn::over().value() == -2);
}

TEST_CASE("a digest depends on every byte, their order and their number") {
  std::array<unsigned char, 21> bytes{};
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size <= bytes.size(); ++size) seen.insert(digest(bytes.data(), size));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] = static_cast<unsigned char>(1 << bit);
      seen.insert(digest(bytes.data(), bytes.size()));
      bytes[i] = 0;
    }
  CHECK(seen.size() == 22 + 21 * 8);
  // By the definition: no whole word, a tail of nothing.
  CHECK(digest(bytes.data(), 0) == mix(mix(0)));
  CHECK(digest(bytes.data(), 8) == mix(mix(mix(8))));
}
