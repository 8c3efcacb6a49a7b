// Uniform worlds that fit a view.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include <kibitz/core/rng.hpp>
#include <kibitz/games/thecrew/chance.hpp>
#include <kibitz/games/thecrew/worlds.hpp>

namespace kibitz::thecrew {

// Draws worlds that fit a view. Built once a view: cards that no fact singles out are dealt by a
// plain shuffle, the others by counting completions (core/assignment.hpp), so nothing is ever tried
// and rejected. Precondition: contradiction(rules, view) is empty.
class Sampler : private Worlds {
 public:
  Sampler(const Rules& rules, const View& view) : Worlds(rules, view) {
    base_.table = view.table;
    for (Cards rest = pool_; rest; rest &= rest - 1)
      free_[free_count_++] = static_cast<Card>(std::countr_zero(rest));
    const Table& t = view.table;
    filled_ = !before_play(t.phase);
    secrets_ = std::find(t.given.begin(), t.given.end(), hidden) != t.given.end() ||
               std::find(t.drawn.begin(), t.drawn.end(), hidden) != t.drawn.end();
    display_ = std::find(t.under.begin(), t.under.end(), hidden) != t.under.end();
    sound_ = Worlds::any();
  }
  using Worlds::nodes;

  void draw(State& world, Rng& rng) const {
    world = base_;
    if (!sound_) return;
    Room room = room_;
    Cards down = fixed_down_;
    if (!items_.empty())
      assignment_.draw(rng, [&](std::size_t i, int tag) {
        const Card card = static_cast<Card>(items_[i]);
        const int place = static_cast<std::int8_t>(tag & 0xff);
        if (tag >> 8) world.table.drawn[right_of(rules_, (tag >> 8) - 1)] = card;
        if (place < 0) return;
        --room[at(place)];
        if (place < max_players)
          world.hand[at(place)] |= bit(card);
        else
          down |= bit(card);
      });
    deal_pool(world, room, down, rng);
    if (display_) lay_display(world, down, rng);
    if (secrets_) {
      fill_drawn(world, rng);
      fill_given(world, rng);
    }
  }

 private:
  // The free cards to the room that is left; the last place takes what remains.
  void deal_pool(State& world, const Room& room, Cards& down, Rng& rng) const {
    std::array<Card, deck_size> pile = free_;
    std::uint32_t left = free_count_;
    for (int p = 0; p < places; ++p) {
      auto wanted = static_cast<std::uint32_t>(room[at(p)]);
      if (wanted == 0) continue;
      Cards taken = 0;
      if (wanted == left && filled_)
        while (wanted) --wanted, taken |= bit(pile[--left]);
      for (; wanted; --wanted) {
        const std::uint32_t j = rng.below(left);
        taken |= bit(pile[j]);
        pile[j] = pile[--left];
      }
      if (p < max_players)
        world.hand[at(p)] |= taken;
      else
        down |= taken;
    }
  }

  void lay_display(State& world, Cards down, Rng& rng) const {
    Table& t = world.table;
    std::array<Card, max_columns> cards{};
    std::uint32_t count = 0;
    for (; down; down &= down - 1) cards[count++] = static_cast<Card>(std::countr_zero(down));
    shuffle(cards.data(), count, rng);
    for (Card& card : t.under)
      if (card == hidden && count) card = cards[--count];
  }

  // S8 under way: what was drawn from hands of which this seat is neither owner nor neighbour.
  void fill_drawn(State& world, Rng& rng) const {
    Table& t = world.table;
    if (t.phase != Phase::draw) return;
    for (int s = 0; s < t.count; ++s) {
      if (t.drawn[at(s)] != hidden) continue;
      Cards cards = drawable(world, s);
      if (s == t.jarvis) {
        cards = 0;
        for (const Card card : t.under)
          if (card != no_card) cards |= bit(card);
      }
      t.drawn[at(s)] = static_cast<Card>(pick_card(cards, rng));
    }
  }

  // What others passed in distress: any card but a rocket of the hand that chose it (or, since, of
  // the hand that got it).
  void fill_given(State& world, Rng& rng) const {
    Table& t = world.table;
    for (int g = 0; g < rules_.seats; ++g) {
      if (t.given[at(g)] != hidden) continue;
      const int hand = facts().passed ? receiver_of(rules_, t, g) : g;
      Cards cards = world.hand[at(hand)];
      if (facts().passed) {
        cards |= facts().played_early[at(hand)] | facts().played_late[at(hand)];
        if (facts().exchanged)
          cards = (cards & ~bit(t.drawn[right_of(rules_, hand)])) | bit(t.drawn[at(hand)]);
        if (facts().announced >= 0) {
          const Cards card = bit(facts().announced);
          if (g == facts().announcer && (cards & card)) cards = card;
          if (hand == facts().announcer) cards &= ~card;
        }
      }
      t.given[at(g)] = static_cast<Card>(pick_card(cards & colours, rng));
    }
  }

  std::array<Card, deck_size> free_{};
  std::uint32_t free_count_ = 0;
  bool filled_ = false;   // all cards are dealt: the pool fills the room
  bool secrets_ = false;  // cards passed or drawn that this seat has not seen
  bool display_ = false;  // face-down cards
  bool sound_ = false;
};

// The fact that no world agrees with, as a sentence, or nothing.
inline std::string contradiction(const Rules& rules, const View& view) {
  const Worlds worlds(rules, view);
  if (worlds.any()) return {};
  if (!worlds.facts().broken.empty()) return worlds.facts().broken;
  const std::vector<Fact>& facts = worlds.facts().facts;
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (Worlds(rules, view, static_cast<int>(i)).any())
      return facts[i].text + ", and no deal agrees with that and with what this seat has seen";
  return worlds.problem();
}

}  // namespace kibitz::thecrew
