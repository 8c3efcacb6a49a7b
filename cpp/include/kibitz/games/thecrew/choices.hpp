// What a seat may choose: the legal moves of each phase, listed or picked from. All follow from the
// table and the hand that the acting seat plays from, so a State and a View list the same.
#pragma once

#include <bit>

#include <kibitz/core/bits.hpp>
#include <kibitz/core/game.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/games/thecrew/state.hpp>

namespace kibitz::thecrew {

constexpr const Step& this_step(const Rules& rules, const Table& table) {
  return rules.mission.step[table.step];
}

// The suit led, or nothing before the first card of a trick.
constexpr Cards led_suit(const Rules& rules, const Table& table) {
  if (table.laid == 0) return 0;
  return same_suit(table.line[at(table.trick * rules.seats)]);
}

// S5: what the radio may show, and what it says of each (R14, R15).
constexpr Said statement(const Ends& ends, Cards card, bool dead_zone) {
  if (dead_zone) return Said::bare;
  if (ends.low & ends.high & card) return Said::only;
  return ends.high & card ? Said::highest : Said::lowest;
}

// CX: a task may go to a seat as long as no two seats will differ by more than one task.
constexpr bool quota_allows(const Rules& rules, const Table& table, int seat) {
  const int base = rules.mission.tasks / rules.seats;
  const int extra = rules.mission.tasks % rules.seats;
  const auto owned = [&](int s) { return std::popcount(table.pending[at(s)]); };
  if (owned(seat) != base) return owned(seat) < base;
  int above = 0;
  for (int s = 0; s < rules.seats; ++s) above += owned(s) > base;
  return above < extra;
}

constexpr bool may_be_owner(const Rules& rules, const Table& table, int seat) {
  if (this_step(rules, table).kind == StepKind::assign_all) return seat != table.commander;  // R38
  return quota_allows(rules, table, seat);
}

constexpr bool may_have_role(const Rules& rules, const Table& table, int seat) {
  const Step& step = this_step(rules, table);
  if (seat == table.jarvis && !step.jarvis) return false;
  if (step.candidates == Candidates::not_commander) return seat != table.commander;  // A7
  return step.candidates == Candidates::all || seat != table.s1;
}

// The token edits of missions 23 and 40: `keep` first, then pairs ascending.
template <class Each>
constexpr void each_edit(const Rules& rules, const Table& table, Each&& each) {
  each(keep_move);
  Cards bare = drawn_tasks(table);
  for (const Card card : table.token_on)
    if (card != no_card) bare &= ~bit(card);
  const Cards marked = drawn_tasks(table) & ~bare;
  if (this_step(rules, table).edit == Edit::swap_two) {
    for (Cards a = marked; a; a &= a - 1)
      for (Cards b = a & (a - 1); b; b &= b - 1)
        each(make(Kind::swap, std::countr_zero(a), 0, 0, std::countr_zero(b)));
    return;
  }
  for (int t = 0; t < tokens; ++t)
    if (table.token_on[at(t)] != no_card)
      for (Cards b = bare; b; b &= b - 1) each(make(Kind::move, std::countr_zero(b), 0, t));
}

// The legal moves of the acting seat, `hand` being what it plays from.
template <class List>
constexpr void list_moves(const Rules& rules, const Table& table, Cards hand, List& out) {
  out.clear();
  const auto each_card = [&](Cards cards, auto&& move) {
    for (; cards; cards &= cards - 1) out.push_back(move(std::countr_zero(cards)));
  };
  const auto replies = [&](auto... reply) { (out.push_back(reply_move(reply)), ...); };
  switch (table.phase) {
    case Phase::edit: return each_edit(rules, table, [&](Move move) { out.push_back(move); });
    case Phase::ask:
      for (std::uint32_t rest = this_step(rules, table).replies; rest; rest >>= 4)
        out.push_back(reply_move(static_cast<Reply>(rest & 15)));
      return;
    case Phase::role:
      for (int s = 0; s < rules.seats; ++s)
        if (may_have_role(rules, table, s))
          out.push_back(make(Kind::role, -1, s, static_cast<int>(this_step(rules, table).role)));
      return;
    case Phase::draft:
      return each_card(free_tasks(table), [](int card) { return make(Kind::take, card); });
    case Phase::owner:
      for (int s = 0; s < rules.seats; ++s)
        if (may_be_owner(rules, table, s)) out.push_back(make(Kind::owner, -1, s));
      return;
    case Phase::offer:
      out.push_back(keep_move);
      for (Cards own = table.pending[table.actor]; own; own &= own - 1)
        for (int s = 0; s < rules.seats; ++s)
          if (s != table.actor) out.push_back(make(Kind::offer, std::countr_zero(own), s));
      return;
    case Phase::consent: return replies(Reply::yes, Reply::no);
    case Phase::vote:    return replies(Reply::none, Reply::left, Reply::right, Reply::any);
    case Phase::give:
      return each_card(hand & colours, [](int card) { return make(Kind::give, card); });
    case Phase::radio: {
      const Ends ends = ends_of(hand);
      out.push_back(quiet_move);
      return each_card(ends.low | ends.high, [&](int card) {
        return say_card(card, statement(ends, bit(card), rules.mission.dead_zone));
      });
    }
    case Phase::play:
      return each_card(playable(hand, led_suit(rules, table)),
                       [](int card) { return play_card(card); });
    default: return;
  }
}

// S5, S6: one choice of the two frequent decisions, uniformly, without a list.
inline Move pick_radio(const Rules& rules, Cards hand, Rng& rng) {
  const Ends ends = ends_of(hand);
  const Cards cards = ends.low | ends.high;
  const std::uint32_t n = rng.below(static_cast<std::uint32_t>(std::popcount(cards)) + 1);
  if (n == 0) return quiet_move;
  const int card = nth_bit64(cards, n - 1);
  return say_card(card, statement(ends, bit(card), rules.mission.dead_zone));
}
inline int pick_card(Cards cards, Rng& rng) {
  return nth_bit64(cards, rng.below(static_cast<std::uint32_t>(std::popcount(cards))));
}

inline Move pick_move(const Rules& rules, const Table& table, Cards hand, Rng& rng) {
  if (table.phase == Phase::play)
    return play_card(pick_card(playable(hand, led_suit(rules, table)), rng));
  if (table.phase == Phase::radio) return pick_radio(rules, hand, rng);
  if (table.phase == Phase::draft) return make(Kind::take, pick_card(free_tasks(table), rng));
  if (table.phase == Phase::give) return make(Kind::give, pick_card(hand & colours, rng));
  SmallList<Move, max_list> list;
  list_moves(rules, table, hand, list);
  return list[rng.below(static_cast<std::uint32_t>(list.size()))];
}

}  // namespace kibitz::thecrew
