// AnySearch for one search of one game, and what it shares with AnyGame for that game.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#include <kibitz/core/fault.hpp>
#include <kibitz/erased/any_game.hpp>
#include <kibitz/search/session.hpp>

namespace kibitz {

template <class G>
typename G::View view_of(const AnyView& view) {
  typename G::View out;
  std::memcpy(&out, view.data(), sizeof out);
  return out;
}

// Throws illegal_move unless the view's seat is to move.
inline void must_move(const AnyView& view) {
  const Turn now = view.game()->turn(view);
  const Seat seat = view.game()->seat(view);
  if (now == Turn::of(seat)) return;
  const std::string who = now.is_over()     ? "the game is over"
                          : now.is_chance() ? "an outcome of chance comes first"
                                            : "seat " + std::to_string(now.seat()) + " is to move";
  throw Failure({FaultKind::illegal_move,
                 view.game()->facts().slug + ": seat " + std::to_string(seat) +
                     " is not to move: " + who + ".",
                 {},
                 {},
                 {}});
}

template <class Search, class G>
class SearchOf final : public AnySearch {
 public:
  SearchOf(const AnyView& view, const typename G::Rules& rules, const Request& request)
      : view_(view), session_(rules, view_of<G>(view), request), threads_(request.threads) {}

  AnyView view() const override {
    const std::lock_guard lock(mutex_);
    return view_;
  }

  void run(const Request& limits, const Control& control) override {
    {
      const std::lock_guard lock(mutex_);
      must_rest("run a second time");
      must_move(view_);
      running_ = true;
    }
    struct Rest {
      SearchOf& search;
      ~Rest() {
        const std::lock_guard lock(search.mutex_);
        search.running_ = false;
      }
    } const rest{*this};
    Request own = limits;
    own.threads = threads_;
    session_.run(own, control);
  }

  Analysis snapshot() override {
    const std::lock_guard lock(mutex_);
    must_move(view_);
    return session_.snapshot();
  }

  void advance(Turn actor, Move seen) override {
    const std::lock_guard lock(mutex_);
    must_rest("advance");
    AnyView next = view_.game()->observe(view_, actor, seen);
    session_.advance(actor, seen, view_of<G>(next));
    view_ = next;
  }

  std::uint64_t reused() const override { return session_.reused(); }

 private:
  void must_rest(const char* what) const {
    if (running_)
      throw Failure({FaultKind::invalid_option,
                     std::string("A search that runs cannot ") + what + "; stop it first.",
                     {},
                     {},
                     {}});
  }

  mutable std::mutex mutex_;
  AnyView view_;  // keeps the game, and so the rules, alive
  Session<Search, G> session_;
  int threads_;
  bool running_ = false;
};

}  // namespace kibitz
