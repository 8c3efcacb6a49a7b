// The view kept up from outside: one event at a time, as its seat saw it. A contradiction is
// reported and changes nothing.
#pragma once

#include <string>
#include <utility>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/thecrew/legality.hpp>
#include <kibitz/games/thecrew/sampler.hpp>

namespace kibitz::thecrew {

namespace detail {

inline Verdict refuse(Verdict::Kind kind, std::string rule, std::string why) {
  return {kind, {std::move(rule), std::move(why)}};
}

// Why a card cannot be with another seat, by what this seat knows; empty if it may be.
inline std::string misplaced(const Rules& rules, const View& view, const Facts& facts, int seat,
                             int card) {
  const std::string text = card_text(card);
  const Cards one = bit(card);
  if (!(rules.deck & one)) return text + " is not in the deck of this game";
  if (view.hand & one) return text + " is in this seat's own hand";
  for (int s = 0; s < rules.seats; ++s)
    for (int t = 0; t < max_tricks; ++t)
      if (facts.played[at(s)][at(t)] & one)
        return seat_name(s) + " played " + text + " in trick " + std::to_string(t + 1);
  if (face_up(view.table) & one) return text + " lies face up in the display";
  for (int s = 0; s < rules.seats; ++s)
    if (s != seat && (facts.now.has[at(s)] & one))
      return text + " is known to be in the hand of " + seat_name(s);
  for (const Fact& fact : facts.facts)
    if (fact.seat == seat && !fact.before && fact.kind == Fact::Kind::without && (fact.cards & one))
      return fact.text + " and cannot hold " + text;
  return {};
}

// An outcome as this seat sees it, before it is played.
inline Verdict judge_outcome(const Rules& rules, const View& view, const Facts& facts, Move seen) {
  using enum Verdict::Kind;
  const Table& table = view.table;
  const int card = card_of(seen);
  const int seat = seat_of(seen);
  const auto wants = [&](const std::string& what) {
    return refuse(illegal, "thecrew: order of play", "expected is " + what);
  };
  const auto unlike = [&](std::string why) {
    return refuse(inconsistent, "thecrew: cards", std::move(why));
  };
  if (mask_move(rules, table, seen, view.seat) != seen)
    return refuse(too_much, "thecrew: hidden information", "this seat does not see that card");
  const auto only = [&](Kind kind, int c, int s = 0, int n = 0) {
    return seen == make(kind, c, s, n);
  };
  switch (table.phase) {
    case Phase::jarvis:
      if (!only(Kind::jarvis, -1, seat) || seat < 1 || seat > 2)
        return wants("'jarvis 1' or 'jarvis 2'");
      return {};
    case Phase::longest:
    case Phase::lot:     {
      const Kind kind = table.phase == Phase::lot ? Kind::owner : Kind::longest;
      if (!only(kind, -1, seat) || seat >= rules.seats)
        return wants("a seat: '" + move_text(make(kind)) + "'");
      return {};
    }
    case Phase::leader:
      if (!only(Kind::leader, -1, seat) || seat >= rules.seats || seat == table.jarvis)
        return wants("the seat that holds R4: 'commander 0'");
      return {};
    case Phase::deal: {
      const Deal next = next_deal(rules, table);
      const Kind kind = deal_kind(next);
      const bool mine = next.column < 0 && next.seat == view.seat;
      const bool shown = mine || kind == Kind::up;
      if (!only(kind, card) || is_card(card) != shown)
        return wants("a card: '" + move_text(make(kind, shown ? 0 : -1)) + "'");
      if (!shown) return {};
      if (card == r4) return unlike("R4 is with the commander");
      if (std::string why = misplaced(rules, view, facts, next.seat, card); !why.empty())
        return unlike(why);
      return {};
    }
    case Phase::task:
      if (!only(Kind::task, card) || !is_card(card)) return wants("a task: 'task P3'");
      if (!(task_deck(rules, table) >> card & 1))
        return refuse(illegal, "thecrew: tasks", card_text(card) + " is no task card that is left");
      return {};
    case Phase::holder: {
      const Card asked = this_step(rules, table).card;
      if (!only(Kind::holder, -1, seat) || seat >= rules.seats)
        return wants("the holder of " + card_text(asked) + ": 'holder 2'");
      const bool own = view.hand >> asked & 1, shown = face_up(table) >> asked & 1;
      if ((own && seat != view.seat) || (!own && seat == view.seat && seat != table.jarvis) ||
          (shown && seat != table.jarvis))
        return unlike(own     ? card_text(asked) + " is in this seat's own hand"
                      : shown ? card_text(asked) + " lies face up in the display"
                              : card_text(asked) + " is not in this seat's hand");
      return {};
    }
    case Phase::get: {
      const int receiver = next_receiver(rules, table);
      const int giver = giver_to(rules, table, receiver);
      const bool shown =
          mask_move(rules, table, make(Kind::get, 0), view.seat) == make(Kind::get, 0);
      if (!only(Kind::get, card) || is_card(card) != shown)
        return wants(std::string("the card for ") + seat_name(receiver) + ": '" +
                     (shown ? "get B1" : "get x") + "'");
      if (!shown) return {};
      if (bit(card) & rockets) return refuse(illegal, "thecrew R21", "a rocket cannot be passed");
      if (is_card(table.given[at(giver)])) {
        if (table.given[at(giver)] != card)
          return unlike(seat_name(giver) + " passed " + card_text(table.given[at(giver)]) +
                        ", not " + card_text(card));
        return {};
      }
      if (giver == table.jarvis) {
        if (!(face_up(table) >> card & 1))
          return unlike(card_text(card) + " does not lie face up in the display");
        return {};
      }
      if (std::string why = misplaced(rules, view, facts, giver, card); !why.empty())
        return unlike(why);
      return {};
    }
    case Phase::draw: {
      const int from = table.count;
      const bool shown =
          mask_move(rules, table, make(Kind::draw, 0), view.seat) == make(Kind::draw, 0);
      if (!only(Kind::draw, card) || is_card(card) != shown)
        return wants("the card drawn from " + seat_name(from) +
                     (shown ? ": 'draw B2'" : ": 'draw x'"));
      if (!shown) return {};
      if (from == view.seat) {
        if (!(view.hand >> card & 1)) return unlike("this seat does not hold " + card_text(card));
        if (table.said[at(from)] == card)
          return refuse(illegal, "thecrew R40",
                        card_text(card) + " lies under a radio token and cannot be drawn");
        return {};
      }
      if (table.said[at(from)] == card)
        return refuse(illegal, "thecrew R40",
                      card_text(card) + " lies under a radio token and cannot be drawn");
      if (std::string why = misplaced(rules, view, facts, from, card); !why.empty())
        return unlike(why);
      return {};
    }
    case Phase::turn_up: {
      if (!only(Kind::turn_up, card) || !is_card(card))
        return wants("the card that is turned up: 'turn Y3'");
      if (std::string why = misplaced(rules, view, facts, table.jarvis, card); !why.empty())
        return unlike(why);
      return {};
    }
    default: return {};
  }
}

// A decision of a seat for which this view does not decide.
inline Verdict judge_other(const Rules& rules, const View& view, const Facts& facts, Move seen) {
  using enum Verdict::Kind;
  const Table& table = view.table;
  const int card = card_of(seen);
  const int seat = table.actor;
  const std::string text = card_text(card);
  if (mask_move(rules, table, seen, view.seat) != seen)
    return refuse(
        too_much, "thecrew: hidden information",
        "this seat does not see what " + seat_name(seat) + " passes; it may see 'give x'");
  // The display is public, and so is every phase that no hand has a say in.
  if (table.phase < Phase::give || (table.phase == Phase::play && seat == table.jarvis)) {
    Breach breach = breach_of(rules, table, face_up(table), seen);
    return breach ? Verdict{illegal, std::move(breach)} : Verdict{};
  }
  if (table.phase == Phase::give)
    return seen == make(Kind::give) ? Verdict{} : Verdict{illegal, expected(rules, table)};
  if (seen == quiet_move && table.phase == Phase::radio) return {};
  const bool speaks = table.phase == Phase::radio;
  const auto how = static_cast<Said>(seat_of(seen) & 3);
  if (!is_card(card) || seen != (speaks ? say_card(card, how) : play_card(card)))
    return {illegal, expected(rules, table)};
  if (speaks) {
    if (bit(card) & rockets)
      return refuse(illegal, "thecrew: radio", "a rocket cannot be communicated");
    if (rules.mission.dead_zone != (how == Said::bare))
      return refuse(illegal, "thecrew R19",
                    rules.mission.dead_zone
                        ? "in a dead zone the card is shown without a statement: 'say " + text + "'"
                        : "the statement is missing: 'say " + text + " highest', lowest or only");
  }
  if (std::string why = misplaced(rules, view, facts, seat, card); !why.empty())
    return refuse(inconsistent, "thecrew: cards", std::move(why));
  const Cards led = led_suit(rules, table);
  if (!speaks && led && !(bit(card) & led) && (facts.now.has[at(seat)] & led))
    return refuse(inconsistent, "thecrew: follow suit",
                  seat_name(seat) + " must follow suit and is known to hold " +
                      cards_text(facts.now.has[at(seat)] & led, ", "));
  return {};
}

}  // namespace detail

// Takes in one event as this seat saw it. Anything but `fine` leaves the view as it was.
inline Verdict observe_event(const Rules& rules, View& view, Turn turn, Move seen) {
  using enum Verdict::Kind;
  const Table& table = view.table;
  const Turn due = turn_of(table);
  if (turn != due) return kibitz::wrong_actor("thecrew: order of play", due, "the mission is over");
  Verdict verdict;
  if (due == Turn::of(view.seat)) {
    if (Breach breach = breach_of(rules, table, acting_hand(view), seen))
      verdict = {illegal, std::move(breach)};
  } else {
    const Facts facts(rules, view);
    verdict = turn.is_chance() ? detail::judge_outcome(rules, view, facts, seen)
                               : detail::judge_other(rules, view, facts, seen);
  }
  if (verdict.kind != fine) return verdict;
  View next = view;
  play_any(rules, next.table, own_hand(next), seen);
  if (std::string why = contradiction(rules, next); !why.empty())
    return detail::refuse(inconsistent, "thecrew: cards", std::move(why));
  view = next;
  return {};
}

}  // namespace kibitz::thecrew
