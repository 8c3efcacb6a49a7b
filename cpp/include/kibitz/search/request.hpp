// What is asked of a search.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <kibitz/core/control.hpp>
#include <kibitz/core/types.hpp>

namespace kibitz {

enum class Method : std::uint8_t { random, greedy, flat, mcts, pimc, ismcts, moismcts };
inline constexpr std::string_view method_names[] = {"random", "greedy", "flat",    "mcts",
                                                    "pimc",   "ismcts", "moismcts"};

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

struct Request {
  Method method = Method::ismcts;
  std::vector<std::uint64_t> iterations;  // by thread; empty: not limited
  bool timed = false;
  Clock::time_point deadline{};       // if timed
  std::uint64_t nodes = 0;            // all threads together; 0: not limited
  std::size_t bytes = default_bytes;  // where the trees stop growing
  bool stop_when_full = false;        // no other limit was given: end there
  std::uint64_t seed = 0;
  int threads = 1;
  PlayoutPolicy playout = PlayoutPolicy::uniform;
  UtilityKind utility = UtilityKind::win_margin;
  double exploration = 0.0;  // 0: the search's own default
  std::vector<Move> allow;   // root moves to choose from; empty: all legal ones
};

}  // namespace kibitz
