// What a seat may know: a State forgotten down to a View, a move masked, and a view kept up from
// outside, event by event.
#pragma once

#include <string>
#include <utility>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/hearts/legality.hpp>

namespace kibitz::hearts {

// A card passed is known to its giver; and to its receiver, once that has it.
constexpr View view_of(const State& state, Seat seat) {
  View view{state.hand[seat], state.table};
  Table& table = view.table;
  table.seat = seat;
  const bool served = table.phase > Phase::get || (table.phase == Phase::get && table.count > seat);
  for (int giver = 0; giver < seats; ++giver) {
    if (giver == seat || (served && receiver_of(table, giver) == seat)) continue;
    for (std::size_t i = 3 * at(giver); i < 3 * at(giver) + 3; ++i)
      if (table.passed[i] != no_card) table.passed[i] = hidden;
  }
  return view;
}

// A move or outcome as a seat sees it, about to be played.
constexpr Move mask_move(const Table& table, Move move, Seat seat) {
  const Kind kind = kind_of(move);
  if ((kind == Kind::deal || kind == Kind::pass) && table.to_move != seat)
    return make(kind, hidden);
  if (kind == Kind::get && table.to_move != seat && giver_to(table, table.to_move) != seat)
    return hidden_get;
  return move;
}

namespace detail {

inline Verdict refuse(Verdict::Kind kind, std::string rule, std::string why) {
  return {kind, {std::move(rule), std::move(why)}};
}

// Cards that come to the own seat, or that another plays, are none of those seen elsewhere.
inline Verdict judge_new(const View& view, Cards cards) {
  Cards seen = view.hand | passed_by(view.table, view.table.seat);
  if (view.table.phase == Phase::play) seen = view.hand;
  for (int i = 0; view.table.phase == Phase::play && i < view.table.count; ++i)
    if (cards & bit(view.table.line[at(i)]))
      return refuse(Verdict::Kind::inconsistent, "hearts: cards",
                    card_text(view.table.line[at(i)]) + " has been played");
  if (cards & seen)
    return refuse(Verdict::Kind::inconsistent, "hearts: cards",
                  card_text(lowest(cards & seen)) + " is among this seat's own cards");
  return {};
}

inline Verdict judge_outcome(const View& view, Move seen) {
  const Table& table = view.table;
  const unsigned value = payload_of(seen);
  const bool mine = table.to_move == table.seat;
  const Verdict wrong = {Verdict::Kind::illegal, wrong_kind(table)};
  switch (table.phase) {
    case Phase::direction: return kind_of(seen) == Kind::way && value < 4 ? Verdict{} : wrong;
    case Phase::first:     return kind_of(seen) == Kind::first && value < seats ? Verdict{} : wrong;
    case Phase::deal:
      if (kind_of(seen) != Kind::deal || value > 63 || (mine && !is_card(card_of(seen))))
        return wrong;
      return mine ? judge_new(view, bit(card_of(seen))) : Verdict{};
    default: break;
  }
  const Seat giver = giver_to(table, table.to_move);
  if (kind_of(seen) != Kind::get) return wrong;
  if (!mine && giver != table.seat) return {};
  const Cards cards = cards_of(seen);
  if (!cards) return wrong;
  if (mine) return judge_new(view, cards);
  if (cards == passed_by(table, giver)) return {};
  return refuse(Verdict::Kind::inconsistent, "hearts: cards",
                "this seat has passed " + cards_text(passed_by(table, giver)));
}

// A decision of another seat.
inline Verdict judge_other(const Rules& rules, const View& view, Move seen) {
  const Table& table = view.table;
  const int card = card_of(seen);
  if (table.phase == Phase::pass)
    return seen == pass_card(hidden) ? Verdict{}
                                     : Verdict{Verdict::Kind::illegal, wrong_kind(table)};
  if (kind_of(seen) != Kind::play || payload_of(seen) > 63 || !is_card(card))
    return {Verdict::Kind::illegal, wrong_kind(table)};
  if (table.count == 0 && !(choices(rules, table, pack) & bit(card)))
    return {Verdict::Kind::illegal, breach_of(rules, table, pack, seen)};
  return judge_new(view, bit(card));
}

}  // namespace detail

// Takes in one event as this seat saw it, without asking whether some deal agrees with it.
inline Verdict take_in(const Rules& rules, View& view, Turn turn, Move seen) {
  const Table& table = view.table;
  const Turn due = turn_of(table);
  if (turn != due) return wrong_actor("hearts: order of play", due, "the deal is over");
  if (mask_move(table, seen, table.seat) != seen)
    return detail::refuse(Verdict::Kind::too_much, "hearts: hidden information",
                          "this seat does not see that card; it may see 'x' in its place");
  Verdict verdict;
  if (due == Turn::of(table.seat)) {
    if (Breach breach = breach_of(rules, table, view.hand, seen))
      verdict = {Verdict::Kind::illegal, std::move(breach)};
  } else {
    verdict = turn.is_chance() ? detail::judge_outcome(view, seen)
                               : detail::judge_other(rules, view, seen);
  }
  if (verdict.kind == Verdict::Kind::fine) play_move(rules, view, seen);
  return verdict;
}

// The same; anything but `fine` leaves the view as it was.
inline Verdict observe_event(const Rules& rules, View& view, Turn turn, Move seen) {
  View next = view;
  Verdict verdict = take_in(rules, next, turn, seen);
  if (verdict.kind != Verdict::Kind::fine) return verdict;
  if (std::string why = contradiction(rules, next); !why.empty())
    return detail::refuse(Verdict::Kind::inconsistent, "hearts: cards", std::move(why));
  view = next;
  return {};
}

}  // namespace kibitz::hearts
