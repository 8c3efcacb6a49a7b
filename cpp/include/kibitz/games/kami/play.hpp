// What a decision or an outcome does to the table and the hands. Rule numbers (R..) and assumptions
// (A..) are those of docs/games/kami.md.
#pragma once

#include <kibitz/core/counts.hpp>
#include <kibitz/core/types.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// Points of a finishing attack; doubled for a Master Stroke (R15, R16, R26).
constexpr int points_of(std::uint8_t pair, bool face_down) {
  const int attack = pair & 15;
  return card_points[static_cast<std::size_t>(attack)] * (face_down && pair >> 4 == attack ? 2 : 1);
}

// The pair that ended the round. Precondition: phase score or over, and not a void round.
constexpr int round_points(const Rules& rules, const Board& board) {
  const std::size_t last = entry(rules, board, board.owner) - 1;
  return points_of(board.line[last], board.face_down >> last & 1);
}

// R25: no mercenary left and odd hands: nobody can ever finish.
constexpr bool is_dead(const Rules& rules, const Board& board) {
  return rules.players == 2 && board.top == 0 && (board.size[0] & 1);
}

// A round in phase score is void when no hand was emptied.
constexpr bool is_void(const Board& board) {
  return board.owner == nobody || board.size[board.owner] != 0;
}

// New total under the ending in force; 15 or more wins (W7, R29).
constexpr int add_points(Victory victory, int total, int gained) {
  const int sum = total + gained;
  if (sum <= target || victory == Victory::soldier) return sum;
  return victory == Victory::lord ? 2 * target - sum : 0;
}

constexpr void open_round(const Rules& rules, Board& board) {
  board.phase = rules.players == 4 && rules.redeal ? Phase::ask : Phase::lead;
  board.to_move = board.first;
}

constexpr void clear_table(Board& board) {
  board.line = {};
  board.face_down = board.hidden = board.top = 0;
  board.covered = board.dealt = 0;
  board.size = board.plays = board.announced = {};
  board.phase = Phase::deal;
  board.then = Phase::ask;
  board.owner = board.asker = nobody;
  board.attack = board.empress_up = board.from = board.asked = 0;
  board.to_move = board.first;
}

constexpr int deal_plies(const Rules& rules) {
  return rules.players + (rules.players == 3 ? 2 : rules.players == 2 ? stacks : 0);
}

constexpr void end_game(Board& board, std::uint8_t winner) {
  board.phase = Phase::over;
  board.winner = winner;
}

// After the points, or after a void round: the game is over or the next round is dealt.
constexpr void close_round(const Rules& rules, Board& board, int gained) {
  const bool is_dead_round = gained == 0;
  const Seat winner = board.owner;
  if (!is_dead_round) {
    auto& total = board.totals[static_cast<std::size_t>(team_of(rules, winner))];
    total = static_cast<std::uint8_t>(add_points(rules.victory, total, gained));
    if (rules.rounds == 1 || total >= target) return end_game(board, winner);
  }
  if (rules.rounds == 1 || board.round >= rules.max_rounds) return end_game(board, nobody);
  const Seat rotated = next_seat(rules, board.first);
  if (is_dead_round)
    board.first = rules.dead_rotates ? rotated : board.first;
  else
    board.first = rules.leader_rotates ? rotated : winner;
  ++board.round;
  board.redeals = 0;
  clear_table(board);
}

// The next three are the parts of a decision that everybody sees, shared by State and View. `kind`
// is the card type put down, -1 where it is hidden; `stack` its stack, -1 when it came from the
// hand. Precondition: the move is legal. Taking the card off the hand itself is the caller's.

// Takes the upper card of a stack; a lower one must then be turned up before play goes on.
constexpr void use_stack(Board& board, int stack) {
  board.top &= ~(15u << (4 * stack));
  if (board.covered >> stack & 1) {
    board.then = board.phase;
    board.phase = Phase::turn_up;
  }
}

template <bool mercenaries>
constexpr void defend(const Rules& rules, Board& board, int kind, int stack, bool leading) {
  const Seat seat = board.to_move;
  const std::size_t at = entry(rules, board, seat);
  const bool from_hand = !mercenaries || stack < 0;
  board.line[at] = static_cast<std::uint8_t>((kind + 1) << 4);
  if (from_hand) --board.size[seat];
  if (leading) {
    board.face_down |= 1u << at;
    if (from_hand) board.hidden |= 1u << at;
  } else {
    board.empress_up |= kind == lane(Card::empress);
  }
  board.phase = Phase::attack;
  if constexpr (mercenaries) {
    board.from = static_cast<std::uint8_t>(stack + 1);
    if (!from_hand) use_stack(board, stack);
  }
}

template <bool mercenaries>
constexpr void attack(const Rules& rules, Board& board, int kind, int stack) {
  const Seat seat = board.to_move;
  const bool from_hand = !mercenaries || stack < 0;
  board.line[entry(rules, board, seat)] |= static_cast<std::uint8_t>(kind + 1);
  if (from_hand) --board.size[seat];
  ++board.plays[seat];
  board.attack = static_cast<std::uint8_t>(kind + 1);
  board.owner = seat;
  board.to_move = next_seat(rules, seat);
  board.phase = board.size[seat] == 0 ? Phase::score : Phase::respond;
  if constexpr (mercenaries) {
    board.from = 0;
    if (!from_hand) {
      use_stack(board, stack);
      if (board.phase == Phase::turn_up) board.from = static_cast<std::uint8_t>(stack + 1);
    }
    if (board.phase == Phase::respond && is_dead(rules, board)) board.phase = Phase::score;  // R25
  }
}

constexpr void pass(const Rules& rules, Board& board) {
  const Seat seat = board.to_move;
  board.to_move = next_seat(rules, seat);
  if (board.phase == Phase::lead) return;  // R24
  if (board.to_move == board.owner) {
    board.phase = Phase::lead;
    board.attack = 0;
  }
}

constexpr void answer_question(Board& board, Move move) {
  if (kind_of(move) == Kind::yes) {
    ++board.redeals;
    return clear_table(board);
  }
  if (board.phase == Phase::ask) ++board.asked;
  if (kind_of(move) == Kind::ask) {
    board.announced[board.to_move] = static_cast<std::uint8_t>(move.code & 255);
    board.asker = board.to_move;
    board.phase = Phase::answer;
    board.to_move = partner_of(board.asker);
    return;
  }
  board.asker = nobody;
  board.phase = board.asked == 4 ? Phase::lead : Phase::ask;
  board.to_move = static_cast<std::uint8_t>((board.first + board.asked) & 3);
}

// One card dealt to `hand` or elsewhere is not a ply; one hand is.
constexpr void advance_deal(const Rules& rules, Board& board) {
  if (++board.dealt == deal_plies(rules)) open_round(rules, board);
}

// R33: doubled points prove the face-down card of the last pair, and nothing else ever does.
constexpr void prove_stroke(const Rules& rules, Board& board, int gained) {
  const std::size_t last = entry(rules, board, board.owner) - 1;
  if (!(board.hidden >> last & 1) || gained != 2 * card_points[board.attack]) return;
  board.hidden &= ~(1u << last);
  board.line[last] = static_cast<std::uint8_t>(board.attack << 4 | board.attack);
}

// A decision as everybody sees it; `kind` and `stack` as above.
constexpr void play_public(const Rules& rules, Board& board, Move move, int kind, int stack) {
  const bool mercenaries = rules.players == 2;
  const bool leading = board.phase == Phase::lead;
  switch (kind_of(move)) {
    case Kind::pass: pass(rules, board); break;
    case Kind::defend:
      mercenaries ? defend<true>(rules, board, kind, stack, leading)
                  : defend<false>(rules, board, kind, stack, leading);
      break;
    case Kind::attack:
      mercenaries ? attack<true>(rules, board, kind, stack)
                  : attack<false>(rules, board, kind, stack);
      break;
    default: answer_question(board, move); break;
  }
}

// An outcome as everybody sees it; what is dealt into hands is the caller's.
constexpr void play_chance(const Rules& rules, Board& board, Move move) {
  switch (kind_of(move)) {
    case Kind::turn_up: {
      const int s = stack_of(move);
      board.top |= static_cast<std::uint32_t>(digit_of(move)) << (4 * s);
      board.covered = static_cast<std::uint8_t>(board.covered & ~(1u << s));
      board.phase = board.then;
      board.then = Phase::ask;
      if (board.phase != Phase::attack) board.from = 0;
      break;
    }
    case Kind::points:
      prove_stroke(rules, board, static_cast<int>(payload_of(move)));
      close_round(rules, board, static_cast<int>(payload_of(move)));
      break;
    case Kind::dead: close_round(rules, board, 0); break;
    case Kind::hand:
      board.size[board.dealt] = static_cast<std::uint8_t>(rules.hand_size);
      advance_deal(rules, board);
      break;
    case Kind::aside: advance_deal(rules, board); break;
    case Kind::stack: {
      const int s = board.dealt - rules.players;
      board.top |= static_cast<std::uint32_t>(move.code >> 4 & 15) << (4 * s);
      board.covered = static_cast<std::uint8_t>(board.covered | 1u << s);
      advance_deal(rules, board);
      break;
    }
    case Kind::first:
      board.first = static_cast<std::uint8_t>(move.code & 15);
      clear_table(board);
      break;
    default: break;
  }
}

inline void play_outcome(const Rules& rules, State& state, Move move) {
  Board& board = state.board;
  switch (kind_of(move)) {
    case Kind::turn_up: state.lower &= ~(15u << (4 * stack_of(move))); break;
    case Kind::hand:    state.hand[board.dealt] = unpack_hand(payload_of(move)); break;
    case Kind::aside:
      state.aside[static_cast<std::size_t>(board.dealt - rules.players)] =
          static_cast<std::uint8_t>(digit_of(move));
      break;
    case Kind::stack:
      state.lower |= static_cast<std::uint32_t>(digit_of(move))
                     << (4 * (board.dealt - rules.players));
      break;
    default: break;
  }
  const bool ends_round = board.phase == Phase::score;
  play_chance(rules, board, move);
  if (ends_round && board.phase == Phase::deal) state.hand = {}, state.aside = {}, state.lower = 0;
}

inline void play_decision(const Rules& rules, State& state, Move move) {
  Board& board = state.board;
  const int stack = stack_of(move);
  int kind = digit_of(move) - 1;
  const Kind what = kind_of(move);
  if (what == Kind::defend || what == Kind::attack) {
    if (rules.players == 2 && stack >= 0)
      kind = lane(top_of(board, stack));
    else
      state.hand[board.to_move].take(kind);
  }
  play_public(rules, board, move, kind, stack);
  if (what == Kind::yes) state.hand = {};
}

inline void play_move(const Rules& rules, State& state, Move move) {
  if (is_decision(state.board.phase)) [[likely]]
    play_decision(rules, state, move);
  else
    play_outcome(rules, state, move);
}

constexpr Turn turn_of(const Board& board) {
#if defined(__GNUC__)
  // Else the compiler asks what if 255 were to move, which in eight bits looks like chance.
  if (board.to_move > 3) __builtin_unreachable();
#endif
  if (is_decision(board.phase)) return Turn::of(board.to_move);
  return board.phase == Phase::over ? Turn::over() : Turn::chance();
}

// A natural end: a round that is finished, or thrown away for a redeal. The very first deal is
// none, so that a game can be walked from before it.
constexpr bool is_settled(const Board& board) {
  if (board.phase < Phase::score) [[likely]]
    return false;
  if (board.phase == Phase::first) return false;
  return board.phase != Phase::deal || board.round > 1 || board.redeals > 0;
}

}  // namespace kibitz::kami
