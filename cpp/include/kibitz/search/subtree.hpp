// What is kept of a tree when the game moves on: the node that the events lead to and all below it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/core/types.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/tree.hpp>

namespace kibitz {

// The node below `node` where `actor` did what was `seen`; 0 if the tree has none.
inline std::uint32_t child_of(const Tree& tree, std::uint32_t node, std::int32_t actor, Move seen) {
  if (node == 0 || tree.header(node).actor != actor) return 0;
  const Edge* edges = tree.edges(node);
  for (std::uint32_t i = 0; i < tree.header(node).used; ++i)
    if (edges[i].move == seen) return edges[i].child;
  return 0;
}

// Copies node `old` of `from`, and all below it, to `root` of `to`, a fresh tree in which the root
// is the only node and has its edges without visits. Moves of `old` that the root lacks are left
// out, with what lies below them. A node that is reached in several ways is copied once; what finds
// no room is opened anew when it is met again. Says where the slots went, 0 for nowhere.
//
// Breadth first (Cheney 1970): the copies lie one after the other, so they are their own queue.
inline std::vector<std::uint32_t> copy_subtree(const Tree& from, std::uint32_t old, Tree& to,
                                               std::uint32_t root) {
  std::vector<std::uint32_t> moved(from.slots(), 0);
  const auto take_header = [&](std::uint32_t source, std::uint32_t target) {
    NodeHeader header = from.header(source);
    header.used = to.header(target).used;
    header.room = to.header(target).room;
    if (target == root) header.next = to.header(target).next;
    to.header(target) = header;
    moved[source] = target;
  };

  take_header(old, root);
  for (std::uint32_t i = 0; i < to.header(root).used; ++i) {
    Edge& edge = to.edges(root)[i];
    const Edge* known = from.edges(old);
    const Edge* end = known + from.header(old).used;
    known = std::find_if(known, end, [&](const Edge& each) { return each.move == edge.move; });
    if (known == end) continue;
    edge = *known;
    if (to.has_twins()) to.twin(&edge) = from.twin(known);
  }
  for (std::uint32_t node = root; node < to.slots(); node += to.header(node).room + 1)
    for (std::uint32_t i = 0; i < to.header(node).used; ++i) {
      Edge& edge = to.edges(node)[i];  // its child is still a slot of `from`
      const std::uint32_t source = edge.child;
      if (source == 0) continue;
      if (moved[source] == 0) {
        const std::uint32_t used = from.header(source).used;
        const std::uint32_t target = to.open(used, static_cast<Seat>(from.header(source).actor));
        if (target != 0) {
          to.header(target).used = used;
          std::copy_n(from.edges(source), used, to.edges(target));
          for (std::uint32_t k = 0; to.has_twins() && k < used; ++k)
            to.twin(to.edges(target) + k) = from.twin(from.edges(source) + k);
          take_header(source, target);
        }
      }
      edge.child = moved[source];
    }
  return moved;
}

// What a search had of its root moves when it began; empty if it began with nothing.
class Reused {
 public:
  Reused() = default;
  Reused(const Tree& tree, std::uint32_t root)
      : edges_(tree.edges(root), tree.edges(root) + tree.header(root).used) {}

  std::uint64_t visits() const {
    std::uint64_t sum = 0;
    for (const Edge& edge : edges_) sum += edge.n;
    return sum;
  }
  // Notes it in the rows, which have it in their sums already.
  void report(std::vector<Row>& rows) const {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      rows[i].reused += edges_[i].n;
      rows[i].reused_total += edges_[i].total;
    }
  }

 private:
  std::vector<Edge> edges_;  // as they were
};

}  // namespace kibitz
