// A mission from outside: the entry of a mission file as plain fields, in the same closed
// vocabulary as the fifty, checked and turned into a Mission.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <kibitz/core/fields.hpp>
#include <kibitz/games/thecrew/mission.hpp>

namespace kibitz::thecrew {

struct StepSheet {
  std::string step;
  int n = 0;
  std::vector<std::string> tokens;
  std::string reveal = "all";
  std::string kind;
  std::vector<std::string> replies;
  std::string role;
  std::string candidates;
  bool jarvis = true;
  std::string card;
  std::string seat = "left_of_holder";

  template <class V>
  void fields(V&& v) {
    v("step", step,
      "deal_tasks, draft, edit_tokens, ask, pick_role, mute, assign_all, distribute, "
      "announce_holder, five_pass, distress");
    v("n", n, "deal_tasks: how many, 1 to 10");
    v("tokens", tokens,
      "deal_tasks: 1 to 5, omega, a1 to a4; the i-th goes to the i-th card drawn");
    v("reveal", reveal,
      "deal_tasks: all, after_assignment (with assign_all), one_by_one (with distribute)");
    v("kind", kind, "edit_tokens: swap_two or move_one");
    v("replies", replies, "ask, distribute: good, bad, yes, no, first_four, between, last");
    v("role", role, "pick_role, mute, announce_holder: S1 or S2");
    v("candidates", candidates,
      "pick_role: not_commander, all, all_but_S1; assign_all: not_commander; distribute: "
      "even_quota");
    v("jarvis", jarvis, "pick_role: may the automatic member be named?");
    v("card", card, "announce_holder: the card");
    v("seat", seat, "announce_holder: left_of_holder");
  }
};

struct ConstraintSheet {
  std::string type;
  std::string completion = "any_trick";
  std::string who;
  int min = 0;
  int max = max_trick;
  std::vector<int> tricks;
  bool exclusive = false;
  std::string suit;
  int max_gap = 1;
  int value = 0;
  std::vector<std::string> suits;
  int count = 1;
  std::vector<std::string> cards;
  std::string order = "any";
  static constexpr int max_trick = 13;

  template <class V>
  void fields(V&& v) {
    v("type", type,
      "tasks, tricks_won, win_positions, no_winning_suit, balanced, winning_value_at_least, "
      "winning_value_forbidden, each_card_wins, win_all_of_suit");
    v("completion", completion, "tasks: any_trick or last_trick");
    v("who", who, "commander, S1 or S2");
    v("min", min, "tricks_won: at least");
    v("max", max, "tricks_won: at most");
    v("tricks", tricks, "win_positions: numbers from 1, -1 the last");
    v("exclusive", exclusive, "win_positions: and no other trick");
    v("suit", suit, "no_winning_suit, win_all_of_suit: B, G, P, Y or R");
    v("max_gap", max_gap, "balanced: most tricks less fewest");
    v("value", value, "winning_value_...: 1 to 9");
    v("suits", suits, "winning_value_...: of which suits");
    v("count", count, "winning_value_at_least: how many tricks");
    v("cards", cards, "each_card_wins: which");
    v("order", order, "each_card_wins: any or ascending");
  }
};

struct EffectSheet {
  std::string effect;
  int after_trick = 1;

  template <class V>
  void fields(V&& v) {
    v("effect", effect, "draw_from_right");
    v("after_trick", after_trick, "1 to 5");
  }
};

struct RadioSheet {
  std::string mode = "normal";
  int from_trick = 1;

  template <class V>
  void fields(V&& v) {
    v("mode", mode, "normal or dead_zone");
    v("from_trick", from_trick, "first trick before which the radio may be used");
  }
};

struct MissionSheet {
  int id = 0;
  std::string summary;
  RadioSheet communication;
  std::vector<StepSheet> setup;
  std::vector<ConstraintSheet> constraints;
  std::vector<EffectSheet> effects;
  bool five_player_rule = false;

  template <class V>
  void fields(V&& v) {
    v("id", id, "any number, not used");
    v("summary", summary, "any text, not used");
    v("communication", communication, "the radio");
    v("setup", setup, "steps of the preparation, in order");
    v("constraints", constraints, "what must hold, at least one");
    v("effects", effects, "at most one");
    v("five_player_rule", five_player_rule, "true goes with a step five_pass");
  }
};

namespace detail {

template <std::size_t N>
int index_of(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// Reads a mission part by part; the first thing wrong is kept.
class MissionReader {
 public:
  explicit MissionReader(const MissionSheet& sheet) : sheet_(sheet) {}

  std::string read(Mission& out) {
    if (sheet_.setup.size() > max_steps) wrong("setup has more than 12 steps");
    if (sheet_.constraints.empty() || sheet_.constraints.size() > max_constraints)
      wrong("constraints must be 1 to 6");
    if (!fault_.empty()) return fault_;
    read_radio();
    for (const StepSheet& step : sheet_.setup) read_step(step);
    for (const ConstraintSheet& constraint : sheet_.constraints) read_constraint(constraint);
    for (const EffectSheet& effect : sheet_.effects) read_effect(effect);
    check_whole();
    if (fault_.empty()) out = m_;
    return fault_;
  }

 private:
  void wrong(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
  }
  static std::string quote(const std::string& text) {
    return kibitz::detail::describe(Value(text));
  }

  void read_radio() {
    const RadioSheet& radio = sheet_.communication;
    if (radio.mode != "normal" && radio.mode != "dead_zone")
      wrong("communication mode is normal or dead_zone, not " + quote(radio.mode));
    if (radio.from_trick < 1 || radio.from_trick > 13) wrong("from_trick is 1 to 13");
    m_.dead_zone = radio.mode == "dead_zone";
    m_.from_trick = static_cast<std::uint8_t>(radio.from_trick);
  }

  Role role(const std::string& name, const std::string& where) {
    const int i = index_of(role_names, name);
    if (i < 0) wrong(where + ": " + quote(name) + " is no role; roles are commander, S1, S2");
    return static_cast<Role>(std::max(i, 0));
  }
  bool named(Role role) const {
    return role == Role::commander || roles_ >> static_cast<int>(role) & 1;
  }

  std::uint32_t replies(const StepSheet& given) {
    std::uint32_t code = 0;
    if (given.replies.empty() || given.replies.size() > 7)
      wrong(given.step + " needs 1 to 7 replies");
    for (std::size_t i = 0; i < given.replies.size() && i < 7; ++i) {
      const std::string& word = given.replies[i];
      const int reply = word == "first_four" ? 5 : index_of(reply_names, word);
      if (reply < 1 || reply > 7) wrong(quote(word) + " is no reply");
      for (std::uint32_t rest = code; rest; rest >>= 4)
        if (static_cast<int>(rest & 15) == reply) wrong("the reply " + word + " is given twice");
      code |= static_cast<std::uint32_t>(std::max(reply, 0)) << (4 * i);
    }
    return code;
  }

  void read_step(const StepSheet& given) {
    Step& step = m_.step[m_.step_count++];
    const int kind = index_of(step_names, given.step);
    if (kind < 0) return wrong("there is no step " + quote(given.step));
    step.kind = static_cast<StepKind>(kind);
    for (int i = 0; i + 1 < m_.step_count; ++i) {
      const StepKind earlier = m_.step[static_cast<std::size_t>(i)].kind;
      if (earlier == step.kind && step.kind != StepKind::ask && step.kind != StepKind::pick_role &&
          step.kind != StepKind::mute)
        wrong("the step " + given.step + " can come once only");
      if (earlier == StepKind::distress) wrong("distress is the last step (R21)");
      if (earlier == StepKind::five_pass && step.kind != StepKind::distress)
        wrong("only distress comes after five_pass (A6)");
    }
    switch (step.kind) {
      case StepKind::deal_tasks: return read_tasks(given);
      case StepKind::edit_tokens:
        if (given.kind != "swap_two" && given.kind != "move_one")
          wrong("edit_tokens: kind is swap_two or move_one");
        step.edit = given.kind == "move_one" ? Edit::move_one : Edit::swap_two;
        if (m_.tasks == 0 || m_.reveal != Reveal::all || assigned_)
          wrong("edit_tokens comes between deal_tasks (reveal all) and draft");
        return;
      case StepKind::ask:        step.replies = replies(given); return;
      case StepKind::draft:
      case StepKind::assign_all:
      case StepKind::distribute: {
        const Reveal due = step.kind == StepKind::draft        ? Reveal::all
                           : step.kind == StepKind::assign_all ? Reveal::after_assignment
                                                               : Reveal::one_by_one;
        if (m_.tasks == 0 || m_.reveal != due)
          wrong(given.step + " comes after deal_tasks with reveal " +
                (due == Reveal::all          ? "all"
                 : due == Reveal::one_by_one ? "one_by_one"
                                             : "after_assignment"));
        if (assigned_) wrong("tasks are assigned once");
        const std::string seats = step.kind == StepKind::draft        ? ""
                                  : step.kind == StepKind::assign_all ? "not_commander"
                                                                      : "even_quota";
        if (!given.candidates.empty() && given.candidates != seats)
          wrong(given.step + ": candidates cannot be " + quote(given.candidates) +
                (seats.empty() ? "; it has none" : "; allowed: " + seats));
        assigned_ = true;
        if (step.kind == StepKind::distribute) step.replies = replies(given);
        return;
      }
      case StepKind::pick_role:
      case StepKind::announce_holder:
      case StepKind::mute:            {
        step.role = role(given.role, given.step);
        if (step.kind == StepKind::mute) {
          if (!named(step.role)) wrong("mute: " + given.role + " has not been named before");
          return;
        }
        if (step.role == Role::commander || named(step.role))
          wrong(given.step + " names S1 or S2, each once");
        if (step.kind == StepKind::announce_holder) {
          const int card = card_from(given.card);
          if (card < 0) wrong("announce_holder: " + quote(given.card) + " is no card");
          if (given.seat != "left_of_holder") wrong("announce_holder: seat is left_of_holder");
          step.card = static_cast<std::uint8_t>(std::max(card, 0));
        } else {
          if (given.candidates == "all")
            step.candidates = Candidates::all;
          else if (given.candidates == "all_but_S1")
            step.candidates = Candidates::all_but_s1;
          else if (given.candidates != "not_commander")
            wrong("pick_role: candidates are not_commander, all or all_but_S1");
          if (step.candidates == Candidates::all_but_s1 && !named(Role::s1))
            wrong("pick_role: all_but_S1 needs S1 named before");
          step.jarvis = given.jarvis;
        }
        roles_ |= 1u << static_cast<int>(step.role);
        return;
      }
      default: return;
    }
  }

  void read_tasks(const StepSheet& given) {
    if (given.n < 1 || given.n > max_tasks) return wrong("deal_tasks: n is 1 to 10");
    m_.tasks = static_cast<std::uint8_t>(given.n);
    if (given.tokens.size() > m_.tasks)
      return wrong("deal_tasks: there are more tokens than tasks");
    for (const std::string& name : given.tokens) {
      const int token = index_of(token_names, name);
      if (token < 0) return wrong("deal_tasks: " + quote(name) + " is no token");
      for (int i = 0; i < m_.token_count; ++i)
        if (m_.token[static_cast<std::size_t>(i)] == token)
          return wrong("deal_tasks: the token " + name + " is given twice");
      m_.token[m_.token_count++] = static_cast<Token>(token);
    }
    if (given.reveal == "after_assignment")
      m_.reveal = Reveal::after_assignment;
    else if (given.reveal == "one_by_one")
      m_.reveal = Reveal::one_by_one;
    else if (given.reveal != "all")
      wrong("deal_tasks: reveal is all, after_assignment or one_by_one");
  }

  Cards suit(const std::string& name) {
    const std::size_t i = name.size() == 1 ? suit_letters.find(name[0]) : std::string_view::npos;
    if (i == std::string_view::npos) wrong(quote(name) + " is no suit; suits are B, G, P, Y, R");
    return i == std::string_view::npos ? 0 : suit_cards[i];
  }

  void read_constraint(const ConstraintSheet& given) {
    const int kind = index_of(constraint_names, given.type);
    if (kind < 0) return wrong("there is no constraint " + quote(given.type));
    Constraint& c = m_.constraint[m_.constraint_count++];
    c.kind = static_cast<ConstraintKind>(kind);
    const bool of_seat =
        c.kind == ConstraintKind::tricks_won || c.kind == ConstraintKind::win_positions ||
        c.kind == ConstraintKind::no_winning_suit || c.kind == ConstraintKind::win_all_of_suit;
    if (of_seat) {
      c.who = role(given.who, given.type);
      if (!named(c.who)) wrong(given.type + ": no step names " + given.who);
    }
    const auto small = [&](int n, int low, int high, const char* name) {
      if (n < low || n > high)
        wrong(given.type + ": " + name + " is " + std::to_string(low) + " to " +
              std::to_string(high));
      return static_cast<std::uint8_t>(std::clamp(n, 0, 255));
    };
    switch (c.kind) {
      case ConstraintKind::tasks:
        if (given.completion != "any_trick" && given.completion != "last_trick")
          wrong("tasks: completion is any_trick or last_trick");
        c.last_trick = given.completion == "last_trick";
        return;
      case ConstraintKind::tricks_won:
        c.least = small(given.min, 0, 13, "min");
        c.most = small(given.max, given.min, 13, "max");
        return;
      case ConstraintKind::win_positions:
        c.exclusive = given.exclusive;
        if (given.tricks.empty()) wrong("win_positions: no trick is listed");
        for (const int t : given.tricks) {
          if (t != -1 && (t < 1 || t > 13))
            return wrong("win_positions: tricks are 1 to 13, or -1 for the last");
          c.tricks |= static_cast<std::uint16_t>(t == -1 ? last_trick_bit : 1u << (t - 1));
        }
        return;
      case ConstraintKind::no_winning_suit:
      case ConstraintKind::win_all_of_suit: c.cards = suit(given.suit); return;
      case ConstraintKind::balanced:        c.most = small(given.max_gap, 0, 13, "max_gap"); return;
      case ConstraintKind::winning_value_at_least:
      case ConstraintKind::winning_value_forbidden: {
        const int value = small(given.value, 1, 9, "value");
        for (const std::string& name : given.suits)
          for (Cards rest = suit(name); rest; rest &= rest - 1)
            if (value_of(std::countr_zero(rest)) == value) c.cards |= bit(std::countr_zero(rest));
        if (c.cards == 0) wrong(given.type + ": no suit is listed");
        if (c.kind == ConstraintKind::winning_value_at_least)
          c.least = small(given.count, 1, std::max(1, std::popcount(c.cards)), "count");
        return;
      }
      case ConstraintKind::each_card_wins:
        for (const std::string& name : given.cards) {
          const int card = card_from(name);
          if (card < 0) return wrong("each_card_wins: " + quote(name) + " is no card");
          c.cards |= bit(card);
        }
        if (c.cards == 0) wrong("each_card_wins: no card is listed");
        if (given.order != "any" && given.order != "ascending")
          wrong("each_card_wins: order is any or ascending");
        c.ascending = given.order == "ascending";
        return;
    }
  }

  void read_effect(const EffectSheet& given) {
    if (given.effect != "draw_from_right")
      return wrong("there is no effect " + quote(given.effect));
    if (m_.draw_after) return wrong("there can be one effect only");
    // Later there may be no card left that can be drawn.
    if (given.after_trick < 1 || given.after_trick > 5)
      return wrong("draw_from_right: after_trick is 1 to 5");
    m_.draw_after = static_cast<std::uint8_t>(given.after_trick);
  }

  void check_whole() {
    bool tasks = false, five = false;
    int counted = 0;
    for (int i = 0; i < m_.constraint_count; ++i) {
      const ConstraintKind kind = m_.constraint[static_cast<std::size_t>(i)].kind;
      if (kind == ConstraintKind::tasks && tasks)
        wrong("the constraint tasks can be there once only");
      tasks |= kind == ConstraintKind::tasks;
      counted += kind == ConstraintKind::winning_value_at_least;
    }
    if (counted > 1) wrong("winning_value_at_least can be there once only");
    if (tasks != (m_.tasks > 0)) wrong("tasks that are dealt and the constraint tasks go together");
    if (m_.tasks > 0 && !assigned_)
      wrong("no step assigns the tasks: draft, assign_all or distribute");
    for (int i = 0; i < m_.step_count; ++i)
      five |= m_.step[static_cast<std::size_t>(i)].kind == StepKind::five_pass;
    if (five && !assigned_) wrong("five_pass needs tasks");
    if (sheet_.five_player_rule && !five) wrong("five_player_rule goes with a step five_pass");
  }

  const MissionSheet& sheet_;
  Mission m_;
  std::string fault_;
  unsigned roles_ = 0;
  bool assigned_ = false;
};

}  // namespace detail

// What is wrong with a mission, or nothing; then `out` is it.
inline std::string read_mission(const MissionSheet& sheet, Mission& out) {
  return detail::MissionReader(sheet).read(out);
}

}  // namespace kibitz::thecrew
