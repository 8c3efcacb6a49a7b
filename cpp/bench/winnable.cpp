// How many deals of The Crew can be won with open hands: plain tasks, each with an owner by lot.
#include "winnable.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include <kibitz/games/thecrew/thecrew.hpp>

namespace kibitz {

namespace {

using namespace thecrew;

// The deal of this seed of the game with tasks=n owners=random. More tasks than the game deals, up
// to 36, are added the same way.
State deal_of(const Rules& rules, int tasks, std::uint64_t seed) {
  Rng rng(seed, "deal");
  State state = deal_state(rules, rng);
  while (std::popcount(open_tasks(state.table)) < tasks) {
    const Cards cards = rules.deck & colours & ~open_tasks(state.table);
    const int card = pick_card(cards, rng);
    give_task(state.table, card,
              static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.seats))));
  }
  return state;
}

}  // namespace

void count_winnable(int players, int tasks, std::uint64_t from, std::uint64_t count, int workers) {
  Settings settings;
  settings.players = players;
  settings.distress = Distress::off;
  settings.radio = Radio::off;
  const Rules rules = make_rules(plain_mission(std::min(tasks, max_tasks), true), settings);
  std::atomic<std::uint64_t> next{0}, won{0}, nodes{0}, most{0};
  const auto work = [&] {
    for (std::uint64_t i; (i = next++) < count;) {
      SolveLimits limits;
      limits.every_move = false;
      const Solution solution = solve_state(rules, deal_of(rules, tasks, from + i), limits);
      won += solution.values[0] == 1;
      nodes += solution.nodes;
      std::uint64_t seen = most;
      while (seen < solution.nodes && !most.compare_exchange_weak(seen, solution.nodes)) {
      }
    }
  };
  std::vector<std::thread> threads;
  for (int w = 1; w < workers; ++w) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  // Wilson's interval of 95 %.
  const double n = static_cast<double>(count), share = static_cast<double>(won) / n, z = 1.96;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half =
      z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  std::printf(
      "winnable thecrew players=%d tasks=%d deals=%llu won=%llu %.1f %% [%.1f, %.1f] nodes=%llu "
      "most=%llu\n",
      players, tasks, static_cast<unsigned long long>(count), static_cast<unsigned long long>(won),
      100 * share, 100 * (middle - half), 100 * (middle + half),
      static_cast<unsigned long long>(nodes), static_cast<unsigned long long>(most));
}

}  // namespace kibitz
