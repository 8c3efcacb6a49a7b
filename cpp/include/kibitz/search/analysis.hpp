// What a search says.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kibitz/core/types.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

struct LineStep {
  Turn turn;
  Move seen;  // as the searching seat sees it
};

struct Row {
  Move move;
  std::uint64_t visits = 0;
  std::int64_t total = 0;     // sum of utilities of the searching seat, in 1/840
  std::uint64_t squares = 0;  // sum of their squares, without those of reused visits
  std::uint64_t reused = 0;   // of the visits: made before the search came to this view
  std::int64_t reused_total = 0;
  bool proven = false;  // mcts: `exact` is what the move is worth, in 1/840
  std::int32_t exact = 0;
  std::vector<LineStep> line;

  double mean() const {
    return visits ? static_cast<double>(total) / static_cast<double>(visits) / utility_unit : 0.0;
  }

  // Standard error of the mean, from the sample variance of the visits made at this view: of reused
  // ones the spread is not known, and they count for nothing here. Precondition: fresh() >= 2.
  std::uint64_t fresh() const { return visits - reused; }
  double se() const {
    const auto n = static_cast<double>(fresh());
    const double m = static_cast<double>(total - reused_total) / n;
    const double variance = (static_cast<double>(squares) / n - m * m) * n / (n - 1);
    return std::sqrt(variance > 0 ? variance / n : 0.0) / utility_unit;
  }
};

struct Analysis {
  std::vector<Row> rows;                  // in legal order
  std::size_t best = 0;                   // index into rows
  std::vector<std::uint64_t> iterations;  // by thread
  std::uint64_t worlds = 0;
  std::uint64_t nodes = 0;
  std::size_t bytes = 0;
  int depth = 0;             // deepest tree level reached
  Stake stake;               // of the searching seat
  bool full = false;         // the memory allowed was used up
  std::uint64_t pruned = 0;  // nodes given up then
  double seconds = 0;
  Reason reason = Reason::policy;
};

}  // namespace kibitz
