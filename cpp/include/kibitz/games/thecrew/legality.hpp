// Why a move is illegal, in a sentence that names the rule and nothing hidden from the mover.
#pragma once

#include <string>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/small_list.hpp>
#include <kibitz/games/thecrew/choices.hpp>
#include <kibitz/games/thecrew/moves_text.hpp>
#include <kibitz/games/thecrew/play.hpp>

namespace kibitz::thecrew {

// What the acting seat plays from; of a view, the seat itself or the automatic member it decides
// for.
inline Cards acting_hand(const State& state) { return state.hand[state.table.actor]; }
inline Cards acting_hand(const View& view) {
  return view.table.actor == view.table.jarvis ? face_up(view.table) : view.hand;
}

// The outcome that comes next.
inline std::string awaited(const Rules& rules, const Table& table) {
  switch (table.phase) {
    case Phase::jarvis:  return "where the automatic member sits";
    case Phase::longest: return "who is dealt 14 cards";
    case Phase::leader:  return "who is dealt R4";
    case Phase::deal:    {
      const Deal next = next_deal(rules, table);
      return next.column < 0 ? "a card for " + seat_name(next.seat) : "a card for the display";
    }
    case Phase::task:    return "a task card";
    case Phase::lot:     return "the owner of the task " + card_text(table.task[table.count]);
    case Phase::holder:  return "who holds " + card_text(this_step(rules, table).card);
    case Phase::get:     return "the card passed to " + seat_name(next_receiver(rules, table));
    case Phase::draw:    return "the card drawn from " + seat_name(table.count);
    case Phase::turn_up: return "the card below the one that the display played";
    default:             return "nothing";
  }
}

// What the phase asks for, with its rule.
inline Breach expected(const Rules& rules, const Table& table) {
  std::string who = seat_name(table.actor);
  if (is_decision(table.phase) && table.actor == table.jarvis)
    who = seat_name(table.commander) + ", for the automatic " + who + ",";
  switch (table.phase) {
    case Phase::edit:
      return {"thecrew: edit_tokens",
              who + (this_step(rules, table).edit == Edit::swap_two
                         ? " may swap the tokens of two tasks: 'swap B4 G7', or 'keep'"
                         : " may move a token to a task without one: 'move 1 B5', or 'keep'")};
    case Phase::ask: {
      std::string words;
      for (std::uint32_t rest = this_step(rules, table).replies; rest; rest >>= 4)
        words += (words.empty() ? ""
                  : rest >> 4   ? ", "
                                : " or ") +
                 std::string(reply_names[rest & 15]);
      return {"thecrew: ask", who + " answers the question: " + words};
    }
    case Phase::role: {
      const std::string role(role_names[static_cast<std::size_t>(this_step(rules, table).role)]);
      return {"thecrew: pick_role", who + " names the seat for " + role + ": '" + role + " 2'"};
    }
    case Phase::draft:
      return {"thecrew: draft", who + " takes a task that lies face up: 'take B4'"};
    case Phase::owner: return {"thecrew R37, R38", who + " names an owner: 'owner 2'"};
    case Phase::offer:
      return {"thecrew R39",
              who + " may offer one of its tasks to another seat ('offer B4 2') or 'keep'"};
    case Phase::consent: return {"thecrew: five_pass", who + " answers the offer: 'yes' or 'no'"};
    case Phase::vote:
      return {"thecrew: distress", who + " votes on the distress signal: none, left, right or any"};
    case Phase::give:
      return {"thecrew R21", who + " passes one card that is not a rocket: 'give B1'"};
    case Phase::radio:
      return {"thecrew: radio", who + " may use the radio (" +
                                    (rules.mission.dead_zone ? "'say B4'" : "'say B4 highest'") +
                                    ") or stays 'quiet'"};
    case Phase::play: return {"thecrew: play", who + " plays a card: 'B4'"};
    case Phase::over: return {"thecrew: end", "the mission is over"};
    default:
      return {"thecrew: chance",
              "no seat is to move: an outcome comes first, " + awaited(rules, table)};
  }
}

namespace detail {

inline Breach radio_breach(const Rules& rules, const Table& table, Cards hand, Move move) {
  const int card = card_of(move);
  const std::string text = card_text(card);
  if (!is_card(card)) return {"thecrew: radio", "name the card to show: 'say B4 highest'"};
  if (bit(card) & rockets) return {"thecrew: radio", "a rocket cannot be communicated"};
  if (!(hand >> card & 1))
    return {"thecrew: radio", seat_name(table.actor) + " does not hold " + text};
  const Ends ends = ends_of(hand);
  if (!((ends.low | ends.high) >> card & 1))
    return {"thecrew: radio",
            text + " is neither the highest nor the lowest of its colour in the hand"};
  const Said due = statement(ends, bit(card), rules.mission.dead_zone);
  if (due == Said::bare)
    return {"thecrew R19",
            "in a dead zone the card is shown without a statement: 'say " + text + "'"};
  return {due == Said::only ? "thecrew R14" : "thecrew: radio",
          "the statement follows from the hand: 'say " + text + " " +
              std::string(said_names[at(static_cast<int>(due))]) + "'"};
}

inline Breach card_breach(const Rules& rules, const Table& table, Cards hand, Move move) {
  const int card = card_of(move);
  if (!is_card(card)) return {"thecrew: play", "that is no card of this game"};
  const std::string who = table.actor == table.jarvis ? "the display of " + seat_name(table.actor)
                                                      : seat_name(table.actor);
  if (!(hand >> card & 1))
    return {"thecrew: hand", table.actor == table.jarvis
                                 ? card_text(card) + " does not lie face up in " + who
                                 : who + " does not hold " + card_text(card)};
  const Cards led = led_suit(rules, table);
  static constexpr std::array<const char*, suits> words = {"blue", "green", "pink", "yellow",
                                                           "a rocket"};
  return {"thecrew: follow suit", std::string(words[at(suit_of(std::countr_zero(led)))]) +
                                      " was led and " + who +
                                      " can follow: " + cards_text(hand & led)};
}

}  // namespace detail

// Why the acting seat may not make this move from this hand; empty if it may.
inline Breach breach_of(const Rules& rules, const Table& table, Cards hand, Move move) {
  Breach breach = expected(rules, table);
  if (!is_decision(table.phase)) return breach;
  SmallList<Move, max_list> list;
  list_moves(rules, table, hand, list);
  if (list.contains(move)) return {};
  const Kind kind = kind_of(move);
  const int card = card_of(move);
  const bool clean = move == make(kind, card, seat_of(move), number_of(move), second_of(move));
  if (clean && table.phase == Phase::radio && kind == Kind::say)
    return detail::radio_breach(rules, table, hand, move);
  if (clean && table.phase == Phase::play && kind == Kind::play && move == play_card(card))
    return detail::card_breach(rules, table, hand, move);
  if (table.phase == Phase::give && kind == Kind::give) {
    if (!is_card(card)) return {"thecrew: distress", "the giver must name its card"};
    if (bit(card) & rockets) return {"thecrew R21", "a rocket cannot be passed"};
    return {"thecrew: hand", seat_name(table.actor) + " does not hold " + card_text(card)};
  }
  if (table.phase == Phase::owner && kind == Kind::owner && seat_of(move) < rules.seats) {
    if (this_step(rules, table).kind == StepKind::assign_all)
      return {"thecrew R38", "the commander cannot choose itself"};
    return {"thecrew R37", seat_name(seat_of(move)) + " has its full share of the tasks"};
  }
  std::string texts;
  for (const Move legal : list) texts += (texts.empty() ? "" : ", ") + move_text(legal);
  breach.why += "; legal: " + texts;
  return breach;
}

}  // namespace kibitz::thecrew
