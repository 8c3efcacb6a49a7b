// Uniform worlds that fit a view.
//
// A world is a whole State. Before the first trick its hidden parts are the cards that others were
// dealt and which three of them each has passed. Later it is the same to draw the hands as they are
// now and then, for each pass not seen, any three of the thirteen cards that its receiver had: no
// fact of play tells such cards apart, so every world comes as often as any other.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <kibitz/core/assignment.hpp>
#include <kibitz/games/hearts/facts.hpp>

namespace kibitz::hearts {

// Built once a view. Cards that no fact singles out are dealt by a plain shuffle; the others by
// counting completions, so nothing is ever tried and rejected. Precondition: no contradiction.
class Sampler {
 public:
  Sampler(const Rules& rules, const View& view) : table_(view.table), me_(view.table.seat) {
    table_.seat = nobody;
    base_[me_] = view.hand;
    if (table_.phase < Phase::first)
      prepare_dealt(view);
    else
      prepare_held(rules, view);
    for (Cards left = pool_; left; left &= left - 1)
      pile_[size_++] = static_cast<Card>(lowest(left));
  }

  void draw(State& world, Rng& rng) const {
    world.hand = base_;
    world.table = table_;
    std::array<int, seats> room = room_;
    if (!items_.empty())
      assignment_.draw(rng, [&](std::size_t i, int place) {
        world.hand[at(place)] |= bit(items_[i]);
        --room[at(place)];
      });
    deal_pool(world.hand, room, rng);
    if (table_.phase < Phase::first)
      pass_dealt(world, rng);
    else if (table_.way != Way::none)
      fill_passed(world, rng);
  }

 private:
  // ---- before the first trick: hands as dealt ----

  void prepare_dealt(const View& view) {
    const bool whole = table_.phase > Phase::deal;
    const bool served = whole && table_.phase == Phase::get && table_.count > me_;
    const Cards got = served ? passed_by(table_, giver_to(table_, me_)) : 0;
    if (whole) base_[me_] = (view.hand & ~got) | passed_by(table_, me_);
    pool_ = pack & ~base_[me_] & ~got;
    if (served) base_[giver_to(table_, me_)] = got;
    for (int s = 0; s < seats; ++s) {
      const int dealt = whole ? 13 : table_.phase == Phase::deal ? (table_.count + 3 - s) / 4 : 0;
      if (s != me_) room_[at(s)] = dealt - std::popcount(base_[at(s)]);
    }
  }

  // Any cards that a giver was dealt may be those it has passed.
  void pass_dealt(State& world, Rng& rng) const {
    if (table_.phase == Phase::deal) return;
    Table& table = world.table;
    for (int s = 0; s < seats; ++s) {
      Card* passed = &table.passed[3 * at(s)];
      int count = 0;
      while (count < 3 && passed[count] != no_card) ++count;
      if (count && passed[0] == hidden) choose(world.hand[at(s)], count, passed, rng);
      world.hand[at(s)] &= ~passed_by(table, s);
    }
    if (table.phase != Phase::get) return;
    for (int s = 0; s < table.count; ++s) world.hand[at(s)] |= passed_by(table, giver_to(table, s));
  }

  // ---- from then on: hands as they are ----

  void prepare_held(const Rules& rules, const View& view) {
    const Facts facts(rules, view);
    Unseen unseen(view, facts);
    played_ = facts.played;
    room_ = unseen.room;
    // A card that fits one seat only is placed at once, and may fill that seat.
    for (bool again = true; again;) {
      again = false;
      for (Cards left = unseen.cards; left; left &= left - 1) {
        const Cards card = left & (0 - left);
        int place = -1, places = 0;
        for (int s = 0; s < seats; ++s)
          if (room_[at(s)] > 0 && (unseen.may[at(s)] & card)) place = s, ++places;
        if (places != 1) continue;
        base_[at(place)] |= card;
        unseen.cards &= ~card;
        --room_[at(place)];
        again = true;
      }
    }
    pool_ = unseen.cards;
    for (int s = 0; s < seats; ++s)
      if (room_[at(s)] > 0) pool_ &= unseen.may[at(s)];
    if (pool_ != unseen.cards) count(unseen);
  }

  void count(const Unseen& unseen) {
    std::array<int, Assignment::max_places> room{};
    for (std::size_t s = 0; s < room_.size(); ++s) room[s] = room_[s];
    assignment_.begin(room, 0);
    for (Cards left = unseen.cards & ~pool_; left; left &= left - 1) {
      std::vector<Assignment::Option> options;
      for (int s = 0; s < seats; ++s)
        if (room_[at(s)] > 0 && (unseen.may[at(s)] & left & (0 - left)))
          options.push_back({static_cast<std::int8_t>(s), -1, 0, 0, s});
      items_.push_back(static_cast<Card>(lowest(left)));
      assignment_.item(std::move(options));
    }
    // The pool then fills what room is left: a multinomial number of ways.
    assignment_.count([](const std::array<int, Assignment::max_places>& rooms) {
      std::uint64_t ways = 1;
      std::uint64_t filled = 0;
      for (const int room_left : rooms)
        for (int i = 1; i <= room_left; ++i) ways = ways * ++filled / static_cast<std::uint64_t>(i);
      return ways;
    });
  }

  void fill_passed(State& world, Rng& rng) const {
    for (int s = 0; s < seats; ++s) {
      Card* passed = &world.table.passed[3 * at(s)];
      const Seat to = receiver_of(table_, s);
      if (passed[0] == hidden) choose(world.hand[to] | played_[to], 3, passed, rng);
    }
  }

  // ---- both ----

  // So many of the cards, uniformly, ascending.
  static void choose(Cards cards, int count, Card* out, Rng& rng) {
    Cards chosen = 0;
    for (int i = 0; i < count; ++i) chosen |= bit(pick_card(cards & ~chosen, rng));
    for (int i = 0; i < count; ++i, chosen &= chosen - 1)
      out[i] = static_cast<Card>(lowest(chosen));
  }

  // The last seat takes what the others leave, unless cards are still undealt.
  void deal_pool(std::array<Cards, seats>& hand, const std::array<int, seats>& room,
                 Rng& rng) const {
    std::array<Card, 52> pile = pile_;
    std::uint32_t left = size_;
    for (std::size_t s = 0; s < room.size(); ++s) {
      auto wanted = static_cast<std::uint32_t>(room[s]);
      if (wanted == left)
        while (wanted) --wanted, hand[s] |= bit(pile[--left]);
      for (; wanted; --wanted) {
        const std::uint32_t j = rng.below(left);
        hand[s] |= bit(pile[j]);
        pile[j] = pile[--left];
      }
    }
  }

  Table table_;
  Seat me_;
  std::array<Cards, seats> base_{};  // cards whose place is certain
  std::array<int, seats> room_{};    // for others
  std::array<Cards, seats> played_{};
  Cards pool_ = 0;  // cards that may be with any seat that has room
  std::array<Card, 52> pile_{};
  std::uint32_t size_ = 0;
  std::vector<Card> items_;  // cards that may be with some
  Assignment assignment_;
};

}  // namespace kibitz::hearts
