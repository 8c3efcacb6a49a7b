// Why a move is illegal, in a sentence that names the rule and nothing hidden from the mover.
#pragma once

#include <array>
#include <string>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/small_list.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/moves_text.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

inline std::string card_name(Card card) {
  static constexpr std::array<const char*, 9> names = {"nothing",  "Soldier",       "Spear",
                                                       "Horseman", "Silver Dragon", "Gold Dragon",
                                                       "Madman",   "Tower",         "Empress"};
  return names[static_cast<std::size_t>(card)];
}

inline std::string seat_name(Seat seat) { return "seat " + std::to_string(seat); }

inline constexpr std::size_t max_list = 17;  // pass, eight types and eight stacks

// What the phase asks for, when the move is of another kind.
inline Breach wrong_kind(const Rules& rules, const Board& board) {
  const std::string who = seat_name(board.to_move);
  switch (board.phase) {
    case Phase::ask:
      return {"kami R19, R31",
              who + " answers the redeal question: '-' or, with five or more Soldiers, '?5'"};
    case Phase::answer:
      return {"kami R19", who + " answers its partner's request for a redeal: '+' or '-'"};
    case Phase::lead:
      return {"kami R1, R3", who + " leads: it lays a face-down defence first ('d1')"};
    case Phase::respond:
      return {"kami R2", who + " passes ('p') or answers the attack with a defence ('d" +
                             std::to_string(board.attack) + "')"};
    case Phase::attack:
      return {"kami: attack", who + " has laid its defence and must now attack ('a1')"};
    case Phase::over: return {"kami: end", "the game is over"};
    default:
      static_cast<void>(rules);
      return {"kami: chance", "no seat is to move: an outcome comes first"};
  }
}

// Breaches that the table alone proves, whatever the hand; empty if some hand allows the move.
inline Breach breach_of_other(const Rules& rules, const Board& board, Move move) {
  const std::string who = seat_name(board.to_move);
  const Kind kind = kind_of(move);
  const int stack = stack_of(move);
  const int digit_given = digit_of(move);
  const bool leading = board.phase == Phase::lead;
  if (!is_decision(board.phase)) return wrong_kind(rules, board);
  switch (kind) {
    case Kind::no:
    case Kind::yes:
    case Kind::pass:
      if (payload_of(move) != 0) return {"kami: moves", "that is no move of this game"};
      if (kind == Kind::pass) {
        if (leading && rules.players == 2 && board.size[board.to_move] < 2 && board.top == 0)
          return {};
        if (leading) return {"kami R1, R3", "the leader cannot pass (" + who + " leads)"};
        if (board.phase != Phase::respond) return wrong_kind(rules, board);
        return {};
      }
      if (board.phase == Phase::answer || (board.phase == Phase::ask && kind == Kind::no))
        return {};
      return wrong_kind(rules, board);
    case Kind::ask:
      if (board.phase != Phase::ask) return wrong_kind(rules, board);
      if (payload_of(move) < static_cast<std::uint32_t>(ask_soldiers) || payload_of(move) > 8)
        return {"kami R19", "a redeal may be asked for with 5 to 8 Soldiers"};
      if (board.redeals >= max_redeals)
        return {"kami: redeals",
                "this round has been dealt again " + std::to_string(max_redeals) + " times"};
      return {};
    case Kind::defend:
      if (!leading && board.phase != Phase::respond) return wrong_kind(rules, board);
      break;
    case Kind::attack:
      if (board.phase != Phase::attack) return wrong_kind(rules, board);
      break;
    default: return wrong_kind(rules, board);
  }
  if (payload_of(move) > 255 || digit_given > 8 ||
      (stack >= 0) == (digit_given != 0 || stack >= stacks)) {
    const bool masked_lead = move == hidden_defence && leading;
    if (!masked_lead)
      return {"kami: moves", move == hidden_defence
                                 ? "a defence that answers an attack lies face-up: name the card"
                                 : "that is no card or stack of this game"};
  }
  if (stack >= 0) {
    if (rules.players != 2)
      return {"kami: mercenaries", "there are mercenaries with two players only"};
    if (top_of(board, stack) == Card::none)
      return {"kami: mercenaries", std::string("stack ") + stack_letter(stack) + " is used up"};
  }
  const Card card = stack >= 0 ? top_of(board, stack) : static_cast<Card>(digit_given);
  if (kind == Kind::defend) {
    if (!leading && !(answers[board.attack] >> lane(card) & 1)) {
      const std::string attack = card_name(static_cast<Card>(board.attack));
      if (card == Card::empress)
        return {board.attack == 8 ? "kami R11" : "kami R8", "an Empress cannot answer " + attack};
      if (board.attack == 8) return {"kami R11", "an Empress attack can never be answered"};
      return {"kami: answers", card_name(card) + " does not answer " + attack};
    }
    if (stack < 0 && rules.players == 2 && board.size[board.to_move] < 2)
      return {"kami R21", "the only hand card cannot be laid as defence: it must be the attack"};
    return {};
  }
  const bool last = board.size[board.to_move] == 1;
  if (stack >= 0 && last && board.from != 0 && !rules.one_card_free)
    return {"kami R21", "with one hand card left, that card must be the attack"};
  if (card == Card::empress && !board.empress_up && (stack >= 0 || !last))
    return {stack >= 0 ? "kami R22" : "kami R10, R13",
            "an Empress attacks only as the last card of a hand or when the other Empress lies "
            "face-up on a "
            "defence line"};
  return {};
}

inline std::string legal_texts(const Rules& rules, const Board& board, Counts hand) {
  SmallList<Move, max_list> list;
  list_moves(rules, board, hand, list);
  std::string out;
  for (const Move move : list) out += (out.empty() ? "" : ", ") + move_text(move);
  return out;
}

// Why the seat to move may not make this move with this hand; empty if it may.
inline Breach breach_of(const Rules& rules, const Board& board, Counts hand, Move move) {
  if (!is_decision(board.phase)) return wrong_kind(rules, board);
  SmallList<Move, max_list> list;
  list_moves(rules, board, hand, list);
  if (list.contains(move)) return {};
  Breach breach = breach_of_other(rules, board, move);
  if (!breach) {
    const std::string who = seat_name(board.to_move);
    if (kind_of(move) == Kind::ask)
      breach = {"kami R19", who + " does not hold that many Soldiers"};
    else if (stack_of(move) < 0 && digit_of(move) == 0)
      breach = {"kami: moves", "the mover must name its card"};
    else if (stack_of(move) >= 0)
      breach = {"kami R23", "nothing would be left to attack with"};
    else
      breach = {"kami: hand", who + " holds no " + card_name(static_cast<Card>(digit_of(move)))};
  }
  breach.why += "; legal: " + legal_texts(rules, board, hand);
  return breach;
}

}  // namespace kibitz::kami
