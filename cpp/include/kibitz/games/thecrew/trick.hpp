// What a trick decides: its winner, the tasks, the tokens, and every constraint of the mission,
// each with its moment of failure and of success. Rule numbers (R..) are those of
// docs/games/thecrew.md.
#pragma once

#include <algorithm>
#include <bit>

#include <kibitz/games/thecrew/state.hpp>

namespace kibitz::thecrew {

// The highest rocket, else the highest card of the suit led (R4).
constexpr int winning_card(Cards trick, Cards led) {
  return 63 - std::countl_zero(trick & (led | rockets));
}

// S7 2: the three token tests, after all tasks of the trick were completed (R7 to R12).
constexpr bool tokens_broken(const Table& table) {
  const Cards open = open_tasks(table);
  Cards lower = 0;
  for (int t = 0; t < numbers; ++t) {
    const Card card = table.token_on[at(t)];
    if (card == no_card) continue;
    if (open >> card & 1) {  // the lowest number that is pending
      if (table.completed & ~lower) return true;
      break;
    }
    lower |= bit(card);
  }
  bool waiting = false;
  for (int t = first_arrow; t < omega; ++t) {
    const Card card = table.token_on[at(t)];
    if (card == no_card) continue;
    if (open >> card & 1)
      waiting = true;
    else if (waiting && (table.completed >> card & 1))
      return true;
  }
  const Card last = table.token_on[omega];
  return last != no_card && open && (table.completed >> last & 1);
}

enum class Ruling : std::uint8_t { open, safe, failed };

// A trick just won: the table already counts it.
struct Won {
  Cards trick;
  int card;  // that won
  int seat;  // that won
  int number;
  bool last;
};

// S7 1 and 2, and the moment of the last task.
constexpr Ruling judge_tasks(Table& table, const Won& won, bool in_last_trick) {
  const Cards hits = won.trick & open_tasks(table);
  if (hits) {
    Cards& own = table.pending[at(won.seat)];
    const Cards done = hits & own;
    own ^= done;
    table.completed |= done;
    if (hits != done || tokens_broken(table)) return Ruling::failed;
  }
  if (open_tasks(table)) return won.last ? Ruling::failed : Ruling::open;
  return in_last_trick && !won.last ? Ruling::failed : Ruling::safe;  // R35
}

constexpr Ruling at_end(const Won& won) { return won.last ? Ruling::safe : Ruling::open; }

// Page, "When each constraint is decided". Cards left in hands are those never played: the
// display's face-down cards and an unplayed fourteenth card count.
constexpr Ruling judge(const Rules& rules, Table& table, const Constraint& c, const Won& won) {
  using enum Ruling;
  const bool winner = won.seat == role_seat(table, c.who);
  const bool carries = bit(won.card) & c.cards;
  const Cards listed = c.cards & rules.deck;
  const Cards left = listed & ~table.played;
  switch (c.kind) {
    case ConstraintKind::tasks:      return judge_tasks(table, won, c.last_trick);
    case ConstraintKind::tricks_won: {
      const int n = table.won[role_seat(table, c.who)];
      if (n > c.most || (won.last && n < c.least)) return failed;
      return at_end(won);
    }
    case ConstraintKind::win_positions: {
      const bool due =
          (c.tricks >> (won.number - 1) & 1) || (won.last && (c.tricks & last_trick_bit));
      if (due ? !winner : winner && c.exclusive) return failed;
      return at_end(won);
    }
    case ConstraintKind::no_winning_suit: return winner && carries ? failed : at_end(won);
    case ConstraintKind::balanced:        {
      const auto* first = table.won.data();
      const auto [fewest, most] = std::minmax_element(first, first + rules.seats);
      return *most - *fewest > c.most ? failed : at_end(won);
    }
    case ConstraintKind::winning_value_at_least:
      table.counted = static_cast<std::uint8_t>(table.counted + carries);
      if (table.counted >= c.least) return safe;
      return won.last || table.counted + std::popcount(left) < c.least ? failed : open;
    case ConstraintKind::winning_value_forbidden:
      if (carries) return failed;
      return left == 0 ? safe : at_end(won);
    case ConstraintKind::each_card_wins: {
      if (won.trick & listed & ~bit(won.card)) return failed;  // R27
      if (carries && c.ascending && (left & (bit(won.card) - 1))) return failed;
      if (left == 0) return safe;
      return won.last ? failed : open;
    }
    case ConstraintKind::win_all_of_suit:
      if ((won.trick & listed) && !winner) return failed;
      return left == 0 ? safe : at_end(won);
  }
  return open;
}

// S7 3 and 4: any failed, all safe, or neither. Every constraint is looked at: a trick that breaks
// one may still complete a task.
constexpr void judge_all(const Rules& rules, Table& table, const Won& won) {
  bool safe = true;
  int fault = 0;
  for (int i = 0; i < rules.mission.constraint_count; ++i) {
    const Ruling verdict = judge(rules, table, rules.mission.constraint[at(i)], won);
    if (verdict != Ruling::safe) safe = false;
    if (verdict == Ruling::failed && fault == 0) fault = i + 1;
  }
  table.result = static_cast<std::uint8_t>(fault ? 2 : safe ? 1 : 0);
  table.fault = static_cast<std::uint8_t>(fault);
}

// The end of a trick. `place` is the winner's place in it.
constexpr void close_trick(const Rules& rules, Table& table, Cards trick, int card, int place) {
  int seat = table.leader + place;
  if (seat >= rules.seats) seat -= rules.seats;
  table.laid = 0;
  ++table.trick;
  ++table.won[at(seat)];
  table.leader = table.actor = static_cast<std::uint8_t>(seat);
  const bool last = table.trick == rules.tricks;
  if (rules.tasks_only) {
    if (!last && !(trick & open_tasks(table))) [[likely]]
      return;
    const Won won{trick, card, seat, table.trick, last};
    const Ruling verdict = judge_tasks(table, won, false);
    table.result = static_cast<std::uint8_t>(verdict == Ruling::failed ? 2
                                             : verdict == Ruling::safe ? 1
                                                                       : 0);
    table.fault = verdict == Ruling::failed;
    return;
  }
  judge_all(rules, table, {trick, card, seat, table.trick, last});
}

}  // namespace kibitz::thecrew
