// The worlds that fit a view, laid out for counting: which cards are placed, which go anywhere, and
// which need care because a fact tells places apart.
//
// Every State that fits the hard facts is one world and has the same weight. Its hidden parts are
// the cards in other hands and in the display, and who passed or drew what; a passed or drawn card
// may be any that its giver could have given (docs/games/thecrew.md, "Worlds").
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <kibitz/core/assignment.hpp>
#include <kibitz/games/thecrew/facts.hpp>

namespace kibitz::thecrew {

inline constexpr int display_place = 5;  // its face-down cards; places 0 to 4 are hands
inline constexpr int places = 6;

// One possibility for a card: where it is, and whether it is the one its seat received in the draw.
struct Spot {
  int place = -1;         // -1: it has been played
  bool received = false;  // by that seat, which is unknown to the view
  int seat = -1;          // that holds or has played it
  int before = -1;        // the seat that had it before the draw; now, if there was none
};

class Worlds {
 public:
  Worlds(const Rules& rules, const View& view, int without = -1)
      : rules_(rules), table_(view.table), facts_(rules, view, without), view_(view) {
    if (!facts_.broken.empty()) {
      fail(facts_.broken);
      return;
    }
    base_.hand[view.seat] = view.hand;
    if (table_.jarvis != nobody) base_.hand[table_.jarvis] = face_up(table_);
    measure();
    if (before_play(table_.phase)) {
      place_dealt();
      return;
    }
    check_seen();
    if (any()) place_all();
    if (any()) build();
  }

  bool any() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  const Facts& facts() const { return facts_; }
  std::size_t nodes() const { return assignment_.nodes(); }

 protected:
  using Room = std::array<int, Assignment::max_places>;

  void fail(const std::string& why) {
    if (problem_.empty()) problem_ = why;
  }

  Cards unseen() const {
    Cards cards = rules_.deck & ~view_.hand & ~table_.played & ~face_up(table_);
    return cards;
  }

  // Room for cards that the view does not see.
  void measure() {
    if (before_play(table_.phase)) {
      int left = table_.count;
      for (int s = 0; s < rules_.seats; ++s) {
        if (s == table_.jarvis || table_.commander == nobody) continue;
        const int due = dealt_size(rules_, table_, s) - (table_.commander == s);
        const int got = left < due ? left : due;
        left -= got;
        if (s != view_.seat) room_[at(s)] = got + (table_.commander == s);
      }
    } else {
      for (int s = 0; s < rules_.seats; ++s)
        if (facts_.other_human(s)) room_[at(s)] = size_of(rules_, table_, s);
    }
    for (int c = 0; c < rules_.columns; ++c) room_[display_place] += table_.under[at(c)] != no_card;
  }

  void fix(int card, int place) {
    if (--room_[at(place)] < 0)
      return fail((place < max_players ? "the hand of " + seat_name(place) : "the display") +
                  " has no room for " + card_text(card) + ", which must be there");
    if (place < max_players)
      base_.hand[at(place)] |= bit(card);
    else
      fixed_down_ |= bit(card);
  }

  void place_dealt() {
    Cards cards = unseen();
    if (table_.commander != nobody && table_.commander != view_.seat) {
      fix(r4, table_.commander);
      cards &= ~bit(r4);
    }
    pool_ = cards;
  }

  // Why a card was with one seat at a time, in words; empty if nothing says so.
  std::string whereabouts(int card) const {
    const std::string text = card_text(card);
    for (int s = 0; s < rules_.seats; ++s)
      if (table_.said[at(s)] == card)
        return seat_name(s) + " said " + said_text(table_, s) + " before trick " +
               std::to_string(table_.how[at(s)] >> 2);
    for (int s = 0; s < rules_.seats; ++s)
      if (table_.given[at(s)] == card)
        return seat_name(s) + " passed " + text +
               (facts_.passed ? " to " + seat_name(receiver_of(rules_, table_, s)) : "");
    for (int s = 0; s < rules_.seats; ++s)
      if (table_.drawn[at(s)] == card) return text + " was drawn from " + seat_name(s);
    if (card == r4) return "R4 was dealt to the commander, " + seat_name(table_.commander);
    if (card == facts_.announced)
      return text + " was announced to be with " + seat_name(facts_.announcer);
    return {};
  }

  // The cards in sight lie where the facts about single cards allow it.
  void check_seen() {
    for (int s = 0; s < rules_.seats; ++s) {
      const Cards early = facts_.played_early[at(s)];
      const Cards held = s == table_.jarvis ? face_up(table_) : s == view_.seat ? view_.hand : 0;
      const int from = right_of(rules_, s);
      const Card in = facts_.exchanged ? table_.drawn[at(from)] : no_card;
      for (Cards rest = held | early | facts_.played_late[at(s)]; rest; rest &= rest - 1) {
        const int card = std::countr_zero(rest);
        const bool old = early >> card & 1;
        bool fits = old || in != hidden  // else it may be the one received
                        ? facts_.allowed[at(card)] >> (!old && in == card ? from : s) & 1
                        : true;
        for (int o = 0; o < rules_.seats; ++o)  // said since the draw
          fits &= o == s || table_.said[at(o)] != card || !facts_.exchanged ||
                  (table_.how[at(o)] >> 2) <= rules_.mission.draw_after;
        if (!fits)
          fail(card_text(card) +
               (held >> card & 1 ? (s == table_.jarvis ? " lies face up in the display"
                                                       : " is in this seat's own hand")
                                 : " was played by " + seat_name(s)) +
               ", and " + whereabouts(card));
      }
    }
  }

  // Where a card may be, given all facts about single cards.
  void spots_of(int card, bool was_played, int player, std::vector<Spot>& out) const {
    out.clear();
    const Cards mine = bit(card);
    const auto early = [&](int seat) {  // may that seat have held it before the draw, or now?
      if (!(facts_.allowed[at(card)] >> seat & 1)) return false;
      return seat == table_.jarvis || !(facts_.before.not_[at(seat)] & mine);
    };
    for (int s = 0; s < rules_.seats; ++s) {
      if (!facts_.other_human(s) || (was_played && s != player)) continue;
      if (!was_played && (facts_.now.not_[at(s)] & mine)) continue;
      bool elsewhere = false;
      for (int o = 0; o < rules_.seats; ++o) elsewhere |= o != s && (facts_.now.has[at(o)] & mine);
      if (!was_played && elsewhere) continue;
      const int place = was_played ? -1 : s;
      if (!facts_.exchanged) {
        if (early(s)) out.push_back({place, false, s, s});
        continue;
      }
      const int from = right_of(rules_, s);
      const Card in = table_.drawn[at(from)];
      if (in == card) {
        if (early(from)) out.push_back({place, false, s, from});
        continue;
      }
      // Drawn before this seat's eyes, it is no longer where it was.
      if (table_.drawn[at(s)] != card && early(s)) out.push_back({place, false, s, s});
      if (in == hidden && !(facts_.kept & mine) && early(from))
        out.push_back({place, true, s, from});
    }
    if (table_.jarvis == nobody || (was_played && player != table_.jarvis)) return;
    // Face down in the display, or turned up since the draw.
    const int j = table_.jarvis;
    for (int o = 0; o < rules_.seats; ++o)
      if (o != j && (facts_.now.has[at(o)] & mine)) return;
    if (!was_played && room_[display_place] == 0) return;
    const int place = was_played ? -1 : display_place;
    const int from = right_of(rules_, j);
    const Card in = facts_.exchanged ? table_.drawn[at(from)] : no_card;
    if (in == card) {
      out.clear();
      if (early(from)) out.push_back({place, false, j, from});
      return;
    }
    if (early(j) && !(facts_.exchanged && table_.drawn[at(j)] == card))
      out.push_back({place, false, j, j});
    if (in == hidden && !(facts_.kept & mine) && early(from)) out.push_back({place, true, j, from});
  }

  // Splits the unseen cards into placed ones, a pool that goes anywhere, and items that are
  // counted.
  void place_all() {
    for (int s = 0; s < rules_.seats; ++s)
      if (facts_.exchanged && s != view_.seat && !facts_.received_known(s)) marks_ |= 1u << s;
    // The automatic member's own view holds nothing, and does not know what came into the display.
    if (facts_.exchanged && view_.seat == table_.jarvis) marks_ |= 1u << view_.seat;
    std::vector<Spot> spots;
    const auto sort_out = [&](int card, bool was_played, int player) {
      spots_of(card, was_played, player, spots);
      if (spots.empty()) {
        std::string why =
            card_text(card) +
            (was_played ? " cannot have been with " + seat_name(player) : " can be with no seat");
        const char* between = ": ";
        for (const Fact& fact : facts_.facts)
          if (fact.kind == Fact::Kind::without && (fact.cards >> card & 1) &&
              (!was_played || fact.seat == player))
            why += between + fact.text, between = ", ";
        return fail(why);
      }
      choices_[at(card)] = spots;
    };
    for (Cards rest = unseen(); rest; rest &= rest - 1) sort_out(std::countr_zero(rest), false, -1);
    for (int s = 0; s < rules_.seats; ++s)
      if (marks_ >> s & 1)
        for (Cards rest = s == table_.jarvis ? table_.turned : facts_.played_late[at(s)]; rest;
             rest &= rest - 1)
          sort_out(std::countr_zero(rest), true, s);
  }

  // Seats that a label of the distress exchange is counted for: the hand that its giver chose from,
  // or the hand it went to (R21: never a rocket). Only others' choices that this view has not seen.
  bool counts_label(int giver) const {
    return table_.given[at(giver)] == hidden && giver != table_.jarvis;
  }
  int label_hand(int giver) const {
    return facts_.passed ? receiver_of(rules_, table_, giver) : giver;
  }

  // ---- the count -----------------------------------------------------------------

  struct Group {
    std::vector<int> cards;
    std::vector<const Fact*> facts;
    bool labels = false;
  };

  static constexpr int label_shift = 8;  // register: two bits a fact, then three a hand, then one

  void build() {
    std::array<Group, suits> groups;
    std::array<bool, suits> counted{};
    Cards open = 0;
    for (int c = 0; c < deck_size; ++c)
      if (!choices_[at(c)].empty()) open |= bit(c);
    // Cards with a single spot are placed at once.
    for (Cards rest = open; rest; rest &= rest - 1) {
      const int c = std::countr_zero(rest);
      const std::vector<Spot>& spots = choices_[at(c)];
      if (spots.size() != 1 || spots[0].received) continue;
      if (spots[0].place >= 0) fix(c, spots[0].place);
      placed_[at(c)] = spots[0];
      open &= ~bit(c);
    }
    if (!any()) return;
    std::uint32_t everywhere = 0;
    for (int p = 0; p < places; ++p)
      if (room_[at(p)] > 0) everywhere |= 1u << p;
    for (const Fact& fact : facts_.open) {
      if (settled(fact)) continue;
      const auto suit = at(suit_of(std::countr_zero(fact.cards)));
      groups[suit].facts.push_back(&fact);
      counted[suit] = true;
    }
    for (Cards rest = open; rest; rest &= rest - 1) {
      const int c = std::countr_zero(rest);
      std::uint32_t here = 0;
      for (const Spot& spot : choices_[at(c)]) here |= spot.place >= 0 ? 1u << spot.place : 0;
      groups[at(suit_of(c))].cards.push_back(c);
      if (here != everywhere || marks_) counted[at(suit_of(c))] = true;
    }
    join_labels(groups, counted, open);
    find_move_of_announced();
    Cards free = 0;
    assignment_.begin(room_, marks_);
    for (int suit = 0; suit < suits; ++suit) {
      Group& group = groups[at(suit)];
      if (!counted[at(suit)]) {
        for (const int c : group.cards) free |= bit(c);
        continue;
      }
      add_group(group);
    }
    pool_ |= free;
    if (!any()) return;
    if (assignment_.items() == 0) {
      if (std::accumulate(room_.begin(), room_.end(), 0) != std::popcount(pool_) || marks_)
        fail("the unseen cards do not fill the hands");
      return;
    }
    count();
  }

  // What is placed already satisfies an open fact, or not.
  bool settled(const Fact& fact) const {
    Cards there = 0;
    for (int c = 0; c < deck_size; ++c) {
      const Spot& spot = placed_[at(c)];
      if ((fact.before ? spot.before : spot.place >= 0 ? spot.seat : -1) == fact.seat)
        there |= bit(c);
    }
    return fact.kind == Fact::Kind::one_of && (there & fact.cards);
  }

  // The rockets decide how many cards could have been passed: they stand in one group with the
  // announced card, if that is one whose place tells something of the labels.
  void join_labels(std::array<Group, suits>& groups, std::array<bool, suits>& counted, Cards open) {
    bool labels = false;
    for (int g = 0; g < rules_.seats; ++g) labels |= table_.sent && counts_label(g);
    if (!labels) return;
    const bool announced = facts_.passed && facts_.announced >= 0 && (open >> facts_.announced & 1);
    if (!(open & rockets) && !announced) return;
    Group& last = groups[rocket_suit];
    counted[rocket_suit] = last.labels = true;
    if (!announced) return;
    Group& suit = groups[at(suit_of(facts_.announced))];
    if (&suit == &last) return;
    last.cards.insert(last.cards.begin(), suit.cards.begin(), suit.cards.end());
    last.facts.insert(last.facts.begin(), suit.facts.begin(), suit.facts.end());
    suit = {};
    counted[at(suit_of(facts_.announced))] = false;
  }

  void add_group(const Group& group) {
    std::vector<const Fact*> facts = group.facts;
    for (const int c : group.cards) {
      std::vector<Assignment::Option> options;
      for (const Spot& spot : choices_[at(c)]) {
        Assignment::Option option;
        option.place = static_cast<std::int8_t>(spot.place);
        option.mark = static_cast<std::int8_t>(spot.received ? spot.seat : -1);
        for (std::size_t f = 0; f < facts.size(); ++f) {
          const Fact& fact = *facts[f];
          if ((fact.before ? spot.before : spot.place >= 0 ? spot.seat : -1) != fact.seat) continue;
          if (fact.cards >> c & 1) option.raise |= 1u << (2 * f);
          if (fact.other >> c & 1) option.raise |= 2u << (2 * f);
        }
        if (group.labels && spot.before >= 0) {
          if (bit(c) & rockets) option.add += 1u << (label_shift + 3 * spot.before);
        }
        if (group.labels && c == facts_.announced && spot.before != facts_.announcer)
          option.raise |= 1u << (Assignment::register_bits - 1);
        option.tag = (spot.place & 0xff) | (spot.received ? spot.seat + 1 : 0) << 8;
        options.push_back(option);
      }
      items_.push_back(c);
      assignment_.item(std::move(options));
    }
    std::uint32_t base = 0;  // what placed cards note already
    for (std::size_t f = 0; f < facts.size(); ++f)
      for (int c = 0; c < deck_size; ++c) {
        const Spot& spot = placed_[at(c)];
        if ((facts[f]->before ? spot.before : spot.place >= 0 ? spot.seat : -1) != facts[f]->seat)
          continue;
        if (facts[f]->cards >> c & 1) base |= 1u << (2 * f);
        if (facts[f]->other >> c & 1) base |= 2u << (2 * f);
      }
    const bool labels = group.labels;
    const auto ways = [this, facts, labels, base](std::uint32_t noted) -> std::uint64_t {
      noted |= base;
      for (std::size_t f = 0; f < facts.size(); ++f) {
        const std::uint32_t seen = noted >> (2 * f) & 3;
        if (facts[f]->kind == Fact::Kind::one_of ? seen == 0 : seen == 3) return 0;
      }
      return labels ? label_ways(noted) : 1;
    };
    if (!group.cards.empty())
      assignment_.end_group(ways);
    else if (ways(0) == 0)
      fail("no deal agrees with all that has been seen");
  }

  // In how many ways the unseen passed cards may have been chosen, with so many rockets a hand.
  std::uint64_t label_ways(std::uint32_t noted) const {
    const bool moved = announced_moved(noted);
    std::uint64_t ways = 1;
    for (int g = 0; g < rules_.seats; ++g) {
      if (!counts_label(g)) continue;
      const int hand = label_hand(g);
      int rocket_count =
          static_cast<int>(noted >> (label_shift + 3 * hand) & 7) + known_rockets(hand);
      int choices = dealt_size(rules_, table_, hand) - rocket_count;
      if (facts_.passed && facts_.announced >= 0 && (bit(facts_.announced) & colours)) {
        if (g == facts_.announcer && moved) choices = 1;
        if (hand == facts_.announcer && !moved) --choices;
      }
      if (choices <= 0) return 0;
      ways *= static_cast<std::uint64_t>(choices);
    }
    return ways;
  }
  bool announced_moved(std::uint32_t noted) const {
    return announced_moved_ || (noted >> (Assignment::register_bits - 1) & 1);
  }
  // Where what is certain already tells that the announced card was passed on.
  void find_move_of_announced() {
    if (facts_.announced < 0 || !facts_.passed) return;
    const Cards card = bit(facts_.announced);
    for (int s = 0; s < rules_.seats; ++s)
      if (s != facts_.announcer &&
          (placed_[at(facts_.announced)].before == s ||
           ((facts_.played_early[at(s)] | facts_.before.has[at(s)]) & card)))
        announced_moved_ = true;
  }
  // Rockets that the hand of the exchange held for certain: placed, or played before the draw.
  int known_rockets(int seat) const {
    Cards cards = facts_.played_early[at(seat)] & rockets;
    if (!facts_.exchanged) cards |= facts_.played_late[at(seat)] & rockets;
    for (Cards rest = rockets; rest; rest &= rest - 1) {
      const int c = std::countr_zero(rest);
      if (placed_[at(c)].before == seat) cards |= bit(c);
    }
    if (facts_.exchanged) cards |= facts_.before.has[at(seat)] & rockets;
    return std::popcount(cards);
  }

  void count() {
    const int pool = std::popcount(pool_);
    assignment_.count([pool](const Room& room) -> std::uint64_t {
      int left = pool;
      std::uint64_t ways = 1;
      for (const int r : room)
        for (int i = 1; i <= r; ++i) {
          if (left == 0) return 0;
          ways = ways * static_cast<std::uint64_t>(left--) / static_cast<std::uint64_t>(i);
        }
      return left == 0 ? ways : 0;
    });
    if (assignment_.total() == 0) fail("no deal agrees with all that has been seen");
  }

  const Rules& rules_;
  const Table& table_;
  Facts facts_;
  const View& view_;
  State base_{};
  Room room_{};
  std::uint32_t marks_ = 0;  // seats that received an unknown card in the draw
  std::array<std::vector<Spot>, 40> choices_;
  std::array<Spot, 40> placed_{};  // cards whose spot is certain
  std::vector<int> items_;         // cards counted, in the order of the assignment
  Cards pool_ = 0;                 // cards that may go wherever there is room
  Cards fixed_down_ = 0;
  bool announced_moved_ = false;
  Assignment assignment_;
  std::string problem_;
};

}  // namespace kibitz::thecrew
