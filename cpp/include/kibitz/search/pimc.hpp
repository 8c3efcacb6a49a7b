// Perfect information Monte Carlo (Levy 1989; Ginsberg 2001): worlds are sampled from the view,
// each is searched with open cards (mcts.hpp), until every move is proven if that comes early, and
// every root move gets what it is worth there. The best mean over the worlds wins; the standard
// error is that of the mean over worlds.
//
// It takes for known, in each world, what no seat knows, and so overrates moves that need a guess
// later on and underrates those that find something out (strategy fusion, Frank and Basin 1998).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/mcts.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

template <class G>
class Pimc {
 public:
  // Iterations in a world for each root move: enough that the best one stands out.
  static constexpr std::uint64_t share = 100;

  Pimc(const typename G::Rules& rules, const typename G::View& view, const Request& request,
       int thread)
      : seat_(G::seat(view)),
        sampler_(rules, view),
        rng_(request.seed, "search", static_cast<std::uint64_t>(thread)),
        moves_(root_moves<G>(rules, view, request)),
        mcts_(rules, seat_, moves_, request,
              Rng(request.seed, "inner", static_cast<std::uint64_t>(thread)), world_bytes(request),
              false) {}

  // An iteration of the search of the world at hand.
  void iterate() {
    if (spent_ == 0) {
      nodes_ += mcts_.nodes();
      full_ |= mcts_.full();
      typename G::State world;
      sampler_.draw(world, rng_);
      mcts_.restart(world);
      ++worlds_;
    }
    mcts_.iterate();
    ++iterations_;
    if (++spent_ < share * moves_.size() && !mcts_.exhausted()) return;
    mcts_.worths(votes_);
    ++counted_;
    spent_ = 0;
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t worlds() const { return worlds_; }
  std::uint64_t nodes() const { return nodes_ + mcts_.nodes(); }  // of all worlds
  std::size_t bytes() const { return mcts_.bytes(); }
  bool full() const { return full_ || mcts_.full(); }
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

  // No more than the tree of one world can need, nor than there is.
  std::size_t world_bytes(const Request& request) const {
    const std::size_t most = 2 * (share * moves_.size() + 1) * (G::max_moves + 1) * sizeof(Slot);
    return std::min(most, request.bytes / static_cast<std::size_t>(request.threads));
  }

  Seat seat_;
  typename G::Sampler sampler_;
  Rng rng_;
  MoveList<G> moves_;
  Mcts<G> mcts_;
  std::uint64_t nodes_ = 0;  // of the worlds before the one at hand
  bool full_ = false;
  std::uint64_t spent_ = 0;
  std::uint64_t iterations_ = 0;
  std::uint64_t worlds_ = 0;
  std::uint64_t counted_ = 0;
  Votes votes_;
};

}  // namespace kibitz
