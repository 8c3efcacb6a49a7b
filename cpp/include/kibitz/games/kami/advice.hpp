// Plain advice for Kami: the greedy baseline and the hinted playout policy.
//
// Greedy, in one paragraph. Lead a Soldier face-down, else the lowest card held only once, else the
// lowest card. Attack with the type held most (of equals the higher), an Empress when it may
// attack. Never answer the partner except to finish. Answer an opponent with the fitting type; with
// an Empress only at four cards or fewer in hand. With two cards left take the order that scores
// more. Two players: hand cards before mercenaries, but a mercenary when the hand may not serve.
// Ask for a redeal with five Soldiers, and agree to one.
#pragma once

#include <bit>

#include <kibitz/core/game.hpp>
#include <kibitz/games/kami/choices.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// What the seat to move may use. Other hands and face-down cards are out of reach by construction.
class Eyes {
 public:
  Eyes(const Rules& rules, const Board& board, Counts hand)
      : rules_(&rules), board_(&board), hand_(hand) {}

  Counts hand() const { return hand_; }
  Phase phase() const { return board_->phase; }
  int attack() const { return board_->attack; }
  int size() const { return board_->size[board_->to_move]; }
  bool partner_attacks() const {
    return rules_->players == 4 && board_->phase == Phase::respond &&
           partner_of(board_->to_move) == board_->owner;
  }
  Choice legal() const { return choices(*rules_, *board_, hand_); }
  Move any(Rng& rng) const { return pick_move(*rules_, *board_, hand_, rng); }
  bool may_ask_redeal() const { return may_ask(*board_, hand_); }

 private:
  const Rules* rules_;
  const Board* board_;
  Counts hand_;
};

inline int lowest_single(std::uint32_t kinds, Counts hand) {
  for (std::uint32_t rest = kinds; rest; rest &= rest - 1)
    if (const int kind = std::countr_zero(rest); hand[kind] == 1) return kind;
  return std::countr_zero(kinds);
}

inline int most_held(std::uint32_t kinds, Counts hand) {
  int best = std::countr_zero(kinds);
  for (std::uint32_t rest = kinds & (kinds - 1); rest; rest &= rest - 1)
    if (const int kind = std::countr_zero(rest); hand[kind] >= hand[best]) best = kind;
  return best;
}

inline Move plain_advice(const Eyes& eyes) {
  const Counts hand = eyes.hand();
  switch (eyes.phase()) {
    case Phase::ask:
      if (eyes.may_ask_redeal()) return make(Kind::ask, static_cast<std::uint32_t>(hand[0]));
      return no_move;
    case Phase::answer: return yes_move;
    default:            break;
  }
  const Choice legal = eyes.legal();
  const std::uint32_t own = legal.cards;
  const std::uint32_t mercenaries = legal.stacks;
  if (eyes.phase() == Phase::attack) {
    if (own) return attack_with(most_held(own, hand));
    return attack_stack(std::countr_zero(mercenaries));
  }
  const bool finishing = eyes.size() == 2;
  if (eyes.phase() == Phase::lead) {
    if ((own | mercenaries) == 0) return pass_move;
    if (!own) return defend_stack(std::countr_zero(mercenaries));
    // With two cards the lower one goes face-down: the attack is what scores.
    if (finishing || own & 1) return defend_with(std::countr_zero(own));
    return defend_with(lowest_single(own, hand));
  }
  if ((own | mercenaries) == 0 || (eyes.partner_attacks() && !(finishing && own))) return pass_move;
  const std::uint32_t fitting = own & ~empress_bit;
  if (fitting) return defend_with(std::countr_zero(fitting));
  if (own && eyes.size() <= 4) return defend_with(lane(Card::empress));
  if (mercenaries) return defend_stack(std::countr_zero(mercenaries));
  return pass_move;
}

// The advice with a fair share of anything else, so that playouts vary.
inline Move hinted_move(const Eyes& eyes, Rng& rng) {
  return rng.below(4) == 0 ? eyes.any(rng) : plain_advice(eyes);
}

}  // namespace kibitz::kami
