// The moves a search chooses between.
#pragma once

#include <algorithm>

#include <kibitz/core/game.hpp>
#include <kibitz/search/request.hpp>

namespace kibitz {

// The legal moves in their order, without those that the request rules out.
template <class G>
MoveList<G> root_moves(const typename G::Rules& rules, const typename G::View& view,
                       const Request& request) {
  MoveList<G> legal;
  G::moves(rules, view, legal);
  if (request.allow.empty()) return legal;
  MoveList<G> out;
  for (const Move move : legal)
    if (std::find(request.allow.begin(), request.allow.end(), move) != request.allow.end())
      out.push_back(move);
  return out;
}

}  // namespace kibitz
