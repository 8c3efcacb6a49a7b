// The tree: edges keep their values when a node grows, old room is used again, a full tree says so.
#include <kibitz/search/tree.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

#include <kibitz/search/amaf.hpp>
#include <kibitz/search/bonus.hpp>
#include <kibitz/search/tuned.hpp>
#include <kibitz/search/utility.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;

Move move(std::uint32_t code) { return Move{code}; }

}  // namespace

TEST_CASE("an edge is at most 32 bytes") { CHECK(sizeof(Slot) <= 32); }

TEST_CASE("a node keeps its edges while it grows") {
  Tree tree(std::size_t{1} << 20);
  std::uint32_t node = tree.open(1, 3);
  for (std::uint32_t i = 1; i <= 200; ++i) {
    Edge* edge = tree.add(node, move(i));
    REQUIRE(edge != nullptr);
    edge->n = i;
    edge->total = -static_cast<std::int64_t>(i);
    CHECK(tree.header(node).actor == 3);
    CHECK(tree.header(node).used == i);
    CHECK(tree.header(node).used <= tree.header(node).room);
    for (std::uint32_t k = 0; k < i; ++k) {
      CHECK(tree.edges(node)[k].move == move(k + 1));
      CHECK(tree.edges(node)[k].n == k + 1);
      CHECK(tree.edges(node)[k].total == -static_cast<std::int64_t>(k + 1));
    }
  }
  CHECK(tree.nodes() == 1);
}

TEST_CASE("nodes don't overlap") {
  Tree tree(std::size_t{1} << 20);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < 50; ++i) nodes.push_back(tree.open(1 + i % 5, 0));
  for (std::uint32_t round = 0; round < 9; ++round)
    for (std::uint32_t i = 0; i < 50; ++i) {
      Edge* edge = tree.add(nodes[i], move(1000 * i + round));
      REQUIRE(edge != nullptr);
      edge->seen = i;
    }
  for (std::uint32_t i = 0; i < 50; ++i)
    for (std::uint32_t round = 0; round < 9; ++round) {
      CHECK(tree.edges(nodes[i])[round].move == move(1000 * i + round));
      CHECK(tree.edges(nodes[i])[round].seen == i);
    }
}

TEST_CASE("room that a node has left is used again") {
  Tree tree(std::size_t{1} << 20);
  std::uint32_t first = tree.open(2, 0);
  const std::uint32_t left = first;
  for (std::uint32_t i = 1; i <= 3; ++i) tree.add(first, move(i));
  CHECK(first != left);
  const std::size_t before = tree.bytes();
  CHECK(tree.open(2, 1) == left);
  CHECK(tree.bytes() == before);
}

TEST_CASE("a full tree opens and grows nothing more, and loses nothing") {
  Tree tree(std::size_t{1} << 12);
  std::uint32_t root = tree.open(4, 0);
  for (std::uint32_t i = 1; i <= 4; ++i) tree.add(root, move(i));
  std::uint64_t opened = 1;
  while (tree.open(10, 1) != 0) {
    ++opened;
    REQUIRE(opened < 1'000'000);
  }
  while (tree.open(1, 1) != 0) ++opened;
  CHECK(tree.full());
  CHECK(tree.nodes() == opened);
  const std::uint32_t before = root;
  CHECK(tree.add(root, move(5)) == nullptr);
  CHECK(root == before);
  CHECK(tree.header(root).used == 4);
  for (std::uint32_t i = 1; i <= 4; ++i) CHECK(tree.edges(root)[i - 1].move == move(i));
}

namespace {

const auto never = [] { return false; };

// A root whose children have 1, 2, 3, ... visits, each with a child of its own of as many, until
// the tree is full.
std::uint32_t grown(Tree& tree, bool twins) {
  std::uint32_t root = tree.open(4, 0);
  for (std::uint32_t i = 1; !tree.full(); ++i) {
    Edge* edge = tree.add(root, move(i));
    if (edge == nullptr) break;
    edge->n = i;
    edge->total = 2 * i;
    if (twins) tree.twin(edge) = {3 * i, 1};
    std::uint32_t child = tree.open(3, 1);
    if (child == 0) break;
    tree.edges(root)[i - 1].child = child;
    Edge* below = tree.add(child, move(1000 + i));
    below->n = i;
    const std::uint32_t last = tree.open(1 + i % 7, 2);
    if (last != 0) tree.edges(child)[0].child = last;
  }
  return root;
}

}  // namespace

TEST_CASE("a pruned tree keeps what was visited most, and its room is used again") {
  for (const bool twins : {false, true}) {
    Tree tree(std::size_t{1} << 17, twins);
    const std::uint32_t root = grown(tree, twins);
    REQUIRE(tree.full());
    const std::size_t before = tree.bytes();
    REQUIRE(tree.prune(root, never));
    CHECK(!tree.full());
    CHECK(tree.pruned() > tree.nodes() / 3);
    CHECK(tree.pruned() < tree.nodes());
    bool kept = false;
    const std::uint32_t used = tree.header(root).used;
    for (std::uint32_t i = 1; i <= used; ++i) {
      const Edge& edge = tree.edges(root)[i - 1];
      CHECK(edge.n == i);
      CHECK(edge.total == 2 * i);
      if (twins) CHECK(tree.twin(&edge).total == 3 * i);
      if (kept && i + 2 < used) CHECK(edge.child != 0);  // the last ones found the tree full
      if (edge.child == 0) continue;
      kept = true;
      CHECK(tree.edges(edge.child)[0].move == move(1000 + i));
      CHECK(tree.edges(edge.child)[0].n == i);
    }
    CHECK(kept);
    // Nothing that is kept is handed out again, whatever sizes are asked for.
    std::uint64_t opened = 0;
    for (std::uint32_t i = 0; !tree.full(); ++i) {
      std::uint32_t node = tree.open(1 + i % 9, 7);
      if (node == 0) break;
      ++opened;
      for (std::uint32_t k = 0; k < 1 + i % 12; ++k) {
        Edge* edge = tree.add(node, move(77));
        if (edge != nullptr) edge->n = 1;
      }
    }
    CHECK(opened > 100);
    CHECK(tree.bytes() <= before + 64 * sizeof(Slot));
    for (std::uint32_t i = 1; i <= used; ++i) {
      const Edge& edge = tree.edges(root)[i - 1];
      CHECK(edge.n == i);
      if (edge.child != 0) CHECK(tree.edges(edge.child)[0].move == move(1000 + i));
    }
  }
}

TEST_CASE("pruning that is broken off changes no edge, and can be done again") {
  Tree tree(std::size_t{1} << 20);
  const std::uint32_t root = grown(tree, false);
  for (int asked = 0; asked < 12; ++asked) {
    int left = asked;
    const bool done = tree.prune(root, [&] { return left-- == 0; });
    if (done) break;
    CHECK(tree.full());
    CHECK(tree.pruned() == 0);
  }
  if (tree.full()) REQUIRE(tree.prune(root, never));
  CHECK(tree.pruned() > 0);
  for (std::uint32_t i = 1; i <= tree.header(root).used; ++i) CHECK(tree.edges(root)[i - 1].n == i);
  CHECK(tree.open(3, 1) != 0);
}

TEST_CASE("all-moves-as-first counts a move for its seat, from where the node stands on") {
  Played played;
  for (int iteration = 0; iteration < 3; ++iteration) {
    played.clear();
    played.note(0, move(5));
    played.note(1, move(6));
    played.note(0, move(7));
    played.note(1, move(5));
    CHECK(played.since(0, 0, move(5)));
    CHECK(!played.since(1, 0, move(5)));  // made before
    CHECK(played.since(2, 1, move(5)));   // by the other seat
    CHECK(!played.since(0, 1, move(7)));
    CHECK(played.since(2, 0, move(7)));
    CHECK(!played.since(3, 0, move(7)));
  }
  Tree tree(std::size_t{1} << 17, true);
  std::uint32_t node = tree.open(3, 0);
  for (const std::uint32_t code : {5u, 6u, 7u}) tree.add(node, move(code));
  credit(tree, node, 0, 0, 420, played);
  credit(tree, node, 1, 0, 840, played);
  const Edge* edges = tree.edges(node);
  CHECK(tree.twin(&edges[0]).n == 1);
  CHECK(tree.twin(&edges[0]).total == 420);
  CHECK(tree.twin(&edges[1]).n == 0);
  CHECK(tree.twin(&edges[2]).n == 2);
  CHECK(tree.twin(&edges[2]).total == 1260);
  CHECK(edges[2].n == 0);
  played.clear();
  CHECK(!played.since(0, 0, move(7)));
}

TEST_CASE("the tuned score is mean, mix, bonus and bias") {
  Tuning tuning;
  tuning.first_play = 0.5;
  tuning.bias = 0.25;
  tuning.rave = 12;
  tuning.widening = 1;
  const Tuned tuned(tuning);
  const Edge fresh{move(1), 0, 0, 0, 0}, tried{move(2), 4, 0, 0, 4 * 840};
  const Twin twin{0, 7};
  CHECK(tuned.score(fresh, nullptr, 100, false) == 420.0f);
  CHECK(tuned.score(fresh, nullptr, 100, true) == 630.0f);
  CHECK(tuned.score(fresh, &twin, 100, false) == 0.0f);
  CHECK(tuned.score(tried, nullptr, 100, false) == 890.0f);  // 840 + 100 / 2
  CHECK(tuned.score(tried, nullptr, 100, true) == 932.0f);   // 210 / 5 more
  // A share sqrt(12 / (12 + 12)) of all-moves-as-first, which is 0 here.
  CHECK(std::abs(tuned.score(tried, &twin, 0, false) - 840 * (1 - std::sqrt(0.5))) < 0.01);
  CHECK(tuned.may_try(3, 9));
  CHECK(!tuned.may_try(4, 9));
}

TEST_CASE("the own logarithm is the logarithm") {
  for (std::uint32_t n = 1; n < 5'000'000; n += 1 + n / 50)
    CHECK(std::abs(natural_log(n) - std::log(static_cast<double>(n))) < 1e-3);
  CHECK(natural_log(1) == 0.0f);
}

TEST_CASE("utilities are whole numbers of 1/840 from 0 to 1") {
  CHECK(utility_of(UtilityKind::win, 1, 0) == 840);
  CHECK(utility_of(UtilityKind::win, 0, 1) == 0);
  CHECK(utility_of(UtilityKind::score, 0, 1) == 840);
  CHECK(utility_of(UtilityKind::score, 0, -1) == 0);
  CHECK(utility_of(UtilityKind::score, 1, 0) == 420);
  for (int k = 1; k <= 8; ++k) CHECK(utility_of(UtilityKind::win, 1.0 / k, 0) * k == 840);
  for (const double margin : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    CHECK(utility_of(UtilityKind::win_margin, 0, margin) <
          utility_of(UtilityKind::win_margin, 1, margin));
    CHECK(utility_of(UtilityKind::win_margin, 1, margin) <= 840);
    CHECK(utility_of(UtilityKind::win_margin, 0, margin) >= 0);
  }
}
