// Why a move is illegal, in a sentence that names the rule and nothing hidden from the mover.
#pragma once

#include <string>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/hearts/facts.hpp>

namespace kibitz::hearts {

// What comes next, when something else was given.
inline Breach wrong_kind(const Table& table) {
  const std::string who = seat_name(table.to_move);
  switch (table.phase) {
    case Phase::pass: return {"hearts: passing", who + " passes a card of its hand ('pass QS')"};
    case Phase::play: return {"hearts: order of play", who + " plays a card of its hand ('QS')"};
    case Phase::over: return {"hearts: order of play", "the deal is over"};
    case Phase::direction:
      return {"hearts: chance",
              "an outcome comes first: 'pass left', across or right, or 'no pass'"};
    case Phase::deal: return {"hearts: chance", "an outcome comes first: a card for " + who};
    case Phase::get:
      return {"hearts: chance", "an outcome comes first: what " + who + " was passed"};
    default: return {"hearts: chance", "an outcome comes first: who leads ('first 0')"};
  }
}

// The rule that a move of the seat to move breaks, its hand being known.
inline Breach breach_of(const Rules& rules, const Table& table, Cards hand, Move move) {
  const int card = card_of(move);
  const bool passing = table.phase == Phase::pass;
  if (!is_decision(table.phase) || kind_of(move) != (passing ? Kind::pass : Kind::play) ||
      payload_of(move) > 63)
    return wrong_kind(table);
  if (!is_card(card)) return {"hearts: cards", "a card of the own hand must be named"};
  const std::string who = seat_name(table.to_move);
  const std::string text = card_text(card);
  if (!(hand & bit(card))) return {"hearts: cards", who + " does not hold " + text};
  if (choices(rules, table, hand) & bit(card)) return {};
  if (table.count == 0)
    return {"hearts: first lead",
            rules.any_club ? "the first trick is led with a club" : "2C leads the first trick"};
  if (table.count % 4 == 0)
    return {"hearts: breaking hearts",
            "hearts are not broken, and " + who + " holds other cards to lead"};
  const int led = suit_of(table.line[table.count & ~3u]);
  if (hand & suit_cards(led))
    return {"hearts: follow suit", suit_names[at(led)] + std::string(" were led and ") + who +
                                       " holds " + cards_text(hand & suit_cards(led), ", ")};
  return {"hearts: first trick", "no points on the first trick, and " + who + " holds other cards"};
}

}  // namespace kibitz::hearts
