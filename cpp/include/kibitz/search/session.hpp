// The searches of one view, a thread each, that live on: run as often as one likes, looked at while
// they run, moved along with the game. A search that is run once is one of these, too.
//
// Root-parallel: every thread has its own tree and its own random stream; the roots are added up in
// thread order. So a count of iterations gives the same answer whatever the threads' timing.
//
// What is kept when the game moves on. mcts has nodes for all that happens, chance included. ismcts
// has none for chance: the statistics below are means over its outcomes. So an outcome that the
// seat could foresee (a card that could be no other) changes nothing, and after any other one the
// tree is given up. The trees of the others in moismcts hang on what the seat cannot know, pimc
// keeps no tree and flat has none: they always begin afresh.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <kibitz/core/control.hpp>
#include <kibitz/core/game.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/root.hpp>

namespace kibitz {

// A search of which a part can be kept; `below` is the node that an event leads to, 0 for none.
template <class S>
concept Reusable = requires(const S& search, std::uint32_t node, Turn actor, Move seen) {
  { search.root() } -> std::same_as<std::uint32_t>;
  { search.below(node, actor, seen) } -> std::same_as<std::uint32_t>;
  { search.reused() } -> std::same_as<std::uint64_t>;
};

// A row for every root move, before any search.
template <class G>
Analysis blank_analysis(const typename G::Rules& rules, const typename G::View& view,
                        const Request& request) {
  Analysis analysis;
  for (const Move move : root_moves<G>(rules, view, request)) {
    Row row;
    row.move = move;
    row.line = {{Turn::of(G::seat(view)), move}};
    analysis.rows.push_back(std::move(row));
  }
  return analysis;
}

namespace detail {

// One thread's share. The clock and the stop flag are looked at every `period` iterations, which
// adapts so that a look comes about every 20 microseconds; `look` is called then, too.
template <class Search, class Look>
Reason run_share(Search& search, const Request& request, const Control& control, int thread,
                 Look&& look) {
  std::uint64_t room = max_iterations - std::min(max_iterations, search.iterations());
  if constexpr (Reusable<Search>) room -= std::min(room, search.reused());
  const std::uint64_t most =
      search.iterations() +
      (request.iterations.empty()
           ? room
           : std::min(room, request.iterations[static_cast<std::size_t>(thread)]));
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
    look();
    const auto now = Clock::now();
    if (request.timed && now >= request.deadline) return Reason::ms;
    if (now - last < std::chrono::microseconds(20))
      period = std::min<std::uint64_t>(period * 2, 256);
    else if (period > 1)
      period /= 2;
    last = now;
  }
}

}  // namespace detail

template <class Search, class G>
class Session {
  using Rules = typename G::Rules;
  using View = typename G::View;

 public:
  // Precondition: the view's seat is to move where it is run or looked at. `request` says how to
  // search and how large the trees may grow.
  Session(const Rules& rules, const View& view, const Request& request)
      : rules_(rules),
        view_(view),
        request_(request),
        blank_(blank_analysis<G>(rules, view, request)),
        shares_(static_cast<std::size_t>(request.threads)) {}

  // Searches until one of the limits is met. Again: the same trees grow on, and iterations count
  // from here. Throws what a thread threw. One run at a time.
  void run(const Request& limits, const Control& control) {
    // One legal move needs no search; one allowed move of several is searched for its worth.
    if (blank_.rows.size() == 1 && request_.allow.empty()) {
      const std::lock_guard lock(mutex_);
      reason_ = Reason::single;
      return;
    }
    Control all;  // a thread that fails, or can't be started, ends the others
    all.outer = &control;
    {
      const std::lock_guard lock(mutex_);
      reason_ = Reason::running;
      began_ = Clock::now();
    }
    std::exception_ptr failure;
    {
      std::vector<std::jthread> others;
      try {
        for (std::size_t t = 1; t < shares_.size(); ++t)
          others.emplace_back([&, t] { work(t, limits, all); });
      } catch (...) {
        failure = std::current_exception();
        all.stop = true;
      }
      if (!failure) work(0, limits, all);
    }
    const std::lock_guard lock(mutex_);
    reason_ = Reason::iterations;
    for (Share& share : shares_) {
      reason_ = std::max(reason_, share.reason);
      if (!failure) failure = share.failure;
      share.failure = nullptr;
    }
    spent_ += Clock::now() - began_;
    if (failure) std::rethrow_exception(failure);
  }

  // What was found so far. From any thread, also during a run: each of its threads then adds its
  // own tree when it next looks up from its work.
  Analysis snapshot() {
    const std::lock_guard alone(asking_);
    std::unique_lock lock(mutex_);
    Page page{blank_, std::vector<std::uint64_t>(blank_.rows.size(), 0), nullptr};
    page_ = &page;
    for (Share& share : shares_) {
      share.wanted = share.busy;
      if (share.busy)
        ++waiting_;
      else
        write(share);
    }
    answered_.wait(lock, [&] { return waiting_ == 0; });
    page_ = nullptr;
    if (page.failure) std::rethrow_exception(page.failure);
    Analysis& found = page.analysis;
    found.reason = reason_;
    auto spent = spent_;
    if (reason_ == Reason::running) spent += Clock::now() - began_;
    found.seconds = std::chrono::duration<double>(spent).count();
    if constexpr (requires { Search::choice(found.rows); }) {
      found.best = Search::choice(found.rows);
    } else {
      for (std::size_t i = 1; i < found.rows.size(); ++i)
        if (Search::better(found.rows[i], found.rows[found.best])) found.best = i;
    }
    return std::move(found);
  }

  // Moves on by an event as the seat saw it, to the view after it. Not during a run. If it is the
  // seat's turn then, what is kept of the trees is copied together and the rest given back.
  void advance(Turn actor, Move seen, const View& next) {
    const std::lock_guard lock(mutex_);
    ++events_;
    request_.allow.clear();  // those were the moves of the view before
    std::vector<std::uint32_t> nodes(shares_.size(), 0);
    if constexpr (Reusable<Search>) {
      for (std::size_t t = 0; t < shares_.size(); ++t)
        if (shares_[t].node != 0) nodes[t] = shares_[t].search->below(shares_[t].node, actor, seen);
      const bool open_loop = actor.is_chance() && !Search::chance_has_nodes;
      if (open_loop && any(nodes) && !foreseen(seen)) nodes.assign(nodes.size(), 0);
    }
    if (!any(nodes))
      for (Share& share : shares_) {
        share.search.reset();
        share.node = 0;
      }
    if (G::turn(rules_, next) != Turn::of(G::seat(next))) {
      for (std::size_t t = 0; t < shares_.size(); ++t) shares_[t].node = nodes[t];
      view_ = next;
      reused_ = 0;
      return;
    }
    Analysis blank = blank_analysis<G>(rules_, next, request_);
    std::vector<std::unique_ptr<Search>> moved(shares_.size());
    std::uint64_t reused = 0;
    if constexpr (Reusable<Search>)
      for (std::size_t t = 0; t < shares_.size(); ++t) {
        if (!shares_[t].search) continue;
        moved[t] = std::make_unique<Search>(*shares_[t].search, nodes[t], next, request_,
                                            static_cast<int>(t));
        reused += moved[t]->reused();
      }
    // Where nothing could be used after all, it is as if nothing had been searched.
    for (std::size_t t = 0; t < shares_.size(); ++t) {
      shares_[t].search = reused ? std::move(moved[t]) : nullptr;
      shares_[t].node = 0;
      if constexpr (Reusable<Search>)
        if (shares_[t].search) shares_[t].node = shares_[t].search->root();
    }
    view_ = next;
    blank_ = std::move(blank);
    reused_ = reused;
    reason_ = Reason::waiting;
    spent_ = {};
  }

  // Visits that the trees had when the search began at this view.
  std::uint64_t reused() const {
    const std::lock_guard lock(mutex_);
    return reused_;
  }

 private:
  // One thread's tree. What is in it is the thread's own while it is busy.
  struct Share {
    std::unique_ptr<Search> search;  // made by the thread itself
    std::uint32_t node = 0;          // where the events have led, 0: out of the tree
    Reason reason = Reason::iterations;
    std::exception_ptr failure;
    bool busy = false;
    std::atomic<bool> wanted = false;  // by a snapshot
  };

  // A snapshot in the making.
  struct Page {
    Analysis analysis;
    std::vector<std::uint64_t> most;  // visits of the tree that gave the line, by row
    std::exception_ptr failure;
  };

  void work(std::size_t t, const Request& limits, Control& control) {
    Share& share = shares_[t];
    {
      const std::lock_guard lock(mutex_);
      share.busy = true;
    }
    try {
      if (!share.search) {
        share.search = std::make_unique<Search>(rules_, view_, request_, static_cast<int>(t));
        if constexpr (Reusable<Search>) share.node = share.search->root();
      }
      share.reason = detail::run_share(*share.search, limits, control, static_cast<int>(t), [&] {
        if (!share.wanted.load(std::memory_order_relaxed)) return;
        const std::lock_guard lock(mutex_);
        answer(share);
      });
    } catch (...) {
      share.failure = std::current_exception();
      control.stop = true;
    }
    const std::lock_guard lock(mutex_);
    share.busy = false;
    answer(share);
  }

  // Under the lock, as are the next ones.
  void answer(Share& share) {
    if (!share.wanted) return;
    write(share);
    share.wanted = false;
    if (--waiting_ == 0) answered_.notify_all();
  }

  void write(const Share& share) {
    if (!share.search) return;
    try {
      const Search& search = *share.search;
      Analysis& out = page_->analysis;
      search.report(out.rows, page_->most);
      if (out.iterations.empty()) out.iterations.assign(shares_.size(), 0);
      out.iterations[static_cast<std::size_t>(&share - shares_.data())] = search.iterations();
      out.worlds += search.worlds();
      out.nodes += search.nodes();
      out.bytes += search.bytes();
      out.depth = std::max(out.depth, search.depth());
      if constexpr (requires { search.pruned(); }) out.pruned += search.pruned();
      out.full |= search.full() || out.pruned > 0;
      out.stake.merge(search.stake());
    } catch (...) {
      page_->failure = std::current_exception();
    }
  }

  static bool any(const std::vector<std::uint32_t>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](std::uint32_t node) { return node != 0; });
  }

  // Whether the seat could tell the outcome beforehand: all worlds drawn give it.
  bool foreseen(Move seen) const {
    constexpr int worlds = 64;
    const typename G::Sampler sampler(rules_, view_);
    Rng rng(request_.seed, "foresee", events_);
    for (int i = 0; i < worlds; ++i) {
      typename G::State world;
      sampler.draw(world, rng);
      const Move outcome = G::roll(rules_, world, rng);
      if (G::seen(rules_, world, outcome, G::seat(view_)) != seen) return false;
    }
    return true;
  }

  const Rules& rules_;
  View view_;
  Request request_;
  Analysis blank_;
  std::vector<Share> shares_;
  std::uint64_t events_ = 0;  // since the first view
  std::uint64_t reused_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::mutex asking_;  // one snapshot at a time
  Page* page_ = nullptr;
  int waiting_ = 0;  // threads that have not added theirs
  Reason reason_ = Reason::waiting;
  Clock::time_point began_{};
  Clock::duration spent_{};
};

}  // namespace kibitz
