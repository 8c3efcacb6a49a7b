// What chance may bring, and the deal.
#pragma once

#include <bit>

#include <kibitz/core/rng.hpp>
#include <kibitz/games/thecrew/play.hpp>

namespace kibitz::thecrew {

// R40: what may be drawn from a seat's hand. A card under a radio token may not; of the display,
// the face-down cards alone may.
constexpr Cards drawable(const State& state, int seat) {
  const Card said = state.table.said[at(seat)];
  return state.hand[at(seat)] & ~(said == no_card ? 0 : bit(said));
}

inline Cards undealt(const Rules& rules, const State& state) {
  Cards left = rules.deck & ~bit(r4);
  for (const Cards hand : state.hand) left &= ~hand;
  for (const Card card : state.table.under)
    if (card != no_card) left &= ~bit(card);
  return left;
}

inline Cards task_deck(const Rules& rules, const Table& table) {
  return rules.deck & colours & ~drawn_tasks(table);
}

inline Kind deal_kind(const Deal& deal) {
  return deal.column < 0 ? Kind::deal : deal.under ? Kind::under : Kind::up;
}

inline int holder_of(const Rules& rules, const State& state, int card) {
  for (int s = 0; s < rules.seats; ++s)
    if (state.hand[at(s)] >> card & 1) return s;
  return state.table.jarvis;  // face down in the display
}

// Every outcome with its weight.
template <class Each>
void each_outcome(const Rules& rules, const State& state, Each&& each) {
  const Table& table = state.table;
  const auto once = [&](Move move) { each(move, std::uint64_t{1}); };
  const auto cards = [&](Cards set, auto&& move) {
    for (; set; set &= set - 1) once(move(std::countr_zero(set)));
  };
  switch (table.phase) {
    case Phase::jarvis:  once(make(Kind::jarvis, -1, 1)); return once(make(Kind::jarvis, -1, 2));
    case Phase::longest:
    case Phase::lot:
      for (int s = 0; s < rules.seats; ++s)
        once(make(table.phase == Phase::lot ? Kind::owner : Kind::longest, -1, s));
      return;
    case Phase::leader:  // R4 lies in any place with equal chance; in the display never
      for (int s = 0; s < rules.seats; ++s)
        if (s != table.jarvis)
          each(make(Kind::leader, -1, s), static_cast<std::uint64_t>(dealt_size(rules, table, s)));
      return;
    case Phase::deal: {
      const Kind kind = deal_kind(next_deal(rules, table));
      return cards(undealt(rules, state), [&](int card) { return make(kind, card); });
    }
    case Phase::task:
      return cards(task_deck(rules, table), [](int card) { return make(Kind::task, card); });
    case Phase::holder: {
      return once(make(Kind::holder, -1, holder_of(rules, state, this_step(rules, table).card)));
    }
    case Phase::get: {
      const int receiver = next_receiver(rules, table);
      return once(make(Kind::get, table.given[giver_to(rules, table, receiver)]));
    }
    case Phase::draw:
      if (table.count != table.jarvis)
        return cards(drawable(state, table.count), [](int card) { return make(Kind::draw, card); });
      for (int c = 0; c < rules.columns; ++c)
        if (table.under[at(c)] != no_card) once(make(Kind::draw, table.under[at(c)]));
      return;
    case Phase::turn_up: return once(make(Kind::turn_up, table.under[table.column - 1u]));
    default:             return;
  }
}

inline Move roll_outcome(const Rules& rules, const State& state, Rng& rng) {
  const Table& table = state.table;
  if (table.phase == Phase::deal)
    return make(deal_kind(next_deal(rules, table)), pick_card(undealt(rules, state), rng));
  if (table.phase == Phase::task) return make(Kind::task, pick_card(task_deck(rules, table), rng));
  std::uint64_t total = 0;
  each_outcome(rules, state, [&](Move, std::uint64_t weight) { total += weight; });
  std::uint64_t left = total > 1 ? rng.below64(total) : 0;
  Move found;
  bool done = false;
  each_outcome(rules, state, [&](Move move, std::uint64_t weight) {
    if (!done && left < weight) found = move, done = true;
    if (!done) left -= weight;
  });
  return found;
}

inline State blank_state(const Rules& rules) {
  State state{};
  Table& t = state.table;
  t.line.fill(no_card);
  t.task.fill(no_card);
  t.owner.fill(nobody);
  t.token_on.fill(no_card);
  t.said.fill(no_card);
  t.given.fill(no_card);
  t.drawn.fill(no_card);
  t.up.fill(no_card);
  t.under.fill(no_card);
  t.commander = t.s1 = t.s2 = t.jarvis = t.longest = nobody;
  t.offered = no_card;
  t.offered_to = nobody;
  t.phase = rules.jarvis ? Phase::jarvis : rules.extra ? Phase::longest : Phase::leader;
  return state;
}

// All chance up to the first decision.
inline State deal_state(const Rules& rules, Rng& rng) {
  State state = blank_state(rules);
  while (!is_decision(state.table.phase)) play_move(rules, state, roll_outcome(rules, state, rng));
  return state;
}

}  // namespace kibitz::thecrew
