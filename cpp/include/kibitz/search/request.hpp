// What is asked of a search.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <kibitz/core/control.hpp>
#include <kibitz/core/types.hpp>
#include <kibitz/search/evaluator.hpp>

namespace kibitz {

enum class Method : std::uint8_t { random, greedy, flat, mcts, pimc, ismcts, moismcts, puct };
inline constexpr std::string_view method_names[] = {"random", "greedy", "flat",     "mcts",
                                                    "pimc",   "ismcts", "moismcts", "puct"};

enum class PlayoutPolicy : std::uint8_t { uniform, hint };
inline constexpr std::string_view policy_names[] = {"uniform", "hint"};

enum class UtilityKind : std::uint8_t { win_margin, win, score };
inline constexpr std::string_view utility_names[] = {"win+margin", "win", "score"};

// The last two are of a search that is looked at: it runs, or it has not yet run at this view.
enum class Reason : std::uint8_t {
  iterations,
  ms,
  nodes,
  bytes,
  stop,
  single,
  policy,
  proven,
  running,
  waiting
};
inline constexpr std::string_view reason_names[] = {"iterations", "ms",     "nodes",  "bytes",
                                                    "stop",       "single", "policy", "proven",
                                                    "running",    "waiting"};

using Clock = std::chrono::steady_clock;

// Visits are counted in 32 bits: more iterations than this are not made in one tree.
inline constexpr std::uint64_t max_iterations = 4'000'000'000;

inline constexpr std::size_t default_bytes = std::size_t{256}
                                             << 20;  // tree memory, all threads together

// Departures from the plain selection formula, all off by default. docs/search.md says what each
// measured.
struct Tuning {
  double first_play = -1;  // utility that a move never tried counts with; below 0: each comes first
  double bias = 0;         // progressive bias: that much / (n + 1) for the move that hint advises
  double rave = 0;       // visits at which all-moves-as-first counts as much as the mean; 0: never
  double widening = 0;   // moves tried: 1 + widening * sqrt(visits of the node); 0: all
  bool halving = false;  // flat: half of the moves drop out, again and again
  bool proofs = true;    // mcts: prove what can be proven

  bool selects() const { return first_play >= 0 || bias > 0 || rave > 0 || widening > 0; }
};

struct Request {
  Method method = Method::ismcts;
  std::vector<std::uint64_t> iterations;  // by thread; empty: not limited
  bool timed = false;
  Clock::time_point deadline{};       // if timed
  std::uint64_t nodes = 0;            // all threads together; 0: not limited
  std::size_t bytes = default_bytes;  // of the trees, all threads together
  bool stop_when_full = false;        // no other limit was given: end there
  std::uint64_t seed = 0;
  int threads = 1;
  PlayoutPolicy playout = PlayoutPolicy::uniform;
  UtilityKind utility = UtilityKind::win_margin;
  double exploration = 0.0;  // 0: the search's own default
  Tuning tuning;
  std::vector<Move> allow;  // root moves to choose from; empty: all legal ones

  // puct:
  Evaluator* evaluator = nullptr;       // lives longer than the search
  std::uint32_t batch = default_batch;  // leaves judged together, at most; 1..max_batch
};

}  // namespace kibitz
