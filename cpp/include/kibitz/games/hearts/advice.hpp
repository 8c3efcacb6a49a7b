// Plain advice for Hearts: the greedy baseline and the hinted playout policy.
//
// Greedy, in one paragraph. Pass the queen, king and ace of spades unless four lower spades guard
// them, then high cards, rather from short suits. Lead the lowest card of the suit in which most
// unseen cards are higher and fewest lower. Follow with the highest card that loses to the trick as
// it lies; if all would win, with the lowest, but the highest if the trick is safe: last to play,
// or the first trick. Void, give the queen of spades, then a higher spade while she is out, then
// the highest heart, then the highest card. Play the queen where she would win, and the jack of
// diamonds where he counts and would be lost, only if nothing else is legal.
#pragma once

#include <kibitz/core/game.hpp>
#include <kibitz/games/hearts/play.hpp>

namespace kibitz::hearts {

// What the seat to move may use. Other hands, and what others have passed, are out of reach by
// construction.
class Eyes {
 public:
  Eyes(const Rules& rules, const Table& table, Cards hand)
      : rules_(&rules), table_(&table), hand_(hand), legal_(choices(rules, table, hand)) {}

  bool passing() const { return table_->phase == Phase::pass; }
  Cards hand() const { return hand_; }
  Cards legal() const { return legal_; }
  Move move(int card) const { return choice(*table_, card); }
  int laid() const { return table_->count % 4; }
  bool harmless_trick() const { return table_->count < 4 && !rules_->first_trick_free; }
  bool jack_counts() const { return rules_->jack_bonus; }
  Cards trick() const {
    Cards cards = 0;
    for (int i = 0; i < laid(); ++i) cards |= bit(table_->line[at((table_->count & ~3) + i)]);
    return cards;
  }
  // Precondition: laid() > 0.
  Cards led() const { return same_suit(table_->line[table_->count & ~3u]); }
  // Cards that are neither in the own hand nor played.
  Cards unseen() const {
    Cards seen = hand_ | trick();
    for (const Cards taken : table_->taken) seen |= taken;
    return pack & ~seen;
  }

 private:
  const Rules* rules_;
  const Table* table_;
  Cards hand_;
  Cards legal_;
};

inline constexpr Cards high_spades = Cards{7} << queen_of_spades;  // queen, king, ace

// The card of highest rank, of equals the last suit's.
constexpr int highest_rank(Cards cards) {
  int best = lowest(cards);
  for (int suit = 0; suit < 4; ++suit)
    if (const Cards own = cards & suit_cards(suit))
      if (const int card = highest(own); rank_of(card) >= rank_of(best)) best = card;
  return best;
}

inline int card_to_pass(Cards hand) {
  const bool guarded = std::popcount(hand & spades & ~high_spades) >= 4;
  if (const Cards high = hand & high_spades; high && !guarded)
    return high & queen ? queen_of_spades : highest(high);
  int best = -1, most = -1;
  for (int suit = 0; suit < 4; ++suit) {
    const Cards own = hand & suit_cards(suit) & (suit == 2 ? 0 : pack);
    if (!own) continue;
    const int length = std::popcount(own);
    const int weight = 2 * rank_of(highest(own)) + (length < 4 ? 3 * (4 - length) : 0);
    if (weight > most) most = weight, best = highest(own);
  }
  return best < 0 ? highest(hand) : best;
}

inline int card_to_lead(const Eyes& eyes) {
  Cards legal = eyes.legal();
  if (legal & ~queen) legal &= ~queen;
  const Cards unseen = eyes.unseen();
  int best = lowest(legal), most = -100;
  for (int suit = 0; suit < 4; ++suit) {
    const Cards own = legal & suit_cards(suit);
    if (!own) continue;
    const int card = lowest(own);
    const Cards others = unseen & suit_cards(suit);
    const int below = std::popcount(others & (bit(card) - 1));
    const int above = std::popcount(others) - below;
    int weight = above ? above - 2 * below : -50 - below;
    if (suit == 2 && (unseen & queen) && (eyes.hand() & high_spades)) weight -= 10;
    if (weight > most) most = weight, best = card;
  }
  return best;
}

inline int card_to_discard(const Eyes& eyes) {
  Cards legal = eyes.legal();
  if (legal & queen) return queen_of_spades;
  if (eyes.jack_counts() && (legal & ~bit(jack_of_diamonds))) legal &= ~bit(jack_of_diamonds);
  if ((legal & high_spades) && (eyes.unseen() & queen)) return highest(legal & high_spades);
  if (legal & hearts) return highest(legal & hearts);
  return highest_rank(legal);
}

inline int card_to_follow(const Eyes& eyes) {
  Cards legal = eyes.legal();
  const Cards trick = eyes.trick();
  const int best = highest(trick & eyes.led());
  Cards losing = legal & (bit(best) - 1);
  if (eyes.jack_counts() && losing == bit(jack_of_diamonds) && legal != losing) losing = 0;
  if (losing) {
    const Cards kept = eyes.jack_counts() ? losing & ~bit(jack_of_diamonds) : losing;
    return highest(kept ? kept : losing);
  }
  if (legal & ~queen) legal &= ~queen;
  return eyes.laid() == 3 || eyes.harmless_trick() ? highest(legal) : lowest(legal);
}

inline int plain_advice(const Eyes& eyes) {
  if (eyes.passing()) return card_to_pass(eyes.hand());
  if ((eyes.legal() & (eyes.legal() - 1)) == 0) return lowest(eyes.legal());
  if (eyes.laid() == 0) return card_to_lead(eyes);
  return eyes.legal() & eyes.led() ? card_to_follow(eyes) : card_to_discard(eyes);
}

// The advice with a fair share of anything else, so that playouts vary.
inline Move hinted_move(const Eyes& eyes, Rng& rng) {
  return eyes.move(rng.below(4) == 0 ? pick_card(eyes.legal(), rng) : plain_advice(eyes));
}

}  // namespace kibitz::hearts
