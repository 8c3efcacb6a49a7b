// What one seat may know: its view, masks of moves, and what the record proves of hidden cards.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/game.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// Which aside card (0, 1) a seat has looked at, or -1.
constexpr int aside_seen(const Rules& rules, const Board& board, Seat seat) {
  const int after = (seat - board.first + rules.players) % rules.players;
  return rules.players == 3 ? after - 1 : -1;
}

constexpr bool owns_entry(const Rules& rules, Seat seat, int at) {
  return at / rules.stride == seat;
}

inline View view_of(const Rules& rules, const State& state, Seat seat) {
  View view{};
  view.board = state.board;
  view.seat = seat;
  view.hand = state.hand[seat];
  for (std::uint32_t rest = view.board.hidden; rest; rest &= rest - 1) {
    const int at = std::countr_zero(rest);
    if (!owns_entry(rules, seat, at)) view.board.line[static_cast<std::size_t>(at)] &= 15;
  }
  if (const int i = aside_seen(rules, state.board, seat); i >= 0)
    view.aside[static_cast<std::size_t>(i)] = state.aside[static_cast<std::size_t>(i)];
  return view;
}

// A move as `seat` sees it when `turn` is about to make it: face-down defences from another hand,
// other hands, aside cards not looked at and lower mercenaries are blank.
inline Move mask_move(const Rules& rules, const Board& board, Turn turn, Move move, Seat seat) {
  switch (kind_of(move)) {
    case Kind::defend:
      if (board.phase == Phase::lead && turn != Turn::of(seat) && stack_of(move) < 0)
        return hidden_defence;
      return move;
    case Kind::hand: return board.dealt == seat ? move : make(Kind::hand, hidden_hand);
    case Kind::aside:
      return board.dealt - rules.players == aside_seen(rules, board, seat) ? move
                                                                           : make(Kind::aside);
    case Kind::stack: return Move{move.code & ~15u};
    default:          return move;
  }
}

// Copies of each type that the view can't place, as plain ints: a contradiction shows as a
// negative number.
inline std::array<int, card_types> unseen_counts(const View& view) {
  std::array<int, card_types> unseen{};
  for (int kind = 0; kind < card_types; ++kind)
    unseen[static_cast<std::size_t>(kind)] = full_deck[kind] - view.hand[kind];
  const auto place = [&](unsigned d) {
    if (d) --unseen[d - 1];
  };
  for (const std::uint8_t pair : view.board.line) place(pair >> 4), place(pair & 15);
  for (int s = 0; s < stacks; ++s) place(view.board.top >> (4 * s) & 15);
  for (const std::uint8_t d : view.aside) place(d);
  return unseen;
}

// Hidden places of one seat: cards in hand, and its face-down cards from the hand.
struct Places {
  int hand = 0;
  std::uint32_t entries = 0;
  int count() const { return hand + std::popcount(entries); }
};

inline std::uint32_t entries_of(const Rules& rules, Seat seat) {
  const std::uint32_t width = rules.stride == 16 ? 0xffffu : 0xffu;
  return width << (seat * rules.stride);
}

inline Places places_of(const Rules& rules, const View& view, Seat seat) {
  if (seat == view.seat) return {};
  return {view.board.size[seat], view.board.hidden & entries_of(rules, seat)};
}

// Soldiers that a seat has shown face-up since the deal.
inline int soldiers_shown(const Rules& rules, const Board& board, Seat seat) {
  int shown = 0;
  for (int at = seat * rules.stride; at < (seat + 1) * rules.stride; ++at) {
    const std::uint8_t pair = board.line[static_cast<std::size_t>(at)];
    shown += (pair & 15) == 1;
    shown += pair >> 4 == 1 && !(board.hidden >> at & 1);
  }
  return shown;
}

// Soldiers among the hidden places of a seat that has asked for a redeal, or -1 if it has not: it
// was dealt exactly the number it named (A7). Silence proves nothing.
inline int soldiers_owed(const Rules& rules, const View& view, Seat seat) {
  if (seat == view.seat || view.board.announced[seat] == 0) return -1;
  return view.board.announced[seat] - soldiers_shown(rules, view.board, seat);
}

// R23 seen from outside: the mover of phase attack has a legal attack, so with no mercenary in
// sight its two cards are not both Empresses.
inline bool proves_no_pair(const Rules& rules, const View& view) {
  const Board& board = view.board;
  return rules.players == 2 && board.phase == Phase::attack && board.to_move != view.seat &&
         board.top == 0 && board.size[board.to_move] == 2 && !board.empress_up;
}

// The game ended with plain points: the last face-down card differs from the attack, else they
// would have been doubled. Entry of that card, or -1.
inline int unpaired_entry(const Rules& rules, const View& view) {
  const Board& board = view.board;
  if (board.phase != Phase::over || board.winner == nobody) return -1;
  const auto last = static_cast<int>(entry(rules, board, board.owner)) - 1;
  return (board.hidden >> last & 1) && !owns_entry(rules, view.seat, last) ? last : -1;
}

// The fact that no world agrees with, or nothing.
inline std::string contradiction(const Rules& rules, const View& view) {
  const auto unseen = unseen_counts(view);
  int free = 0;
  for (int kind = 0; kind < card_types; ++kind) {
    const int left = unseen[static_cast<std::size_t>(kind)];
    if (left < 0)
      return "that makes " + std::to_string(full_deck[kind] - left) + " cards " +
             card_name(card_of(kind)) +
             " with those this seat holds or has seen, but there are only " +
             std::to_string(full_deck[kind]);
    free += left;
  }
  int soldiers = unseen[0];
  int others = free - soldiers;
  int places = 0;
  for (int s = 0; s < rules.players; ++s) {
    const auto seat = static_cast<Seat>(s);
    const Places hidden = places_of(rules, view, seat);
    places += hidden.count();
    const int owed = soldiers_owed(rules, view, seat);
    if (owed < 0 && view.board.announced[seat] != 0 && seat != view.seat)
      return "seat " + std::to_string(s) + " asked for a redeal with " +
             std::to_string(view.board.announced[seat]) + " Soldiers and cannot show one more";
    if (owed < 0) continue;
    if (owed > hidden.count())
      return "seat " + std::to_string(s) + " asked for a redeal with " +
             std::to_string(view.board.announced[seat]) + " Soldiers, but only " +
             std::to_string(hidden.count()) + " of its cards are unseen and " +
             std::to_string(owed) + " of them would have to be Soldiers";
    soldiers -= owed;
    others -= hidden.count() - owed;
    if (soldiers < 0 || others < 0)
      return "seat " + std::to_string(s) + " asked for a redeal with " +
             std::to_string(view.board.announced[seat]) +
             " Soldiers, which the unseen cards do not allow";
  }
  if (places > free) return "there are fewer unseen cards than hidden places";
  if (proves_no_pair(rules, view) && free == unseen[7])
    return "the seat to move would hold two Empresses and have no legal attack (R23)";
  if (const int last = unpaired_entry(rules, view); last >= 0) {
    const int digit_shown = view.board.line[static_cast<std::size_t>(last)] & 15;
    const auto owner = static_cast<Seat>(last / rules.stride);
    const int owed = soldiers_owed(rules, view, owner);
    // What may lie there: a Soldier that the owner owes, or one that nobody does; else a card of
    // another type that is left for it.
    const bool soldier = owed < 0 ? soldiers > 0 : owed > 0;
    const bool other = owed < 0 ? others > 0 : owed < places_of(rules, view, owner).count();
    const int unlike = free - unseen[0] -
                       (digit_shown == 1 ? 0 : unseen[static_cast<std::size_t>(digit_shown - 1)]);
    if (!(soldier && digit_shown != 1) && !(other && unlike > 0))
      return "the last face-down card would equal the attack, which doubles the points";
  }
  return {};
}

}  // namespace kibitz::kami
