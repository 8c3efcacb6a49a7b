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
  const auto seat = [&] {
    return static_cast<std::uint8_t>(rng.below(static_cast<unsigned>(rules.seats)));
  };
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

void check_line(const Rules& rules, State state, const Solution& solution,
                const std::string& where) {
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
        const Small game = small_deal(make_rules(missions[at(mission - 1)], settings), tricks, rng);
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
            compared +=
                compare(game, state, where, &by_phase[at(static_cast<int>(state.table.phase))]);
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

namespace {

// Constraints of one kind, and what makes both verdicts likely in a few tricks.
struct Condition {
  const char* name;
  int tasks;
  std::vector<Token> tokens;
  std::vector<Constraint> constraints;
};

std::vector<Condition> conditions() {
  using enum ConstraintKind;
  const Constraint plain{.kind = tasks};
  const Cards ones = colour_ones, twos = colour_ones << 1, sixes = colour_ones << 5;
  const Cards low = ones | twos, nines = colour_nines;
  return {
      {"tasks", 3, {}, {plain}},
      {"tasks, numbers", 3, {0, 1, 2}, {plain}},
      {"tasks, five numbers", 5, {0, 1, 2, 3, 4}, {plain}},
      {"tasks, numbers and others", 4, {0, 1}, {plain}},
      {"tasks, arrows", 3, {5, 6, 7}, {plain}},
      {"tasks, arrows and others", 4, {6, 8}, {plain}},
      {"tasks, omega", 3, {9}, {plain}},
      {"tasks, all tokens", 4, {0, 5, 6, 9}, {plain}},
      {"tasks, the last in the last trick", 2, {9}, {{.kind = tasks, .last_trick = true}}},
      {"tricks won, none", 0, {}, {{.kind = tricks_won, .who = Role::s1, .most = 0}}},
      {"tricks won, exactly two",
       0,
       {},
       {{.kind = tricks_won, .who = Role::s1, .least = 3, .most = 3}}},
      {"win positions", 0, {}, {{.kind = win_positions, .who = Role::commander, .tricks = 0x8001}}},
      {"win positions, exclusive",
       0,
       {},
       {{.kind = win_positions, .who = Role::s1, .tricks = 0x8002, .exclusive = true}}},
      {"win positions of two",
       0,
       {},
       {{.kind = win_positions, .who = Role::s1, .tricks = 3, .exclusive = true},
        {.kind = win_positions, .who = Role::s2, .tricks = 0x8000, .exclusive = true}}},
      {"no winning suit",
       0,
       {},
       {{.kind = no_winning_suit, .who = Role::s1, .cards = rockets},
        {.kind = no_winning_suit,
         .who = Role::s1,
         .cards = suit_cards[0] | suit_cards[1] | suit_cards[2]},
        {.kind = tricks_won, .who = Role::s1, .least = 1, .most = 9}}},
      {"balanced", 0, {}, {{.kind = balanced, .most = 1}}},
      {"winning value at least",
       0,
       {},
       {{.kind = winning_value_at_least, .least = 1, .cards = twos}}},
      {"winning value at least two",
       0,
       {},
       {{.kind = winning_value_at_least, .least = 2, .cards = sixes}}},
      {"winning value forbidden",
       0,
       {},
       {{.kind = winning_value_forbidden, .cards = nines | nines >> 1}}},
      {"each card wins", 0, {}, {{.kind = each_card_wins, .cards = rockets}}},
      {"each card wins, colours", 0, {}, {{.kind = each_card_wins, .cards = nines >> 2}}},
      {"each card wins, ascending",
       0,
       {},
       {{.kind = each_card_wins, .ascending = true, .cards = rockets | nines >> 1}}},
      {"win all of a suit",
       0,
       {},
       {{.kind = win_all_of_suit, .who = Role::s1, .cards = suit_cards[2]}}},
      {"tasks, and no nine wins",
       2,
       {},
       {plain, {.kind = winning_value_forbidden, .cards = nines}}},
      {"tasks, and low cards win",
       2,
       {0},
       {plain, {.kind = winning_value_at_least, .least = 1, .cards = low}}},
      {"tasks, balanced", 2, {}, {plain, {.kind = balanced, .most = 2}}},
      {"tasks, and a seat that wins a suit",
       1,
       {},
       {plain,
        {.kind = win_all_of_suit, .who = Role::s1, .cards = suit_cards[3]},
        {.kind = tricks_won, .who = Role::s2, .least = 1, .most = 2}}},
  };
}

// A deal before the first trick of the ending, with tasks and roles by lot.
Small ending(const Condition& kind, Rng& rng) {
  Settings settings;
  settings.players = 2 + static_cast<int>(rng.below(4));
  settings.distress = Distress::off;
  settings.radio = Radio::off;
  Mission mission;
  mission.tasks = static_cast<std::uint8_t>(kind.tasks);
  for (const Constraint& c : kind.constraints) mission.constraint[mission.constraint_count++] = c;
  const int tricks = settings.players <= 3 ? 4 + static_cast<int>(rng.below(2)) : 4;
  Small game = small_deal(make_rules(mission, settings), tricks, rng);
  game.rules.mission.tasks = mission.tasks;
  Table& t = game.state.table;
  const auto seat = [&] {
    return static_cast<std::uint8_t>(rng.below(static_cast<unsigned>(game.rules.seats)));
  };
  t.s1 = seat();
  do t.s2 = seat();
  while (t.s2 == t.s1);
  for (int i = 0; i < kind.tasks; ++i) {
    const Cards cards = task_deck(game.rules, t) & ~t.played;
    if (!cards) break;
    const int card = pick_card(cards, rng);
    t.task[at(i)] = static_cast<Card>(card);
    if (at(i) < kind.tokens.size()) t.token_on[kind.tokens[at(i)]] = static_cast<Card>(card);
    give_task(t, card, seat());
  }
  return game;
}

}  // namespace

TEST_CASE("thecrew: the solver agrees with brute force under every constraint") {
  std::uint64_t index = 0;
  for (const Condition& kind : conditions()) {
    Tally tally;
    int tried = 0;
    Rng rng(1, "test solve constraint", index++);
    while (tally.won + tally.lost < 60 * KIBITZ_SOLVE_ROUNDS &&
           ++tried < 4000 * KIBITZ_SOLVE_ROUNDS) {
      const std::string where = std::string(kind.name) + " " + std::to_string(tried);
      const Small game = ending(kind, rng);
      State state = game.state;
      for (std::uint32_t plies = rng.below(7); plies; --plies) {
        State next = state;
        TheCrew::play(game.rules, next,
                      is_decision(next.table.phase) ? TheCrew::pick(game.rules, next, rng)
                                                    : roll_outcome(game.rules, next, rng));
        if (next.table.phase == Phase::over) break;
        state = next;
      }
      // A third of them each.
      const int value = BruteForce(game.rules).value(state);
      const int most = 2 * std::min(tally.won, tally.lost) + 10;
      if ((value == 1 && tally.won > most) || (value == 0 && tally.lost > most)) continue;
      compare(game, state, where, &tally);
    }
    const int fifth = (tally.won + tally.lost) / 5;
    CHECK_MESSAGE(tally.won + tally.lost >= 50, kind.name, " ", tally.won, " ", tally.lost);
    CHECK_MESSAGE(tally.won >= fifth, kind.name, " ", tally.won, " ", tally.lost);
    CHECK_MESSAGE(tally.lost >= fifth, kind.name, " ", tally.won, " ", tally.lost);
#if KIBITZ_SOLVE_ROUNDS > 1
    std::printf("%s: won %d lost %d of %d\n", kind.name, tally.won, tally.lost, tried);
#endif
  }
}

TEST_CASE("thecrew: the solver's tricks are those of the game") {
  int tricks = 0;
  const std::vector<Condition> kinds = conditions();
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Rng rng(seed, "test solve tricks");
    Rules rules;
    State state;
    if (seed % 2) {
      Settings settings;
      settings.players = 2 + static_cast<int>(rng.below(4));
      rules = make_rules(missions[rng.below(50)], settings);
      state = deal_state(rules, rng);
    } else {
      const Small game = ending(kinds[rng.below(static_cast<std::uint32_t>(kinds.size()))], rng);
      rules = game.rules;
      state = game.state;
    }
    const auto go = [&] {
      TheCrew::play(rules, state,
                    is_decision(state.table.phase) ? TheCrew::pick(rules, state, rng)
                                                   : roll_outcome(rules, state, rng));
    };
    while (state.table.phase != Phase::play || chance_ahead(rules, state.table)) {
      if (state.table.phase == Phase::over) break;
      go();
    }
    if (state.table.phase == Phase::over) continue;
    const Problem problem = problem_of(rules, state, 0);
    Node node = node_of(problem, state);
    while (state.table.phase != Phase::over) {
      const int number = state.table.trick;
      while (state.table.trick == number) {
        if (state.table.phase == Phase::play && state.table.laid == 0) {
          CHECK(node == node_of(problem, state));
        }
        if (state.table.phase == Phase::play) {
          const Cards hand = problem.hand_of(state.table.actor, node_of(problem, state).left);
          CHECK(hand == state.hand[state.table.actor]);
        }
        go();
      }
      const Card* line = &state.table.line[at(number * rules.seats)];
      Cards trick = 0;
      for (int i = 0; i < rules.seats; ++i) trick |= bit(line[i]);
      const Ruling ruling =
          close(problem, node, trick, winning_card(trick, same_suit(line[0])), state.table.leader);
      const int result = ruling == Ruling::failed ? 2 : ruling == Ruling::safe ? 1 : 0;
      CHECK(result == state.table.result);
      ++tricks;
    }
  }
  CHECK(tricks > 4000);
}

TEST_CASE("thecrew: limits end the solver without a guess") {
  Settings settings;
  const Rules rules = make_rules(missions[46], settings);  // ten tasks, a draft
  Rng rng(1, "test solve limits");
  const State state = deal_state(rules, rng);
  SolveLimits limits;
  limits.nodes = 100;
  const Solution few = TheCrew::solve(rules, state, limits);
  CHECK_FALSE(few.solved);
  CHECK(few.nodes >= 100);
  CHECK(few.nodes <= 101);
  CHECK(few.moves.empty());
  CHECK(few.line.empty());
  limits.nodes = 0;
  Control control;
  control.stop = true;
  limits.control = &control;
  const Solution stopped = TheCrew::solve(rules, state, limits);
  CHECK_FALSE(stopped.solved);
  CHECK(stopped.nodes < 2000);
  // The smallest table gives the same values.
  limits.control = nullptr;
  const Solution large = TheCrew::solve(rules, state, limits);
  limits.bytes = 0;
  const Solution small = TheCrew::solve(rules, state, limits);
  CHECK(large.solved);
  CHECK(small.solved);
  CHECK(large.values == small.values);
  check_line(rules, state, large, "limits");
}
