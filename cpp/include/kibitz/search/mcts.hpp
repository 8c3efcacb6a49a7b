// UCT (Kocsis and Szepesvari 2006, UCB1) over open positions: any number of seats, chance nodes,
// proofs. One tree; an edge's score is
//     mean + c * sqrt(ln N / n)
// with the visits N of its node and n of the edge; edges never visited come first, in random order.
//
// Proofs (MCTS-Solver of Winands, Bjornsson, Saito 2008, generalised to max^n): a settled position
// proves its edge, with what each seat gets there. A node is proven when all its edges are and
// those best for the mover give every seat the same, or, between two sides, as soon as one edge
// gives the mover all there is. With more than two sides the latter proves nothing: the mover may
// choose between equals, and the others care which. A proven edge is worth its exact utility,
// without a bonus. Where that is the highest score, the iteration goes on below the best edge that
// is still open, and what it finds counts there; above, the proven utility is backed up, for that
// is what the mover can have. Chance stops proofs.
//
// Where a game has `key`, positions that are reached in several ways share a node, and each edge
// keeps its own statistics (UCT1 of Childs, Brodeur, Kocsis 2008).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/amaf.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/bonus.hpp>
#include <kibitz/search/one_tree.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>
#include <kibitz/search/subtree.hpp>
#include <kibitz/search/transpositions.hpp>
#include <kibitz/search/tree.hpp>
#include <kibitz/search/tuned.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Mcts : public OneTree {
 public:
  static constexpr double default_exploration = 0.7;

  // What the root moves were worth, world by world: sums over them, in 1/840.
  struct Votes {
    std::array<std::uint64_t, G::max_moves> visits{};
    std::array<std::int64_t, G::max_moves> total{};
    std::array<std::uint64_t, G::max_moves> squares{};
  };

  // From the one world of a view in which nothing is hidden.
  Mcts(const typename G::Rules& rules, const typename G::View& view, const Request& request,
       int thread)
      : Mcts(rules, G::seat(view), root_moves<G>(rules, view, request), request,
             Rng(request.seed, "search", static_cast<std::uint64_t>(thread)),
             tree_bytes(request, thread, G::max_moves), Keyed<G>) {
    const typename G::Sampler sampler(rules, view);
    typename G::State state;
    sampler.draw(state, rng_);
    restart(state);
  }

  // Goes on after events that led to `node` of another one's tree (0: out of it), with its stream
  // and all it knows from there, proofs and shared positions included.
  Mcts(const Mcts& before, std::uint32_t node, const typename G::View& view, const Request& request,
       int thread)
      : Mcts(before.rules_, view, request, thread) {
    rng_ = before.rng_;
    if (node == 0 || before.tree_.header(node).actor != seat_) return;
    const std::vector<std::uint32_t> moved = copy_subtree(before.tree_, node, tree_, root_);
    before.table_.each([&](std::uint64_t key, std::uint32_t old) {
      if (moved[old] != 0) table_.insert(key, moved[old]);
    });
    outcomes_ = before.outcomes_;
    outcomes_.reserve(max_outcomes);
    open_ = 0;
    for (std::size_t i = 0; i < root_moves_.size(); ++i)
      open_ += proof_of(tree_.edges(root_)[i]) == 0;
    reused_ = Reused(tree_, root_);
  }

  // Where an event leads to; outcomes of chance have nodes, too.
  static constexpr bool chance_has_nodes = true;
  std::uint32_t below(std::uint32_t node, Turn actor, Move seen) const {
    return child_of(tree_, node, actor.is_chance() ? chance_actor : actor.seat(), seen);
  }
  std::uint64_t reused() const { return reused_.visits(); }

  // For positions that `restart` gives, the first one before the first iteration. `shares`: a
  // quarter of the memory is for the table of shared positions.
  Mcts(const typename G::Rules& rules, Seat seat, const MoveList<G>& moves, const Request& request,
       Rng rng, std::size_t bytes, bool shares)
      : OneTree(shares ? bytes - bytes / 4 : bytes, request.tuning.rave > 0),
        rules_(rules),
        seat_(seat),
        rng_(rng),
        table_(shares ? bytes / 4 : 0),
        policy_(request.playout),
        utility_(request.utility),
        bonus_(static_cast<float>(
            (request.exploration > 0 ? request.exploration : default_exploration) * utility_unit)),
        tuned_(request.tuning),
        tunes_(request.tuning.selects()),
        proves_(request.tuning.proofs),
        played_(request.tuning.rave > 0 ? std::make_unique<Played>() : nullptr),
        two_sides_(sides_of(rules) <= 2),
        root_moves_(moves) {
    outcomes_.reserve(max_outcomes);
  }

  // Forgets the tree and begins from a position in which the same moves are legal.
  void restart(const typename G::State& state) {
    root_state_ = state;
    tree_.clear();
    outcomes_.clear();
    squares_.fill(0);
    root_ = tree_.open(static_cast<std::uint32_t>(root_moves_.size()), seat_);
    for (const Move move : root_moves_) tree_.add(root_, move);
    if (tuned_.wants_hint()) [[unlikely]]
      advise(root_, state);
    open_ = root_moves_.size();
  }

  // Adds this position to the votes: exactly what a move is worth where that is proven, else its
  // mean so far.
  void worths(Votes& votes) const {
    const Edge* edges = tree_.edges(root_);
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
      if (edges[i].n == 0 && proof_of(edges[i]) == 0) continue;
      const std::int64_t worth = proof_of(edges[i]) != 0
                                     ? outcomes_[proof_of(edges[i]) - 1][seat_]
                                     : edges[i].total / static_cast<std::int64_t>(edges[i].n);
      ++votes.visits[i];
      votes.total[i] += worth;
      votes.squares[i] += static_cast<std::uint64_t>(worth * worth);
    }
  }

  // Selects, expands, plays out, backs up, once.
  void iterate() {
    typename G::State state = root_state_;
    length_ = 0;
    std::uint32_t node = root_;
    std::uint32_t proof = 0;
    while (length_ < max_depth) {
      if (length_ > 0 && G::settled(rules_, state)) {
        if (proves_) proof = outcome(utilities<G>(rules_, state, utility_));
        break;
      }
      const Turn turn = G::turn(rules_, state);
      if (length_ > 0 && node == 0) {
        Edge& above = *path_[length_ - 1].edge;
        if (above.n == 0 && path_[length_ - 1].mover != chance_actor) break;  // its first visit
        node = above.child = open(state, turn);
        if (node == 0) break;
      }
      NodeHeader& header = tree_.header(node);
      if (header.proof != 0 && length_ > 0) {  // found on another way here
        proof = header.proof;
        break;
      }
      instead_ = 0;
      Edge* edge = turn.is_chance() ? rolled(node, state)
                   : tunes_         ? chosen_tuned(node)
                                    : chosen(node);
      if (edge == nullptr) break;
      tree_.prefetch(edge->child);
      if (played_) [[unlikely]]
        note(edge->move, turn);
      path_[length_++] = {edge, node, turn.is_chance() ? chance_actor : turn.seat(), instead_};
      if (proof_of(*edge) != 0) {
        proof = proof_of(*edge);
        break;
      }
      G::play(rules_, state, edge->move);
      node = edge->child;
    }
    deepest_ = std::max(deepest_, length_);
    if (proof != 0) {
      back_up(outcomes_[proof - 1]);
      prove(proof);
    } else {
      if (played_) [[unlikely]]
        play_out_noted<G>(rules_, state, policy_, rng_, seat_, *played_);
      else
        play_out<G>(rules_, state, policy_, rng_);
      back_up(utilities<G>(rules_, state, utility_));
    }
    ++iterations_;
  }

  // Makes room in a full tree. False if `broken_off`. Which positions are shared is forgotten.
  bool prune(const BrokenOff& broken_off) {
    if (!tree_.prune(root_, broken_off)) return false;
    if (!tree_.full()) table_.clear();
    return true;
  }

  // The worth of the position is proven: a best move is known.
  bool solved() const { return tree_.header(root_).proof != 0; }
  // So is that of every move: more iterations find nothing new.
  bool exhausted() const { return open_ == 0; }

  std::uint64_t worlds() const { return 1; }
  std::size_t bytes() const { return tree_.bytes() + table_.bytes(); }

  // Adds this tree's root to `rows` (legal order). Each row keeps the line of the tree that visited
  // it most, of the first among equals.
  void report(std::vector<Row>& rows, std::vector<std::uint64_t>& most) const {
    const Edge* edges = tree_.edges(root_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      row.visits += edges[i].n;
      row.total += edges[i].total;
      row.squares += squares_[i];
      if (proof_of(edges[i]) != 0) {
        row.proven = true;
        row.exact = outcomes_[proof_of(edges[i]) - 1][seat_];
      }
      if (edges[i].n <= most[i]) continue;
      most[i] = edges[i].n;
      row.line = line_from(edges[i]);
    }
    reused_.report(rows);
  }

  // The row to choose: of the open ones the most visited, of equals the higher mean, then the first
  // in legal order; or the proven one worth most, if that is no less than the mean of the other.
  static std::size_t choice(const std::vector<Row>& rows) {
    constexpr std::size_t nothing = ~std::size_t{0};
    std::size_t open = nothing, sure = nothing;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      if (row.proven) {
        if (sure == nothing || row.exact > rows[sure].exact) sure = i;
      } else if (open == nothing || row.visits > rows[open].visits ||
                 (row.visits == rows[open].visits && row.total > rows[open].total)) {
        open = i;
      }
    }
    if (sure == nothing) return open;
    if (open == nothing) return sure;
    return rows[sure].exact >= rows[open].mean() * utility_unit ? sure : open;
  }

 private:
  static constexpr std::size_t max_depth = 512;
  static constexpr std::size_t max_outcomes =
      64;  // different ends that can be told apart in proofs
  static constexpr float shut = -1e30f;

  struct Step {
    Edge* edge;
    std::uint32_t node;
    Seat mover;
    std::uint32_t instead;  // what the mover can have for certain, and rather takes; 0: nothing
  };

  static int sides_of(const typename G::Rules& rules) {
    std::uint32_t teams = 0;
    for (int s = 0; s < G::seats(rules); ++s)
      teams |= std::uint32_t{1} << G::team(rules, static_cast<Seat>(s));
    return std::popcount(teams);
  }

  // An edge here counts no availability: all its moves are always legal. The place holds its proof,
  // a number from 1 into outcomes_.
  static std::uint32_t& proof_of(Edge& edge) { return edge.seen; }
  static std::uint32_t proof_of(const Edge& edge) { return edge.seen; }

  // The number of an end; 0 when there are too many to keep.
  std::uint32_t outcome(const Utilities& u) {
    for (std::size_t i = 0; i < outcomes_.size(); ++i)
      if (outcomes_[i] == u) return static_cast<std::uint32_t>(i + 1);
    if (outcomes_.size() == max_outcomes) return 0;
    outcomes_.push_back(u);
    return static_cast<std::uint32_t>(outcomes_.size());
  }

  std::uint32_t open(const typename G::State& state, Turn turn) {
    if (turn.is_chance()) return tree_.open(4, chance_actor);
    std::uint64_t key = 0;
    if constexpr (Keyed<G>) {
      key = G::key(rules_, state);
      if (const std::uint32_t known = table_.find(key)) return known;
    }
    G::moves(rules_, state, moves_);
    std::uint32_t node = tree_.open(static_cast<std::uint32_t>(moves_.size()), turn.seat());
    if (node == 0) return 0;
    for (const Move move : moves_) tree_.add(node, move);
    if (tuned_.wants_hint()) [[unlikely]]
      advise(node, state);
    if constexpr (Keyed<G>) table_.insert(key, node);
    return node;
  }

  // The edge of an outcome that is rolled, made if need be; null when the tree is full.
  Edge* rolled(std::uint32_t& node, const typename G::State& state) {
    const Move move = G::roll(rules_, state, rng_);
    const std::uint32_t used = tree_.header(node).used;
    for (Edge* edge = tree_.edges(node); edge < tree_.edges(node) + used; ++edge)
      if (edge->move == move) return edge;
    const std::uint32_t before = node;
    Edge* edge = tree_.add(node, move);
    if (node != before) path_[length_ - 1].edge->child = node;
    return edge;
  }

  // An edge never visited if there is one, uniformly, else of those still open that with the
  // highest score; instead_ if a proven one has a higher one.
  Edge* chosen(std::uint32_t node) {
    NodeHeader& header = tree_.header(node);
    Edge* edges = tree_.edges(node);
    const std::uint32_t visits = header.visits++;
    if (header.used == 1) return edges;
    if (visits < header.used) {
      std::uint32_t skip = header.used - visits > 1 ? rng_.below(header.used - visits) : 0;
      for (Edge* edge = edges; edge < edges + header.used; ++edge)
        if (edge->n == 0 && skip-- == 0) return edge;
    }
    const float bonus = bonus_ * std::sqrt(natural_log(visits));
    return highest(header, edges, [&](const Edge& edge) {
      const float inverse = 1.0f / static_cast<float>(edge.n);
      return static_cast<float>(edge.total) * inverse + bonus * std::sqrt(inverse);
    });
  }

  // Of the edges still open the one with the highest score, instead_ if a proven one has a higher
  // one; the best proven one if none is open. A score of `shut` leaves an edge out.
  template <class Score>
  Edge* highest(const NodeHeader& header, Edge* edges, Score&& score_of) {
    Edge* pick = nullptr;
    Edge* sure = nullptr;
    float best = shut;
    std::int32_t most = -1;
    for (Edge* edge = edges; edge < edges + header.used; ++edge) {
      if (proof_of(*edge) != 0) {
        const std::int32_t exact =
            outcomes_[proof_of(*edge) - 1][static_cast<std::size_t>(header.actor)];
        if (exact > most) {
          most = exact;
          sure = edge;
        }
        continue;
      }
      const float score = score_of(*edge);
      if (score > best) {
        best = score;
        pick = edge;
      }
    }
    if (pick == nullptr) return sure;  // all are proven, and equals leave open what others get
    if (sure != nullptr && static_cast<float>(most) >= best) instead_ = proof_of(*sure);
    return pick;
  }

  // As chosen, by the tuned formula.
  Edge* chosen_tuned(std::uint32_t node) {
    NodeHeader& header = tree_.header(node);
    Edge* edges = tree_.edges(node);
    const std::uint32_t visits = header.visits++;
    Edge* advised = header.next != 0 ? edges + header.next - 1 : nullptr;
    std::uint32_t tried = 0;
    std::uint32_t open = 0;  // edges neither tried nor proven
    for (const Edge* edge = edges; edge < edges + header.used; ++edge) {
      tried += edge->n > 0;
      open += edge->n == 0 && proof_of(*edge) == 0;
    }
    const bool may_try = open > 0 && tuned_.may_try(tried, visits);
    if (may_try && tuned_.tries_first()) {
      if (advised != nullptr && advised->n == 0 && proof_of(*advised) == 0) return advised;
      std::uint32_t skip = open > 1 ? rng_.below(open) : 0;
      for (Edge* edge = edges;; ++edge)
        if (edge->n == 0 && proof_of(*edge) == 0 && skip-- == 0) return edge;
    }
    const float bonus = visits > 0 ? bonus_ * std::sqrt(natural_log(visits)) : 0;
    Edge* pick = highest(header, edges, [&](const Edge& edge) {
      if (edge.n == 0 && !may_try) return shut;
      const Twin* twin = played_ ? &tree_.twin(&edge) : nullptr;
      return tuned_.score(edge, twin, bonus, &edge == advised);
    });
    if (open == 0 || proof_of(*pick) == 0) return pick;
    // All that widening has let in is proven: it lets in one more.
    for (pick = edges; proof_of(*pick) != 0;) ++pick;
    return pick;
  }

  // Notes which move the game's hint advises in a position.
  void advise(std::uint32_t node, const typename G::State& state) {
    const Move move = decide<G>(rules_, state, PlayoutPolicy::hint, rng_);
    const Edge* edges = tree_.edges(node);
    for (std::uint32_t i = 0; i < tree_.header(node).used; ++i)
      if (edges[i].move == move) tree_.header(node).next = i + 1;
  }

  // Remembers a decision, for all-moves-as-first; places of chance are counted too.
  void note(Move move, Turn turn) {
    if (length_ == 0) played_->clear();
    played_->note(turn.is_chance() ? chance_actor : turn.seat(), move);
  }

  void back_up(Utilities u) {
    if (played_) [[unlikely]]
      for (std::size_t i = 0; i < length_; ++i)
        if (path_[i].mover != chance_actor)
          credit(tree_, path_[i].node, static_cast<std::uint32_t>(i), path_[i].mover,
                 u[path_[i].mover], *played_);
    stake_.add(u[seat_]);
    for (std::size_t i = length_; i-- > 0;) {
      Edge& edge = *path_[i].edge;
      ++edge.n;
      if (path_[i].mover != chance_actor) edge.total += u[path_[i].mover];
      if (i == 0) break;
      if (path_[i].instead != 0) u = outcomes_[path_[i].instead - 1];
    }
    const auto root_edge = static_cast<std::size_t>(path_[0].edge - tree_.edges(root_));
    const auto own = static_cast<std::uint64_t>(u[seat_]);
    squares_[root_edge] += own * own;
  }

  // The last edge of the path is proven: what does that prove above it?
  void prove(std::uint32_t proof) {
    for (std::size_t i = length_; i-- > 0 && path_[i].mover != chance_actor;) {
      if (i == 0 && proof_of(*path_[i].edge) == 0) --open_;
      proof_of(*path_[i].edge) = proof;
      NodeHeader& header = tree_.header(path_[i].node);
      if (header.proof == 0) header.proof = proven(path_[i].node, path_[i].mover, proof);
      proof = header.proof;
      if (proof == 0) return;
    }
  }

  // The outcome of a node of which an edge has just been proven, 0 if it is open.
  std::uint32_t proven(std::uint32_t node, Seat mover, std::uint32_t just) const {
    if (two_sides_ && outcomes_[just - 1][mover] == utility_unit) return just;
    const Edge* edges = tree_.edges(node);
    std::uint32_t best = just;
    bool alone = true;
    for (const Edge* edge = edges; edge < edges + tree_.header(node).used; ++edge) {
      const std::uint32_t proof = proof_of(*edge);
      if (proof == 0) return 0;
      if (proof == best) continue;
      const std::int32_t own = outcomes_[proof - 1][mover], most = outcomes_[best - 1][mover];
      if (own > most) best = proof;
      if (own > most) alone = true;
      if (own == most) alone = false;  // as good for the mover, other for somebody else
    }
    return alone || two_sides_ ? best : 0;
  }

  std::vector<LineStep> line_from(const Edge& first) const {
    std::vector<LineStep> line{{Turn::of(seat_), first.move}};
    const Edge* edge = &first;
    while (edge->child && line.size() < 32) {
      const NodeHeader& header = tree_.header(edge->child);
      if (header.actor == chance_actor) break;  // what comes is not for anybody to expect
      const auto mover = static_cast<Seat>(header.actor);
      std::vector<Row> rows(header.used);
      std::uint64_t visits = 0;
      for (std::uint32_t i = 0; i < header.used; ++i) {
        const Edge& each = tree_.edges(edge->child)[i];
        rows[i].visits = each.n;
        rows[i].total = each.total;
        rows[i].proven = proof_of(each) != 0;
        if (rows[i].proven) rows[i].exact = outcomes_[proof_of(each) - 1][mover];
        visits += each.n;
      }
      if (visits == 0) break;
      edge = tree_.edges(edge->child) + choice(rows);
      line.push_back({Turn::of(mover), edge->move});
    }
    return line;
  }

  const typename G::Rules& rules_;
  Seat seat_;
  Rng rng_;
  Transpositions table_;
  PlayoutPolicy policy_;
  UtilityKind utility_;
  float bonus_;
  Tuned tuned_;
  bool tunes_;
  bool proves_;
  std::unique_ptr<Played> played_;  // for all-moves-as-first
  bool two_sides_;
  MoveList<G> root_moves_;
  typename G::State root_state_{};
  std::size_t open_ = 0;  // root moves that are not proven
  MoveList<G> moves_;
  std::vector<Utilities> outcomes_;
  std::array<Step, max_depth> path_;
  std::size_t length_ = 0;
  std::uint32_t instead_ = 0;
  std::array<std::uint64_t, G::max_moves> squares_{};
  Reused reused_;
};

}  // namespace kibitz
