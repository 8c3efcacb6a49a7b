// The table for a terminal: one row a seat, pairs in order, what is hidden from the reader as x.
#pragma once

#include <algorithm>
#include <string>

#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/sheet.hpp>
#include <kibitz/games/kami/view.hpp>

namespace kibitz::kami {

namespace detail {

inline std::string pad(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

// (x)4: unknown face-down card, attack 4; (1)4: known face-down; 8-6: face-up; ? attack to come.
inline std::string pair_drawing(const Board& board, int at) {
  const std::uint8_t pair = board.line[static_cast<std::size_t>(at)];
  const char defence = digit_char(pair >> 4);
  const char attack = pair & 15 ? digit_char(pair & 15) : '?';
  if (board.face_down >> at & 1) return {'(', defence, ')', attack};
  return {' ', defence, '-', attack};
}

inline std::string drawing(const Rules& rules, const Board& board, int seat,
                           const std::array<std::string, 4>& hands, const std::string& aside,
                           std::uint32_t lower, bool truth) {
  std::string out = "Kami, " + std::to_string(rules.players) + " players, ";
  out += rules.rounds == 1 ? "single round" : "round " + std::to_string(board.round);
  out += rules.players == 4 ? ", points " : ", totals ";
  for (int t = 0; t < teams(rules); ++t)
    out += (t ? (rules.players == 4 ? " to " : ", ") : "") +
           std::to_string(board.totals[static_cast<std::size_t>(t)]);
  if (rules.players == 4) out += " (seats 0+2 to 1+3)";
  out += "\n";
  std::size_t width = 4;
  for (int s = 0; s < rules.players; ++s)
    width = std::max(width, hands[static_cast<std::size_t>(s)].size());
  for (int s = 0; s < rules.players; ++s) {
    const auto at = static_cast<std::size_t>(s);
    out += board.to_move == s && is_decision(board.phase) ? "> " : "  ";
    out += "seat " + std::to_string(s) + (s == seat ? " (you)" : "      ") + " ";
    out += pad(hands[at], width) + " |";
    const bool started = attack_pending(board) && board.to_move == s;
    for (int k = 0; k < board.plays[at] + (started ? 1 : 0); ++k)
      out += " " + pair_drawing(board, s * rules.stride + k);
    if (board.announced[at])
      out += "  asked with " + std::to_string(board.announced[at]) + " Soldiers";
    out += "\n";
  }
  if (rules.players == 3) out += "  set aside     " + aside + "\n";
  if (rules.players == 2) {
    out += "  mercenaries  ";
    for (int s = 0; s < stacks; ++s) {
      if (top_of(board, s) == Card::none && !(board.covered >> s & 1)) continue;
      out += std::string(" ") + stack_letter(s) + ":";
      out += top_of(board, s) == Card::none
                 ? '-'
                 : digit_char(static_cast<unsigned>(digit(top_of(board, s))));
      if (board.covered >> s & 1)
        out += truth ? std::string("/") + digit_char(lower >> (4 * s) & 15) : "/x";
    }
    out += "\n";
  }
  const std::string mover = seat_name(board.to_move);
  switch (board.phase) {
    case Phase::ask:    out += mover + " is asked whether it wants a redeal"; break;
    case Phase::answer: out += mover + " answers its partner's request for a redeal"; break;
    case Phase::lead:   out += mover + " leads: a face-down defence"; break;
    case Phase::respond:
      out += mover + " to answer " + card_name(static_cast<Card>(board.attack)) + " (" +
             std::to_string(board.attack) + ") of " + seat_name(board.owner);
      break;
    case Phase::attack: out += mover + " to attack"; break;
    case Phase::turn_up:
      out +=
          std::string("the lower card of stack ") + stack_letter(board.from - 1) + " is turned up";
      break;
    case Phase::score:
      out +=
          is_void(board) ? "the round is void" : seat_name(board.owner) + " has finished the round";
      break;
    case Phase::deal:  out += "cards are dealt, " + seat_name(board.first) + " leads"; break;
    case Phase::first: out += "the first leader is drawn"; break;
    case Phase::over:
      out += board.winner == nobody
                 ? "the game is over, undecided"
                 : "the game is over: " + seat_name(board.winner) +
                       (rules.players == 4 ? " and its partner have won" : " has won");
      break;
  }
  return out + "\n";
}

}  // namespace detail

inline std::string draw_table(const Rules& rules, const State& state) {
  std::array<std::string, 4> hands;
  for (std::size_t s = 0; s < 4; ++s) hands[s] = hand_text(state.hand[s]);
  std::string aside;
  for (std::size_t i = 0; i < 2; ++i) aside += digit_char(state.aside[i]);
  return detail::drawing(rules, state.board, -1, hands, aside, state.lower, true);
}

inline std::string draw_table(const Rules& rules, const View& view) {
  std::array<std::string, 4> hands;
  for (std::size_t s = 0; s < 4; ++s)
    hands[s] = s == view.seat ? hand_text(view.hand) : std::string(view.board.size[s], 'x');
  std::string aside;
  for (std::size_t i = 0; i < 2; ++i) aside += digit_char(view.aside[i]);
  return detail::drawing(rules, view.board, view.seat, hands, aside, 0, false);
}

}  // namespace kibitz::kami
