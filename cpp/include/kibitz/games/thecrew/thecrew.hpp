// The Crew: The Quest for Planet Nine. A co-operative trick-taking game of 50 missions: everybody
// wins or nobody.
//
// Forty cards: four colours 1 to 9 and rockets 1 to 4, which are trump. Three to five seats, or two
// people and an automatic third member. The holder of R4 is commander. A mission prepares itself by
// a list of steps (tasks are drawn and taken, roles named, cards passed), then trick after trick is
// played; before each the radio may show one card. After every trick all constraints of the mission
// are looked at: one failed is failure, all safe is success.
//
// Source: the printed rules and BoardGameArena's implementation as collected in
// docs/games/thecrew.md, whose states S0 to S9, rulings R1 to R45 and assumptions A1 to A20 the
// code names. The missions are data (missions.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/core/solution.hpp>
#include <kibitz/games/thecrew/advice.hpp>
#include <kibitz/games/thecrew/chance.hpp>
#include <kibitz/games/thecrew/choices.hpp>
#include <kibitz/games/thecrew/drawing.hpp>
#include <kibitz/games/thecrew/events.hpp>
#include <kibitz/games/thecrew/eyes.hpp>
#include <kibitz/games/thecrew/legality.hpp>
#include <kibitz/games/thecrew/moves_text.hpp>
#include <kibitz/games/thecrew/play.hpp>
#include <kibitz/games/thecrew/playout.hpp>
#include <kibitz/games/thecrew/position.hpp>
#include <kibitz/games/thecrew/sampler.hpp>
#include <kibitz/games/thecrew/setup.hpp>
#include <kibitz/games/thecrew/sheet.hpp>
#include <kibitz/games/thecrew/solve.hpp>
#include <kibitz/games/thecrew/state.hpp>
#include <kibitz/games/thecrew/value.hpp>
#include <kibitz/games/thecrew/view.hpp>

namespace kibitz::thecrew {

struct TheCrew {
  using Rules = thecrew::Rules;
  using State = thecrew::State;
  using View = thecrew::View;
  using Sampler = thecrew::Sampler;
  using Eyes = thecrew::Eyes;
  using StateSheet = thecrew::StateSheet;
  using ViewSheet = thecrew::ViewSheet;

  static constexpr std::string_view slug = "thecrew";
  static constexpr std::string_view title = "The Crew: The Quest for Planet Nine";
  static constexpr std::string_view summary =
      "co-operative trick-taking with hidden hands and one short signal each: fifty missions for 2 "
      "to 5";
  static constexpr int version = 1;
  static constexpr std::string_view solves = "win";
  static constexpr bool hinted = true;  // playouts; figures in docs/games/thecrew.md
  static constexpr std::string_view grammar =
      "B4 play a card (B, G, P, Y 1 to 9, R 1 to 4); say G9 highest (lowest, only; in a dead zone "
      "say G9), quiet; take B4; S1 2, S2 0; owner 3; good, bad, yes, no, first, between, last; "
      "swap B4 G7, move 1 B5, keep; offer B4 2; none, left, right, any; give B1 (give x: not "
      "seen); outcomes: jarvis 1, longest 0, commander 2, deal B1, under x, up B1, task P3 "
      "(several at once: tasks P3 B9), owner 1 (owners 1 0), holder 2, get B1, draw B2, turn Y3";
  static constexpr std::size_t max_moves = max_list;
  static constexpr bool cooperative = true;

  static std::vector<Option> options() { return option_list(); }
  static Rules rules(const Choices& chosen) { return rules_of(chosen); }
  static int seats(const Rules& rules) { return rules.seats; }
  static int team(const Rules&, Seat) { return 0; }

  // Preparation: 12 steps of at most 10 tasks, each with 4 answers and an owner. Radio: a round a
  // trick and, until all pass, one more for each seat that has spoken. Play: a card a seat.
  static std::int64_t max_plies(const Rules& rules) {
    const int seats = rules.seats;
    return max_steps * max_tasks * (seats + 1) + seats * (rules.tricks + seats) +
           seats * rules.tricks;
  }

  static State blank(const Rules& rules) { return blank_state(rules); }
  static State deal(const Rules& rules, Rng& rng) { return deal_state(rules, rng); }
  static Turn turn(const Rules&, const State& state) { return turn_of(state.table); }
  static void moves(const Rules& rules, const State& state, MoveList<TheCrew>& out) {
    out.clear();
    if (is_decision(state.table.phase)) list_moves(rules, state.table, acting_hand(state), out);
  }
  static Move pick(const Rules& rules, const State& state, Rng& rng) {
    return pick_move(rules, state.table, acting_hand(state), rng);
  }
  template <class Each>
  static void outcomes(const Rules& rules, const State& state, Each&& each) {
    each_outcome(rules, state, each);
  }
  static Move roll(const Rules& rules, const State& state, Rng& rng) {
    return roll_outcome(rules, state, rng);
  }
  static void play(const Rules& rules, State& state, Move move) { play_move(rules, state, move); }
  static Breach check(const Rules& rules, const State& state, Move move) {
    return breach_of(rules, state.table, is_decision(state.table.phase) ? acting_hand(state) : 0,
                     move);
  }
  static int play_out(const Rules& rules, State& state, Rng& rng) {
    return play_mission(rules, state, rng);
  }
  static bool settled(const Rules&, const State& state) { return state.table.phase == Phase::over; }
  static Worth worth(const Rules& rules, const State& state) {
    return worth_of(rules, state.table);
  }
  static void returns(const Rules& rules, const State& state, double* share) {
    for (int s = 0; s < rules.seats; ++s) share[s] = state.table.result == 1;
  }
  static int score(const Rules&, const State& state, int* totals) {
    totals[0] = tasks_completed(state.table);
    return 1;
  }

  static Solution solve(const Rules& rules, const State& state, const SolveLimits& limits) {
    return solve_state(rules, state, limits);
  }

  static View view(const Rules& rules, const State& state, Seat seat) {
    return view_of(rules, state, seat);
  }
  static Seat seat(const View& view) { return view.seat; }
  static Turn turn(const Rules&, const View& view) { return turn_of(view.table); }
  static void moves(const Rules& rules, const View& view, MoveList<TheCrew>& out) {
    out.clear();
    if (turn_of(view.table) == Turn::of(view.seat))
      list_moves(rules, view.table, acting_hand(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    const Turn turn = turn_of(view.table);
    if (turn.is_seat() && turn.seat() != view.seat)
      return {"thecrew: order of play", "it is seat " + std::to_string(turn.seat()) + "'s turn"};
    return breach_of(rules, view.table, turn.is_seat() ? acting_hand(view) : 0, move);
  }
  static Move seen(const Rules& rules, const State& state, Move move, Seat seat) {
    return mask_move(rules, state.table, move, seat);
  }
  static Move mask(const Rules& rules, const View& view, Turn, Move move) {
    return mask_move(rules, view.table, move, view.seat);
  }
  static Verdict observe(const Rules& rules, View& view, Turn turn, Move seen) {
    return observe_event(rules, view, turn, seen);
  }

  static std::string to_text(Move move) { return move_text(move); }
  static std::optional<Move> from_text(std::string_view text) { return move_from(text); }
  static std::string draw(const Rules& rules, const State& state) {
    return draw_table(rules, state);
  }
  static std::string draw(const Rules& rules, const View& view) { return draw_table(rules, view); }
  static StateSheet sheet(const Rules& rules, const State& state) { return sheet_of(rules, state); }
  static ViewSheet sheet(const Rules& rules, const View& view) { return sheet_of(rules, view); }
  static Breach read(const Rules& rules, const StateSheet& sheet, State& out) {
    return read_state(rules, sheet, out);
  }
  static Breach read(const Rules& rules, const ViewSheet& sheet, Seat seat, View& out) {
    return read_view(rules, sheet, seat, out);
  }

  static Eyes eyes(const Rules& rules, const State& state) {
    return Eyes(rules, state.table, acting_hand(state));
  }
  static Eyes eyes(const Rules& rules, const View& view) {
    return Eyes(rules, view.table, acting_hand(view));
  }
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) { return plain_advice(eyes); }
  static Move hint(const Rules&, const Eyes& eyes, Rng& rng) { return hinted_move(eyes, rng); }
};

using game_type = TheCrew;  // what the list of games picks up
static_assert(check_game<TheCrew>());
static_assert(Solvable<TheCrew>);

}  // namespace kibitz::thecrew
