// Distinct things to places, counted and drawn exactly: of all ways to put every item somewhere
// that keep all capacities and requirements, each is equally likely.
//
// Items stand in groups (cards by suit). An item has options: a place that must still have room, a
// mark that exactly one item must carry, and what it notes in its group's register (bits raised,
// counters added to). At the end of a group its weight says in how many ways (0: none) what was
// noted may be completed; so "at least one of these there" or "not both" or "times the cards left"
// are one function each, and a register lives no longer than its group.
//
// Dynamic programming from the front finds the reachable states (room left, marks left, register),
// from the back counts the completions of each. A draw is one random number below the total: at
// each item it falls into the share of one option and what remains is uniform below that option's
// count (unranking), so a draw costs a comparison or two an item. Counts are whole 64-bit numbers:
// the caller's total must fit (32 cards to four hands of eight have 1.0e17 ways; 2^64 is 1.8e19).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <kibitz/core/rng.hpp>

namespace kibitz {

class Assignment {
 public:
  static constexpr int max_places = 8;
  static constexpr int max_marks = 6;
  static constexpr int register_bits = 26;

  struct Option {
    std::int8_t place = -1;   // takes one of its room; -1: takes none
    std::int8_t mark = -1;    // carries it; -1: none
    std::uint32_t raise = 0;  // bits set in the register
    std::uint32_t add = 0;    // then added; counters must not overflow into each other
    int tag = 0;              // the caller's
  };
  using Weight = std::function<std::uint64_t(std::uint32_t noted)>;
  using Rest = std::function<std::uint64_t(const std::array<int, max_places>& room)>;

  // Rooms 0 to 15; marks that must be carried, a bit each.
  void begin(const std::array<int, max_places>& room, std::uint32_t marks) {
    rooms_ = room;
    marks_ = marks;
    items_.clear();
    ends_.clear();
  }
  void item(std::vector<Option> options) { items_.push_back(std::move(options)); }
  // Closes the group of the items since the last call.
  void end_group(Weight weight) { ends_.emplace_back(items_.size(), std::move(weight)); }

  std::size_t items() const { return items_.size(); }

  // Counts. `rest` weighs the room left after the last item (items dealt elsewhere; null: none may
  // be left); what all its weights have in common is divided out.
  std::uint64_t count(const Rest& rest) {
    nodes_.clear();
    edges_.clear();
    std::vector<std::uint64_t> keys{start_key()};
    nodes_.push_back({});
    std::size_t end = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const bool closes = end < ends_.size() && ends_[end].first == i + 1;
      keys = step(i, keys, closes ? &ends_[end].second : nullptr);
      end += closes;
    }
    const std::size_t last = nodes_.size() - keys.size();
    std::vector<double> sizes(nodes_.size(), 0.0);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const bool unmarked = (keys[k] >> mark_shift & ((1u << max_marks) - 1)) == 0;
      Node& node = nodes_[last + k];
      node.ways = !unmarked ? 0 : rest ? rest(rooms_of(keys[k])) : keys[k] == 0;
      sizes[last + k] = static_cast<double>(node.ways);
    }
    std::uint64_t shared = 0;
    for (std::size_t n = last; n < nodes_.size(); ++n) shared = std::gcd(shared, nodes_[n].ways);
    for (std::size_t n = last; n < nodes_.size() && shared > 1; ++n)
      sizes[n] = static_cast<double>(nodes_[n].ways /= shared);
    // An edge holds the weight of its group's end until the node behind it is counted.
    for (std::size_t n = last; n-- > 0;)
      for (Edge& edge : edges_of(nodes_[n]))
        sizes[n] += static_cast<double>(edge.ways) * sizes[edge.next];
    wide_ = sizes[0] > 1.8e19;
    for (std::size_t n = last; n-- > 0;) {
      Node& node = nodes_[n];
      node.ways = 0;
      for (Edge& edge : edges_of(node)) {
        if (wide_)
          edge.ways = sizes[n] > 0
                          ? static_cast<std::uint64_t>(static_cast<double>(edge.ways) *
                                                       sizes[edge.next] / sizes[n] * 0x1p60)
                          : 0;
        else
          edge.ways *= nodes_[edge.next].ways;
        node.ways += edge.ways;
      }
    }
    return total();
  }
  std::uint64_t total() const { return nodes_.empty() ? 0 : nodes_[0].ways; }

  // each(item, tag) for one assignment, uniformly. Precondition: total() > 0.
  template <class Each>
  void draw(Rng& rng, Each&& each) const {
    std::uint64_t r = rng.below64(total());
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Edge* edge = edges_.data() + nodes_[n].first;
      while (r >= edge->ways) r -= edge++->ways;
      each(i, edge->tag);
      n = edge->next;
      // Ways through an edge are the weight of its group's end times those of the node behind it.
      const std::uint64_t below = nodes_[n].ways;
      if (wide_)
        r = i + 1 < items_.size() ? rng.below64(below) : 0;
      else if (edge->ways != below)
        r %= below;
    }
  }

  std::size_t nodes() const { return nodes_.size(); }

 private:
  static constexpr int mark_shift = 4 * max_places;
  static constexpr int register_shift = mark_shift + max_marks;
  static_assert(register_shift + register_bits <= 64);

  struct Node {
    std::uint32_t first = 0, count = 0;
    std::uint64_t ways = 0;
  };
  struct Edge {
    std::uint64_t ways;
    std::uint32_t next;
    std::int32_t tag;
  };

  std::span<Edge> edges_of(const Node& node) { return {edges_.data() + node.first, node.count}; }

  std::uint64_t start_key() const {
    std::uint64_t key = static_cast<std::uint64_t>(marks_) << mark_shift;
    for (int p = 0; p < max_places; ++p)
      key |= static_cast<std::uint64_t>(rooms_[static_cast<std::size_t>(p)]) << (4 * p);
    return key;
  }
  static std::array<int, max_places> rooms_of(std::uint64_t key) {
    std::array<int, max_places> room{};
    for (int p = 0; p < max_places; ++p)
      room[static_cast<std::size_t>(p)] = static_cast<int>(key >> (4 * p) & 15);
    return room;
  }

  // Opens the states after one item; returns their keys, in the order of their nodes.
  std::vector<std::uint64_t> step(std::size_t i, const std::vector<std::uint64_t>& keys,
                                  const Weight* weight) {
    std::vector<std::uint64_t> next;
    const std::size_t base = nodes_.size() - keys.size();
    const auto first_new = static_cast<std::uint32_t>(nodes_.size());
    table_.assign(64, 0);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      Node node{static_cast<std::uint32_t>(edges_.size()), 0, 0};
      for (const Option& option : items_[i]) {
        std::uint64_t key = keys[k];
        if (option.place >= 0) {
          if ((key >> (4 * option.place) & 15) == 0) continue;
          key -= std::uint64_t{1} << (4 * option.place);
        }
        if (option.mark >= 0) {
          const std::uint64_t bit = std::uint64_t{1} << (mark_shift + option.mark);
          if (!(key & bit)) continue;
          key ^= bit;
        }
        key |= static_cast<std::uint64_t>(option.raise) << register_shift;
        key += static_cast<std::uint64_t>(option.add) << register_shift;
        std::uint64_t ways = 1;
        if (weight) {
          ways = (*weight)(static_cast<std::uint32_t>(key >> register_shift));
          if (ways == 0) continue;
          key &= (std::uint64_t{1} << register_shift) - 1;
        }
        edges_.push_back({ways, first_new + find(next, key), option.tag});
        ++node.count;
      }
      nodes_[base + k] = node;
    }
    nodes_.resize(first_new + next.size());
    return next;
  }

  // Index of a key among those opened, by open addressing.
  std::uint32_t find(std::vector<std::uint64_t>& opened, std::uint64_t key) {
    if (opened.size() * 2 >= table_.size()) {
      table_.assign(table_.size() * 4, 0);
      for (std::uint32_t i = 0; i < opened.size(); ++i) table_[slot(opened, opened[i])] = i + 1;
    }
    std::uint32_t& entry = table_[slot(opened, key)];
    if (entry == 0) {
      opened.push_back(key);
      entry = static_cast<std::uint32_t>(opened.size());
    }
    return entry - 1;
  }
  std::size_t slot(const std::vector<std::uint64_t>& opened, std::uint64_t key) const {
    std::size_t i = mix(key) & (table_.size() - 1);
    while (table_[i] != 0 && opened[table_[i] - 1] != key) i = (i + 1) & (table_.size() - 1);
    return i;
  }

  std::array<int, max_places> rooms_{};
  std::uint32_t marks_ = 0;
  std::vector<std::vector<Option>> items_;
  std::vector<std::pair<std::size_t, Weight>> ends_;  // items so far, what was noted weighs
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> table_;
  bool wide_ = false;
};

}  // namespace kibitz
