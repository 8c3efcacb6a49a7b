// Reads where in the mission's preparation a position stands, and refuses what that moment rules
// out.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include <kibitz/games/thecrew/reading.hpp>
#include <kibitz/games/thecrew/view.hpp>

namespace kibitz::thecrew::detail {

constexpr bool in_preparation(Phase phase) {
  return !before_play(phase) && phase != Phase::radio && phase != Phase::play &&
         phase != Phase::draw && phase != Phase::turn_up && phase != Phase::over;
}

// May this step of the mission be in that phase?
constexpr bool step_has(const Rules& rules, int index, Phase phase) {
  const StepKind kind = rules.mission.step[at(index)].kind;
  switch (phase) {
    case Phase::edit:    return kind == StepKind::edit_tokens;
    case Phase::ask:     return kind == StepKind::ask || kind == StepKind::distribute;
    case Phase::role:    return kind == StepKind::pick_role;
    case Phase::draft:   return kind == StepKind::draft;
    case Phase::owner:   return kind == StepKind::assign_all || kind == StepKind::distribute;
    case Phase::offer:
    case Phase::consent: return kind == StepKind::five_pass;
    case Phase::vote:
    case Phase::give:
    case Phase::get:     return kind == StepKind::distress;
    case Phase::task:
      return (kind == StepKind::deal_tasks && rules.mission.reveal == Reveal::all) ||
             kind == StepKind::assign_all || kind == StepKind::distribute;
    case Phase::lot:    return kind == StepKind::random_owners;
    case Phase::holder: return kind == StepKind::announce_holder;
    default:            return false;
  }
}

constexpr bool assigns(StepKind kind) {
  return kind == StepKind::draft || kind == StepKind::assign_all || kind == StepKind::distribute ||
         kind == StepKind::random_owners;
}

inline int owned_tasks(const Table& t) {
  int n = 0;
  for (const std::uint8_t owner : t.owner) n += owner != nobody;
  return n;
}

inline int step_for(const Rules& rules, Phase phase) {
  for (int i = 0; i < rules.mission.step_count; ++i)
    if (step_has(rules, i, phase)) return i;
  return -1;
}

// The number of tasks a seat has taken after so many drafts.
inline int drafted(const Rules& rules, const Table& t, int seat, int taken) {
  const int place = (seat - t.commander + rules.seats) % rules.seats;
  return taken / rules.seats + (place < taken % rules.seats);
}

inline void set_green(const Rules& rules, Table& t) {
  t.green = static_cast<std::uint8_t>((1u << rules.seats) - 1);
  if (t.jarvis != nobody) t.green &= static_cast<std::uint8_t>(~(1u << t.jarvis));
  for (int i = 0; i < t.step; ++i) {
    const Step& step = rules.mission.step[at(i)];
    if (step.kind == StepKind::mute && role_seat(t, step.role) != nobody)
      t.green &= static_cast<std::uint8_t>(~(1u << role_seat(t, step.role)));
  }
  for (int s = 0; s < rules.seats; ++s)
    if (t.said[at(s)] != no_card) t.green &= static_cast<std::uint8_t>(~(1u << s));
}

// Can so many tasks a seat come from this way to assign them?
inline bool shares_fit(const Rules& rules, const Table& t, StepKind kind,
                       const std::array<int, 5>& owned) {
  const int total = std::accumulate(owned.begin(), owned.end(), 0);
  const int base = rules.mission.tasks / rules.seats, extra = rules.mission.tasks % rules.seats;
  int above = 0, owners = 0;
  for (int s = 0; s < rules.seats; ++s) {
    const int n = owned[at(s)];
    above += n > base;
    owners += n > 0;
    if (kind == StepKind::draft && n != drafted(rules, t, s, total)) return false;
    if (kind == StepKind::distribute && n > base + 1) return false;
    if (kind == StepKind::assign_all && n > 0 && s == t.commander) return false;
  }
  if (kind == StepKind::distribute) return above <= extra;
  return kind != StepKind::assign_all || owners <= 1;
}

// Each seat owns as many tasks as the draft, the quota or the commander's choice gives it; one task
// may have gone on in five_pass.
inline Breach check_owners(const Rules& rules, const Table& t) {
  StepKind kind = StepKind::random_owners;
  bool passed = false;
  for (int i = 0; i < rules.mission.step_count; ++i) {
    const StepKind each = rules.mission.step[at(i)].kind;
    if (assigns(each)) kind = each;
    passed |= each == StepKind::five_pass && i < t.step && rules.players == 5 &&
              rules.passing != Passing::off;
  }
  std::array<int, 5> owned{};
  for (const std::uint8_t owner : t.owner)
    if (owner != nobody) ++owned[owner];
  if (shares_fit(rules, t, kind, owned)) return {};
  for (int to = 0; passed && to < rules.seats; ++to)
    for (int from = 0; from < rules.seats; ++from) {
      if (to == from || owned[at(to)] == 0) continue;
      std::array<int, 5> before = owned;
      --before[at(to)], ++before[at(from)];
      if (shares_fit(rules, t, kind, before)) return {};
    }
  std::string have;
  for (int s = 0; s < rules.seats; ++s)
    have += (s == 0 ? "" : s + 1 < rules.seats ? ", " : " and ") + std::to_string(owned[at(s)]);
  have = "; by the owners given the seats have " + have + " tasks";
  if (kind == StepKind::draft)
    return bad("in the draft the commander takes first and then each seat clockwise" + have,
               "thecrew: draft");
  if (kind == StepKind::distribute)
    return bad("tasks are distributed evenly" + have, "thecrew R37");
  return bad("all tasks go to one seat other than the commander" + have, "thecrew R38");
}

// Only roles that the mission names.
inline Breach check_roles(const Rules& rules, const Table& t) {
  bool uses_s1 = false, uses_s2 = false;
  for (int i = 0; i < rules.mission.step_count; ++i)
    if (const Step& step = rules.mission.step[at(i)];
        step.kind == StepKind::pick_role || step.kind == StepKind::announce_holder)
      (step.role == Role::s1 ? uses_s1 : uses_s2) = true;
  if (!uses_s1 && t.s1 != nobody) return bad("this mission names no S1");
  if (!uses_s2 && t.s2 != nobody) return bad("this mission names no S2");
  return {};
}

// What earlier steps have settled is there, what later ones settle is not.
inline Breach check_steps(const Rules& rules, const Table& t) {
  const Mission& mission = rules.mission;
  bool dealt = false, assigned = false;
  for (int i = 0; i < mission.step_count; ++i) {
    const Step& step = mission.step[at(i)];
    const bool done = i < t.step;
    if (step.kind == StepKind::deal_tasks && mission.reveal == Reveal::all) dealt |= done;
    if (assigns(step.kind)) assigned |= done, dealt |= done;
    if (step.kind == StepKind::pick_role || step.kind == StepKind::announce_holder) {
      const int seat = role_seat(t, step.role);
      const std::string name(role_names[static_cast<std::size_t>(step.role)]);
      if (done && seat == nobody) return bad(name + " has been named by now: give its seat");
      if (!done && seat != nobody) return bad(name + " has not been named yet");
      if (done && step.kind == StepKind::pick_role) {
        if (step.candidates == Candidates::not_commander && seat == t.commander)
          return bad("the commander cannot be " + name, "thecrew A7");
        if (step.candidates == Candidates::all_but_s1 && seat == t.s1)
          return bad(name + " is another seat than S1");
        if (!step.jarvis && seat == t.jarvis)
          return bad("the automatic member cannot be " + name, "thecrew: JARVIS");
      }
    }
  }
  const int drawn = tasks_drawn(t), owned = owned_tasks(t);
  const StepKind now = t.step < mission.step_count ? mission.step[t.step].kind : StepKind::distress;
  int due = dealt ? mission.tasks : 0, taken = assigned ? mission.tasks : 0;
  bool fits = true;
  if (now == StepKind::deal_tasks && t.phase == Phase::task) {
    fits = drawn < mission.tasks && owned == 0;
    due = drawn, taken = 0;
  } else if (now == StepKind::assign_all && t.phase == Phase::task) {
    fits = drawn < mission.tasks && owned == drawn;
    for (int i = 0; i < drawn; ++i) fits &= t.owner[at(i)] == t.offered_to;
    due = taken = drawn;
  } else if (now == StepKind::distribute) {
    const bool open = t.phase != Phase::task;
    fits = open ? drawn > 0 : drawn < mission.tasks;
    due = drawn, taken = drawn - open;
    for (int i = 0; i < taken; ++i) fits &= t.owner[at(i)] != nobody;
    for (int k = 0; k < std::min<int>(drawn, mission.token_count); ++k)
      if (t.token_on[mission.token[at(k)]] != t.task[at(k)])
        return bad("tasks are revealed one by one, and the token " +
                       std::string(token_names[mission.token[at(k)]]) + " goes to " +
                       card_text(t.task[at(k)]),
                   "thecrew: tasks");
  } else if (now == StepKind::draft && t.phase == Phase::draft) {
    fits = owned < mission.tasks;
    taken = owned;
  } else if (now == StepKind::random_owners && t.phase == Phase::lot) {
    fits = owned < mission.tasks;
    for (int i = 0; i < owned; ++i) fits &= t.owner[at(i)] != nobody;
    taken = owned;
  }
  if (!fits || drawn != due || owned != taken)
    return bad("at this moment " + std::to_string(due) + " tasks lie open and " +
                   std::to_string(taken) + " have an owner, not " + std::to_string(drawn) +
                   " and " + std::to_string(owned),
               "thecrew: tasks");
  return check_owners(rules, t);
}

// Who passed a card, and whether the view may know which (S4).
inline Breach check_given(const Rules& rules, const Table& t, bool truth, int viewer) {
  const bool giving = t.phase == Phase::give;
  Cards seen = 0;
  for (int g = 0; g < rules.seats; ++g) {
    const int place = (g - t.commander + rules.seats) % rules.seats;
    const bool due =
        t.sent && (!giving || place < (t.actor - t.commander + rules.seats) % rules.seats);
    const Card card = t.given[at(g)];
    if ((card != no_card) != due)
      return bad(due ? seat_name(g) + " has passed a card: say which in 'given'"
                     : seat_name(g) + " has not passed a card");
    if (card == no_card) continue;
    const bool known = truth || sees_given(rules, t, g, viewer);
    if (known != (card != hidden))
      return bad(
          known ? "the card that " + seat_name(g) + " passed is known here: it cannot be 'x'"
                : "this seat does not see the card that " + seat_name(g) + " passed; it may be 'x'",
          "thecrew: hidden information");
    if (card == hidden) continue;
    if (!(bit(card) & colours & rules.deck))
      return bad(
          card_text(card) + " cannot be passed: " +
              (bit(card) & rockets ? "it is a rocket" : "it is not in the deck of this game"),
          "thecrew R21");
    if (seen >> card & 1) return bad(card_text(card) + " is passed twice");
    seen |= bit(card);
  }
  return {};
}

inline Breach check_actor(const Rules& rules, const Table& t) {
  bool fits = t.actor < rules.seats;
  switch (t.phase) {
    case Phase::edit:
    case Phase::role:
    case Phase::owner: fits &= t.actor == t.commander; break;
    case Phase::ask:   fits &= t.actor != t.commander && t.actor != t.jarvis; break;
    case Phase::vote:  fits &= t.actor != t.jarvis; break;
    case Phase::draft: fits &= t.actor == (t.commander + owned_tasks(t)) % rules.seats; break;
    default:           break;
  }
  return fits ? Breach{}
              : bad("seat " + std::to_string(t.actor) + " is not to move in phase " +
                    phase_names[static_cast<std::size_t>(t.phase)]);
}

// The answers that the last question asked for, a nibble a reply; 0 if there was none.
inline std::uint32_t words_asked(const Rules& rules, const Table& t) {
  std::uint32_t words = 0;
  for (int i = 0; i <= t.step && i < rules.mission.step_count; ++i) {
    const Step& step = rules.mission.step[at(i)];
    const bool answered =
        step.kind == StepKind::distribute && (t.phase == Phase::owner || tasks_drawn(t) > 0);
    if ((step.kind == StepKind::ask && i < t.step) ||
        (step.kind == StepKind::distribute && (i < t.step || answered)))
      words = step.replies;
  }
  // An offer that was declined, and every vote, clears the table.
  return t.phase == Phase::offer && t.actor != t.commander ? 0 : words;
}
constexpr bool is_listed(std::uint32_t words, Reply reply) {
  for (; words; words >>= 4)
    if (static_cast<Reply>(words & 15) == reply) return true;
  return false;
}

// Only who has been asked has answered; the words are those of the step. The answers to an earlier
// question may be left out.
inline Breach check_replies(const Rules& rules, const Table& t) {
  const bool asking = t.phase == Phase::ask || t.phase == Phase::vote || t.phase == Phase::consent;
  const bool sending = t.phase == Phase::give || t.phase == Phase::get;
  const std::uint32_t words = asking || sending ? 0 : words_asked(rules, t);
  const bool none = t.reply == std::array<std::uint8_t, 5>{};
  for (int s = 0; s < rules.seats; ++s) {
    const auto reply = static_cast<Reply>(t.reply[at(s)]);
    bool fits = reply == Reply::silent;
    const int first =
        t.phase == Phase::consent ? (offerer_of(rules, t) + 1) % rules.seats : t.commander;
    const bool earlier =
        (s - first + rules.seats) % rules.seats < (t.actor - first + rules.seats) % rules.seats;
    const bool asked = s != t.jarvis && !(t.phase == Phase::ask && s == t.commander);
    const bool before = earlier && asked;
    if (asking) {
      fits = before != fits;
      if (fits && before) {
        if (t.phase == Phase::vote) fits = reply >= Reply::none;
        if (t.phase == Phase::consent) fits = reply == Reply::yes || reply == Reply::no;
        if (t.phase == Phase::ask) fits = is_listed(this_step(rules, t).replies, reply);
      }
    } else if (!none && words && s != t.jarvis && s != t.commander) {
      fits = is_listed(words, reply);
    }
    if (!fits)
      return bad("the replies do not fit what has been asked so far: " + seat_name(s) +
                 (t.reply[at(s)] ? " said " + quoted(std::string(reply_names[t.reply[at(s)]]))
                                 : " has said nothing"));
  }
  return {};
}

}  // namespace kibitz::thecrew::detail
