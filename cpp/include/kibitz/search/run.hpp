// Runs a search to its limits on any number of threads and reports.
//
// Root-parallel: every thread has its own tree and its own random stream; the roots are added up in
// thread order. So a count of iterations gives the same answer whatever the threads' timing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
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
#include <kibitz/search/root.hpp>

namespace kibitz {

namespace detail {

// One thread's share. The clock and the stop flag are looked at every `period` iterations, which
// adapts so that a look comes about every 20 microseconds.
template <class Search>
Reason run_share(Search& search, const Request& request, const Control& control, int thread) {
  const std::uint64_t most = request.iterations.empty()
                                 ? max_iterations
                                 : request.iterations[static_cast<std::size_t>(thread)];
  const std::uint64_t nodes =
      request.nodes ? (request.nodes - 1) / static_cast<std::uint64_t>(request.threads) + 1
                    : ~std::uint64_t{0};
  const auto over = [&] {
    return control.stopped() || (request.timed && Clock::now() >= request.deadline);
  };
  std::uint64_t period = 1;
  auto last = Clock::now();
  for (;;) {
    // One that makes many iterations at a time is looked at after each time.
    const std::uint64_t stretch =
        requires { Search::batched; } ? 1 : std::min(period, most - search.iterations());
    for (std::uint64_t i = 0; i < stretch; ++i) {
      search.iterate();
      if (search.nodes() >= nodes) return Reason::nodes;
      if constexpr (requires { search.solved(); })
        if (search.solved()) return Reason::proven;
      if constexpr (requires { search.prune(over); })
        if (search.full()) [[unlikely]] {
          if (request.stop_when_full) return Reason::bytes;
          if (!search.prune(over)) break;
        }
    }
    if (search.iterations() >= most) return Reason::iterations;
    if (search.full() && request.stop_when_full) return Reason::bytes;
    if (control.stopped()) return Reason::stop;
    const auto now = Clock::now();
    if (request.timed && now >= request.deadline) return Reason::ms;
    if (now - last < std::chrono::microseconds(20))
      period = std::min<std::uint64_t>(period * 2, 256);
    else if (period > 1)
      period /= 2;
    last = now;
  }
}

template <class Search, class G>
Analysis run_search(const typename G::Rules& rules, const typename G::View& view,
                    const Request& request, const Control& control, Analysis analysis) {
  const auto threads = static_cast<std::size_t>(request.threads);
  std::vector<std::unique_ptr<Search>> searches(threads);
  std::vector<Reason> reasons(threads, Reason::iterations);
  std::vector<std::exception_ptr> failures(threads);
  const auto work = [&](std::size_t t) {
    try {
      searches[t] = std::make_unique<Search>(rules, view, request, static_cast<int>(t));
      reasons[t] = run_share(*searches[t], request, control, static_cast<int>(t));
    } catch (...) {
      failures[t] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work, t);
    work(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);

  std::vector<std::uint64_t> most(analysis.rows.size(), 0);
  for (const auto& search : searches) {
    search->report(analysis.rows, most);
    analysis.iterations.push_back(search->iterations());
    analysis.worlds += search->worlds();
    analysis.nodes += search->nodes();
    analysis.bytes += search->bytes();
    analysis.depth = std::max(analysis.depth, search->depth());
    analysis.full |= search->full();
    if constexpr (requires { search->pruned(); }) analysis.pruned += search->pruned();
    analysis.stake.merge(search->stake());
  }
  analysis.full |= analysis.pruned > 0;
  analysis.reason = *std::max_element(reasons.begin(), reasons.end());
  if constexpr (requires { Search::choice(analysis.rows); }) {
    analysis.best = Search::choice(analysis.rows);
  } else {
    for (std::size_t i = 1; i < analysis.rows.size(); ++i)
      if (Search::better(analysis.rows[i], analysis.rows[analysis.best])) analysis.best = i;
  }
  return analysis;
}

template <class G>
Analysis run_method(const typename G::Rules& rules, const typename G::View& view,
                    const Request& request, const Control& control, Analysis analysis) {
  switch (request.method) {
    case Method::flat:
      return run_search<Flat<G>, G>(rules, view, request, control, std::move(analysis));
    case Method::pimc:
      return run_search<Pimc<G>, G>(rules, view, request, control, std::move(analysis));
    case Method::moismcts:
      return run_search<Moismcts<G>, G>(rules, view, request, control, std::move(analysis));
    case Method::puct:
      return run_search<Puct<G>, G>(rules, view, request, control, std::move(analysis));
    case Method::mcts:
      if constexpr (is_open<G>())
        return run_search<Mcts<G>, G>(rules, view, request, control, std::move(analysis));
      [[fallthrough]];  // refused at the edge
    default: return run_search<Ismcts<G>, G>(rules, view, request, control, std::move(analysis));
  }
}

}  // namespace detail

// The strongest move from a view. Precondition: the view's seat is to move, a world fits the view,
// and request.allow lists legal moves only.
template <class G>
Analysis analyse(const typename G::Rules& rules, const typename G::View& view,
                 const Request& request, const Control& control) {
  const auto start = Clock::now();
  const MoveList<G> moves = root_moves<G>(rules, view, request);
  Analysis analysis;
  for (const Move move : moves) {
    Row row;
    row.move = move;
    row.line = {{Turn::of(G::seat(view)), move}};
    analysis.rows.push_back(std::move(row));
  }
  Rng rng(request.seed, "policy");
  switch (request.method) {
    case Method::random: analysis.best = rng.below(static_cast<std::uint32_t>(moves.size())); break;
    case Method::greedy: {
      const Move advised = G::greedy(rules, G::eyes(rules, view), rng);
      for (std::size_t i = 0; i < moves.size(); ++i)
        if (moves[i] == advised) analysis.best = i;
      break;
    }
    case Method::flat:
    case Method::mcts:
    case Method::pimc:
    case Method::ismcts:
    case Method::moismcts:
    case Method::puct:
      // One legal move needs no search; one allowed move of several is searched for its worth.
      if (moves.size() == 1 && request.allow.empty()) {
        analysis.reason = Reason::single;
        break;
      }
      analysis = detail::run_method<G>(rules, view, request, control, std::move(analysis));
      break;
  }
  analysis.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return analysis;
}

}  // namespace kibitz
