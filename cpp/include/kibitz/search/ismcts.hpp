// Single-observer information set MCTS (Cowling, Powley, Whitehouse 2012, SO-ISMCTS with partially
// observable moves). One tree from the searching seat's side; each iteration plays in a fresh world
// sampled from the view. Edges are keyed by what the searching seat sees, so worlds that differ in
// hidden cards only share statistics, and nothing hidden can steer the tree. The selection bonus
// counts how often an edge was available, a, not how often its parent was visited:
//     mean + c * sqrt(ln a / n)
// Where several legal moves look alike to the searching seat (a face-down card), the edge is chosen
// first and then one of them by the playout policy.
//
// Departs from the paper: a node is made at the second visit of its edge, not at the first; chance
// is open-loop (an outcome is rolled in the world at hand and makes no node); every seat maximises
// its own utility (max^n), partners share theirs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/amaf.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/bonus.hpp>
#include <kibitz/search/most_visited.hpp>
#include <kibitz/search/one_tree.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>
#include <kibitz/search/subtree.hpp>
#include <kibitz/search/tree.hpp>
#include <kibitz/search/tuned.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Ismcts : public OneTree {
 public:
  static constexpr double default_exploration = 0.7;

  Ismcts(const typename G::Rules& rules, const typename G::View& view, const Request& request,
         int thread)
      : OneTree(tree_bytes(request, thread, G::max_moves), request.tuning.rave > 0),
        rules_(rules),
        seat_(G::seat(view)),
        sampler_(rules, view),
        rng_(request.seed, "search", static_cast<std::uint64_t>(thread)),
        policy_(request.playout),
        utility_(request.utility),
        bonus_(static_cast<float>(
            (request.exploration > 0 ? request.exploration : default_exploration) * utility_unit)),
        tuned_(request.tuning),
        tunes_(request.tuning.selects()),
        played_(request.tuning.rave > 0 ? std::make_unique<Played>() : nullptr),
        root_moves_(root_moves<G>(rules, view, request)) {
    root_ = tree_.open(static_cast<std::uint32_t>(root_moves_.size()), seat_);
    for (const Move move : root_moves_) tree_.add(root_, move);
  }

  // Goes on after events that led to `node` of another one's tree (0: out of it), with its stream
  // and all it knows from there.
  Ismcts(const Ismcts& before, std::uint32_t node, const typename G::View& view,
         const Request& request, int thread)
      : Ismcts(before.rules_, view, request, thread) {
    rng_ = before.rng_;
    if (node == 0 || before.tree_.header(node).actor != seat_) return;
    copy_subtree(before.tree_, node, tree_, root_);
    reused_ = Reused(tree_, root_);
  }

  // Where an event as the seat sees it leads to: what chance brings makes no node here.
  static constexpr bool chance_has_nodes = false;
  std::uint32_t below(std::uint32_t node, Turn actor, Move seen) const {
    return actor.is_chance() ? node : child_of(tree_, node, actor.seat(), seen);
  }
  std::uint64_t reused() const { return reused_.visits(); }

  // Selects, expands, plays out, backs up, once.
  void iterate() {
    typename G::State state;
    sampler_.draw(state, rng_);
    path_length_ = 0;
    std::uint32_t node = root_;
    while (path_length_ < max_depth) {
      while (G::turn(rules_, state).is_chance() && !G::settled(rules_, state))
        G::play(rules_, state, G::roll(rules_, state, rng_));
      if (G::settled(rules_, state)) break;
      const Seat mover = G::turn(rules_, state).seat();
      if (node == root_)
        moves_ = root_moves_;
      else
        G::moves(rules_, state, moves_);
      if (node == 0) {
        node = tree_.open(static_cast<std::uint32_t>(moves_.size()), mover);
        if (node == 0) break;
        path_[path_length_ - 1].edge->child = node;
      }
      Edge* edge = mover == seat_ ? choose<true>(node, state) : choose<false>(node, state);
      if (edge == nullptr) break;
      tree_.prefetch(edge->child);
      path_[path_length_++] = {edge, mover};
      G::play(rules_, state, chosen_);
      if (edge->n == 0) break;
      node = edge->child;
    }
    deepest_ = std::max(deepest_, path_length_);
    if (played_) [[unlikely]]
      play_out_noted<G>(rules_, state, policy_, rng_, seat_, *played_);
    else
      play_out<G>(rules_, state, policy_, rng_);
    back_up(utilities<G>(rules_, state, utility_));
    ++iterations_;
  }

  void report(std::vector<Row>& rows, std::vector<std::uint64_t>& most) const {
    add_root(rows, most, tree_, root_, seat_, squares_.data());
    reused_.report(rows);
  }

  static bool better(const Row& a, const Row& b) { return more_visited(a, b); }

 private:
  static constexpr std::size_t max_depth = 512;

  struct Step {
    Edge* edge;
    Seat mover;
  };

  struct Option {
    std::uint32_t edge;
    std::uint32_t move;  // indices
  };

  // Picks the edge to follow and, in chosen_, the move to play in this world: an edge never visited
  // if there is one, uniformly, else the one with the highest score. Edges are made for moves not
  // met here before; null if the tree is full and none is known. At the searching seat's own nodes
  // (`own`) every move is an edge of its own; elsewhere several may look alike.
  template <bool own>
  Edge* choose(std::uint32_t& node, const typename G::State& state) {
    return tunes_ ? choose<own, true>(node, state) : choose<own, false>(node, state);
  }
  template <bool own, bool tunes>
  Edge* choose(std::uint32_t& node, const typename G::State& state) {
    const auto count = static_cast<std::uint32_t>(moves_.size());
    Edge* edges = tree_.edges(node);
    std::uint32_t used = tree_.header(node).used;
    if (count == 1) {  // more than a third of all decisions: nothing to weigh up
      const Move key = own ? moves_[0] : G::seen(rules_, state, moves_[0], seat_);
      std::uint32_t at = 0;
      if (used == 0 || edges[0].move != key) at = find(node, key);
      if (at == none) return nullptr;
      chosen_ = moves_[0];
      Edge* edge = tree_.edges(node) + at;
      ++edge->seen;
      if constexpr (tunes) note(node, at);
      return edge;
    }
    std::uint32_t known = 0;  // distinct edges
    std::uint32_t fresh = 0;  // of them never visited
    std::uint32_t pick = none;
    float best = -1.0f;
    Move last;
    if constexpr (!own) met_.fill(0);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Move key = own ? moves_[i] : G::seen(rules_, state, moves_[i], seat_);
      if constexpr (!own) {
        if (i > 0 && key == last) {  // looks like the move before
          keys_[i] = keys_[i - 1];
          continue;
        }
        last = key;
      }
      // Most nodes list their edges in legal order, so place i is looked at first.
      std::uint32_t at = i;
      if (i >= used || edges[i].move != key) [[unlikely]] {
        at = find(node, key);
        edges = tree_.edges(node);
        used = tree_.header(node).used;
      }
      if constexpr (!own) {
        keys_[i] = at;
        if (at == none || !meet(at)) continue;
      } else {
        if (at == none) continue;
      }
      ++known;
      Edge& edge = edges[at];
      ++edge.seen;
      if constexpr (tunes) {
        options_[known - 1] = {at, i};
      } else if (edge.n == 0) {
        options_[fresh++] = {at, i};
      } else if (fresh == 0) {
        const float score = selection_score(edge.total, edge.n, edge.seen, bonus_);
        if (score > best) {
          best = score;
          pick = at;
          chosen_ = moves_[i];
        }
      }
    }
    if (known == 0) return nullptr;
    if constexpr (tunes) {
      const Option& one = options_[weigh<own>(node, state, known)];
      pick = one.edge;
      chosen_ = moves_[one.move];
      note(node, pick);
    } else if (fresh > 0) {
      const Option& one = options_[fresh > 1 ? rng_.below(fresh) : 0];
      pick = one.edge;
      chosen_ = moves_[one.move];
    }
    if (!own && known != count) chosen_ = alike(pick, count, state);
    return edges + pick;
  }

  // Which of the edges in options_ to follow, by the tuned formula.
  template <bool own>
  std::uint32_t weigh(std::uint32_t node, const typename G::State& state, std::uint32_t known) {
    const Edge* edges = tree_.edges(node);
    std::uint32_t advised = none;
    if (tuned_.wants_hint()) {
      const Move move = decide<G>(rules_, state, PlayoutPolicy::hint, rng_);
      const Move key = own ? move : G::seen(rules_, state, move, seat_);
      for (std::uint32_t i = 0; i < known; ++i)
        if (edges[options_[i].edge].move == key) advised = i;
    }
    std::uint32_t tried = 0;
    std::uint32_t visits = 0;
    for (std::uint32_t i = 0; i < known; ++i) {
      tried += edges[options_[i].edge].n > 0;
      visits += edges[options_[i].edge].n;
    }
    const bool may_try = tried < known && tuned_.may_try(tried, visits);
    if (may_try && tuned_.tries_first()) {
      if (advised != none && edges[options_[advised].edge].n == 0) return advised;
      std::uint32_t skip = known - tried > 1 ? rng_.below(known - tried) : 0;
      for (std::uint32_t i = 0;; ++i)
        if (edges[options_[i].edge].n == 0 && skip-- == 0) return i;
    }
    std::uint32_t pick = 0;
    float best = -1e30f;
    for (std::uint32_t i = 0; i < known; ++i) {
      const Edge& edge = edges[options_[i].edge];
      if (edge.n == 0 && !may_try) continue;
      const Twin* twin = played_ ? &tree_.twin(&edge) : nullptr;
      const float bonus = bonus_ * std::sqrt(natural_log(edge.seen));
      const float score = tuned_.score(edge, twin, bonus, i == advised);
      if (score <= best) continue;
      best = score;
      pick = i;
    }
    return pick;
  }

  // Remembers a decision, for all-moves-as-first.
  void note(std::uint32_t node, std::uint32_t edge) {
    if (!played_) return;
    if (path_length_ == 0) played_->clear();
    played_->note(static_cast<Seat>(tree_.header(node).actor), tree_.edges(node)[edge].move);
    nodes_[path_length_] = node;
  }

  // Notes an edge as met at this node; false if it was already (two moves that look alike). Edges
  // past the words kept are told apart by nothing: they count as new.
  bool meet(std::uint32_t at) {
    if (at / 64 >= met_.size()) return true;
    std::uint64_t& word = met_[at / 64];
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    if (word & bit) return false;
    word |= bit;
    return true;
  }

  // One of the moves that look like edge `pick`: the policy's own if it is among them, else
  // uniform.
  Move alike(std::uint32_t pick, std::uint32_t count, const typename G::State& state) {
    std::uint32_t same = 0;
    for (std::uint32_t i = 0; i < count; ++i) same += keys_[i] == pick;
    if (same > 1 && policy_ == PlayoutPolicy::hint) {
      const Move advised = decide<G>(rules_, state, policy_, rng_);
      for (std::uint32_t i = 0; i < count; ++i)
        if (keys_[i] == pick && moves_[i] == advised) return advised;
    }
    std::uint32_t skip = same > 1 ? rng_.below(same) : 0;
    for (std::uint32_t i = 0; i < count; ++i)
      if (keys_[i] == pick && skip-- == 0) return moves_[i];
    return moves_[0];
  }

  // Index of the edge with that key, made if need be; none when the tree is full.
  std::uint32_t find(std::uint32_t& node, Move key) {
    const std::uint32_t used = tree_.header(node).used;
    const Edge* edges = tree_.edges(node);
    for (std::uint32_t i = 0; i < used; ++i)
      if (edges[i].move == key) return i;
    const std::uint32_t before = node;
    if (tree_.add(node, key) == nullptr) return none;
    if (node != before) path_[path_length_ - 1].edge->child = node;
    return used;
  }

  void back_up(const Utilities& u) {
    for (std::size_t i = 0; i < path_length_; ++i) {
      Edge& edge = *path_[i].edge;
      ++edge.n;
      edge.total += u[path_[i].mover];
    }
    if (played_) [[unlikely]]
      for (std::size_t i = 0; i < path_length_; ++i)
        credit(tree_, nodes_[i], static_cast<std::uint32_t>(i), path_[i].mover, u[path_[i].mover],
               *played_);
    stake_.add(u[seat_]);
    if (path_length_ == 0) return;
    const auto root_edge = static_cast<std::size_t>(path_[0].edge - tree_.edges(root_));
    const auto own = static_cast<std::uint64_t>(u[seat_]);
    squares_[root_edge] += own * own;
  }

  static constexpr std::uint32_t none = 0xffffffffu;

  const typename G::Rules& rules_;
  Seat seat_;
  typename G::Sampler sampler_;
  Rng rng_;
  PlayoutPolicy policy_;
  UtilityKind utility_;
  float bonus_;
  Tuned tuned_;
  bool tunes_;
  std::unique_ptr<Played> played_;  // for all-moves-as-first
  MoveList<G> root_moves_;
  MoveList<G> moves_;
  Move chosen_;
  std::array<std::uint32_t, G::max_moves> keys_;
  std::array<Option, G::max_moves>
      options_;  // to choose between: those never visited, or, tuned, all
  std::array<std::uint64_t, 2 * G::max_moves / 64 + 1> met_;
  std::array<Step, max_depth> path_;
  std::array<std::uint32_t, max_depth> nodes_;  // of the path; only where played_ is
  std::size_t path_length_ = 0;
  std::array<std::uint64_t, G::max_moves> squares_{};
  Reused reused_;
};

}  // namespace kibitz
