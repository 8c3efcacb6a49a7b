// Runs a search to its limits, once, and reports.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/flat.hpp>
#include <kibitz/search/ismcts.hpp>
#include <kibitz/search/mcts.hpp>
#include <kibitz/search/moismcts.hpp>
#include <kibitz/search/pimc.hpp>
#include <kibitz/search/puct.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/session.hpp>

namespace kibitz {

namespace detail {

// What random and greedy play, without a search.
template <class G>
Analysis advise(const typename G::Rules& rules, const typename G::View& view,
                const Request& request) {
  Analysis analysis = blank_analysis<G>(rules, view, request);
  const std::vector<Row>& rows = analysis.rows;
  Rng rng(request.seed, "policy");
  if (request.method == Method::random) {
    analysis.best = rng.below(static_cast<std::uint32_t>(rows.size()));
  } else {
    const Move advised = G::greedy(rules, G::eyes(rules, view), rng);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].move == advised) analysis.best = i;
  }
  return analysis;
}

}  // namespace detail

// Calls use.template operator()<S>() with the search S of a method; not of random and greedy.
template <class G, class Use>
auto with_search(Method method, Use&& use) {
  switch (method) {
    case Method::flat:     return use.template operator()<Flat<G>>();
    case Method::pimc:     return use.template operator()<Pimc<G>>();
    case Method::moismcts: return use.template operator()<Moismcts<G>>();
    case Method::puct:     return use.template operator()<Puct<G>>();
    case Method::mcts:
      if constexpr (is_open<G>()) return use.template operator()<Mcts<G>>();
      [[fallthrough]];  // refused at the edge
    default: return use.template operator()<Ismcts<G>>();
  }
}

// The strongest move from a view. Precondition: the view's seat is to move, a world fits the view,
// and request.allow lists legal moves only.
template <class G>
Analysis analyse(const typename G::Rules& rules, const typename G::View& view,
                 const Request& request, const Control& control) {
  const auto start = Clock::now();
  Analysis analysis;
  if (request.method == Method::random || request.method == Method::greedy)
    analysis = detail::advise<G>(rules, view, request);
  else
    analysis = with_search<G>(request.method, [&]<class Search>() {
      Session<Search, G> session(rules, view, request);
      session.run(request, control);
      return session.snapshot();
    });
  analysis.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return analysis;
}

}  // namespace kibitz
