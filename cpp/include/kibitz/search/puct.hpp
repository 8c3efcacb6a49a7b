// PUCT: a tree steered by an evaluator's priors, its leaves worth what the evaluator says (Rosin
// 2011; Silver et al. 2017, AlphaGo Zero), over information sets as in ismcts.hpp: one tree from
// the searching seat's side, a fresh world each iteration, edges keyed by what that seat sees,
// chance open-loop, every seat maximises its own utility (max^n). Selection among the edges
// available here:
//     mean + c * p * sqrt(sum of n) / (1 + n)
// p is the prior, scaled to a sum of 1 over those edges; an edge not visited yet has the mean of
// those that are.
//
// A leaf is judged by what its mover knows in the world at hand. Worlds differ in what the mover
// holds, so where something is hidden a node's priors are a mean over worlds: it is judged again at
// its 4th, 16th, 64th ... visit. It is so too, in any game, when a move is legal that was not
// before. Such an iteration ends there, with the fresh judgement.
//
// Leaves wait until a batch is full and are judged together. An edge on the way to one counts as
// visited from the start, with utility 0 until the judgement is in: the virtual loss (Chaslot et
// al. 2008), which sends the next iteration elsewhere. An iteration that comes to a node whose
// first judgement is still awaited has the batch judged early, and goes on from there: none is
// wasted.
//
// The root is judged before the first iteration, from the view itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/evaluator.hpp>
#include <kibitz/search/most_visited.hpp>
#include <kibitz/search/one_tree.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>
#include <kibitz/search/tree.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Puct : public OneTree {
 public:
  static constexpr double default_exploration = 1.25;
  static constexpr bool batched = true;  // iterate() makes many iterations

  // Precondition: the request has an evaluator.
  Puct(const typename G::Rules& rules, const typename G::View& view, const Request& request,
       int thread)
      : OneTree(tree_bytes(request, thread, G::max_moves)),
        rules_(rules),
        view_(view),
        seat_(G::seat(view)),
        sampler_(rules, view),
        rng_(request.seed, "search", static_cast<std::uint64_t>(thread)),
        evaluator_(*request.evaluator),
        batch_(request.batch),
        most_(request.iterations.empty() ? max_iterations
                                         : request.iterations[static_cast<std::size_t>(thread)]),
        policy_(request.playout),
        utility_(request.utility),
        bonus_(static_cast<float>(
            (request.exploration > 0 ? request.exploration : default_exploration) * utility_unit)),
        root_moves_(root_moves<G>(rules, view, request)) {
    root_ = tree_.open(static_cast<std::uint32_t>(root_moves_.size()), seat_);
    for (const Move move : root_moves_) tree_.add(root_, move);
  }

  // A batch of iterations, fewer where the request asks for no more. Nothing waits afterwards. If
  // the evaluator throws, all is as it was before the leaves that it was asked about.
  void iterate() {
    if (iterations_ >= most_) return;
    if (judged(root_) == 0) judge_root();
    const std::uint64_t end = iterations_ + std::min<std::uint64_t>(batch_, most_ - iterations_);
    while (iterations_ + waiting_.size() < end) descend();
    judge();
  }

  void report(std::vector<Row>& rows, std::vector<std::uint64_t>& most) const {
    add_root(rows, most, tree_, root_, seat_, squares_.data());
  }

  static bool better(const Row& a, const Row& b) { return more_visited(a, b); }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  // An edge that an iteration followed. By place: a node moves when it grows.
  struct Step {
    std::uint32_t node;
    std::uint32_t edge;
    Seat mover;
  };

  // A leaf to be judged, and the way to it: steps_[first] and on.
  struct Waiting {
    typename G::View view;  // the mover's, in its world
    MoveList<G> moves;      // legal there
    MoveList<G> seen;       // the same as the searching seat sees them
    std::uint32_t node;     // 0 where the tree is full
    std::size_t first;
    std::size_t steps;
    Seat mover;
  };

  Edge& edge_of(const Step& step) { return tree_.edges(step.node)[step.edge]; }
  std::uint32_t& judged(std::uint32_t node) { return tree_.header(node).proof; }  // how often

  static float prior(const Edge& edge) { return std::bit_cast<float>(edge.seen); }
  static void set_prior(Edge& edge, float p) { edge.seen = std::bit_cast<std::uint32_t>(p); }

  // Follows the tree in a fresh world to where the worth is known, or to a leaf, which then waits.
  void descend() {
    typename G::State state;
    sampler_.draw(state, rng_);
    first_ = steps_.size();
    std::uint32_t node = root_;
    for (;;) {
      while (G::turn(rules_, state).is_chance() && !G::settled(rules_, state))
        G::play(rules_, state, G::roll(rules_, state, rng_));
      if (G::settled(rules_, state)) {
        back_up(first_, steps_.size(), utilities<G>(rules_, state, utility_));
        steps_.resize(first_);
        return;
      }
      const Seat mover = G::turn(rules_, state).seat();
      list_moves(state, mover, node == root_);
      if (node == 0) {
        node = tree_.open(static_cast<std::uint32_t>(moves_.size()), mover);
        edge_of(steps_.back()).child = node;
      } else if (judged(node) == 0) {
        judge();  // its leaf waits
        node = edge_of(steps_.back()).child;
      }
      if (node == 0 || to_judge(node)) {
        wait(G::view(rules_, state, mover), node, mover);
        return;
      }
      const std::uint32_t chosen = choose(node, state);
      Edge& edge = tree_.edges(node)[chosen];
      ++edge.n;
      steps_.push_back({node, chosen, mover});
      deepest_ = std::max(deepest_, steps_.size() - first_);
      G::play(rules_, state, move_);
      node = edge.child;
    }
  }

  // The moves that a node chooses between, and what the searching seat sees of each.
  void list_moves(const typename G::State& state, Seat mover, bool root) {
    if (root) {
      moves_ = seen_ = root_moves_;
      return;
    }
    G::moves(rules_, state, moves_);
    seen_.clear();
    for (const Move move : moves_)
      seen_.push_back(mover == seat_ ? move : G::seen(rules_, state, move, seat_));
  }

  // Whether an iteration ends at a node to have it judged; if not, at_ has the edges of the moves.
  bool to_judge(std::uint32_t node) {
    NodeHeader& header = tree_.header(node);
    ++header.visits;
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if ((at_[i] = find(node, seen_[i], static_cast<std::uint32_t>(i))) == none) return true;
    const bool power_of_four =
        std::has_single_bit(header.visits) && std::countr_zero(header.visits) % 2 == 0;
    return !is_open<G>() && node != root_ && power_of_four;
  }

  // Index of the edge with that key, or none. Most nodes list their edges in legal order.
  std::uint32_t find(std::uint32_t node, Move key, std::uint32_t guess) const {
    const std::uint32_t used = tree_.header(node).used;
    const Edge* edges = tree_.edges(node);
    if (guess < used && edges[guess].move == key) return guess;
    for (std::uint32_t i = 0; i < used; ++i)
      if (edges[i].move == key) return i;
    return none;
  }

  // Picks the edge to follow and, in move_, the move to play in this world.
  std::uint32_t choose(std::uint32_t node, const typename G::State& state) {
    const Edge* edges = tree_.edges(node);
    const std::size_t count = moves_.size();
    begin_meeting(node);
    std::uint32_t known = 0;  // distinct edges, the first of them in at_[..known]
    std::uint64_t visits = 0;
    std::int64_t total = 0;
    float priors = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!meet(at_[i])) continue;
      const Edge& edge = edges[at_[i]];
      visits += edge.n;
      total += edge.total;
      priors += prior(edge);
      distinct_[known++] = static_cast<std::uint32_t>(i);
    }
    const float unvisited = visits ? static_cast<float>(total) / static_cast<float>(visits) : 0.0f;
    const float reach = bonus_ * std::sqrt(static_cast<float>(std::max<std::uint64_t>(visits, 1)));
    const float share = priors > 0 ? reach / priors : reach / static_cast<float>(known);
    std::uint32_t pick = 0;
    float best = -1.0f;
    for (std::uint32_t k = 0; k < known; ++k) {
      const Edge& edge = edges[at_[distinct_[k]]];
      const auto n = static_cast<float>(edge.n);
      const float mean = edge.n ? static_cast<float>(edge.total) / n : unvisited;
      const float score = mean + share * (priors > 0 ? prior(edge) : 1.0f) / (1.0f + n);
      if (score > best) {
        best = score;
        pick = distinct_[k];
      }
    }
    move_ = known == count ? moves_[pick] : alike(at_[pick], state);
    return at_[pick];
  }

  // One of the moves that look like an edge: the policy's own if it is among them, else uniform.
  Move alike(std::uint32_t edge, const typename G::State& state) {
    const auto count = static_cast<std::uint32_t>(moves_.size());
    std::uint32_t same = 0;
    for (std::uint32_t i = 0; i < count; ++i)
      if (at_[i] == edge) distinct_[same++] = i;
    if (same > 1 && policy_ == PlayoutPolicy::hint) {
      const Move advised = decide<G>(rules_, state, policy_, rng_);
      for (std::uint32_t i = 0; i < same; ++i)
        if (moves_[distinct_[i]] == advised) return advised;
    }
    return moves_[distinct_[same > 1 ? rng_.below(same) : 0]];
  }

  // Telling apart the edges of one node that several moves lead to.
  void begin_meeting(std::uint32_t node) {
    ++meeting_;
    if (met_.size() < tree_.header(node).used) met_.resize(tree_.header(node).used, 0);
  }
  bool meet(std::uint32_t edge) {  // false if met before
    const bool fresh = met_[edge] != meeting_;
    met_[edge] = meeting_;
    return fresh;
  }

  // ---- judging ----

  void wait(const typename G::View& view, std::uint32_t node, Seat mover) {
    waiting_.push_back({view, moves_, seen_, node, first_, steps_.size() - first_, mover});
  }

  void judge_root() {
    G::moves(rules_, view_, moves_);  // all legal ones, also where fewer are allowed
    seen_ = moves_;
    first_ = 0;
    wait(view_, root_, seat_);
    judge();
  }

  // Has all that wait judged, backs up and opens their nodes. The way of an iteration that has not
  // come to its leaf yet stays in steps_.
  void judge() {
    if (waiting_.empty()) return;
    ask();
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const Waiting& leaf = waiting_[i];
      if (leaf.steps == 0) continue;  // the root
      Utilities u{};
      for (std::size_t s = 0; s < u.size(); ++s)
        u[s] = static_cast<std::int32_t>(leaves_[i].utility[s] * utility_unit + 0.5);
      back_up(leaf.first, leaf.first + leaf.steps, u);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      if (waiting_[i].node != 0) fill(waiting_[i], leaves_[i].priors);
    const std::size_t done = waiting_.back().first + waiting_.back().steps;
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(done));
    first_ = 0;
    waiting_.clear();
  }

  void ask() {
    std::size_t moves = 0;
    for (const Waiting& leaf : waiting_) moves += leaf.moves.size();
    priors_.resize(moves);
    leaves_.clear();
    float* priors = priors_.data();
    for (const Waiting& leaf : waiting_) {
      const std::size_t count = leaf.moves.size();
      leaves_.push_back({std::as_bytes(std::span(&leaf.view, 1)),
                         {leaf.moves.begin(), count},
                         leaf.mover,
                         {priors, count},
                         {}});
      priors += count;
    }
    try {
      evaluator_.judge(leaves_);
    } catch (...) {
      for (const Step& step : steps_) --edge_of(step).n;
      steps_.clear();
      waiting_.clear();
      throw;
    }
  }

  void back_up(std::size_t first, std::size_t end, const Utilities& u) {
    for (std::size_t i = first; i < end; ++i) edge_of(steps_[i]).total += u[steps_[i].mover];
    stake_.add(u[seat_]);
    ++iterations_;
    if (first == end) return;
    const auto own = static_cast<std::uint64_t>(u[seat_]);
    squares_[steps_[first].edge] += own * own;
  }

  // Takes a judgement's priors into its node. Those of moves that look alike are added up; an edge
  // that had one keeps the mean of both, by how often the node was judged.
  void fill(Waiting& leaf, std::span<const float> priors) {
    const auto times = static_cast<float>(++judged(leaf.node));
    const std::uint32_t before = tree_.header(leaf.node).used;
    for (std::size_t i = 0; i < leaf.seen.size(); ++i) {
      at_[i] = find(leaf.node, leaf.seen[i], static_cast<std::uint32_t>(i));
      if (at_[i] == none && leaf.node != root_) at_[i] = add(leaf, leaf.seen[i]);
    }
    begin_meeting(leaf.node);
    sums_.resize(met_.size());
    Edge* edges = tree_.edges(leaf.node);
    for (std::size_t i = 0; i < leaf.seen.size(); ++i) {
      if (at_[i] == none) continue;
      float& sum = sums_[at_[i]];
      sum = meet(at_[i]) ? priors[i] : sum + priors[i];
    }
    begin_meeting(leaf.node);
    for (std::size_t i = 0; i < leaf.seen.size(); ++i) {
      if (at_[i] == none || !meet(at_[i])) continue;
      Edge& edge = edges[at_[i]];
      const float sum = sums_[at_[i]];
      const bool had = at_[i] < before && times > 1;
      set_prior(edge, had ? prior(edge) + (sum - prior(edge)) / times : sum);
    }
  }

  // A new edge of a leaf's node; none when the tree is full. If the node moves, all ways follow.
  std::uint32_t add(Waiting& leaf, Move key) {
    const std::uint32_t before = leaf.node;
    std::uint32_t node = before;
    if (tree_.add(node, key) == nullptr) return none;
    if (node != before) {
      edge_of(steps_[leaf.first + leaf.steps - 1]).child = node;
      for (Step& step : steps_)
        if (step.node == before) step.node = node;
      for (Waiting& other : waiting_)
        if (other.node == before) other.node = node;
    }
    return tree_.header(node).used - 1;
  }

  const typename G::Rules& rules_;
  typename G::View view_;
  Seat seat_;
  typename G::Sampler sampler_;
  Rng rng_;
  Evaluator& evaluator_;
  std::uint32_t batch_;
  std::uint64_t most_;
  PlayoutPolicy policy_;
  UtilityKind utility_;
  float bonus_;
  MoveList<G> root_moves_;

  // The iteration under way.
  MoveList<G> moves_, seen_;
  std::array<std::uint32_t, G::max_moves> at_;        // the edge of each move
  std::array<std::uint32_t, G::max_moves> distinct_;  // indices of moves
  Move move_;
  std::size_t first_ = 0;           // its first step
  std::vector<std::uint64_t> met_;  // by edge: the meeting it was last met at
  std::uint64_t meeting_ = 0;

  // The batch.
  std::vector<Step> steps_;
  std::vector<Waiting> waiting_;
  std::vector<Leaf> leaves_;
  std::vector<float> priors_;
  std::vector<float> sums_;  // by edge

  std::array<std::uint64_t, G::max_moves> squares_{};
};

}  // namespace kibitz
