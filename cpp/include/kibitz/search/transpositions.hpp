// Which node a position has: a table from keys to nodes, open addressing, never grown.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <kibitz/core/game.hpp>

namespace kibitz {

// A game may offer a key: equal for positions from which all goes on alike, and for no others.
template <class G>
concept Keyed = requires(const typename G::Rules& rules, const typename G::State& state) {
  { G::key(rules, state) } -> std::same_as<std::uint64_t>;
};

class Transpositions {
 public:
  // In so much memory at the most; in very little it holds nothing.
  explicit Transpositions(std::size_t bytes) : size_(std::bit_floor(bytes / sizeof(Entry))) {
    clear();
  }

  // Forgets all nodes.
  void clear() {
    entries_.reset();
    mask_ = used_ = 0;
    if (size_ < 2) return;
    // Fresh pages are zero and cost nothing until they are touched.
    entries_ = Memory(static_cast<Entry*>(std::calloc(size_, sizeof(Entry))));
    if (!entries_) return;
    mask_ = size_ - 1;
    touched_.assign(size_ / stretch / 64 + 1, 0);
  }

  // The node of a key, 0 if it has none yet.
  std::uint32_t find(std::uint64_t key) const {
    if (mask_ == 0) return 0;
    for (std::size_t at = place(key);; at = (at + 1) & mask_) {
      const Entry& entry = entries_.get()[at];
      if (entry.node == 0 || entry.key == key) return entry.node;
    }
  }

  // Notes the node of a key that has none. Past half load nothing is noted.
  void insert(std::uint64_t key, std::uint32_t node) {
    if (mask_ == 0 || 2 * used_ > mask_) return;
    std::size_t at = place(key);
    while (entries_.get()[at].node != 0) at = (at + 1) & mask_;
    entries_.get()[at] = {key, node, 0};
    touched_[at / stretch / 64] |= std::uint64_t{1} << (at / stretch % 64);
    ++used_;
  }

  // Calls use(key, node) for all that is noted.
  template <class Use>
  void each(Use&& use) const {
    for (std::size_t part = 0; part <= mask_ / stretch && used_ > 0; ++part) {
      if (!(touched_[part / 64] >> (part % 64) & 1)) continue;
      const std::size_t end = std::min(mask_ + 1, (part + 1) * stretch);
      for (std::size_t at = part * stretch; at < end; ++at)
        if (const Entry& entry = entries_.get()[at]; entry.node != 0) use(entry.key, entry.node);
    }
  }

  std::size_t bytes() const { return used_ * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t node;
    std::uint32_t unused;
  };
  // Entries of a page: a few positions in a large table are found again without a look at all of
  // it.
  static constexpr std::size_t stretch = 4096 / sizeof(Entry);

  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  using Memory = std::unique_ptr<Entry, Free>;

  std::size_t place(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> 20) & mask_;
  }

  Memory entries_;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
  std::vector<std::uint64_t> touched_;  // a bit for each stretch in which something is noted
};

}  // namespace kibitz
