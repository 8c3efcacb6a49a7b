// From plain fields to a position.
//
// A position is good if play leads to it. So the hands that were dealt are worked out from what is
// held, passed and played, and the deal is played through again, each step under the rules.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/hearts/sheet.hpp>
#include <kibitz/games/hearts/view.hpp>

namespace kibitz::hearts {

namespace detail {

inline Breach bad(std::string why) { return {"hearts: position", std::move(why)}; }

// The cards of a text, in its order; x for hidden ones where that is allowed.
inline Breach read_cards(const std::string& text, const std::string& where, bool may_hide,
                         std::vector<Card>& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    const std::string word = text.substr(i, end - i);
    const int card = card_from(word);
    if (card < 0 && !(may_hide && word == "x"))
      return bad("'" + where + "' has " + kibitz::detail::quoted(word.substr(0, 8)) +
                 ", which is no card; a card is rank and suit, such as 2C, TD, QS" +
                 (may_hide ? ", or x where it is not seen" : ""));
    out.push_back(card < 0 ? hidden : static_cast<Card>(card));
    i = end + 1;
    if (i == text.size()) return bad("'" + where + "' ends with a space");
  }
  return {};
}

inline Breach read_set(const std::string& text, const std::string& where, Cards& out) {
  std::vector<Card> cards;
  if (Breach breach = read_cards(text, where, false, cards)) return breach;
  out = 0;
  for (const Card card : cards) {
    if (out & bit(card)) return bad("'" + where + "' has " + card_text(card) + " twice");
    out |= bit(card);
  }
  return {};
}

// The shared fields, each read by itself.
struct Parts {
  Way way = Way::none;
  Phase phase = Phase::play;
  int count = 0;
  int first = -1;
  std::array<std::vector<Card>, seats> passed;  // as given
  std::vector<Card> line;
  std::array<Cards, seats> played{};

  int passed_count() const {
    int cards = 0;
    for (const auto& each : passed) cards += static_cast<int>(each.size());
    return cards;
  }
  Cards passed_cards(int giver) const {
    Cards cards = 0;
    for (const Card card : passed[at(giver)])
      if (card != hidden) cards |= bit(card);
    return cards;
  }
  int giver_to(int receiver) const { return (receiver + 4 - static_cast<int>(way)) & 3; }
  bool served(int seat) const {
    return way != Way::none && (phase > Phase::get || (phase == Phase::get && count > seat));
  }
};

inline Breach read_line(const TableSheet& sheet, Parts& parts) {
  Cards met = 0;
  for (std::size_t t = 0; t < sheet.tricks.size(); ++t) {
    const std::string where = "tricks[" + std::to_string(t) + "]";
    std::vector<Card> trick;
    if (t == 13) return bad("there are 13 tricks at most");
    if (Breach breach = read_cards(sheet.tricks[t], where, false, trick)) return breach;
    if (trick.empty() || trick.size() > 4 || (trick.size() < 4 && t + 1 < sheet.tricks.size()))
      return bad("'" + where + "' must have four cards, the last trick one to four");
    for (const Card card : trick) {
      if (met & bit(card)) return bad(card_text(card) + " is played twice");
      met |= bit(card);
      parts.line.push_back(card);
    }
  }
  return {};
}

inline Breach read_direction(const Rules& rules, const TableSheet& sheet, Parts& parts) {
  int way = 0;
  while (way < 5 && sheet.direction != way_names[at(way)]) ++way;
  if (way == 5) return bad("'direction' must be left, across, right, none, or empty");
  if (!rules.pass_cards && way > 0)
    return bad("'direction' must be none: no cards are passed (pass_cards=false)");
  parts.way = static_cast<Way>(way);
  return {};
}

// Seat by seat three cards; whether they are enough, the phase says.
inline Breach read_passed(const TableSheet& sheet, bool truth, Parts& parts) {
  if (!sheet.passed.empty() && sheet.passed.size() != seats)
    return bad("'passed' has an entry for each of the four seats, or none at all");
  bool last = false;
  for (std::size_t s = 0; s < sheet.passed.size(); ++s) {
    const std::string where = "passed[" + std::to_string(s) + "]";
    std::vector<Card>& cards = parts.passed[s];
    if (Breach breach = read_cards(sheet.passed[s], where, !truth, cards)) return breach;
    if (cards.size() > 3) return bad("'" + where + "' has more than three cards");
    if (last && !cards.empty())
      return bad("'passed': each seat passes its three cards before the next one does");
    last |= cards.size() < 3;
  }
  return {};
}

// The phase, given or worked out from the other fields, and whether they fit it.
inline Breach read_phase(const TableSheet& sheet, Parts& parts) {
  const int laid = static_cast<int>(parts.line.size());
  const int passed = parts.passed_count();
  const bool passes = parts.way != Way::none;
  int phase = 0;
  while (phase < 7 && sheet.phase != phase_names[at(phase)]) ++phase;
  if (sheet.phase.empty())
    phase = static_cast<int>(parts.way == Way::undrawn ? Phase::direction
                             : laid == 52              ? Phase::over
                             : passes && passed < 12   ? Phase::pass
                                                       : Phase::play);
  if (phase == 7) return bad("'phase' must be direction, deal, pass, get, first, play or over");
  parts.phase = static_cast<Phase>(phase);
  if ((parts.way == Way::undrawn) != (parts.phase == Phase::direction))
    return bad("'direction' is empty in phase direction, and only there");
  if (!passes && (parts.phase == Phase::pass || parts.phase == Phase::get))
    return bad("nothing is passed with 'direction' none");
  if (parts.phase < Phase::play && laid) return bad("'tricks' must be empty before phase play");
  if (parts.phase >= Phase::play && (laid == 52) != (parts.phase == Phase::over))
    return bad("phase over comes with the 52nd card played");
  const int due = passes && parts.phase > Phase::pass ? 12 : 0;
  if (parts.phase == Phase::pass ? passed == 12 : passed != due)
    return bad(parts.phase == Phase::pass
                   ? "'passed' has less than 12 cards in phase pass"
                   : "'passed' must have " + std::to_string(due) + " cards here");
  return {};
}

inline Breach read_count(const TableSheet& sheet, Parts& parts) {
  const bool given = parts.phase == Phase::deal || parts.phase == Phase::get;
  const int most = parts.phase == Phase::deal ? 51 : 3;
  const int derived =
      parts.phase == Phase::pass ? parts.passed_count() : static_cast<int>(parts.line.size());
  parts.count = given ? sheet.count.value_or(0) : derived;
  if (given && (parts.count < 0 || parts.count > most))
    return bad("'count' must be 0 to " + std::to_string(most) + " in this phase");
  if (sheet.count.value_or(parts.count) != parts.count)
    return bad("'count' must be " + std::to_string(parts.count) + " here");
  return {};
}

inline Breach read_parts(const Rules& rules, const TableSheet& sheet, bool truth, Parts& parts) {
  if (Breach breach = read_direction(rules, sheet, parts)) return breach;
  if (Breach breach = read_passed(sheet, truth, parts)) return breach;
  if (Breach breach = read_line(sheet, parts)) return breach;
  if (Breach breach = read_phase(sheet, parts)) return breach;
  if (Breach breach = read_count(sheet, parts)) return breach;
  if (sheet.first && (parts.phase < Phase::play || *sheet.first < 0 || *sheet.first >= seats))
    return bad("'first' must be a seat, 0 to 3, and null before phase play");
  parts.first = sheet.first.value_or(-1);
  return {};
}

// Who has played which card. Precondition: parts.first is a seat.
inline void share_out(Parts& parts) {
  int leader = parts.first;
  for (std::size_t i = 0; i < parts.line.size(); ++i) {
    parts.played[seat_after(leader, static_cast<int>(i % 4))] |= bit(parts.line[i]);
    if (i % 4 == 3) leader = seat_after(leader, winning_place(&parts.line[i - 3]));
  }
}

// What a seat was dealt, if the parts fit together.
inline Cards dealt_to(const Parts& parts, int seat, Cards hand) {
  const Cards got = parts.served(seat) ? parts.passed_cards(parts.giver_to(seat)) : 0;
  return ((hand | parts.played[at(seat)]) & ~got) | parts.passed_cards(seat);
}

inline int dealt_count(const Parts& parts, int seat) {
  if (parts.phase == Phase::direction) return 0;
  return parts.phase == Phase::deal ? (parts.count + 3 - seat) / 4 : 13;
}

inline int hand_count(const Parts& parts, int seat) {
  const int given = static_cast<int>(parts.passed[at(seat)].size());
  return dealt_count(parts, seat) - given + (parts.served(seat) ? 3 : 0) -
         std::popcount(parts.played[at(seat)]);
}

inline Breach check_to_move(const Table& table, const TableSheet& sheet) {
  if (!sheet.to_move || (is_decision(table.phase) && *sheet.to_move == table.to_move)) return {};
  return bad(is_decision(table.phase)
                 ? "'to_move' must be " + std::to_string(table.to_move) + " here"
                 : "'to_move' must be null here: no seat is to decide");
}

// Plays the deal again. `step(turn, move)` plays one step, or says what is wrong with it; a card
// that nobody has shown comes as `hidden`.
template <class Step>
Breach replay(const Rules& rules, const Parts& parts, std::array<Cards, seats> dealt,
              const Table& table, Step&& step) {
  const auto chance = [&](Move move) { return step(Turn::chance(), move); };
  if (rules.pass_cards && parts.way != Way::undrawn)
    if (Breach breach = chance(make(Kind::way, static_cast<unsigned>(parts.way)))) return breach;
  if (parts.phase == Phase::direction) return {};
  const int cards = parts.phase == Phase::deal ? parts.count : 52;
  for (int i = 0; i < cards; ++i) {
    Cards& own = dealt[at(i % 4)];
    const unsigned card = own ? static_cast<unsigned>(lowest(own)) : hidden;
    own &= own - 1;
    if (Breach breach = chance(make(Kind::deal, card))) return breach;
  }
  for (int s = 0; s < seats; ++s)
    for (const Card card : parts.passed[at(s)])
      if (Breach breach = step(Turn::of(static_cast<Seat>(s)), pass_card(card))) return breach;
  const int served = parts.way == Way::none      ? 0
                     : parts.phase > Phase::get  ? 4
                     : parts.phase == Phase::get ? parts.count
                                                 : 0;
  for (int s = 0; s < served; ++s) {
    const Cards three = parts.passed_cards(parts.giver_to(s));
    if (Breach breach = chance(std::popcount(three) == 3 ? get_of(three) : hidden_get))
      return breach;
  }
  if (parts.phase < Phase::play) return {};
  if (Breach breach = chance(make(Kind::first, static_cast<unsigned>(parts.first)))) return breach;
  for (const Card card : parts.line)
    if (Breach breach = step(Turn::of(table.to_move), play_card(card))) return breach;
  return {};
}

}  // namespace detail

inline Breach read_state(const Rules& rules, const StateSheet& sheet, State& out) {
  using detail::bad;
  detail::Parts parts;
  if (Breach breach = detail::read_parts(rules, sheet, true, parts)) return breach;
  if (sheet.hands.size() != seats) return bad("'hands' has an entry for each of the four seats");
  std::array<Cards, seats> hand{}, dealt{};
  for (std::size_t s = 0; s < seats; ++s)
    if (Breach breach =
            detail::read_set(sheet.hands[s], "hands[" + std::to_string(s) + "]", hand[s]))
      return breach;
  if (parts.phase >= Phase::play && parts.first < 0) {
    if (!parts.line.empty()) return bad("'first' must say who led the first trick");
    for (int s = 0; s < seats; ++s)
      if (hand[at(s)] & bit(two_of_clubs)) parts.first = s;
    if (parts.first < 0) return bad("nobody holds 2C");
  }
  if (parts.first >= 0) detail::share_out(parts);
  Cards met = 0;
  for (int s = 0; s < seats; ++s) {
    const std::string who = "seat " + std::to_string(s);
    if (std::popcount(hand[at(s)]) != detail::hand_count(parts, s))
      return bad(who + " must hold " + std::to_string(detail::hand_count(parts, s)) +
                 " cards here, not " + std::to_string(std::popcount(hand[at(s)])));
    dealt[at(s)] = detail::dealt_to(parts, s, hand[at(s)]);
    if (std::popcount(dealt[at(s)]) != detail::dealt_count(parts, s))
      return bad("what " + who + " holds, has passed, got and played does not fit together");
    if (const Cards twice = met & dealt[at(s)])
      return bad(card_text(lowest(twice)) + " is in two places");
    met |= dealt[at(s)];
  }
  State state = blank_state(rules);
  const auto step = [&](Turn turn, Move move) -> Breach {
    if (turn != turn_of(state.table)) return bad("the deal does not come to this position");
    if (turn.is_seat())
      if (Breach breach = breach_of(rules, state.table, state.hand[turn.seat()], move))
        return breach;
    if (kind_of(move) == Kind::get && cards_of(move) == 0)
      return bad("'passed' must have three cards of each giver");
    if (kind_of(move) == Kind::first && move != settled_outcome(state))
      return bad("'first' must be the seat that held 2C");
    play_move(rules, state, move);
    return {};
  };
  if (Breach breach = detail::replay(rules, parts, dealt, state.table, step)) return breach;
  if (state.table.phase != parts.phase || state.hand != hand)
    return bad("the deal does not come to these hands in this phase");
  if (Breach breach = detail::check_to_move(state.table, sheet)) return breach;
  out = state;
  return {};
}

inline Breach read_view(const Rules& rules, const ViewSheet& sheet, Seat seat, View& out) {
  using detail::bad;
  detail::Parts parts;
  if (Breach breach = detail::read_parts(rules, sheet, false, parts)) return breach;
  Cards hand = 0;
  if (Breach breach = detail::read_set(sheet.hand, "hand", hand)) return breach;
  for (int s = 0; s < seats; ++s) {
    const bool known = s == seat || (parts.served(seat) && parts.giver_to(seat) == s);
    for (const Card card : parts.passed[at(s)])
      if ((card == hidden) == known)
        return bad(known ? "'passed' must name the cards that this seat has passed or got"
                         : "this seat may know no more than 'x' of what seat " + std::to_string(s) +
                               " has passed");
  }
  if (parts.phase >= Phase::play && parts.first < 0) {
    if (!parts.line.empty() || !(hand & bit(two_of_clubs)))
      return bad("'first' must say who leads the first trick");
    parts.first = seat;
  }
  if (parts.first >= 0) detail::share_out(parts);
  if (std::popcount(hand) != detail::hand_count(parts, seat))
    return bad("this seat must hold " + std::to_string(detail::hand_count(parts, seat)) +
               " cards here, not " + std::to_string(std::popcount(hand)));
  std::array<Cards, seats> dealt{};
  dealt[seat] = detail::dealt_to(parts, seat, hand);
  if (std::popcount(dealt[seat]) != detail::dealt_count(parts, seat))
    return bad("what this seat holds, has passed, got and played does not fit together");
  View view{0, blank_table(rules, seat)};
  const auto step = [&](Turn turn, Move move) {
    return take_in(rules, view, turn, mask_move(view.table, move, seat)).breach;
  };
  if (Breach breach = detail::replay(rules, parts, dealt, view.table, step)) return breach;
  if (view.table.phase != parts.phase || view.hand != hand)
    return bad("the deal does not come to this hand in this phase");
  if (Breach breach = detail::check_to_move(view.table, sheet)) return breach;
  if (std::string why = contradiction(rules, view); !why.empty()) return bad(std::move(why));
  out = view;
  return {};
}

}  // namespace kibitz::hearts
