// What a seat may play, and what a decision or an outcome does. One set of functions plays a State
// and a View: a masked card changes no hand.
#pragma once

#include <kibitz/core/bits.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/games/hearts/state.hpp>

namespace kibitz::hearts {

// ---- choices -------------------------------------------------------------------

// Hearts are led when they are broken, or from a hand of nothing else.
constexpr Cards leads(const Rules& rules, bool broken, Cards hand) {
  const Cards others = hand & ~hearts;
  const bool any = broken | (others == 0) | (rules.hearts_for_queen & (others == queen));
  return any ? hand : others;
}
constexpr Cards first_leads(const Rules& rules, Cards hand) {
  return hand & (rules.any_club ? clubs : bit(two_of_clubs));
}

// Follow suit if you can. A void hand plays anything, but no points on the first trick if it has
// other cards.
constexpr Cards playable(const Rules& rules, const Table& table, Cards hand) {
  if (table.count == 0) return first_leads(rules, hand);
  if (table.count % 4 == 0) return leads(rules, table.broken, hand);
  const Cards same = hand & same_suit(table.line[table.count & ~3u]);
  if (same) return same;
  const Cards harmless = hand & ~point_cards;
  return table.count < 4 && !rules.first_trick_free && harmless ? harmless : hand;
}

// What the seat to move may pass or play.
constexpr Cards choices(const Rules& rules, const Table& table, Cards hand) {
  return table.phase == Phase::pass ? hand : playable(rules, table, hand);
}

constexpr Move choice(const Table& table, int card) {
  return table.phase == Phase::pass ? pass_card(card) : play_card(card);
}

// One of the cards, uniformly.
constexpr int pick_card(Cards cards, Rng& rng) {
  return nth_bit64(cards, rng.below(static_cast<std::uint32_t>(std::popcount(cards))));
}

// ---- decisions and outcomes ----------------------------------------------------

// The larger, without a branch, which compilers make of std::max here.
constexpr unsigned larger(unsigned a, unsigned b) {
  const int more = static_cast<int>(b) - static_cast<int>(a);
  return a + static_cast<unsigned>(more & ~(more >> 31));
}

// Card and place in a trick in one number, 0 for a card that does not follow: the greatest wins.
constexpr unsigned bid_of(unsigned card, unsigned place, bool follows) {
  return (card << 2 | place) & (0u - static_cast<unsigned>(follows));
}

// Where in a full trick the highest card of the suit led lies.
constexpr int winning_place(const Card* trick) {
  unsigned best = bid_of(trick[0], 0, true);
  for (unsigned i = 1; i < 4; ++i)
    best = larger(best, bid_of(trick[i], i, suit_of(trick[i]) == suit_of(trick[0])));
  return static_cast<int>(best & 3);
}

// Who takes a trick leads the next.
constexpr void lay(const Rules& rules, Table& table, int card) {
  table.line[table.count++] = static_cast<Card>(card);
  table.broken |= static_cast<std::uint8_t>(rules.breakers >> card & 1);
  table.to_move = seat_after(table.to_move);
  if (table.count % 4) return;
  const Card* trick = &table.line[table.count - 4u];
  table.leader = table.to_move = seat_after(table.leader, winning_place(trick));
  for (int i = 0; i < 4; ++i) table.taken[table.leader] |= bit(trick[i]);
  if (table.count == 52) table.phase = Phase::over;
}

constexpr void begin(Table& table, Phase phase, int to_move = 0) {
  table.phase = phase;
  table.count = 0;
  table.to_move = static_cast<Seat>(to_move);
}

// A card joins the giver's passed ones, ascending; hidden ones are all alike.
constexpr void set_aside(Table& table, int card) {
  Card* own = &table.passed[3 * at(table.to_move)];
  int i = table.count++ % 3;
  for (; i > 0 && own[i - 1] > card; --i) own[i] = own[i - 1];
  own[i] = static_cast<Card>(card);
  table.to_move = static_cast<Seat>(table.count / 3);
  if (table.count == 12) begin(table, Phase::get);
}

// What a receiver learns of the cards passed to it.
constexpr void show_passed(Table& table, Cards cards) {
  Card* own = &table.passed[3 * at(giver_to(table, table.to_move))];
  for (int i = 0; cards; cards &= cards - 1) own[i++] = static_cast<Card>(lowest(cards));
}

// `hand_of(seat)` points to the cards of a seat, or nowhere if they are not known.
template <class HandOf>
constexpr void play_on(const Rules& rules, Table& table, Move move, HandOf&& hand_of) {
  const int card = card_of(move);
  Cards* hand = hand_of(table.to_move);
  switch (kind_of(move)) {
    case Kind::way:
      table.way = static_cast<Way>(payload_of(move));
      begin(table, Phase::deal);
      break;
    case Kind::deal:
      if (hand && card != hidden) *hand |= bit(card);
      table.to_move = seat_after(table.to_move);
      if (++table.count == 52) begin(table, table.way == Way::none ? Phase::first : Phase::pass);
      break;
    case Kind::pass:
      if (hand && card != hidden) *hand &= ~bit(card);
      set_aside(table, card);
      break;
    case Kind::get:
      if (const Cards cards = cards_of(move)) {
        if (hand) *hand |= cards;
        show_passed(table, cards);
      }
      ++table.count;
      table.to_move = seat_after(table.to_move);
      if (table.count == seats) begin(table, Phase::first);
      break;
    case Kind::first:
      begin(table, Phase::play, card);
      table.first = table.leader = table.to_move;
      break;
    case Kind::play:
      if (hand) *hand &= ~bit(card);
      lay(rules, table, card);
      break;
    default: break;
  }
}

constexpr void play_move(const Rules& rules, State& state, Move move) {
  play_on(rules, state.table, move, [&](Seat seat) { return &state.hand[seat]; });
}
constexpr void play_move(const Rules& rules, View& view, Move move) {
  play_on(rules, view.table, move,
          [&](Seat seat) { return seat == view.table.seat ? &view.hand : nullptr; });
}

// ---- chance --------------------------------------------------------------------

constexpr Cards undealt(const State& state) {
  Cards left = pack;
  for (const Cards hand : state.hand) left &= ~hand;
  return left;
}

// What is passed is settled by the givers, who leads by the deal: outcomes with one possible
// result.
constexpr Move settled_outcome(const State& state) {
  const Table& table = state.table;
  if (table.phase == Phase::get) return get_of(passed_by(table, giver_to(table, table.to_move)));
  unsigned seat = 0;
  while (!(state.hand[seat] & bit(two_of_clubs))) ++seat;
  return make(Kind::first, seat);
}

template <class Each>
constexpr void each_outcome(const State& state, Each&& each) {
  const auto once = [&](Move move) { each(move, std::uint64_t{1}); };
  switch (state.table.phase) {
    case Phase::direction:
      for (unsigned way = 0; way < 4; ++way) once(make(Kind::way, way));
      return;
    case Phase::deal:
      for (Cards left = undealt(state); left; left &= left - 1)
        once(make(Kind::deal, static_cast<unsigned>(lowest(left))));
      return;
    case Phase::get:
    case Phase::first: return once(settled_outcome(state));
    default:           return;
  }
}

constexpr Move roll_outcome(const State& state, Rng& rng) {
  if (state.table.phase == Phase::direction) return make(Kind::way, rng.below(4));
  if (state.table.phase == Phase::deal)
    return make(Kind::deal, static_cast<unsigned>(pick_card(undealt(state), rng)));
  return settled_outcome(state);
}

constexpr Table blank_table(const Rules& rules, Seat seat) {
  Table table{};
  table.line.fill(no_card);
  table.passed.fill(no_card);
  table.phase = rules.pass_cards ? Phase::direction : Phase::deal;
  table.way = rules.pass_cards ? Way::undrawn : Way::none;
  table.first = table.leader = nobody;
  table.seat = seat;
  return table;
}

constexpr State blank_state(const Rules& rules) { return {blank_table(rules, nobody), {}}; }

constexpr State deal_state(const Rules& rules, Rng& rng) {
  State state = blank_state(rules);
  while (!is_decision(state.table.phase)) play_move(rules, state, roll_outcome(state, rng));
  return state;
}

// ---- points --------------------------------------------------------------------

// Penalty points by seat: a heart 1, the queen of spades 13. Who has taken all 26 counts none, the
// others 26 each. The jack of diamonds takes off 10; a deal without a trick 5, but not beside
// somebody's 26. Before the end: the cards taken so far.
constexpr std::array<int, seats> count_points(const Rules& rules, const Table& table) {
  std::array<int, seats> points{};
  bool moon = false;
  const bool over = table.phase == Phase::over;
  for (std::size_t s = 0; s < points.size(); ++s) {
    points[s] = points_of(table.taken[s]);
    moon |= over && points[s] == 26;
  }
  for (std::size_t s = 0; s < points.size(); ++s) {
    if (moon)
      points[s] = 26 - points[s];
    else if (over && rules.no_trick_bonus && table.taken[s] == 0)
      points[s] -= 5;
    if (rules.jack_bonus && (table.taken[s] & bit(jack_of_diamonds))) points[s] -= 10;
  }
  return points;
}

}  // namespace kibitz::hearts
