// Missions as data: the closed vocabulary of setup steps, constraints and effects in which all
// fifty are written (docs/games/thecrew.md, "Missions"), as constants without allocation.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <kibitz/games/thecrew/cards.hpp>

namespace kibitz::thecrew {

inline constexpr int max_tasks = 10;
inline constexpr int max_steps = 12;
inline constexpr int max_constraints = 6;

// 0 to 4: the numbers 1 to 5; 5 to 8: the arrows a1 to a4; 9: omega.
using Token = std::uint8_t;
inline constexpr int tokens = 10;
inline constexpr int numbers = 5;
inline constexpr Token first_arrow = 5;
inline constexpr Token omega = 9;
inline constexpr std::array<std::string_view, tokens> token_names = {
    "1", "2", "3", "4", "5", "a1", "a2", "a3", "a4", "omega"};

enum class Role : std::uint8_t { commander, s1, s2 };
inline constexpr std::array<std::string_view, 3> role_names = {"commander", "S1", "S2"};

// 0 is no reply; in a distress vote and a vote on an offer the same numbers serve.
inline constexpr std::array<std::string_view, 12> reply_names = {
    "", "good", "bad", "yes", "no", "first", "between", "last", "none", "left", "right", "any"};
enum class Reply : std::uint8_t {
  silent,
  good,
  bad,
  yes,
  no,
  first,
  between,
  last,
  none,
  left,
  right,
  any
};

enum class StepKind : std::uint8_t {
  deal_tasks,
  draft,
  edit_tokens,
  ask,
  pick_role,
  mute,
  assign_all,
  distribute,
  announce_holder,
  five_pass,
  distress,
  random_owners  // the option owners=random of plain tasks
};
inline constexpr std::array<std::string_view, 11> step_names = {
    "deal_tasks", "draft",      "edit_tokens",     "ask",       "pick_role", "mute",
    "assign_all", "distribute", "announce_holder", "five_pass", "distress"};

enum class Reveal : std::uint8_t { all, after_assignment, one_by_one };
enum class Edit : std::uint8_t { swap_two, move_one };
enum class Candidates : std::uint8_t { not_commander, all, all_but_s1 };

// One line of the preparation. Fields that a kind does not use are zero.
struct Step {
  StepKind kind{};
  Role role{};                // pick_role, mute, announce_holder
  Candidates candidates{};    // pick_role
  bool jarvis = true;         // pick_role: may the automatic member be named?
  Edit edit{};                // edit_tokens
  std::uint8_t card = 0;      // announce_holder
  std::uint32_t replies = 0;  // ask, distribute: a nibble a reply, the first lowest
};

enum class ConstraintKind : std::uint8_t {
  tasks,
  tricks_won,
  win_positions,
  no_winning_suit,
  balanced,
  winning_value_at_least,
  winning_value_forbidden,
  each_card_wins,
  win_all_of_suit
};
inline constexpr std::array<std::string_view, 9> constraint_names = {"tasks",
                                                                     "tricks_won",
                                                                     "win_positions",
                                                                     "no_winning_suit",
                                                                     "balanced",
                                                                     "winning_value_at_least",
                                                                     "winning_value_forbidden",
                                                                     "each_card_wins",
                                                                     "win_all_of_suit"};

struct Constraint {
  ConstraintKind kind{};
  Role who{};
  std::uint8_t least = 0;    // tricks_won: min; winning_value_at_least: count
  std::uint8_t most = 0;     // tricks_won: max; balanced: max_gap
  std::uint16_t tricks = 0;  // win_positions: bit t is trick t + 1, bit 15 the last trick
  bool exclusive = false;    // win_positions
  bool last_trick = false;   // tasks: the final task falls in the very last trick
  bool ascending = false;    // each_card_wins
  Cards cards = 0;           // the suit, the cards of that value, or the listed cards
};
inline constexpr std::uint16_t last_trick_bit = 1u << 15;

struct Mission {
  std::uint8_t tasks = 0;
  std::uint8_t token_count = 0;
  std::array<Token, max_tasks> token{};  // the i-th goes to the i-th drawn card
  Reveal reveal{};
  bool dead_zone = false;
  std::uint8_t from_trick = 1;  // first trick before which the radio may be used
  std::uint8_t draw_after = 0;  // effect draw_from_right after this trick; 0: none
  std::uint8_t step_count = 0;
  std::uint8_t constraint_count = 0;
  std::array<Step, max_steps> step{};
  std::array<Constraint, max_constraints> constraint{};
};

}  // namespace kibitz::thecrew
