// The course of a mission between its moves: which step of the preparation comes next, whose turn
// it is, when a trick begins. Everything here is public: it changes a Table and looks at no hand.
#pragma once

#include <bit>

#include <kibitz/games/thecrew/choices.hpp>
#include <kibitz/games/thecrew/state.hpp>
#include <kibitz/games/thecrew/trick.hpp>

namespace kibitz::thecrew {

constexpr void clear_replies(Table& table) { table.reply = {}; }

constexpr void decide(Table& table, Phase phase, int actor) {
  table.phase = phase;
  table.actor = static_cast<std::uint8_t>(actor);
}

// The next seat clockwise that is asked; the automatic member never is (A15). The commander when
// all have been.
constexpr Seat next_asked(const Rules& rules, const Table& table, int seat) {
  const Seat next = left_of(rules, seat);
  return next == table.jarvis ? left_of(rules, next) : next;
}

constexpr Phase trick_phase(const Rules& rules, Table& table) {
  table.spoke = 0;
  const bool open =
      rules.radio != Radio::off && table.trick + 1 >= rules.mission.from_trick;  // R18
  table.actor = table.leader;
  if (!open || !table.green) return Phase::play;
  while (!(table.green >> table.actor & 1)) table.actor = left_of(rules, table.actor);
  return Phase::radio;
}

constexpr void begin_trick(const Rules& rules, Table& table) {
  table.phase = trick_phase(rules, table);
}

// S5: the next green token of this round, a new round (until all pass), or the first card.
constexpr void after_radio(const Rules& rules, Table& table) {
  Seat next = left_of(rules, table.actor);
  while (next != table.leader && !(table.green >> next & 1)) next = left_of(rules, next);
  if (next != table.leader) {
    table.actor = next;
    return;
  }
  if (rules.radio == Radio::until_all_pass && table.spoke && table.green)
    return begin_trick(rules, table);
  table.spoke = 0;
  decide(table, Phase::play, table.leader);
}

constexpr void begin_ask(const Rules& rules, Table& table) {
  clear_replies(table);
  decide(table, Phase::ask, next_asked(rules, table, table.commander));
}

constexpr void begin_distress(Table& table, std::uint8_t direction) {
  table.sent = direction;
  decide(table, Phase::give, table.commander);
}

// Brings up the first decision or outcome from the current step on.
constexpr void enter_step(const Rules& rules, Table& table) {
  for (; table.step < rules.mission.step_count; ++table.step) {
    table.count = 0;
    const Step& step = this_step(rules, table);
    switch (step.kind) {
      case StepKind::deal_tasks:
        if (rules.mission.reveal == Reveal::all) return decide(table, Phase::task, table.commander);
        break;
      case StepKind::draft:       return decide(table, Phase::draft, table.commander);
      case StepKind::edit_tokens: return decide(table, Phase::edit, table.commander);
      case StepKind::ask:         return begin_ask(rules, table);
      case StepKind::pick_role:   return decide(table, Phase::role, table.commander);
      case StepKind::mute:
        table.green &= static_cast<std::uint8_t>(~(1u << role_seat(table, step.role)));
        break;
      case StepKind::assign_all:      return decide(table, Phase::owner, table.commander);
      case StepKind::distribute:      return decide(table, Phase::task, table.commander);
      case StepKind::announce_holder: return decide(table, Phase::holder, table.commander);
      case StepKind::five_pass:
        if (rules.players == 5 && rules.passing != Passing::off)
          return decide(table, Phase::offer, table.commander);
        break;
      case StepKind::distress:
        if (rules.distress == Distress::off) break;
        clear_replies(table);
        if (rules.distress == Distress::vote) return decide(table, Phase::vote, table.commander);
        return begin_distress(table, rules.distress == Distress::left ? 1 : 2);
      case StepKind::random_owners: return decide(table, Phase::lot, table.commander);
    }
  }
  table.count = 0;
  clear_replies(table);
  begin_trick(rules, table);  // R1: the commander leads trick 1
}

constexpr void next_step(const Rules& rules, Table& table) {
  ++table.step;
  enter_step(rules, table);
}

// All cards are dealt.
constexpr void begin_preparation(const Rules& rules, Table& table) {
  table.count = 0;
  table.step = 0;
  table.green = static_cast<std::uint8_t>((1u << rules.seats) - 1);
  if (rules.jarvis) table.green &= static_cast<std::uint8_t>(~(1u << table.jarvis));
  enter_step(rules, table);
}

constexpr void give_task(Table& table, int card, int seat) {
  for (int i = 0; i < max_tasks; ++i)
    if (table.task[at(i)] == card) table.owner[at(i)] = static_cast<std::uint8_t>(seat);
  for (Cards& pending : table.pending) pending &= ~bit(card);
  table.pending[at(seat)] |= bit(card);
}

// S2: what follows an offer that was not made, or not accepted by all.
constexpr void next_offer(const Rules& rules, Table& table, int offerer) {
  table.offered = no_card;
  table.offered_to = nobody;
  clear_replies(table);
  const Seat next = left_of(rules, offerer);
  if (next == table.commander) return next_step(rules, table);
  decide(table, Phase::offer, next);
}

constexpr int offerer_of(const Rules& rules, const Table& table) {
  for (int s = 0; s < rules.seats; ++s)
    if (table.pending[at(s)] >> table.offered & 1) return s;
  return 0;
}

constexpr void execute_offer(const Rules& rules, Table& table) {
  give_task(table, table.offered, table.offered_to);
  table.offered = no_card;
  table.offered_to = nobody;
  clear_replies(table);
  next_step(rules, table);
}

constexpr void after_consent(const Rules& rules, Table& table) {
  const int offerer = offerer_of(rules, table);
  const Seat next = left_of(rules, table.actor);
  if (next != offerer) {
    table.actor = next;
    return;
  }
  for (int s = 0; s < rules.seats; ++s)
    if (table.reply[at(s)] == static_cast<std::uint8_t>(Reply::no))
      return next_offer(rules, table, offerer);
  execute_offer(rules, table);
}

// S3: sent when all who are not indifferent named the same side.
constexpr void after_vote(const Rules& rules, Table& table) {
  const Seat next = next_asked(rules, table, table.actor);
  if (next != table.commander) {
    table.actor = next;
    return;
  }
  std::uint32_t said = 0;
  for (const std::uint8_t reply : table.reply) said |= 1u << reply;
  const auto only = [&](Reply reply) { return 1u << static_cast<int>(reply); };
  said &= only(Reply::none) | only(Reply::left) | only(Reply::right);
  clear_replies(table);
  if (said == only(Reply::left)) return begin_distress(table, 1);
  if (said == only(Reply::right)) return begin_distress(table, 2);
  next_step(rules, table);
}

}  // namespace kibitz::thecrew
