// State and View of Leduc poker, the bits of a move, what a decision or an outcome does, chips.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <kibitz/core/game.hpp>
#include <kibitz/games/leduc_poker/betting.hpp>

namespace kibitz::leduc_poker {

// Cards are 1 to 6: J1 J2 Q1 Q2 K1 K2.
inline constexpr std::uint8_t none = 0;
inline constexpr std::uint8_t unknown = 15;
inline constexpr std::uint8_t cards = 6;
constexpr int rank_of(unsigned card) { return (static_cast<int>(card) - 1) / 2; }  // J 0, Q 1, K 2

struct Rules {};

// The whole truth.
struct State {
  std::array<std::uint8_t, 2> card;  // by seat, none until it is dealt
  std::uint8_t common;               // the public card, none in the first round
  std::array<std::uint8_t, 2> line;  // of betting, by round
  std::uint8_t shown;                // 1 when the cards have been shown
  friend bool operator==(const State&, const State&) = default;
};

// The same table with `unknown` for the other seat's card.
struct View : State {
  Seat seat;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(State) == 6 && sizeof(View) == 7);

// Outcomes, beside the decisions of betting.hpp: 0x010 | card, a card is dealt (15 where it is
// masked); 0x020 | card, the public card; 0x100 | card of seat 0 << 4 | card of seat 1, a show.
constexpr Move deal_of(unsigned card) { return {0x10 | card}; }
constexpr Move public_of(unsigned card) { return {0x20 | card}; }
constexpr Move show_of(unsigned a, unsigned b) { return {0x100 | a << 4 | b}; }
constexpr bool is_deal(Move move) { return move.code >> 4 == 1; }
constexpr bool is_public(Move move) { return move.code >> 4 == 2; }
constexpr bool is_show(Move move) { return move.code >> 8 == 1; }
constexpr std::uint8_t low(Move move) { return move.code & 15; }
constexpr std::uint8_t high(Move move) { return move.code >> 4 & 15; }

constexpr std::size_t round_of(const State& table) { return table.common != none; }
constexpr const Betting& betting(const State& table) {
  return betting_table[table.line[round_of(table)]];
}
constexpr bool dealt(const State& table) { return table.card[1] != none; }
constexpr Seat dealt_next(const State& table) { return table.card[0] != none; }

constexpr Turn turn_of(const State& table) {
  if (!dealt(table)) return Turn::chance();
  const Betting& now = betting(table);
  if (now.end == Betting::open) return Turn::of(now.mover());
  return now.end == Betting::folded || table.shown ? Turn::over() : Turn::chance();
}

// The last round has ended: only the cards may still have to be shown.
constexpr bool is_settled(const State& table) {
  const Betting& now = betting(table);
  return now.end == Betting::folded || (now.end == Betting::called && table.common != none);
}

// A listed decision or outcome, for a view also a masked one.
constexpr void play_on(State& table, Move move) {
  if (is_deal(move)) {
    table.card[dealt_next(table)] = low(move);
  } else if (is_public(move)) {
    table.common = low(move);
  } else if (is_show(move)) {
    table.card = {high(move), low(move)};
    table.shown = 1;
  } else {
    std::uint8_t& line = table.line[round_of(table)];
    line = static_cast<std::uint8_t>(line << 2 | move.code);
  }
}

// Chips in the pot, by seat. Who has raised last is ahead of the other until that is answered.
constexpr std::array<int, 2> paid(const State& table) {
  std::array<int, 2> chips = {1, 1};
  for (std::size_t r = 0; r < 2; ++r) {
    const Betting& now = betting_table[table.line[r]];
    for (int& c : chips) c += raise_size[r] * now.raises;
    if (now.raises == 0 || now.end == Betting::called) continue;
    const std::size_t behind = now.mover() ^ (now.end == Betting::folded);
    chips[behind] -= raise_size[r];
  }
  return chips;
}

// Higher wins: a pair beats any rank.
constexpr int strength(unsigned card, unsigned common) {
  return rank_of(card) + (rank_of(card) == rank_of(common) ? 3 : 0);
}

// Chips that seat 0 wins. Precondition: is_settled and, unless folded, cards are known.
constexpr int won_by_first(const State& table) {
  const std::array<int, 2> chips = paid(table);
  const Betting& now = betting(table);
  if (now.end == Betting::folded) return now.mover() == 0 ? chips[1] : -chips[0];
  const int a = strength(table.card[0], table.common);
  const int b = strength(table.card[1], table.common);
  return a == b ? 0 : a > b ? chips[1] : -chips[0];
}

// Cards that no place holds, as a set of bits; only they can be dealt or turned up.
constexpr std::uint32_t pack(const State& table) {
  return 0b1111110u & ~(1u << table.card[0]) & ~(1u << table.card[1]) & ~(1u << table.common);
}
inline std::uint8_t draw_card(std::uint32_t set, Rng& rng) {
  std::uint32_t n = rng.below(static_cast<std::uint32_t>(std::popcount(set)));
  for (; n; --n) set &= set - 1;
  return static_cast<std::uint8_t>(std::countr_zero(set));
}

// Who is dealt a card sees it, the other seat does not. All else is public.
constexpr Move masked(const State& table, Move move, Seat seat) {
  const bool hides = is_deal(move) && !dealt(table) && dealt_next(table) != seat;
  return hides ? deal_of(unknown) : move;
}

// Uniform worlds: the other seat holds any of the cards that this seat does not see.
class Sampler {
 public:
  Sampler(const Rules&, const View& view) : table_(view), other_(1 - view.seat) {}
  void draw(State& world, Rng& rng) const {
    world = table_;
    if (world.card[other_] == unknown) world.card[other_] = draw_card(pack(table_), rng);
  }

 private:
  State table_;
  std::size_t other_;
};

}  // namespace kibitz::leduc_poker
