// The tree: edges keep their values when a node grows, old room is used again, a full tree says so.
#include <kibitz/search/tree.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

#include <kibitz/search/bonus.hpp>
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
