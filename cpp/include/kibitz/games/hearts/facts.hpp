// What the record proves of hidden cards, as sets: what a seat cannot hold any more, and what it is
// known to hold.
//
//     - it did not follow suit: none of that suit;
//     - it gave points to the first trick: no card without points (unless the option allows it);
//     - it led a heart before hearts were broken: nothing but hearts (or the queen of spades);
//     - it leads the first trick: the two of clubs, until it is played;
//     - this seat passed it a card: that card, until it is played.
#pragma once

#include <array>
#include <string>

#include <kibitz/games/hearts/play.hpp>

namespace kibitz::hearts {

inline std::string seat_name(int seat) { return "seat " + std::to_string(seat); }
inline constexpr std::array<const char*, 4> suit_names = {"clubs", "diamonds", "spades", "hearts"};

class Facts {
 public:
  Facts(const Rules& rules, const View& view) : rules_(rules), table_(view.table) {
    const Seat me = table_.seat;
    if (table_.phase < Phase::first) return;
    if (table_.way != Way::none) has[receiver_of(table_, me)] = passed_by(table_, me);
    if (table_.first == nobody) return;
    know(table_.first, two_of_clubs);
    walk();
    if (broken.empty() && has[me] & ~view.hand)
      broken = "this seat would hold " + card_text(lowest(has[me] & ~view.hand)) + ", and does not";
    for (int s = 0; s < seats && broken.empty(); ++s) {
      if (s == me) continue;
      if (has[at(s)] & view.hand)
        broken = seat_name(s) + " would hold " + card_text(lowest(has[at(s)] & view.hand)) +
                 ", which this seat holds";
      else if (has[at(s)] & lacks[at(s)])
        broken = why_not(s, lowest(has[at(s)] & lacks[at(s)])) + ", which it is known to hold";
    }
  }

  std::array<Cards, seats> lacks{};   // cannot be in the seat's hand now
  std::array<Cards, seats> has{};     // is in it for certain
  std::array<Cards, seats> played{};  // by the seat
  std::string broken;                 // the fact that the record contradicts, or empty

  // "seat 2 did not follow hearts in trick 3, so it cannot hold 5H". Precondition: lacks it.
  std::string why_not(int seat, int card) const {
    static constexpr std::array<const char*, 3> shown = {" did not follow ", " gave points to ",
                                                         " led a heart unbroken in "};
    const Shown& note = shown_[at(seat)][at(suit_of(card))];
    const auto which = static_cast<std::size_t>(note.how);
    return seat_name(seat) + shown[which] +
           (which == 0 ? suit_names[at(suit_of(card))] + std::string(" in ") : "") + "trick " +
           std::to_string(note.trick) + ", so it cannot hold " + card_text(card);
  }

 private:
  enum class How : std::uint8_t { not_followed, points_given, heart_led };
  struct Shown {
    How how;
    int trick;  // from 1
  };

  void know(int seat, int card) {
    for (int s = 0; s < seats; ++s)
      if (s != seat && has[at(s)] & bit(card))
        broken = seat_name(seat) + " would hold " + card_text(card) + ", which " + seat_name(s) +
                 " was passed";
    has[at(seat)] |= bit(card);
  }

  void lack(int seat, Cards cards, How how, int trick) {
    for (int suit = 0; suit < 4; ++suit)
      if (cards & suit_cards(suit) & ~lacks[at(seat)]) shown_[at(seat)][at(suit)] = {how, trick};
    lacks[at(seat)] |= cards;
  }

  void walk() {
    int leader = table_.first;
    bool open = false;  // hearts are broken
    for (int i = 0; i < table_.count && broken.empty(); ++i) {
      const int card = table_.line[at(i)];
      const int seat = seat_after(leader, i % 4);
      const int trick = i / 4 + 1;
      for (int s = 0; s < seats; ++s)
        if (s != seat && has[at(s)] & bit(card))
          broken = seat_name(seat) + " cannot have played " + card_text(card) + ", which " +
                   seat_name(s) + " held";
      if (lacks[at(seat)] & bit(card)) broken = why_not(seat, card);
      has[at(seat)] &= ~bit(card);
      played[at(seat)] |= bit(card);
      const Cards led = same_suit(table_.line[at(i & ~3)]);
      const bool is_heart = hearts & bit(card);
      if (i % 4 == 0) {
        const Cards left = rules_.hearts_for_queen ? point_cards : hearts;
        if (i > 0 && is_heart && !open) lack(seat, pack & ~left, How::heart_led, trick);
      } else if (!(led & bit(card))) {
        lack(seat, pack & led, How::not_followed, trick);
        if (i < 4 && (point_cards & bit(card)) && !rules_.first_trick_free)
          lack(seat, pack & ~point_cards, How::points_given, trick);
      }
      open |= rules_.breakers >> card & 1;
      if (i % 4 == 3) leader = seat_after(leader, winning_place(&table_.line[at(i - 3)]));
    }
  }

  const Rules& rules_;
  const Table& table_;
  std::array<std::array<Shown, 4>, seats> shown_{};
};

// ---- the unseen cards --------------------------------------------------------------

// Where each unseen card may be while tricks are played, and the room for them.
struct Unseen {
  Unseen(const View& view, const Facts& facts) {
    const int me = view.table.seat;
    cards = pack & ~view.hand;
    for (const Cards played : facts.played) cards &= ~played;
    Cards known = 0;
    for (int s = 0; s < seats; ++s) {
      if (s == me) continue;
      known |= facts.has[at(s)];
      room[at(s)] = 13 - std::popcount(facts.played[at(s)]);
    }
    for (int s = 0; s < seats; ++s)
      if (s != me)
        may[at(s)] =
            room[at(s)] == 0 ? 0 : (cards & ~known & ~facts.lacks[at(s)]) | facts.has[at(s)];
  }

  Cards cards = 0;
  std::array<Cards, seats> may{};  // of the unseen cards, those that a seat can hold
  std::array<int, seats> room{};   // cards in its hand; 0 for the own seat
};

// Why no deal agrees with what the seat has seen, or nothing. By Hall's theorem the cards find
// places if and only if for each set of seats no more cards than they hold can be with them alone.
inline std::string contradiction(const Rules& rules, const View& view) {
  const Facts facts(rules, view);
  if (!facts.broken.empty() || view.table.phase < Phase::first) return facts.broken;
  const Unseen unseen(view, facts);
  for (unsigned set = 0; set < 16; ++set) {
    if (set >> view.table.seat & 1) continue;
    Cards elsewhere = 0;
    int room = 0;
    std::string names;
    for (int s = 0; s < seats; ++s) {
      if (!(set >> s & 1)) {
        elsewhere |= unseen.may[at(s)];
        continue;
      }
      room += unseen.room[at(s)];
      names += (names.empty() ? "" : " and ") + seat_name(s);
    }
    const Cards only_here = unseen.cards & ~elsewhere;
    if (std::popcount(only_here) > room)
      return set == 0 ? card_text(lowest(only_here)) + " can be with nobody"
                      : "no deal agrees with what this seat has seen: " +
                            std::to_string(std::popcount(only_here)) + " cards can only be with " +
                            names + ", room " + std::to_string(room);
  }
  return {};
}

}  // namespace kibitz::hearts
