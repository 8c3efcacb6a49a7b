// Positions from outside, first half: while cards are dealt and the mission prepares itself. The
// parts come from reading.hpp; what the tricks add is in position.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <string>

#include <kibitz/games/thecrew/preparation_reading.hpp>
#include <kibitz/games/thecrew/view.hpp>

namespace kibitz::thecrew::detail {

class StartReader {
 protected:
  // `hands`: the cards that known seats hold now; of a view its own seat only.
  StartReader(const Rules& rules, const TableSheet& sheet, Table& table, std::array<Cards, 5> hands,
              bool truth, int viewer)
      : rules_(rules), sheet_(sheet), t_(table), hand_(hands), truth_(truth), viewer_(viewer) {}

  bool knows(int seat) const { return seat != t_.jarvis && (truth_ || seat == viewer_); }

  // The phase named, or that which the rest of the fields calls for.
  Breach find_phase() {
    t_.step = static_cast<std::uint8_t>(rules_.mission.step_count);
    if (!sheet_.phase.empty()) {
      std::size_t p = 0;
      while (p < phase_names.size() && sheet_.phase != phase_names[p]) ++p;
      if (p == phase_names.size()) return bad("there is no phase " + quoted(sheet_.phase));
      t_.phase = static_cast<Phase>(p);
      if (!in_preparation(t_.phase)) return {};
      const int step = sheet_.step >= 0 ? sheet_.step : step_for(rules_, t_.phase);
      if (step < 0 || step >= rules_.mission.step_count || !step_has(rules_, step, t_.phase))
        return bad("this mission has no phase " + quoted(sheet_.phase) +
                   (sheet_.step >= 0 ? " in step " + std::to_string(sheet_.step) : ""));
      t_.step = static_cast<std::uint8_t>(step);
      return {};
    }
    const int drawn = static_cast<int>(sheet_.tasks.size());
    const bool ready = drawn == rules_.mission.tasks && owned_tasks(t_) == drawn &&
                       check_steps(rules_, t_).why.empty();
    natural_ = true;
    t_.phase = Phase::play;
    if (!sheet_.tricks.empty() || (drawn > 0 && ready) || !sheet_.given.empty()) return {};
    if (ready && (t_.s1 != nobody || !sheet_.statements.empty())) return {};
    if (drawn > 0 && drawn == rules_.mission.tasks && step_for(rules_, Phase::draft) >= 0) {
      t_.phase = Phase::draft;
      t_.step = static_cast<std::uint8_t>(step_for(rules_, Phase::draft));
      return {};
    }
    if (drawn == 0 && t_.s1 == nobody) {  // a fresh deal
      opening_ = true;
      t_.phase = Phase::task;
      t_.step = 0;
      return {};
    }
    return bad("the fields do not tell where the mission stands: say the phase");
  }

  // What the fields say of the moment beside the phase is what follows from it.
  Breach check_named() const {
    const std::string phase = quoted(phase_names[static_cast<std::size_t>(t_.phase)]);
    if (sheet_.actor && !is_decision(t_.phase))
      return bad("no seat is to move in phase " + phase + ", so there is no 'actor'");
    if (sheet_.actor && *sheet_.actor != t_.actor)
      return bad(seat_name(t_.actor) + " is to move in phase " + phase + ", not " +
                 seat_name(*sheet_.actor));
    if (sheet_.step >= 0 && sheet_.step != t_.step)
      return bad("phase " + phase + " is in step " + std::to_string(t_.step) + ", not " +
                 std::to_string(sheet_.step));
    if (sheet_.count != 0 && sheet_.count != t_.count)
      return bad("count is " + std::to_string(t_.count) + " here, not " +
                 std::to_string(sheet_.count));
    return {};
  }

  Breach read_deal() {
    const Phase phase = t_.phase;
    if (!sheet_.tasks.empty() || !sheet_.tricks.empty() || !sheet_.statements.empty() ||
        !sheet_.given.empty() || !sheet_.drawn.empty() || !sheet_.replies.empty() ||
        !sheet_.offer.empty() || t_.s1 != nobody || t_.s2 != nobody || t_.sent || t_.turned ||
        t_.spoke)
      return bad("while cards are dealt there are no tasks, roles, answers, tricks or statements");
    if ((phase == Phase::jarvis && !rules_.jarvis) ||
        (phase == Phase::longest && (!rules_.extra || rules_.jarvis)))
      return bad("this game has no phase " + quoted(sheet_.phase));
    const bool seated = phase != Phase::jarvis;
    if (rules_.jarvis && seated != (t_.jarvis != nobody))
      return bad("the seat of the automatic member and the phase do not agree");
    if (rules_.extra && !rules_.jarvis && (phase != Phase::longest) != (t_.longest != nobody))
      return bad("'longest' and the phase do not agree");
    if ((phase == Phase::deal) != (t_.commander != nobody))
      return bad("the commander is known once R4 is dealt");
    t_.step = 0;
    if (phase == Phase::deal) {
      t_.leader = t_.actor = t_.commander;
      if (sheet_.count < 0 || sheet_.count > 40)
        return bad("count " + std::to_string(sheet_.count) + " is out of range");
      t_.count = static_cast<std::uint8_t>(sheet_.count);
      if (next_deal(rules_, t_).seat >= rules_.seats)
        return bad("all cards are dealt: the phase is another");
    }
    return check_dealt();
  }

  // While cards are dealt: as many as have been dealt, in their places.
  Breach check_dealt() {
    Table step = t_;
    std::array<int, 5> size{};
    std::array<int, 7> up{}, under{};
    if (t_.phase == Phase::deal) {
      size[t_.commander] = 1;
      for (step.count = 0; step.count < t_.count; ++step.count) {
        const Deal next = next_deal(rules_, step);
        if (next.column < 0)
          ++size[at(next.seat)];
        else
          ++(next.under ? under : up)[at(next.column)];
      }
    }
    for (int s = 0; s < rules_.seats; ++s) {
      if (!knows(s)) continue;
      if (std::popcount(hand_[at(s)]) != size[at(s)])
        return bad(seat_name(s) + " holds " + std::to_string(std::popcount(hand_[at(s)])) +
                   " cards, not " + std::to_string(size[at(s)]));
    }
    if (Breach b = check_r4(hand_)) return b;
    for (std::size_t c = 0; c < 7; ++c)
      if ((t_.up[c] != no_card) != (up[c] > 0) || (t_.under[c] != no_card) != (under[c] > 0))
        return bad("the display does not agree with 'count'");
    return check_distinct();
  }

  Breach check_distinct() {
    Cards seen = t_.played, twice = 0;
    const auto add = [&](Cards cards) {
      twice |= seen & cards;
      seen |= cards;
    };
    for (int s = 0; s < rules_.seats; ++s)
      if (knows(s)) add(hand_[at(s)]);
    for (const Card card : t_.up)
      if (card != no_card) add(bit(card));
    for (const Card card : t_.under)
      if (is_card(card)) add(bit(card));
    if (twice) return bad(cards_text(twice, ", ") + " is in two places, and there is one of each");
    if (seen & ~rules_.deck)
      return bad(card_text(std::countr_zero(seen & ~rules_.deck)) +
                 " is not in the deck of this game");
    return {};
  }

  Breach check_sizes() {
    for (int s = 0; s < rules_.seats; ++s) {
      int held = std::popcount(hand_[at(s)]);
      if (s == t_.jarvis) {
        held = 0;
        for (std::size_t c = 0; c < 7; ++c)
          held += (t_.up[c] != no_card) + (t_.under[c] != no_card);
      } else if (!knows(s)) {
        continue;
      }
      if (held != size_of(rules_, t_, s))
        return bad(seat_name(s) + " holds " + std::to_string(held) + " cards, not " +
                   std::to_string(size_of(rules_, t_, s)));
    }
    return check_distinct();
  }

  Breach read_preparation() {
    if (!sheet_.tricks.empty() || !sheet_.statements.empty() || !sheet_.drawn.empty() ||
        t_.turned || t_.spoke)
      return bad("no trick, radio or draw comes before the preparation is over");
    if (Breach b = check_sizes()) return b;
    t_.actor = t_.commander;
    set_green(rules_, t_);
    if (opening_) {
      if (!sheet_.replies.empty() || !sheet_.offer.empty() || t_.sent || t_.s2 != nobody)
        return bad("the fields do not tell where the mission stands: say the phase");
      begin_preparation(rules_, t_);
      return check_hands(nullptr);
    }
    if (is_decision(t_.phase)) {
      t_.actor = t_.phase == Phase::draft
                     ? static_cast<std::uint8_t>((t_.commander + owned_tasks(t_)) % rules_.seats)
                     : t_.commander;
      if (t_.phase == Phase::ask) t_.actor = next_asked(rules_, t_, t_.commander);
      if (sheet_.actor) {
        if (Breach b = read_seat(rules_, "actor", sheet_.actor, t_.actor)) return b;
      }
      if (Breach b = check_actor(rules_, t_)) return b;
    }
    const StepKind kind = this_step(rules_, t_).kind;
    const bool drawing = kind == StepKind::distribute || t_.phase == Phase::task;
    t_.count = static_cast<std::uint8_t>(drawing                  ? tasks_drawn(t_)
                                         : t_.phase == Phase::lot ? owned_tasks(t_)
                                                                  : 0);
    if (kind == StepKind::assign_all && t_.phase == Phase::owner) t_.count = 0;
    if (t_.phase == Phase::get) {
      if (sheet_.count < 0 || sheet_.count >= rules_.seats)
        return bad("count " + std::to_string(sheet_.count) + " is out of range");
      t_.count = static_cast<std::uint8_t>(sheet_.count);
    }
    const bool naming = kind == StepKind::assign_all && t_.phase == Phase::task;
    const bool offering = t_.phase == Phase::consent;
    if ((t_.offered != no_card) != offering || (t_.offered_to != nobody) != (offering || naming))
      return bad("'offer' is for the task that is offered now, or ('- 3') for who owns all tasks");
    if (naming && t_.offered_to == t_.commander)
      return bad("the commander cannot choose itself", "thecrew R38");
    if (offering &&
        (!(open_tasks(t_) >> t_.offered & 1) || (t_.pending[t_.offered_to] >> t_.offered & 1)))
      return bad("the task offered belongs to another seat than it is offered to", "thecrew R39");
    if (offering && t_.actor == offerer_of(rules_, t_))
      return bad("the seat that offers does not answer");
    if (kind == StepKind::five_pass && (rules_.players != 5 || rules_.passing == Passing::off))
      return bad("no task changes hands in this game", "thecrew: five_pass");
    const bool sending = t_.phase == Phase::give || t_.phase == Phase::get;
    if ((t_.sent != 0) != sending)
      return bad(sending ? "say in which direction cards are passed ('distress')"
                         : "no cards have been passed yet");
    if (Breach b = check_sent(sending)) return b;
    if (Breach b = check_steps(rules_, t_)) return b;
    if (Breach b = check_replies(rules_, t_)) return b;
    if (Breach b = check_given(rules_, t_, truth_, viewer_)) return b;
    for (int g = 0; g < rules_.seats; ++g) {
      const Card card = t_.given[at(g)];
      if (!is_card(card)) continue;
      const bool held =
          g == t_.jarvis ? face_up(t_) >> card & 1 : !knows(g) || (hand_[at(g)] >> card & 1);
      if (!held)
        return bad(seat_name(g) + " does not hold " + card_text(card) + ", which it passes");
    }
    return check_hands(nullptr);
  }

  Breach check_sent(bool sent) {
    if (!sent && t_.sent == 0) return {};
    if (step_index(StepKind::distress) < 0 || rules_.distress == Distress::off)
      return bad("there is no distress signal in this game", "thecrew: distress");
    if ((rules_.distress == Distress::left && t_.sent != 1) ||
        (rules_.distress == Distress::right && t_.sent != 2))
      return bad("the option distress names the other direction");
    return {};
  }
  int step_index(StepKind kind) const {
    for (int i = 0; i < rules_.mission.step_count; ++i)
      if (rules_.mission.step[at(i)].kind == kind) return i;
    return -1;
  }

  Breach check_r4(const std::array<Cards, 5>& hands) const {
    for (int s = 0; s < rules_.seats; ++s) {
      if (!knows(s)) continue;
      if (((hands[at(s)] >> r4) & 1) == (s == t_.commander)) continue;
      return bad(s == t_.commander
                     ? seat_name(s) + " is the commander, and R4 is not among its cards"
                     : seat_name(s) + " has R4, and the commander is " +
                           (t_.commander == nobody ? "not known" : seat_name(t_.commander)),
                 "thecrew: commander");
    }
    return {};
  }

  // R4 with the commander and the announced card with its holder, in the hands after the deal.
  Breach check_hands(const std::array<Cards, 5>* first) {
    const std::array<Cards, 5>& hands = first ? *first : hand_;
    const bool passed = t_.sent && !in_preparation(t_.phase);
    if (Breach b = check_r4(hands)) return b;
    const int announced = step_index(StepKind::announce_holder);
    if (announced < 0 || announced >= t_.step) return {};
    const Step& step = rules_.mission.step[at(announced)];
    const int holder = right_of(rules_, role_seat(t_, step.role));
    for (int s = 0; s < rules_.seats; ++s) {
      if (!knows(s)) continue;
      Cards dealt = hands[at(s)];
      if (passed)
        dealt = (dealt & ~bit(t_.given[at(giver_to(rules_, t_, s))])) | bit(t_.given[at(s)]);
      if (((dealt >> step.card) & 1) != (s == holder))
        return bad(card_text(step.card) + " was announced to be with " + seat_name(holder),
                   "thecrew: announce_holder");
    }
    return {};
  }

  const Rules& rules_;
  const TableSheet& sheet_;
  Table& t_;
  std::array<Cards, 5> hand_;
  bool truth_;
  int viewer_;
  bool natural_ = false;  // the phase follows from the tricks
  bool opening_ = false;  // nothing but the deal is given
};

}  // namespace kibitz::thecrew::detail
