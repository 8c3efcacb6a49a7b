// What the acting seat may use for a policy. Other hands, and cards passed or drawn between others,
// are out of reach by construction.
#pragma once

#include <bit>

#include <kibitz/core/game.hpp>
#include <kibitz/games/thecrew/choices.hpp>
#include <kibitz/games/thecrew/trick.hpp>

namespace kibitz::thecrew {

class Eyes {
 public:
  Eyes(const Rules& rules, const Table& table, Cards hand)
      : rules_(&rules), table_(&table), hand_(hand) {
    const Card* line = &table.line[at(table.trick * rules.seats)];
    for (int i = 0; i < table.laid; ++i) trick_ |= bit(line[i]);
    if (table.laid == 0) return;
    led_ = same_suit(line[0]);
    best_ = winning_card(trick_, led_);
    int place = 0;
    while (line[place] != best_) ++place;
    winner_ = (table.leader + place) % rules.seats;
  }

  Cards hand() const { return hand_; }
  Phase phase() const { return table_->phase; }
  int self() const { return table_->actor; }
  int seats() const { return rules_->seats; }
  bool last_to_play() const { return table_->laid + 1 == rules_->seats; }
  bool leading() const { return table_->laid == 0; }
  Cards trick() const { return trick_; }
  Cards led() const { return led_; }
  int best() const { return best_; }      // card that wins so far
  int winner() const { return winner_; }  // its seat
  Cards unplayed() const { return rules_->deck & ~table_->played; }
  Cards elsewhere() const { return unplayed() & ~hand_; }
  Cards legal_cards() const { return playable(hand_, led_); }

  Cards tasks_of(int seat) const { return table_->pending[at(seat)]; }
  Cards own_tasks() const { return table_->pending[table_->actor]; }
  Cards open_tasks() const { return thecrew::open_tasks(*table_); }
  Cards free_tasks() const { return thecrew::free_tasks(*table_); }
  bool marked(int card) const { return token_of(*table_, card) >= 0; }

  // Tasks whose tokens allow them to be completed in this trick, were it the only one in it.
  Cards ready_tasks() const {
    const Cards open = open_tasks();
    if (rules_->mission.token_count == 0) return open;
    const auto on = [&](int token) {
      const Card card = table_->token_on[at(token)];
      return card == no_card ? Cards{0} : bit(card) & open;
    };
    for (int t = 0; t < numbers; ++t)
      if (on(t)) return on(t);
    Cards ready = open;
    bool waiting = false;
    for (int t = first_arrow; t < omega; ++t) {
      if (waiting) ready &= ~on(t);
      waiting |= on(t) != 0;
    }
    if (on(omega) && open != on(omega)) ready &= ~on(omega);
    return ready;
  }

  // Winning this trick: 1 wanted, -1 to be avoided, 0 no matter, by the constraints on roles.
  int wish() const {
    int wish = 0;
    const int number = table_->trick + 1;
    const bool last = number == rules_->tricks;
    for (int i = 0; i < rules_->mission.constraint_count; ++i) {
      const Constraint& c = rules_->mission.constraint[at(i)];
      const bool me = role_seat(*table_, c.who) == self();
      switch (c.kind) {
        case ConstraintKind::tricks_won:
          if (me)
            wish = table_->won[at(self())] >= c.most   ? -1
                   : table_->won[at(self())] < c.least ? 1
                                                       : wish;
          else if (wish == 0)
            wish = table_->won[role_seat(*table_, c.who)] >= c.most ? 1 : 0;
          break;
        case ConstraintKind::win_positions: {
          const bool due = (c.tricks >> (number - 1) & 1) || (last && (c.tricks & last_trick_bit));
          if (due)
            wish = me ? 1 : -1;
          else if (me && c.exclusive)
            wish = -1;
          else if (c.exclusive && wish == 0)
            wish = 1;
          break;
        }
        case ConstraintKind::balanced: {
          int fewest = max_tricks;
          for (int s = 0; s < rules_->seats; ++s)
            fewest = std::min<int>(fewest, table_->won[at(s)]);
          if (wish == 0) wish = table_->won[at(self())] > fewest ? -1 : 1;
          break;
        }
        case ConstraintKind::win_all_of_suit:
          if ((trick_ | led_) & c.cards) wish = me ? 1 : -1;
          break;
        default: break;
      }
    }
    return wish;
  }
  // Cards that must not win, and cards that should.
  Cards harmful_winners() const {
    return winners(ConstraintKind::winning_value_forbidden) | own_harm();
  }
  Cards wanted_winners() const {
    return winners(ConstraintKind::winning_value_at_least) |
           winners(ConstraintKind::each_card_wins);
  }
  bool wins_in_order() const {
    for (int i = 0; i < rules_->mission.constraint_count; ++i)
      if (rules_->mission.constraint[at(i)].ascending) return true;
    return false;
  }

  bool named(Reply reply, int seat) const {
    return table_->reply[at(seat)] == static_cast<std::uint8_t>(reply);
  }
  // Of the step's replies.
  bool offers(Reply reply) const {
    for (std::uint32_t rest = this_step(*rules_, *table_).replies; rest; rest >>= 4)
      if (static_cast<Reply>(rest & 15) == reply) return true;
    return false;
  }
  template <class List>
  void moves(List& out) const {
    list_moves(*rules_, *table_, hand_, out);
  }
  Move any(Rng& rng) const { return pick_move(*rules_, *table_, hand_, rng); }
  Said says(const Ends& ends, int card) const {
    return statement(ends, bit(card), rules_->mission.dead_zone);
  }

 private:
  Cards winners(ConstraintKind kind) const {
    Cards cards = 0;
    for (int i = 0; i < rules_->mission.constraint_count; ++i)
      if (rules_->mission.constraint[at(i)].kind == kind)
        cards |= rules_->mission.constraint[at(i)].cards;
    return cards;
  }
  Cards own_harm() const {
    Cards cards = 0;
    for (int i = 0; i < rules_->mission.constraint_count; ++i) {
      const Constraint& c = rules_->mission.constraint[at(i)];
      if (c.kind == ConstraintKind::no_winning_suit && role_seat(*table_, c.who) == self())
        cards |= c.cards;
    }
    return cards;
  }

  const Rules* rules_;
  const Table* table_;
  Cards hand_;
  Cards trick_ = 0, led_ = 0;
  int best_ = -1, winner_ = -1;
};

}  // namespace kibitz::thecrew
