// What a round's end is worth in the match: the chance of each team to win from given totals with
// a given leader, so that a search can stop at the end of a round.
//
// The results of single rounds are taken as independent draws from a fixed table: who wins,
// counted from the leader, with how many points. The table was counted in self-play
// (docs/games/kami.md names the command). From it the chances solve the linear equations
//     worth(totals, leader) = sum over results of P(result) * worth(totals after it, next leader)
// which Soldier meets in one pass from high totals down and the other endings in a few dozen
// (their totals may fall, so the equations are circular; each pass shrinks the error).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/core/game.hpp>
#include <kibitz/games/kami/play.hpp>
#include <kibitz/games/kami/round_results.hpp>
#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

// A round's results as probabilities: [winner counted from the leader][points]; void at [0][0].
// Four players: the winner's partner stands for the same team, so only 0 and 1 are used.
using RoundOdds = std::array<std::array<double, max_points + 1>, 3>;

inline RoundOdds round_odds(int players) {
  const auto& counted = round_results[static_cast<std::size_t>(players - 2)];
  double all = 0;
  for (const auto& row : counted)
    for (const std::uint32_t n : row) all += n;
  RoundOdds odds{};
  for (std::size_t w = 0; w < 3; ++w)
    for (std::size_t p = 0; p <= max_points; ++p) odds[w][p] = counted[w][p] / all;
  return odds;
}

// Index into Rules::match_worth of the entry of team 0. Leaders count by team.
inline std::size_t worth_index(int team_count, const std::array<std::uint8_t, 4>& totals,
                               int leader) {
  std::size_t at = 0;
  for (int t = 0; t < team_count; ++t) at = at * target + totals[static_cast<std::size_t>(t)];
  return (at * static_cast<std::size_t>(team_count) + static_cast<std::size_t>(leader)) *
         static_cast<std::size_t>(team_count);
}

// Who leads after a round that team `winner` won (leading team `leader`), or a void one.
inline int next_leader(const Rules& rules, int leader, int winner, bool dead) {
  const int team_count = teams(rules);
  if (dead) return rules.dead_rotates ? (leader + 1) % team_count : leader;
  return rules.leader_rotates ? (leader + 1) % team_count : winner;
}

inline std::vector<double> solve_match(const Rules& rules) {
  const int n = teams(rules);
  const RoundOdds odds = round_odds(rules.players);
  std::size_t totals_count = 1;
  for (int t = 0; t < n; ++t) totals_count *= target;
  const auto width = static_cast<std::size_t>(n);
  std::vector<double> worth(totals_count * width * width, 1.0 / n);

  constexpr double close_enough = 1e-7;  // far below a unit of utility, 1/840
  for (int sweep = 0; sweep < 1000; ++sweep) {
    double change = 0;
    for (std::size_t rank = totals_count; rank-- > 0;) {
      std::array<std::uint8_t, 4> totals{};
      std::size_t rest = rank;
      for (int t = n - 1; t >= 0; --t, rest /= target)
        totals[static_cast<std::size_t>(t)] = static_cast<std::uint8_t>(rest % target);
      for (int leader = 0; leader < n; ++leader) {
        std::array<double, 3> sum{};
        const auto add = [&](double p, const std::array<std::uint8_t, 4>& after, int next) {
          const double* w = &worth[worth_index(n, after, next)];
          for (int t = 0; t < n; ++t) sum[static_cast<std::size_t>(t)] += p * w[t];
        };
        if (odds[0][0] > 0) add(odds[0][0], totals, next_leader(rules, leader, leader, true));
        for (int w = 0; w < n; ++w) {
          const int winner = (leader + w) % n;
          for (int p = 1; p <= max_points; ++p) {
            const double chance = odds[static_cast<std::size_t>(w)][static_cast<std::size_t>(p)];
            if (chance == 0) continue;
            auto after = totals;
            const int total =
                add_points(rules.victory, totals[static_cast<std::size_t>(winner)], p);
            if (total >= target) {
              sum[static_cast<std::size_t>(winner)] += chance;
            } else {
              after[static_cast<std::size_t>(winner)] = static_cast<std::uint8_t>(total);
              add(chance, after, next_leader(rules, leader, winner, false));
            }
          }
        }
        double* w = &worth[worth_index(n, totals, leader)];
        for (int t = 0; t < n; ++t) {
          const double fresh = sum[static_cast<std::size_t>(t)];
          const double moved = fresh > w[t] ? fresh - w[t] : w[t] - fresh;
          if (moved > change) change = moved;
          w[t] = fresh;
        }
      }
    }
    if (change < close_enough) break;
  }
  return worth;
}

inline void spread(const Rules& rules, const std::array<double, 3>& by_team,
                   std::array<double, max_seats>& by_seat) {
  for (int s = 0; s < rules.players; ++s)
    by_seat[static_cast<std::size_t>(s)] =
        by_team[static_cast<std::size_t>(team_of(rules, static_cast<Seat>(s)))];
}

// The worth of a round about to be dealt, or of one just finished.
inline Worth worth_of(const Rules& rules, const Board& board) {
  const int n = teams(rules);
  std::array<double, 3> win{};
  std::array<double, 3> margin{};
  const auto add_margin = [&](int winner, double gained) {
    for (int t = 0; t < n; ++t)
      margin[static_cast<std::size_t>(t)] += (t == winner ? gained : -gained) / max_points;
  };
  if (board.phase == Phase::over) {
    if (board.winner != nobody) {
      const int winner = team_of(rules, board.winner);
      win[static_cast<std::size_t>(winner)] = 1;
      add_margin(winner, round_points(rules, board));
    }
  } else if (board.phase == Phase::score && !is_void(board)) {
    const int winner = team_of(rules, board.owner);
    const int gained = round_points(rules, board);
    add_margin(winner, gained);
    auto totals = board.totals;
    auto& total = totals[static_cast<std::size_t>(winner)];
    total = static_cast<std::uint8_t>(add_points(rules.victory, total, gained));
    if (rules.rounds == 1 || total >= target) {
      win[static_cast<std::size_t>(winner)] = 1;
    } else if (board.round < rules.max_rounds) {
      const int leader = next_leader(rules, team_of(rules, board.first), winner, false);
      const double* w = &rules.match_worth[worth_index(n, totals, leader)];
      for (int t = 0; t < n; ++t) win[static_cast<std::size_t>(t)] = w[t];
    }
  } else if (rules.rounds == 1) {
    // A redeal (a void single round is worth nothing): the odds of a fresh round.
    if (board.phase != Phase::score) {
      const RoundOdds odds = round_odds(rules.players);
      const int leader = team_of(rules, board.first);
      for (int w = 0; w < n; ++w)
        for (int p = 1; p <= max_points; ++p) {
          const double chance = odds[static_cast<std::size_t>(w)][static_cast<std::size_t>(p)];
          win[static_cast<std::size_t>((leader + w) % n)] += chance;
          add_margin((leader + w) % n, chance * p);
        }
    }
  } else if (board.phase != Phase::score || board.round < rules.max_rounds) {
    const int leader = team_of(rules, board.first);
    const int next =
        board.phase == Phase::score ? next_leader(rules, leader, leader, true) : leader;
    const double* w = &rules.match_worth[worth_index(n, board.totals, next)];
    for (int t = 0; t < n; ++t) win[static_cast<std::size_t>(t)] = w[t];
  }
  Worth out;
  spread(rules, win, out.win);
  spread(rules, margin, out.margin);
  return out;
}

}  // namespace kibitz::kami
