// Applies moves and outcomes. One code serves State and View: what a View does not know is `hidden`
// in its table, and a hand that it does not hold changes nothing.
#pragma once

#include <bit>

#include <kibitz/games/thecrew/preparation.hpp>

namespace kibitz::thecrew {

// The hands of the truth, and the one hand of a view. Cards are indexes; a view's may be -1,
// unseen.
struct AllHands {
  std::array<Cards, 5>& hand;
  void add(int seat, int card) { hand[at(seat)] |= bit(card); }
  void take(int seat, int card) { hand[at(seat)] &= ~bit(card); }
};
struct OwnHand {
  Cards& hand;
  int seat;  // of the view; -1 for the automatic member's, which holds nothing of its own
  void add(int s, int card) {
    if (s == seat && is_card(card)) hand |= bit(card);
  }
  void take(int s, int card) {
    if (s == seat && is_card(card)) hand &= ~bit(card);
  }
};

inline OwnHand own_hand(View& view) {
  return {view.hand, view.seat == view.table.jarvis ? -1 : view.seat};
}

// S4: cards arrive clockwise from the commander's left, the commander's own last.
constexpr int next_receiver(const Rules& rules, const Table& table) {
  return (table.commander + 1 + table.count) % rules.seats;
}

constexpr int column_of(const Table& table, int card) {
  for (int c = 0; c < max_columns; ++c)
    if (table.up[at(c)] == card) return c;
  return -1;
}

namespace detail {

constexpr Card code_of(int card) { return card < 0 ? hidden : static_cast<Card>(card); }

// Distress: all cards change hands at once when the last receiver has seen its own.
template <class Hands>
void exchange_given(const Rules& rules, Table& table, Hands& hands) {
  for (int s = 0; s < rules.seats; ++s) hands.take(s, table.given[at(s)]);
  if (rules.jarvis) {
    const Card out = table.given[table.jarvis];
    const Card in = table.given[giver_to(rules, table, table.jarvis)];
    table.up[at(column_of(table, out))] = in;
  }
  for (int s = 0; s < rules.seats; ++s) hands.add(s, table.given[giver_to(rules, table, s)]);
  next_step(rules, table);
}

// S8: likewise, from the right neighbour. What comes into the display takes the place of what left
// it, face down; nobody sees which place that is.
template <class Hands>
void exchange_drawn(const Rules& rules, Table& table, Hands& hands) {
  for (int s = 0; s < rules.seats; ++s)
    if (s != table.jarvis) hands.take(s, table.drawn[at(s)]);
  for (int s = 0; s < rules.seats; ++s) {
    const Card in = table.drawn[right_of(rules, s)];
    if (s != table.jarvis) {
      hands.add(s, in);
    } else if (std::is_same_v<Hands, AllHands>) {  // face-down cards are all blank in a view
      for (Card& card : table.under)
        if (card == table.drawn[at(s)]) {
          card = in;
          break;
        }
    }
  }
}

// What comes after a trick that did not end the mission: the exchange, the display, the next trick.
constexpr void after_trick(const Rules& rules, Table& table, bool exchanged) {
  table.count = 0;
  if (!exchanged && rules.mission.draw_after != 0 && rules.mission.draw_after == table.trick) {
    table.phase = Phase::draw;
    return;
  }
  if (table.column) {
    table.phase = Phase::turn_up;
    return;
  }
  begin_trick(rules, table);
}

// The last card of a trick is laid: who wins it, and what comes next. `line` are its cards in
// order.
constexpr void end_trick(const Rules& rules, Table& table, const Card* line, Cards trick) {
  const int best = winning_card(trick, same_suit(line[0]));
  int place = 0;
  while (line[place] != best) ++place;
  close_trick(rules, table, trick, best, place);
  if (table.result)
    table.phase = Phase::over;
  else
    after_trick(rules, table, false);
}

constexpr void speak(const Rules& rules, Table& table, Move move) {
  if (kind_of(move) == Kind::say) {
    const Seat actor = table.actor;
    table.said[actor] = static_cast<Card>(card_of(move));
    table.how[actor] = static_cast<std::uint8_t>(seat_of(move) | (table.trick + 1) << 2);
    table.green &= static_cast<std::uint8_t>(~(1u << actor));
    table.spoke = 1;
  }
  after_radio(rules, table);
}

template <class Hands>
void lay_card(const Rules& rules, Table& table, Hands& hands, int card) {
  hands.take(table.actor, card);
  table.played |= bit(card);
  table.line[at(table.trick * rules.seats + table.laid)] = static_cast<Card>(card);
  if (table.actor == table.jarvis) {
    const int column = column_of(table, card);
    table.up[at(column)] = no_card;
    if (table.under[at(column)] != no_card) table.column = static_cast<std::uint8_t>(column + 1);
  }
  if (++table.laid < rules.seats) {
    table.actor = left_of(rules, table.actor);
    return;
  }
  const Card* line = &table.line[at(table.trick * rules.seats)];
  Cards trick = 0;
  for (int i = 0; i < rules.seats; ++i) trick |= bit(line[i]);
  end_trick(rules, table, line, trick);
}

template <class Hands>
void play_chance(const Rules& rules, Table& table, Hands& hands, Move move) {
  const int card = card_of(move);
  const int seat = seat_of(move);
  switch (table.phase) {
    case Phase::jarvis:
      table.jarvis = static_cast<std::uint8_t>(seat);
      if (rules.extra) table.longest = static_cast<std::uint8_t>(seat);
      table.phase = Phase::leader;
      return;
    case Phase::longest:
      table.longest = static_cast<std::uint8_t>(seat);
      table.phase = Phase::leader;
      return;
    case Phase::leader:
      table.commander = table.leader = table.actor = static_cast<std::uint8_t>(seat);
      hands.add(seat, r4);
      table.phase = Phase::deal;
      return;
    case Phase::deal: {
      const Deal next = next_deal(rules, table);
      if (next.column < 0)
        hands.add(next.seat, card);
      else if (next.under)
        table.under[at(next.column)] = code_of(card);
      else
        table.up[at(next.column)] = code_of(card), hands.add(next.seat, card);
      ++table.count;
      if (next_deal(rules, table).seat == rules.seats) begin_preparation(rules, table);
      return;
    }
    case Phase::task: {
      const int i = tasks_drawn(table);
      table.task[at(i)] = static_cast<Card>(card);
      if (i < rules.mission.token_count)
        table.token_on[rules.mission.token[at(i)]] = static_cast<Card>(card);
      ++table.count;
      const StepKind kind = this_step(rules, table).kind;
      if (kind == StepKind::distribute) return begin_ask(rules, table);
      if (kind == StepKind::assign_all) give_task(table, card, table.offered_to);
      if (i + 1 < rules.mission.tasks) return;
      table.offered_to = nobody;
      return next_step(rules, table);
    }
    case Phase::lot:
      give_task(table, table.task[table.count], seat);
      if (++table.count == rules.mission.tasks) next_step(rules, table);
      return;
    case Phase::holder: {
      const Seat left = left_of(rules, seat);
      (this_step(rules, table).role == Role::s1 ? table.s1 : table.s2) = left;
      return next_step(rules, table);
    }
    case Phase::get: {
      const int receiver = next_receiver(rules, table);
      if (card >= 0) table.given[giver_to(rules, table, receiver)] = static_cast<Card>(card);
      if (++table.count == rules.seats) exchange_given(rules, table, hands);
      return;
    }
    case Phase::draw:
      table.drawn[table.count] = code_of(card);
      if (++table.count < rules.seats) return;
      exchange_drawn(rules, table, hands);
      return after_trick(rules, table, true);
    case Phase::turn_up: {
      const std::size_t column = table.column - 1u;
      table.up[column] = static_cast<Card>(card);
      table.under[column] = no_card;
      hands.add(table.jarvis, card);
      if (table.drawn[0] != no_card) table.turned |= bit(card);
      table.column = 0;
      return begin_trick(rules, table);
    }
    default: return;
  }
}

template <class Hands>
void play_decision(const Rules& rules, Table& table, Hands& hands, Move move) {
  const int card = card_of(move);
  const int seat = seat_of(move);
  const int actor = table.actor;
  switch (table.phase) {
    case Phase::edit:
      if (kind_of(move) == Kind::swap) {
        std::swap(table.token_on[at(token_of(table, card))],
                  table.token_on[at(token_of(table, second_of(move)))]);
      } else if (kind_of(move) == Kind::move) {
        table.token_on[at(number_of(move))] = static_cast<Card>(card);
      }
      return next_step(rules, table);
    case Phase::ask: {
      table.reply[at(actor)] = static_cast<std::uint8_t>(seat);
      const Seat next = next_asked(rules, table, actor);
      if (next != table.commander) return decide(table, Phase::ask, next);
      if (this_step(rules, table).kind == StepKind::distribute)
        return decide(table, Phase::owner, table.commander);
      return next_step(rules, table);
    }
    case Phase::role:
      (number_of(move) == 1 ? table.s1 : table.s2) = static_cast<std::uint8_t>(seat);
      return next_step(rules, table);
    case Phase::draft:
      give_task(table, card, actor);
      if (free_tasks(table) == 0) return next_step(rules, table);
      table.actor = left_of(rules, actor);
      return;
    case Phase::owner:
      if (this_step(rules, table).kind == StepKind::assign_all) {
        table.offered_to = static_cast<std::uint8_t>(seat);
        return decide(table, Phase::task, table.commander);
      }
      give_task(table, std::countr_zero(free_tasks(table)), seat);
      if (table.count == rules.mission.tasks) return next_step(rules, table);
      return decide(table, Phase::task, table.commander);
    case Phase::offer:
      if (kind_of(move) == Kind::keep) return next_offer(rules, table, actor);
      table.offered = static_cast<Card>(card);
      table.offered_to = static_cast<std::uint8_t>(seat);
      if (rules.passing == Passing::owner_only) return execute_offer(rules, table);
      clear_replies(table);
      return decide(table, Phase::consent, left_of(rules, actor));
    case Phase::consent:
      table.reply[at(actor)] = static_cast<std::uint8_t>(seat);
      return after_consent(rules, table);
    case Phase::vote:
      table.reply[at(actor)] = static_cast<std::uint8_t>(seat);
      return after_vote(rules, table);
    case Phase::give:
      table.given[at(actor)] = code_of(card);
      table.actor = left_of(rules, actor);
      if (table.actor != table.commander) return;
      table.count = 0;
      table.phase = Phase::get;
      return;
    case Phase::radio: return speak(rules, table, move);
    case Phase::play:  return lay_card(rules, table, hands, card);
    default:           return;
  }
}

}  // namespace detail

template <class Hands>
void play_any(const Rules& rules, Table& table, Hands hands, Move move) {
  if (is_decision(table.phase))
    detail::play_decision(rules, table, hands, move);
  else
    detail::play_chance(rules, table, hands, move);
}

inline void play_move(const Rules& rules, State& state, Move move) {
  play_any(rules, state.table, AllHands{state.hand}, move);
}

}  // namespace kibitz::thecrew
