// Hearts' cards: a set of them is one word, a quarter of it a suit. Aces are high.
//
//     bit 63  61 60   48 47  45 44   32 31  29 28   16 15  13 12    0
//     | unused  | H A-2 | unused | S A-2 | unused | D A-2 | unused | C A-2 |
//
// Hearts come last: a hand without them, from which is led until they are broken, is its first
// cards.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace kibitz::hearts {

using Cards = std::uint64_t;
using Card = std::uint8_t;  // index of a bit

inline constexpr Card hidden = 63;     // a card that this view does not know
inline constexpr Card no_card = 0xff;  // no card there

inline constexpr std::string_view suit_letters = "CDSH";
inline constexpr std::string_view rank_letters = "23456789TJQKA";

constexpr Cards bit(int card) { return Cards{1} << card; }
constexpr Card card_of(int suit, int rank) { return static_cast<Card>(suit << 4 | rank); }
constexpr int suit_of(int card) { return card >> 4; }
constexpr int rank_of(int card) { return card & 15; }
constexpr bool is_card(int card) { return card >= 0 && card < 64 && rank_of(card) < 13; }

constexpr Cards suit_cards(int suit) { return Cards{0x1fff} << (16 * suit); }
// The quarter that a card is in.
constexpr Cards same_suit(int card) { return Cards{0xffff} << (card & 0x30); }

inline constexpr Cards clubs = suit_cards(0);
inline constexpr Cards diamonds = suit_cards(1);
inline constexpr Cards spades = suit_cards(2);
inline constexpr Cards hearts = suit_cards(3);
inline constexpr Cards pack = clubs | diamonds | spades | hearts;
inline constexpr Card two_of_clubs = card_of(0, 0);
inline constexpr Card jack_of_diamonds = card_of(1, 9);
inline constexpr Card queen_of_spades = card_of(2, 10);
inline constexpr Cards queen = bit(queen_of_spades);
inline constexpr Cards point_cards = hearts | queen;

constexpr int lowest(Cards cards) { return std::countr_zero(cards); }
constexpr int highest(Cards cards) { return 63 - std::countl_zero(cards); }

constexpr int points_of(Cards cards) {
  return std::popcount(cards & hearts) + (cards & queen ? 13 : 0);
}

inline std::string card_text(int card) {
  if (!is_card(card)) return "x";
  return {rank_letters[static_cast<std::size_t>(rank_of(card))],
          suit_letters[static_cast<std::size_t>(suit_of(card))]};
}

// Index of a card's text, or -1.
constexpr int card_from(std::string_view text) {
  if (text.size() != 2) return -1;
  const std::size_t rank = rank_letters.find(text[0]);
  const std::size_t suit = suit_letters.find(text[1]);
  if (rank == std::string_view::npos || suit == std::string_view::npos) return -1;
  return card_of(static_cast<int>(suit), static_cast<int>(rank));
}

inline std::string cards_text(Cards cards, const char* between = " ") {
  std::string out;
  for (; cards; cards &= cards - 1) out += (out.empty() ? "" : between) + card_text(lowest(cards));
  return out;
}

}  // namespace kibitz::hearts
