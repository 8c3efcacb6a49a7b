// Kami, a re-theme of Goita: 32 cards, shedding in pairs of defence and attack.
//
// Two to four players (four: two partnerships). The leader lays a defence face-down and attacks
// with a card face-up. Everybody else in turn may pass, or answer with a face-up defence of the
// same type (an Empress answers types 3 to 7) and attack in turn. If all pass, the owner of the
// attack leads again. Who attacks with the last hand card wins the round and scores that card,
// doubled if it equals a face-down defence. First to 15 under one of three endings wins.
//
// Source: the publisher's and BoardGameArena's rules as collected in docs/games/kami.md, whose
// rulings R1 to R33 and assumptions A1 to A13 the code names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/core/solution.hpp>
#include <kibitz/games/kami/advice.hpp>
#include <kibitz/games/kami/chance.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/drawing.hpp>
#include <kibitz/games/kami/events.hpp>
#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/match.hpp>
#include <kibitz/games/kami/moves_text.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/playout.hpp>
#include <kibitz/games/kami/position.hpp>
#include <kibitz/games/kami/reading.hpp>
#include <kibitz/games/kami/sampler.hpp>
#include <kibitz/games/kami/sheet.hpp>
#include <kibitz/games/kami/solver.hpp>
#include <kibitz/games/kami/state.hpp>
#include <kibitz/games/kami/view.hpp>

namespace kibitz::kami {

struct Kami {
  using Rules = kami::Rules;
  using State = kami::State;
  using View = kami::View;
  using Sampler = kami::Sampler;
  using Eyes = kami::Eyes;
  using StateSheet = kami::StateSheet;
  using ViewSheet = kami::ViewSheet;

  static constexpr std::string_view slug = "kami";
  static constexpr std::string_view title = "Kami";
  static constexpr std::string_view summary =
      "Goita re-themed: shed pairs of cards, answer attacks, hide one card a lead; 4 in "
      "partnerships";
  static constexpr int version = 1;
  static constexpr std::string_view grammar =
      "d3 defend with a hand card (dC: with mercenary stack C; dx: a face-down card not seen), a4 "
      "attack (aC), "
      "p pass, ?5 ask for a redeal with five Soldiers, - do not ask or refuse, + agree; outcomes: "
      "deal 11113477, "
      "aside 7, stack 5x, up C 5, points 6, void, first 0";
  static constexpr std::size_t max_moves = max_list;
  static constexpr bool cooperative = false;

  static std::vector<Option> options() {
    return {
        Option::integer("players", 2, 4, 4,
                        "seats; four play as two partnerships, 0+2 against 1+3"),
        Option::choice("victory", {"soldier", "lord", "kami"},
                       "how the match ends: 15 or more; exactly 15, the excess is taken off; "
                       "exactly 15, more is 0"),
        Option::integer("rounds", 0, 1, 0,
                        "0: a match to 15 points; 1: a single round, whoever wins it wins"),
        Option::choice("next_leader", {"winner", "rotate"},
                       "A1: the winner of a round leads the next, or the next seat"),
        Option::choice("dead_round", {"same", "next"},
                       "A4, 2 players: who leads after a void round"),
        Option::choice("one_card", {"hand", "free"},
                       "A12, 2 players: with one hand card left and a mercenary as defence, attack "
                       "with that card only, or freely"),
        Option::flag("redeal", true,
                     "4 players: the question of five Soldiers goes round before each round"),
        Option::integer("max_rounds", 1, 300, 300,
                        "A13: a match is stopped undecided after so many rounds"),
    };
  }

  static Rules rules(const Choices& chosen) {
    Rules rules;
    rules.players = chosen["players"];
    rules.victory = static_cast<Victory>(chosen["victory"]);
    rules.rounds = chosen["rounds"];
    rules.leader_rotates = chosen["next_leader"] == 1;
    rules.dead_rotates = chosen["dead_round"] == 1;
    rules.one_card_free = chosen["one_card"] == 1;
    rules.redeal = chosen["redeal"] == 1;
    rules.max_rounds = chosen["max_rounds"];
    rules.hand_size = rules.players == 3 ? 10 : 8;
    rules.stride = rules.players == 2 ? 16 : 8;
    if (rules.rounds == 0) rules.match_worth = solve_match(rules);
    return rules;
  }

  static int seats(const Rules& rules) { return rules.players; }
  static int team(const Rules& rules, Seat seat) { return team_of(rules, seat); }

  // 59 decisions a round at most (kami.json, bounds) and, with each of the 32 deals it may see,
  // four questions and four answers.
  static std::int64_t max_plies(const Rules& rules) {
    const std::int64_t round = 59 + (max_redeals + 1) * 8;
    return round * (rules.rounds == 1 ? 1 : rules.max_rounds);
  }

  static State blank(const Rules& rules) { return blank_state(rules); }
  static State deal(const Rules& rules, Rng& rng) { return deal_state(rules, rng); }
  static Turn turn(const Rules&, const State& state) { return turn_of(state.board); }
  static void moves(const Rules& rules, const State& state, MoveList<Kami>& out) {
    out.clear();
    if (is_decision(state.board.phase))
      list_moves(rules, state.board, state.hand[state.board.to_move], out);
  }
  static Move pick(const Rules& rules, const State& state, Rng& rng) {
    return pick_move(rules, state.board, state.hand[state.board.to_move], rng);
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
    return breach_of(rules, state.board, state.hand[state.board.to_move], move);
  }
  static int play_out(const Rules& rules, State& state, Rng& rng) {
    return play_round(rules, state, rng);
  }
  static bool settled(const Rules&, const State& state) { return is_settled(state.board); }
  static Worth worth(const Rules& rules, const State& state) {
    return worth_of(rules, state.board);
  }
  static void returns(const Rules& rules, const State& state, double* share) {
    const Board& board = state.board;
    for (int s = 0; s < rules.players; ++s)
      share[s] = board.phase == Phase::over && board.winner != nobody &&
                 team_of(rules, static_cast<Seat>(s)) == team_of(rules, board.winner);
  }
  static int score(const Rules& rules, const State& state, int* totals) {
    for (int t = 0; t < teams(rules); ++t)
      totals[t] = state.board.totals[static_cast<std::size_t>(t)];
    return teams(rules);
  }

  // Of a round; with three players each seat's own less the winner's.
  static constexpr std::string_view solves = "points";
  static Solution solve(const Rules& rules, const State& state, const SolveLimits& limits) {
    return solve_round(rules, state, limits);
  }

  static View view(const Rules& rules, const State& state, Seat seat) {
    return view_of(rules, state, seat);
  }
  static Seat seat(const View& view) { return view.seat; }
  static Turn turn(const Rules&, const View& view) { return turn_of(view.board); }
  static void moves(const Rules& rules, const View& view, MoveList<Kami>& out) {
    out.clear();
    if (turn_of(view.board) == Turn::of(view.seat)) list_moves(rules, view.board, view.hand, out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (turn_of(view.board).is_seat() && view.board.to_move != view.seat)
      return {"kami: order of play",
              "it is seat " + std::to_string(view.board.to_move) + "'s turn"};
    return breach_of(rules, view.board, view.hand, move);
  }
  static Move seen(const Rules& rules, const State& state, Move move, Seat seat) {
    return mask_move(rules, state.board, turn_of(state.board), move, seat);
  }
  static Move mask(const Rules& rules, const View& view, Turn turn, Move move) {
    return mask_move(rules, view.board, turn, move, view.seat);
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
    return Eyes(rules, state.board, state.hand[state.board.to_move]);
  }
  static Eyes eyes(const Rules& rules, const View& view) {
    return Eyes(rules, view.board, view.hand);
  }
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) { return plain_advice(eyes); }
  static Move hint(const Rules&, const Eyes& eyes, Rng& rng) { return hinted_move(eyes, rng); }
};

using game_type = Kami;  // what the list of games picks up
static_assert(check_game<Kami>());
static_assert(Solvable<Kami>);

}  // namespace kibitz::kami
