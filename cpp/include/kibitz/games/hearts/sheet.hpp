// Hearts positions as plain fields: the form of setups, of JSON, and of a start. Cards are texts
// with spaces between: "2C 5D QS".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kibitz/core/fields.hpp>
#include <kibitz/games/hearts/state.hpp>

namespace kibitz::hearts {

inline constexpr std::array<const char*, 7> phase_names = {"direction", "deal", "pass", "get",
                                                           "first",     "play", "over"};
inline constexpr std::array<const char*, 5> way_names = {"none", "left", "across", "right", ""};

// What State and View share.
struct TableSheet {
  std::string direction = "none";
  std::vector<std::string> passed;
  std::string phase;
  std::optional<int> count;
  std::optional<int> first;
  std::optional<int> to_move;
  std::vector<std::string> tricks;

  template <class V>
  void fields(V&& v) {
    v("direction", direction,
      "cards are passed left, across, right or (none) not; empty: not drawn");
    v("passed", passed, "cards that each seat has passed, x where not seen");
    v("phase", phase, "direction, deal, pass, get, first, play or over");
    v("count", count,
      "steps done in this phase: cards dealt or passed, seats served, cards played");
    v("first", first, "seat that leads the first trick; null before it is known");
    v("to_move", to_move, "seat to decide; null when chance is at work or the deal is over");
    v("tricks", tricks, "cards of each trick in the order played, the last may be under way");
  }
};

struct StateSheet : TableSheet {
  std::vector<std::string> hands;

  template <class V>
  void fields(V&& v) {
    v("hands", hands, "cards held by each seat");
    TableSheet::fields(v);
  }
};

struct ViewSheet : TableSheet {
  std::string hand;

  template <class V>
  void fields(V&& v) {
    v("hand", hand, "own cards");
    TableSheet::fields(v);
  }
};

namespace detail {

inline std::string line_text(const Card* cards, int count) {
  std::string out;
  for (int i = 0; i < count && cards[i] != no_card; ++i)
    out += (i ? " " : "") + card_text(cards[i]);
  return out;
}

inline void write_table(const Table& table, TableSheet& sheet) {
  sheet.direction = way_names[at(static_cast<int>(table.way))];
  for (int s = 0; s < seats; ++s) sheet.passed.push_back(line_text(&table.passed[at(3 * s)], 3));
  sheet.phase = phase_names[at(static_cast<int>(table.phase))];
  sheet.count = table.count;
  if (table.first != nobody) sheet.first = table.first;
  if (is_decision(table.phase)) sheet.to_move = table.to_move;
  for (int i = 0; i < 52 && table.line[at(i)] != no_card; i += 4)
    sheet.tricks.push_back(line_text(&table.line[at(i)], 4));
}

}  // namespace detail

inline StateSheet sheet_of(const State& state) {
  StateSheet sheet;
  for (const Cards hand : state.hand) sheet.hands.push_back(cards_text(hand));
  detail::write_table(state.table, sheet);
  return sheet;
}

inline ViewSheet sheet_of(const View& view) {
  ViewSheet sheet;
  sheet.hand = cards_text(view.hand);
  detail::write_table(view.table, sheet);
  return sheet;
}

}  // namespace kibitz::hearts
