// Multiple-observer information set MCTS (Cowling, Powley, Whitehouse 2012, MO-ISMCTS): a tree for
// every seat, walked together. Each iteration plays in a fresh world sampled from the view; the
// seat to move chooses in its own tree, and every tree follows the edge that its seat sees, of
// decisions and of outcomes alike. So no seat's choice hangs on what it cannot know, and what a
// move tells differs by seat. Selection as in ismcts.hpp: mean + c * sqrt(ln a / n), with the
// availability a.
//
// The trees begin at the view: what the others hold there is not in theirs. So they choose by the
// mean over the worlds, and of their cards only which moves are legal tells.
//
// Departs from the paper: a node is made at the second visit of its edge, not at the first; every
// seat maximises its own utility (max^n).
//
// It does not converge to an equilibrium: the worlds are uniform whatever others would have done to
// get here, and a mean of visits is not a mixed strategy. tests/test_known_answers.py has the
// numbers for poker.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/bonus.hpp>
#include <kibitz/search/most_visited.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>
#include <kibitz/search/tree.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Moismcts {
 public:
  static constexpr double default_exploration = 0.7;

  Moismcts(const typename G::Rules& rules, const typename G::View& view, const Request& request,
           int thread)
      : rules_(rules),
        seat_(G::seat(view)),
        seats_(static_cast<std::size_t>(G::seats(rules))),
        sampler_(rules, view),
        rng_(request.seed, "search", static_cast<std::uint64_t>(thread)),
        policy_(request.playout),
        utility_(request.utility),
        bonus_(static_cast<float>(
            (request.exploration > 0 ? request.exploration : default_exploration) * utility_unit)),
        root_moves_(root_moves<G>(rules, view, request)),
        trees_(seats_) {
    // A tree may grow by more than a node an iteration: outcomes and others' moves are nodes too.
    const std::size_t share = request.bytes / static_cast<std::size_t>(request.threads) / seats_;
    const std::size_t bytes = std::min(share, 4 * tree_bytes(request, thread, G::max_moves));
    for (std::size_t s = 0; s < seats_; ++s) {
      trees_[s].tree = std::make_unique<Tree>(bytes);
      trees_[s].root = trees_[s].tree->open(
          s == seat_ ? static_cast<std::uint32_t>(root_moves_.size()) : 8, seat_);
    }
    Observer& own = trees_[seat_];
    for (const Move move : root_moves_) own.tree->add(own.root, move);
  }

  // Selects, expands, plays out, backs up, once.
  void iterate() {
    typename G::State state;
    sampler_.draw(state, rng_);
    for (Observer& each : trees_) {
      each.node = each.root;
      each.length = 0;
      each.lost = false;
    }
    for (std::size_t depth = 0; depth < max_depth && !G::settled(rules_, state); ++depth) {
      const Turn turn = G::turn(rules_, state);
      if (turn.is_chance()) {
        const Move outcome = G::roll(rules_, state, rng_);
        for (std::size_t s = 0; s < seats_; ++s) follow(s, state, outcome, chance_actor);
        G::play(rules_, state, outcome);
        continue;
      }
      const Seat mover = turn.seat();
      Observer& own = trees_[mover];
      if (depth == 0)
        moves_ = root_moves_;
      else
        G::moves(rules_, state, moves_);
      if (own.lost || !arrive(own, static_cast<std::uint32_t>(moves_.size()), mover)) break;
      const std::uint32_t at = choose(own);
      if (at == none) break;
      const Move move = moves_[picked_];
      const bool fresh = own.tree->edges(own.node)[at].n == 0;
      step(own, at, mover);
      for (std::size_t s = 0; s < seats_; ++s)
        if (s != mover) follow(s, state, move, mover);
      G::play(rules_, state, move);
      deepest_ = std::max(deepest_, depth + 1);
      if (fresh) break;
    }
    play_out<G>(rules_, state, policy_, rng_);
    back_up(utilities<G>(rules_, state, utility_));
    ++iterations_;
  }

  // Makes room in the full trees. False if `broken_off`.
  bool prune(const BrokenOff& broken_off) {
    for (Observer& each : trees_)
      if (each.tree->full() && !each.tree->prune(each.root, broken_off)) return false;
    full_ = std::any_of(trees_.begin(), trees_.end(),
                        [](const Observer& each) { return each.tree->full(); });
    return true;
  }
  std::uint64_t pruned() const {
    std::uint64_t sum = 0;
    for (const Observer& each : trees_) sum += each.tree->pruned();
    return sum;
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t worlds() const { return iterations_; }
  std::uint64_t nodes() const {
    std::uint64_t sum = 0;
    for (const Observer& each : trees_) sum += each.tree->nodes();
    return sum;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Observer& each : trees_) sum += each.tree->bytes();
    return sum;
  }
  bool full() const { return full_; }
  int depth() const { return static_cast<int>(deepest_); }
  const Stake& stake() const { return stake_; }

  // What the seat's own tree says.
  void report(std::vector<Row>& rows, std::vector<std::uint64_t>& most) const {
    const Observer& own = trees_[seat_];
    add_root(rows, most, *own.tree, own.root, seat_, squares_.data());
  }

  static bool better(const Row& a, const Row& b) { return more_visited(a, b); }

 private:
  static constexpr std::size_t max_depth = 512;
  static constexpr std::uint32_t none = 0xffffffffu;

  struct Step {
    Edge* edge;
    Seat mover;
  };

  struct Fresh {
    std::uint32_t edge;
    std::uint32_t move;  // indices
  };

  // A seat's tree, and where the iteration under way is in it: `node` is 0 when it has left it or
  // stands below an edge without a node.
  struct Observer {
    std::unique_ptr<Tree> tree;
    std::uint32_t root = 0;
    std::uint32_t node = 0;
    std::array<Step, max_depth> path;
    std::size_t length = 0;
    bool lost = false;
  };

  // Makes the node where an iteration stands, if it has none yet.
  bool arrive(Observer& each, std::uint32_t room, Seat mover) {
    if (each.node != 0) return true;
    each.node = each.tree->open(room, mover);
    if (each.node == 0) {
      full_ = true;
      return false;
    }
    each.path[each.length - 1].edge->child = each.node;
    return true;
  }

  void step(Observer& each, std::uint32_t at, Seat mover) {
    Edge* edge = each.tree->edges(each.node) + at;
    each.path[each.length++] = {edge, mover};
    each.tree->prefetch(edge->child);
    each.node = edge->child;
  }

  // Index of the edge with that key, made if need be; none when the tree is full.
  std::uint32_t find(Observer& each, Move key) {
    const std::uint32_t used = each.tree->header(each.node).used;
    const Edge* edges = each.tree->edges(each.node);
    for (std::uint32_t i = 0; i < used; ++i)
      if (edges[i].move == key) return i;
    const std::uint32_t before = each.node;
    if (each.tree->add(each.node, key) == nullptr) {
      full_ = true;
      return none;
    }
    if (each.node != before) {
      if (each.length > 0)
        each.path[each.length - 1].edge->child = each.node;
      else
        each.root = each.node;
    }
    return used;
  }

  // The edge to follow of the seat to move, and in picked_ the move: one never visited if there is
  // one, uniformly, else the one with the highest score; none when the tree is full.
  std::uint32_t choose(Observer& own) {
    std::uint32_t fresh = 0;
    std::uint32_t pick = none;
    float best = -1.0f;
    for (std::uint32_t i = 0; i < moves_.size(); ++i) {
      const std::uint32_t at = find(own, moves_[i]);
      if (at == none) continue;
      Edge& edge = own.tree->edges(own.node)[at];
      ++edge.seen;
      if (edge.n == 0) {
        fresh_[fresh++] = {at, i};
      } else if (fresh == 0) {
        const float score = selection_score(edge.total, edge.n, edge.seen, bonus_);
        if (score > best) {
          best = score;
          pick = at;
          picked_ = i;
        }
      }
    }
    if (fresh == 0) return pick;
    const Fresh& one = fresh_[fresh > 1 ? rng_.below(fresh) : 0];
    picked_ = one.move;
    return one.edge;
  }

  void back_up(const Utilities& u) {
    for (Observer& each : trees_)
      for (std::size_t i = 0; i < each.length; ++i) {
        ++each.path[i].edge->n;
        if (each.path[i].mover != chance_actor) each.path[i].edge->total += u[each.path[i].mover];
      }
    stake_.add(u[seat_]);
    const Observer& own = trees_[seat_];
    if (own.length == 0) return;
    const auto root_edge = static_cast<std::size_t>(own.path[0].edge - own.tree->edges(own.root));
    const auto mine = static_cast<std::uint64_t>(u[seat_]);
    squares_[root_edge] += mine * mine;
  }

  // A seat that is not to move follows what it sees. When its tree is full it stays behind.
  void follow(std::size_t s, const typename G::State& state, Move move, Seat mover) {
    Observer& each = trees_[s];
    if (each.lost || !arrive(each, 4, mover)) {
      each.lost = true;
      return;
    }
    const std::uint32_t at = find(each, G::seen(rules_, state, move, static_cast<Seat>(s)));
    if (at == none) {
      each.lost = true;
      return;
    }
    step(each, at, mover);
  }

  const typename G::Rules& rules_;
  Seat seat_;
  std::size_t seats_;
  typename G::Sampler sampler_;
  Rng rng_;
  PlayoutPolicy policy_;
  UtilityKind utility_;
  float bonus_;
  MoveList<G> root_moves_;
  std::vector<Observer> trees_;
  bool full_ = false;  // one of them is
  std::uint64_t iterations_ = 0;
  MoveList<G> moves_;
  std::uint32_t picked_ = 0;
  std::array<Fresh, G::max_moves> fresh_;
  std::size_t deepest_ = 0;
  Stake stake_;
  std::array<std::uint64_t, G::max_moves> squares_{};
};

}  // namespace kibitz
