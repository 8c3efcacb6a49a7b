// Reads the table of a position from plain fields, one part of it a function. What the fields leave
// out is the start of a round; whether the parts fit together is position.hpp's affair.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/sheet.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami::detail {

inline Breach bad(std::string why, std::string rule = "kami: position") {
  return {std::move(rule), std::move(why)};
}

// Reads a pair text into `board` at `at`. `truth`: every card must be known.
inline Breach read_pair(const std::string& text, bool truth, bool own, Board& board, int at) {
  std::string_view rest = text;
  const bool down = !rest.empty() && (rest[0] == '.' || rest[0] == ':');
  const bool from_hand = down && rest[0] == '.';
  if (down) rest.remove_prefix(1);
  const auto value = [](char c) { return c >= '1' && c <= '8' ? c - '0' : c == 'x' ? 0 : -1; };
  const std::string shown = kibitz::detail::describe(Value(text));
  if (rest.empty() || rest.size() > 2)
    return bad(shown + " is no pair; pairs look like '86', '.x4', '.14' or ':54'");
  const int defence = value(rest[0]);
  const int attack = rest.size() == 2 ? value(rest[1]) : 0;
  if (defence < 0 || attack < 0 || (rest.size() == 2 && attack == 0))
    return bad(shown +
               " is no pair; cards are digits 1 to 8, and only a face-down defence may be x");
  if (defence == 0 && (!from_hand || truth || own))
    return bad(shown + ": only another seat's face-down card from the hand can be unknown");
  if (defence != 0 && from_hand && !truth && !own)
    return bad(shown + " tells this seat a face-down card that it has not seen; it may know '.x" +
                   (rest.size() == 2 ? std::string(1, rest[1]) : std::string()) + "'",
               "kami: hidden information");
  board.line[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(defence << 4 | attack);
  if (down) board.face_down |= 1u << at;
  if (from_hand) board.hidden |= 1u << at;
  return {};
}

template <class T>
bool within(const std::vector<T>& items, int low, int high) {
  for (const T& item : items)
    if (item < low || item > high) return false;
  return true;
}

inline std::string entries(std::size_t given, std::size_t due, const char* of) {
  return " has " + std::to_string(given) + " entries for " + std::to_string(due) + " " + of;
}

inline Breach read_phase(const Rules& rules, const BoardSheet& sheet, Board& board) {
  if (sheet.phase.empty()) {
    open_round(rules, board);
    return {};
  }
  std::size_t p = 0;
  while (p < phase_names.size() && sheet.phase != phase_names[p]) ++p;
  if (p == phase_names.size())
    return bad("there is no phase " + kibitz::detail::describe(Value(sheet.phase)));
  board.phase = static_cast<Phase>(p);
  if (is_question(board.phase) && (rules.players != 4 || !rules.redeal))
    return bad("the redeal question is for four players with the option redeal", "kami R19");
  if (board.phase == Phase::turn_up && rules.players != 2)
    return bad("only two players have mercenaries to turn up", "kami: mercenaries");
  return {};
}

inline Breach read_totals(const Rules& rules, const BoardSheet& sheet, Board& board) {
  const auto due = static_cast<std::size_t>(teams(rules));
  if (sheet.round < 1 || sheet.round > rules.max_rounds)
    return bad("'round' is " + std::to_string(sheet.round) + "; allowed are 1 to " +
               std::to_string(rules.max_rounds));
  board.round = static_cast<std::uint16_t>(sheet.round);
  if (sheet.totals.empty()) return {};
  if (sheet.totals.size() != due)
    return bad("'totals'" + entries(sheet.totals.size(), due, "teams"));
  for (std::size_t t = 0; t < due; ++t) {
    const int total = sheet.totals[t];
    const int most = board.phase == Phase::over ? target + max_points - 1 : target - 1;
    if (total < 0 || total > most)
      return bad("a total of " + std::to_string(total) + " cannot be: " +
                 (total >= target && total < target + max_points
                      ? "the game would be over"
                      : "totals run from 0 to 14 before a round ends"));
    board.totals[t] = static_cast<std::uint8_t>(total);
  }
  return {};
}

inline Breach read_sizes(const Rules& rules, const BoardSheet& sheet, Board& board) {
  const auto n = static_cast<std::size_t>(rules.players);
  const bool dealing = board.phase == Phase::deal || board.phase == Phase::first;
  if (!sheet.sizes.empty() && sheet.sizes.size() != n)
    return bad("'sizes'" + entries(sheet.sizes.size(), n, "seats"));
  for (std::size_t s = 0; s < n; ++s) {
    const int size = sheet.sizes.empty() ? (dealing ? 0 : rules.hand_size) : sheet.sizes[s];
    if (size < 0 || size > rules.hand_size)
      return bad("a hand of " + std::to_string(size) + " cards cannot be: a hand has 0 to " +
                 std::to_string(rules.hand_size));
    board.size[s] = static_cast<std::uint8_t>(size);
  }
  return {};
}

// The line of one seat. `reader` is the seat whose view it is, -1 for the truth.
inline Breach read_line(const Rules& rules, const std::vector<std::string>& line, int seat,
                        int reader, Board& board) {
  const auto who = static_cast<std::size_t>(seat);
  if (line.size() > static_cast<std::size_t>(rules.stride))
    return bad("the line of seat " + std::to_string(seat) + " has " + std::to_string(line.size()) +
               " pairs");
  for (std::size_t k = 0; k < line.size(); ++k) {
    const int at = seat * rules.stride + static_cast<int>(k);
    if (Breach breach = read_pair(line[k], reader < 0, seat == reader, board, at)) {
      breach.why = "lines of seat " + std::to_string(seat) + ", pair " + std::to_string(k + 1) +
                   ": " + breach.why;
      return breach;
    }
    const std::uint8_t pair = board.line[static_cast<std::size_t>(at)];
    const bool down = board.face_down >> at & 1;
    const bool open_down = down && !(board.hidden >> at & 1);
    const bool proven = board.phase == Phase::over && pair >> 4 == (pair & 15);
    if (open_down && rules.players != 2 && !proven)
      return bad(
          "only a mercenary (two players) or a proven Master Stroke is face-down and known to all "
          "(':')");
    if (pair & 15)
      ++board.plays[who];
    else if (k + 1 != line.size())
      return bad("seat " + std::to_string(seat) +
                 " laid a defence and did not attack; only the pair of the turn under way may lack "
                 "its attack");
    board.empress_up |= !down && pair >> 4 == digit(Card::empress);
  }
  return {};
}

inline Breach read_lines(const Rules& rules, const BoardSheet& sheet, int reader, Board& board) {
  const auto n = static_cast<std::size_t>(rules.players);
  if (!sheet.lines.empty() && sheet.lines.size() != n)
    return bad("'lines'" + entries(sheet.lines.size(), n, "seats"));
  for (std::size_t s = 0; s < sheet.lines.size(); ++s)
    if (Breach breach = read_line(rules, sheet.lines[s], static_cast<int>(s), reader, board))
      return breach;
  if (!sheet.owner) {
    for (std::size_t s = 0; s < n; ++s)
      if (board.plays[s])
        return bad("pairs lie on the table: 'owner' must name the seat of the last attack");
    return {};
  }
  if (*sheet.owner < 0 || *sheet.owner >= rules.players) return bad("'owner' is no seat");
  board.owner = static_cast<std::uint8_t>(*sheet.owner);
  if (board.plays[board.owner] == 0)
    return bad("seat " + std::to_string(*sheet.owner) +
               " is said to own the last attack but has not attacked");
  return {};
}

inline Breach read_turn(const Rules& rules, const BoardSheet& sheet, Board& board) {
  if (!is_decision(board.phase)) {
    if (sheet.to_move) return bad("no seat is to move in phase " + sheet.phase);
    return {};
  }
  const int to_move = sheet.to_move.value_or(board.to_move);
  if (to_move < 0 || to_move >= rules.players) return bad("'to_move' is no seat");
  board.to_move = static_cast<std::uint8_t>(to_move);
  return {};
}

// The redeal question, four players.
inline Breach read_question(const Rules& rules, const BoardSheet& sheet, Board& board) {
  if (rules.players != 4) {
    if (!sheet.announced.empty() || sheet.asked || sheet.asker || sheet.redeals)
      return bad("a redeal is asked for with four players only", "kami R19");
    return {};
  }
  if (!sheet.announced.empty() && sheet.announced.size() != 4)
    return bad("'announced'" + entries(sheet.announced.size(), 4, "seats"));
  for (std::size_t s = 0; s < sheet.announced.size(); ++s) {
    const int soldiers = sheet.announced[s];
    if (soldiers != 0 && (soldiers < ask_soldiers || soldiers > 8))
      return bad("a redeal is asked for with 5 to 8 Soldiers, not " + std::to_string(soldiers),
                 "kami R19");
    if (soldiers != 0 && !rules.redeal)
      return bad("the option redeal is off: nobody can have asked", "kami R19");
    board.announced[s] = static_cast<std::uint8_t>(soldiers);
  }
  if (sheet.redeals < 0 || sheet.redeals > max_redeals)
    return bad("'redeals' runs from 0 to " + std::to_string(max_redeals));
  board.redeals = static_cast<std::uint8_t>(sheet.redeals);
  if (sheet.asked < 0 || sheet.asked > 4) return bad("'asked' runs from 0 to 4");
  board.asked = static_cast<std::uint8_t>(sheet.asked);
  if (!is_question(board.phase)) {
    if (sheet.asker) return bad("no request for a redeal is before a partner");
    const bool played = board.phase != Phase::deal && board.phase != Phase::first;
    board.asked = played && rules.redeal ? 4 : 0;
    if (sheet.asked != 0 && sheet.asked != board.asked)
      return bad("'asked' is " + std::to_string(sheet.asked) + "; in phase " +
                 phase_names[static_cast<std::size_t>(board.phase)] + " it is " +
                 std::to_string(board.asked) + " or left out");
    return {};
  }
  const bool answering = board.phase == Phase::answer;
  if (answering ? board.asked == 0 : board.asked == 4)
    return bad(answering ? "phase answer needs the asker counted in 'asked'"
                         : "all four seats have answered the redeal question: the phase is lead");
  const auto at_turn =
      static_cast<std::uint8_t>((board.first + board.asked - (answering ? 1 : 0)) & 3);
  board.to_move = answering ? partner_of(at_turn) : at_turn;
  if (answering) board.asker = at_turn;
  if (answering && board.announced[at_turn] == 0)
    return bad("seat " + std::to_string(at_turn) +
                   " has asked: 'announced' must say with how many Soldiers",
               "kami R19");
  if (sheet.asker && (!answering || *sheet.asker != at_turn))
    return bad("'asker' must be seat " + std::to_string(at_turn) + " in phase answer, else null");
  if (sheet.to_move && *sheet.to_move != board.to_move)
    return bad("the redeal question is before seat " + std::to_string(board.to_move), "kami R31");
  for (int i = board.asked; i < 4; ++i) {
    const auto s = static_cast<std::size_t>((board.first + i) & 3);
    if (board.announced[s])
      return bad("seat " + std::to_string(s) + " has not been asked yet", "kami R31");
  }
  return {};
}

// Mercenaries, two players: '5x' (truth: '58'), '5', '', and while a lower card is turned up 'x'
// ('-8').
inline Breach read_stacks(const Rules& rules, const BoardSheet& sheet, bool truth, Board& board,
                          std::uint32_t& lower) {
  lower = 0;
  if (rules.players != 2) {
    if (!sheet.stacks.empty()) return bad("only two players have mercenaries", "kami: mercenaries");
    return {};
  }
  const bool dealing = board.phase == Phase::deal || board.phase == Phase::first;
  if (sheet.stacks.empty() && !dealing)
    return bad("two players need 'stacks': eight mercenary stacks such as '5x'",
               "kami: mercenaries");
  if (!sheet.stacks.empty() && sheet.stacks.size() != stacks)
    return bad("'stacks'" + entries(sheet.stacks.size(), stacks, "stacks"));
  for (std::size_t s = 0; s < sheet.stacks.size(); ++s) {
    std::string text = sheet.stacks[s];
    const std::string shown = std::string("stack ") + stack_letter(static_cast<int>(s)) + " is " +
                              kibitz::detail::describe(Value(text));
    if (text == "x" && !truth) text = "-x";
    if (text.empty()) continue;
    const auto value = [](char c) { return c >= '1' && c <= '8' ? c - '0' : -1; };
    const bool turning = text[0] == '-';
    if (text.size() > 2 || (turning ? text.size() != 2 : value(text[0]) < 0))
      return bad(shown + "; stacks look like '5x' (upper 5, a lower card under it), '5' or ''");
    if (!turning) board.top |= static_cast<std::uint32_t>(value(text[0])) << (4 * s);
    if (text.size() == 1) continue;
    if (truth ? value(text[1]) < 0 : text[1] != 'x')
      return bad(shown + (truth ? "; the lower card must be a digit 1 to 8"
                                : "; nobody has seen a lower card: it must be x"),
                 "kami: hidden information");
    if (truth) lower |= static_cast<std::uint32_t>(value(text[1])) << (4 * s);
    board.covered = static_cast<std::uint8_t>(board.covered | 1u << s);
  }
  return {};
}

inline Breach read_pending(const Rules& rules, const BoardSheet& sheet, Board& board) {
  if (sheet.pending) {
    const std::string& letter = *sheet.pending;
    if (rules.players != 2 || letter.size() != 1 || letter[0] < 'A' || letter[0] > 'H')
      return bad("'pending' is a stack letter A to H, two players only");
    board.from = static_cast<std::uint8_t>(letter[0] - 'A' + 1);
  }
  const bool turning = board.phase == Phase::turn_up;
  if (turning) {
    if (!sheet.turning || (*sheet.turning != "attack" && *sheet.turning != "respond"))
      return bad("'turning' must say what follows the turn-up, attack or respond");
    board.then = *sheet.turning == "attack" ? Phase::attack : Phase::respond;
  } else if (sheet.turning) {
    return bad("'turning' belongs to phase turn_up");
  }
  for (int s = 0; s < stacks; ++s) {
    const bool bare = (board.covered >> s & 1) && top_of(board, s) == Card::none;
    const bool expected = turning && board.from == s + 1;
    if (bare != expected)
      return bad(expected ? "'pending' must name the stack whose lower card comes to light ('x')"
                          : std::string("stack ") + stack_letter(s) +
                                " has a lower card and no upper one");
  }
  if (turning && board.from == 0)
    return bad("phase turn_up needs 'pending', the stack whose lower card comes to light");
  return {};
}

inline Breach read_board(const Rules& rules, const BoardSheet& sheet, int reader, Board& board,
                         std::uint32_t& lower) {
  board = {};
  clear_table(board);
  board.winner = nobody;
  if (sheet.first < 0 || sheet.first >= rules.players)
    return bad("'first' is seat " + std::to_string(sheet.first) + "; seats are 0 to " +
               std::to_string(rules.players - 1));
  board.first = static_cast<std::uint8_t>(sheet.first);
  board.to_move = board.first;
  if (Breach breach = read_phase(rules, sheet, board)) return breach;
  if (Breach breach = read_totals(rules, sheet, board)) return breach;
  if (Breach breach = read_sizes(rules, sheet, board)) return breach;
  if (Breach breach = read_lines(rules, sheet, reader, board)) return breach;
  if (Breach breach = read_turn(rules, sheet, board)) return breach;
  if (Breach breach = read_question(rules, sheet, board)) return breach;
  if (Breach breach = read_stacks(rules, sheet, reader < 0, board, lower)) return breach;
  if (Breach breach = read_pending(rules, sheet, board)) return breach;
  if (sheet.winner) {
    if (board.phase != Phase::over || *sheet.winner < 0 || *sheet.winner >= rules.players)
      return bad("'winner' is a seat, once the game is over");
    board.winner = static_cast<std::uint8_t>(*sheet.winner);
  }
  if (board.phase == Phase::deal) {
    if (sheet.dealt < 0 || sheet.dealt >= deal_plies(rules))
      return bad("'dealt' runs from 0 to " + std::to_string(deal_plies(rules) - 1));
    board.dealt = static_cast<std::uint8_t>(sheet.dealt);
    return {};
  }
  if (board.phase != Phase::first) board.dealt = static_cast<std::uint8_t>(deal_plies(rules));
  if (sheet.dealt != 0 && sheet.dealt != board.dealt)
    return bad("'dealt' is " + std::to_string(sheet.dealt) + "; in phase " +
               phase_names[static_cast<std::size_t>(board.phase)] + " it is " +
               std::to_string(board.dealt) + " or left out");
  return {};
}

}  // namespace kibitz::kami::detail
