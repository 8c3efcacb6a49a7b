// Leduc poker: two seats, six cards, J Q K in two suits, two rounds of betting.
//
// Each seat puts 1 chip in and is dealt one card. Seat 0 begins each round. Call matches the
// other's chips (or checks), raise goes 2 chips above them in the first round and 4 in the second,
// at most twice a round, fold is possible against a raise. Between the rounds a public card is
// turned up. A pair with it wins, else the higher rank; equal ranks share the pot.
//
// Source: Southey et al., Bayes' Bluff, 2005, with the moves of OpenSpiel;
// docs/games/leduc_poker.md.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/leduc_poker/betting.hpp>
#include <kibitz/games/leduc_poker/sheet.hpp>
#include <kibitz/games/leduc_poker/table.hpp>

namespace kibitz::leduc_poker {

// All that the advice may use.
struct Eyes {
  std::uint8_t own;
  std::uint8_t common;
  Betting betting;  // of this round
};

struct LeducPoker {
  using Rules = leduc_poker::Rules;
  using State = leduc_poker::State;
  using View = leduc_poker::View;
  using Sampler = leduc_poker::Sampler;
  using Eyes = leduc_poker::Eyes;
  using StateSheet = Sheet;
  using ViewSheet = Sheet;

  static constexpr std::string_view slug = "leduc_poker";
  static constexpr std::string_view title = "Leduc poker";
  static constexpr std::string_view summary = "six cards, two rounds of betting, one public card";
  static constexpr int version = 1;
  static constexpr std::string_view grammar =
      "fold, call, raise; outcomes: deal K1 (deal x where not seen), public Q2, show K1 J2";
  static constexpr std::size_t max_moves = 3;
  static constexpr bool cooperative = false;
  static constexpr bool scored = true;

  static std::vector<Option> options() {
    return {Option::integer("players", 2, 2, 2, "seats, each for itself")};
  }
  static Rules rules(const Choices&) { return {}; }
  static int seats(const Rules&) { return 2; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules&) { return 8; }

  static State blank(const Rules&) { return {}; }
  static State deal(const Rules& rules, Rng& rng) {
    State state{};
    while (!dealt(state)) play_on(state, roll(rules, state, rng));
    return state;
  }
  static Turn turn(const Rules&, const State& state) { return turn_of(state); }
  static void moves(const Rules&, const State& state, MoveList<LeducPoker>& out) {
    out.clear();
    if (!turn_of(state).is_seat()) return;
    const Betting& now = betting(state);
    for (std::uint32_t code = now.first().code; code <= now.last().code; ++code)
      out.push_back({code});
  }
  static Move pick(const Rules&, const State& state, Rng& rng) {
    const Betting& now = betting(state);
    return {now.first().code + rng.below(now.choices())};
  }
  template <class Each>
  static void outcomes(const Rules&, const State& state, Each&& each) {
    if (is_settled(state)) return each(show_of(state.card[0], state.card[1]), std::uint64_t{1});
    for (unsigned card = 1; card <= cards; ++card)
      if (pack(state) >> card & 1)
        each(dealt(state) ? public_of(card) : deal_of(card), std::uint64_t{1});
  }
  static Move roll(const Rules&, const State& state, Rng& rng) {
    if (is_settled(state)) return show_of(state.card[0], state.card[1]);
    const std::uint8_t card = draw_card(pack(state), rng);
    return dealt(state) ? public_of(card) : deal_of(card);
  }
  static void play(const Rules&, State& state, Move move) { play_on(state, move); }
  static Breach check(const Rules&, const State& state, Move move) {
    if (!turn_of(state).is_seat()) return {"leduc_poker: turn", "no seat is to choose here"};
    const Betting& now = betting(state);
    if (move.code >= now.first().code && move.code <= now.last().code) return {};
    if (move == fold) return {"leduc_poker: fold", "there is no raise to fold to; call instead"};
    if (move == raise) return {"leduc_poker: raises", "a round of betting has at most two raises"};
    return {"leduc_poker: moves", "a seat may fold, call or raise and do nothing else"};
  }
  static bool settled(const Rules&, const State& state) { return is_settled(state); }
  // 13 chips are the most: the ante, two raises of 2 and two of 4.
  static Worth worth(const Rules& rules, const State& state) {
    Worth worth;
    const int won = won_by_first(state);
    for (std::size_t s = 0; s < 2; ++s) worth.margin[s] = (s ? -won : won) / 13.0;
    returns(rules, state, worth.win.data());
    return worth;
  }
  static void returns(const Rules&, const State& state, double* share) {
    const int won = won_by_first(state);
    share[0] = won == 0 ? 0.5 : won > 0;
    share[1] = 1 - share[0];
  }
  static int score(const Rules&, const State& state, int* count) {
    count[0] = turn_of(state).is_over() ? won_by_first(state) : 0;
    count[1] = -count[0];
    return 2;
  }

  static View view(const Rules&, const State& state, Seat seat) {
    View view{state, seat};
    std::uint8_t& other = view.card[1 - seat];
    if (other != none && !state.shown) other = unknown;
    return view;
  }
  static Seat seat(const View& view) { return view.seat; }
  static void moves(const Rules& rules, const View& view, MoveList<LeducPoker>& out) {
    out.clear();
    if (turn_of(view) == Turn::of(view.seat)) moves(rules, static_cast<const State&>(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (turn_of(view) == Turn::of(1 - view.seat))
      return {"leduc_poker: turn", "it is the other seat's turn to choose"};
    return check(rules, static_cast<const State&>(view), move);
  }
  static Move seen(const Rules&, const State& state, Move move, Seat seat) {
    return masked(state, move, seat);
  }
  static Move mask(const Rules&, const View& view, Turn, Move move) {
    return masked(view, move, view.seat);
  }
  static Verdict observe(const Rules& rules, View& view, Turn turn, Move seen) {
    using enum Verdict::Kind;
    const State& table = view;
    if (turn != turn_of(table))
      return {wrong_actor, {"leduc_poker: turn", "the other seat, or chance, comes first"}};
    if (masked(table, seen, view.seat) != seen)
      return {too_much, {"leduc_poker: hidden", "this seat does not see the other seat's card"}};
    if (turn.is_seat()) {
      if (Breach breach = check(rules, table, seen)) return {illegal, std::move(breach)};
    } else {
      const bool fits = is_settled(table) ? is_show(seen)
                        : dealt(table)    ? is_public(seen)
                                          : is_deal(seen);
      if (!fits || low(seen) == none)
        return {illegal,
                {"leduc_poker: chance", "now a card is dealt or turned up, or both are shown"}};
    }
    State next = table;
    play_on(next, seen);
    if (is_show(seen) && next.card[view.seat] != table.card[view.seat])
      return {inconsistent, {"leduc_poker: cards", "this seat holds another card than is shown"}};
    if (Breach breach = read_table(sheet_of(next), view.seat, next))
      return {inconsistent, std::move(breach)};
    static_cast<State&>(view) = next;
    return {};
  }

  static std::string to_text(Move move) {
    if (move == fold) return "fold";
    if (move == call) return "call";
    if (move == raise) return "raise";
    if (is_deal(move)) return "deal " + card_text(low(move));
    if (is_public(move)) return "public " + card_text(low(move));
    return "show " + card_text(high(move)) + " " + card_text(low(move));
  }
  static std::optional<Move> from_text(std::string_view text) {
    Move move = text == "fold" ? fold : text == "raise" ? raise : call;
    if (text.starts_with("deal ")) move = deal_of(card_of(text.substr(5)));
    if (text.starts_with("public ")) move = public_of(card_of(text.substr(7)));
    if (text.starts_with("show ") && text.size() == 10)
      move = show_of(card_of(text.substr(5, 2)), card_of(text.substr(8)));
    return to_text(move) == text ? std::optional(move) : std::nullopt;
  }
  static std::string draw(const Rules&, const State& state) {
    const Sheet sheet = sheet_of(state);
    const std::array<int, 2> chips = paid(state);
    std::string out = "Leduc poker, " + std::to_string(chips[0] + chips[1]) + " chips in the pot";
    if (state.common != none) out += ", public card " + sheet.common;
    for (std::size_t s = 0; s < 2; ++s) {
      out += turn_of(state) == Turn::of(static_cast<Seat>(s)) ? "\n> seat " : "\n  seat ";
      out += std::to_string(s) + "  " + sheet.hands[s] + "  paid " + std::to_string(chips[s]);
    }
    out += "\nbetting: " + sheet.rounds[0];
    if (state.common != none) out += " | " + sheet.rounds[1];
    return out + "\n";
  }
  static Sheet sheet(const Rules&, const State& state) { return sheet_of(state); }
  static Breach read(const Rules&, const Sheet& sheet, State& out) {
    return read_table(sheet, 2, out);
  }
  static Breach read(const Rules&, const Sheet& sheet, Seat seat, View& out) {
    out.seat = seat;
    return read_table(sheet, seat, out);
  }

  static Eyes eyes(const Rules&, const State& state) {
    return {state.card[turn_of(state).seat()], state.common, betting(state)};
  }
  // Raise with a pair, and with a king in the first round. Call once with a queen or king. Call
  // where nothing is to be matched; else fold.
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) {
    const int rank = rank_of(eyes.own);
    const bool paired = eyes.common != none && rank == rank_of(eyes.common);
    if (paired || (rank == 2 && eyes.common == none)) return eyes.betting.last();
    if (!eyes.betting.facing()) return call;
    return rank > 0 && eyes.betting.raises < max_raises ? call : fold;
  }
  static Move hint(const Rules& rules, const Eyes& eyes, Rng& rng) {
    if (rng.below(4)) return greedy(rules, eyes, rng);
    return {eyes.betting.first().code + rng.below(eyes.betting.choices())};
  }
};

using game_type = LeducPoker;  // what the list of games picks up
static_assert(check_game<LeducPoker>());

}  // namespace kibitz::leduc_poker
