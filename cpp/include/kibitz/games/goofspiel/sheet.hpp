// Positions of Goofspiel as plain fields, and back: what a sheet tells is played again.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/goofspiel/table.hpp>

namespace kibitz::goofspiel {

// A position as plain fields; one sheet serves State and View.
struct Sheet {
  std::string prizes;
  std::vector<std::string> bids;

  template <class V>
  void fields(V&& v) {
    v("prizes", prizes, "prizes turned up, in order: '7 12 1'");
    v("bids", bids,
      "by seat, its bids in order: '5 .13'; a dot before one that lies face-down, x where not "
      "seen; an empty list: no bids yet");
  }
};

inline std::string card_text(unsigned card) {
  return card == none || card > most_cards ? "x" : std::to_string(card);
}

// 0 where the text is no card.
inline std::uint8_t card_of(std::string_view text) {
  if (text == "x") return unknown;
  for (std::uint8_t card = 1; card <= most_cards; ++card)
    if (card_text(card) == text) return card;
  return none;
}

inline Sheet sheet_of(const Rules& rules, const State& table) {
  Sheet sheet;
  const auto add = [](std::string& text, std::string_view dot, unsigned card) {
    text += (text.empty() ? "" : " ") + std::string(dot) + card_text(card);
  };
  for (unsigned r = 0; r < rules.cards && entry(table.prizes, r); ++r)
    add(sheet.prizes, "", entry(table.prizes, r));
  sheet.bids.resize(rules.players);
  for (std::size_t s = 0; s < rules.players; ++s)
    for (unsigned r = 0; r < rules.cards && entry(table.bids[s], r); ++r)
      add(sheet.bids[s], r < table.round ? "" : ".", entry(table.bids[s], r));
  return sheet;
}

// Cards of a text as a line; those with a dot at the end apart. False where it is none.
inline bool read_line(std::string_view text, std::vector<std::uint8_t>& open, std::uint8_t& down) {
  down = none;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    if (text.size() == 1) return false;  // ends with a blank
    if (!text.empty()) text.remove_prefix(1);
    const bool dot = word.starts_with('.');
    if (dot) word.remove_prefix(1);
    const std::uint8_t card = card_of(word);
    if (card == none || (dot && !text.empty()) || (!dot && card == unknown)) return false;
    if (dot)
      down = card;
    else
      open.push_back(card);
    if (open.size() > most_cards) return false;
  }
  return true;
}

// The table of a sheet as `seat` may know it, or as it is (max_seats): what it tells is played
// again.
inline Breach read_table(const Rules& rules, const Sheet& sheet, Seat seat, State& out) {
  const auto bad = [](const std::string& why) { return Breach{"goofspiel: position", why}; };
  std::vector<std::uint8_t> prizes;
  std::array<std::vector<std::uint8_t>, most_players> bids;
  std::array<std::uint8_t, most_players> down{};
  if (!read_line(sheet.prizes, prizes, down[0]) || down[0])
    return bad("'prizes' is a text of cards with a blank between two, such as '7 12 1'");
  if (!sheet.bids.empty() && sheet.bids.size() != rules.players)
    return bad("'bids' has one text a seat");
  for (std::size_t s = 0; s < sheet.bids.size(); ++s)
    if (!read_line(sheet.bids[s], bids[s], down[s]))
      return bad("bids are texts of cards, such as '5 2 .13', with a dot before the last if it " +
                 std::string("lies face-down, and x for it where it is not seen"));
  State at = blank_state(rules);
  for (std::size_t r = 0; r < prizes.size(); ++r) {
    if (!(next_prizes(rules, at) & bit(prizes[r])))
      return bad("prize " + card_text(prizes[r]) + " cannot come as number " +
                 std::to_string(r + 1));
    turn_up(at, prizes[r]);
    if (r + 1 == prizes.size() && bids[0].size() == r) break;
    for (std::size_t s = 0; s < rules.players; ++s) {
      if (bids[s].size() <= r) return bad("in a round whose bids are shown every seat has bid");
      if (!(at.hand[s] & bit(bids[s][r])))
        return bad("seat " + std::to_string(s) + " cannot bid " + card_text(bids[s][r]) +
                   " in round " + std::to_string(r + 1));
      lay(at, bids[s][r]);
    }
    show_bids(rules, at);
  }
  for (std::size_t s = 0; s < rules.players; ++s) {
    if (bids[s].size() != at.round) return bad("there is one shown bid of every seat for a prize");
    if (down[s] == none) continue;
    if (at.round == prizes.size()) return bad("a bid lies face-down before its prize is turned up");
    if (at.bidders != s) return bad("seats bid in the order of their numbers");
    const bool hides = seat < max_seats && s != seat;
    if (hides != (down[s] == unknown))
      return bad(hides ? "this seat may know no more than '.x' of another's bid that lies face-down"
                       : "here the bid that lies face-down is known, not '.x'");
    if (!hides && !(at.hand[s] & bit(down[s])))
      return bad("seat " + std::to_string(s) + " does not hold the card that it bids");
    lay(at, down[s]);
  }
  out = at;
  return {};
}

}  // namespace kibitz::goofspiel
