// The table as text for a terminal: own hand only, tasks with tokens and owners, tricks,
// statements.
#pragma once

#include <algorithm>
#include <string>

#include <kibitz/games/thecrew/facts.hpp>
#include <kibitz/games/thecrew/legality.hpp>
#include <kibitz/games/thecrew/moves_text.hpp>

namespace kibitz::thecrew {

namespace detail {

inline std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

inline std::string hand_drawing(Cards hand) {
  std::string out;
  for (int suit = 0; suit < suits; ++suit)
    if (const Cards cards = hand & suit_cards[at(suit)])
      out += (out.empty() ? "" : "  ") + cards_text(cards);
  return out;
}

inline std::string display_drawing(const Rules& rules, const Table& t) {
  std::string out;
  for (int c = 0; c < rules.columns; ++c) {
    const std::string up = t.up[at(c)] == no_card ? "--" : card_text(t.up[at(c)]);
    const std::string low = t.under[at(c)] == no_card ? "" : "/" + card_text(t.under[at(c)]);
    if (up != "--" || !low.empty()) out += (out.empty() ? "" : " ") + up + low;
  }
  return out;
}

inline std::string task_drawing(const Table& t, int card) {
  const int token = token_of(t, card);
  std::string out = card_text(card);
  if (token >= 0) out += "(" + std::string(token_names[at(token)]) + ")";
  if (t.completed >> card & 1) out += " done";
  return out;
}

// Which constraint failed in the last trick; of the tasks, which one and why.
inline std::string failure_drawing(const Rules& rules, const Table& t) {
  const Constraint& c = rules.mission.constraint[at(t.fault - 1)];
  std::string name(constraint_names[static_cast<std::size_t>(c.kind)]);
  std::replace(name.begin(), name.end(), '_', ' ');
  if (c.kind != ConstraintKind::tasks) return name;
  Cards trick = 0;
  for (int i = 0; i < rules.seats; ++i)
    if (const Card card = t.line[at((t.trick - 1) * rules.seats + i)]; card != no_card)
      trick |= bit(card);
  for (int s = 0; s < rules.seats; ++s)
    if (const Cards lost = trick & t.pending[at(s)])
      return "the task " + cards_text(lost) + " of " + seat_name(s) + " went to " +
             seat_name(t.leader);
  if (tokens_broken(t)) return "tasks were completed in another order than their tokens say";
  return open_tasks(t) ? "tasks are left after the last trick"
                       : "the last task was completed before the last trick";
}

// `hands` by seat as text; `viewer` -1 for the truth.
inline std::string table_drawing(const Rules& rules, const Table& t, int viewer,
                                 const std::array<std::string, 5>& hands) {
  const bool begun = t.phase == Phase::radio || t.phase == Phase::play || t.trick > 0;
  std::string out = begun ? "trick " + std::to_string(std::min<int>(t.trick + 1, rules.tricks)) +
                                " of " + std::to_string(rules.tricks)
                          : "before trick 1 of " + std::to_string(rules.tricks);
  if (t.commander != nobody) out += ", commander " + seat_name(t.commander);
  if (t.s1 != nobody) out += ", S1 " + seat_name(t.s1);
  if (t.s2 != nobody) out += ", S2 " + seat_name(t.s2);
  if (t.sent) out += t.sent == 1 ? ", cards passed left" : ", cards passed right";
  out += "\n";
  std::size_t width = 0;
  for (const std::string& hand : hands) width = std::max(width, hand.size());
  for (int s = 0; s < rules.seats; ++s) {
    out += is_decision(t.phase) && t.actor == s ? "> " : "  ";
    out += padded(seat_name(s) + (s == viewer ? " (you)" : s == t.jarvis ? " (auto)" : ""), 14);
    out += padded(hands[at(s)], width) + " | won " + std::to_string(t.won[at(s)]);
    std::string tasks;
    for (int i = 0; i < tasks_drawn(t); ++i)
      if (t.owner[at(i)] == s)
        tasks += (tasks.empty() ? "" : ", ") + task_drawing(t, t.task[at(i)]);
    if (!tasks.empty()) out += " | tasks " + tasks;
    if (t.said[at(s)] != no_card)
      out += " | said " + said_text(t, s) + (t.played >> t.said[at(s)] & 1 ? " (played)" : "");
    else if (begun && s != t.jarvis && !(t.green >> s & 1))
      out += " | no radio";
    if (is_card(t.given[at(s)])) out += " | passed " + card_text(t.given[at(s)]);
    if (is_card(t.drawn[at(s)])) out += " | " + card_text(t.drawn[at(s)]) + " was drawn from it";
    if (t.reply[at(s)]) out += " | says " + std::string(reply_names[t.reply[at(s)]]);
    out += "\n";
  }
  std::string open;
  for (int i = 0; i < tasks_drawn(t); ++i)
    if (t.owner[at(i)] == nobody) open += " " + task_drawing(t, t.task[at(i)]);
  if (!open.empty()) out += "  tasks on the table:" + open + "\n";
  if (t.offered != no_card)
    out += "  " + seat_name(offerer_of(rules, t)) + " offers " + task_drawing(t, t.offered) +
           " to " + seat_name(t.offered_to) + "\n";
  else if (t.offered_to != nobody)
    out += "  all tasks go to " + seat_name(t.offered_to) + "\n";
  int leader = t.commander;
  for (int k = 0; k < t.trick + (t.laid > 0); ++k) {
    const Card* line = &t.line[at(k * rules.seats)];
    const int laid = k < t.trick ? rules.seats : t.laid;
    out += "  " + padded(std::to_string(k + 1) + ".", 4);
    Cards trick = 0;
    for (int i = 0; i < laid; ++i) {
      out += " " + std::to_string((leader + i) % rules.seats) + ":" + card_text(line[i]);
      trick |= bit(line[i]);
    }
    if (laid == rules.seats) {
      const int best = winning_card(trick, same_suit(line[0]));
      int place = 0;
      while (line[place] != best) ++place;
      leader = (leader + place) % rules.seats;
      out += "  to " + seat_name(leader);
    }
    out += "\n";
  }
  if (t.result == 1) return out + "the mission has succeeded\n";
  if (t.result == 2) return out + "the mission has failed: " + failure_drawing(rules, t) + "\n";
  return out + expected(rules, t).why + "\n";
}

}  // namespace detail

inline std::string draw_table(const Rules& rules, const State& state) {
  std::array<std::string, 5> hands;
  for (int s = 0; s < rules.seats; ++s)
    hands[at(s)] = s == state.table.jarvis ? detail::display_drawing(rules, state.table)
                                           : detail::hand_drawing(state.hand[at(s)]);
  return detail::table_drawing(rules, state.table, -1, hands);
}

inline std::string draw_table(const Rules& rules, const View& view) {
  std::array<std::string, 5> hands;
  for (int s = 0; s < rules.seats; ++s) {
    if (s == view.table.jarvis)
      hands[at(s)] = detail::display_drawing(rules, view.table);
    else if (s == view.seat)
      hands[at(s)] = detail::hand_drawing(view.hand);
    else if (!before_play(view.table.phase))
      hands[at(s)] = std::to_string(size_of(rules, view.table, s)) + " cards";
  }
  return detail::table_drawing(rules, view.table, view.seat, hands);
}

}  // namespace kibitz::thecrew
