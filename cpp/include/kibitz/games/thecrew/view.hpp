// What one seat may know: its view of the truth, and moves as it sees them.
//
// The automatic member holds nothing of its own: its face-up cards are public, its face-down ones
// unseen by all, and the commander decides for it. So every decision for it is a decision of the
// commander's seat, and a search sees the commander's view.
#pragma once

#include <kibitz/games/thecrew/play.hpp>

namespace kibitz::thecrew {

// S4: has the card of this giver been seen by its receiver?
constexpr bool has_arrived(const Rules& rules, const Table& table, int giver) {
  if (table.phase == Phase::give) return false;
  if (table.phase != Phase::get) return true;
  const int receiver = receiver_of(rules, table, giver);
  return (receiver - table.commander - 1 + 2 * rules.seats) % rules.seats < table.count;
}

// Does `seat` know the card that `giver` passed in distress?
constexpr bool sees_given(const Rules& rules, const Table& table, int giver, int seat) {
  if (decider(table, giver) == seat) return true;
  if (!has_arrived(rules, table, giver)) return false;
  const int receiver = receiver_of(rules, table, giver);
  return seat == receiver || giver == table.jarvis || receiver == table.jarvis;
}

// Does `seat` know the card that was drawn from the hand of `from` (S8)? What lies face down in the
// display is seen by nobody, and not known for the card drawn when it is turned up.
constexpr bool sees_drawn(const Rules& rules, const Table& table, int from, int seat) {
  const int receiver = left_of(rules, from);  // does not see what it gets if it is the display
  if (seat == table.jarvis) return false;
  return seat == from || seat == receiver;
}

inline View view_of(const Rules& rules, const State& state, Seat seat) {
  View view{};
  view.seat = seat;
  view.table = state.table;
  Table& table = view.table;
  if (seat != table.jarvis) view.hand = state.hand[seat];
  for (int s = 0; s < rules.seats; ++s) {
    Card& given = table.given[at(s)];
    Card& drawn = table.drawn[at(s)];
    if (given != no_card && !sees_given(rules, table, s, seat)) given = hidden;
    if (drawn != no_card && !sees_drawn(rules, table, s, seat)) drawn = hidden;
  }
  for (Card& card : table.under)
    if (card != no_card) card = hidden;
  return view;
}

// A move as `seat` sees it. Masked are cards dealt, passed or drawn between other seats.
inline Move mask_move(const Rules& rules, const Table& table, Move move, Seat seat) {
  const auto blank = [&](bool seen) { return seen ? move : make(kind_of(move)); };
  switch (kind_of(move)) {
    case Kind::deal:
      return blank(table.phase == Phase::deal && next_deal(rules, table).column < 0 &&
                   next_deal(rules, table).seat == seat);
    case Kind::under: return blank(false);
    case Kind::give:
      return blank(table.phase == Phase::give && decider(table, table.actor) == seat);
    case Kind::get: {
      if (table.phase != Phase::get) return blank(false);
      const int receiver = next_receiver(rules, table);
      const int giver = giver_to(rules, table, receiver);
      return blank(decider(table, giver) == seat || receiver == seat || giver == table.jarvis ||
                   receiver == table.jarvis);
    }
    case Kind::draw: {
      if (table.phase != Phase::draw || seat == table.jarvis) return blank(false);
      const int receiver = left_of(rules, table.count);
      return blank(seat == receiver || seat == table.count);
    }
    default: return move;
  }
}

}  // namespace kibitz::thecrew
