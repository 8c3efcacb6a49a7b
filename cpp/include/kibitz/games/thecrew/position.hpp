// Positions from outside: puts the parts together by playing the tricks again, for the truth and
// for one seat, and refuses whatever no play can reach.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <vector>

#include <kibitz/games/thecrew/legality.hpp>
#include <kibitz/games/thecrew/sampler.hpp>
#include <kibitz/games/thecrew/start_position.hpp>

namespace kibitz::thecrew {

namespace detail {

class Reader : private StartReader {
 public:
  Reader(const Rules& rules, const TableSheet& sheet, Table& table, std::array<Cards, 5> hands,
         bool truth, int viewer)
      : StartReader(rules, sheet, table, hands, truth, viewer) {}

  Breach read() {
    if (Breach b = read_whole()) return b;
    return check_named();
  }

 private:
  Breach read_whole() {
    if (Breach b = read_parts(rules_, sheet_, truth_, t_)) return b;
    if (Breach b = check_roles(rules_, t_)) return b;
    if (Breach b = find_phase()) return b;
    if (before_play(t_.phase)) return read_deal();
    if (t_.commander == nobody) return bad("say who the commander is");
    if (rules_.jarvis && t_.jarvis == nobody)
      return bad("say where the automatic member sits ('jarvis')");
    if (rules_.extra && t_.longest == nobody) return bad("say who was dealt 14 cards ('longest')");
    if (rules_.jarvis && sheet_.display.empty()) return bad("say what lies in the display");
    t_.leader = t_.commander;
    return in_preparation(t_.phase) ? read_preparation() : read_tricks();
  }

  // ---- from the first trick on -----------------------------------------------------

  Breach read_tricks() {
    if (t_.offered != no_card || t_.offered_to != nobody || !sheet_.replies.empty())
      return bad("offers and replies belong to the preparation");
    if (Breach b = check_steps(rules_, t_)) return b;
    set_green(rules_, t_);
    // The distress exchange lies behind, if it was made.
    const bool always = step_index(StepKind::distress) >= 0 &&
                        (rules_.distress == Distress::left || rules_.distress == Distress::right);
    if (always && t_.sent == 0) return bad("cards are passed in this game: say which in 'given'");
    if (Breach b = check_sent(t_.sent != 0)) return b;
    if (Breach b = check_drawn()) return b;
    if (Breach b = first_hands()) return b;
    if (Breach b = replay()) return b;
    if (Breach b = check_given(rules_, t_, truth_, viewer_)) return b;
    if (Breach b = check_sizes()) return b;
    return settle();
  }

  bool exchanged() const { return t_.drawn[at(rules_.seats - 1)] != no_card; }
  int laid_in(int trick) const {
    return at(trick) < sheet_.tricks.size() ? static_cast<int>(sheet_.tricks[at(trick)].size()) : 0;
  }

  Breach check_drawn() {
    int drawn = 0;
    for (int s = 0; s < rules_.seats; ++s) {
      if (t_.drawn[at(s)] == no_card) continue;
      if (drawn != s) return bad("cards are drawn in seat order", "thecrew: S8");
      ++drawn;
    }
    int full = 0;
    while (at(full) < sheet_.tricks.size() && laid_in(full) == rules_.seats) ++full;
    const int after = rules_.mission.draw_after;
    const bool now = t_.phase == Phase::draw;
    const bool later = after && (full > after || laid_in(after) > 0);
    const bool next = after && full == after && !now && t_.phase != Phase::over && !natural_;
    if (drawn == 0 && (later || next))
      return bad("cards were drawn after trick " + std::to_string(after) + ": say which in 'drawn'",
                 "thecrew: S8");
    if (drawn && full < after)
      return bad("'drawn' is given, and cards are drawn after trick " + std::to_string(after),
                 "thecrew: S8");
    if (!after && (now || drawn)) return bad("no cards are drawn in this mission", "thecrew: S8");
    if (now && (full != after || drawn == rules_.seats || laid_in(full)))
      return bad("cards are drawn after trick " + std::to_string(after) + ", one from each seat",
                 "thecrew: S8");
    if (!now && drawn && drawn < rules_.seats)
      return bad("one card is drawn from every seat", "thecrew: S8");
    if (t_.jarvis != nobody && drawn == rules_.seats && !now) {
      int down = 0;
      Cards under = 0;
      for (const Card card : t_.under)
        if (card != no_card) ++down, under |= is_card(card) ? bit(card) : 0;
      const int turned = std::popcount(t_.turned);
      const int all = rules_.columns - down;
      if (after == 1 ? turned != all : turned > all)
        return bad("'turned' does not agree with the display: " + std::to_string(all) +
                   " lower cards have been turned up");
      if (const Card in = t_.drawn[right_of(rules_, t_.jarvis)];
          is_card(in) && !((under | t_.turned) >> in & 1) &&
          (truth_ || (face_up(t_) | t_.played) >> in & 1))
        return bad(card_text(in) +
                       " was drawn for the display: it lies face down in it or is one "
                       "of those 'turned' up since",
                   "thecrew: S8");
    } else if (t_.turned) {
      return bad("'turned' is for the display after the draw");
    }
    if (truth_ && now && t_.jarvis != nobody && is_card(t_.drawn[t_.jarvis]) &&
        std::find(t_.under.begin(), t_.under.end(), t_.drawn[t_.jarvis]) == t_.under.end())
      return bad("the card drawn from the display lies face down in it", "thecrew: S8");
    for (int s = 0; s < drawn; ++s) {
      if (is_card(t_.drawn[at(s)]) && t_.said[at(s)] == t_.drawn[at(s)] &&
          (t_.how[at(s)] >> 2) <= after)
        return bad(card_text(t_.drawn[at(s)]) + " lay under a radio token and was not drawn",
                   "thecrew R40");
      const bool known = truth_ || sees_drawn(rules_, t_, s, viewer_);
      if (known != (t_.drawn[at(s)] != hidden))
        return bad(
            known
                ? "the card drawn from " + seat_name(s) + " is known here: it cannot be 'x'"
                : "this seat does not see the card drawn from " + seat_name(s) + "; it may be 'x'",
            "thecrew: hidden information");
    }
    return {};
  }

  // The hands before trick 1, of the seats known: played cards back, the draw undone.
  Breach first_hands() {
    int first = t_.commander;
    for (std::size_t k = 0; k < sheet_.tricks.size(); ++k) {
      const Card* line = &t_.line[k * at(rules_.seats)];
      Cards trick = 0;
      for (int i = 0; i < laid_in(static_cast<int>(k)); ++i) {
        const auto seat = at((first + i) % rules_.seats);
        trick |= bit(line[i]);
        (exchanged() && static_cast<int>(k) >= rules_.mission.draw_after ? late_ : early_)[seat] |=
            bit(line[i]);
        if (seat == t_.jarvis) {
          const Cards led = same_suit(line[0]);
          shown_.push_back({line[i], bit(line[i]) & led ? 0 : led});
        }
      }
      const int best = winning_card(trick, same_suit(line[0]));
      int place = 0;
      while (line[place] != best) ++place;
      first = (first + place) % rules_.seats;
    }
    first_ = hand_;
    for (int s = 0; s < rules_.seats; ++s) {
      if (!knows(s)) continue;
      if (hand_[at(s)] & (late_[at(s)] | early_[at(s)]))
        return bad(seat_name(s) + " still holds a card that it has played");
      Cards cards = hand_[at(s)] | late_[at(s)];
      if (exchanged()) {
        const Card in = t_.drawn[at(right_of(rules_, s))], out = t_.drawn[at(s)];
        if (!is_card(in) || !is_card(out) || !(cards >> in & 1) || (cards & ~bit(in)) >> out & 1)
          return bad("the cards drawn from and for " + seat_name(s) + " do not fit its hand",
                     "thecrew: S8");
        cards = (cards & ~bit(in)) | bit(out);
      }
      first_[at(s)] = cards | early_[at(s)];
      if (std::popcount(first_[at(s)]) != dealt_size(rules_, t_, s))
        return bad(seat_name(s) + " has " + std::to_string(std::popcount(first_[at(s)])) +
                   " cards with those it has played, not " +
                   std::to_string(dealt_size(rules_, t_, s)));
    }
    if (t_.sent)
      for (int g = 0; g < rules_.seats; ++g) {
        const Card card = t_.given[at(g)];
        const int receiver = receiver_of(rules_, t_, g);
        if (is_card(card) && knows(receiver) && !(first_[at(receiver)] >> card & 1))
          return bad(seat_name(g) + " passed " + card_text(card) + " to " + seat_name(receiver) +
                         ", which has neither held nor played it",
                     "thecrew: distress");
        if (is_card(card) && receiver == t_.jarvis &&
            !((face_up(t_) | early_[at(receiver)] | late_[at(receiver)]) >> card & 1))
          return bad(seat_name(g) + " passed " + card_text(card) +
                         " to the display, where it does not lie and from where it was not played",
                     "thecrew: JARVIS");
        if (card == no_card)
          return bad("cards were passed " + sheet_.distress + ": say in 'given' what " +
                     seat_name(g) + " passed");
      }
    if (Breach b = check_hands(&first_)) return b;
    return t_.jarvis == nobody || exchanged() ? Breach{} : check_columns();
  }

  // JARVIS follows suit with what lies face up. Which column a card was played from is not
  // written, so one lay-out of the columns must explain all that was played: a card of a suit that
  // the display could not follow in trick t lay under a card played in trick t or later.
  Breach check_columns() const {
    std::vector<int> waits;  // for each lower card that lies open now, the trick of that kind
    int pairs = 0;           // columns of which both cards are played
    bool pending = false, fits = true;
    const Card got = t_.sent ? t_.given[at(giver_to(rules_, t_, t_.jarvis))] : no_card;
    for (int c = 0; c < rules_.columns; ++c) {
      const Card up = t_.up[at(c)];
      const bool down = t_.under[at(c)] != no_card;
      const int wait = up == no_card ? -1 : last_void(up, shown_.size());
      if (up == no_card) {
        pending |= down;
        pairs += !down;
      } else if (down) {
        fits &= wait < 0;
      } else {
        fits &= up != got;
        waits.push_back(wait);
      }
    }
    if (shown_.size() != waits.size() + 2 * at(pairs) + pending)
      return bad(
          "the display shows that " + std::to_string(waits.size() + 2 * at(pairs) + pending) +
              " of its cards were played, and the tricks have " + std::to_string(shown_.size()),
          "thecrew: JARVIS");
    std::sort(waits.begin(), waits.end(), std::greater<>());
    // A card that was turned up lay under one of an earlier trick than the one just under way.
    const int open_trick = static_cast<int>(sheet_.tricks.size()) - 1;
    const bool unturned =
        open_trick >= 0 && laid_in(open_trick) < rules_.seats
            ? at(open_trick) < shown_.size()
            : t_.phase == Phase::draw || t_.phase == Phase::turn_up || t_.phase == Phase::over;
    if (fits && explains(0, 0, {pairs, pending, unturned, got}, waits)) return {};
    return bad("the display of " + seat_name(t_.jarvis) +
                   " did not follow suit in some trick and had a card of that suit face up",
               "thecrew: follow suit");
  }

  // The last trick before `end` in which the display could not follow with a card's suit, or -1.
  int last_void(int card, std::size_t end) const {
    while (end-- > 0)
      if (shown_[end].unlike & bit(card)) return static_cast<int>(end);
    return -1;
  }
  // The columns as far as they are known: how many are empty, whether the last upper card played
  // has one below it still, whether none was turned up since, the card passed to the display.
  struct Columns {
    int pairs;
    bool pending, unturned;
    Card got;
  };
  // Takes the cards in the order played: an upper one opens a place (a bit its trick), a lower one
  // takes the earliest place that is late enough for it.
  bool explains(std::size_t i, std::uint32_t open, Columns columns,
                const std::vector<int>& waits) const {
    const auto take = [&open](int from) {
      const std::uint32_t late = open & ~((1u << std::max(from, 0)) - 1);
      open &= ~(late & (0u - late));
      return late != 0;
    };
    if (i == shown_.size()) {
      for (const int wait : waits)
        if (!take(wait)) return false;
      return columns.pairs == 0;
    }
    const int wait = last_void(shown_[i].card, i);
    const bool last = i + 1 == shown_.size();
    const std::uint32_t places = open;
    const bool upper = wait < 0 && (!last || columns.pending || !columns.unturned);
    if (upper && explains(i + 1, last && columns.pending ? open : open | 1u << i, columns, waits))
      return true;
    open = places;
    if (columns.pairs == 0 || (last && columns.pending) || shown_[i].card == columns.got)
      return false;
    --columns.pairs;
    return take(wait) && explains(i + 1, open, columns, waits);
  }

  Breach replay() {
    std::array<Cards, 5> hands = first_;
    for (int k = 0; k <= static_cast<int>(sheet_.tricks.size()) && k < rules_.tricks; ++k) {
      if (Breach b = check_said(k + 1, hands)) return b;
      if (laid_in(k) == 0) break;
      t_.actor = t_.leader;
      Cards trick = 0;
      const Card* line = &t_.line[at(k * rules_.seats)];
      const Cards led = same_suit(line[0]);
      for (int i = 0; i < laid_in(k); ++i) {
        const int card = line[i];
        if (knows(t_.actor)) {
          Cards& hand = hands[t_.actor];
          if (!(hand >> card & 1))
            return bad(seat_name(t_.actor) + " plays " + card_text(card) + " in trick " +
                       std::to_string(k + 1) + " without holding it");
          if (!(playable(hand, i ? led : 0) >> card & 1))
            return bad(seat_name(t_.actor) + " did not follow suit in trick " +
                           std::to_string(k + 1) + " and held " + cards_text(hand & led),
                       "thecrew: follow suit");
          hand &= ~bit(card);
        } else if (truth_ == false && t_.actor != t_.jarvis && viewer_ >= 0 && knows(viewer_) &&
                   (hands[at(viewer_)] >> card & 1)) {
          return bad(card_text(card) + " is in this seat's own hand and was not played by " +
                     seat_name(t_.actor));
        }
        trick |= bit(card);
        t_.played |= bit(card);
        ++t_.laid;
        if (t_.laid < rules_.seats) t_.actor = left_of(rules_, t_.actor);
      }
      if (t_.laid < rules_.seats) break;
      const int best = winning_card(trick, led);
      int place = 0;
      while (line[place] != best) ++place;
      close_trick(rules_, t_, trick, best, place);
      if (t_.result && at(k + 1) < sheet_.tricks.size())
        return bad("the mission was over after trick " + std::to_string(k + 1));
      if (exchanged() && t_.trick == rules_.mission.draw_after) {
        if (t_.result)
          return bad("the mission was over before cards could be drawn", "thecrew R40");
        for (int s = 0; s < rules_.seats; ++s) {
          if (!knows(s)) continue;
          const Card out = t_.drawn[at(s)], in = t_.drawn[at(right_of(rules_, s))];
          if (!(hands[at(s)] >> out & 1) ||
              (t_.said[at(s)] == out && (t_.how[at(s)] >> 2) <= t_.trick))
            return bad(card_text(out) + " could not be drawn from " + seat_name(s), "thecrew R40");
          hands[at(s)] = (hands[at(s)] & ~bit(out)) | bit(in);
        }
      }
    }
    if (t_.phase == Phase::draw && !t_.result)
      for (int s = 0; s < rules_.seats; ++s)
        if (const Card out = t_.drawn[at(s)];
            is_card(out) && knows(s) && (!(hands[at(s)] >> out & 1) || t_.said[at(s)] == out))
          return bad(card_text(out) + " could not be drawn from " + seat_name(s), "thecrew R40");
    return {};
  }

  static std::string of_colour(Cards hand, int card) {
    const Cards held = hand & same_suit(card);
    return held ? cards_text(held, ", ") : "nothing";
  }

  // What was shown before this trick, by hands known.
  Breach check_said(int trick, const std::array<Cards, 5>& hands) {
    for (int s = 0; s < rules_.seats; ++s) {
      if (t_.said[at(s)] == no_card || (t_.how[at(s)] >> 2) != trick) continue;
      for (int i = 0; i < t_.step; ++i)
        if (const Step& step = rules_.mission.step[at(i)];
            step.kind == StepKind::mute && role_seat(t_, step.role) == s)
          return bad(seat_name(s) + " may not use the radio", "thecrew R20");
      if (t_.played >> t_.said[at(s)] & 1)
        return bad(seat_name(s) + " said " + said_text(t_, s) + " before trick " +
                       std::to_string(trick) + ", and the card had been played by then",
                   "thecrew: radio");
      said_ |= 1u << s;
      if (!knows(s)) continue;
      const Ends ends = ends_of(hands[at(s)]);
      const Cards card = bit(t_.said[at(s)]);
      const auto how = static_cast<Said>(t_.how[at(s)] & 3);
      if (!((ends.low | ends.high) & card) ||
          statement(ends, card, rules_.mission.dead_zone) != how)
        return bad(seat_name(s) + " could not say " + said_text(t_, s) + " before trick " +
                       std::to_string(trick) + ": of that colour it then held " +
                       of_colour(hands[at(s)], t_.said[at(s)]),
                   "thecrew: radio");
    }
    return {};
  }

  Breach early_word(int seat) const {
    return bad(seat_name(seat) + " said " + said_text(t_, seat) + " before trick " +
                   std::to_string(t_.how[at(seat)] >> 2) + ", which has not come yet",
               "thecrew R17");
  }

  Breach settle() {
    if (t_.jarvis != nobody && (t_.turned & ~(face_up(t_) | early_[t_.jarvis] | late_[t_.jarvis])))
      return bad("a card that was turned up is not in the display, nor played from it");
    for (std::size_t c = 0; c < 7; ++c)
      if (t_.up[c] == no_card && t_.under[c] != no_card) {
        if (t_.column) return bad("only one column waits for its lower card");
        t_.column = static_cast<std::uint8_t>(c + 1);
      }
    for (int s = 0; s < rules_.seats; ++s)
      if (t_.said[at(s)] != no_card && !(said_ >> s & 1)) return early_word(s);
    if (natural_ && t_.laid == 0) {
      if (t_.result)
        t_.phase = Phase::over;
      else if (t_.sent || !t_.trick)
        begin_trick(rules_, t_);
      else
        after_trick(rules_, t_, exchanged());
      if (t_.phase == Phase::play || t_.phase == Phase::radio) {
        if (t_.trick && t_.column) t_.phase = Phase::turn_up;
      }
    }
    const Phase phase = t_.phase;
    if (phase == Phase::over || phase == Phase::draw || phase == Phase::turn_up)
      for (int s = 0; s < rules_.seats; ++s)
        if (t_.said[at(s)] != no_card && (t_.how[at(s)] >> 2) > t_.trick) return early_word(s);
    if ((phase == Phase::over) != (t_.result != 0))
      return bad(t_.result ? "the mission was over after trick " + std::to_string(t_.trick) +
                                 ": the phase is 'over'"
                           : "the phase is 'over', and by its tasks and tricks the mission is not");
    if (phase != Phase::radio && t_.spoke) return bad("'spoke' is for the radio phase");
    const bool playing = phase == Phase::play && t_.laid > 0;
    if (t_.column) {
      const bool laid = t_.jarvis != nobody && t_.laid > place_in_trick(rules_, t_, t_.jarvis);
      if (!(playing ? laid
                    : phase == Phase::draw || phase == Phase::turn_up || phase == Phase::over))
        return bad("a card of the display waits to be turned up: the phase is turn_up");
    } else if (phase == Phase::turn_up) {
      return bad("no card of the display waits to be turned up");
    }
    if (t_.laid > 0 && !playing) return bad("a trick is under way: the phase is play");
    if (t_.laid == 0 && rules_.mission.draw_after && t_.trick == rules_.mission.draw_after &&
        !exchanged() && phase != Phase::draw && phase != Phase::over)
      return bad("cards are drawn after this trick: the phase is draw", "thecrew: S8");
    if (phase == Phase::draw) {
      while (t_.count < rules_.seats && t_.drawn[t_.count] != no_card) ++t_.count;
    }
    if (phase == Phase::play && t_.laid == 0) t_.actor = t_.leader;
    return phase == Phase::radio ? settle_radio() : Breach{};
  }

  // S5: whose turn it is in the round, which goes clockwise from the leader.
  Breach settle_radio() {
    if (rules_.radio == Radio::off || t_.trick + 1 < rules_.mission.from_trick)
      return bad("there is no radio before this trick", "thecrew R18");
    const auto place = [&](int seat) { return place_in_trick(rules_, t_, seat); };
    int first = nobody, last = nobody;  // that have spoken before this trick
    for (int i = 0; i < rules_.seats; ++i) {
      const int s = (t_.leader + i) % rules_.seats;
      if (t_.said[at(s)] == no_card || (t_.how[at(s)] >> 2) != t_.trick + 1) continue;
      if (first == nobody) first = s;
      last = s;
    }
    const bool once = rules_.radio == Radio::one_round;
    if (sheet_.actor) {
      if (Breach b = read_seat(rules_, "actor", sheet_.actor, t_.actor)) return b;
    } else {
      int i = once && last != nobody ? place(last) + 1 : 0;
      while (i < rules_.seats && !(t_.green >> (t_.leader + i) % rules_.seats & 1)) ++i;
      if (i == rules_.seats && natural_) {
        t_.actor = t_.leader;
        t_.phase = Phase::play;
        return {};
      }
      if (i == rules_.seats) return bad("no seat is left that may use the radio before this trick");
      t_.actor = static_cast<std::uint8_t>((t_.leader + i) % rules_.seats);
    }
    if (!(t_.green >> t_.actor & 1))
      return bad(seat_name(t_.actor) + " may not use the radio any more");
    if (once && last != nobody && place(last) > place(t_.actor))
      return bad(seat_name(last) + " has spoken before this trick, and " + seat_name(t_.actor) +
                     " is asked before it",
                 "thecrew: radio");
    if (t_.spoke && (first == nobody || place(first) > place(t_.actor)))
      return bad("'spoke' is true, and nobody has spoken in this round", "thecrew: radio");
    if (once) t_.spoke = first != nobody;
    return {};
  }

  // Before trick 1; played up to the draw, and since.
  std::array<Cards, 5> first_{}, early_{}, late_{};
  std::uint32_t said_ = 0;  // seats whose statement has been met
  struct Shown {
    Card card;
    Cards unlike;  // the suit led, if the card is not of it
  };
  std::vector<Shown> shown_;  // played from the display, trick by trick
};

}  // namespace detail

inline Breach read_state(const Rules& rules, const StateSheet& sheet, State& out) {
  State state = blank_state(rules);
  if (sheet.hands.size() != at(rules.seats))
    return detail::bad("hands has " + std::to_string(sheet.hands.size()) + " entries for " +
                       std::to_string(rules.seats) + " seats");
  for (int s = 0; s < rules.seats; ++s)
    if (Breach b = detail::read_cards(rules, sheet.hands[at(s)], "the hand of " + seat_name(s),
                                      state.hand[at(s)]))
      return b;
  if (rules.jarvis && sheet.jarvis && *sheet.jarvis >= 1 && *sheet.jarvis < rules.seats &&
      state.hand[at(*sheet.jarvis)])
    return detail::bad("the automatic member has no hand, see display", "thecrew: JARVIS");
  if (Breach b = detail::Reader(rules, sheet, state.table, state.hand, true, -1).read()) return b;
  if (rules.jarvis && state.table.jarvis != nobody)
    state.hand[state.table.jarvis] = face_up(state.table);
  out = state;
  return {};
}

inline Breach read_view(const Rules& rules, const ViewSheet& sheet, Seat seat, View& out) {
  View view{};
  view.table = blank_state(rules).table;
  if (seat >= rules.seats) return detail::bad("there is no seat " + std::to_string(seat));
  view.seat = seat;
  if (Breach b = detail::read_cards(rules, sheet.hand, "the hand", view.hand)) return b;
  if (rules.jarvis && sheet.jarvis == std::optional<int>(seat) && view.hand)
    return detail::bad("the automatic member has no hand, see display", "thecrew: JARVIS");
  std::array<Cards, 5> hands{};
  hands[seat] = view.hand;
  if (Breach b = detail::Reader(rules, sheet, view.table, hands, false, seat).read()) return b;
  if (std::string why = contradiction(rules, view); !why.empty())
    return detail::bad(std::move(why), "thecrew: hidden information");
  out = view;
  return {};
}

}  // namespace kibitz::thecrew
