// The view kept up from outside: one event at a time, as its seat saw it. A contradiction is
// reported and changes nothing.
#pragma once

#include <string>
#include <utility>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/view.hpp>

namespace kibitz::kami {

namespace detail {

inline Verdict refuse(Verdict::Kind kind, std::string rule, std::string why) {
  return {kind, {std::move(rule), std::move(why)}};
}

// An outcome as this seat sees it, before it is played.
inline Verdict judge_outcome(const Rules& rules, const View& view, Move seen) {
  using enum Verdict::Kind;
  const Board& board = view.board;
  const auto illegal_here = [&](const char* expected) {
    return refuse(illegal, "kami: order of play", std::string("expected is ") + expected);
  };
  if (mask_move(rules, board, Turn::chance(), seen, view.seat) != seen)
    return refuse(too_much, "kami: hidden information", "this seat does not see that card");
  switch (board.phase) {
    case Phase::turn_up:
      if (kind_of(seen) != Kind::turn_up || stack_of(seen) != board.from - 1 ||
          digit_of(seen) < 1 || digit_of(seen) > 8)
        return illegal_here("the lower card of the stack just used ('up C 5')");
      return {};
    case Phase::score: {
      if (is_void(board)) {
        if (seen != dead_move) return illegal_here("'void': nobody can finish this round (R25)");
        return {};
      }
      const std::size_t last = entry(rules, board, board.owner) - 1;
      const int plain = card_points[board.attack];
      const int gained = static_cast<int>(payload_of(seen));
      const bool known = board.line[last] >> 4 != 0;
      const bool may_double = board.face_down >> last & 1;
      const bool fits = known ? gained == round_points(rules, board)
                              : gained == plain || (may_double && gained == 2 * plain);
      if (kind_of(seen) != Kind::points || !fits)
        return illegal_here(
            known ? ("'points " + std::to_string(round_points(rules, board)) + "'").c_str()
                  : ("'points " + std::to_string(plain) + "' or, for a Master Stroke, 'points " +
                     std::to_string(2 * plain) + "'")
                        .c_str());
      return {};
    }
    case Phase::first:
      if (kind_of(seen) != Kind::first || digit_of(seen) >= rules.players || payload_of(seen) > 15)
        return illegal_here("the first leader ('first 0')");
      return {};
    default: break;
  }
  if (board.dealt < rules.players) {
    if (kind_of(seen) != Kind::hand)
      return illegal_here("a dealt hand ('deal 11234567' or 'deal x')");
    if (board.dealt != view.seat) return {};
    const Counts hand = unpack_hand(payload_of(seen));
    if (hand.size() != rules.hand_size)
      return refuse(illegal, "kami: deal",
                    "a hand has " + std::to_string(rules.hand_size) + " cards, not " +
                        std::to_string(hand.size()));
    return {};
  }
  if (rules.players == 3) {
    const bool mine = board.dealt - rules.players == aside_seen(rules, board, view.seat);
    if (kind_of(seen) != Kind::aside || (mine && (digit_of(seen) < 1 || digit_of(seen) > 8)))
      return illegal_here(mine ? "the card set aside that this seat looks at ('aside 5')"
                               : "'aside x'");
    return {};
  }
  const int upper = static_cast<int>(seen.code >> 4 & 15);
  if (kind_of(seen) != Kind::stack || upper < 1 || upper > 8)
    return illegal_here("a stack of mercenaries ('stack 5x')");
  return {};
}

}  // namespace detail

// Takes in one event as this seat saw it. Anything but `fine` leaves the view as it was.
inline Verdict observe_event(const Rules& rules, View& view, Turn turn, Move seen) {
  using enum Verdict::Kind;
  const Board& board = view.board;
  const Turn expected = turn_of(board);
  if (turn != expected)
    return kibitz::wrong_actor("kami: order of play", expected, "the game is over");
  View next = view;
  if (turn.is_chance()) {
    if (Verdict verdict = detail::judge_outcome(rules, view, seen); verdict.kind != fine)
      return verdict;
    const bool ends_round = board.phase == Phase::score;
    if (kind_of(seen) == Kind::hand && board.dealt == view.seat)
      next.hand = unpack_hand(payload_of(seen));
    if (kind_of(seen) == Kind::aside && digit_of(seen))
      next.aside[static_cast<std::size_t>(board.dealt - rules.players)] =
          static_cast<std::uint8_t>(digit_of(seen));
    play_chance(rules, next.board, seen);
    if (ends_round && next.board.phase == Phase::deal) next.hand = {}, next.aside = {};
  } else {
    const bool own = turn == Turn::of(view.seat);
    if (!own && mask_move(rules, board, turn, seen, view.seat) != seen)
      return detail::refuse(
          too_much, "kami: hidden information",
          "seat " + std::to_string(view.seat) +
              " does not see which card another seat lays face-down; it may see 'dx'");
    Breach breach =
        own ? breach_of(rules, board, view.hand, seen) : breach_of_other(rules, board, seen);
    if (breach) return {illegal, std::move(breach)};
    const int stack = stack_of(seen);
    int kind = digit_of(seen) - 1;
    const bool plays_card = kind_of(seen) == Kind::defend || kind_of(seen) == Kind::attack;
    if (plays_card && stack >= 0)
      kind = lane(top_of(board, stack));
    else if (plays_card && own)
      next.hand.take(kind);
    play_public(rules, next.board, seen, kind, plays_card ? stack : -1);
    if (kind_of(seen) == Kind::yes) next.hand = {};
  }
  if (std::string why = contradiction(rules, next); !why.empty())
    return detail::refuse(inconsistent, "kami: cards", std::move(why));
  view = next;
  return {};
}

}  // namespace kibitz::kami
