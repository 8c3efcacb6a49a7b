// What a round is worth in the match: shares that add up, grow with the own total, and turn with
// the seats.
#include <array>
#include <cmath>

#include "check.hpp"
#include "kami_positions.hpp"

using namespace kibitz;
using namespace kibitz::kami;

namespace {

Rules match(int players, const char* victory, const char* next_leader = "winner") {
  return rules_of({{"players", players}, {"victory", victory}, {"next_leader", next_leader}});
}

double worth(const Rules& rules, std::array<std::uint8_t, 4> totals, int leader, int team) {
  return rules
      .match_worth[worth_index(teams(rules), totals, leader) + static_cast<std::size_t>(team)];
}

const char* const endings[] = {"soldier", "lord", "kami"};

}  // namespace

TEST_CASE("kami: the odds of a round add up to 1") {
  for (int players = 2; players <= 4; ++players) {
    double sum = 0;
    for (const auto& row : round_odds(players))
      for (const double p : row) {
        CHECK(p >= 0);
        sum += p;
      }
    CHECK(std::abs(sum - 1) < 1e-12);
  }
}

TEST_CASE("kami: the teams' chances to win the match add up to 1") {
  for (const char* victory : endings)
    for (int players = 2; players <= 4; ++players) {
      const Rules rules = match(players, victory);
      const int n = teams(rules);
      for (std::uint8_t a = 0; a < target; ++a)
        for (std::uint8_t b = 0; b < target; b = static_cast<std::uint8_t>(b + 3))
          for (int leader = 0; leader < n; ++leader) {
            double sum = 0;
            for (int team = 0; team < n; ++team) {
              const double w = worth(rules, {a, b, 4, 0}, leader, team);
              CHECK(w >= 0);
              CHECK(w <= 1);
              sum += w;
            }
            CHECK(std::abs(sum - 1) < 1e-4);
          }
    }
}

TEST_CASE("kami: at 0 to 0 the chances are near even, and together exactly so") {
  for (const char* victory : endings)
    for (int players = 2; players <= 4; ++players) {
      const Rules rules = match(players, victory);
      const int n = teams(rules);
      double own = 0;
      for (int leader = 0; leader < n; ++leader) {
        const double w = worth(rules, {}, leader, 0);
        CHECK(std::abs(w - 1.0 / n) < 0.12);  // the leader has an edge, no more
        own += w;
      }
      CHECK(std::abs(own - 1) < 1e-4);  // by symmetry: over who leads, each team has 1/n
    }
}

TEST_CASE("kami: exchanging the teams exchanges their chances") {
  for (const char* victory : endings) {
    const Rules rules = match(4, victory);
    for (std::uint8_t a = 0; a < target; ++a)
      for (std::uint8_t b = 0; b < target; ++b)
        CHECK(std::abs(worth(rules, {a, b}, 0, 0) - worth(rules, {b, a}, 1, 1)) < 1e-4);
  }
}

TEST_CASE(
    "kami: under Soldier a higher own total is never worse, a higher other total never better") {
  for (int players = 2; players <= 4; ++players)
    for (const char* next_leader : {"winner", "rotate"}) {
      const Rules rules = match(players, "soldier", next_leader);
      for (int leader = 0; leader < teams(rules); ++leader)
        for (std::uint8_t a = 0; a + 1 < target; ++a)
          for (std::uint8_t b = 0; b < target; ++b) {
            const auto up = static_cast<std::uint8_t>(a + 1);
            CHECK(worth(rules, {up, b, 2, 0}, leader, 0) >=
                  worth(rules, {a, b, 2, 0}, leader, 0) - 1e-9);
            CHECK(worth(rules, {b, up, 2, 0}, leader, 0) <=
                  worth(rules, {b, a, 2, 0}, leader, 0) + 1e-9);
          }
    }
}

TEST_CASE("kami: the table solves its own equations") {
  // Written again by hand for two teams, Lord: P(result) times the worth after it.
  const Rules rules = match(4, "lord");
  const RoundOdds odds = round_odds(4);
  for (std::uint8_t a = 0; a < target; ++a)
    for (std::uint8_t b = 0; b < target; ++b) {
      double sum = 0;
      for (int winner = 0; winner < 2; ++winner)
        for (int points = 1; points <= max_points; ++points) {
          const double p = odds[static_cast<std::size_t>(winner)][static_cast<std::size_t>(points)];
          std::array<std::uint8_t, 4> after = {a, b};
          int total = after[static_cast<std::size_t>(winner)] + points;
          if (total > 15) total = 30 - total;
          if (total == 15) {
            sum += winner == 0 ? p : 0;
            continue;
          }
          after[static_cast<std::size_t>(winner)] = static_cast<std::uint8_t>(total);
          sum += p * worth(rules, after, winner, 0);
        }
      CHECK(std::abs(sum - worth(rules, {a, b}, 0, 0)) < 1e-5);
    }
}

TEST_CASE("kami: a finished single round is worth the win and its points") {
  const Rules rules = rules_of({{"rounds", 1}, {"redeal", false}});
  StateSheet sheet;
  sheet.hands = {"17", "11", "1111", "1112"};
  sheet.first = 0;
  sheet.phase = "lead";
  sheet.owner = 0;
  sheet.to_move = 0;
  sheet.lines = {{".83", "83", "72"}, {"63", "63", "52"}, {"42", "54"}, {"54", "54"}};
  State state = position(rules, sheet);
  play(rules, state, "d1 a7");
  CHECK(Kami::settled(rules, state));
  const Worth value = Kami::worth(rules, state);
  for (std::size_t seat = 0; seat < 4; ++seat) {
    CHECK(value.win[seat] == (seat % 2 ? 0.0 : 1.0));
    CHECK(std::abs(value.margin[seat] - (seat % 2 ? -0.4 : 0.4)) <
          1e-12);  // 4 of at most 10 points
  }
}
