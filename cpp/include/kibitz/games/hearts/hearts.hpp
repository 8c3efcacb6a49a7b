// Hearts, four seats, 52 cards, one deal a game: the rule set of OpenSpiel's `hearts`.
//
// Three cards are passed left, across or right, or none, as chance decides. The two of clubs leads.
// Follow suit if you can; the highest card of the suit led takes the trick and leads the next. No
// points are given to the first trick, and hearts are not led until they are broken. Each heart
// taken counts a point, the queen of spades 13. Who takes all 26 counts none, the others 26 each.
// Fewest points win.
//
// Source: OpenSpiel 2.0.2, asked as a black box; docs/games/hearts.md says what was asked.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/hearts/advice.hpp>
#include <kibitz/games/hearts/legality.hpp>
#include <kibitz/games/hearts/play.hpp>
#include <kibitz/games/hearts/playout.hpp>
#include <kibitz/games/hearts/position.hpp>
#include <kibitz/games/hearts/sampler.hpp>
#include <kibitz/games/hearts/sheet.hpp>
#include <kibitz/games/hearts/state.hpp>
#include <kibitz/games/hearts/text.hpp>
#include <kibitz/games/hearts/view.hpp>

namespace kibitz::hearts {

struct Hearts {
  using Rules = hearts::Rules;
  using State = hearts::State;
  using View = hearts::View;
  using Sampler = hearts::Sampler;
  using Eyes = hearts::Eyes;
  using StateSheet = hearts::StateSheet;
  using ViewSheet = hearts::ViewSheet;

  static constexpr std::string_view slug = "hearts";
  static constexpr std::string_view title = "Hearts";
  static constexpr std::string_view summary =
      "take no hearts and not the queen of spades, or all of them; three cards are passed";
  static constexpr int version = 1;
  static constexpr std::string_view grammar =
      "QS play a card, pass QS (pass x where not seen); outcomes: pass left, pass across, pass "
      "right, no pass, deal QS, get 2C 7D QS (x where not seen), first 2 (that seat leads 2C)";
  static constexpr std::size_t max_moves = 13;
  static constexpr bool cooperative = false;
  static constexpr bool scored = true;

  static std::vector<Option> options() {
    return {
        Option::integer("players", 4, 4, 4, "seats, each for itself"),
        Option::flag("pass_cards", true, "three cards are passed as chance decides, or never"),
        Option::flag("no_pts_on_first_trick", true,
                     "hearts and the queen of spades may not be discarded on the first trick, but "
                     "from a hand of nothing else"),
        Option::flag("can_lead_any_club", false,
                     "who holds the two of clubs may lead another club first"),
        Option::flag("jd_bonus", false, "the jack of diamonds takes off 10 points"),
        Option::flag("avoid_all_tricks_bonus", false,
                     "a deal without a trick takes off 5 points, unless somebody takes all 26"),
        Option::flag("must_break_hearts", true,
                     "hearts are not led until one is played, but from a hand of nothing else"),
        Option::flag("qs_breaks_hearts", true, "the queen of spades breaks hearts, too"),
        Option::flag("can_lead_hearts_instead_of_qs", false,
                     "unbroken hearts may be led from a hand of hearts and the queen of spades"),
    };
  }

  static Rules rules(const Choices& chosen) {
    Rules rules;
    rules.pass_cards = chosen["pass_cards"];
    rules.first_trick_free = !chosen["no_pts_on_first_trick"];
    rules.any_club = chosen["can_lead_any_club"];
    rules.jack_bonus = chosen["jd_bonus"];
    rules.no_trick_bonus = chosen["avoid_all_tricks_bonus"];
    rules.hearts_for_queen = chosen["can_lead_hearts_instead_of_qs"];
    rules.breakers = !chosen["must_break_hearts"] ? pack
                     : chosen["qs_breaks_hearts"] ? point_cards
                                                  : hearts::hearts;
    return rules;
  }

  static int seats(const Rules&) { return hearts::seats; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules&) { return 12 + 52; }

  static State blank(const Rules& rules) { return blank_state(rules); }
  static State deal(const Rules& rules, Rng& rng) { return deal_state(rules, rng); }
  static Turn turn(const Rules&, const State& state) { return turn_of(state.table); }
  static void moves(const Rules& rules, const State& state, MoveList<Hearts>& out) {
    out.clear();
    if (is_decision(state.table.phase))
      list(rules, state.table, state.hand[state.table.to_move], out);
  }
  static Move pick(const Rules& rules, const State& state, Rng& rng) {
    const Cards hand = state.hand[state.table.to_move];
    return choice(state.table, pick_card(choices(rules, state.table, hand), rng));
  }
  template <class Each>
  static void outcomes(const Rules&, const State& state, Each&& each) {
    each_outcome(state, each);
  }
  static Move roll(const Rules&, const State& state, Rng& rng) { return roll_outcome(state, rng); }
  static void play(const Rules& rules, State& state, Move move) { play_move(rules, state, move); }
  static Breach check(const Rules& rules, const State& state, Move move) {
    return breach_of(rules, state.table, state.hand[state.table.to_move], move);
  }
  static int play_out(const Rules& rules, State& state, Rng& rng) {
    return play_deal(rules, state, rng);
  }
  static bool settled(const Rules&, const State& state) { return state.table.phase == Phase::over; }

  // The margin is linear in the points that a seat counts, 1 for the fewest that the options allow,
  // -1 for 26. OpenSpiel returns 26 less those points, so the same play maximises both.
  static Worth worth(const Rules& rules, const State& state) {
    Worth worth;
    const std::array<int, 4> points = count_points(rules, state.table);
    share(points, worth.win.data());
    const int least = rules.jack_bonus ? -10 : rules.no_trick_bonus ? -5 : 0;
    for (std::size_t s = 0; s < 4; ++s)
      worth.margin[s] = 1.0 - 2.0 * (points[s] - least) / (26 - least);
    return worth;
  }
  static void returns(const Rules& rules, const State& state, double* out) {
    share(count_points(rules, state.table), out);
  }
  static int score(const Rules& rules, const State& state, int* count) {
    const std::array<int, 4> points = count_points(rules, state.table);
    for (std::size_t s = 0; s < 4; ++s) count[s] = points[s];
    return 4;
  }

  static View view(const Rules&, const State& state, Seat seat) { return view_of(state, seat); }
  static Seat seat(const View& view) { return view.table.seat; }
  static Turn turn(const Rules&, const View& view) { return turn_of(view.table); }
  static void moves(const Rules& rules, const View& view, MoveList<Hearts>& out) {
    out.clear();
    if (turn_of(view.table) == Turn::of(view.table.seat)) list(rules, view.table, view.hand, out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (is_decision(view.table.phase) && view.table.to_move != view.table.seat)
      return {"hearts: order of play", "it is " + seat_name(view.table.to_move) + "'s turn"};
    return breach_of(rules, view.table, view.hand, move);
  }
  static Move seen(const Rules&, const State& state, Move move, Seat seat) {
    return mask_move(state.table, move, seat);
  }
  static Move mask(const Rules&, const View& view, Turn, Move move) {
    return mask_move(view.table, move, view.table.seat);
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
  static StateSheet sheet(const Rules&, const State& state) { return sheet_of(state); }
  static ViewSheet sheet(const Rules&, const View& view) { return sheet_of(view); }
  static Breach read(const Rules& rules, const StateSheet& sheet, State& out) {
    return read_state(rules, sheet, out);
  }
  static Breach read(const Rules& rules, const ViewSheet& sheet, Seat seat, View& out) {
    return read_view(rules, sheet, seat, out);
  }

  static Eyes eyes(const Rules& rules, const State& state) {
    return Eyes(rules, state.table, state.hand[state.table.to_move]);
  }
  static Eyes eyes(const Rules& rules, const View& view) {
    return Eyes(rules, view.table, view.hand);
  }
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) { return eyes.move(plain_advice(eyes)); }
  static Move hint(const Rules&, const Eyes& eyes, Rng& rng) { return hinted_move(eyes, rng); }

 private:
  static void list(const Rules& rules, const Table& table, Cards hand, MoveList<Hearts>& out) {
    for (Cards left = choices(rules, table, hand); left; left &= left - 1)
      out.push_back(choice(table, lowest(left)));
  }
  // The win, in equal shares of those with the fewest points.
  static void share(const std::array<int, 4>& points, double* out) {
    const int fewest = *std::min_element(points.begin(), points.end());
    const auto winners = std::count(points.begin(), points.end(), fewest);
    for (std::size_t s = 0; s < 4; ++s)
      out[s] = points[s] == fewest ? 1.0 / static_cast<double>(winners) : 0.0;
  }
};

using game_type = Hearts;  // what the list of games picks up
static_assert(check_game<Hearts>());

}  // namespace kibitz::hearts
