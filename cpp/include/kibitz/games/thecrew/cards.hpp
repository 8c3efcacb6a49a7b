// The Crew's cards: a set of them is one word.
//
//     bit 63   40 39   36 35   27 26   18 17    9 8     0
//     | unused   | R 1-4 | Y 1-9 | P 1-9 | G 1-9 | B 1-9 |
//
// A rocket has a higher index than any colour card, so the highest set bit among the suit led and
// the rockets is the winner of a trick.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace kibitz::thecrew {

using Cards = std::uint64_t;
using Card = std::uint8_t;  // index of a bit

inline constexpr Card no_card = 0xff;  // no card
inline constexpr Card hidden = 0xfe;   // a card that this view does not know
inline constexpr std::uint8_t nobody = 0xff;

inline constexpr int suits = 5;
inline constexpr int rocket_suit = 4;
inline constexpr int deck_size = 40;
inline constexpr Card r4 = 39;
inline constexpr std::string_view suit_letters = "BGPYR";

inline constexpr std::array<Cards, suits> suit_cards = {
    Cards{0x1ff}, Cards{0x1ff} << 9, Cards{0x1ff} << 18, Cards{0x1ff} << 27, Cards{0xf} << 36};
inline constexpr Cards rockets = suit_cards[rocket_suit];
inline constexpr Cards colours = (Cards{1} << 36) - 1;
inline constexpr Cards all_cards = (Cards{1} << deck_size) - 1;
// The lowest and the highest card of each colour.
inline constexpr Cards colour_ones = Cards{1} | Cards{1} << 9 | Cards{1} << 18 | Cards{1} << 27;
inline constexpr Cards colour_nines = colour_ones << 8;

constexpr Cards bit(int card) { return Cards{1} << card; }
constexpr bool is_card(int card) { return card >= 0 && card < deck_size; }

inline constexpr std::array<std::uint8_t, deck_size> suit_table = [] {
  std::array<std::uint8_t, deck_size> table{};
  for (int c = 0; c < deck_size; ++c)
    table[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(c / 9);
  return table;
}();
constexpr int suit_of(int card) { return suit_table[static_cast<std::size_t>(card)]; }
constexpr int value_of(int card) { return card - 9 * suit_of(card) + 1; }

// By card: its suit; also the cards of its suit above and below it.
inline constexpr std::array<Cards, deck_size> same_suit_table = [] {
  std::array<Cards, deck_size> table{};
  for (int c = 0; c < deck_size; ++c)
    table[static_cast<std::size_t>(c)] = suit_cards[static_cast<std::size_t>(suit_of(c))];
  return table;
}();
constexpr Cards same_suit(int card) { return same_suit_table[static_cast<std::size_t>(card)]; }
constexpr Cards above(int card) { return same_suit(card) & ~(bit(card) | (bit(card) - 1)); }
constexpr Cards below(int card) { return same_suit(card) & (bit(card) - 1); }

// Follow suit if you can (rockets are a suit of their own, R2); a void hand plays anything (R3).
constexpr Cards playable(Cards hand, Cards led) {
  const Cards same = hand & led;
  return same ? same : hand;
}

// The lowest and the highest card of each colour in a hand: smeared within the nine bits of a
// colour, then the edge of the smear. No rocket is among them.
struct Ends {
  Cards low, high;
};
constexpr Ends ends_of(Cards hand) {
  constexpr Cards row = colour_ones;
  constexpr Cards from1 = colours & ~row, from2 = from1 & ~(row << 1),
                  from4 = from2 & ~(row << 2 | row << 3);
  constexpr Cards to1 = colours & ~(row << 8), to2 = to1 & ~(row << 7),
                  to4 = to2 & ~(row << 6 | row << 5);
  const Cards held = hand & colours;
  Cards up = held;  // every card at or above one that is held
  up |= up << 1 & from1;
  up |= up << 2 & from2;
  up |= up << 4 & from4;
  up |= up << 1 & from1;  // 1 + 2 + 4 + 1 = 8 steps cover nine values
  Cards down = held;
  down |= down >> 1 & to1;
  down |= down >> 2 & to2;
  down |= down >> 4 & to4;
  down |= down >> 1 & to1;
  return {up & ~(up << 1 & from1), down & ~(down >> 1 & to1)};
}

inline std::string card_text(int card) {
  if (!is_card(card)) return "x";
  return {suit_letters[static_cast<std::size_t>(suit_of(card))],
          static_cast<char>('0' + value_of(card))};
}

// Index of a card's text, or -1.
constexpr int card_from(std::string_view text) {
  if (text.size() != 2) return -1;
  const std::size_t suit = suit_letters.find(text[0]);
  const int value = text[1] - '0';
  if (suit == std::string_view::npos || value < 1 || value > (suit == rocket_suit ? 4 : 9))
    return -1;
  return static_cast<int>(suit) * 9 + value - 1;
}

inline std::string cards_text(Cards cards, const char* between = " ") {
  std::string out;
  for (; cards; cards &= cards - 1)
    out += (out.empty() ? "" : between) + card_text(std::countr_zero(cards));
  return out;
}

}  // namespace kibitz::thecrew
