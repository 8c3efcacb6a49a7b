// All-moves-as-first (Gelly, Silver 2007, RAVE): what is learnt of a move wherever its seat plays
// it later in the same iteration counts for the edges above, too. Where few visits are known the
// two are mixed, by the hand-made schedule of Gelly and Silver 2011:
//     (1 - b) * mean + b * mean of all-moves-as-first,  b = sqrt(k / (3 n + k))
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <kibitz/core/game.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/tree.hpp>

namespace kibitz {

// The decisions of one iteration, as the searching seat sees them.
class Played {
 public:
  void clear() {
    count_ = 0;
    if (++stamp_ == 0) {
      cells_.fill({});
      stamp_ = 1;
    }
  }

  // Past so many nothing is noted.
  void note(Seat mover, Move seen) {
    if (count_ == most) return;
    Cell& cell = find(mover, seen);
    cell = {seen.code, stamp_, count_++, mover};
  }

  // Whether that seat made that move as decision number `first` or later.
  bool since(std::uint32_t first, Seat mover, Move seen) {
    const Cell& cell = find(mover, seen);
    return cell.stamp == stamp_ && cell.last >= first;
  }

 private:
  static constexpr std::uint32_t most = 512;

  struct Cell {
    std::uint32_t code;
    std::uint32_t stamp;  // of the iteration it belongs to
    std::uint32_t last;   // which decision, of equal ones the last
    std::uint32_t mover;
  };

  // The cell of a move, or the free one where it goes. A quarter of them are in use at the most.
  Cell& find(Seat mover, Move seen) {
    std::size_t at = (seen.code * 0x9e3779b1u + mover * 0x85ebca6bu) >> 21;
    while (cells_[at].stamp == stamp_ &&
           (cells_[at].code != seen.code || cells_[at].mover != mover))
      at = (at + 1) % cells_.size();
    return cells_[at];
  }

  std::array<Cell, 4 * most> cells_{};
  std::uint32_t stamp_ = 0;
  std::uint32_t count_ = 0;
};

// Plays on until the state is settled, as play_out does, and notes the decisions.
template <class G>
void play_out_noted(const typename G::Rules& rules, typename G::State& state, PlayoutPolicy policy,
                    Rng& rng, Seat seat, Played& played) {
  while (!G::settled(rules, state)) {
    if (G::turn(rules, state).is_chance()) {
      G::play(rules, state, G::roll(rules, state, rng));
      continue;
    }
    const Seat mover = G::turn(rules, state).seat();
    const Move move = decide<G>(rules, state, policy, rng);
    played.note(mover, G::seen(rules, state, move, seat));
    G::play(rules, state, move);
  }
}

// Counts an iteration for the edges of a node whose move its seat made as decision `first` or
// later.
inline void credit(Tree& tree, std::uint32_t node, std::uint32_t first, Seat mover,
                   std::int32_t utility, Played& played) {
  Edge* edges = tree.edges(node);
  for (Edge* edge = edges; edge < edges + tree.header(node).used; ++edge) {
    if (!played.since(first, mover, edge->move)) continue;
    Twin& twin = tree.twin(edge);
    twin.total += utility;
    ++twin.n;
  }
}

}  // namespace kibitz
