// Fixed work for profilers: no Python, no clock, nothing random but by seed.
//
//     kibitz_bench WORK GAME COUNT [OPTION=VALUE ...]
//
// WORK is deals, playouts, hints (hinted playouts), samples or ismcts (COUNT iterations). Prints
// the work done and a checksum; run it under `perf stat`, `perf record` or `valgrind
// --tool=callgrind`.
//
// WORK signature is what `kibitz bench` takes its signature of, line by line: every search with
// COUNT iterations in fixed positions, its choice and the visits of every move.
//
// WORK winnable, of thecrew: how many of COUNT deals can be won with open hands. Its options are
// players, tasks (plain, with owners by lot; more than the game deals, if you like), from (the
// first seed) and workers.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <kibitz/core/digest.hpp>
#include <kibitz/erased/any_game.hpp>

#include "winnable.hpp"

namespace {

using namespace kibitz;

Value value_of(const std::string& text) {
  if (text == "true" || text == "false") return Value(text == "true");
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0') return Value(static_cast<std::int64_t>(number));
  return Value(text);
}

// Positions of `kibitz bench`: seed of the deal, random plies played from it.
constexpr std::pair<std::uint64_t, int> positions[] = {{1, 0}, {2, 4}, {3, 9}, {4, 15}};

// The last choice that a seat has within so many plies of the deal, as cli/bench.py finds it.
std::optional<AnyState> position(const AnyGame& game, std::uint64_t seed, int plies) {
  AnyState state = game.deal(seed);
  std::optional<AnyState> last;
  Rng rng(seed, "bench");
  for (int played = 0; !game.turn(state).is_over();) {
    if (!game.turn(state).is_seat()) {
      state = game.play(state, game.roll(state, rng));
      continue;
    }
    if (game.moves(state).size() > 1) {
      last = state;
      if (played >= plies) break;
    }
    state = game.play(state, game.pick(state, rng));
    ++played;
  }
  return last;
}

// The option of that name; seats may be more, where one of them is played by all.
std::int64_t players(const AnyGame& game) {
  for (const auto& [name, value] : game.options())
    if (name == "players") return std::get<std::int64_t>(value.data);
  return game.seats();
}

// What every search does, a line for each search and position.
void signature(const AnyGame& game, std::uint64_t iterations) {
  for (std::size_t method = 0; method < std::size(method_names); ++method) {
    Request request;
    request.method = static_cast<Method>(method);
    request.iterations = {iterations};
    request.seed = 1;
    if (request.method == Method::mcts && !game.facts().open) continue;
    if (request.method == Method::puct) continue;  // it wants an evaluator
    for (const auto& [seed, plies] : positions) {
      const std::optional<AnyState> state = position(game, seed, plies);
      if (!state) continue;
      const AnyView view = game.view(*state, game.turn(*state).seat());
      const Analysis found = game.analyse(view, request, Control{});
      std::printf("%s %lld %s %s", game.facts().slug.c_str(), static_cast<long long>(players(game)),
                  std::string(method_names[method]).c_str(),
                  game.move_text(found.rows[found.best].move).c_str());
      for (const Row& row : found.rows)
        std::printf(" %s=%llu", game.move_text(row.move).c_str(),
                    static_cast<unsigned long long>(row.visits));
      std::printf("\n");
    }
  }
}

int winnable(std::uint64_t count, const ValueMap& options) {
  const auto option = [&](const char* wanted, std::int64_t preset) {
    for (const auto& [name, value] : options)
      if (name == wanted) return std::get<std::int64_t>(value.data);
    return preset;
  };
  count_winnable(static_cast<int>(option("players", 4)), static_cast<int>(option("tasks", 6)),
                 static_cast<std::uint64_t>(option("from", 0)), count,
                 static_cast<int>(option("workers", 1)));
  return 0;
}

int run(const std::string& work, const std::string& slug, std::uint64_t count,
        const ValueMap& options) {
  if (work == "winnable") return winnable(count, options);
  const GamePtr game = find_game(slug).load(options);
  if (work == "signature") {
    signature(*game, count);
    return 0;
  }
  const Control control;
  Rng rng(1, "bench");
  const AnyState state = game->deal(7);
  PlayoutReport report;
  if (work == "deals") {
    for (std::uint64_t i = 0; i < count; ++i) {
      const AnyState dealt = game->deal(i);
      report.checksum += digest(dealt.data(), dealt.size());
    }
  } else if (work == "playouts" || work == "hints") {
    const auto policy = work == "hints" ? PlayoutPolicy::hint : PlayoutPolicy::uniform;
    report = game->playouts(state, count, policy, rng, control);
  } else if (work == "samples") {
    report.checksum =
        game->samples(game->view(state, game->turn(state).seat()), count, rng, control);
  } else if (work == "ismcts") {
    Request request;
    request.iterations = {count};
    const Analysis analysis =
        game->analyse(game->view(state, game->turn(state).seat()), request, control);
    report.plies = analysis.nodes;
    for (const Row& row : analysis.rows)
      report.checksum = mix(report.checksum ^ row.visits) + static_cast<std::uint64_t>(row.total);
  } else {
    std::fprintf(stderr,
                 "kibitz_bench: no work '%s'; there are deals, playouts, hints, samples, ismcts, "
                 "signature, winnable\n",
                 work.c_str());
    return 2;
  }
  std::printf("%s %s count=%llu plies=%llu checksum=%016llx\n", work.c_str(), slug.c_str(),
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(report.plies),
              static_cast<unsigned long long>(report.checksum));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: kibitz_bench WORK GAME COUNT [OPTION=VALUE ...]\n");
    return 2;
  }
  try {
    ValueMap options;
    for (int i = 4; i < argc; ++i) {
      const std::string word = argv[i];
      const std::size_t at = word.find('=');
      options.emplace_back(word.substr(0, at),
                           value_of(at == std::string::npos ? "" : word.substr(at + 1)));
    }
    return run(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10), options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kibitz_bench: %s\n", error.what());
    return 1;
  }
}
