// What the record proves of hidden cards: the hard facts of docs/games/thecrew.md, "Hidden
// information", drawn from a view.
//
// Two exchanges may lie behind: distress before trick 1 (no fact of play is older) and the draw of
// mission 12. A fact older than the draw binds the hand of that time: what its seat has kept and
// the card that its left neighbour received. `before` holds such facts, `now` those of the hands as
// they are; without a draw all are in `now`.
#pragma once

#include <array>
#include <bit>
#include <string>
#include <vector>

#include <kibitz/games/thecrew/moves_text.hpp>
#include <kibitz/games/thecrew/view.hpp>

namespace kibitz::thecrew {

// The hands of a time, as far as facts go.
struct Bounds {
  std::array<Cards, 5> has{};   // certainly there
  std::array<Cards, 5> not_{};  // certainly not
};

// One fact, with the sentence that names it.
struct Fact {
  enum class Kind { without, one_of, not_both };
  Kind kind;
  int seat;
  bool before;  // of the hand before the draw
  int from;     // trick (0-based) from which on its seat's plays belong to that hand
  Cards cards;  // not there; one of them there; not one of them ...
  Cards other;  // ... and one of these
  std::string text;
};

inline std::string said_text(const Table& table, int seat) {
  const auto how = static_cast<std::size_t>(table.how[at(seat)] & 3);
  return card_text(table.said[at(seat)]) + (how ? " " : "") + std::string(said_names[how]);
}

struct Facts {
  // Everything is derived here; `without` leaves out one fact, to find out which one breaks.
  Facts(const Rules& rules, const View& view, int without = -1) : rules_(rules), view_(view) {
    const Table& table = view.table;
    exchanged = table.drawn[at(rules.seats - 1)] != no_card;
    passed = table.sent && table.phase != Phase::give && table.phase != Phase::get;
    read_tricks();
    allowed.fill((1u << rules.seats) - 1);
    find_known_places();
    find_voids();
    find_statements();
    if (without >= 0 && at(without) < facts.size()) facts.erase(facts.begin() + without);
    for (const Fact& fact : facts) apply(fact);
  }

  bool exchanged = false;                              // S8 lies behind
  bool passed = false;                                 // S4 lies behind
  std::array<std::array<Cards, 13>, 5> played{};       // by seat and trick
  std::array<std::uint8_t, 13> leader{};               // by trick
  std::array<Cards, 5> played_early{}, played_late{};  // up to the draw, and since
  std::array<std::uint32_t, 40>
      allowed{};       // by card: seats that may have held it (before the draw)
  Cards kept = 0;      // cards that lay under a radio token during the draw
  int announcer = -1;  // held the announced card at the deal; -1 nobody is known
  int announced = -1;  // that card
  std::vector<Fact> facts;
  Bounds now, before;
  std::vector<Fact> open;  // one_of and not_both that what is known does not settle
  std::string broken;      // a fact that what is known contradicts

  bool other_human(int seat) const { return seat != view_.seat && seat != view_.table.jarvis; }
  // Is the card that this seat received in the draw known to the view?
  bool received_known(int seat) const {
    return view_.table.drawn[right_of(rules_, seat)] != hidden;
  }

 private:
  void read_tricks() {
    const Table& table = view_.table;
    const int draw_after = exchanged ? rules_.mission.draw_after : max_tricks;
    int first = table.commander;
    for (int t = 0; t <= table.trick && t < rules_.tricks; ++t) {
      leader[at(t)] = static_cast<std::uint8_t>(first);
      const int laid = t < table.trick ? rules_.seats : table.laid;
      const Card* line = &table.line[at(t * rules_.seats)];
      Cards trick = 0;
      for (int i = 0; i < laid; ++i) {
        const auto seat = at((first + i) % rules_.seats);
        trick |= bit(line[i]);
        played[seat][at(t)] = bit(line[i]);
        (t < draw_after ? played_early : played_late)[seat] |= bit(line[i]);
      }
      if (laid < rules_.seats) break;
      const int best = winning_card(trick, same_suit(line[0]));
      int place = 0;
      while (line[place] != best) ++place;
      first = (first + place) % rules_.seats;
    }
  }

  void only_at(int card, int seat) {
    if (is_card(card)) allowed[at(card)] &= 1u << seat;
  }

  void find_known_places() {
    const Table& table = view_.table;
    if (table.commander != nobody) only_at(r4, table.commander);  // fact 2
    for (int s = 0; s < rules_.seats; ++s) {
      const Card said = table.said[at(s)];
      if (said == no_card) continue;
      if (exchanged && (table.how[at(s)] >> 2) > rules_.mission.draw_after)
        now.has[at(s)] |= bit(said);
      else
        only_at(said, s);  // fact 5; such a card is not drawn either (R40)
      if (exchanged && (table.how[at(s)] >> 2) <= rules_.mission.draw_after &&
          !(played_early[at(s)] >> said & 1))
        kept |= bit(said);
    }
    if (passed)
      for (int g = 0; g < rules_.seats; ++g)
        if (const Card card = table.given[at(g)]; card != hidden)
          only_at(card, receiver_of(rules_, table, g));  // fact 6
    if (table.phase == Phase::give || table.phase == Phase::get)
      for (int g = 0; g < rules_.seats; ++g)
        if (const Card card = table.given[at(g)]; is_card(card)) only_at(card, g);
    find_announced();
    if (!exchanged) {
      for (int s = 0; s < rules_.seats; ++s)
        if (is_card(table.drawn[at(s)])) only_at(table.drawn[at(s)], s);
      for (int c = 0; c < deck_size; ++c)
        if (std::has_single_bit(allowed[at(c)]))
          now.has[at(std::countr_zero(allowed[at(c)]))] |= bit(c);
      for (int s = 0; s < rules_.seats; ++s) now.has[at(s)] &= ~table.played;
      return;
    }
    // Certainly in a hand before the draw: drawn from it before this seat's eyes, under its token,
    // or played later where the received card is known. The same cards bound the hands of now.
    for (int s = 0; s < rules_.seats; ++s) {
      const int from = right_of(rules_, s);
      const Card out = table.drawn[at(s)], in = table.drawn[at(from)];
      if (is_card(out)) before.has[at(s)] |= bit(out), only_at(out, s);
      const Card said = table.said[at(s)];
      if (said != no_card && (kept >> said & 1)) {
        before.has[at(s)] |= bit(said);
        now.has[at(s)] |= bit(said) & ~table.played;
      }
      if (is_card(in)) {
        before.has[at(s)] |= played_late[at(s)] & ~bit(in);
        if (s != table.jarvis) now.has[at(s)] |= bit(in) & ~table.played;
      }
    }
    for (int s = 0; s < rules_.seats; ++s) now.has[at(s)] &= ~table.played;
  }

  // Mission 46: the holder at the deal is public; in distress the card may have gone on.
  void find_announced() {
    const Table& table = view_.table;
    for (int i = 0; i < rules_.mission.step_count; ++i) {
      const Step& step = rules_.mission.step[at(i)];
      if (step.kind != StepKind::announce_holder || table.commander == nobody) continue;
      const int role = role_seat(table, step.role);
      if (role == nobody) continue;
      const int holder = right_of(rules_, role);
      announcer = holder;
      announced = step.card;
      const Card out = table.given[at(holder)];
      if (!passed || !(bit(step.card) & colours) || (out != hidden && out != step.card))
        only_at(step.card, holder);
      else if (out == hidden)
        allowed[step.card] &= 1u << holder | 1u << receiver_of(rules_, table, holder);
    }
  }

  // Fact 3.
  void find_voids() {
    const Table& table = view_.table;
    for (int t = 0; t <= table.trick && t < rules_.tricks; ++t) {
      const Card* line = &table.line[at(t * rules_.seats)];
      if (line[0] == no_card) break;
      const Cards led = same_suit(line[0]);
      for (int s = 0; s < rules_.seats; ++s) {
        const Cards card = played[at(s)][at(t)];
        if (!other_human(s) || card == 0 || (card & led)) continue;
        facts.push_back({Fact::Kind::without, s, exchanged && t < rules_.mission.draw_after, t + 1,
                         led, 0,
                         seat_name(s) + " had no " + suit_word(suit_of(line[0])) + " in trick " +
                             std::to_string(t + 1)});
      }
    }
  }

  // Fact 4. What the seat has played since settles the rest of a statement or not.
  void find_statements() {
    const Table& table = view_.table;
    for (int s = 0; s < rules_.seats; ++s) {
      const Card card = table.said[at(s)];
      if (card == no_card || !other_human(s)) continue;
      const int when = table.how[at(s)] >> 2;
      const bool early = exchanged && when <= rules_.mission.draw_after;
      const Cards high = above(card) & rules_.deck, low = below(card) & rules_.deck;
      const std::string text =
          seat_name(s) + " said " + said_text(table, s) + " before trick " + std::to_string(when);
      const auto add = [&](Fact::Kind kind, Cards cards, Cards other = 0) {
        facts.push_back({kind, s, early, when - 1, cards, other, text});
      };
      switch (static_cast<Said>(table.how[at(s)] & 3)) {
        case Said::highest: add(Fact::Kind::without, high), add(Fact::Kind::one_of, low); break;
        case Said::lowest:  add(Fact::Kind::without, low), add(Fact::Kind::one_of, high); break;
        case Said::only:    add(Fact::Kind::without, high | low); break;
        case Said::bare:
          if (high && low) add(Fact::Kind::not_both, high, low);
          break;
      }
    }
  }

  // Cards known to have been in the hand that a fact speaks of: those it has played since, too.
  Cards shown(const Fact& fact) const {
    Cards cards = (fact.before ? before : now).has[at(fact.seat)];
    const int end = fact.before ? rules_.mission.draw_after : rules_.tricks;
    for (int t = fact.from; t < end; ++t) cards |= played[at(fact.seat)][at(t)];
    return cards;
  }

  void apply(const Fact& fact) {
    const Cards known = shown(fact);
    Cards& out = (fact.before ? before : now).not_[at(fact.seat)];
    const auto breaks = [&](Cards cards) {
      if (broken.empty())
        broken = fact.text + " and cannot hold " + card_text(std::countr_zero(cards)) +
                 (fact.before ? " from before the draw" : "");
    };
    switch (fact.kind) {
      case Fact::Kind::without:
        out |= fact.cards;
        if (known & fact.cards) breaks(known & fact.cards);
        return;
      case Fact::Kind::one_of:
        if (fact.cards == 0 && broken.empty()) broken = fact.text + ", which no hand allows";
        if (!(known & fact.cards)) open.push_back(fact);
        return;
      case Fact::Kind::not_both:
        if ((known & fact.cards) && (known & fact.other)) return breaks(known & fact.other);
        if (known & fact.cards)
          out |= fact.other;
        else if (known & fact.other)
          out |= fact.cards;
        else
          open.push_back(fact);
        return;
    }
  }

  static std::string suit_word(int suit) {
    static constexpr std::array<const char*, suits> words = {"blue", "green", "pink", "yellow",
                                                             "rocket"};
    return words[at(suit)];
  }

  const Rules& rules_;
  const View& view_;
};

}  // namespace kibitz::thecrew
