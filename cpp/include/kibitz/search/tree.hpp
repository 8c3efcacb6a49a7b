// The tree that searches share: nodes are contiguous runs of 24-byte edges in one arena.
//
//     slot 0       header: edges used, room, who moves
//     slot 1..n    edges
//
// The arena is one untouched block of memory taken at the start, so a search allocates nothing
// while it runs and edges never move, but for a node that needs more room: it is copied to a larger
// run and its old run is kept for the next node of that size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include <kibitz/core/types.hpp>
#include <kibitz/search/request.hpp>

namespace kibitz {

struct Edge {
  Move move;            // as the searching seat sees it; fixed when the edge is made
  std::uint32_t n;      // visits, only grows
  std::uint32_t seen;   // times it was legal when its node was visited; mcts: its proof; puct: its
                        // prior, the bits of a float
  std::uint32_t child;  // slot of the node below, 0 until opened
  std::int64_t total;   // sum of utilities in 1/840, from the chooser's side
};

struct NodeHeader {
  std::uint32_t used;  // edges
  std::uint32_t room;
  std::uint32_t next;    // of the free list
  std::uint32_t visits;  // mcts: how often an edge was chosen here; puct: iterations that came here
  std::uint32_t proof;   // mcts: which outcome is proven, 0 none; puct: how often it was judged
  std::int32_t actor;    // seat that moves here
};

union Slot {
  Edge edge;
  NodeHeader header;
};
static_assert(sizeof(Slot) == 24 && std::is_trivially_copyable_v<Slot>);

inline constexpr Seat chance_actor = 255;  // in place of a seat

// The smallest tree: less is not asked for.
inline constexpr std::size_t least_tree_bytes = 96 << 10;

// The room of a thread's tree. With a count of iterations it can't outgrow one node an iteration.
inline std::size_t tree_bytes(const Request& request, int thread, std::size_t max_moves) {
  const std::size_t share = request.bytes / static_cast<std::size_t>(request.threads);
  if (request.iterations.empty()) return share;
  const std::uint64_t most = request.iterations[static_cast<std::size_t>(thread)];
  const std::uint64_t slots = 2 * (most + 1) * (max_moves + 1);
  return slots < share / sizeof(Slot) ? static_cast<std::size_t>(slots) * sizeof(Slot) : share;
}

class Tree {
 public:
  // `bytes` is where it stops growing. If so much memory can't be had it takes what it can get.
  explicit Tree(std::size_t bytes) {
    std::size_t slots = bytes / sizeof(Slot);
    if (slots > max_slots) slots = max_slots;
    if (slots < min_slots) slots = min_slots;
    while (!(memory_ = Memory(static_cast<Slot*>(std::malloc(slots * sizeof(Slot)))))) {
      if (slots <= min_slots) throw std::bad_alloc();
      slots /= 2;
    }
    capacity_ = static_cast<std::uint32_t>(slots);
  }

  // A node with room for that many edges, or 0 when the tree is full.
  std::uint32_t open(std::uint32_t room, Seat actor) {
    if (room < 1) room = 1;
    const std::uint32_t at = take(room);
    if (at == 0) return 0;
    header(at) = {0, room, 0, 0, 0, actor};
    ++nodes_;
    return at;
  }

  NodeHeader& header(std::uint32_t node) { return memory_.get()[node].header; }
  const NodeHeader& header(std::uint32_t node) const { return memory_.get()[node].header; }
  Edge* edges(std::uint32_t node) { return &memory_.get()[node + 1].edge; }
  const Edge* edges(std::uint32_t node) const { return &memory_.get()[node + 1].edge; }

  // Asks for a node's memory ahead of its use: most of a deep tree lies outside the near caches,
  // and a move can be played meanwhile. Harmless for node 0.
  void prefetch(std::uint32_t node) const {
#if defined(__GNUC__)
    const auto* line = reinterpret_cast<const char*>(memory_.get() + node);
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    __builtin_prefetch(line + 128);
#else
    static_cast<void>(node);
#endif
  }

  // A new edge at the end of `node`, which may move: `node` is its slot afterwards. Null when full.
  Edge* add(std::uint32_t& node, Move move) {
    if (header(node).used == header(node).room && !grow(node)) return nullptr;
    Edge* edge = edges(node) + header(node).used++;
    *edge = {move, 0, 0, 0, 0};
    return edge;
  }

  // Forgets all nodes.
  void clear() {
    used_ = 1;
    nodes_ = 0;
    full_ = false;
    free_.fill(0);
  }

  bool full() const { return full_; }
  std::uint64_t nodes() const { return nodes_; }
  std::size_t bytes() const { return std::size_t{used_} * sizeof(Slot); }

 private:
  struct Free {
    void operator()(Slot* slots) const { std::free(slots); }
  };
  using Memory = std::unique_ptr<Slot, Free>;

  static constexpr std::size_t min_slots = least_tree_bytes / sizeof(Slot);
  static constexpr std::size_t max_slots = 0xfffffff0u;
  static constexpr std::uint32_t kept_rooms = 64;  // sizes with a free list

  std::uint32_t take(std::uint32_t room) {
    if (room < kept_rooms && free_[room]) {
      const std::uint32_t at = free_[room];
      free_[room] = header(at).next;
      return at;
    }
    if (room + 1 > capacity_ - used_) {
      full_ = true;
      return 0;
    }
    const std::uint32_t at = used_;
    used_ += room + 1;
    return at;
  }

  bool grow(std::uint32_t& node) {
    const NodeHeader old = header(node);
    const std::uint32_t room = old.room + (old.room < 4 ? 2 : old.room / 2);
    const std::uint32_t at = take(room);
    if (at == 0) return false;
    header(at) = {old.used, room, 0, old.visits, old.proof, old.actor};
    for (std::uint32_t i = 0; i < old.used; ++i) edges(at)[i] = edges(node)[i];
    if (old.room < kept_rooms) {
      header(node).next = free_[old.room];
      free_[old.room] = node;
    }
    node = at;
    return true;
  }

  Memory memory_;
  std::uint32_t capacity_ = 0;
  std::uint32_t used_ = 1;  // slot 0 stands for no node
  std::uint64_t nodes_ = 0;
  bool full_ = false;
  std::array<std::uint32_t, kept_rooms> free_{};
};

}  // namespace kibitz
