// Plain advice for The Crew: the greedy baseline and the hinted playout policy.
//
// Greedy, in one paragraph. Take the task that the own hand wins most surely (holding its colour's
// top cards, then length, then rockets); as commander give tasks to who said yes and has fewest.
// Answer yes or good by the strength of the hand; vote for no distress, make no offers, agree to
// all. Radio: show a task card that somebody else owns, or the top card of a colour in which one
// has a task; else stay quiet. Leading: the top card of a colour that wins an own task now; else
// another's task card that is low, or a low card of the colour of another's task, so that its owner
// can take it; else the lowest card of a colour without tasks. Following: with an own task in the
// trick, win it as cheaply as is sure; with another's task in it, stay below; throw a task card
// onto a trick that its owner is winning; else the highest card that does not win and is no task,
// or the lowest. Roles and other constraints say whether a trick is wanted, and which cards should
// win or must not.
#pragma once

#include <bit>

#include <kibitz/games/thecrew/eyes.hpp>

namespace kibitz::thecrew {

namespace detail {

constexpr int lowest(Cards cards) { return std::countr_zero(cards); }
constexpr int highest(Cards cards) { return 63 - std::countl_zero(cards); }

// The card of the lowest (highest) value, whatever its suit; rockets count above all colours.
inline int low_value(Cards cards) {
  int best = lowest(cards), least = 99;
  for (Cards rest = cards; rest; rest &= rest - 1) {
    const int c = std::countr_zero(rest);
    const int value = value_of(c) + (c >= 36 ? 9 : 0);
    if (value < least) least = value, best = c;
  }
  return best;
}
inline int high_value(Cards cards) {
  int best = lowest(cards), most = -1;
  for (Cards rest = cards; rest; rest &= rest - 1) {
    const int c = std::countr_zero(rest);
    const int value = value_of(c) + (c >= 36 ? 9 : 0);
    if (value > most) most = value, best = c;
  }
  return best;
}

// How surely a hand wins a trick with that card in it.
inline int strength_for(Cards hand, int card) {
  const Cards suit = hand & same_suit(card);
  const int rocket_count = std::popcount(hand & rockets);
  const int top = suit ? value_of(highest(suit)) : 0;
  const int over = std::popcount(suit & above(card));
  int points = 2 * rocket_count + 2 * over + (top >= 8 ? 4 : top >= 6 ? 1 : 0);
  if (hand >> card & 1) points += value_of(card) >= 7 ? 4 : -2;
  if (suit == 0) points += rocket_count;  // it can be trumped
  return points;
}
inline int hand_strength(Cards hand) {
  return 2 * std::popcount(hand & rockets) +
         std::popcount(hand & (colour_nines | colour_nines >> 1));
}

inline Move spoken_advice(const Eyes& eyes) {
  const Ends ends = ends_of(eyes.hand());
  const Cards shown = ends.low | ends.high;
  Cards useful = shown & eyes.open_tasks() & ~eyes.own_tasks();
  for (Cards rest = ends.high; rest && !useful; rest &= rest - 1) {
    const int c = std::countr_zero(rest);
    const bool top = (eyes.elsewhere() & above(c)) == 0;
    if (top && (same_suit(c) & eyes.own_tasks())) useful = bit(c);
  }
  if (!useful) return quiet_move;
  const int card = lowest(useful);
  return say_card(card, eyes.says(ends, card));
}

// Wins with the least that will do: last to play the lowest winner, else the highest.
inline int winner_of(const Eyes& eyes, Cards winners) {
  const Cards harmless = winners & ~eyes.harmful_winners();
  const Cards from = harmless ? harmless : winners;
  const Cards colour = from & ~rockets;
  if (eyes.last_to_play()) return low_value(colour ? colour : from);
  if (colour && (eyes.elsewhere() & above(highest(colour))) == 0) return highest(colour);
  return high_value(colour ? colour : from);
}

// Leading or following without purpose: no task card of others, nothing that must not be risked.
inline int spare_card(const Eyes& eyes, Cards cards, bool high) {
  const Cards others = eyes.open_tasks() & ~eyes.own_tasks();
  Cards from = cards & ~eyes.open_tasks() & ~rockets;
  if (from & ~eyes.wanted_winners()) from &= ~eyes.wanted_winners();
  if (!from) from = cards & ~others;
  if (!from) from = cards;
  return high ? high_value(from) : low_value(from);
}

inline int lead_card(const Eyes& eyes) {
  const Cards hand = eyes.legal_cards();
  const Cards out = eyes.elsewhere();
  const Cards ready = eyes.ready_tasks();
  const Cards mine = eyes.own_tasks(), others = eyes.open_tasks() & ~mine;
  const int wish = eyes.wish();
  // 1. A sure winner of an own task: the top card of its colour, the task itself or above it.
  for (Cards rest = mine & ready; rest; rest &= rest - 1) {
    const int task = std::countr_zero(rest);
    const Cards suit = hand & same_suit(task);
    if (!suit) continue;
    const int top = highest(suit);
    if ((out & above(top)) == 0 && !(others >> top & 1) && top >= task) return top;
  }
  // 2. What lets another seat win its task.
  for (Cards rest = others & ready; rest; rest &= rest - 1) {
    const int task = std::countr_zero(rest);
    if (hand >> task & 1) {
      if (out & above(task)) return task;
      continue;
    }
    const Cards low = hand & below(task) & ~eyes.open_tasks();
    if (low) return lowest(low);
  }
  if (const Cards wanted = hand & eyes.wanted_winners()) {
    // Rockets win in order where that is asked, the highest left is always safe; ones are led
    // blind.
    if (wanted & rockets) {
      const int card = lowest(wanted & rockets);
      const bool in_turn = !eyes.wins_in_order() || !(eyes.unplayed() & rockets & (bit(card) - 1));
      if (in_turn && (out & above(card)) == 0) return card;
    } else {
      for (Cards rest = wanted; rest; rest &= rest - 1)
        if (const int card = std::countr_zero(rest); (out & same_suit(card)) == 0) return card;
    }
  }
  if (wish > 0) return high_value(hand & ~others ? hand & ~others : hand);
  // 3. Low, and where no task is about.
  Cards quiet = 0;
  for (const Cards suit : suit_cards)
    if (!(suit & eyes.open_tasks())) quiet |= suit;
  const Cards from = hand & quiet & ~rockets;
  return spare_card(eyes, from ? from : hand, false);
}

inline int follow_card(const Eyes& eyes) {
  const Cards hand = eyes.legal_cards();
  const Cards mine = eyes.own_tasks();
  const Cards others = eyes.open_tasks() & ~mine;
  const Cards better = eyes.best() < 63 ? ~((bit(eyes.best()) << 1) - 1) : 0;
  const Cards winners = hand & (eyes.led() | rockets) & better;
  const Cards losers = hand & ~winners;
  int wish = eyes.wish();
  if (eyes.trick() & mine) wish = 1;
  if (eyes.trick() & others) wish = -1;
  const Cards winner_tasks = eyes.tasks_of(eyes.winner()) & eyes.ready_tasks();
  if (wish <= 0 && eyes.winner() != eyes.self()) {
    // Another's task card goes to its owner, once nobody after is likely to take the trick away.
    const bool safe = eyes.last_to_play() || (eyes.elsewhere() & above(eyes.best())) == 0;
    if (const Cards gift = losers & winner_tasks; gift && safe) return lowest(gift);
  }
  // An own task card in hand that wins now.
  if (wish >= 0)
    if (const Cards take = winners & mine & eyes.ready_tasks();
        take && (eyes.last_to_play() || (eyes.elsewhere() & above(highest(take))) == 0))
      return highest(take);
  if (const Cards wanted = winners & eyes.wanted_winners();
      wish >= 0 && wanted && eyes.last_to_play() &&
      !(eyes.trick() & rockets & eyes.wanted_winners()))
    return lowest(wanted);
  if (wish > 0 && (winners & ~others)) return winner_of(eyes, winners & ~others);
  if (losers) {
    // A card that must not win is best thrown under one that does.
    if (const Cards rid = losers & eyes.harmful_winners() & ~eyes.open_tasks()) return lowest(rid);
    const Cards kept = losers & ~eyes.wanted_winners();
    return spare_card(eyes, kept ? kept : losers, eyes.led() & losers);
  }
  return spare_card(eyes, winners, wish >= 0 && eyes.last_to_play());
}

template <class List>
Move most_fitting(const Eyes& eyes, const List& list) {
  const Cards hand = eyes.hand();
  Move best = list[0];
  int most = -1000;
  for (const Move move : list) {
    int points = 0;
    const int seat = seat_of(move);
    if (kind_of(move) == Kind::take) points = strength_for(hand, card_of(move));
    if (kind_of(move) == Kind::owner || kind_of(move) == Kind::role) {
      const bool second = kind_of(move) == Kind::role && number_of(move) == 2;
      points = -3 * std::popcount(eyes.tasks_of(seat));
      if (eyes.named(Reply::yes, seat) || eyes.named(Reply::good, seat)) points += 6;
      if (eyes.named(second ? Reply::last : Reply::first, seat)) points += 6;
      if (seat == eyes.self() && kind_of(move) == Kind::owner && eyes.free_tasks())
        points += strength_for(hand, lowest(eyes.free_tasks())) - 4;
    }
    if (points > most) most = points, best = move;
  }
  return best;
}

}  // namespace detail

inline Move plain_advice(const Eyes& eyes) {
  switch (eyes.phase()) {
    case Phase::play:
      return play_card(eyes.leading() ? detail::lead_card(eyes) : detail::follow_card(eyes));
    case Phase::radio:   return detail::spoken_advice(eyes);
    case Phase::vote:    return reply_move(Reply::none);
    case Phase::consent: return reply_move(Reply::yes);
    case Phase::edit:
    case Phase::offer:   return keep_move;
    case Phase::give:    {
      const Cards cards = eyes.hand() & colours & ~eyes.open_tasks();
      return make(Kind::give, detail::low_value(cards ? cards : eyes.hand() & colours));
    }
    case Phase::ask: {
      const int strength = detail::hand_strength(eyes.hand());
      if (eyes.offers(Reply::good) && eyes.offers(Reply::bad))
        return reply_move(strength <= 2 ? Reply::good : Reply::bad);
      if (eyes.offers(Reply::first) && eyes.offers(Reply::last) && eyes.offers(Reply::between))
        return reply_move(strength >= 5   ? Reply::first
                          : strength >= 3 ? Reply::last
                                          : Reply::between);
      if (eyes.offers(Reply::yes) && eyes.offers(Reply::no)) {
        const Cards task = eyes.free_tasks();
        const bool able =
            task ? detail::strength_for(eyes.hand(), detail::lowest(task)) >= 6 : strength >= 4;
        return reply_move(able ? Reply::yes : Reply::no);
      }
      break;
    }
    default: break;
  }
  SmallList<Move, max_list> list;
  eyes.moves(list);
  return detail::most_fitting(eyes, list);
}

// The advice with a share of anything else, so that playouts vary.
inline Move hinted_move(const Eyes& eyes, Rng& rng) {
  return rng.below(8) == 0 ? eyes.any(rng) : plain_advice(eyes);
}

}  // namespace kibitz::thecrew
