// The Crew's positions as plain fields: the form of setups, of JSON, and of a start.
//
// Cards are texts ("B4"); "x" is one that the view does not know, "" none. What follows from the
// tricks (who leads, which tasks are completed, which tokens are used) is not written: reading
// plays them again.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <kibitz/games/thecrew/facts.hpp>
#include <kibitz/games/thecrew/moves_text.hpp>
#include <kibitz/games/thecrew/state.hpp>

namespace kibitz::thecrew {

inline constexpr std::array<const char*, 22> phase_names = {
    "edit", "ask",    "role", "draft",  "owner",   "offer",  "consent", "vote",
    "give", "radio",  "play", "jarvis", "longest", "leader", "deal",    "task",
    "lot",  "holder", "get",  "draw",   "turn_up", "over"};

// What State and View share. Left out: the start of the mission's preparation.
struct TableSheet {
  std::optional<int> commander;
  std::optional<int> longest;
  std::optional<int> jarvis;
  std::vector<std::string> display;
  std::vector<std::string> tasks;
  std::vector<std::optional<int>> owners;
  std::optional<int> s1;
  std::optional<int> s2;
  std::string distress;
  std::vector<std::string> given;
  std::vector<std::string> statements;
  std::vector<std::vector<std::string>> tricks;
  std::vector<std::string> drawn;
  std::vector<std::string> turned;
  std::string phase;
  std::optional<int> actor;
  int step = -1;
  int count = 0;
  std::vector<std::string> replies;
  bool spoke = false;
  std::string offer;

  template <class V>
  void fields(V&& v) {
    v("commander", commander, "seat that was dealt R4");
    v("longest", longest, "3 players: seat that was dealt 14 cards");
    v("jarvis", jarvis, "2 players: seat of the automatic member");
    v("display", display,
      "2 players: its columns, 'Y3/x' face up over face down, 'Y3' one card, '/x' to be turned up, "
      "'' none");
    v("tasks", tasks,
      "task cards in drawn order, each with its token: 'P3', 'P3 1', 'P3 a2', 'P3 omega'");
    v("owners", owners, "seat that owns each task, null while it lies on the table");
    v("S1", s1, "seat with the role S1");
    v("S2", s2, "seat with the role S2");
    v("distress", distress, "'left' or 'right' if the distress signal was sent, else ''");
    v("given", given, "cards passed in distress, by giver, 'x' where not seen");
    v("statements", statements,
      "radio, by seat: 'G9 highest 2' said before trick 2; in a dead zone 'G9 2'; '' none");
    v("tricks", tricks,
      "all cards played, trick by trick, the leader's first; the last may be under way");
    v("drawn", drawn,
      "mission 12: cards drawn after trick 1, by the seat they came from, 'x' where not seen");
    v("turned", turned, "2 players, mission 12: cards of the display turned up since the draw");
    v("phase", phase,
      "what happens next, as in docs/games/thecrew.md; '' is worked out from the rest");
    v("actor", actor, "seat whose move it is; the commander decides for the automatic member");
    v("step", step, "step of the preparation, from 0; -1 is worked out from the phase");
    v("count", count, "how far the phase is: cards dealt, tasks drawn, cards arrived");
    v("replies", replies, "answers or votes given so far in this step, by seat; '' none");
    v("spoke", spoke, "radio until all pass: somebody has spoken in this round");
    v("offer", offer, "5 players: the task offered and to whom, 'B4 2'");
  }
};

struct StateSheet : TableSheet {
  std::vector<std::vector<std::string>> hands;

  template <class V>
  void fields(V&& v) {
    v("hands", hands, "cards by seat; of the automatic member none, see display");
    TableSheet::fields(v);
  }
};

struct ViewSheet : TableSheet {
  std::vector<std::string> hand;

  template <class V>
  void fields(V&& v) {
    v("hand", hand, "own cards");
    TableSheet::fields(v);
  }
};

namespace detail {

inline std::vector<std::string> card_list(Cards cards) {
  std::vector<std::string> out;
  for (; cards; cards &= cards - 1) out.push_back(card_text(std::countr_zero(cards)));
  return out;
}

// By seat, with trailing detail: nothing at all while there is none.
inline std::vector<std::string> secret_list(const Rules& rules, const std::array<Card, 5>& cards) {
  std::vector<std::string> out;
  bool any = false;
  for (int s = 0; s < rules.seats; ++s) {
    any |= cards[at(s)] != no_card;
    out.push_back(cards[at(s)] == no_card ? "" : card_text(cards[at(s)]));
  }
  if (!any) out.clear();
  return out;
}

inline std::optional<int> seat_or_null(std::uint8_t seat) {
  return seat == nobody ? std::nullopt : std::optional<int>(seat);
}

inline void write_table(const Rules& rules, const Table& t, TableSheet& sheet) {
  sheet.commander = seat_or_null(t.commander);
  sheet.longest = rules.jarvis ? std::nullopt : seat_or_null(t.longest);
  sheet.jarvis = seat_or_null(t.jarvis);
  for (int c = 0; c < rules.columns; ++c) {
    const std::string up = t.up[at(c)] == no_card ? "" : card_text(t.up[at(c)]);
    sheet.display.push_back(up +
                            (t.under[at(c)] == no_card ? "" : "/" + card_text(t.under[at(c)])));
  }
  for (int i = 0; i < tasks_drawn(t); ++i) {
    const int token = token_of(t, t.task[at(i)]);
    sheet.tasks.push_back(card_text(t.task[at(i)]) +
                          (token < 0 ? "" : " " + std::string(token_names[at(token)])));
    sheet.owners.push_back(seat_or_null(t.owner[at(i)]));
  }
  sheet.s1 = seat_or_null(t.s1);
  sheet.s2 = seat_or_null(t.s2);
  sheet.distress = t.sent == 1 ? "left" : t.sent == 2 ? "right" : "";
  sheet.given = secret_list(rules, t.given);
  sheet.drawn = secret_list(rules, t.drawn);
  sheet.turned = card_list(t.turned);
  bool said = false;
  for (int s = 0; s < rules.seats; ++s) {
    const bool spoken = t.said[at(s)] != no_card;
    said |= spoken;
    sheet.statements.push_back(spoken ? said_text(t, s) + " " + std::to_string(t.how[at(s)] >> 2)
                                      : "");
  }
  if (!said) sheet.statements.clear();
  for (int k = 0; k < rules.tricks; ++k) {
    std::vector<std::string> trick;
    for (int i = 0; i < rules.seats; ++i)
      if (const Card card = t.line[at(k * rules.seats + i)]; card != no_card)
        trick.push_back(card_text(card));
    if (trick.empty()) break;
    sheet.tricks.push_back(std::move(trick));
  }
  sheet.phase = phase_names[static_cast<std::size_t>(t.phase)];
  if (is_decision(t.phase)) sheet.actor = t.actor;
  sheet.step = t.step;
  sheet.count = t.count;
  bool replied = false;
  for (int s = 0; s < rules.seats; ++s) {
    replied |= t.reply[at(s)] != 0;
    sheet.replies.emplace_back(reply_names[t.reply[at(s)]]);
  }
  if (!replied) sheet.replies.clear();
  sheet.spoke = t.spoke;
  if (t.offered != no_card)
    sheet.offer = card_text(t.offered) + " " + std::to_string(t.offered_to);
  else if (t.offered_to != nobody)
    sheet.offer = "- " + std::to_string(t.offered_to);
}

}  // namespace detail

inline StateSheet sheet_of(const Rules& rules, const State& state) {
  StateSheet sheet;
  detail::write_table(rules, state.table, sheet);
  for (int s = 0; s < rules.seats; ++s)
    sheet.hands.push_back(s == state.table.jarvis ? std::vector<std::string>{}
                                                  : detail::card_list(state.hand[at(s)]));
  return sheet;
}

inline ViewSheet sheet_of(const Rules& rules, const View& view) {
  ViewSheet sheet;
  detail::write_table(rules, view.table, sheet);
  sheet.hand = detail::card_list(view.hand);
  return sheet;
}

}  // namespace kibitz::thecrew
