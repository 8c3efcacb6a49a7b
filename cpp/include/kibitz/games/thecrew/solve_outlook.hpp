// What can be said of a position between two tricks without playing on: whether it is lost for
// sure, and how hard it looks, by which the search orders its tricks. Only the first has to be
// right.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include <kibitz/games/thecrew/solve_problem.hpp>

namespace kibitz::thecrew {

class Outlook {
 public:
  explicit Outlook(const Problem& p) : p_(p) {
    for (int i = 0; i < p.rules->mission.constraint_count; ++i) {
      const Constraint& c = p.rules->mission.constraint[at(i)];
      if (c.kind == ConstraintKind::each_card_wins) must_win_ |= c.cards & p.rules->deck;
    }
    for (int s = 0; s < p.seats(); ++s)
      for (Cards rest = all_cards; rest; rest &= rest - 1)
        if (const int card = std::countr_zero(rest); p.winners[at(card)] >> s & 1)
          usable_[at(s)] |= bit(card);
  }

  int hardness = 0;

  // True: no play from here can win. Sets `hardness`.
  bool lost(const Node& node) {
    hardness = 0;
    tricks_ = p_.rules->tricks - node.trick;
    left_ = node.left;
    for (int s = 0; s < p_.seats(); ++s) hand_[at(s)] = p_.hand[at(s)] & left_;
    for (int i = 0; i < p_.rules->mission.constraint_count; ++i) {
      const Constraint& c = p_.rules->mission.constraint[at(i)];
      if (c.kind == ConstraintKind::tricks_won &&
          static_cast<int>(of_seat(node.won, p_.role(c.who))) + tricks_ < c.least)
        return true;
    }
    count_ = 0;
    for (int s = 0; s < p_.seats(); ++s) {
      for (Cards rest = p_.tasks[at(s)] & left_; rest; rest &= rest - 1)
        if (!weigh(std::countr_zero(rest), s)) return true;
      for (Cards rest = must_win_ & hand_[at(s)] & ~p_.tasks[at(s)]; rest; rest &= rest - 1)
        if (!weigh(std::countr_zero(rest), s)) return true;
    }
    hardness += 30 * std::popcount(p_.free & left_);
    return !(in_order() && room(node));
  }

 private:
  // A card that `owner` has to win, and how many tricks must at least come before that one.
  struct Errand {
    std::uint8_t card, owner, holder;
    std::uint8_t after;
    Cards gone;  // cards that must have been laid in earlier tricks
  };
  static constexpr int never = 99;

  bool weigh(int card, int owner) {
    Errand& e = errand_[at(count_++)];
    e.card = static_cast<std::uint8_t>(card);
    e.owner = static_cast<std::uint8_t>(owner);
    e.holder = p_.holder[at(card)];
    e.gone = 0;
    int after = 0;  // a rocket may win any trick
    if (!(bit(card) & rockets)) after = e.holder == owner ? before_own(e) : before_others(e);
    e.after = static_cast<std::uint8_t>(after);
    return after < tricks_;
  }

  // Who holds the card that it must win must win with this very card. (A seat lays one card a
  // trick.) So its suit is led, and each other seat lays a lower card of the suit that may go to
  // this winner
  // (`usable_`), or has none of the suit at all. A seat without such a card must first get rid of
  // all its cards of the suit, k, in as many tricks: when the suit is led, in which the owner must
  // follow with another card of it, so at most m times, m being its other cards of the suit; or
  // else on a suit led of which the seat has none (and another seat one, to lead), for which it may
  // first have to get rid of all cards of that suit, in as many tricks in which it can't get rid of
  // the first suit. Cards only ever leave a hand, so what holds now holds until then. What lies
  // face down follows no suit: the automatic member may have higher cards there, and its own card
  // waits there through any number of tricks.
  int before_own(Errand& e) {
    const Cards suit = same_suit(e.card);
    const Cards lower = suit & (bit(e.card) - 1) & usable_[e.owner];
    const int m = std::popcount(hand_[e.owner] & suit) - 1;
    int most = 0, over = 0;
    for (int s = 0; s < p_.seats(); ++s) {
      if (s == e.owner) continue;
      const Cards own = hand_[at(s)] & suit;
      over += std::popcount(own & ~lower);
      if (!own || (own & lower) || s == p_.jarvis) continue;
      e.gone |= own;
      int tricks = std::popcount(own);
      if (tricks > m && e.owner != p_.jarvis) {
        int shortest = never;
        for (const Cards other : suit_cards)
          if (other != suit && (left_ & other & ~hand_[at(s)]))
            shortest = std::min(shortest, std::popcount(hand_[at(s)] & other));
        tricks += shortest;
      }
      most = std::max(most, tricks);
    }
    hardness += 40 + 12 * most + 3 * over;
    return most;
  }

  // Another seat holds it. The owner wins its trick with a higher card of the suit, or with a
  // rocket when it has none of the suit, for which it may first have to get rid of all; or it wins
  // a trick in which another suit is led, of which the holder must have none. Face-down cards are
  // in nobody's way, so nothing is said of the automatic member.
  int before_others(const Errand& e) {
    const Cards suit = same_suit(e.card);
    const Cards own = hand_[e.owner];
    const Cards beyond = suit & ~((bit(e.card) << 1) - 1);
    if (own & beyond) {
      hardness += 20 + std::popcount(left_ & beyond & ~own);
      return 0;
    }
    int least = never;
    const bool trumps = own & rockets;
    if (trumps) least = std::popcount(own & suit);
    for (const Cards other : suit_cards)
      if (other != suit && (trumps || (own & other)) && (left_ & other & ~hand_[e.holder]))
        least = std::min(least, std::popcount(hand_[e.holder] & other));
    if (e.owner == p_.jarvis || e.holder == p_.jarvis) least = 0;
    hardness += 40 + 12 * least;
    return least;
  }

  // A trick comes after all those in which its `gone` must be laid, and no earlier than those of
  // the tasks that have to be completed by then. False where that leaves no place for one.
  bool in_order() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int i = 0; i < count_; ++i) {
        Errand& e = errand_[at(i)];
        const Cards before = p_.before[e.card];
        if (!(e.gone | before)) continue;
        for (int j = 0; j < count_; ++j) {
          const Errand& f = errand_[at(j)];
          int after = 0;
          if (e.gone >> f.card & 1)
            after = f.after + 1;
          else if (before >> f.card & 1)
            after = f.after;
          if (after <= e.after) continue;
          if (after >= tricks_) return false;
          e.after = static_cast<std::uint8_t>(after);
          moved = true;
        }
      }
    }
    return true;
  }

  // In one trick its winner gets one card of each seat. So a seat must win as many tricks as it has
  // errands with one and the same holder, and no trick serves two seats. Those errands that have at
  // least `after` tricks before them must all find room in the tricks after these.
  bool room(const Node& node) const {
    std::uint32_t asked = 0;  // values of `after`
    for (int i = 0; i < count_; ++i) asked |= 1u << errand_[at(i)].after;
    for (asked |= 1; asked; asked &= asked - 1) {
      const int after = std::countr_zero(asked);
      std::array<std::array<std::uint8_t, 5>, 5> n{};
      std::array<std::uint8_t, 5> need{};
      for (int i = 0; i < count_; ++i) {
        const Errand& e = errand_[at(i)];
        if (e.after < after) continue;
        need[e.owner] = std::max(need[e.owner], ++n[e.owner][e.holder]);
      }
      int sum = 0;
      for (int s = 0; s < p_.seats(); ++s) {
        if (after == 0 && need[at(s)] == 0 && of_seat(node.quota, s)) need[at(s)] = 1;
        sum += need[at(s)];
      }
      if (sum > tricks_ - after) return false;
    }
    return true;
  }

  const Problem& p_;
  Cards must_win_ = 0;
  std::array<Cards, 5> usable_{};  // what may lie in a trick that the seat wins
  Cards left_ = 0;
  int tricks_ = 0;
  std::array<Cards, 5> hand_{};
  std::array<Errand, deck_size> errand_{};
  int count_ = 0;
};

}  // namespace kibitz::thecrew
