// Positions of Leduc poker as plain fields, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/leduc_poker/table.hpp>

namespace kibitz::leduc_poker {

// A position as plain fields; one sheet serves State and View.
struct Sheet {
  std::vector<std::string> hands{"-", "-"};
  std::string common = "-";
  std::vector<std::string> rounds{"", ""};
  bool shown = false;

  template <class V>
  void fields(V&& v) {
    v("hands", hands, "card by seat, such as K1; x where not seen, - where none is dealt yet");
    v("public", common, "the public card, - in the first round");
    v("rounds", rounds, "decisions of each round, f for fold, c for call, r for raise");
    v("shown", shown, "whether the cards have been shown");
  }
};

inline std::string card_text(unsigned card) {
  if (card == none) return "-";
  if (card > cards) return "x";
  return {"JQK"[rank_of(card)], card & 1 ? '1' : '2'};
}

inline std::uint8_t card_of(std::string_view text) {
  for (std::uint8_t card = none; card <= cards; ++card)
    if (card_text(card) == text) return card;
  return unknown;
}

inline std::string line_text(unsigned line) {
  std::string out;
  for (; line; line >>= 2) out.insert(out.begin(), "-fcr"[line & 3]);
  return out;
}

inline Sheet sheet_of(const State& table) {
  return {{card_text(table.card[0]), card_text(table.card[1])},
          card_text(table.common),
          {line_text(table.line[0]), line_text(table.line[1])},
          table.shown != 0};
}

// The table of a sheet as `seat` may know it, or as it is (2).
inline Breach read_table(const Sheet& sheet, Seat seat, State& out) {
  const auto bad = [](const char* why) { return Breach{"leduc_poker: position", why}; };
  State at{};
  if (sheet.hands.size() != 2 || sheet.rounds.size() != 2)
    return bad("'hands' has two texts, one a seat, and 'rounds' two, one a round");
  for (std::size_t s = 0; s < 2; ++s) {
    const std::string& text = sheet.hands[s];
    at.card[s] = card_of(text);
    if (at.card[s] == unknown && text != "x")
      return bad("a card is J, Q or K and suit 1 or 2, x where not seen, - where there is none");
    const bool hides = seat < 2 && s != seat && !sheet.shown;
    if (text != "-" && (text == "x") != hides)
      return bad(hides ? "this seat may know no more than 'x' of the other seat's card"
                       : "here the card itself is known, not 'x'");
  }
  if (at.card[0] == none && at.card[1] != none) return bad("seat 0 is dealt its card first");
  at.common = card_of(sheet.common);
  if (at.common == unknown) return bad("'public' is a card such as Q2, or -");
  if (at.card[0] == at.card[1] && at.card[0] != none) return bad("one card is in two places");
  if (at.common != none && (at.common == at.card[0] || at.common == at.card[1]))
    return bad("one card is in two places");
  for (std::size_t r = 0; r < 2; ++r) {
    for (const char c : sheet.rounds[r]) {
      const unsigned code = c == 'f' ? 1 : c == 'c' ? 2 : c == 'r' ? 3 : 0;
      if (code == 0 || betting_table[at.line[r]].end != Betting::open)
        return bad("a round is a text of f, c and r that nothing follows after its end");
      at.line[r] = static_cast<std::uint8_t>(at.line[r] << 2 | code);
    }
    if (betting_table[at.line[r]].end == Betting::impossible)
      return bad("a fold answers a raise, and a round has at most two raises");
  }
  if (!dealt(at) && (at.line[0] || at.common != none))
    return bad("nothing is played or turned up before both cards are dealt");
  if (at.common != none && betting_table[at.line[0]].end != Betting::called)
    return bad("the public card is turned up when the first round has ended without a fold");
  if (at.line[1] && at.common == none)
    return bad("the second round begins after the public card is turned up");
  if (sheet.shown && !(is_settled(at) && betting(at).end == Betting::called))
    return bad("cards are shown when the second round has ended without a fold");
  at.shown = sheet.shown;
  out = at;
  return {};
}

}  // namespace kibitz::leduc_poker
