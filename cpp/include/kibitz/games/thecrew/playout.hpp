// A whole mission of uniform play in one loop: what pick, roll and play do one after the other,
// with the phase known from where the loop stands instead of looked up twice a ply. Same functions,
// same random numbers, same end (cpp/tests/thecrew_playout.cpp compares them).
#pragma once

#include <kibitz/core/rng.hpp>
#include <kibitz/games/thecrew/chance.hpp>
#include <kibitz/games/thecrew/choices.hpp>
#include <kibitz/games/thecrew/play.hpp>

namespace kibitz::thecrew {

namespace detail {

// Values of a colour's cards by their nine bits, a nibble each, lowest first.
inline constexpr std::array<std::uint64_t, 512> suit_order = [] {
  std::array<std::uint64_t, 512> table{};
  for (unsigned set = 0; set < 512; ++set) {
    int n = 0;
    for (unsigned b = 0; b < 9; ++b)
      if (set >> b & 1) table[set] |= std::uint64_t{b} << (4 * n++);
  }
  return table;
}();

// The rest of the trick under way, by hands of people: nothing to look up but the hand and the
// suit.
inline int finish_trick(const Rules& rules, State& state, Rng& rng) {
  Table& table = state.table;
  Card* line = &table.line[at(table.trick * rules.seats)];
  const int before = table.laid;
  int seat = table.actor;
  Cards trick = 0;
  for (int i = 0; i < before; ++i) trick |= bit(line[i]);
  int i = before;
  const auto lay = [&](Cards& hand, int card) {
    const Cards one = bit(card);
    hand ^= one;
    trick |= one;
    line[i] = static_cast<Card>(card);
    seat = seat + 1 == rules.seats ? 0 : seat + 1;
  };
  if (i == 0) {
    Cards& hand = state.hand[at(seat)];
    lay(hand, pick_card(hand, rng));
    ++i;
  }
  const int suit = suit_of(line[0]);
  const Cards led = suit_cards[at(suit)];
  for (; i < rules.seats; ++i) {
    Cards& hand = state.hand[at(seat)];
    if (const Cards same = hand & led) {
      const std::uint32_t n = rng.below(static_cast<std::uint32_t>(std::popcount(same)));
      lay(hand, 9 * suit + static_cast<int>(suit_order[same >> (9 * suit)] >> (4 * n) & 15));
    } else {
      lay(hand, pick_card(hand, rng));
    }
  }
  table.played |= trick;
  end_trick(rules, table, line, trick);
  return rules.seats - before;
}

inline int finish_radio(const Rules& rules, State& state, Rng& rng) {
  int plies = 0;
  for (; state.table.phase == Phase::radio; ++plies)
    speak(rules, state.table, pick_radio(rules, state.hand[state.table.actor], rng));
  return plies;
}

}  // namespace detail

// Precondition: the mission is not over. Returns the number of decisions.
inline int play_mission(const Rules& rules, State& state, Rng& stream) {
  Rng rng = stream;  // kept in registers
  Table& table = state.table;
  int plies = 0;
  while (table.phase != Phase::over) {
    if (table.phase == Phase::play && !rules.jarvis) [[likely]] {
      plies += detail::finish_trick(rules, state, rng);
    } else if (table.phase == Phase::radio) {
      plies += detail::finish_radio(rules, state, rng);
    } else if (is_decision(table.phase)) {
      play_move(rules, state, pick_move(rules, table, state.hand[table.actor], rng));
      ++plies;
    } else {
      play_move(rules, state, roll_outcome(rules, state, rng));
    }
  }
  stream = rng;
  return plies;
}

}  // namespace kibitz::thecrew
