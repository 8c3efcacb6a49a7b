// Open hands: can this attempt still be won, by which moves, and how?
//
// In front of the tricks lie the choices of the preparation. All of them are tried, except where it
// can be said that they come to the same:
//
// - Words change nothing. Answers, and what the radio shows, are not looked at by any rule that
//   says what may be played or what a trick decides; they only move on to the same next choice.
//   (What lies under a radio token can't be drawn in mission 12; before that draw nothing is
//   solved.) So of answers the first is tried and the radio stays quiet, and all others are worth
//   the same.
// - The draft gives each seat as many tasks as its turns, any of those that lie there. Whether some
//   draft can be won is whether the tricks can be won in which every seat wins that many of them
//   (Problem::free); the draft is then read off the tricks.
// - An offer that is refused and one that is not made lead to the same. So an offer is made to be
//   accepted.
// - A vote sends the signal to one side, to the other, or not at all. Where each can still be
// brought
//   about, all who have not voted yet name it.
//
// Chance that is still to bring one of several outcomes is not solved: no value is right before it
// has been seen. That are the deal, tasks not drawn yet, owners by lot, and the draw of mission 12
// until it is over. Outcomes that follow from the hands (who holds a card, what is passed or turned
// up) are played.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/core/solution.hpp>
#include <kibitz/games/thecrew/chance.hpp>
#include <kibitz/games/thecrew/choices.hpp>
#include <kibitz/games/thecrew/play.hpp>
#include <kibitz/games/thecrew/solve_search.hpp>

namespace kibitz::thecrew {

// Does chance have a choice now or later? Who has drawn all its tasks may have more on the table
// than a mission deals, so they are counted in the preparation alone.
inline bool chance_ahead(const Rules& rules, const Table& table) {
  switch (table.phase) {
    case Phase::jarvis:
    case Phase::longest:
    case Phase::leader:
    case Phase::deal:
    case Phase::task:
    case Phase::lot:
    case Phase::draw:    return true;
    default:             break;
  }
  if (table.trick < rules.mission.draw_after) return true;
  const bool prepared = table.phase == Phase::radio || table.phase == Phase::play ||
                        table.phase == Phase::turn_up || table.phase == Phase::over;
  return !prepared && tasks_drawn(table) < rules.mission.tasks;
}

// The one outcome that is possible, of chance that has no choice.
inline Move sure_outcome(const Rules& rules, const State& state) {
  Move sure;
  each_outcome(rules, state, [&](Move move, std::uint64_t) { sure = move; });
  return sure;
}

class Solver {
 public:
  Solver(const Rules& rules, const SolveLimits& limits)
      : rules_(rules), limits_(limits), search_(limits) {}

  Solution solve(const State& state) {
    Solution out;
    if (chance_ahead(rules_, state.table)) return out;
    root_ = state;
    const Phase phase = state.table.phase;
    one_way_ = phase == Phase::radio || phase == Phase::play || phase == Phase::turn_up;
    if (one_way_) problem_ = problem_of(rules_, state, 0);
    if (phase == Phase::over)
      set(out.values, state.table.result == 1);
    else if (is_decision(phase))
      weigh_moves(out);
    else
      set(out.values, after(sure_outcome(rules_, state)) == Found::won);
    out.nodes = search_.nodes;
    if (search_.stopped) {
      Solution none;
      none.nodes = out.nodes;
      return none;
    }
    out.solved = true;
    if (line_.empty()) any_line();
    out.line = std::move(line_);
    return out;
  }

 private:
  using Pools = std::array<Cards, 5>;  // free tasks by seat

  void set(SeatValues& values, bool won) const {
    for (int s = 0; s < rules_.seats; ++s) values[at(s)] = won;
  }

  static auto moves_of(const Rules& rules, const State& state) {
    SmallList<Move, max_list> list;
    list_moves(rules, state.table, state.hand[state.table.actor], list);
    return list;
  }

  void weigh_moves(Solution& out) {
    const bool words = root_.table.phase == Phase::radio || root_.table.phase == Phase::ask;
    const auto list = moves_of(rules_, root_);
    bool won = false;
    for (const Move move : list) {
      bool wins = won;
      if (!words || move == list[0])
        wins = (kind_of(move) == Kind::take && (drafted_ >> card_of(move) & 1)) ||
               after(move) == Found::won;
      if (search_.stopped) return;
      won |= wins;
      if (!limits_.every_move && !wins) continue;
      out.moves.push_back({move, {}});
      set(out.moves.back().values, wins);
      if (!limits_.every_move) break;
    }
    if (out.moves.empty()) out.moves.push_back({list[0], {}});  // all lose
    set(out.values, won);
  }

  // Can the crew win after this move or outcome? The first time that it can, the line is kept.
  //
  // A preparation may end in thousands of ways, some hard to refute and some easily won. So all are
  // given a little time, then more, then any.
  Found after(Move move) {
    lost_.clear();
    const std::uint32_t first = used_;
    for (const std::uint64_t most : {20'000u, 1'000'000u, 0u}) {
      most_ = one_way_ ? 0 : most;
      numbers_ = first;
      accept_ = unsure_ = false;
      free_ = 0;
      path_.clear();
      const Found found = step(root_, move);
      used_ = std::max(used_, numbers_);
      if (found == Found::won || search_.stopped) return found;
      if (!unsure_) break;
    }
    return Found::lost;
  }

  // Lost is also what has not been decided in time; then `unsure_` is set.
  Found explore(const State& state) {
    const Table& table = state.table;
    switch (table.phase) {
      case Phase::over:
        if (table.result != 1) return Found::lost;
        keep_line({}, {});
        return Found::won;
      case Phase::play:  return explore_tricks(state);
      case Phase::vote:  return explore_vote(state);
      case Phase::radio: return step(state, quiet_move);
      case Phase::ask:
        return step(state, reply_move(static_cast<Reply>(this_step(rules_, table).replies & 15)));
      case Phase::draft: {
        const Cards lying = free_tasks(table);
        free_ |= lying;
        return step(state, make(Kind::take, std::countr_zero(lying)));
      }
      case Phase::consent: return explore_consent(state);
      case Phase::edit:
      case Phase::role:
      case Phase::owner:
      case Phase::offer:
      case Phase::give:    return explore_moves(state);
      default:             return step(state, sure_outcome(rules_, state));
    }
  }

  Found step(State state, Move move) {
    path_.push_back(move);
    play_move(rules_, state, move);
    const Found found = explore(state);
    path_.pop_back();
    return found;
  }

  Found explore_moves(const State& state) {
    // Free tasks of a seat are all alike: the lowest is offered for any.
    const Cards alike = state.table.pending[state.table.actor] & free_;
    const Cards others = alike & (alike - 1);
    for (const Move move : moves_of(rules_, state)) {
      const bool offers = kind_of(move) == Kind::offer;
      if (offers && (others >> card_of(move) & 1)) continue;
      accept_ = offers;
      const Found found = step(state, move);
      if (found == Found::won || search_.stopped) return found;
    }
    return Found::lost;
  }

  // Once refused, all other answers are words. Before that the last one asked may refuse for all.
  Found explore_consent(const State& state) {
    const Table& table = state.table;
    const auto no = static_cast<std::uint8_t>(Reply::no);
    const bool refused = std::find(table.reply.begin(), table.reply.end(), no) != table.reply.end();
    const bool last = left_of(rules_, table.actor) == offerer_of(rules_, table);
    const bool may_refuse = last && !refused && !accept_;
    const Found found = step(state, reply_move(Reply::yes));
    if (found == Found::won || search_.stopped || !may_refuse) return found;
    return step(state, reply_move(Reply::no));
  }

  Found explore_vote(const State& state) {
    for (const Reply reply : {Reply::none, Reply::left, Reply::right}) {
      State voted = state;
      const std::size_t length = path_.size();
      while (voted.table.phase == Phase::vote) {
        path_.push_back(reply_move(reply));
        play_move(rules_, voted, reply_move(reply));
      }
      // Not sent for all their votes: that has been tried with `none`.
      const bool known = reply != Reply::none && voted.table.phase != Phase::give;
      const Found found = known ? Found::lost : explore(voted);
      path_.resize(length);
      if (found == Found::won || search_.stopped) return found;
    }
    return Found::lost;
  }

  // The preparation is over. In the tricks there is one problem for all moves, and what is known of
  // it stays known; else each end of the preparation is a problem of its own.
  Found explore_tricks(const State& state) {
    if (one_way_) return look(problem_, 1, state, line_.empty());
    const std::uint32_t number = ++numbers_;
    if (number >= Search::problems) {
      search_.stopped = true;
      return Found::stopped;
    }
    if (number < lost_.size() && lost_[number]) return Found::lost;
    const Found found = look(problem_of(rules_, state, free_), number, state, true);
    if (found == Found::stopped && !search_.stopped) unsure_ = true;
    if (found == Found::lost) {
      lost_.resize(std::max<std::size_t>(lost_.size(), number + 1));
      lost_[number] = true;
    }
    return found == Found::won || search_.stopped ? found : Found::lost;
  }

  Found look(const Problem& problem, std::uint32_t number, const State& state, bool way) {
    const Table& table = state.table;
    const Node node = node_of(problem, state);
    const Card* laid = &table.line[at(table.trick * rules_.seats)];
    const Found found = search_.run(problem, number, node, laid, table.laid, most_, way);
    if (found != Found::won || !way) return found;
    std::vector<Cards> tricks;  // of each trick, what has still to be laid
    Pools pools{};
    Cards left = node.left;
    for (int i = 0; i < search_.length(); ++i) {
      const Node& next = search_.path()[i];
      tricks.push_back(left & ~next.left);
      pools[next.leader] |= tricks.back() & free_;
      left = next.left;
    }
    keep_line(tricks, pools);
    return found;
  }

  // The way that has been found: the preparation as in `path_`, but for the free tasks, then the
  // tricks. `pools` are the free tasks by the seats that win them.
  void keep_line(const std::vector<Cards>& tricks, Pools pools) {
    if (root_.table.phase != Phase::draft && !line_.empty()) return;
    // One that changes hands after the draft is drafted by the seat that offers it.
    State state = root_;
    int passed = -1;
    for (const Move move : path_) {
      if (kind_of(move) == Kind::offer && (free_ >> card_of(move) & 1)) {
        passed = std::countr_zero(pools[at(seat_of(move))]);
        pools[at(seat_of(move))] ^= bit(passed);
        pools[state.table.actor] |= bit(passed);
      }
      play_move(rules_, state, move);
    }
    // A seat that drafts this one and those may draft one of those now and this one later.
    if (root_.table.phase == Phase::draft) drafted_ |= pools[root_.table.actor];
    if (!line_.empty()) return;
    state = root_;
    const auto go = [&](Move move) {
      line_.emplace_back(turn_of(state.table), move);
      play_move(rules_, state, move);
    };
    for (const Move move : path_) {
      const bool chosen = card_of(move) >= 0 && (free_ >> card_of(move) & 1);
      if (chosen && kind_of(move) == Kind::take) {
        Cards& pool = pools[state.table.actor];
        const int card = std::countr_zero(pool);
        pool ^= bit(card);
        go(make(Kind::take, card));
      } else if (chosen && kind_of(move) == Kind::offer) {
        go(make(Kind::offer, passed, seat_of(move)));
      } else {
        go(move);
      }
    }
    for (const Cards trick : tricks)
      for (Cards rest = trick; rest;) {
        if (state.table.phase == Phase::radio) {
          go(quiet_move);
        } else if (state.table.phase == Phase::play) {
          const Cards card = rest & state.hand[state.table.actor];
          rest ^= card;
          go(play_card(std::countr_zero(card)));
        } else {
          go(sure_outcome(rules_, state));
        }
      }
  }

  // Nothing wins: any way to the end is as good as another.
  void any_line() {
    State state = root_;
    while (state.table.phase != Phase::over) {
      const bool decision = is_decision(state.table.phase);
      const Move move = decision ? moves_of(rules_, state)[0] : sure_outcome(rules_, state);
      line_.emplace_back(turn_of(state.table), move);
      play_move(rules_, state, move);
    }
  }

  const Rules& rules_;
  const SolveLimits& limits_;
  Search search_;
  State root_{};
  bool one_way_ = false;
  Problem problem_;            // where there is one way
  Cards free_ = 0;             // tasks whose owners the tricks choose
  bool accept_ = false;        // this offer is made to be accepted
  bool unsure_ = false;        // an end of the preparation has not been decided in time
  std::uint64_t most_ = 0;     // nodes an end
  std::uint32_t numbers_ = 0;  // of the end looked at last
  std::uint32_t used_ = 0;     // the highest ever
  std::vector<bool> lost_;     // by end, of the move that is looked at
  Cards drafted_ = 0;          // tasks whose taking is known to win
  std::vector<Move> path_;     // from the root to here
  std::vector<std::pair<Turn, Move>> line_;
};

inline Solution solve_state(const Rules& rules, const State& state, const SolveLimits& limits) {
  return Solver(rules, limits).solve(state);
}

}  // namespace kibitz::thecrew
