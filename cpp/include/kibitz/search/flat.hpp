// Flat Monte Carlo: every legal move is tried in the same sampled worlds and played out; the best
// mean wins. One iteration is one playout; the moves take turns, a fresh world begins each turn.
//
// With halving (sequential halving, Karnin, Koren, Somekh 2013) the iterations are dealt to rounds
// of equal size, as many as it takes to come from all moves to two; after each the worse half drops
// out, and the last two share what is left.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Flat {
 public:
  Flat(const typename G::Rules& rules, const typename G::View& view, const Request& request,
       int thread)
      : rules_(rules),
        seat_(G::seat(view)),
        sampler_(rules, view),
        rng_(request.seed, "search", static_cast<std::uint64_t>(thread)),
        policy_(request.playout),
        utility_(request.utility),
        moves_(root_moves<G>(rules, view, request)) {
    for (std::size_t i = 0; i < moves_.size(); ++i) turns_.push_back(i);
    if (!request.tuning.halving || moves_.size() <= 2) return;
    const auto rounds = static_cast<std::uint64_t>(std::bit_width(moves_.size() - 1));
    round_ = request.iterations[static_cast<std::size_t>(thread)] / rounds;
    until_ = worlds_a_round();
  }

  void iterate() {
    if (next_ == 0) {
      sampler_.draw(world_, rng_);
      ++worlds_;
    }
    const std::size_t at = turns_[next_];
    typename G::State state = world_;
    G::play(rules_, state, moves_[at]);
    play_out<G>(rules_, state, policy_, rng_);
    const auto u = utilities<G>(rules_, state, utility_)[seat_];
    stake_.add(u);
    ++visits_[at];
    totals_[at] += u;
    squares_[at] += static_cast<std::uint64_t>(u) * static_cast<std::uint64_t>(u);
    if (++next_ == turns_.size()) {
      next_ = 0;
      if (worlds_ == until_) halve();
    }
    ++iterations_;
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t worlds() const { return worlds_; }
  std::uint64_t nodes() const { return 0; }
  std::size_t bytes() const { return 0; }
  bool full() const { return false; }
  int depth() const { return 1; }
  const Stake& stake() const { return stake_; }

  void report(std::vector<Row>& rows, std::vector<std::uint64_t>&) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].visits += visits_[i];
      rows[i].total += totals_[i];
      rows[i].squares += squares_[i];
      rows[i].line = {{Turn::of(seat_), rows[i].move}};
    }
  }

  // The highest mean, of equals the first in legal order. What dropped out early does not count: a
  // few lucky playouts could carry it past what was tried in earnest.
  static std::size_t choice(const std::vector<Row>& rows) {
    std::uint64_t most = 0;
    for (const Row& row : rows) most = std::max(most, row.visits);
    std::size_t best = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (2 * rows[i].visits <= most && most > 0) continue;
      if (best == rows.size() || rows[i].mean() > rows[best].mean()) best = i;
    }
    return best;
  }

 private:
  std::uint64_t worlds_a_round() const {
    return std::max<std::uint64_t>(round_ / turns_.size(), 1);
  }

  // The worse half drops out; those that stay keep their order.
  void halve() {
    if (turns_.size() <= 2) return;
    std::vector<std::size_t> order = turns_;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return totals_[a] > totals_[b];  // of as many visits
    });
    order.resize((order.size() + 1) / 2);
    std::sort(order.begin(), order.end());
    turns_ = std::move(order);
    until_ = worlds_ + worlds_a_round();
  }

  const typename G::Rules& rules_;
  Seat seat_;
  typename G::Sampler sampler_;
  Rng rng_;
  PlayoutPolicy policy_;
  UtilityKind utility_;
  MoveList<G> moves_;
  typename G::State world_{};
  std::vector<std::size_t> turns_;  // the moves that are still tried
  std::size_t next_ = 0;            // of them
  std::uint64_t round_ = 0;         // iterations of a round of halving
  std::uint64_t until_ = 0;         // how many worlds end it; 0: none does
  std::uint64_t iterations_ = 0;
  std::uint64_t worlds_ = 0;
  Stake stake_;
  std::array<std::uint64_t, G::max_moves> visits_{};
  std::array<std::int64_t, G::max_moves> totals_{};
  std::array<std::uint64_t, G::max_moves> squares_{};
};

}  // namespace kibitz
