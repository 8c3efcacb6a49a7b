// Uniform worlds that fit a view.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <kibitz/core/rng.hpp>
#include <kibitz/games/kami/view.hpp>

namespace kibitz::kami {

// Draws worlds that fit a view: the unseen physical cards uniformly over the hidden places, given
// the facts of contradiction(). Built once a view; a draw costs one bounded number a hidden place.
// Precondition: contradiction(rules, view) is empty.
class Sampler {
 public:
  Sampler(const Rules& rules, const View& view)
      : no_pair_(proves_no_pair(rules, view)), unpaired_(unpaired_entry(rules, view)) {
    base_.board = view.board;
    base_.hand[view.seat] = view.hand;
    base_.aside = view.aside;
    const auto unseen = unseen_counts(view);
    for (int kind = 0; kind < card_types; ++kind)
      for (int i = 0; i < unseen[static_cast<std::size_t>(kind)]; ++i)
        cards_[count_++] = static_cast<std::uint8_t>(kind);
    soldiers_ = static_cast<std::uint32_t>(unseen[0]);
    for (int s = 0; s < rules.players; ++s) {
      const auto seat = static_cast<Seat>(s);
      places_[seat] = places_of(rules, view, seat);
      owed_[seat] = soldiers_owed(rules, view, seat);
      any_owed_ |= owed_[seat] >= 0;
    }
    players_ = rules.players;
    covered_ = view.board.covered;
    if (rules.players == 3) {
      const int dealt = view.board.phase == Phase::deal ? std::max(view.board.dealt - 3, 0) : 2;
      for (int i = 0; i < (view.board.phase == Phase::first ? 0 : dealt); ++i)
        if (view.aside[static_cast<std::size_t>(i)] == 0) aside_ |= 1u << i;
    }
    if (any_owed_ || no_pair_ || unpaired_ >= 0) return;
    plain_ = true;
  }

  void draw(State& world, Rng& rng) const {
    if (plain_) [[likely]]
      return deal_out(world, rng);
    // The two facts that are not dealt for are kept by trying again: each leaves at least one
    // world in 2 * 24 * 8, whatever the position, and both are rare.
    do {
      if (any_owed_)
        deal_owed(world, rng);
      else
        deal_out(world, rng);
    } while (!agrees(world));
  }

 private:
  // A deck of unseen cards that is drawn from without replacement.
  struct Pile {
    std::array<std::uint8_t, deck_size> cards;
    std::uint32_t left;
    unsigned take(Rng& rng) {
      const std::uint32_t j = rng.below(left);
      const unsigned kind = cards[j];
      cards[j] = cards[--left];
      return kind;
    }
  };

  void deal_rest(State& world, Pile& pile, Rng& rng, bool skip_owed) const {
    for (int s = 0; s < players_; ++s) {
      const auto seat = static_cast<std::size_t>(s);
      if (skip_owed && owed_[seat] >= 0) continue;
      std::uint64_t lanes = world.hand[seat].lanes();
      for (int i = 0; i < places_[seat].hand; ++i)
        lanes += std::uint64_t{1} << (8 * pile.take(rng));
      world.hand[seat] = Counts(lanes);
      for (std::uint32_t rest = places_[seat].entries; rest; rest &= rest - 1)
        lay(world, std::countr_zero(rest), pile.take(rng));
    }
    for (std::uint32_t rest = covered_; rest; rest &= rest - 1)
      world.lower |= (pile.take(rng) + 1) << (4 * std::countr_zero(rest));
    for (std::uint32_t rest = aside_; rest; rest &= rest - 1)
      world.aside[static_cast<std::size_t>(std::countr_zero(rest))] =
          static_cast<std::uint8_t>(pile.take(rng) + 1);
  }

  static void lay(State& world, int at, unsigned kind) {
    world.board.line[static_cast<std::size_t>(at)] |= static_cast<std::uint8_t>((kind + 1) << 4);
  }

  void deal_out(State& world, Rng& rng) const {
    world = base_;
    Pile pile{cards_, count_};
    deal_rest(world, pile, rng, false);
  }

  // Seats that asked for a redeal first: which of their places hold Soldiers, then other cards for
  // the rest of their places; what is left goes everywhere else.
  void deal_owed(State& world, Rng& rng) const {
    world = base_;
    Pile others{};
    for (std::uint32_t i = soldiers_; i < count_; ++i) others.cards[others.left++] = cards_[i];
    std::uint32_t soldiers = soldiers_;
    for (int s = 0; s < players_; ++s) {
      const auto seat = static_cast<std::size_t>(s);
      if (owed_[seat] < 0) continue;
      auto owed = static_cast<std::uint32_t>(owed_[seat]);
      auto places = static_cast<std::uint32_t>(places_[seat].count());
      soldiers -= owed;
      const auto next = [&]() -> unsigned {
        const bool soldier = rng.below(places--) < owed;
        owed -= soldier;
        return soldier ? 0u : others.take(rng);
      };
      for (int i = 0; i < places_[seat].hand; ++i) world.hand[seat].add(static_cast<int>(next()));
      for (std::uint32_t rest = places_[seat].entries; rest; rest &= rest - 1)
        lay(world, std::countr_zero(rest), next());
    }
    Pile pile = others;
    for (; soldiers > 0; --soldiers) pile.cards[pile.left++] = 0;
    deal_rest(world, pile, rng, true);
  }

  bool agrees(const State& world) const {
    if (no_pair_ && world.hand[world.board.to_move] == two_empresses) return false;
    if (unpaired_ < 0) return true;
    const std::uint8_t pair = world.board.line[static_cast<std::size_t>(unpaired_)];
    return pair >> 4 != (pair & 15);
  }

  State base_{};
  std::array<std::uint8_t, deck_size> cards_{};  // kinds, Soldiers first
  std::array<Places, 4> places_{};
  std::array<int, 4> owed_{};
  std::uint32_t count_ = 0;
  std::uint32_t soldiers_ = 0;
  std::uint32_t covered_ = 0;
  std::uint32_t aside_ = 0;
  int players_ = 0;
  bool any_owed_ = false;
  bool plain_ = false;
  bool no_pair_;
  int unpaired_;
};

}  // namespace kibitz::kami