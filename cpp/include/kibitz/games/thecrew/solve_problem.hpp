// The rest of a mission with open hands, as the solver works on it: the cards that are left and who
// has them, the tasks by owner, what each card asks of its trick, and the little that the cards
// left do not tell (Node).
//
// Who has a card does not change once the cards are passed and drawn, so the cards left, the leader
// and a few counters are all that the future depends on. A task is open as long as its card is
// left: the trick that takes the card completes the task or ends the mission.
#pragma once

#include <array>
#include <bit>

#include <kibitz/games/thecrew/state.hpp>
#include <kibitz/games/thecrew/trick.hpp>

namespace kibitz::thecrew {

// Between two tricks. Counters by seat are nibbles, seat 0 lowest: at most 13 tricks, 10 tasks.
struct Node {
  Cards left = 0;           // in no trick yet: in hands, and of the display face down, too
  std::uint32_t won = 0;    // tricks by seat
  std::uint32_t quota = 0;  // free tasks that the seat has still to win
  std::uint8_t leader = 0;
  std::uint8_t trick = 0;    // resolved
  std::uint8_t counted = 0;  // winning_value_at_least
  std::uint8_t unused = 0;

  friend bool operator==(const Node&, const Node&) = default;
};
constexpr std::uint32_t of_seat(std::uint32_t counters, int seat) {
  return counters >> (4 * seat) & 15;
}
constexpr std::uint32_t one_of(int seat) { return 1u << (4 * seat); }

struct Problem {
  const Rules* rules = nullptr;
  std::array<Cards, 5> hand{};  // at the root; the automatic member's whole display
  std::uint8_t jarvis = nobody;
  std::uint8_t commander = nobody, s1 = nobody, s2 = nobody;
  std::array<Card, deck_size> cover{};  // by face-down card: what lies on it, else no_card
  Cards covered = 0;                    // face down at the root
  std::array<std::uint8_t, deck_size> holder{};
  std::array<Cards, 5> tasks{};  // open at the root, by owner
  Cards open = 0;                // all of them and the free ones
  // Tasks that the draft has not given to anybody: each is won by a seat that has quota left. The
  // draft gives any set of its size to a seat, so a seat may as well choose its tasks when it wins
  // them: some draft can be won if and only if these tricks can.
  Cards free = 0;
  std::array<Cards, deck_size> before{};           // by task: those that must be completed by then
  Cards ordered = 0;                               // tasks with any before them
  Cards told_apart = 0;                            // cards never merged with others
  std::array<std::uint8_t, deck_size> kind{};      // cards of one kind and seat may be merged
  std::array<std::uint8_t, deck_size> winners{};   // by card: seats that may win it, a bit a seat
  std::array<std::uint8_t, max_tricks + 1> due{};  // by number of the trick: likewise
  bool count_won = false;                          // do tricks won matter?
  bool count_cards = false;                        // does `counted`?

  int seats() const { return rules->seats; }
  Seat role(Role who) const {
    return who == Role::commander ? commander : who == Role::s1 ? s1 : s2;
  }
  // What a seat may play from.
  Cards hand_of(int seat, Cards left) const {
    Cards cards = hand[at(seat)] & left;
    if (seat != jarvis) return cards;
    // A card that is laid in this trick is no longer left, but the next is turned up only after it;
    // the automatic member lays one card a trick, so what it has laid can't be in this one.
    for (Cards rest = covered & cards; rest; rest &= rest - 1)
      if (const int card = std::countr_zero(rest); left >> cover[at(card)] & 1) cards &= ~bit(card);
    return cards;
  }
};

// The order of tokens (R7 to R12) as what must be completed before or with a task:
//     number k    the lower numbers
//     arrow k     the lower arrows
//     omega       all others
//     no number   all numbers
// `tokens_broken` looks at the same pairs: a trick breaks the order if and only if it completes a
// task while one that must come before it stays open.
inline void set_order(const Table& table, Problem& p) {
  const Cards all = drawn_tasks(table) | p.open;
  Cards numbered = 0;
  for (int t = 0; t < numbers; ++t)
    if (const Card card = table.token_on[at(t)]; card != no_card) {
      p.before[card] |= numbered;
      numbered |= bit(card);
    }
  for (Cards rest = all & ~numbered; rest; rest &= rest - 1)
    p.before[at(std::countr_zero(rest))] |= numbered;
  Cards arrows = 0;
  for (int t = first_arrow; t < omega; ++t)
    if (const Card card = table.token_on[at(t)]; card != no_card) {
      p.before[card] |= arrows;
      arrows |= bit(card);
    }
  if (const Card card = table.token_on[omega]; card != no_card) p.before[card] |= all & ~bit(card);
  for (Cards rest = p.open; rest; rest &= rest - 1) {
    const int card = std::countr_zero(rest);
    p.before[at(card)] &= p.open;
    if (p.before[at(card)]) p.ordered |= bit(card);
  }
  for (const Card card : table.token_on)
    if (card != no_card) p.told_apart |= bit(card);
}

// Which seats may win a trick with this card in it: what every constraint says of it. A trick won
// by another fails.
inline void set_winners(Problem& p) {
  const Rules& rules = *p.rules;
  const auto everybody = static_cast<std::uint8_t>((1u << rules.seats) - 1);
  p.winners.fill(everybody);
  p.due.fill(everybody);
  const auto only = [](std::uint8_t& seats, int seat) {
    seats &= static_cast<std::uint8_t>(1u << seat);
  };
  for (int s = 0; s < rules.seats; ++s)
    for (Cards rest = p.tasks[at(s)]; rest; rest &= rest - 1)
      only(p.winners[at(std::countr_zero(rest))], s);
  for (int i = 0; i < rules.mission.constraint_count; ++i) {
    const Constraint& c = rules.mission.constraint[at(i)];
    const auto each = [&](auto&& what) {
      for (Cards rest = c.cards & rules.deck; rest; rest &= rest - 1) what(std::countr_zero(rest));
    };
    switch (c.kind) {
      case ConstraintKind::win_all_of_suit:
        each([&](int card) { only(p.winners[at(card)], p.role(c.who)); });
        break;
      case ConstraintKind::each_card_wins:  // the card itself wins, so its holder does (R27)
        each([&](int card) {
          if (p.holder[at(card)] != nobody) only(p.winners[at(card)], p.holder[at(card)]);
        });
        break;
      case ConstraintKind::win_positions:
        for (int n = 1; n <= rules.tricks; ++n) {
          const bool is_due =
              (c.tricks >> (n - 1) & 1) || (n == rules.tricks && (c.tricks & last_trick_bit));
          if (is_due)
            only(p.due[at(n)], p.role(c.who));
          else if (c.exclusive)
            p.due[at(n)] &= static_cast<std::uint8_t>(~(1u << p.role(c.who)));
        }
        break;
      default: break;
    }
  }
}

// Cards that the mission tells apart from their neighbours in rank. Suits as wholes don't: they
// tell no two cards of a suit apart.
inline void set_kinds(Problem& p) {
  const Rules& rules = *p.rules;
  for (int i = 0; i < rules.mission.constraint_count; ++i) {
    const Constraint& c = rules.mission.constraint[at(i)];
    if (c.kind == ConstraintKind::tricks_won || c.kind == ConstraintKind::balanced)
      p.count_won = true;
    if (c.kind == ConstraintKind::winning_value_at_least) p.count_cards = true;
    for (const Cards suit : suit_cards)
      if ((c.cards & suit) != suit || c.kind == ConstraintKind::each_card_wins)
        p.told_apart |= c.cards & suit;
  }
  p.told_apart |= p.covered;
  for (Cards rest = p.covered; rest; rest &= rest - 1)
    p.told_apart |= bit(p.cover[at(std::countr_zero(rest))]);
  for (int card = 0; card < deck_size; ++card) {
    std::uint8_t kind = 0;  // a task without token and of this owner: 1 to 5; free: 6
    for (int s = 0; s < rules.seats; ++s)
      if (p.tasks[at(s)] >> card & 1) kind = static_cast<std::uint8_t>(s + 1);
    if (p.free >> card & 1) kind = 6;
    if (p.told_apart >> card & 1) kind = static_cast<std::uint8_t>(8 + card);
    p.kind[at(card)] = kind;
  }
}

// The tricks from here on. `free` are tasks whose owners are still to be chosen; the table gives
// them to seats all the same, and only how many each seat gets counts.
inline Problem problem_of(const Rules& rules, const State& state, Cards free) {
  const Table& table = state.table;
  Problem p;
  p.rules = &rules;
  p.jarvis = table.jarvis;
  p.commander = table.commander;
  p.s1 = table.s1;
  p.s2 = table.s2;
  p.cover.fill(no_card);
  p.holder.fill(nobody);
  for (int s = 0; s < rules.seats; ++s) p.hand[at(s)] = state.hand[at(s)];
  if (rules.jarvis)
    for (std::size_t c = 0; c < max_columns; ++c) {
      const Card under = table.under[c];
      if (under == no_card) continue;
      p.hand[table.jarvis] |= bit(under);
      // A column whose upper card lies in this trick is turned up after it: nothing is on it any
      // more when the automatic member plays next.
      if (table.up[c] == no_card) continue;
      p.covered |= bit(under);
      p.cover[under] = table.up[c];
    }
  for (int s = 0; s < rules.seats; ++s)
    for (Cards rest = p.hand[at(s)]; rest; rest &= rest - 1)
      p.holder[at(std::countr_zero(rest))] = static_cast<std::uint8_t>(s);
  for (int i = 0; i < table.laid; ++i)
    p.holder[table.line[at(table.trick * rules.seats + i)]] =
        static_cast<std::uint8_t>((table.leader + i) % rules.seats);
  for (int s = 0; s < rules.seats; ++s) {
    p.tasks[at(s)] = table.pending[at(s)] & ~free;
    p.open |= table.pending[at(s)];
  }
  p.free = free & p.open;
  set_order(table, p);
  set_winners(p);
  set_kinds(p);
  return p;
}

// Where a problem is entered: at its root, or where a few cards more have been laid.
inline Node node_of(const Problem& p, const State& state) {
  const Table& table = state.table;
  Node node;
  for (int s = 0; s < p.seats(); ++s) {
    node.left |= state.hand[at(s)];
    if (p.count_won) node.won += table.won[at(s)] * one_of(s);
    node.quota +=
        static_cast<std::uint32_t>(std::popcount(table.pending[at(s)] & p.free)) * one_of(s);
  }
  for (const Card card : table.under)
    if (card != no_card) node.left |= bit(card);
  node.leader = table.leader;
  node.trick = table.trick;
  if (p.count_cards) node.counted = table.counted;
  return node;
}

// One constraint after a trick: what `judge` (trick.hpp) rules of it, from a Node. The tests hold
// the two together.
inline Ruling ruling_on(const Problem& p, Node& node, const Constraint& c, const Won& won) {
  using enum Ruling;
  const bool winner = won.seat == p.role(c.who);
  const bool carries = bit(won.card) & c.cards;
  const Cards listed = c.cards & p.rules->deck;
  const Cards left = listed & node.left;
  switch (c.kind) {
    case ConstraintKind::tasks: {
      const Cards hits = won.trick & p.open;
      if (hits) {
        if (hits & ~(p.tasks[at(won.seat)] | p.free)) return failed;
        const auto chosen = static_cast<std::uint32_t>(std::popcount(hits & p.free));
        if (chosen > of_seat(node.quota, won.seat)) return failed;
        node.quota -= chosen * one_of(won.seat);
        for (Cards rest = hits & p.ordered; rest; rest &= rest - 1)
          if (p.before[at(std::countr_zero(rest))] & node.left) return failed;
      }
      if (p.open & node.left) return won.last ? failed : open;
      return c.last_trick && !won.last ? failed : safe;
    }
    case ConstraintKind::tricks_won: {
      const std::uint32_t n = of_seat(node.won, p.role(c.who));
      return n > c.most || (won.last && n < c.least) ? failed : at_end(won);
    }
    case ConstraintKind::win_positions: {
      const bool due =
          (c.tricks >> (won.number - 1) & 1) || (won.last && (c.tricks & last_trick_bit));
      return (due ? !winner : winner && c.exclusive) ? failed : at_end(won);
    }
    case ConstraintKind::no_winning_suit: return winner && carries ? failed : at_end(won);
    case ConstraintKind::balanced:        {
      std::uint32_t fewest = 15, most = 0;
      for (int s = 0; s < p.seats(); ++s) {
        fewest = std::min(fewest, of_seat(node.won, s));
        most = std::max(most, of_seat(node.won, s));
      }
      return most - fewest > c.most ? failed : at_end(won);
    }
    case ConstraintKind::winning_value_at_least:
      node.counted = static_cast<std::uint8_t>(node.counted + carries);
      if (node.counted >= c.least) return safe;
      return won.last || node.counted + std::popcount(left) < c.least ? failed : open;
    case ConstraintKind::winning_value_forbidden:
      if (carries) return failed;
      return left == 0 ? safe : at_end(won);
    case ConstraintKind::each_card_wins:
      if (won.trick & listed & ~bit(won.card)) return failed;
      if (carries && c.ascending && (left & (bit(won.card) - 1))) return failed;
      if (left == 0) return safe;
      return won.last ? failed : open;
    case ConstraintKind::win_all_of_suit:
      if ((won.trick & listed) && !winner) return failed;
      return left == 0 ? safe : at_end(won);
  }
  return open;
}

// A whole trick: takes it out of the cards left and says whether the mission is won, lost or open.
inline Ruling close(const Problem& p, Node& node, Cards trick, int card, int seat) {
  const Rules& rules = *p.rules;
  node.left &= ~trick;
  node.leader = static_cast<std::uint8_t>(seat);
  ++node.trick;
  if (p.count_won) node.won += one_of(seat);
  const Won won{trick, card, seat, node.trick, node.trick == rules.tricks};
  bool safe = true;
  for (int i = 0; i < rules.mission.constraint_count; ++i) {
    const Ruling verdict = ruling_on(p, node, rules.mission.constraint[at(i)], won);
    if (verdict == Ruling::failed) return verdict;
    safe &= verdict == Ruling::safe;
  }
  return safe ? Ruling::safe : Ruling::open;
}

}  // namespace kibitz::thecrew
