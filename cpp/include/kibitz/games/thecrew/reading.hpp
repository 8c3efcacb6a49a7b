// Reads the table of a position from plain fields, one part of it a function. Whether the parts fit
// together is position.hpp's affair.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/thecrew/chance.hpp>
#include <kibitz/games/thecrew/sheet.hpp>

namespace kibitz::thecrew::detail {

inline Breach bad(std::string why, std::string rule = "thecrew: position") {
  return {std::move(rule), std::move(why)};
}
inline std::string quoted(const std::string& text) { return kibitz::detail::describe(Value(text)); }

inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

inline Breach read_seat(const Rules& rules, const char* name, const std::optional<int>& given,
                        std::uint8_t& out) {
  if (!given) return {};
  if (*given < 0 || *given >= rules.seats)
    return bad(std::string(name) + " " + std::to_string(*given) + " is no seat; seats are 0 to " +
               std::to_string(rules.seats - 1));
  out = static_cast<std::uint8_t>(*given);
  return {};
}

inline Breach read_cards(const Rules& rules, const std::vector<std::string>& texts,
                         const std::string& where, Cards& out) {
  out = 0;
  for (const std::string& text : texts) {
    const int card = card_from(text);
    if (card < 0)
      return bad(quoted(text) + " in " + where + " is no card; cards are B1 to Y9 and R1 to R4");
    if (!(rules.deck >> card & 1))
      return bad(text + " in " + where + " is not in the deck of this game", "thecrew: challenge");
    if (out >> card & 1) return bad(text + " is twice in " + where);
    out |= bit(card);
  }
  return {};
}

// By seat: a card, "x" where it may be unknown, "" none. An empty list is none at all.
inline Breach read_secrets(const Rules& rules, const std::vector<std::string>& texts,
                           const char* name, std::array<Card, 5>& out) {
  if (texts.empty()) return {};
  if (texts.size() != at(rules.seats))
    return bad(std::string(name) + " has " + std::to_string(texts.size()) + " entries for " +
               std::to_string(rules.seats) + " seats");
  for (std::size_t s = 0; s < texts.size(); ++s) {
    const int card = card_from(texts[s]);
    if (card < 0 && !texts[s].empty() && texts[s] != "x")
      return bad(quoted(texts[s]) + " in " + name + " is no card");
    out[s] = texts[s].empty() ? no_card : card < 0 ? hidden : static_cast<Card>(card);
  }
  return {};
}

inline Breach read_display(const Rules& rules, const TableSheet& sheet, bool truth, Table& t) {
  if (sheet.display.empty()) return {};
  if (!rules.jarvis) return bad("only two players have a display");
  if (sheet.display.size() != at(rules.columns))
    return bad("display has " + std::to_string(sheet.display.size()) + " entries for " +
               std::to_string(rules.columns) + " columns");
  for (std::size_t c = 0; c < sheet.display.size(); ++c) {
    const std::string& text = sheet.display[c];
    const std::size_t slash = text.find('/');
    const std::string up = text.substr(0, slash);
    const std::string low = slash == std::string::npos ? "" : text.substr(slash + 1);
    const int upper = card_from(up), lower = card_from(low);
    const bool known = lower >= 0;
    if ((!up.empty() && upper < 0) || (slash != std::string::npos && !known && low != "x"))
      return bad(quoted(text) + " is no column; columns look like 'Y3/x', 'Y3', '/x' or ''");
    if (slash != std::string::npos && known != truth)
      return bad(quoted(text) + (truth ? ": the truth names the face-down card"
                                       : ": nobody sees the face-down card; it may be 'x'"),
                 "thecrew: hidden information");
    t.up[c] = up.empty() ? no_card : static_cast<Card>(upper);
    t.under[c] = slash == std::string::npos ? no_card : known ? static_cast<Card>(lower) : hidden;
  }
  return {};
}

inline Breach read_tasks(const Rules& rules, const TableSheet& sheet, Table& t) {
  const int due = rules.mission.tasks;
  if (sheet.tasks.size() > at(due))
    return bad("there are " + std::to_string(sheet.tasks.size()) + " tasks; this mission has " +
               std::to_string(due));
  if (!sheet.owners.empty() && sheet.owners.size() != sheet.tasks.size())
    return bad("owners has " + std::to_string(sheet.owners.size()) + " entries for " +
               std::to_string(sheet.tasks.size()) + " tasks");
  Cards seen = 0;
  bool marked = false;
  for (std::size_t i = 0; i < sheet.tasks.size(); ++i) {
    const auto words = words_of(sheet.tasks[i]);
    const int card = card_from(words[0]);
    if (card < 0 || words.size() > 2 || !(rules.deck & colours & (card < 0 ? 0 : bit(card))))
      return bad(quoted(sheet.tasks[i]) +
                 " is no task of this game; tasks look like 'P3' or 'P3 1'");
    if (seen >> card & 1) return bad("the task " + words[0] + " is given twice");
    seen |= bit(card);
    t.task[i] = static_cast<Card>(card);
    if (words.size() == 1) continue;
    marked = true;
    int token = 0;
    while (token < tokens && token_names[at(token)] != words[1]) ++token;
    bool listed = false;
    for (int k = 0; k < rules.mission.token_count; ++k)
      listed |= rules.mission.token[at(k)] == token;
    if (!listed) return bad(quoted(words[1]) + " is no token of this mission");
    if (t.token_on[at(token)] != no_card) return bad("the token " + words[1] + " is given twice");
    t.token_on[at(token)] = static_cast<Card>(card);
  }
  // Without a word on tokens they lie on the first tasks, as drawn.
  const int drawn = static_cast<int>(sheet.tasks.size());
  const int out = std::min<int>(drawn, rules.mission.token_count);
  int placed = 0;
  for (int k = 0; k < out; ++k) {
    Card& on = t.token_on[rules.mission.token[at(k)]];
    if (!marked) on = t.task[at(k)];
    placed += on != no_card;
  }
  if (placed != out) return bad("each token of the mission lies on one of the tasks drawn");
  for (std::size_t i = 0; i < sheet.owners.size(); ++i) {
    if (Breach breach = read_seat(rules, "owner", sheet.owners[i], t.owner[i])) return breach;
    if (t.owner[i] != nobody) t.pending[t.owner[i]] |= bit(t.task[i]);
  }
  return {};
}

inline Breach read_statements(const Rules& rules, const TableSheet& sheet, Table& t) {
  if (sheet.statements.empty()) return {};
  if (sheet.statements.size() != at(rules.seats))
    return bad("statements has " + std::to_string(sheet.statements.size()) + " entries for " +
               std::to_string(rules.seats) + " seats");
  for (std::size_t s = 0; s < sheet.statements.size(); ++s) {
    if (sheet.statements[s].empty()) continue;
    auto words = words_of(sheet.statements[s]);
    const int card = card_from(words[0]);
    std::size_t how = 0;
    if (words.size() == 3)
      while (how < said_names.size() && said_names[how] != words[1]) ++how;
    const std::string& last = words.back();
    int trick = last.empty() || last.size() > 2 ? 0 : 1;
    for (const char c : last) trick = trick && c >= '0' && c <= '9';
    if (trick) trick = std::stoi(last);
    if (card >= 0 && (bit(card) & rockets))
      return bad(quoted(sheet.statements[s]) + ": a rocket cannot be communicated",
                 "thecrew: radio");
    if (card < 0 || words.size() < 2 || words.size() > 3 || how >= said_names.size() || trick < 1 ||
        trick > rules.tricks)
      return bad(quoted(sheet.statements[s]) + " is no statement; they look like 'G9 highest 2'");
    if (!(rules.deck >> card & 1))
      return bad(words[0] + " in statements is not in the deck of this game", "thecrew: challenge");
    if (rules.radio == Radio::off)
      return bad(quoted(sheet.statements[s]) + ": the radio is off in this game", "thecrew: radio");
    if ((how == 0) != rules.mission.dead_zone)
      return bad(quoted(sheet.statements[s]) +
                     (how ? ": in a dead zone cards are shown without a statement"
                          : ": the statement is missing"),
                 "thecrew R19");
    if (trick < rules.mission.from_trick)
      return bad(quoted(sheet.statements[s]) + ": the radio opens before trick " +
                     std::to_string(rules.mission.from_trick),
                 "thecrew R18");
    if (s == t.jarvis) return bad("the automatic member has no radio", "thecrew: JARVIS");
    t.said[s] = static_cast<Card>(card);
    t.how[s] = static_cast<std::uint8_t>(how | static_cast<std::size_t>(trick) << 2);
  }
  return {};
}

inline Breach read_replies(const Rules& rules, const TableSheet& sheet, Table& t) {
  if (sheet.replies.empty()) return {};
  if (sheet.replies.size() != at(rules.seats))
    return bad("replies has " + std::to_string(sheet.replies.size()) + " entries for " +
               std::to_string(rules.seats) + " seats");
  for (std::size_t s = 0; s < sheet.replies.size(); ++s) {
    std::size_t r = 0;
    while (r < reply_names.size() && reply_names[r] != sheet.replies[s]) ++r;
    if (r == reply_names.size()) return bad(quoted(sheet.replies[s]) + " is no reply");
    t.reply[s] = static_cast<std::uint8_t>(r);
  }
  return {};
}

inline Breach read_line(const Rules& rules, const TableSheet& sheet, Table& t) {
  if (sheet.tricks.size() > at(rules.tricks))
    return bad("there are " + std::to_string(sheet.tricks.size()) +
               " tricks; a mission has at most " + std::to_string(rules.tricks));
  Cards seen = 0;
  for (std::size_t k = 0; k < sheet.tricks.size(); ++k) {
    const auto& trick = sheet.tricks[k];
    const bool last = k + 1 == sheet.tricks.size();
    if (trick.empty() || trick.size() > at(rules.seats) ||
        (!last && trick.size() != at(rules.seats)))
      return bad("trick " + std::to_string(k + 1) + " has " + std::to_string(trick.size()) +
                 " cards for " + std::to_string(rules.seats) + " seats");
    Cards cards = 0;
    if (Breach breach = read_cards(rules, trick, "trick " + std::to_string(k + 1), cards))
      return breach;
    if (cards & seen) return bad(card_text(std::countr_zero(cards & seen)) + " was played twice");
    seen |= cards;
    for (std::size_t i = 0; i < trick.size(); ++i)
      t.line[k * at(rules.seats) + i] = static_cast<Card>(card_from(trick[i]));
  }
  return {};
}

// All fields but the phase and what hangs on it.
inline Breach read_parts(const Rules& rules, const TableSheet& sheet, bool truth, Table& t) {
  if (Breach b = read_seat(rules, "commander", sheet.commander, t.commander)) return b;
  if (Breach b = read_seat(rules, "longest", sheet.longest, t.longest)) return b;
  if (Breach b = read_seat(rules, "jarvis", sheet.jarvis, t.jarvis)) return b;
  if (Breach b = read_seat(rules, "S1", sheet.s1, t.s1)) return b;
  if (Breach b = read_seat(rules, "S2", sheet.s2, t.s2)) return b;
  if (sheet.jarvis && (!rules.jarvis || *sheet.jarvis == 0))
    return bad("the automatic member sits at seat 1 or 2 of two players", "thecrew: JARVIS");
  if (sheet.longest && (!rules.extra || rules.jarvis))
    return bad("only three players have a seat with one card more");
  if (rules.jarvis && rules.extra) t.longest = t.jarvis;
  if (sheet.commander && t.commander == t.jarvis)
    return bad("the automatic member is never the commander", "thecrew: JARVIS");
  if (Breach b = read_display(rules, sheet, truth, t)) return b;
  if (Breach b = read_tasks(rules, sheet, t)) return b;
  if (!sheet.distress.empty() && sheet.distress != "left" && sheet.distress != "right")
    return bad("distress is 'left', 'right' or '', not " + quoted(sheet.distress));
  t.sent = sheet.distress == "left" ? 1 : sheet.distress == "right" ? 2 : 0;
  if (Breach b = read_secrets(rules, sheet.given, "given", t.given)) return b;
  if (Breach b = read_secrets(rules, sheet.drawn, "drawn", t.drawn)) return b;
  if (Breach b = read_cards(rules, sheet.turned, "turned", t.turned)) return b;
  if (Breach b = read_statements(rules, sheet, t)) return b;
  if (Breach b = read_replies(rules, sheet, t)) return b;
  if (Breach b = read_line(rules, sheet, t)) return b;
  t.spoke = sheet.spoke;
  if (!sheet.offer.empty()) {
    const auto words = words_of(sheet.offer);
    const int to = words.size() == 2 ? digit_from(words[1], rules.seats - 1) : -1;
    const int card = words.size() == 2 ? card_from(words[0]) : -1;
    if (to < 0 || (card < 0 && words[0] != "-"))
      return bad(quoted(sheet.offer) + " is no offer; they look like 'B4 2'");
    if (card >= 0) t.offered = static_cast<Card>(card);
    t.offered_to = static_cast<std::uint8_t>(to);
  }
  return {};
}

}  // namespace kibitz::thecrew::detail
