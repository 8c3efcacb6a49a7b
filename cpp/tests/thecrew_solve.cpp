// The solver against plain brute force over the game's own moves, on small deals of every mission,
// every constraint and every phase; and its tricks against the game's own.
#include "check.hpp"

#include <string>
#include <unordered_map>
#include <vector>

#include <kibitz/games/thecrew/thecrew.hpp>

namespace {

using namespace kibitz;
using namespace kibitz::thecrew;

// Is there a way to win? Every move, and the one outcome of chance that has no choice.
class BruteForce {
 public:
  explicit BruteForce(const Rules& rules) : rules_(rules) {}

  // 1, 0, or -1 if it would take too long.
  int value(const State& state) {
    if (state.table.phase == Phase::over) return state.table.result == 1;
    const std::string key(reinterpret_cast<const char*>(&state), sizeof state);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    if (known_.size() > 60000) return -1;
    int best = 0;
    each(state, [&](Move move) {
      if (best) return;
      State next = state;
      TheCrew::play(rules_, next, move);
      best = value(next);
    });
    if (best >= 0) known_[key] = best;
    return best;
  }

  template <class Each>
  void each(const State& state, Each&& each) {
    if (!is_decision(state.table.phase))
      return TheCrew::outcomes(rules_, state, [&](Move move, std::uint64_t) { each(move); });
    MoveList<TheCrew> list;
    TheCrew::moves(rules_, state, list);
    for (const Move move : list) each(move);
  }

 private:
  const Rules& rules_;
  std::unordered_map<std::string, int> known_;
};

// A deal of a few tricks: all other cards count as played. Anybody may be commander. Every seat has
// a card that is no rocket, which it needs to pass in distress.
struct Small {
  Rules rules;
  State state;
};

Small any_small_deal(Rules rules, int tricks, Rng& rng) {
  rules.tricks = rules.hand_size = tricks;
  const int most = std::max(1, rules.seats * tricks / 3);
  rules.mission.tasks = std::min(rules.mission.tasks, static_cast<std::uint8_t>(most));
  rules.mission.token_count = std::min(rules.mission.token_count, rules.mission.tasks);
  if (rules.mission.draw_after) rules.mission.draw_after = 1;
  State state = blank_state(rules);
  Table& t = state.table;
  const auto seat = [&] { return static_cast<std::uint8_t>(rng.below(static_cast<unsigned>(rules.seats))); };
  if (rules.jarvis) {
    t.jarvis = static_cast<std::uint8_t>(1 + rng.below(2));
    rules.columns = (tricks + 1) / 2;
    rules.extra = tricks % 2;
    if (rules.extra) t.longest = t.jarvis;
  } else if (rules.extra) {
    t.longest = seat();
  }
  do t.commander = seat();
  while (t.commander == t.jarvis);
  t.leader = t.commander;
  // Few suits make for hands that must follow and can be exhausted.
  Cards from = rules.deck;
  if (rng.below(2)) from &= ~suit_cards[rng.below(4)];
  std::vector<int> deck;
  for (; from; from &= from - 1) deck.push_back(std::countr_zero(from));
  shuffle(deck.data(), static_cast<std::uint32_t>(deck.size()), rng);
  const auto draw = [&] {
    const int card = deck.back();
    deck.pop_back();
    return card;
  };
  Cards dealt = 0;
  for (int s = 0; s < rules.seats; ++s)
    for (int i = 0; i < dealt_size(rules, t, s); ++i) {
      const int card = draw();
      dealt |= bit(card);
      if (s != t.jarvis)
        state.hand[at(s)] |= bit(card);
      else if (i % 2 == 0)
        t.under[at(i / 2)] = static_cast<Card>(card);
      else
        t.up[at(i / 2)] = static_cast<Card>(card), state.hand[at(s)] |= bit(card);
    }
  t.played = rules.deck & ~dealt;
  for (int i = 0; i < rules.mission.step_count; ++i)
    if (rules.mission.step[at(i)].kind == StepKind::announce_holder) {
      int card;
      do card = static_cast<int>(rng.below(deck_size));
      while (!(dealt >> card & 1));
      rules.mission.step[at(i)].card = static_cast<std::uint8_t>(card);
    }
  begin_preparation(rules, t);
  return {rules, state};
}

Small small_deal(const Rules& rules, int tricks, Rng& rng) {
  for (;;) {
    const Small game = any_small_deal(rules, tricks, rng);
    bool fine = true;
    for (int s = 0; s < rules.seats; ++s) fine &= (game.state.hand[at(s)] & colours) != 0;
    if (fine) return game;
  }
}

// Tasks are drawn from the cards that were dealt, and chance is random.
Move any_outcome(const Rules& rules, const State& state, Rng& rng) {
  if (state.table.phase != Phase::task) return roll_outcome(rules, state, rng);
  Cards cards = task_deck(rules, state.table) & ~state.table.played;
  if (!cards) cards = task_deck(rules, state.table);
  return make(Kind::task, pick_card(cards, rng));
}

void check_line(const Rules& rules, State state, const Solution& solution, const std::string& where) {
  for (const auto& [turn, move] : solution.line) {
    CHECK_MESSAGE(turn == TheCrew::turn(rules, state), where);
    bool legal = false;
    BruteForce(rules).each(state, [&](Move m) { legal |= m == move; });
    CHECK_MESSAGE(legal, where, " ", move_text(move));
    if (!legal) return;
    TheCrew::play(rules, state, move);
  }
  CHECK_MESSAGE(state.table.phase == Phase::over, where);
  CHECK_MESSAGE((state.table.result == 1) == (solution.values[0] == 1), where);
}

struct Tally {
  int won = 0, lost = 0;
};

// Compares a position and each of its moves. False: too much for brute force.
bool compare(const Small& game, const State& state, const std::string& where, Tally* tally) {
  const Rules& rules = game.rules;
  BruteForce brute(rules);
  const int truth = brute.value(state);
  if (truth < 0) return false;
  SolveLimits limits;
  limits.bytes = 1 << 16;
  const Solution solution = TheCrew::solve(rules, state, limits);
  CHECK_MESSAGE(solution.solved, where);
  for (int s = 0; s < rules.seats; ++s) CHECK_MESSAGE(solution.values[at(s)] == truth, where);
  std::size_t i = 0;
  if (is_decision(state.table.phase))
    brute.each(state, [&](Move move) {
      State next = state;
      TheCrew::play(rules, next, move);
      const bool there = i < solution.moves.size();
      CHECK_MESSAGE(there, where);
      if (!there) return;
      CHECK_MESSAGE(solution.moves[i].move == move, where);
      const int value = brute.value(next);
      CHECK_MESSAGE((value < 0 || solution.moves[i].values[0] == value), where, " ",
                    move_text(move), " is ", value);
      ++i;
    });
  CHECK_MESSAGE(i == solution.moves.size(), where);
  check_line(rules, state, solution, where);
  limits.every_move = false;
  const Solution best = TheCrew::solve(rules, state, limits);
  CHECK_MESSAGE(best.values == solution.values, where);
  if (!solution.moves.empty()) {
    CHECK_MESSAGE(best.moves.size() == 1, where);
    CHECK_MESSAGE(best.moves[0].values == best.values, where);
  }
  if (tally) ++(truth ? tally->won : tally->lost);
  return true;
}

#ifndef KIBITZ_SOLVE_ROUNDS
#define KIBITZ_SOLVE_ROUNDS 1
#endif

}  // namespace

TEST_CASE("thecrew: the solver agrees with brute force in every phase of every mission") {
  int compared = 0;
  std::array<Tally, 21> by_phase{};
  for (int round = 0; round < KIBITZ_SOLVE_ROUNDS; ++round)
    for (int mission = 1; mission <= 50; ++mission)
      for (int players = 2; players <= 5; ++players) {
        Rng rng(static_cast<std::uint64_t>(round), "test solve",
                static_cast<std::uint64_t>(mission * 10 + players));
        Settings settings;
        settings.players = players;
        settings.distress = static_cast<Distress>(rng.below(4));
        settings.radio = rng.below(4) ? Radio::off : static_cast<Radio>(rng.below(2));
        settings.passing = static_cast<Passing>(rng.below(3));
        settings.challenge = players <= 3 && rng.below(2);
        const int tricks = 2 + static_cast<int>(rng.below(2));
        const Small game =
            small_deal(make_rules(missions[at(mission - 1)], settings), tricks, rng);
        const Rules& rules = game.rules;
        State state = game.state;
        int plies = 0;
        while (state.table.phase != Phase::over) {
          const std::string where = "round " + std::to_string(round) + " mission " +
                                    std::to_string(mission) + " players " +
                                    std::to_string(players) + " ply " + std::to_string(plies++);
          if (chance_ahead(rules, state.table)) {
            const Solution none = TheCrew::solve(rules, state, {});
            CHECK_MESSAGE(!none.solved, where);
            CHECK_MESSAGE(none.nodes == 0, where);
          } else if (rng.below(3) == 0) {
            compared += compare(game, state, where, &by_phase[at(static_cast<int>(state.table.phase))]);
          }
          const Move move = is_decision(state.table.phase) ? TheCrew::pick(rules, state, rng)
                                                           : any_outcome(rules, state, rng);
          TheCrew::play(rules, state, move);
        }
      }
#if KIBITZ_SOLVE_ROUNDS > 1
  for (std::size_t i = 0; i < by_phase.size(); ++i)
    std::printf("phase %zu: won %d lost %d\n", i, by_phase[i].won, by_phase[i].lost);
#endif
  CHECK(compared > 100 * KIBITZ_SOLVE_ROUNDS);
}
