// Random numbers: the generator against its definition, exact bounds, streams that are apart.
#include <kibitz/core/rng.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "check.hpp"

namespace {

using namespace kibitz;

// xoroshiro128++ as its authors print it (prng.di.unimi.it/xoroshiro128plusplus.c).
struct Printed {
  std::uint64_t s0, s1;
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t next() {
    const std::uint64_t result = rotl(s0 + s1, 17) + s0;
    s1 ^= s0;
    s0 = rotl(s0, 49) ^ s1 ^ (s1 << 21);
    s1 = rotl(s1, 28);
    return result;
  }
};

// 0.001 of a right generator would be above: chi-square quantiles by Wilson and Hilferty.
double quantile(int freedom) {
  const double k = freedom, z = 3.0902, t = 1 - 2 / (9 * k) + z * std::sqrt(2 / (9 * k));
  return k * t * t * t;
}

double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int n : counts) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("mix is splitmix64: its published outputs") {
  // Seed 1234567: the first outputs that implementations of splitmix64 are checked with.
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u}) {
    CHECK(mix(state) == expected);
    state += 0x9e3779b97f4a7c15u;
  }
}

TEST_CASE("the printed generator gives its published outputs") {
  Printed printed{1, 2};  // by hand: rotl(3, 17) + 1 = 393217
  CHECK(printed.next() == 393217u);
  CHECK(printed.next() == 669327710093319u);
}

TEST_CASE("a stream is the printed generator, seeded by hashing seed, purpose and index") {
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}})
    for (std::uint64_t index : {0u, 1u, 9u}) {
      std::uint64_t h = mix(seed);
      for (const char c : {'d', 'e', 'a', 'l'}) h = mix(h ^ static_cast<unsigned char>(c));
      h = mix(h ^ index);
      Printed printed{mix(h + 1), mix(h + 2) | 1};
      Rng rng(seed, "deal", index);
      for (int i = 0; i < 100; ++i) CHECK(rng.next() == printed.next());
    }
}

TEST_CASE("streams of other seeds, purposes and indices share no number") {
  std::set<std::uint64_t> seen;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const char* purpose : {"deal", "search", "chance", "policy", ""})
      for (std::uint64_t index = 0; index < 4; ++index) {
        Rng rng(seed, purpose, index);
        for (int i = 0; i < 50; ++i, ++count) seen.insert(rng.next());
      }
  CHECK(seen.size() == static_cast<std::size_t>(count));
}

TEST_CASE("below stays below its bound, also at the ends of the range") {
  Rng rng(1, "test");
  for (const std::uint32_t bound : {1u, 2u, 3u, 31u, 32u, 1000u, 0x80000001u, 0xffffffffu}) {
    std::uint32_t highest = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::uint32_t n = rng.below(bound);
      CHECK(n < bound);
      highest = n > highest ? n : highest;
    }
    CHECK(highest >= bound / 2);
  }
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    for (int i = 0; i < 2000; ++i) CHECK(rng.below64(bound) < bound);
}

TEST_CASE("below is uniform") {
  for (const int bound : {2, 3, 7, 32, 100}) {
    Rng rng(2, "test", static_cast<std::uint64_t>(bound));
    std::vector<int> counts(static_cast<std::size_t>(bound));
    constexpr int each = 2000;
    for (int i = 0; i < each * bound; ++i) ++counts[rng.below(static_cast<std::uint32_t>(bound))];
    CHECK(chi_square(counts, each) < quantile(bound - 1));
  }
}

TEST_CASE("below does not favour small numbers where 2^32 is no multiple of the bound") {
  // A plain remainder of 2^31 + 2^30 would take the lower third twice as often.
  Rng rng(3, "test");
  constexpr std::uint32_t bound = 3u << 30;
  std::vector<int> counts(3);
  for (int i = 0; i < 6000; ++i) ++counts[rng.below(bound) >> 30];
  CHECK(chi_square(counts, 2000) < quantile(2));
}

TEST_CASE("a shuffle takes every order equally often") {
  Rng rng(4, "test");
  std::vector<int> counts(24);
  for (int i = 0; i < 24 * 1000; ++i) {
    std::array<int, 4> order = {0, 1, 2, 3};
    shuffle(order.data(), 4, rng);
    int rank = 0;
    for (int a = 0; a < 4; ++a) {
      int lower = 0;
      for (int b = a + 1; b < 4; ++b)
        lower += order[static_cast<std::size_t>(b)] < order[static_cast<std::size_t>(a)];
      rank = rank * (4 - a) + lower;
    }
    ++counts[static_cast<std::size_t>(rank)];
  }
  CHECK(chi_square(counts, 1000) < quantile(23));
}
