// What is kept of a tree: every statistic below the new root, shared nodes once, the rest nowhere.
#include <kibitz/search/subtree.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <kibitz/core/rng.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;

// A tree of made-up numbers, in which many nodes are reached in several ways.
std::vector<std::uint32_t> grow(Tree& tree, Rng& rng, int count) {
  std::vector<std::uint32_t> nodes{tree.open(3, 0)};
  for (std::uint32_t i = 0; i < 3; ++i) tree.add(nodes[0], Move{i});
  for (int k = 1; k < count; ++k) {
    std::uint32_t room = 1 + rng.below(4);
    const std::uint32_t node = tree.open(room, static_cast<Seat>(k % 3));
    std::uint32_t same = node;
    while (room-- > 0) tree.add(same, Move{room});
    for (std::uint32_t i = 0; i < tree.header(node).used; ++i) {
      Edge& edge = tree.edges(node)[i];
      edge.n = rng.below(1000);
      edge.seen = rng.below(1000);
      edge.total = static_cast<std::int64_t>(rng.below(100000));
    }
    tree.header(node).visits = rng.below(1000);
    tree.header(node).proof = rng.below(3);
    nodes.push_back(node);
  }
  // A child is one of the next few, so nothing goes round in a circle.
  for (std::uint32_t k = 0; k + 1 < nodes.size(); ++k) {
    const auto next = std::min<std::uint32_t>(8, static_cast<std::uint32_t>(nodes.size()) - k - 1);
    for (std::uint32_t i = 0; i < tree.header(nodes[k]).used; ++i)
      if (rng.below(8) != 0) tree.edges(nodes[k])[i].child = nodes[k + 1 + rng.below(next)];
  }
  return nodes;
}

// Counts the nodes below, comparing all of them; `pair` says which went where.
void compare(const Tree& a, std::uint32_t from, const Tree& b, std::uint32_t to,
             std::map<std::uint32_t, std::uint32_t>& pair) {
  const auto known = pair.find(from);
  if (known != pair.end()) {
    CHECK(known->second == to);
    return;
  }
  pair[from] = to;
  REQUIRE(a.header(from).used == b.header(to).used);
  CHECK(a.header(from).actor == b.header(to).actor);
  CHECK(a.header(from).visits == b.header(to).visits);
  CHECK(a.header(from).proof == b.header(to).proof);
  for (std::uint32_t i = 0; i < a.header(from).used; ++i) {
    const Edge& left = a.edges(from)[i];
    const Edge& right = b.edges(to)[i];
    CHECK(left.move == right.move);
    CHECK(left.n == right.n);
    CHECK(left.seen == right.seen);
    CHECK(left.total == right.total);
    CHECK((left.child == 0) == (right.child == 0));
    if (left.child != 0) compare(a, left.child, b, right.child, pair);
  }
}

}  // namespace

TEST_CASE("a subtree is copied whole, each node once") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, "test");
    Tree from(std::size_t{1} << 20), to(std::size_t{1} << 20);
    const std::vector<std::uint32_t> nodes = grow(from, rng, 60);
    const std::uint32_t old = nodes[rng.below(20)];
    std::uint32_t root = to.open(from.header(old).used, 0);
    for (std::uint32_t i = 0; i < from.header(old).used; ++i) to.add(root, from.edges(old)[i].move);
    const std::vector<std::uint32_t> moved = copy_subtree(from, old, to, root);
    std::map<std::uint32_t, std::uint32_t> pair;
    compare(from, old, to, root, pair);
    CHECK(to.nodes() == pair.size());
    for (const std::uint32_t node : nodes)
      CHECK(moved[node] == (pair.count(node) ? pair[node] : 0u));
  }
}

TEST_CASE("the new root has its own moves: known ones with what is known, others without") {
  Tree from(std::size_t{1} << 20), to(std::size_t{1} << 20);
  std::uint32_t old = from.open(3, 1);
  std::uint32_t child = from.open(1, 2);
  from.add(child, Move{9})->n = 5;
  for (const std::uint32_t code : {7u, 8u, 9u}) {
    Edge* edge = from.add(old, Move{code});
    edge->n = code;
    edge->child = child;
  }
  std::uint32_t root = to.open(3, 1);
  for (const std::uint32_t code : {9u, 6u, 8u}) to.add(root, Move{code});
  copy_subtree(from, old, to, root);
  CHECK(to.edges(root)[0].n == 9);
  CHECK(to.edges(root)[1].n == 0);
  CHECK(to.edges(root)[1].child == 0);
  CHECK(to.edges(root)[2].n == 8);
  CHECK(to.edges(root)[0].child == to.edges(root)[2].child);
  CHECK(to.edges(to.edges(root)[0].child)[0].n == 5);
  CHECK(to.nodes() == 2);
  const Reused reused(to, root);
  CHECK(reused.visits() == 17);
}

TEST_CASE("what finds no room is left out, and the rest holds together") {
  Rng rng(3, "test");
  Tree from(std::size_t{8} << 20), to(least_tree_bytes);
  const std::vector<std::uint32_t> nodes = grow(from, rng, 20'000);
  std::uint32_t root = to.open(3, 0);
  for (std::uint32_t i = 0; i < 3; ++i) to.add(root, Move{i});
  copy_subtree(from, nodes[0], to, root);
  CHECK(to.full());
  CHECK(to.bytes() <= least_tree_bytes);
  const auto slots = static_cast<std::uint32_t>(to.bytes() / sizeof(Slot));
  std::uint32_t count = 0;
  for (std::uint32_t node = root; node < slots; node += to.header(node).room + 1, ++count)
    for (std::uint32_t i = 0; i < to.header(node).used; ++i) CHECK(to.edges(node)[i].child < slots);
  CHECK(count == to.nodes());
}
