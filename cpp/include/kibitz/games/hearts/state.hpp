// The values of Hearts: Rules, Table, State, View, and the bits of a move.
#pragma once

#include <type_traits>

#include <kibitz/core/types.hpp>
#include <kibitz/games/hearts/cards.hpp>

namespace kibitz::hearts {

inline constexpr int seats = 4;
inline constexpr Seat nobody = 0xff;

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr Seat seat_after(int seat, int places = 1) {
  return static_cast<Seat>((seat + places) & 3);
}

struct Rules {
  bool pass_cards = true;
  bool first_trick_free = false;  // points may be discarded on it
  bool any_club = false;          // may be led first, not the two alone
  bool jack_bonus = false;
  bool no_trick_bonus = false;
  bool hearts_for_queen = false;  // may be led unbroken where only the queen is left beside them
  Cards breakers = point_cards;   // break hearts when played; all cards if they need no breaking
};

enum class Phase : std::uint8_t { direction, deal, pass, get, first, play, over };

// How many places to the left cards are passed.
enum class Way : std::uint8_t { none, left, across, right, undrawn };

// What lies on the table for everybody, and what was passed: of that a view has blanks.
struct Table {
  std::array<Cards, seats> taken;  // cards in the tricks that a seat has won
  std::array<Card, 52> line;       // cards in the order played, then no_card
  std::array<Card, 12> passed;     // three a giver, ascending, then no_card; hidden: not known
  Phase phase;
  Way way;
  std::uint8_t
      count;     // steps done in this phase: cards dealt or passed, seats served, cards played
  Seat first;    // led the first trick; nobody before
  Seat leader;   // of the trick under way; the last winner once over
  Seat to_move;  // decides, or is dealt to or served next; 0 in the other phases of chance
  std::uint8_t broken;  // 1: hearts may be led
  Seat seat;            // of a view; nobody in a State
  friend bool operator==(const Table&, const Table&) = default;
};

// The whole truth.
struct State {
  Table table;
  std::array<Cards, seats> hand;  // cards passed on are in no hand until they are received
  friend bool operator==(const State&, const State&) = default;
};

// What one seat may know.
struct View {
  Cards hand;
  Table table;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(Table) == 104 && sizeof(State) == 136 && sizeof(View) == 112);
static_assert(std::is_trivially_copyable_v<State> && std::is_trivially_copyable_v<View>);
static_assert(std::has_unique_object_representations_v<State>);  // bytes are compared
static_assert(std::has_unique_object_representations_v<View>);

constexpr bool is_decision(Phase phase) { return phase == Phase::pass || phase == Phase::play; }

constexpr Turn turn_of(const Table& table) {
  if (table.phase == Phase::over) return Turn::over();
  return is_decision(table.phase) ? Turn::of(table.to_move) : Turn::chance();
}

constexpr Seat receiver_of(const Table& table, int giver) {
  return seat_after(giver, static_cast<int>(table.way));
}
constexpr Seat giver_to(const Table& table, int receiver) {
  return seat_after(receiver, 4 - static_cast<int>(table.way));
}

// The cards known to have been passed by a seat.
constexpr Cards passed_by(const Table& table, int giver) {
  Cards cards = 0;
  for (std::size_t i = 3 * at(giver); i < 3 * at(giver) + 3; ++i)
    if (table.passed[i] < hidden) cards |= bit(table.passed[i]);
  return cards;
}

// ---- moves -------------------------------------------------------------------
//
//     bit 31  28 27   18 17    12 11     6 5      0
//     | kind   | 0     | card 3 | card 2 | card 1 |     `get` has three cards, ascending
//     | kind   | 0                       | value  |     a card, a seat, or a Way
//
// A card is 63 where it is masked.
enum class Kind : std::uint8_t { none, way, deal, pass, get, first, play };

constexpr Move make(Kind kind, unsigned payload) {
  return {static_cast<std::uint32_t>(kind) << 28 | payload};
}
constexpr Move play_card(int card) { return make(Kind::play, static_cast<unsigned>(card)); }
constexpr Move pass_card(int card) { return make(Kind::pass, static_cast<unsigned>(card)); }
constexpr Kind kind_of(Move move) { return static_cast<Kind>(move.code >> 28); }
constexpr unsigned payload_of(Move move) { return move.code & 0x0fffffff; }
constexpr int card_of(Move move) { return static_cast<int>(move.code & 63); }  // the first one

inline constexpr Move hidden_get = make(Kind::get, 0x3ffff);
constexpr Move get_of(Cards three) {
  unsigned payload = 0;
  for (unsigned i = 0; i < 3; ++i, three &= three - 1)
    payload |= static_cast<unsigned>(lowest(three)) << (6 * i);
  return make(Kind::get, payload);
}
// The cards of a `get`, or none if it has not three different ones.
constexpr Cards cards_of(Move get) {
  Cards cards = 0;
  for (int i = 0; i < 3; ++i) {
    const int card = static_cast<int>(get.code >> (6 * i) & 63);
    if (is_card(card)) cards |= bit(card);
  }
  return std::popcount(cards) == 3 && get_of(cards) == get ? cards : 0;
}

}  // namespace kibitz::hearts
