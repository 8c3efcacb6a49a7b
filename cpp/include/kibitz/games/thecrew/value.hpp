// What a position is worth, and the rule book's count.
#pragma once

#include <bit>

#include <kibitz/core/game.hpp>
#include <kibitz/games/thecrew/state.hpp>

namespace kibitz::thecrew {

inline int tasks_completed(const Table& table) { return std::popcount(table.completed); }

// How far a constraint has come, 0 to 1: tasks completed, cards that have won, tricks counted; of
// what must hold to the end, the share of the tricks for which it has held.
inline double share_met(const Rules& rules, const Table& table, const Constraint& c) {
  const Cards listed = c.cards & rules.deck;
  const double survived = static_cast<double>(table.trick) / rules.tricks;
  switch (c.kind) {
    case ConstraintKind::tasks:
      // A tenth for the tricks survived: it tells apart plays that complete as many tasks.
      return 0.9 * tasks_completed(table) / rules.mission.tasks + 0.1 * survived;
    case ConstraintKind::winning_value_at_least:
      return static_cast<double>(table.counted) / c.least;
    case ConstraintKind::each_card_wins:
      return static_cast<double>(std::popcount(listed & table.played)) / std::popcount(listed) *
                 0.9 +
             0.1 * survived;
    default: return survived;
  }
}

// -1 to 1: of a failed mission the share met, averaged over its constraints, of a success 1. It
// keeps a search purposeful where success is out of sight.
inline double margin_of(const Rules& rules, const Table& table) {
  if (table.result == 1) return 1.0;
  double sum = 0;
  for (int i = 0; i < rules.mission.constraint_count; ++i)
    sum += share_met(rules, table, rules.mission.constraint[at(i)]);
  return 2.0 * sum / rules.mission.constraint_count - 1.0;
}

inline Worth worth_of(const Rules& rules, const Table& table) {
  Worth worth;
  const double margin = margin_of(rules, table);
  for (int s = 0; s < rules.seats; ++s) {
    worth.win[at(s)] = table.result == 1;
    worth.margin[at(s)] = margin;
  }
  return worth;
}

}  // namespace kibitz::thecrew
