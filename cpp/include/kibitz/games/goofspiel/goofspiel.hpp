// Goofspiel, the game of pure strategy: all cards are known, and all bids are made at once.
//
// Every seat holds the cards 1 to n, and so do the prizes. Each round a prize is turned up, in
// random or fixed order. Every seat lays a card face-down; then all are shown, and the highest
// takes the prize as so many points. If the highest was laid more than once nobody gets it. Cards
// once laid are gone. Most points win, equals share the win.
//
// Source: S. M. Ross, Goofspiel, the Game of Pure Strategy, 1971; docs/games/goofspiel.md.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/goofspiel/sheet.hpp>
#include <kibitz/games/goofspiel/table.hpp>

namespace kibitz::goofspiel {

// All that the advice may use.
struct Eyes {
  std::uint16_t hand;
  std::uint8_t prize;
};

struct Goofspiel {
  using Rules = goofspiel::Rules;
  using State = goofspiel::State;
  using View = goofspiel::View;
  using Sampler = goofspiel::Sampler;
  using Eyes = goofspiel::Eyes;
  using StateSheet = Sheet;
  using ViewSheet = Sheet;

  static constexpr std::string_view slug = "goofspiel";
  static constexpr std::string_view title = "Goofspiel";
  static constexpr std::string_view summary = "bid your cards for prizes, all at once";
  static constexpr int version = 1;
  static constexpr std::string_view grammar =
      "bid 5 (bid x where not seen); outcomes: prize 13, bids 5 3 (all bids, seat 0's first)";
  static constexpr std::size_t max_moves = most_cards;
  static constexpr bool cooperative = false;

  static std::vector<Option> options() {
    return {Option::integer("players", 2, most_players, 2, "seats, each for itself"),
            Option::integer("cards", 2, most_cards, most_cards,
                            "cards of each seat and prizes, from 1 to that number"),
            Option::choice("prizes", {"random", "ascending", "descending"},
                           "order in which the prizes are turned up")};
  }
  static Rules rules(const Choices& chosen) {
    return {static_cast<std::uint8_t>(chosen["players"]),
            static_cast<std::uint8_t>(chosen["cards"]), static_cast<Order>(chosen["prizes"])};
  }
  static int seats(const Rules& rules) { return rules.players; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules& rules) { return rules.players * rules.cards; }

  static State blank(const Rules& rules) { return blank_state(rules); }
  static State deal(const Rules& rules, Rng& rng) {
    State state = blank_state(rules);
    play_on(rules, state, roll(rules, state, rng));
    return state;
  }
  static Turn turn(const Rules& rules, const State& state) { return turn_of(rules, state); }
  static void moves(const Rules& rules, const State& state, MoveList<Goofspiel>& out) {
    out.clear();
    if (!turn_of(rules, state).is_seat()) return;
    for (unsigned hand = state.hand[state.bidders]; hand; hand &= hand - 1)
      out.push_back(bid_of(static_cast<unsigned>(std::countr_zero(hand))));
  }
  static Move pick(const Rules&, const State& state, Rng& rng) {
    return bid_of(draw_card(state.hand[state.bidders], rng));
  }
  template <class Each>
  static void outcomes(const Rules& rules, const State& state, Each&& each) {
    if (prize_now(state)) return each(bids_of(rules, state), std::uint64_t{1});
    for (unsigned set = next_prizes(rules, state); set; set &= set - 1)
      each(prize_of(static_cast<unsigned>(std::countr_zero(set))), std::uint64_t{1});
  }
  static Move roll(const Rules& rules, const State& state, Rng& rng) {
    if (prize_now(state)) return bids_of(rules, state);
    return prize_of(draw_card(next_prizes(rules, state), rng));
  }
  static void play(const Rules& rules, State& state, Move move) { play_on(rules, state, move); }

  // A whole game in one loop. Precondition: a seat is to move.
  static int play_out(const Rules& rules, State& state, Rng& stream) {
    Rng rng = stream;  // kept in registers
    int plies = 0;
    for (;;) {
      for (; state.bidders < rules.players; ++plies)
        lay(state, draw_card(state.hand[state.bidders], rng));
      show_bids(rules, state);
      if (state.round == rules.cards) break;
      turn_up(state, draw_card(next_prizes(rules, state), rng));
    }
    stream = rng;
    return plies;
  }

  static Breach check(const Rules& rules, const State& state, Move move) {
    if (!turn_of(rules, state).is_seat()) return {"goofspiel: turn", "no seat is to bid here"};
    const std::uint8_t card = low(move);
    if (move != bid_of(card))
      return {"goofspiel: moves", "a seat bids a card and does nothing else"};
    if (state.hand[state.bidders] & bit(card)) return {};
    return {"goofspiel: hand", "a seat bids a card that it holds, and each of its cards once"};
  }
  static bool settled(const Rules& rules, const State& state) { return state.round == rules.cards; }
  // The margin is a seat's points less the mean of the others', over all prizes.
  static Worth worth(const Rules& rules, const State& state) {
    Worth worth;
    returns(rules, state, worth.win.data());
    int sum = 0;
    for (const std::uint8_t points : state.points) sum += points;
    const double scale = rules.cards * (rules.cards + 1) / 2 * (rules.players - 1);
    for (std::size_t s = 0; s < rules.players; ++s)
      worth.margin[s] = (rules.players * state.points[s] - sum) / scale;
    return worth;
  }
  static void returns(const Rules& rules, const State& state, double* share) {
    const std::uint8_t most = *std::max_element(state.points.begin(), state.points.end());
    int winners = 0;
    for (std::size_t s = 0; s < rules.players; ++s) winners += state.points[s] == most;
    for (std::size_t s = 0; s < rules.players; ++s)
      share[s] = state.points[s] == most ? 1.0 / winners : 0.0;
  }
  static int score(const Rules& rules, const State& state, int* count) {
    for (std::size_t s = 0; s < rules.players; ++s) count[s] = state.points[s];
    return rules.players;
  }

  static View view(const Rules&, const State& state, Seat seat) {
    View view{state, seat, {}};
    for (std::size_t s = 0; s < view.bidders; ++s)
      if (s != seat) enter(view.bids[s], view.round, unknown);
    return view;
  }
  static Seat seat(const View& view) { return view.seat; }
  static void moves(const Rules& rules, const View& view, MoveList<Goofspiel>& out) {
    out.clear();
    if (turn_of(rules, view) == Turn::of(view.seat))
      moves(rules, static_cast<const State&>(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    const Turn turn = turn_of(rules, view);
    if (turn.is_seat() && turn.seat() != view.seat)
      return {"goofspiel: turn", "it is seat " + std::to_string(turn.seat()) + "'s turn to bid"};
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
    if (turn != turn_of(rules, table))
      return {wrong_actor, {"goofspiel: turn", "another seat, or chance, comes first"}};
    if (masked(table, seen, view.seat) != seen)
      return {too_much, {"goofspiel: hidden", "this seat does not see another's bid yet"}};
    if (turn == Turn::of(view.seat)) {
      if (Breach breach = check(rules, table, seen)) return {illegal, std::move(breach)};
    } else if (turn.is_seat()) {
      if (seen != bid_of(unknown))
        return {illegal, {"goofspiel: moves", "now another seat bids a card, 'bid x'"}};
    } else if (prize_now(table) == none) {
      if (seen != prize_of(low(seen)) || !(next_prizes(rules, table) & bit(low(seen))))
        return {illegal, {"goofspiel: chance", "now a prize is turned up that may come next"}};
    } else {
      if (seen.code >> (4 * rules.players) != make(Kind::bids, 0).code >> (4 * rules.players))
        return {illegal, {"goofspiel: chance", "now the bids of all seats are shown"}};
      for (std::size_t s = 0; s < rules.players; ++s) {
        const std::uint32_t card = seen.code >> (4 * s) & 15;
        const std::uint8_t laid = entry(table.bids[s], table.round);
        if (!(table.hand[s] & bit(card)) || (laid != unknown && laid != card))
          return {inconsistent,
                  {"goofspiel: cards", "seat " + std::to_string(s) + " cannot have bid that card"}};
      }
    }
    play_on(rules, view, seen);
    return {};
  }

  static std::string to_text(Move move) {
    if (kind_of(move) == Kind::bid) return "bid " + card_text(low(move));
    if (kind_of(move) == Kind::prize) return "prize " + card_text(low(move));
    std::string out = "bids";
    for (std::uint32_t cards = move.code & 0x0fffffffu; cards; cards >>= 4)
      out += " " + card_text(cards & 15);
    return out;
  }
  static std::optional<Move> from_text(std::string_view text) {
    const std::string_view word = text.substr(0, text.find(' '));
    std::uint32_t cards = 0;
    int count = 0;
    for (std::string_view rest = text.substr(word.size()); !rest.empty() && count < most_players;
         ++count) {
      rest.remove_prefix(1);
      const std::string_view card = rest.substr(0, rest.find(' '));
      cards |= static_cast<std::uint32_t>(card_of(card)) << (4 * count);
      rest.remove_prefix(card.size());
    }
    const Kind kind = word == "bids" ? Kind::bids : word == "prize" ? Kind::prize : Kind::bid;
    const Move move = make(kind, cards);
    return count > 0 && to_text(move) == text ? std::optional(move) : std::nullopt;
  }
  static std::string draw(const Rules& rules, const State& state) {
    const Sheet sheet = sheet_of(rules, state);
    const Turn turn = turn_of(rules, state);
    std::string out = "Goofspiel, " + std::to_string(state.round) + " of " +
                      std::to_string(rules.cards) + " rounds played";
    if (!turn.is_over() && prize_now(state)) out += ", prize " + card_text(prize_now(state));
    out += "\n";
    if (!sheet.prizes.empty()) out += "prizes so far: " + sheet.prizes + "\n";
    for (std::size_t s = 0; s < rules.players; ++s) {
      out += turn == Turn::of(static_cast<Seat>(s)) ? "> seat " : "  seat ";
      out += std::to_string(s) + (state.points[s] < 10 ? "   " : "  ") +
             std::to_string(state.points[s]) + " points";
      if (!sheet.bids[s].empty()) out += ", bid " + sheet.bids[s];
      if (!turn.is_over()) out += ", has";
      for (unsigned hand = state.hand[s]; hand; hand &= hand - 1)
        out += " " + std::to_string(std::countr_zero(hand));
      out += "\n";
    }
    return out;
  }
  static Sheet sheet(const Rules& rules, const State& state) { return sheet_of(rules, state); }
  static Breach read(const Rules& rules, const Sheet& sheet, State& out) {
    return read_table(rules, sheet, max_seats, out);
  }
  static Breach read(const Rules& rules, const Sheet& sheet, Seat seat, View& out) {
    out = View{};
    out.seat = seat;
    return read_table(rules, sheet, seat, out);
  }

  static Eyes eyes(const Rules&, const State& state) {
    return {state.hand[state.bidders], prize_now(state)};
  }
  // Bid the card of the prize's number (Ross 1971: best against random bids), else the next higher
  // one, else the highest.
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) {
    const unsigned enough = eyes.hand >> eyes.prize << eyes.prize;
    if (enough) return bid_of(static_cast<unsigned>(std::countr_zero(enough)));
    return bid_of(static_cast<unsigned>(std::bit_width(eyes.hand) - 1));
  }
  static Move hint(const Rules& rules, const Eyes& eyes, Rng& rng) {
    return rng.below(4) ? greedy(rules, eyes, rng) : bid_of(draw_card(eyes.hand, rng));
  }
};

using game_type = Goofspiel;  // what the list of games picks up
static_assert(check_game<Goofspiel>());

}  // namespace kibitz::goofspiel
