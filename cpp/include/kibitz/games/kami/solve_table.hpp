// What a solver knows of positions: whole keys, so two positions are never taken for one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include <kibitz/core/rng.hpp>
#include <kibitz/games/kami/open_cards.hpp>

namespace kibitz::kami {

// A position seen from the seat to move; `place` is what the hands leave open, 7 bits.
struct OpenKey {
  std::uint64_t a;
  std::uint64_t b;
  std::uint8_t place;

  friend constexpr bool operator==(const OpenKey&, const OpenKey&) = default;
};

class SolveTable {
 public:
  struct Entry {
    std::uint64_t a;
    std::uint64_t b;
    std::uint32_t known;  // what the search makes of it: bounds, or a set of outcomes
    OpenTurn turn;        // the best so far
    std::uint8_t place;   // with `used` set; 0 in an entry not yet used
    std::uint8_t work;    // logarithm of the positions searched for it
  };
  static_assert(sizeof(Entry) == 24);

  // In so much memory at the most; in very little it holds nothing.
  explicit SolveTable(std::size_t bytes) : buckets_(std::bit_floor(bytes / sizeof(Entry) / ways)) {
    if (buckets_ == 0) return;
    // Fresh pages are zero and cost nothing until they are touched.
    entries_ = Memory(static_cast<Entry*>(std::calloc(buckets_ * ways, sizeof(Entry))));
    if (!entries_) buckets_ = 0;
  }

  const Entry* find(const OpenKey& key) const {
    if (buckets_ == 0) return nullptr;
    const Entry* bucket = entries_.get() + place_of(key);
    for (std::size_t i = 0; i < ways; ++i)
      if (is(bucket[i], key)) return bucket + i;
    return nullptr;
  }

  // Replaces what is known of the position, else what took least work to find out.
  void note(const OpenKey& key, std::uint32_t known, OpenTurn turn, std::uint64_t searched) {
    if (buckets_ == 0) return;
    Entry* bucket = entries_.get() + place_of(key);
    Entry* victim = bucket;
    for (std::size_t i = 0; i < ways; ++i) {
      if (is(bucket[i], key)) {
        victim = bucket + i;
        break;
      }
      if (bucket[i].work < victim->work) victim = bucket + i;
    }
    *victim = {key.a,
               key.b,
               known,
               turn,
               static_cast<std::uint8_t>(key.place | used),
               static_cast<std::uint8_t>(std::bit_width(searched))};
  }

 private:
  static constexpr std::size_t ways = 2;
  static constexpr std::uint8_t used = 0x80;

  static bool is(const Entry& entry, const OpenKey& key) {
    return entry.a == key.a && entry.b == key.b && entry.place == (key.place | used);
  }
  std::size_t place_of(const OpenKey& key) const {
    const std::uint64_t h = mix(key.a ^ mix(key.b ^ std::uint64_t{key.place} << 57));
    return (static_cast<std::size_t>(h) & (buckets_ - 1)) * ways;
  }

  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  using Memory = std::unique_ptr<Entry, Free>;

  std::size_t buckets_;
  Memory entries_;
};

}  // namespace kibitz::kami
