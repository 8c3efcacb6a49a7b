// Flat Monte Carlo: every legal move is tried in the same sampled worlds and played out; the best
// mean wins. One iteration is one playout; the moves take turns, a fresh world begins each turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
        moves_(root_moves<G>(rules, view, request)) {}

  void iterate() {
    if (next_ == 0) {
      sampler_.draw(world_, rng_);
      ++worlds_;
    }
    typename G::State state = world_;
    G::play(rules_, state, moves_[next_]);
    play_out<G>(rules_, state, policy_, rng_);
    const auto u = utilities<G>(rules_, state, utility_)[seat_];
    stake_.add(u);
    ++visits_[next_];
    totals_[next_] += u;
    squares_[next_] += static_cast<std::uint64_t>(u) * static_cast<std::uint64_t>(u);
    if (++next_ == moves_.size()) next_ = 0;
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

  // The higher mean, compared as fractions; of equals the first in legal order.
  static bool better(const Row& a, const Row& b) { return a.mean() > b.mean(); }

 private:
  const typename G::Rules& rules_;
  Seat seat_;
  typename G::Sampler sampler_;
  Rng rng_;
  PlayoutPolicy policy_;
  UtilityKind utility_;
  MoveList<G> moves_;
  typename G::State world_{};
  std::size_t next_ = 0;
  std::uint64_t iterations_ = 0;
  std::uint64_t worlds_ = 0;
  Stake stake_;
  std::array<std::uint64_t, G::max_moves> visits_{};
  std::array<std::int64_t, G::max_moves> totals_{};
  std::array<std::uint64_t, G::max_moves> squares_{};
};

}  // namespace kibitz
