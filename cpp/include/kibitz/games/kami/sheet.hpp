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
    v("asked", asked, "4 players: seats that have asked for a redeal or said no");
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
      else if (truth && (board.covered >> s & 1))
        text += '-';
      if (board.covered >> s & 1) text += truth ? digit_char(lower >> (4 * s) & 15) : 'x';
      sheet.stacks.push_back(text);
    }
  if (board.from) sheet.pending = std::string(1, stack_letter(board.from - 1));
  if (board.phase == Phase::turn_up)
    sheet.turning = phase_names[static_cast<std::size_t>(board.then)];
  if (board.winner != nobody) sheet.winner = board.winner;
}

}  // namespace detail
}  // namespace kibitz::kami
