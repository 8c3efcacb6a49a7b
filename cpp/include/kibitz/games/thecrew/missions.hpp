// The fifty missions, written by tools/thecrew_missions.py from thecrew.json; do not edit by hand.
#pragma once

#include <array>

#include <kibitz/games/thecrew/mission.hpp>

namespace kibitz::thecrew {

// clang-format off
inline constexpr std::array<Mission, 50> missions = {{
    // 1: one free task
    {.tasks = 1, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 2: two free tasks
    {.tasks = 2, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 3: two tasks in fixed order
    {.tasks = 2, .token_count = 2, .token = {0, 1}, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 4: three free tasks
    {.tasks = 3, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 5: a chosen member (not the commander) wins no trick
    {.step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::ask, .replies = 0x21}, {.kind = StepKind::pick_role, .role = Role::s1, .candidates = Candidates::not_commander}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tricks_won, .who = Role::s1, .least = 0, .most = 0}}}},
    // 6: three tasks, two arrows, dead zone
    {.tasks = 3, .token_count = 2, .token = {5, 6}, .reveal = Reveal::all, .dead_zone = true, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 7: three tasks, one last
    {.tasks = 3, .token_count = 1, .token = {9}, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 8: three tasks in fixed order
    {.tasks = 3, .token_count = 3, .token = {0, 1, 2}, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 9: a colour 1 wins a trick
    {.step_count = 1, .constraint_count = 1, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::winning_value_at_least, .least = 1, .cards = 0x8040201u}}}},
    // 10: four free tasks
    {.tasks = 4, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 11: four tasks, one first; a chosen member may not communicate
    {.tasks = 4, .token_count = 1, .token = {0}, .reveal = Reveal::all, .step_count = 5, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::pick_role, .role = Role::s1, .candidates = Candidates::not_commander, .jarvis = false}, {.kind = StepKind::mute, .role = Role::s1}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 12: four tasks, one last; random card from the right neighbour after trick 1
    {.tasks = 4, .token_count = 1, .token = {9}, .reveal = Reveal::all, .draw_after = 1, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 13: each rocket wins a trick
    {.step_count = 1, .constraint_count = 1, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::each_card_wins, .cards = 0xf000000000u}}}},
    // 14: four tasks, three arrows, dead zone
    {.tasks = 4, .token_count = 3, .token = {5, 6, 7}, .reveal = Reveal::all, .dead_zone = true, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 15: four tasks in fixed order
    {.tasks = 4, .token_count = 4, .token = {0, 1, 2, 3}, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 16: no nine wins a trick
    {.step_count = 1, .constraint_count = 1, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::winning_value_forbidden, .cards = 0x804020100u}}}},
    // 17: two tasks and no nine wins a trick
    {.tasks = 2, .reveal = Reveal::all, .step_count = 3, .constraint_count = 2, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}, {.kind = ConstraintKind::winning_value_forbidden, .cards = 0x804020100u}}}},
    // 18: five free tasks, communication from trick 2
    {.tasks = 5, .reveal = Reveal::all, .from_trick = 2, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 19: five tasks, one first, communication from trick 3
    {.tasks = 5, .token_count = 1, .token = {0}, .reveal = Reveal::all, .from_trick = 3, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 20: two unseen tasks to one member chosen by the commander
    {.tasks = 2, .reveal = Reveal::after_assignment, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::ask, .replies = 0x43}, {.kind = StepKind::assign_all, .candidates = Candidates::not_commander}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 21: five tasks, first and second fixed, dead zone
    {.tasks = 5, .token_count = 2, .token = {0, 1}, .reveal = Reveal::all, .dead_zone = true, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 22: five tasks, four arrows
    {.tasks = 5, .token_count = 4, .token = {5, 6, 7, 8}, .reveal = Reveal::all, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 23: five tasks in fixed order after an optional token swap
    {.tasks = 5, .token_count = 5, .token = {0, 1, 2, 3, 4}, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::edit_tokens, .edit = Edit::swap_two}, {.kind = StepKind::draft}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 24: six tasks handed out evenly by the commander
    {.tasks = 6, .reveal = Reveal::one_by_one, .step_count = 3, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::distribute, .replies = 0x43}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 25: six tasks, two arrows, dead zone
    {.tasks = 6, .token_count = 2, .token = {5, 6}, .reveal = Reveal::all, .dead_zone = true, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 26: two colour 1s win a trick each
    {.step_count = 1, .constraint_count = 1, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::winning_value_at_least, .least = 2, .cards = 0x8040201u}}}},
    // 27: three unseen tasks to one member chosen by the commander
    {.tasks = 3, .reveal = Reveal::after_assignment, .step_count = 5, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::ask, .replies = 0x43}, {.kind = StepKind::assign_all, .candidates = Candidates::not_commander}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 28: six tasks, one first, one last, communication from trick 3
    {.tasks = 6, .token_count = 2, .token = {0, 9}, .reveal = Reveal::all, .from_trick = 3, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 29: trick counts never differ by two, dead zone
    {.dead_zone = true, .step_count = 1, .constraint_count = 1, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::balanced, .most = 1}}}},
    // 30: six tasks, three arrows, communication from trick 2
    {.tasks = 6, .token_count = 3, .token = {5, 6, 7}, .reveal = Reveal::all, .from_trick = 2, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 31: six tasks, first three fixed
    {.tasks = 6, .token_count = 3, .token = {0, 1, 2}, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 32: seven tasks handed out evenly by the commander
    {.tasks = 7, .reveal = Reveal::one_by_one, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::distribute, .replies = 0x43}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 33: a chosen member (not the commander) wins exactly one trick, not with a rocket
    {.step_count = 3, .constraint_count = 2, .step = {{{.kind = StepKind::ask, .replies = 0x43}, {.kind = StepKind::pick_role, .role = Role::s1, .candidates = Candidates::not_commander}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tricks_won, .who = Role::s1, .least = 1, .most = 1}, {.kind = ConstraintKind::no_winning_suit, .who = Role::s1, .cards = 0xf000000000u}}}},
    // 34: trick counts never differ by two; the commander wins the first and the last trick
    {.step_count = 1, .constraint_count = 2, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::balanced, .most = 1}, {.kind = ConstraintKind::win_positions, .who = Role::commander, .tricks = 0x8001}}}},
    // 35: seven tasks, three arrows
    {.tasks = 7, .token_count = 3, .token = {5, 6, 7}, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 36: seven tasks, first and second fixed, handed out evenly by the commander
    {.tasks = 7, .token_count = 2, .token = {0, 1}, .reveal = Reveal::one_by_one, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::distribute, .replies = 0x43}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 37: four unseen tasks to one member chosen by the commander
    {.tasks = 4, .reveal = Reveal::after_assignment, .step_count = 5, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::ask, .replies = 0x43}, {.kind = StepKind::assign_all, .candidates = Candidates::not_commander}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 38: eight free tasks, communication from trick 3
    {.tasks = 8, .reveal = Reveal::all, .from_trick = 3, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 39: eight tasks, three arrows, dead zone
    {.tasks = 8, .token_count = 3, .token = {5, 6, 7}, .reveal = Reveal::all, .dead_zone = true, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 40: eight tasks, first three fixed after an optional token move
    {.tasks = 8, .token_count = 3, .token = {0, 1, 2}, .reveal = Reveal::all, .step_count = 5, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::edit_tokens, .edit = Edit::move_one}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 41: a chosen member (not the commander) wins exactly the first and the last trick, without rockets
    {.step_count = 3, .constraint_count = 2, .step = {{{.kind = StepKind::ask, .replies = 0x43}, {.kind = StepKind::pick_role, .role = Role::s1, .candidates = Candidates::not_commander}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::win_positions, .who = Role::s1, .tricks = 0x8001, .exclusive = true}, {.kind = ConstraintKind::no_winning_suit, .who = Role::s1, .cards = 0xf000000000u}}}},
    // 42: nine free tasks
    {.tasks = 9, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 43: nine tasks handed out evenly by the commander
    {.tasks = 9, .reveal = Reveal::one_by_one, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::distribute, .replies = 0x43}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 44: each rocket wins a trick, in ascending order
    {.step_count = 1, .constraint_count = 1, .step = {{{.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::each_card_wins, .ascending = true, .cards = 0xf000000000u}}}},
    // 45: nine tasks, three arrows
    {.tasks = 9, .token_count = 3, .token = {5, 6, 7}, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 46: the left neighbour of the pink 9 wins every pink card
    {.step_count = 2, .constraint_count = 1, .step = {{{.kind = StepKind::announce_holder, .role = Role::s1, .card = 26}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::win_all_of_suit, .who = Role::s1, .cards = 0x7fc0000u}}}},
    // 47: ten free tasks
    {.tasks = 10, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 48: three tasks, the last one in the very last trick
    {.tasks = 3, .token_count = 1, .token = {9}, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks, .last_trick = true}}}},
    // 49: ten tasks, three arrows
    {.tasks = 10, .token_count = 3, .token = {5, 6, 7}, .reveal = Reveal::all, .step_count = 4, .constraint_count = 1, .step = {{{.kind = StepKind::deal_tasks}, {.kind = StepKind::draft}, {.kind = StepKind::five_pass}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::tasks}}}},
    // 50: one member wins exactly the first four tricks, another exactly the last, the others everything between
    {.step_count = 4, .constraint_count = 2, .step = {{{.kind = StepKind::ask, .replies = 0x765}, {.kind = StepKind::pick_role, .role = Role::s1, .candidates = Candidates::all}, {.kind = StepKind::pick_role, .role = Role::s2, .candidates = Candidates::all_but_s1}, {.kind = StepKind::distress}}}, .constraint = {{{.kind = ConstraintKind::win_positions, .who = Role::s1, .tricks = 0xf, .exclusive = true}, {.kind = ConstraintKind::win_positions, .who = Role::s2, .tricks = 0x8000, .exclusive = true}}}},
}};
// clang-format on

}  // namespace kibitz::thecrew
