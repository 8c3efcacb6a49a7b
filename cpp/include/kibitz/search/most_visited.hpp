// What a tree says that is judged by visits: the rows of its root, the move to choose, the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/search/analysis.hpp>
#include <kibitz/search/tree.hpp>

namespace kibitz {

// The most visited move; of equals the higher mean, then the first in legal order.
inline bool more_visited(const Row& a, const Row& b) {
  if (a.visits != b.visits) return a.visits > b.visits;
  return a.total > b.total;
}

// The most visited events below an edge, as long as seats decide: what chance brings is not to be
// expected. `seat` is the one that searches.
inline std::vector<LineStep> most_visited_line(const Tree& tree, const Edge& first, Seat seat) {
  std::vector<LineStep> line{{Turn::of(seat), first.move}};
  const Edge* edge = &first;
  while (edge->child && line.size() < 32) {
    const NodeHeader& header = tree.header(edge->child);
    if (header.actor == chance_actor) break;
    const Edge* best = nullptr;
    for (std::uint32_t i = 0; i < header.used; ++i) {
      const Edge* e = tree.edges(edge->child) + i;
      if (e->n > 0 && (best == nullptr || e->n > best->n)) best = e;
    }
    if (best == nullptr) break;
    line.push_back({Turn::of(static_cast<Seat>(header.actor)), best->move});
    edge = best;
  }
  return line;
}

// Adds a root to `rows` (legal order). Each row keeps the line of the tree that visited it most, of
// the first among equals; `squares` are the sums of squared utilities by move.
inline void add_root(std::vector<Row>& rows, std::vector<std::uint64_t>& most, const Tree& tree,
                     std::uint32_t root, Seat seat, const std::uint64_t* squares) {
  const Edge* edges = tree.edges(root);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    row.visits += edges[i].n;
    row.total += edges[i].total;
    row.squares += squares[i];
    if (edges[i].n <= most[i]) continue;
    most[i] = edges[i].n;
    row.line = most_visited_line(tree, edges[i], seat);
  }
}

}  // namespace kibitz
