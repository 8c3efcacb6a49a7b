// Positions from outside: the rest of what a table must satisfy, for the truth and for one seat.
#pragma once

#include <bit>
#include <string>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/kami/reading.hpp>
#include <kibitz/games/kami/sheet.hpp>
#include <kibitz/games/kami/view.hpp>

namespace kibitz::kami {

namespace detail {

// A game that is over: somebody has won, or the last round that is allowed was played (A13, R32).
inline Breach settle_end(const Rules& rules, const Board& board, bool finished) {
  const int last = team_of(rules, board.owner);
  for (int t = 0; t < teams(rules); ++t) {
    const int total = board.totals[static_cast<std::size_t>(t)];
    if (total >= target && (t != last || !finished))
      return bad("only who finished the last round can stand at 15 points or more, not team " +
                 std::to_string(t) + " with " + std::to_string(total));
    if (total > target && rules.victory != Victory::soldier)
      return bad("a total above 15 does not stand under this ending", "kami: endings");
  }
  const bool won =
      finished && (rules.rounds == 1 || board.totals[static_cast<std::size_t>(last)] >= target);
  if (won && board.winner == nobody)
    return bad("'winner' must be seat " + std::to_string(board.owner) + ", who has won");
  if (!won && board.winner != nobody)
    return bad(seat_name(board.winner) + " has not won: its total is " +
               std::to_string(board.totals[static_cast<std::size_t>(last)]));
  if (!won && rules.rounds == 0 && board.round < rules.max_rounds)
    return bad("the game is not over: nobody has won, and round " + std::to_string(board.round) +
                   " is not the last",
               "kami A13");
  return {};
}

// Fills in what follows from the rest (attack, to_move while chance is at work) and refuses tables
// that no play can reach.
inline Breach settle_board(const Rules& rules, Board& board) {
  const Phase phase = board.phase;
  if (phase == Phase::first || phase == Phase::deal) {
    board.to_move = board.first;
    if (board.from)
      return bad("'pending' belongs to a defence just laid or a stack being turned up");
    if (board.line != decltype(board.line){} || board.face_down)
      return bad("no pair can lie on the table while cards are dealt");
    for (int s = 0; s < rules.players; ++s) {
      const auto seat = static_cast<std::size_t>(s);
      const int expected = phase == Phase::deal && s < board.dealt ? rules.hand_size : 0;
      if (board.size[seat] != expected)
        return bad(seat_name(static_cast<Seat>(s)) + " holds " + std::to_string(board.size[seat]) +
                   " cards after " + std::to_string(board.dealt) + " deal steps, not " +
                   std::to_string(expected));
    }
    for (int s = 0; s < stacks; ++s)
      if ((top_of(board, s) != Card::none) !=
          (rules.players == 2 && s < board.dealt - rules.players))
        return bad("the stacks dealt so far do not agree with 'dealt'");
    return {};
  }

  // Pairs: at most one lacks its attack, the mover's own.
  int pending_seat = -1;
  for (int s = 0; s < rules.players; ++s) {
    const int at = s * rules.stride + board.plays[static_cast<std::size_t>(s)];
    if (board.plays[static_cast<std::size_t>(s)] >= rules.stride) continue;
    if (board.line[static_cast<std::size_t>(at)] || (board.face_down >> at & 1)) {
      if (pending_seat >= 0) return bad("two seats have laid a defence without an attack");
      pending_seat = s;
    }
  }
  if (attack_pending(board)) {
    if (pending_seat < 0)
      return bad(
          "phase attack needs the defence just laid as the last, incomplete pair of the mover's "
          "line");
    if (phase == Phase::turn_up) board.to_move = static_cast<std::uint8_t>(pending_seat);
    if (pending_seat != board.to_move)
      return bad(seat_name(static_cast<Seat>(pending_seat)) + " has laid a defence, but " +
                 seat_name(board.to_move) + " is to move");
  } else if (pending_seat >= 0) {
    return bad(seat_name(static_cast<Seat>(pending_seat)) +
               " has laid a defence without an attack: the phase is attack");
  }

  const bool none_played = board.owner == nobody;
  const std::uint8_t last_attack =
      none_played
          ? std::uint8_t{0}
          : static_cast<std::uint8_t>(board.line[entry(rules, board, board.owner) - 1] & 15);
  const bool first_lead = attack_pending(board) && none_played;
  if (!none_played && !(board.face_down >> (board.first * rules.stride) & 1))
    return bad("the first pair of the leader, " + seat_name(board.first) + ", must be face-down",
               "kami R1");
  switch (phase) {
    case Phase::ask:
    case Phase::answer:
      if (!none_played) return bad("the redeal question comes before the first card", "kami R19");
      break;
    case Phase::lead:
      if (board.to_move != (none_played ? board.first : board.owner))
        return bad("the lead is with " + seat_name(none_played ? board.first : board.owner),
                   "kami R3");
      break;
    case Phase::respond:
      if (none_played) return bad("there is no attack to answer: the phase is lead");
      if (board.to_move == board.owner)
        return bad(seat_name(board.owner) + " cannot answer its own attack: it leads", "kami R3");
      board.attack = last_attack;
      break;
    case Phase::attack:
    case Phase::turn_up: {
      if (!attack_pending(board)) {
        if (none_played) return bad("no attack has been made");
        board.attack = last_attack;
        board.to_move = next_seat(rules, board.owner);
        break;
      }
      const std::size_t at = entry(rules, board, board.to_move);
      const bool down = board.face_down >> at & 1;
      if (down != (first_lead || board.to_move == board.owner))
        return bad("a leader's defence is face-down and any other face-up", "kami R3");
      if (first_lead && board.to_move != board.first)
        return bad("the first lead is with " + seat_name(board.first), "kami R1");
      if (!down) {
        board.attack = last_attack;
        const int d = board.line[at] >> 4;
        if (!(answers[board.attack] >> (d - 1) & 1))
          return bad(card_name(static_cast<Card>(d)) + " does not answer " +
                         card_name(static_cast<Card>(board.attack)),
                     "kami R8");
      }
      break;
    }
    case Phase::score:
    case Phase::over:  {
      if (none_played) return bad("no round has been played to its end");
      board.attack = last_attack;
      board.to_move = next_seat(rules, board.owner);
      const bool finished = board.size[board.owner] == 0;
      if (!finished && !is_dead(rules, board))
        return bad("the round is not over: " + seat_name(board.owner) + " still holds cards");
      if (board.winner != nobody && (board.winner != board.owner || !finished))
        return bad("the winner is who finished the last round");
      if (phase == Phase::over)
        if (Breach breach = settle_end(rules, board, finished)) return breach;
      break;
    }
    default: break;
  }
  if (phase != Phase::score && phase != Phase::over && !none_played && is_dead(rules, board) &&
      phase != Phase::attack && phase != Phase::turn_up)
    return bad("no mercenary is left and the hands are odd: this round is void", "kami R25");

  // An Empress that attacked before the end of a hand needed the other one face-up (R10 to R14).
  const bool ended = phase == Phase::score || phase == Phase::over;
  const int final_pair = ended && board.size[board.owner] == 0
                             ? static_cast<int>(entry(rules, board, board.owner)) - 1
                             : -1;
  for (int at = 0; at < static_cast<int>(board.line.size()); ++at)
    if ((board.line[static_cast<std::size_t>(at)] & 15) == digit(Card::empress) &&
        at != final_pair && !board.empress_up)
      return bad(seat_name(static_cast<Seat>(at / rules.stride)) +
                     " attacked with an Empress while no Empress lay face-up on a defence line",
                 "kami R10, R13");

  // Cards played against cards held.
  int used = 0;
  for (int s = 0; s < rules.players; ++s) {
    const auto seat = static_cast<std::size_t>(s);
    const int on_table = 2 * board.plays[seat] + (s == pending_seat ? 1 : 0);
    const int from_hand = rules.hand_size - board.size[seat];
    const int hidden = std::popcount(board.hidden & entries_of(rules, static_cast<Seat>(s)));
    used += on_table - from_hand;
    const bool fits =
        rules.players == 2 ? from_hand <= on_table && from_hand >= hidden : from_hand == on_table;
    if (!fits)
      return bad(seat_name(static_cast<Seat>(s)) + " holds " + std::to_string(board.size[seat]) +
                 " cards and has " + std::to_string(on_table) + " on the table; dealt were " +
                 std::to_string(rules.hand_size));
    if (board.size[seat] == 0 && phase != Phase::score && phase != Phase::over)
      return bad(seat_name(static_cast<Seat>(s)) + " has no card left: the round is over");
  }
  if (rules.players == 2) {
    const int left =
        std::popcount(visible_stacks(board)) + std::popcount(static_cast<unsigned>(board.covered));
    if (used != 2 * stacks - left)
      return bad(std::to_string(2 * stacks - left) + " mercenaries are used up, but " +
                     std::to_string(used) + " of the cards on the table did not come from a hand",
                 "kami: mercenaries");
    if (attack_pending(board)) {
      const std::size_t at = entry(rules, board, board.to_move);
      const bool hand_card = board.hidden >> at & 1;
      const bool down = board.face_down >> at & 1;
      if (down && hand_card == (board.from != 0))
        return bad(
            "'pending' names the stack of a defence taken from the mercenaries, and only then");
    } else if (phase != Phase::turn_up && board.from) {
      return bad("'pending' belongs to a defence just laid or a stack being turned up");
    }
  } else if (board.from) {
    return bad("'pending' is for two players");
  }
  return {};
}

inline bool mover_is_stuck(const Rules& rules, const Board& board, Counts hand) {
  return board.phase == Phase::attack && choices(rules, board, hand).count() == 0;
}

}  // namespace detail

inline StateSheet sheet_of(const Rules& rules, const State& state) {
  StateSheet sheet;
  for (int s = 0; s < rules.players; ++s)
    sheet.hands.push_back(hand_text(state.hand[static_cast<std::size_t>(s)]));
  if (rules.players == 3)
    for (int i = 0; i < 2; ++i)
      if (const std::uint8_t d = state.aside[static_cast<std::size_t>(i)])
        sheet.aside += digit_char(d);
  detail::write_board(rules, state.board, state.lower, true, sheet);
  return sheet;
}

inline ViewSheet sheet_of(const Rules& rules, const View& view) {
  ViewSheet sheet;
  sheet.hand = hand_text(view.hand);
  if (rules.players == 3)
    for (int i = 0; i < 2; ++i) sheet.aside += digit_char(view.aside[static_cast<std::size_t>(i)]);
  detail::write_board(rules, view.board, 0, false, sheet);
  return sheet;
}

inline Breach read_state(const Rules& rules, const StateSheet& given, State& out) {
  using detail::bad;
  State state{};
  StateSheet sheet = given;
  const auto n = static_cast<std::size_t>(rules.players);
  if (sheet.hands.size() != n)
    return bad("'hands' has " + std::to_string(sheet.hands.size()) + " entries for " +
               std::to_string(n) + " seats");
  if (sheet.sizes.empty())
    for (const std::string& hand : sheet.hands)
      sheet.sizes.push_back(static_cast<int>(std::min<std::size_t>(hand.size(), 99)));
  if (Breach breach = detail::read_board(rules, sheet, -1, state.board, state.lower)) return breach;
  if (Breach breach = detail::settle_board(rules, state.board)) return breach;
  for (std::size_t s = 0; s < n; ++s) {
    const auto hand = hand_from(sheet.hands[s]);
    const std::string who = seat_name(static_cast<Seat>(s));
    if (!hand)
      return bad("the hand of " + who + ", " + kibitz::detail::describe(Value(sheet.hands[s])) +
                 ", is no hand: digits 1 to 8, no more of a type than the deck holds");
    if (hand->size() != state.board.size[s])
      return bad(who + " holds " + std::to_string(hand->size()) + " cards where " +
                 std::to_string(state.board.size[s]) + " are due");
    state.hand[s] = *hand;
  }
  const bool deck_dealt = state.board.phase != Phase::deal && state.board.phase != Phase::first;
  if (rules.players == 3) {
    const std::size_t due =
        deck_dealt ? 2 : static_cast<std::size_t>(std::max(state.board.dealt - 3, 0));
    if (sheet.aside.size() != due)
      return bad("'aside' must be " + std::to_string(due) + " digits", "kami R28");
    for (std::size_t i = 0; i < due; ++i) {
      if (sheet.aside[i] < '1' || sheet.aside[i] > '8')
        return bad("'aside' must be digits 1 to 8", "kami R28");
      state.aside[i] = static_cast<std::uint8_t>(sheet.aside[i] - '0');
    }
  } else if (!sheet.aside.empty()) {
    return bad("cards are set aside with three players only", "kami R28");
  }

  // All 32 cards, each once.
  std::array<int, card_types> count{};
  const auto place = [&](unsigned d) {
    if (d) ++count[d - 1];
  };
  for (const Counts hand : state.hand)
    for (int kind = 0; kind < card_types; ++kind)
      count[static_cast<std::size_t>(kind)] += hand[kind];
  for (const std::uint8_t pair : state.board.line) place(pair >> 4), place(pair & 15);
  for (const std::uint8_t d : state.aside) place(d);
  for (int s = 0; s < stacks; ++s)
    place(state.board.top >> (4 * s) & 15), place(state.lower >> (4 * s) & 15);
  for (int kind = 0; kind < card_types; ++kind) {
    const int there = count[static_cast<std::size_t>(kind)];
    if (there > full_deck[kind] || (deck_dealt && there != full_deck[kind]))
      return bad("there are " + std::to_string(there) + " cards " + card_name(card_of(kind)) +
                     "; the deck has " + std::to_string(full_deck[kind]),
                 "kami: components");
  }
  for (int s = 0; s < rules.players; ++s) {
    const auto seat = static_cast<Seat>(s);
    if (state.board.announced[seat] == 0) continue;
    int soldiers = state.hand[seat][0];
    for (int at = s * rules.stride; at < (s + 1) * rules.stride; ++at) {
      const std::uint8_t pair = state.board.line[static_cast<std::size_t>(at)];
      soldiers += (pair >> 4 == 1) + ((pair & 15) == 1);
    }
    if (soldiers != state.board.announced[seat])
      return bad(seat_name(seat) + " asked for a redeal with " +
                     std::to_string(state.board.announced[seat]) + " Soldiers and was dealt " +
                     std::to_string(soldiers),
                 "kami R19");
  }
  if (detail::mover_is_stuck(rules, state.board, state.hand[state.board.to_move]))
    return bad(seat_name(state.board.to_move) + " would have no legal attack", "kami R23");
  out = state;
  return {};
}

inline Breach read_view(const Rules& rules, const ViewSheet& given, Seat seat, View& out) {
  using detail::bad;
  View view{};
  ViewSheet sheet = given;
  view.seat = seat;
  std::uint32_t lower = 0;
  if (Breach breach = detail::read_board(rules, sheet, seat, view.board, lower)) return breach;
  if (Breach breach = detail::settle_board(rules, view.board)) return breach;
  const auto hand = hand_from(sheet.hand);
  if (!hand)
    return bad("the hand " + kibitz::detail::describe(Value(sheet.hand)) +
               " is no hand: digits 1 to 8, no more of a type than the deck holds");
  if (hand->size() != view.board.size[seat])
    return bad("the hand " + kibitz::detail::describe(Value(sheet.hand)) + " has " +
               std::to_string(hand->size()) + " cards where " +
               std::to_string(view.board.size[seat]) + " are due");
  view.hand = *hand;
  if (rules.players == 3) {
    const int mine = aside_seen(rules, view.board, seat);
    const bool deck_dealt = view.board.phase != Phase::deal && view.board.phase != Phase::first;
    const int there = deck_dealt ? 2 : std::max(view.board.dealt - 3, 0);
    const bool looked = mine >= 0 && mine < there;
    std::string aside = sheet.aside;
    // A start may give the one card this seat has looked at.
    if (aside.size() == 1 && looked) aside = mine == 0 ? aside + "x" : "x" + aside;
    if (aside.empty() && !looked) aside = "xx";
    const std::string shown = kibitz::detail::describe(Value(sheet.aside));
    if (aside.size() != 2)
      return bad("'aside' is " + shown +
                     (looked ? "; this seat has looked at one card: it must be given"
                             : "; this seat has looked at no card: leave it out"),
                 "kami R28");
    for (int i = 0; i < 2; ++i) {
      const char c = aside[static_cast<std::size_t>(i)];
      if (looked && i == mine ? c < '1' || c > '8' : c != 'x')
        return bad(
            "'aside' is " + shown + "; a digit 1 to 8 where this seat has looked and x elsewhere",
            "kami R28");
      if (c != 'x') view.aside[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(c - '0');
    }
  } else if (!sheet.aside.empty()) {
    return bad("cards are set aside with three players only", "kami R28");
  }
  const std::uint8_t said = view.board.announced[seat];
  if (said) {
    int soldiers = view.hand[0];
    for (int at = seat * rules.stride; at < (seat + 1) * rules.stride; ++at) {
      const std::uint8_t pair = view.board.line[static_cast<std::size_t>(at)];
      soldiers += (pair >> 4 == 1) + ((pair & 15) == 1);
    }
    if (soldiers != said)
      return bad("this seat asked for a redeal with " + std::to_string(said) +
                     " Soldiers and was dealt " + std::to_string(soldiers),
                 "kami R19");
  }
  if (view.board.to_move == seat && detail::mover_is_stuck(rules, view.board, view.hand))
    return bad("this seat would have no legal attack", "kami R23");
  if (std::string why = contradiction(rules, view); !why.empty())
    return bad(std::move(why), "kami: cards");
  out = view;
  return {};
}

}  // namespace kibitz::kami
