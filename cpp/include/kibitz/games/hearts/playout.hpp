// A whole deal of uniform play in one loop: what pick, roll and play do one after the other, a
// trick at a time. Same functions, same random numbers, same end (cpp/tests/hearts_playout.cpp
// compares).
//
// No branch hangs on chance: whether a seat can follow is a choice between two sets, and the winner
// is the greatest of four numbers. So there is little to be mispredicted. And no bit is searched
// for: beside its set each hand is a row of cards in the same order, so the n-th card of a suit is
// the row's n-th from where that suit begins.
#pragma once

#include <cstring>

#include <kibitz/games/hearts/play.hpp>

namespace kibitz::hearts {

namespace detail {

// The cards of a hand in ascending order, with room to move sixteen bytes down by one.
struct Row {
  std::array<Card, 32> card{};

  explicit Row(Cards cards) {
    for (std::size_t i = 0; cards; cards &= cards - 1) card[i++] = static_cast<Card>(lowest(cards));
  }
  unsigned take(std::uint32_t i) {
    const unsigned taken = card[i];
    std::array<Card, 16> above;
    std::memcpy(above.data(), &card[i + 1], 16);
    std::memcpy(&card[i], above.data(), 16);
    return taken;
  }
};

// The tricks from one that is not begun to the end, the first trick left out.
inline int finish_tricks(const Rules& rules, State& state, Rng& stream) {
  Rng rng = stream;  // kept in registers
  Table& table = state.table;
  std::array<Row, seats> row = {Row(state.hand[0]), Row(state.hand[1]), Row(state.hand[2]),
                                Row(state.hand[3])};
  const int before = table.count;
  Cards seen = table.broken ? rules.breakers : 0;
  unsigned leader = table.leader;
  for (int count = before; count < 52; count += 4) {
    Cards cards = 0;
    // One of these cards of the hand, which stand side by side in its row.
    const auto lay = [&](unsigned seat, Cards from, unsigned place) {
      Cards& hand = state.hand[seat];
      const std::uint32_t n = rng.below(static_cast<std::uint32_t>(std::popcount(from)));
      const int skipped = std::popcount(hand & ((from & (0 - from)) - 1));
      const unsigned card = row[seat].take(n + static_cast<std::uint32_t>(skipped));
      hand ^= bit(static_cast<int>(card));
      cards |= bit(static_cast<int>(card));
      table.line[static_cast<std::size_t>(count) + place] = static_cast<Card>(card);
      return card;
    };
    const bool broken = (seen & rules.breakers) != 0;
    const unsigned first = lay(leader, leads(rules, broken, state.hand[leader]), 0);
    const Cards led = same_suit(static_cast<int>(first));
    const auto follow = [&](unsigned place) {
      const unsigned seat = (leader + place) & 3;
      const Cards same = state.hand[seat] & led;
      const unsigned card = lay(seat, same ? same : state.hand[seat], place);
      return bid_of(card, place, same != 0);
    };
    const unsigned one = follow(1), two = follow(2), three = follow(3);
    const unsigned best = larger(larger(bid_of(first, 0, true), one), larger(two, three));
    seen |= cards;
    leader = (leader + best) & 3;
    table.taken[leader] |= cards;
  }
  table.count = 52;
  table.broken = (seen & rules.breakers) != 0;
  table.leader = table.to_move = static_cast<Seat>(leader);
  table.phase = Phase::over;
  stream = rng;
  return 52 - before;
}

// The passes of the seats that have not begun with theirs, and what they bring.
inline int finish_passing(State& state, Rng& rng) {
  Table& table = state.table;
  const int before = table.count;
  for (int giver = before / 3; giver < seats; ++giver) {
    Cards& hand = state.hand[at(giver)];
    const Cards held = hand;
    for (int i = 0; i < 3; ++i) hand ^= bit(pick_card(hand, rng));
    Cards passed = held & ~hand;
    for (int i = 0; i < 3; ++i, passed &= passed - 1)
      table.passed[at(3 * giver + i)] = static_cast<Card>(lowest(passed));
  }
  for (int giver = 0; giver < seats; ++giver)
    state.hand[receiver_of(table, giver)] |= passed_by(table, giver);
  begin(table, Phase::first);
  return 12 - before;
}

}  // namespace detail

// Precondition: the deal is not over. Returns the number of decisions.
inline int play_deal(const Rules& rules, State& state, Rng& rng) {
  Table& table = state.table;
  int plies = 0;
  while (table.phase != Phase::over) {
    if (table.phase == Phase::play && table.count >= 4 && table.count % 4 == 0) {
      plies += detail::finish_tricks(rules, state, rng);
    } else if (table.phase == Phase::pass && table.count % 3 == 0) {
      plies += detail::finish_passing(state, rng);
    } else if (is_decision(table.phase)) {
      const Cards hand = state.hand[table.to_move];
      play_move(rules, state, choice(table, pick_card(choices(rules, table, hand), rng)));
      ++plies;
    } else {
      play_move(rules, state, roll_outcome(state, rng));
    }
  }
  return plies;
}

}  // namespace kibitz::hearts
