// Kami's solver of open hands, against a plain search over the game's own moves, and published
// values of Goita.
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <kibitz/core/solution.hpp>

#include "check.hpp"
#include "kami_positions.hpp"

using namespace kibitz;
using namespace kibitz::kami;

namespace {

// What a round came to: who won, and how much. A void round: seat 0, nothing.
struct Ended {
  int winner;
  int points;

  friend bool operator==(const Ended&, const Ended&) = default;
};

SeatValues values_of(const Rules& rules, Ended ended) {
  SeatValues out{};
  for (int s = 0; s < rules.players; ++s)
    out[static_cast<std::size_t>(s)] =
        team_of(rules, static_cast<Seat>(s)) == team_of(rules, static_cast<Seat>(ended.winner))
            ? ended.points
            : -ended.points;
  return out;
}

// Every line of play to its end, by the game's own functions; what was found is kept by all of the
// State that the future can turn on.
class Plain {
 public:
  explicit Plain(const Rules& rules) : rules_(rules) {}

  Ended value(const State& state) {
    if (Kami::settled(rules_, state)) {
      const Board& board = state.board;
      return is_void(board) ? Ended{0, 0} : Ended{board.owner, round_points(rules_, board)};
    }
    if (Kami::turn(rules_, state).is_chance()) {
      std::optional<Ended> only;
      Kami::outcomes(rules_, state, [&](Move move, std::uint64_t) {
        REQUIRE(!only.has_value());
        only = value(played(rules_, state, move));
      });
      return *only;
    }
    const std::string key = key_of(state);
    if (const auto found = found_.find(key); found != found_.end()) return found->second;
    MoveList<Kami> moves;
    Kami::moves(rules_, state, moves);
    std::optional<Ended> best;
    for (const Move move : moves) {
      const Ended one = value(played(rules_, state, move));
      if (!best || is_better(state.board.to_move, one, *best)) best = one;
    }
    found_.emplace(key, *best);
    return *best;
  }

 private:
  // As docs/games/kami.md says: own points less the winner's, and of two others' wins the next
  // seat's.
  bool is_better(int seat, Ended a, Ended b) const {
    const auto s = static_cast<std::size_t>(seat);
    const int x = values_of(rules_, a)[s];
    const int y = values_of(rules_, b)[s];
    if (x != y) return x > y;
    return rules_.players == 3 && a.winner != b.winner && a.winner == (seat + 1) % 3;
  }

  std::string key_of(const State& state) const {
    const Board& board = state.board;
    const std::size_t at = entry(rules_, board, board.to_move);
    std::string key(reinterpret_cast<const char*>(&state.hand), sizeof state.hand);
    for (const std::uint32_t word : {board.top, state.lower})
      key.append(reinterpret_cast<const char*>(&word), sizeof word);
    const bool pending = board.phase == Phase::attack;
    for (const int byte :
         {static_cast<int>(board.phase), int{board.attack}, int{board.owner}, int{board.to_move},
          int{board.empress_up}, int{board.from}, int{board.asked}, pending ? board.line[at] : 0,
          pending ? static_cast<int>(board.face_down >> at & 1) : 0})
      key += static_cast<char>(byte);
    return key;
  }

  const Rules& rules_;
  std::unordered_map<std::string, Ended> found_;
};

int cards_left(const Rules& rules, const State& state) {
  int n = 0;
  for (const Counts hand : state.hand) n += hand.size();
  if (rules.players == 2)
    n += std::popcount(visible_stacks(state.board)) + std::popcount(unsigned{state.board.covered});
  return n;
}

// Random play from a deal until no more than so many cards are left.
State ending(const Rules& rules, int cards, Rng& rng) {
  State state = Kami::deal(rules, rng);
  while (!Kami::settled(rules, state) && cards_left(rules, state) > cards)
    play_move(rules, state,
              is_decision(state.board.phase) ? Kami::pick(rules, state, rng)
                                             : Kami::roll(rules, state, rng));
  return state;
}

// The line is legal, goes to the end of the round, and has the value there.
void check_line(const Rules& rules, State state, const Solution& solution) {
  for (const auto& [turn, move] : solution.line) {
    CHECK(turn == Kami::turn(rules, state));
    if (turn.is_seat()) CHECK_FALSE(Kami::check(rules, state, move));
    play_move(rules, state, move);
  }
  REQUIRE(Kami::settled(rules, state));
  const Ended ended = Plain(rules).value(state);
  CHECK(values_of(rules, ended) == solution.values);
}

using Verdicts = std::map<int, int>;

// Every root move's value is that of the plain search.
Verdicts compare(const Rules& rules, const std::vector<State>& states, std::size_t bytes) {
  Verdicts verdicts;
  for (const State& state : states) {
    SolveLimits limits;
    limits.bytes = bytes;
    const Solution solution = Kami::solve(rules, state, limits);
    REQUIRE(solution.solved);
    Plain plain(rules);
    CHECK(solution.values == values_of(rules, plain.value(state)));
    MoveList<Kami> moves;
    Kami::moves(rules, state, moves);
    REQUIRE(solution.moves.size() == moves.size());
    for (std::size_t m = 0; m < moves.size(); ++m) {
      CHECK(solution.moves[m].move == moves[m]);
      CHECK(solution.moves[m].values ==
            values_of(rules, plain.value(played(rules, state, moves[m]))));
    }
    check_line(rules, state, solution);
    limits.every_move = false;
    const Solution best = Kami::solve(rules, state, limits);
    CHECK(best.values == solution.values);
    CHECK(best.moves.size() == (moves.empty() ? 0u : 1u));
    check_line(rules, state, best);
    ++verdicts[solution.values[0]];
  }
  return verdicts;
}

// Endings of random play.
Verdicts compare(const ValueMap& options, int cards, int count, std::size_t bytes = 1u << 20) {
  const Rules rules = rules_of(options);
  Rng rng(static_cast<std::uint64_t>(cards), "test kami solver");
  std::vector<State> states;
  for (int i = 0; i < count; ++i) states.push_back(ending(rules, 2 + i % (cards - 1), rng));
  return compare(rules, states, bytes);
}

// A position of few cards with every type as likely, Empresses too; not by play, so the lines say
// no more than the last attack.
State made_up(const Rules& rules, int most, Rng& rng) {
  const auto below = [&](int n) {
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(n)));
  };
  Counts rest = full_deck;
  const auto draw = [&] {
    int kind = below(card_types);
    while (rest[kind] == 0) kind = below(card_types);
    rest.take(kind);
    return kind;
  };
  State state = blank_state(rules);
  Board& board = state.board;
  board.phase = Phase::lead;
  for (int s = 0; s < rules.players; ++s) {
    const auto seat = static_cast<std::size_t>(s);
    board.size[seat] =
        static_cast<std::uint8_t>(rules.players == 2 ? 1 + below(most) : 2 + 2 * below(most / 2));
    board.plays[seat] = 1;
    for (int i = 0; i < board.size[seat]; ++i) state.hand[seat].add(draw());
  }
  if (rules.players == 2) {
    const int odd = (board.size[0] + board.size[1]) & 1;
    const int left = 2 * below(most - 1) + odd;
    for (int i = 0, s = 0; i < left; ++s) {
      board.top |= static_cast<std::uint32_t>(draw() + 1) << (4 * s);
      if (++i == left || below(2)) continue;
      state.lower |= static_cast<std::uint32_t>(draw() + 1) << (4 * s);
      board.covered = static_cast<std::uint8_t>(board.covered | 1 << s);
      ++i;
    }
    if (is_dead(rules, board)) return made_up(rules, most, rng);
  }
  board.to_move = static_cast<std::uint8_t>(below(rules.players));
  board.owner = board.to_move;
  if (below(3)) {
    board.owner =
        static_cast<std::uint8_t>((board.to_move + 1 + below(rules.players - 1)) % rules.players);
    board.phase = Phase::respond;
    board.attack = static_cast<std::uint8_t>(draw() + 1);
  }
  board.empress_up = rest[lane(Card::empress)] > 0 && below(2);
  return state;
}

Verdicts compare_made_up(const ValueMap& options, int most, int count) {
  const Rules rules = rules_of(options);
  Rng rng(static_cast<std::uint64_t>(most), "test kami made up");
  std::vector<State> states;
  for (int i = 0; i < count; ++i) states.push_back(made_up(rules, most, rng));
  return compare(rules, states, 1u << 20);
}

ValueMap options_of(int players, const char* one_card = "hand") {
  return {{"players", Value(std::int64_t{players})},
          {"rounds", Value(std::int64_t{1})},
          {"redeal", Value(false)},
          {"one_card", Value(std::string(one_card))}};
}

// Every value that a round can have was met.
void check_all_met(const Verdicts& verdicts, int least, bool with_void) {
  for (const int points : {1, 2, 3, 4, 5, 6, 8, 10})
    for (const int value : {points, -points}) {
      const auto found = verdicts.find(value);
      CHECK_MESSAGE((found != verdicts.end() && found->second >= least), value);
    }
  if (with_void) CHECK(verdicts.contains(0));
}

// What a turn leads to, in numbers: who is to move or has won, points, the position's key.
using Step = std::array<std::uint64_t, 5>;

template <class Position>
Step step_of(const OpenNext<Position>& next) {
  if (next.ended) return {std::uint64_t(next.points ? next.seat : 0), std::uint64_t(next.points)};
  const OpenKey key = next.position.key();
  return {std::uint64_t(next.seat), 99, key.a, key.b, key.place};
}

// What the game's moves lead to that make up one turn of the seat.
template <class Position>
void each_step(const Rules& rules, const State& state, Seat seat, std::set<Step>& out) {
  const Board& board = state.board;
  if (Kami::settled(rules, state)) {
    const int points = is_void(board) ? 0 : round_points(rules, board);
    const int winner = (board.owner + rules.players - seat) % rules.players;
    out.insert({std::uint64_t(points ? winner : 0), std::uint64_t(points)});
    return;
  }
  if (board.phase == Phase::turn_up)
    return each_step<Position>(rules, played(rules, state, turn_up_outcome(state)), seat, out);
  if (board.phase != Phase::attack) {
    const int from = (board.to_move + rules.players - seat) % rules.players;
    out.insert(step_of(Position::of(state).settle(from)));
    return;
  }
  MoveList<Kami> moves;
  Kami::moves(rules, state, moves);
  for (const Move move : moves) each_step<Position>(rules, played(rules, state, move), seat, out);
}

// In random rounds the solver's own positions have the game's turns, and these lead to the same.
template <class Position>
void compare_turns(const Rules& rules, int rounds) {
  Rng rng(static_cast<std::uint64_t>(rules.players), "test kami turns");
  for (int i = 0; i < rounds; ++i) {
    State state = Kami::deal(rules, rng);
    while (!Kami::settled(rules, state)) {
      const Board& board = state.board;
      if (board.phase == Phase::lead || board.phase == Phase::respond) {
        const Seat seat = board.to_move;
        const OpenNext<Position> root = Position::of(state).settle(0);
        MoveList<Kami> moves;
        Kami::moves(rules, state, moves);
        const bool forced = moves.size() == 1 && moves[0] == pass_move;
        const bool passed = root.seat != 0 || (board.phase == Phase::respond && root.ended);
        CHECK((forced || !passed));
        if (root.seat == 0 && !root.ended) {
          std::set<Step> game;
          for (const Move move : moves) {
            const State next = played(rules, state, move);
            each_step<Position>(rules, next, seat, game);
          }
          typename Position::Turns turns;
          root.position.turns(turns);
          std::set<Step> own;
          for (const OpenTurn turn : turns) own.insert(step_of(root.position.after(turn)));
          CHECK(own == game);
        }
      }
      play_move(
          rules, state,
          is_decision(board.phase) ? Kami::pick(rules, state, rng) : Kami::roll(rules, state, rng));
    }
  }
}

// The values of all moves, for the seat to move.
std::string solved(const Rules& rules, const State& state) {
  const Solution solution = Kami::solve(rules, state, {});
  REQUIRE(solution.solved);
  check_line(rules, state, solution);
  std::string out;
  for (const SolvedMove& row : solution.moves)
    out += (out.empty() ? "" : " ") + Kami::to_text(row.move) + "=" +
           std::to_string(row.values[state.board.to_move]);
  return out;
}

}  // namespace

// go-goita's solver test, in tens: pass -40, 81 -40, 82 -50, 83 -40 (docs/games/kami.md, W16).
TEST_CASE("kami: W16 has the published values") {
  const Rules rules = rules_of({{"redeal", false}});
  State state = dealt(rules, {"11244556", "12234568", "11123378", "11113457"}, 2);
  play(rules, state, "d7 a1 d1 a1 d1 a5 p p p d4 a5 d5 a2 p p d2 a4 p");
  CHECK(solved(rules, state) == "p=-4 d8=-4");
  play(rules, state, "d8");
  CHECK(solved(rules, state) == "a1=-4 a2=-5 a3=-4");
}

// go-goita's BenchmarkSolve.md, the same deal after 313, with 30 cards left; 13 minutes there:
// 35 -20, 34 -20, 37 -30, 31 -20, pass -10.
TEST_CASE(
    "kami: after the first turn of W16's deal with 13 all five values are the published ones") {
  const Rules rules = rules_of({{"redeal", false}});
  State state = dealt(rules, {"11244556", "12234568", "11123378", "11113457"}, 2);
  play(rules, state, "d1 a3");
  CHECK(solved(rules, state) == "p=-1 d3=-2");
  play(rules, state, "d3");
  CHECK(solved(rules, state) == "a1=-2 a4=-2 a5=-2 a7=-3");
}

TEST_CASE("kami: the solver's positions have the game's turns and go where they go") {
  compare_turns<OpenRing<4>>(rules_of(options_of(4)), 500);
  compare_turns<OpenRing<3>>(rules_of(options_of(3)), 500);
  compare_turns<OpenDuel<false>>(rules_of(options_of(2)), 500);
  compare_turns<OpenDuel<true>>(rules_of(options_of(2, "free")), 500);
}

TEST_CASE("kami: endings of four are solved as by plain search") {
  check_all_met(compare(options_of(4), 14, 6000), 3, false);
}

TEST_CASE("kami: endings of three are solved as by plain search") {
  check_all_met(compare(options_of(3), 14, 6000), 3, false);
}

TEST_CASE("kami: endings of two are solved as by plain search") {
  check_all_met(compare(options_of(2), 9, 4000), 3, true);
  compare(options_of(2, "free"), 9, 2000);
}

TEST_CASE("kami: made-up endings, rich in Empresses, are solved as by plain search") {
  check_all_met(compare_made_up(options_of(4), 4, 3000), 3, false);
  check_all_met(compare_made_up(options_of(3), 4, 3000), 3, false);
  check_all_met(compare_made_up(options_of(2), 4, 3000), 3, true);
  check_all_met(compare_made_up(options_of(2, "free"), 4, 2000), 3, true);
}

TEST_CASE("kami: R23 as the solver meets it: two Empresses and the last mercenary") {
  const Rules rules = rules_of(options_of(2));
  Rng rng(1, "test kami stuck");
  std::vector<State> states;
  while (states.size() < 300) {
    State state = made_up(rules, 4, rng);
    Board& board = state.board;
    if (board.empress_up || board.attack == digit(Card::empress)) continue;
    state.hand[0] = two_empresses;
    if (state.hand[1][lane(Card::empress)] || ((board.size[1] & 1) != 1)) continue;
    board.size[0] = 2;
    board.covered = 0;
    state.lower = 0;
    board.top = 1 + rng.below(7);
    states.push_back(state);
  }
  compare(rules, states, 1u << 20);
}

TEST_CASE("kami: the solver takes no position for another") {
  const OpenRing<4> ring{{0x11, 0x1100, 0x110000, 0x1001}, 3, 1, 0};
  std::vector<OpenKey> keys = {ring.key()};
  const auto add = [&](auto&& change) {
    OpenRing<4> other = ring;
    change(other);
    keys.push_back(other.key());
  };
  for (std::size_t s = 0; s < 4; ++s) add([&](OpenRing<4>& p) { p.hand[s] = 0x11000000; });
  for (const int attack : {1, 2, 4, 8})
    add([&](OpenRing<4>& p) { p.attack = static_cast<std::uint8_t>(attack); });
  for (const int owner : {2, 3})
    add([&](OpenRing<4>& p) { p.owner = static_cast<std::uint8_t>(owner); });
  add([](OpenRing<4>& p) { p.attack = p.owner = 0; });
  add([](OpenRing<4>& p) { p.empress_up = 1; });
  const OpenDuel<false> duel{{0x111, 0x1100}, 0x1223, 3, 0};
  for (const OpenDuel<false>& other : {duel, OpenDuel<false>{{0x111, 0x1100}, 0x1223, 3, 1},
                                       OpenDuel<false>{{0x111, 0x1100}, 0x1223, 0, 0},
                                       OpenDuel<false>{{0x111, 0x1100}, 0x23, 3, 0},
                                       OpenDuel<false>{{0x1100, 0x111}, 0x1223, 3, 0}})
    keys.push_back(other.key());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    SolveTable table(2 * sizeof(SolveTable::Entry));  // all in one place
    table.note(keys[i], 5, open_pass, 1);
    for (std::size_t j = 0; j < keys.size(); ++j)
      CHECK((table.find(keys[j]) != nullptr) == (i == j));
  }
}

TEST_CASE("kami: where cards may be dealt anew nothing is solved, and a forced question is") {
  const Rules rules = rules_of({{"redeal", true}});
  State state = dealt(rules, {"11111234", "11123467", "23456788", "11234555"}, 1);
  const Solution asking = Kami::solve(rules, state, {});
  CHECK_FALSE(asking.solved);
  CHECK(asking.nodes == 0);
  play(rules, state, "- - - ?5");
  CHECK_FALSE(Kami::solve(rules, state, {}).solved);
  play(rules, state, "-");
  SolveLimits few;
  few.nodes = 50;
  const Solution limited = Kami::solve(rules, state, few);
  CHECK_FALSE(limited.solved);
  CHECK(limited.nodes == 50);
  CHECK(limited.line.empty());
  CHECK_FALSE(Kami::solve(rules, Kami::blank(rules), {}).solved);

  State forced = dealt(rules, {"11112234", "11123467", "13456788", "11234555"}, 1);
  const Solution question = Kami::solve(rules, forced, {});
  REQUIRE(question.solved);
  CHECK(question.moves.size() == 1);
  CHECK(question.moves[0].values == question.values);
  check_line(rules, forced, question);
  play(rules, forced, "- - - -");
  const Solution lead = Kami::solve(rules, forced, {});
  CHECK(lead.values == question.values);
  for (std::size_t i = 0; i < 4; ++i) CHECK(question.line[i].second == no_move);
}

TEST_CASE("kami: a stop flag ends a solution, a settled round is solved as it stands") {
  const Rules rules = rules_of(options_of(4));
  State state = dealt(rules, {"11244556", "12234568", "11123378", "11113457"}, 2);
  Control control;
  control.stop = true;
  SolveLimits limits;
  limits.control = &control;
  CHECK_FALSE(Kami::solve(rules, state, limits).solved);

  Rng rng(1, "test kami settled");
  for (const int players : {2, 3, 4}) {
    const Rules any = rules_of(options_of(players));
    State end = ending(any, 0, rng);
    const Solution settled = Kami::solve(any, end, {});
    CHECK(settled.solved);
    CHECK(settled.moves.empty());
    CHECK(settled.line.empty());
    CHECK(settled.values == values_of(any, Plain(any).value(end)));
    const SeatValues before = settled.values;
    play_move(any, end, Kami::roll(any, end, rng));
    CHECK(Kami::solve(any, end, {}).values == before);
  }
}

TEST_CASE("kami: with little or no room for a table the values are the same") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{96}, std::size_t{1024}})
    for (const int players : {2, 3, 4}) compare(options_of(players), 8, 200, bytes);
}
