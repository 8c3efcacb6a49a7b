// Connect Four's keys, by what they are for: positions counted once, games counted over positions,
// values kept from one line of play to another.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_map>
#include <vector>

#include <kibitz/games/connect_four/connect_four.hpp>

#include "check.hpp"

using namespace kibitz;
using namespace kibitz::connect_four;

namespace {

struct Counted {
  std::uint64_t key;
  State state;
  std::uint64_t games;  // orders of moves that lead there
};

struct Count {
  std::uint64_t positions;
  std::uint64_t games;
};

// All positions of a board, ply by ply, one entry a key. Two states of one key would be a fault.
Count count(const Rules& rules) {
  std::vector<Counted> layer{{ConnectFour::key(rules, State{}), State{}, 1}};
  Count total{};
  while (!layer.empty()) {
    std::vector<Counted> next;
    for (const Counted& each : layer) {
      MoveList<ConnectFour> moves;
      ConnectFour::moves(rules, each.state, moves);
      for (const Move move : moves) {
        State state = each.state;
        ConnectFour::play(rules, state, move);
        next.push_back({ConnectFour::key(rules, state), state, each.games});
      }
      ++total.positions;
      if (is_over(each.state)) total.games += each.games;
    }
    std::sort(next.begin(), next.end(),
              [](const Counted& a, const Counted& b) { return a.key < b.key; });
    layer.clear();
    for (const Counted& each : next)
      if (!layer.empty() && layer.back().key == each.key) {
        REQUIRE(layer.back().state == each.state);
        layer.back().games += each.games;
      } else {
        layer.push_back(each);
      }
  }
  return total;
}

// Alpha-beta over the game's own moves and keys. 43 less the discs at the end for the seat to move
// if it wins, the same negative if it loses, 0 for a draw.
class Solver {
 public:
  int value(const State& state, int alpha, int beta) {
    const int discs = std::popcount(state.discs & ~over_bit);
    if (is_over(state)) return has_four(last_mover(state)) ? discs - 43 : 0;
    const std::uint64_t key = ConnectFour::key(rules_, state);
    if (const auto known = bounds_.find(key); known != bounds_.end()) {
      alpha = std::max(alpha, known->second.least);
      beta = std::min(beta, known->second.most);
      if (alpha >= beta) return alpha;
    }
    int best = -43;
    for (const int column : {3, 2, 4, 1, 5, 0, 6}) {
      if (best >= beta) break;
      if (!(open_columns(rules_, state.discs) >> column & 1)) continue;
      State next = state;
      ConnectFour::play(rules_, next, drop_into(column));
      best = std::max(best, -value(next, -beta, -std::max(alpha, best)));
    }
    Bounds& bounds = bounds_[key];
    if (best > alpha) bounds.least = best;
    if (best < beta) bounds.most = best;
    return best;
  }

 private:
  struct Bounds {
    int least = -43;
    int most = 43;
  };
  Rules rules_;
  std::unordered_map<std::uint64_t, Bounds> bounds_;
};

}  // namespace

// Positions: Tromp's table, counted again by Boeck; games on a board of 5x4: OEIS A342329, which
// has 356232 for 4x3, too small a board for the options.
TEST_CASE("connect four: positions and games of small boards, counted by key") {
  const Count least = count(rules_of(4, 3));
  CHECK(least.positions == 12031);
  CHECK(least.games == 356232);
  CHECK(count(rules_of(4, 4)).positions == 161029);
  const Count wide = count(rules_of(5, 4));
  CHECK(wide.positions == 3945711);
  CHECK(wide.games == 152505051772);
}

// Solved by tests/reference/connect_four_values.py; here those with 24 discs and more, which need
// no cleverer search.
TEST_CASE("connect four: solved positions have the same value by the core's moves and keys") {
  std::ifstream file(std::string(KIBITZ_DATA_DIR) + "/connect_four_positions.json");
  std::string line;
  int solved = 0;
  while (std::getline(file, line)) {
    int seed = 0, value = 0, plies = 0;
    char moves[43];
    if (std::sscanf(line.c_str(),
                    " {\"seed\": %d, \"moves\": \"%42[1-7]\", \"value\": %d, \"plies\": %d}", &seed,
                    moves, &value, &plies) != 4)
      continue;
    const std::string text = moves;
    if (text.size() < 24) continue;
    State state{};
    for (const char c : text) {
      REQUIRE(!ConnectFour::check(Rules{}, state, *ConnectFour::from_text({&c, 1})));
      ConnectFour::play(Rules{}, state, *ConnectFour::from_text({&c, 1}));
    }
    const int discs = static_cast<int>(text.size()) + plies;
    CHECK_MESSAGE(Solver().value(state, -43, 43) == value * (43 - discs), text);
    ++solved;
  }
  CHECK(solved == 36);
}
