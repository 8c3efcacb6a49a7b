// Texts of moves, both ways, and the table for a terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <kibitz/games/hearts/facts.hpp>

namespace kibitz::hearts {

inline constexpr std::array<std::string_view, 4> way_texts = {"no pass", "pass left", "pass across",
                                                              "pass right"};

inline std::string move_text(Move move) {
  const std::string card = card_text(card_of(move));
  switch (kind_of(move)) {
    case Kind::way:   return std::string(way_texts[payload_of(move) & 3]);
    case Kind::deal:  return "deal " + card;
    case Kind::pass:  return "pass " + card;
    case Kind::get:   return "get " + (cards_of(move) ? cards_text(cards_of(move)) : "x");
    case Kind::first: return std::string("first ") + static_cast<char>('0' + card_of(move) % 4);
    default:          return card;
  }
}

inline std::optional<Move> move_from(std::string_view text) {
  const auto card_in = [](std::string_view part) -> unsigned {
    return part == "x" ? hidden : static_cast<unsigned>(card_from(part)) & 63;
  };
  Move move;
  for (unsigned way = 0; way < 4; ++way)
    if (text == way_texts[way]) move = make(Kind::way, way);
  if (move != Move{}) return move;
  if (text.starts_with("deal ")) {
    move = make(Kind::deal, card_in(text.substr(5)));
  } else if (text.starts_with("pass ")) {
    move = make(Kind::pass, card_in(text.substr(5)));
  } else if (text.starts_with("get ")) {
    move = hidden_get;
    if (text.size() == 12) {
      Cards cards = 0;
      for (const std::size_t i : {4u, 7u, 10u})
        if (const int card = card_from(text.substr(i, 2)); card >= 0) cards |= bit(card);
      if (std::popcount(cards) == 3) move = get_of(cards);
    }
  } else if (text.starts_with("first ")) {
    move = make(Kind::first, text.size() == 7 ? static_cast<unsigned>(text[6] - '0') & 3 : 0);
  } else {
    if (card_from(text) < 0) return std::nullopt;
    move = play_card(card_from(text));
  }
  return move_text(move) == text ? std::optional(move) : std::nullopt;
}

namespace detail {

// "C AT3 D K H - S Q": by suit, high to low.
inline std::string hand_drawing(Cards cards) {
  std::string out;
  for (int suit = 0; suit < 4; ++suit) {
    out += (suit ? "  " : "") + std::string(1, suit_letters[at(suit)]) + " ";
    Cards own = cards & suit_cards(suit);
    if (!own) out += "-";
    for (; own; own &= ~bit(highest(own))) out += rank_letters[at(rank_of(highest(own)))];
  }
  return out;
}

inline std::string headline(const Rules& rules, const Table& table) {
  std::string out = "Hearts, ";
  switch (table.phase) {
    case Phase::direction: return out + "who passes to whom is drawn";
    case Phase::deal:      return out + "cards are dealt";
    case Phase::first:     return out + "2C leads the first trick";
    case Phase::pass:
    case Phase::get:
      return out +
             "three cards are passed: " + std::string(way_texts[at(static_cast<int>(table.way))]);
    default: break;
  }
  out += table.phase == Phase::over ? "the end" : "trick " + std::to_string(table.count / 4 + 1);
  if (rules.breakers != pack) out += table.broken ? ", hearts broken" : ", hearts not broken";
  return out;
}

inline std::string drawing(const Rules& rules, const Table& table,
                           const std::array<std::string, seats>& hands) {
  std::string out = headline(rules, table) + "\n";
  std::size_t width = 0;
  for (const std::string& hand : hands) width = hand.size() > width ? hand.size() : width;
  const std::array<int, seats> points = count_points(rules, table);
  for (int s = 0; s < seats; ++s) {
    out += is_decision(table.phase) && table.to_move == s ? "> " : "  ";
    out += seat_name(s) + (s == table.seat ? " (you) " : "       ") + hands[at(s)];
    out += std::string(width - hands[at(s)].size(), ' ');
    out += " | " + std::to_string(points[at(s)]) + (points[at(s)] == 1 ? " point" : " points");
    if (const Cards passed = passed_by(table, s))
      out += ", passed " + cards_text(passed) + " to " + seat_name(receiver_of(table, s));
    out += "\n";
  }
  if (table.phase == Phase::play && table.count % 4) {
    out += "trick:";
    for (int i = 0; i < table.count % 4; ++i)
      out += " " + card_text(table.line[at((table.count & ~3) + i)]) + " (" +
             seat_name(seat_after(table.leader, i)) + ")";
    out += "\n";
  }
  if (is_decision(table.phase))
    return out + seat_name(table.to_move) +
           (table.phase == Phase::pass ? " passes a card"
            : table.count % 4          ? " to play"
                                       : " to lead") +
           "\n";
  return out;
}

}  // namespace detail

inline std::string draw_table(const Rules& rules, const State& state) {
  std::array<std::string, seats> hands;
  for (std::size_t s = 0; s < hands.size(); ++s) hands[s] = detail::hand_drawing(state.hand[s]);
  return detail::drawing(rules, state.table, hands);
}

// Of other hands, what is known to be in them.
inline std::string draw_table(const Rules& rules, const View& view) {
  std::array<std::string, seats> hands;
  const Facts facts(rules, view);
  for (std::size_t s = 0; s < hands.size(); ++s)
    hands[s] = s == view.table.seat ? detail::hand_drawing(view.hand)
               : facts.has[s]       ? "holds " + cards_text(facts.has[s])
                                    : "";
  return detail::drawing(rules, view.table, hands);
}

}  // namespace kibitz::hearts
