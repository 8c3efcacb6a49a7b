// What searches with one tree a thread have alike: the tree, what is counted, and how it is told.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kibitz/search/tree.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

class OneTree {
 public:
  // Makes room in a full tree. False if `broken_off`.
  bool prune(const BrokenOff& broken_off) { return tree_.prune(root_, broken_off); }
  std::uint64_t pruned() const { return tree_.pruned(); }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t worlds() const { return iterations_; }  // a fresh one each
  std::uint64_t nodes() const { return tree_.nodes(); }
  std::size_t bytes() const { return tree_.bytes(); }
  bool full() const { return tree_.full(); }
  int depth() const { return static_cast<int>(deepest_); }
  const Stake& stake() const { return stake_; }
  std::uint32_t root() const { return root_; }

 protected:
  explicit OneTree(std::size_t bytes, bool twins = false) : tree_(bytes, twins) {}

  Tree tree_;
  std::uint32_t root_ = 0;
  std::uint64_t iterations_ = 0;
  std::size_t deepest_ = 0;
  Stake stake_;
};

}  // namespace kibitz
