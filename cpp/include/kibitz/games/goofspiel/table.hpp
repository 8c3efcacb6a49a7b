// Rules, State and View of Goofspiel, the bits of a move, and what a bid or an outcome does.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <kibitz/core/counts.hpp>
#include <kibitz/core/game.hpp>

namespace kibitz::goofspiel {

inline constexpr int most_players = 6;
inline constexpr int most_cards = 13;
inline constexpr std::uint8_t none = 0;
inline constexpr std::uint8_t unknown = 15;  // in a view: a bid that this seat has not seen

enum class Order : std::uint8_t { random, ascending, descending };

struct Rules {
  std::uint8_t players = 2;
  std::uint8_t cards = most_cards;
  Order order = Order::random;
};

// The whole truth, with all that was played. A line is a nibble a round, the first round lowest.
struct State {
  std::uint64_t prizes;                          // line of the prizes turned up
  std::array<std::uint64_t, most_players> bids;  // line by seat
  std::array<std::uint16_t, most_players> hand;  // bit a card; a bid leaves it when it is shown
  std::uint16_t left;                            // prizes not yet turned up, bit a card
  std::array<std::uint8_t, max_seats> points;    // by seat
  std::uint8_t round;                            // rounds that are over
  std::uint8_t bidders;  // seats that have bid in this round: the first so many
  friend bool operator==(const State&, const State&) = default;
};

// The same table with `unknown` for the bids of other seats that are not shown yet.
struct View : State {
  Seat seat;
  std::array<std::uint8_t, 7> unused;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(State) == 80 && sizeof(View) == 88);

// Moves.
//     bits 28-31  1 bid, 2 prize, 3 bids
//     bits 0-3    bid, prize: the card (15: a bid not seen)
//     bits 0-23   bids: a nibble a seat
enum class Kind : std::uint32_t { bid = 1, prize, bids };
constexpr Kind kind_of(Move move) { return static_cast<Kind>(move.code >> 28); }
constexpr Move make(Kind kind, std::uint32_t payload) {
  return {static_cast<std::uint32_t>(kind) << 28 | payload};
}
constexpr Move bid_of(unsigned card) { return make(Kind::bid, card); }
constexpr Move prize_of(unsigned card) { return make(Kind::prize, card); }
constexpr std::uint8_t low(Move move) { return move.code & 15; }

constexpr std::uint8_t entry(std::uint64_t line, unsigned round) {
  return static_cast<std::uint8_t>(line >> (4 * round) & 15);
}
constexpr void enter(std::uint64_t& line, unsigned round, unsigned card) {
  line = (line & ~(std::uint64_t{15} << (4 * round))) | std::uint64_t{card} << (4 * round);
}
constexpr std::uint8_t prize_now(const State& table) { return entry(table.prizes, table.round); }
constexpr std::uint16_t bit(unsigned card) { return static_cast<std::uint16_t>(1u << card); }

constexpr Turn turn_of(const Rules& rules, const State& table) {
  if (table.round == rules.cards) return Turn::over();
  if (prize_now(table) == none || table.bidders == rules.players) return Turn::chance();
  return Turn::of(table.bidders);
}

constexpr State blank_state(const Rules& rules) {
  State state{};
  state.left = static_cast<std::uint16_t>(bit(rules.cards + 1u) - 2);
  for (std::size_t s = 0; s < rules.players; ++s) state.hand[s] = state.left;
  return state;
}

constexpr void lay(State& table, unsigned card) {
  enter(table.bids[table.bidders++], table.round, card);
}

constexpr void turn_up(State& table, unsigned card) {
  enter(table.prizes, table.round, card);
  table.left = static_cast<std::uint16_t>(table.left & ~bit(card));
}

// All have bid: the highest card takes the prize if it is the only one.
constexpr void show_bids(const Rules& rules, State& table) {
  std::uint8_t best = 0, gained = 0;
  std::size_t winner = 0;
  for (std::size_t s = 0; s < rules.players; ++s) {
    const std::uint8_t card = entry(table.bids[s], table.round);
    table.hand[s] = static_cast<std::uint16_t>(table.hand[s] & ~bit(card));
    if (card == best) gained = 0;
    if (card > best) best = card, winner = s, gained = prize_now(table);
  }
  table.points[winner] = static_cast<std::uint8_t>(table.points[winner] + gained);
  ++table.round;
  table.bidders = 0;
}

// A listed decision or outcome, for a view also a masked one.
constexpr void play_on(const Rules& rules, State& table, Move move) {
  if (kind_of(move) == Kind::bid) return lay(table, low(move));
  if (kind_of(move) == Kind::prize) return turn_up(table, low(move));
  for (std::size_t s = 0; s < rules.players; ++s)
    enter(table.bids[s], table.round, move.code >> (4 * s) & 15);
  show_bids(rules, table);
}

// The prizes that may come next, bit a card.
constexpr std::uint16_t next_prizes(const Rules& rules, const State& table) {
  if (rules.order == Order::ascending) return table.left & static_cast<std::uint16_t>(-table.left);
  if (rules.order == Order::descending) return std::bit_floor(table.left);
  return table.left;
}

constexpr Move bids_of(const Rules& rules, const State& table) {
  std::uint32_t cards = 0;
  for (std::size_t s = 0; s < rules.players; ++s)
    cards |= static_cast<std::uint32_t>(entry(table.bids[s], table.round)) << (4 * s);
  return make(Kind::bids, cards);
}

// One card of a set, all equally likely. The set has up to 14 bits: a table looks up each byte.
constexpr std::uint8_t draw_card(std::uint16_t set, Rng& rng) {
  const std::uint32_t n = rng.below(static_cast<std::uint32_t>(std::popcount(set)));
  const auto low = static_cast<std::uint32_t>(std::popcount(set & 255u));
  const std::uint32_t up = n >= low;  // no branch: it would be as good as random
  return static_cast<std::uint8_t>(
      8 * up + static_cast<std::uint32_t>(nth_bit(set >> (8 * up) & 255u, n - (low & (0u - up)))));
}

constexpr Move masked(const State& table, Move move, Seat seat) {
  return kind_of(move) == Kind::bid && table.bidders != seat ? bid_of(unknown) : move;
}

// Uniform worlds: a bid not seen is any card that its seat has not shown.
class Sampler {
 public:
  Sampler(const Rules&, const View& view) : table_(view) {}
  void draw(State& world, Rng& rng) const {
    world = table_;
    for (std::size_t s = 0; s < world.bidders; ++s)
      if (entry(world.bids[s], world.round) == unknown)
        enter(world.bids[s], world.round, draw_card(world.hand[s], rng));
  }

 private:
  State table_;
};

}  // namespace kibitz::goofspiel
