// The tree that searches share: nodes are contiguous runs of 24-byte edges in one arena.
//
//     slot 0       header: edges used, room, who moves
//     slot 1..n    edges
//
// The arena is one untouched block of memory taken at the start, so a search allocates nothing
// while it runs and edges never move, but for a node that needs more room: it is copied to a larger
// run and its old run is free for the next node that fits.
//
// When the arena is full the search may give up what was visited least (`prune`): weighing and
// marking what stays are two walks over the tree, which can be broken off at any time; the runs of
// the others are found again bit by bit, as they are needed.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

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

// All-moves-as-first statistics of an edge (amaf.hpp), where a search keeps them.
struct Twin {
  std::int64_t total;
  std::uint32_t n;
};

struct NodeHeader {
  std::uint32_t used;    // edges
  std::uint32_t room;    // edges; the top two bits are marks while the tree is pruned
  std::uint32_t next;    // of the free list; mcts: 1 + the edge that the game's hint advises, or 0
  std::uint32_t visits;  // mcts: how often an edge was chosen here; puct: iterations that came
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
  const std::size_t each = sizeof(Slot) + (request.tuning.rave > 0 ? sizeof(Twin) : 0);
  return slots < share / each ? static_cast<std::size_t>(slots) * each : share;
}

// Whether a walk is to end early.
using BrokenOff = std::function<bool()>;

class Tree {
 public:
  // `bytes` is where it is full. If so much memory can't be had it takes what it can get.
  // With `twins` every edge has one, in a part of the memory.
  explicit Tree(std::size_t bytes, bool twins = false) {
    const std::size_t each = sizeof(Slot) + (twins ? sizeof(Twin) : 0);
    std::size_t slots = bytes / each;
    if (slots > max_slots) slots = max_slots;
    if (slots < min_slots) slots = min_slots;
    while (!(memory_ = take_memory<Slot>(slots)) ||
           (twins && !(twins_ = take_memory<Twin>(slots)))) {
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
    header(at).used = 0;
    header(at).next = 0;
    header(at).visits = 0;
    header(at).proof = 0;
    header(at).actor = actor;
    ++nodes_;
    return at;
  }

  NodeHeader& header(std::uint32_t node) { return memory_.get()[node].header; }
  const NodeHeader& header(std::uint32_t node) const { return memory_.get()[node].header; }
  Edge* edges(std::uint32_t node) { return &memory_.get()[node + 1].edge; }
  const Edge* edges(std::uint32_t node) const { return &memory_.get()[node + 1].edge; }

  // The twin of an edge. Precondition: the tree has twins.
  bool has_twins() const { return twins_ != nullptr; }
  const Twin& twin(const Edge* edge) const {
    return twins_.get()[reinterpret_cast<const Slot*>(edge) - memory_.get()];
  }
  Twin& twin(const Edge* edge) {
    return twins_.get()[reinterpret_cast<const Slot*>(edge) - memory_.get()];
  }

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
    if (header(node).used == room(node) && !grow(node)) return nullptr;
    Edge* edge = edges(node) + header(node).used++;
    *edge = {move, 0, 0, 0, 0};
    if (twins_) twin(edge) = {0, 0};
    return edge;
  }

  // Forgets all nodes.
  void clear() {
    used_ = 1;
    nodes_ = 0;
    pruned_ = 0;
    full_ = false;
    free_.fill(0);
    marks_ = false;
    sweep_ = end_ = 0;
    worthwhile_ = 0;
  }

  // Gives up the nodes below edges with the fewest visits, until at least half of the memory is
  // free. The edges stay, with what they have found. `broken_off` is asked every few microseconds;
  // if it says so the answer is false and the tree is as full as before. Precondition: it is full.
  bool prune(std::uint32_t root, const BrokenOff& broken_off) {
    if (nodes_ < worthwhile_) return true;  // it was of no use: nodes of this size find no room
    if (marks_ && !unmark(broken_off)) return false;
    std::array<std::uint64_t, steps> slots{};
    const auto weigh = [&](const Edge& edge) { slots[step_of(edge.n)] += room(edge.child) + 1; };
    const std::uint64_t before = walk(root, 0, met, broken_off, weigh);
    if (before == 0) return false;
    std::uint64_t freed = 0;
    std::uint32_t step = 0;
    while (step + 1 < steps && (freed += slots[step]) < capacity_ / 2) ++step;
    const std::uint64_t after =
        walk(root, first_of(step + 1), kept, broken_off, [](const Edge&) {});
    if (after == 0) return false;
    pruned_ += before - after;
    worthwhile_ = nodes_ + 64;
    free_.fill(0);
    sweep_ = 1;
    end_ = used_;
    full_ = false;
    return true;
  }

  bool full() const { return full_; }
  std::uint64_t nodes() const { return nodes_; }    // made in all
  std::uint64_t pruned() const { return pruned_; }  // given up of them
  std::uint32_t slots() const { return used_; }     // in use, slot 0 and free runs among them
  std::size_t bytes() const {
    return std::size_t{used_} * (sizeof(Slot) + (twins_ ? sizeof(Twin) : 0));
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <class T>
  using Memory = std::unique_ptr<T, Free>;

  template <class T>
  static Memory<T> take_memory(std::size_t count) {
    return Memory<T>(static_cast<T*>(std::malloc(count * sizeof(T))));
  }

  static constexpr std::size_t min_slots = least_tree_bytes / (sizeof(Slot) + sizeof(Twin));
  static constexpr std::size_t max_slots = 0xfffffff0u;
  static constexpr std::uint32_t kept_rooms = 64;  // sizes with a free list; the last is for larger

  // A run of at least that room, with header().room set; 0 when there is none.
  std::uint32_t take(std::uint32_t room) {
    if (std::uint32_t at = room < kept_rooms ? free_[room] : 0; at != 0) {
      free_[room] = header(at).next;
      return at;
    }
    if (room + 1 <= capacity_ - used_) {
      const std::uint32_t at = used_;
      used_ += room + 1;
      header(at).room = room;
      return at;
    }
    do {
      if (const std::uint32_t at = take_free(room)) return at;
    } while (sweep());
    full_ = true;
    return 0;
  }

  // A free run of that room or more; what is left over of it stays free.
  std::uint32_t take_free(std::uint32_t room) {
    for (std::uint32_t size = room < kept_rooms ? room : kept_rooms; size < kept_rooms; ++size) {
      if (free_[size] == 0) continue;
      const std::uint32_t at = free_[size];
      free_[size] = header(at).next;
      split(at, room);
      return at;
    }
    std::uint32_t before = 0;
    for (std::uint32_t at = free_[0]; at != 0; before = at, at = header(at).next) {
      if (header(at).room < room) continue;
      (before ? header(before).next : free_[0]) = header(at).next;
      split(at, room);
      return at;
    }
    return 0;
  }

  void split(std::uint32_t at, std::uint32_t room) {
    const std::uint32_t left = header(at).room - room;  // slots, the new header among them
    if (left < 2) return;
    header(at).room = room;
    header(at + room + 1).room = left - 1;
    release(at + room + 1);
  }

  // Puts a run on the free list for its size; list 0 has those past the sizes kept.
  void release(std::uint32_t at) {
    std::uint32_t& first = free_[header(at).room < kept_rooms ? header(at).room : 0];
    header(at).used = 0;
    header(at).next = first;
    first = at;
  }

  bool grow(std::uint32_t& node) {
    const NodeHeader old = header(node);
    const std::uint32_t before = room(node);
    const std::uint32_t at = take(before + (before < 4 ? 2 : before / 2));
    if (at == 0) return false;
    header(at) = {old.used, header(at).room, old.next, old.visits, old.proof, old.actor};
    for (std::uint32_t i = 0; i < old.used; ++i) {
      edges(at)[i] = edges(node)[i];
      if (twins_) twin(edges(at) + i) = twin(edges(node) + i);
    }
    if (old.room == before)
      release(node);
    else
      header(node) = {0, before, 0, 0, 0, 0};  // the sweep has still to come by and frees it
    node = at;
    return true;
  }

  // ---- giving up nodes ----

  // Bits of a header's room while the tree is pruned.
  static constexpr std::uint32_t met = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kept = std::uint32_t{1} << 31;

  static constexpr std::uint32_t steps = 128;  // of a scale of visits, four to a doubling

  // Where a number of visits lies on it, and the first number of a step.
  static constexpr std::uint32_t step_of(std::uint32_t n) {
    if (n < 4) return n;
    const auto shift = static_cast<std::uint32_t>(std::bit_width(n)) - 3;
    return 4 * shift + (n >> shift);
  }
  static constexpr std::uint32_t first_of(std::uint32_t step) {
    if (step < 4) return step;
    return step < 124 ? (4 + step % 4) << (step / 4 - 1) : 0xffffffffu;
  }

  std::uint32_t room(std::uint32_t node) const { return header(node).room & ~(met | kept); }

  // Marks all nodes reached by edges with at least that many visits, each once; other edges lose
  // their node. `reached` gets the edge by which a node is first met. The number of nodes marked;
  // 0 if broken off.
  template <class Reached>
  std::uint64_t walk(std::uint32_t root, std::uint32_t least, std::uint32_t mark,
                     const BrokenOff& broken_off, Reached&& reached) {
    marks_ = true;
    std::vector<std::uint32_t> stack{root};
    header(root).room |= mark;
    std::uint64_t count = 0;
    while (!stack.empty()) {
      if (++count % 256 == 0 && broken_off()) return 0;
      const std::uint32_t node = stack.back();
      stack.pop_back();
      for (Edge* edge = edges(node); edge < edges(node) + header(node).used; ++edge) {
        if (edge->child == 0) continue;
        if (edge->n < least) {
          edge->child = 0;
        } else if (!(header(edge->child).room & mark)) {
          reached(*edge);
          header(edge->child).room |= mark;
          stack.push_back(edge->child);
        }
      }
    }
    return count;
  }

  // Takes back the marks of a walk that was broken off.
  bool unmark(const BrokenOff& broken_off) {
    std::uint32_t count = 0;
    for (std::uint32_t at = 1; at < used_; at += header(at).room + 1) {
      if (++count % 1024 == 0 && broken_off()) return false;
      header(at).room = room(at);
    }
    marks_ = false;
    return true;
  }

  // Frees the next runs that were not kept, neighbours as one; false when all have been looked at.
  bool sweep() {
    if (sweep_ >= end_) return false;
    for (std::uint32_t count = 0; count < 64 && sweep_ < end_; ++count) {
      const std::uint32_t at = sweep_;
      const bool dead = !(header(at).room & kept);
      sweep_ += room(at) + 1;
      while (dead && sweep_ < end_ && !(header(sweep_).room & kept)) sweep_ += room(sweep_) + 1;
      header(at).room = sweep_ - at - 1;
      if (dead) release(at);
    }
    if (sweep_ >= end_) marks_ = false;
    return true;
  }

  Memory<Slot> memory_;
  Memory<Twin> twins_;
  std::uint32_t capacity_ = 0;
  std::uint32_t used_ = 1;  // slot 0 stands for no node
  std::uint64_t nodes_ = 0;
  std::uint64_t pruned_ = 0;
  bool full_ = false;
  bool marks_ = false;       // headers may bear marks
  std::uint32_t sweep_ = 0;  // where freeing stands, and to where it goes
  std::uint32_t end_ = 0;
  std::uint64_t worthwhile_ = 0;  // so many nodes must have been made for pruning to be tried again
  std::array<std::uint32_t, kept_rooms> free_{};
};

}  // namespace kibitz
