// Perfect information Monte Carlo (Levy 1989; Ginsberg 2001): worlds are sampled from the view,
// each is searched with open cards (mcts.hpp), until every move is proven if that comes early, and
// every root move gets what it is worth there. The best mean over the worlds wins; the standard
// error is that of the mean over worlds.
//
// It takes for known, in each world, what no seat knows, and so overrates moves that need a guess
// later on and underrates those that find something out (strategy fusion, Frank and Basin 1998).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/mcts.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Pimc {
 public:
  // Iterations in a world for each root move: enough that the best one stands out.
  static constexpr std::uint64_t share = 100;

  Pimc(const typename G::Rules& rules, const typename G::View& view, const Request& request,
       int thread)
      : rules_(rules),
        seat_(G::seat(view)),
        sampler_(rules, view),
        rng_(request.seed, "search", static_cast<std::uint64_t>(thread)),
        mcts_(rules, view, request, thread, Open::world, world_size(rules, view, request)),
        world_iterations_(world_size(rules, view, request)) {}

  // An iteration of the search of the world at hand.
  void iterate() {
    if (spent_ == 0) {
      typename G::State world;
      sampler_.draw(world, rng_);
      mcts_.restart(world);
      ++worlds_;
    }
    mcts_.iterate();
    ++iterations_;
    if (++spent_ < world_iterations_ && !mcts_.exhausted()) return;
    mcts_.worths(votes_);
    ++counted_;
    spent_ = 0;
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t worlds() const { return worlds_; }
  std::uint64_t nodes() const { return mcts_.nodes(); }  // of the largest moment: one world's
  std::size_t bytes() const { return mcts_.bytes(); }
  bool full() const { return false; }
  int depth() const { return mcts_.depth(); }
  const Stake& stake() const { return mcts_.stake(); }

  // Adds a visit a world to each row, with what the move was worth there. The world under way
  // counts only if there is no other.
  void report(std::vector<Row>& rows, std::vector<std::uint64_t>&) const {
    Votes votes = votes_;
    if (counted_ == 0 && spent_ > 0) mcts_.worths(votes);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].visits += votes.visits[i];
      rows[i].total += votes.total[i];
      rows[i].squares += votes.squares[i];
      rows[i].line = {{Turn::of(seat_), rows[i].move}};
    }
  }

  // The higher mean; of equals the first in legal order.
  static bool better(const Row& a, const Row& b) { return a.mean() > b.mean(); }

 private:
  using Votes = typename Mcts<G>::Votes;

  static std::uint64_t world_size(const typename G::Rules& rules, const typename G::View& view,
                                  const Request& request) {
    return share * root_moves<G>(rules, view, request).size();
  }

  const typename G::Rules& rules_;
  Seat seat_;
  typename G::Sampler sampler_;
  Rng rng_;
  Mcts<G> mcts_;
  std::uint64_t world_iterations_;
  std::uint64_t spent_ = 0;
  std::uint64_t iterations_ = 0;
  std::uint64_t worlds_ = 0;
  std::uint64_t counted_ = 0;
  Votes votes_;
};

}  // namespace kibitz
