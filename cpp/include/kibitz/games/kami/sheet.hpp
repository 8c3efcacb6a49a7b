// Kami positions as plain fields: the form of setups, of JSON, and of a start.
//
// A pair on the table is a short text: defence, then attack. '86' face-up Empress, then Madman;
// '.14' face-down Soldier from the hand (known here), '.x4' the same not known; ':54' face-down
// mercenary, which everybody knows. A defence without attack yet stands last: '.x', '8'.
#pragma once

#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/fields.hpp>
#include <kibitz/games/kami/legality.hpp>
#include <kibitz/games/kami/moves_text.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/state.hpp>
#include <kibitz/games/kami/view.hpp>

namespace kibitz::kami {

inline constexpr std::array<const char*, 10> phase_names = {
    "ask", "answer", "lead", "respond", "attack", "turn_up", "score", "deal", "first", "over"};

// What State and View share. Empty lists stand for the start of a round.
struct BoardSheet {
  int first = 0;
  std::vector<int> totals;
  int round = 1;
  std::string phase;
  std::optional<int> to_move;
  std::vector<int> sizes;
  std::vector<std::vector<std::string>> lines;
  std::optional<int> owner;
  std::vector<int> announced;
  int asked = 0;
  std::optional<int> asker;
  int redeals = 0;
  int dealt = 0;
  std::vector<std::string> stacks;
  std::optional<std::string> pending;
  std::optional<std::string> turning;
  std::optional<int> winner;

  template <class V>
  void fields(V&& v) {
    v("first", first, "seat that leads the round");
    v("totals", totals, "points by team before this round; left out: none");
    v("round", round, "number of the round, from 1");
    v("phase", phase, "ask, answer, lead, respond, attack, turn_up, score, deal, first or over");
    v("to_move", to_move, "seat to move; null when chance is at work or the game is over");
    v("sizes", sizes, "cards in hand by seat");
    v("lines", lines, "pairs by seat: '86' face-up, '.x4' face-down, ':54' face-down mercenary");
    v("owner", owner, "seat of the last attack; null before the first");
    v("announced", announced, "4 players: Soldiers a seat asked with, 0 if it did not ask");
    v("asked", asked, "4 players: seats that have answered the redeal question");
    v("asker", asker, "4 players: seat whose request is before its partner");
    v("redeals", redeals, "4 players: redeals of this round");
    v("dealt", dealt, "deal steps done, in phase deal");
    v("stacks", stacks,
      "2 players: mercenaries A to H, '5x' upper 5 and a hidden lower, '5' one card, '' none");
    v("pending", pending, "2 players: stack letter of the defence just laid, if it is a mercenary");
    v("turning", turning, "2 players, phase turn_up: what follows, attack or respond");
    v("winner", winner, "seat that won the game; null when open or undecided");
  }
};

struct StateSheet : BoardSheet {
  std::vector<std::string> hands;
  std::string aside;

  template <class V>
  void fields(V&& v) {
    v("hands", hands, "cards by seat, one digit a card");
    v("aside", aside, "3 players: the two cards set aside, the second player's first");
    BoardSheet::fields(v);
  }
};

struct ViewSheet : BoardSheet {
  std::string hand;
  std::string aside;

  template <class V>
  void fields(V&& v) {
    v("hand", hand, "own cards, one digit a card");
    v("aside", aside, "3 players: the two cards set aside, x where not looked at");
    BoardSheet::fields(v);
  }
};

namespace detail {

inline bool attack_pending(const Board& board) {
  return board.phase == Phase::attack ||
         (board.phase == Phase::turn_up && board.then == Phase::attack);
}

inline std::string pair_text(const Board& board, int at) {
  const std::uint8_t pair = board.line[static_cast<std::size_t>(at)];
  std::string out;
  if (board.face_down >> at & 1) out += board.hidden >> at & 1 ? '.' : ':';
  out += digit_char(pair >> 4);
  if (pair & 15) out += digit_char(pair & 15);
  return out;
}

// A proven Master Stroke card is face-down but not hidden any more; it came from the hand.
inline void write_board(const Rules& rules, const Board& board, std::uint32_t lower, bool truth,
                        BoardSheet& sheet) {
  const auto players = static_cast<std::size_t>(rules.players);
  sheet.first = board.first;
  sheet.totals.assign(board.totals.begin(), board.totals.begin() + teams(rules));
  sheet.round = board.round;
  sheet.phase = phase_names[static_cast<std::size_t>(board.phase)];
  if (is_decision(board.phase)) sheet.to_move = board.to_move;
  sheet.sizes.assign(board.size.begin(), board.size.begin() + rules.players);
  sheet.lines.assign(players, {});
  for (int s = 0; s < rules.players; ++s) {
    const auto seat = static_cast<std::size_t>(s);
    const bool started = attack_pending(board) && board.to_move == s;
    for (int k = 0; k < board.plays[seat] + (started ? 1 : 0); ++k)
      sheet.lines[seat].push_back(pair_text(board, s * rules.stride + k));
  }
  if (board.owner != nobody) sheet.owner = board.owner;
  if (rules.players == 4) sheet.announced.assign(board.announced.begin(), board.announced.end());
  sheet.asked = board.asked;
  if (board.asker != nobody) sheet.asker = board.asker;
  sheet.redeals = board.redeals;
  sheet.dealt = board.dealt;
  if (rules.players == 2)
    for (int s = 0; s < stacks; ++s) {
      std::string text;
      if (const auto top = static_cast<unsigned>(digit(top_of(board, s))))
        text += digit_char(top);
      else if (board.covered >> s & 1)
        text += '-';
      if (board.covered >> s & 1) text += truth ? digit_char(lower >> (4 * s) & 15) : 'x';
      sheet.stacks.push_back(text);
    }
  if (board.from) sheet.pending = std::string(1, stack_letter(board.from - 1));
  if (board.phase == Phase::turn_up)
    sheet.turning = phase_names[static_cast<std::size_t>(board.then)];
  if (board.winner != nobody) sheet.winner = board.winner;
}

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

// The table as a position may state it. What the fields leave out is the start of a round.
inline Breach read_board(const Rules& rules, const BoardSheet& sheet, int seat, Board& board,
                         std::uint32_t& lower) {
  const bool truth = seat < 0;
  const auto n = static_cast<std::size_t>(rules.players);
  const std::string players = std::to_string(rules.players);
  board = {};
  clear_table(board);
  board.winner = nobody;
  if (sheet.first < 0 || sheet.first >= rules.players)
    return bad("'first' is seat " + std::to_string(sheet.first) + "; seats are 0 to " +
               std::to_string(rules.players - 1));
  board.first = static_cast<std::uint8_t>(sheet.first);
  if (sheet.round < 1 || sheet.round > rules.max_rounds)
    return bad("'round' is " + std::to_string(sheet.round) + "; allowed are 1 to " +
               std::to_string(rules.max_rounds));
  board.round = static_cast<std::uint16_t>(sheet.round);
  if (!sheet.totals.empty() && sheet.totals.size() != static_cast<std::size_t>(teams(rules)))
    return bad("'totals' has " + std::to_string(sheet.totals.size()) + " entries for " +
               std::to_string(teams(rules)) + " teams");
  for (std::size_t t = 0; t < sheet.totals.size(); ++t) {
    if (sheet.totals[t] < 0 || sheet.totals[t] > target + max_points - 1)
      return bad("a total of " + std::to_string(sheet.totals[t]) +
                 " cannot be; totals run from 0 to 14 before a round ends");
    board.totals[t] = static_cast<std::uint8_t>(sheet.totals[t]);
  }

  const bool fresh = sheet.phase.empty();
  if (!fresh) {
    bool found = false;
    for (std::size_t p = 0; p < phase_names.size(); ++p)
      if (sheet.phase == phase_names[p]) board.phase = static_cast<Phase>(p), found = true;
    if (!found) return bad("there is no phase " + kibitz::detail::describe(Value(sheet.phase)));
  } else {
    open_round(rules, board);
  }
  const Phase phase = board.phase;
  if (is_question(phase) && (rules.players != 4 || !rules.redeal))
    return bad("the redeal question is for four players with the option redeal", "kami R19");
  if (phase == Phase::turn_up && rules.players != 2)
    return bad("only two players have mercenaries to turn up", "kami: mercenaries");
  for (std::size_t t = 0; t < sheet.totals.size(); ++t)
    if (phase != Phase::over && board.totals[t] >= target)
      return bad("a total of " + std::to_string(board.totals[t]) + " has won the game already");

  if (!sheet.sizes.empty()) {
    if (sheet.sizes.size() != n)
      return bad("'sizes' has " + std::to_string(sheet.sizes.size()) + " entries for " + players +
                 " seats");
    if (!within(sheet.sizes, 0, rules.hand_size))
      return bad("a hand has 0 to " + std::to_string(rules.hand_size) + " cards");
  }
  for (std::size_t s = 0; s < n; ++s)
    board.size[s] = static_cast<std::uint8_t>(
        sheet.sizes.empty() ? (phase == Phase::deal || phase == Phase::first ? 0 : rules.hand_size)
                            : sheet.sizes[s]);

  if (!sheet.lines.empty() && sheet.lines.size() != n)
    return bad("'lines' has " + std::to_string(sheet.lines.size()) + " entries for " + players +
               " seats");
  for (std::size_t s = 0; s < sheet.lines.size(); ++s) {
    const auto& line = sheet.lines[s];
    if (line.size() > static_cast<std::size_t>(rules.stride))
      return bad("the line of seat " + std::to_string(s) + " has " + std::to_string(line.size()) +
                 " pairs");
    for (std::size_t k = 0; k < line.size(); ++k) {
      const int at = static_cast<int>(s) * rules.stride + static_cast<int>(k);
      if (Breach breach = read_pair(line[k], truth, static_cast<int>(s) == seat, board, at)) {
        breach.why = "lines of seat " + std::to_string(s) + ", pair " + std::to_string(k + 1) +
                     ": " + breach.why;
        return breach;
      }
      if ((board.face_down & ~board.hidden) >> at & 1 && rules.players != 2) {
        const std::uint8_t pair = board.line[static_cast<std::size_t>(at)];
        if (!(phase == Phase::over && pair >> 4 == (pair & 15)))
          return bad(
              "only a mercenary (two players) or a proven Master Stroke is face-down and known to "
              "all (':')");
      }
      const bool complete = board.line[static_cast<std::size_t>(at)] & 15;
      if (complete) {
        ++board.plays[s];
      } else if (k + 1 != line.size()) {
        return bad("seat " + std::to_string(s) +
                   " laid a defence and did not attack; only the pair of the turn under way may "
                   "lack its attack");
      }
      if (!(board.face_down >> at & 1)) {
        const int d = board.line[static_cast<std::size_t>(at)] >> 4;
        board.empress_up |= d == 8;
      }
    }
  }
  if (sheet.owner) {
    if (*sheet.owner < 0 || *sheet.owner >= rules.players) return bad("'owner' is no seat");
    board.owner = static_cast<std::uint8_t>(*sheet.owner);
    if (board.plays[board.owner] == 0)
      return bad("seat " + std::to_string(*sheet.owner) +
                 " is said to own the last attack but has not attacked");
  } else {
    for (std::size_t s = 0; s < n; ++s)
      if (board.plays[s])
        return bad("pairs lie on the table: 'owner' must name the seat of the last attack");
  }

  if (is_decision(phase)) {
    const int to_move = sheet.to_move ? *sheet.to_move : board.to_move;
    if (to_move < 0 || to_move >= rules.players) return bad("'to_move' is no seat");
    board.to_move = static_cast<std::uint8_t>(to_move);
  } else if (sheet.to_move) {
    return bad("no seat is to move in phase " + sheet.phase);
  }

  if (rules.players == 4) {
    if (!sheet.announced.empty() && sheet.announced.size() != 4)
      return bad("'announced' has " + std::to_string(sheet.announced.size()) +
                 " entries for 4 seats");
    for (std::size_t s = 0; s < sheet.announced.size(); ++s) {
      const int a = sheet.announced[s];
      if (a != 0 && (a < ask_soldiers || a > 8))
        return bad("a redeal is asked for with 5 to 8 Soldiers, not " + std::to_string(a),
                   "kami R19");
      if (a != 0 && !rules.redeal)
        return bad("the option redeal is off: nobody can have asked", "kami R19");
      board.announced[s] = static_cast<std::uint8_t>(a);
    }
    if (sheet.redeals < 0 || sheet.redeals > max_redeals)
      return bad("'redeals' runs from 0 to " + std::to_string(max_redeals));
    board.redeals = static_cast<std::uint8_t>(sheet.redeals);
    const bool asking = is_question(phase);
    if (sheet.asked < 0 || sheet.asked > 4) return bad("'asked' runs from 0 to 4");
    board.asked = static_cast<std::uint8_t>(sheet.asked);
    if (!asking && phase != Phase::deal && phase != Phase::first && rules.redeal) board.asked = 4;
    if (asking) {
      if (sheet.asked > 3)
        return bad("all four seats have answered the redeal question: the phase is lead");
      const auto turn = static_cast<std::uint8_t>((board.first + board.asked) & 3);
      if (phase == Phase::ask) board.to_move = turn;
      if (phase == Phase::answer) {
        board.asker = turn;
        if (board.announced[turn] == 0)
          return bad("seat " + std::to_string(turn) +
                         " has asked: 'announced' must say with how many Soldiers",
                     "kami R19");
        board.to_move = partner_of(turn);
      }
      if (sheet.asker && *sheet.asker != (phase == Phase::answer ? turn : -1))
        return bad("'asker' must be seat " + std::to_string(turn) + " in phase answer, else null");
      if (sheet.to_move && *sheet.to_move != board.to_move)
        return bad("the redeal question is before seat " + std::to_string(board.to_move),
                   "kami R31");
      for (int i = 0; i < 4; ++i) {
        const auto s = static_cast<std::size_t>((board.first + i) & 3);
        const bool may = i < board.asked || (i == board.asked && phase == Phase::answer);
        if (board.announced[s] && !may)
          return bad("seat " + std::to_string(s) + " has not been asked yet", "kami R31");
      }
    } else if (sheet.asker) {
      return bad("no request for a redeal is before a partner");
    }
  } else if (!sheet.announced.empty() || sheet.asked || sheet.asker || sheet.redeals) {
    return bad("a redeal is asked for with four players only", "kami R19");
  }

  lower = 0;
  if (rules.players == 2) {
    const bool dealt_whole = phase != Phase::deal && phase != Phase::first;
    if (dealt_whole && sheet.stacks.empty())
      return bad("two players need 'stacks': eight mercenary stacks such as '5x'",
                 "kami: mercenaries");
    if (!sheet.stacks.empty() && sheet.stacks.size() != stacks)
      return bad("'stacks' has " + std::to_string(sheet.stacks.size()) + " entries, not 8");
    for (std::size_t s = 0; s < sheet.stacks.size(); ++s) {
      const std::string& text = sheet.stacks[s];
      const std::string shown = "stack " + std::string(1, stack_letter(static_cast<int>(s))) +
                                " is " + kibitz::detail::describe(Value(text));
      if (text.size() > 2) return bad(shown + "; stacks look like '5x', '5' or ''");
      const auto value = [](char c) { return c >= '1' && c <= '8' ? c - '0' : -1; };
      if (text.size() == 2) {
        const int under = value(text[1]);
        if (truth ? under < 0 : text[1] != 'x')
          return bad(shown + (truth ? "; the lower card must be a digit 1 to 8"
                                    : "; nobody has seen a lower card: it must be x"),
                     "kami: hidden information");
        if (truth) lower |= static_cast<std::uint32_t>(under) << (4 * s);
        board.covered = static_cast<std::uint8_t>(board.covered | 1u << s);
      }
      if (!text.empty() && text[0] != '-') {
        if (value(text[0]) < 0) return bad(shown + "; the upper card must be a digit 1 to 8");
        board.top |= static_cast<std::uint32_t>(value(text[0])) << (4 * s);
      } else if (text.size() == 1) {
        return bad(shown + "; stacks look like '5x', '5' or ''");
      }
    }
  } else if (!sheet.stacks.empty()) {
    return bad("only two players have mercenaries", "kami: mercenaries");
  }
  if (sheet.pending) {
    if (rules.players != 2 || sheet.pending->size() != 1 || (*sheet.pending)[0] < 'A' ||
        (*sheet.pending)[0] > 'H')
      return bad("'pending' is a stack letter A to H, two players only");
    board.from = static_cast<std::uint8_t>((*sheet.pending)[0] - 'A' + 1);
  }
  if (phase == Phase::turn_up) {
    if (!sheet.turning || (*sheet.turning != "attack" && *sheet.turning != "respond"))
      return bad("'turning' must say what follows the turn-up, attack or respond");
    board.then = *sheet.turning == "attack" ? Phase::attack : Phase::respond;
    if (!board.from || top_of(board, board.from - 1) != Card::none ||
        !(board.covered >> (board.from - 1) & 1))
      return bad(
          "phase turn_up needs 'pending' with the stack whose lower card comes to light ('-x')");
  } else if (sheet.turning) {
    return bad("'turning' belongs to phase turn_up");
  }
  for (int s = 0; s < stacks; ++s)
    if ((board.covered >> s & 1) && top_of(board, s) == Card::none &&
        !(phase == Phase::turn_up && board.from == s + 1))
      return bad(std::string("stack ") + stack_letter(s) + " has a lower card and no upper one");
  if (sheet.winner) {
    if (phase != Phase::over || *sheet.winner < 0 || *sheet.winner >= rules.players)
      return bad("'winner' is a seat, once the game is over");
    board.winner = static_cast<std::uint8_t>(*sheet.winner);
  }
  if (phase == Phase::deal) {
    if (sheet.dealt < 0 || sheet.dealt >= deal_plies(rules))
      return bad("'dealt' runs from 0 to " + std::to_string(deal_plies(rules) - 1));
    board.dealt = static_cast<std::uint8_t>(sheet.dealt);
  } else if (phase != Phase::first) {
    board.dealt = static_cast<std::uint8_t>(deal_plies(rules));
  }
  return {};
}

}  // namespace detail
}  // namespace kibitz::kami
