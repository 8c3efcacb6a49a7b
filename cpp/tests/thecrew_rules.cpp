// The worked examples W1 to W16 of docs/games/thecrew.md and its two recorded games (W17).
#include "check.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <kibitz/games/thecrew/thecrew.hpp>

namespace {

using namespace kibitz;
using namespace kibitz::thecrew;

Rules rules_of(int mission, int players, Settings settings = {}) {
  settings.players = players;
  settings.distress = Distress::off;
  settings.radio = Radio::off;
  return make_rules(missions[at(mission - 1)], settings);
}

Cards cards_of(std::string_view text) {
  Cards cards = 0;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3) cards |= bit(card_from(text.substr(i, 2)));
  return cards;
}

std::string moves_of(const Rules& rules, const Table& table, Cards hand) {
  SmallList<Move, max_list> list;
  list_moves(rules, table, hand, list);
  std::string out;
  for (const Move move : list) out += (out.empty() ? "" : ", ") + move_text(move);
  return out;
}

// Before trick 1, with hands that don't matter; `tasks` are "B3 0", card and owner, in drawn order.
State before_play_of(const Rules& rules, int commander, const std::vector<std::string>& tasks,
                     int s1 = nobody) {
  State state = blank_state(rules);
  Table& t = state.table;
  t.commander = t.leader = t.actor = static_cast<std::uint8_t>(commander);
  t.s1 = static_cast<std::uint8_t>(s1);
  t.step = rules.mission.step_count;
  t.phase = Phase::play;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const int card = card_from(std::string_view(tasks[i]).substr(0, 2));
    t.task[i] = static_cast<Card>(card);
    if (i < rules.mission.token_count) t.token_on[rules.mission.token[i]] = static_cast<Card>(card);
    give_task(t, card, tasks[i][3] - '0');
  }
  return state;
}

// Plays "0:B9 1:B3 2:B7 3:B1" with whoever leads checked; returns the result after it.
int play_tricks(const Rules& rules, State& state, std::string_view text) {
  for (std::size_t i = 0; i + 3 < text.size(); i += 5) {
    CHECK_MESSAGE(state.table.actor == text[i] - '0', text, " at ", i);
    play_move(rules, state, play_card(card_from(text.substr(i + 2, 2))));
  }
  return state.table.result;
}

// Tricks won by these seats one after the other, each with the next colour's cards.
int win_tricks(const Rules& rules, State& state, std::string_view winners) {
  int next[4] = {0, 0, 0, 0};
  int suit = 0;
  for (const char winner : winners) {
    if (state.table.result) return 3;  // too early
    while (next[suit] + rules.seats > 9) ++suit;
    for (int i = 0; i < rules.seats; ++i) {
      // The winner plays the highest of a run of the colour, the others the rest of it.
      const int seat = state.table.actor;
      const int top = next[suit] + rules.seats - 1;
      const int place = (seat - (winner - '0') + rules.seats) % rules.seats;
      play_move(rules, state, play_card(9 * suit + top - place));
    }
    next[suit] += rules.seats;
    if (next[suit] + rules.seats > 9) suit = (suit + 1) % 4;
  }
  return state.table.result;
}

}  // namespace

TEST_CASE("thecrew W1: legal cards") {
  const Cards hand = cards_of("B2 B9 R3 Y1");
  CHECK(playable(hand, 0) == hand);
  CHECK(playable(hand, suit_cards[0]) == cards_of("B2 B9"));
  CHECK(playable(hand, rockets) == cards_of("R3"));
  CHECK(playable(hand, suit_cards[2]) == hand);
}

TEST_CASE("thecrew W2: the winner of a trick") {
  const auto winner = [](std::string_view trick) {
    return card_text(winning_card(cards_of(trick), same_suit(card_from(trick.substr(0, 2)))));
  };
  CHECK(winner("P5 P8 G9 R1") == "R1");
  CHECK(winner("P5 P8 G9 Y9") == "P8");
  CHECK(winner("R2 Y9 R3 R1") == "R3");
}

TEST_CASE("thecrew W3: number tokens 1 and 2 may fall in one trick, 1 and 3 may not") {
  const Rules rules = rules_of(8, 4);
  State state = before_play_of(rules, 0, {"B3 0", "B7 0", "Y2 1"});
  CHECK(play_tricks(rules, state, "0:B9 1:B3 2:B7 3:B1") == 0);
  CHECK(tasks_completed(state.table) == 2);
  state = before_play_of(rules, 0, {"B3 0", "Y2 1", "B7 0"});
  CHECK(play_tricks(rules, state, "0:B9 1:B3 2:B7 3:B1") == 2);
}

TEST_CASE("thecrew W4: a task without token waits for the numbers") {
  const Rules rules = rules_of(21, 4);
  State state = before_play_of(rules, 0, {"P4 1", "G6 2", "B1 0", "Y5 3", "Y8 1"});
  CHECK(play_tricks(rules, state, "0:G1 1:G2 2:G3 3:G4 3:P3 0:P1 1:P5 2:P4") == 0);
  CHECK(state.table.completed == cards_of("P4"));
  CHECK(play_tricks(rules, state, "1:B3 2:B1 3:B2 0:B9") == 2);
}

TEST_CASE("thecrew W5: arrows out of order") {
  const Rules rules = rules_of(6, 4);
  State state = before_play_of(rules, 1, {"G2 0", "P7 3", "Y5 1"});
  CHECK(play_tricks(rules, state, "1:Y7 2:Y5 3:Y1 0:Y2") == 0);
  CHECK(play_tricks(rules, state, "1:P2 2:P7 3:P9 0:P1") == 2);
}

TEST_CASE("thecrew W6: omega with all that is left") {
  const Rules rules = rules_of(7, 4);
  State state = before_play_of(rules, 0, {"Y9 2", "B5 2", "G1 0"});
  CHECK(play_tricks(rules, state, "0:G8 1:G1 2:G3 3:G2") == 0);
  CHECK(play_tricks(rules, state, "0:Y2 1:B5 2:Y9 3:Y1") == 1);
  state = before_play_of(rules, 0, {"Y9 2", "B5 2", "G1 0"});
  CHECK(play_tricks(rules, state, "0:Y2 1:B5 2:Y9 3:Y1") == 2);
}

TEST_CASE("thecrew W7: what the radio may show") {
  Settings on;
  Rules rules = make_rules(missions[0], on);
  State state = blank_state(rules);
  state.table.phase = Phase::radio;
  const Cards hand = cards_of("B2 B5 B7 G4 P3 P9 R1 R4 Y6");
  CHECK(moves_of(rules, state.table, hand) ==
        "quiet, say B2 lowest, say B7 highest, say G4 only, say P3 lowest, say P9 highest, say Y6 "
        "only");
  rules = make_rules(missions[5], on);
  CHECK(moves_of(rules, state.table, hand) ==
        "quiet, say B2, say B7, say G4, say P3, say P9, say Y6");
  CHECK(moves_of(rules, state.table, rockets) == "quiet");
}

TEST_CASE("thecrew W8: balanced trick counts") {
  const Rules rules = rules_of(29, 4);
  const auto result = [&](std::string_view winners) {
    State state = before_play_of(rules, 0, {});
    return win_tricks(rules, state, winners);
  };
  CHECK(result("20311") == 0);
  CHECK(result("203111") == 2);
  CHECK(result("22") == 2);
}

TEST_CASE("thecrew W9: the even quota") {
  const Rules rules = rules_of(32, 5);
  const auto allowed = [&](std::string_view owners) {
    State state = blank_state(rules);
    Table& t = state.table;
    t.step = 1;
    t.phase = Phase::owner;
    t.commander = t.actor = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      t.task[i] = static_cast<Card>(i);
      give_task(t, static_cast<int>(i), owners[i] - '0');
    }
    return moves_of(rules, t, 0);
  };
  CHECK(allowed("3300") == "owner 1, owner 2, owner 4");
  CHECK(allowed("30124") == "owner 0, owner 1, owner 2, owner 3, owner 4");
  CHECK(allowed("301244") == "owner 0, owner 1, owner 2, owner 3");
}

TEST_CASE("thecrew W10: cards are passed to the left") {
  Settings left;
  left.distress = Distress::left;
  const Rules rules = make_rules(missions[8], left);
  Rng rng(1, "passing");
  State state = deal_state(rules, rng);
  CHECK(state.table.phase == Phase::give);
  const std::array<Cards, 5> before = state.hand;
  std::array<int, 4> given{};
  while (state.table.phase == Phase::give) {
    const int giver = state.table.actor;
    given[at(giver)] = std::countr_zero(state.hand[at(giver)] & colours);
    play_move(rules, state, make(Kind::give, given[at(giver)]));
  }
  while (state.table.phase == Phase::get) play_move(rules, state, roll_outcome(rules, state, rng));
  for (std::size_t s = 0; s < 4; ++s)
    CHECK(state.hand[s] == ((before[s] & ~bit(given[s])) | bit(given[(s + 3) % 4])));
  CHECK((state.hand[state.table.commander] >> r4 & 1) != 0);
}

TEST_CASE("thecrew W11: a card under the radio token is not drawn") {
  Settings settings;
  settings.distress = Distress::off;
  const Rules rules = make_rules(missions[11], settings);
  State state = blank_state(rules);
  state.hand[0] = cards_of("B1 B2 B3 B4 B5 B6 B7 B8 B9");
  state.table.said[0] = 0;
  state.table.phase = Phase::draw;
  int outcomes = 0;
  each_outcome(rules, state, [&](Move move, std::uint64_t weight) {
    CHECK(weight == 1);
    CHECK(card_of(move) != 0);
    ++outcomes;
  });
  CHECK(outcomes == 8);
}

TEST_CASE("thecrew W12: nines may be lost, only one that wins fails") {
  const Rules rules = rules_of(16, 4);
  State state = before_play_of(rules, 0, {});
  state.table.played = cards_of("B9 G9 P9");
  CHECK(play_tricks(rules, state, "0:P3 1:Y9 2:P2 3:P4") == 1);
  state = before_play_of(rules, 0, {});
  state.table.played = cards_of("B9 G9 Y9");
  CHECK(play_tricks(rules, state, "0:P9 1:R1 2:P2 3:P4") == 1);
  state = before_play_of(rules, 0, {});
  CHECK(play_tricks(rules, state, "0:P9 1:P1 2:P2 3:P4") == 2);
}

TEST_CASE("thecrew W13: two rockets in one trick, and rockets out of turn") {
  Rules rules = rules_of(13, 4);
  State state = before_play_of(rules, 0, {});
  CHECK(play_tricks(rules, state, "0:P3 1:R1 2:R2 3:P9") == 2);
  rules = rules_of(44, 4);
  state = before_play_of(rules, 0, {});
  CHECK(play_tricks(rules, state, "0:P3 1:R1 2:P4 3:P9") == 0);
  CHECK(play_tricks(rules, state, "1:B1 2:R3 3:B2 0:B3") == 2);
}

TEST_CASE("thecrew W14: S1 wins no trick") {
  const Rules rules = rules_of(5, 5);
  State state = before_play_of(rules, 0, {}, 3);
  state.table.trick = 7;
  state.table.won = {3, 2, 1, 0, 1};
  State other = state;
  CHECK(play_tricks(rules, state, "0:B1 1:B2 2:B3 3:B9 4:B4") == 2);
  CHECK(play_tricks(rules, other, "0:B1 1:B2 2:B9 3:B3 4:B4") == 1);
}

TEST_CASE("thecrew W15: eleven token edits") {
  const Rules rules = rules_of(23, 4);
  Rng rng(3, "edits");
  State state = deal_state(rules, rng);
  CHECK(state.table.phase == Phase::edit);
  SmallList<Move, max_list> list;
  list_moves(rules, state.table, 0, list);
  CHECK(list.size() == 11);
  const Card second = state.table.token_on[1], fifth = state.table.token_on[4];
  play_move(rules, state, make(Kind::swap, std::min(second, fifth), 0, 0, std::max(second, fifth)));
  CHECK(state.table.token_on[1] == fifth);
  CHECK(state.table.token_on[4] == second);
}

TEST_CASE("thecrew W16: how many tasks a seat drafts") {
  const auto counts = [](int mission, int players) {
    const Rules rules = rules_of(mission, players);
    Rng rng(5, "draft");
    State state = deal_state(rules, rng);
    const int commander = state.table.commander;
    while (state.table.phase == Phase::draft)
      play_move(rules, state, pick_move(rules, state.table, 0, rng));
    std::string out;
    for (int i = 0; i < rules.seats; ++i)
      out += std::to_string(std::popcount(state.table.pending[at((commander + i) % rules.seats)]));
    return out;
  };
  CHECK(counts(17, 3) == "110");
  CHECK(counts(38, 3) == "332");
  CHECK(counts(38, 4) == "2222");
  CHECK(counts(38, 5) == "22211");
}

TEST_CASE("thecrew W17: the recorded games, from their hands") {
  Settings settings;
  settings.distress = Distress::off;
  settings.radio = Radio::off;
  const Rules rules = make_rules(plain_mission(6, false), settings);
  // thecrew.json, replays: deal 1 of benchmarks.tinend_4p6t ends in success in trick 7.
  State state = before_play_of(rules, 1, {"Y7 0", "P8 1", "G6 1", "G2 2", "P7 2", "B2 3"});
  CHECK(
      play_tricks(rules, state,
                  "1:P8 2:P2 3:P4 0:P5 1:Y1 2:Y9 3:Y2 0:Y8 2:G9 3:P7 0:G2 1:G3 2:B1 3:B8 0:B2 1:B4 "
                  "3:B3 0:B9 1:G5 2:Y7") == 0);
  CHECK(tasks_completed(state.table) == 5);
  CHECK(play_tricks(rules, state, "0:Y5 1:Y6 2:Y3 3:P9 1:Y4 2:G8 3:B7 0:G6") == 1);
  // Deal 0 ends in failure in trick 3.
  state = before_play_of(rules, 0, {"G1 0", "B4 0", "P2 1", "B5 1", "Y2 2", "Y6 3"});
  CHECK(play_tricks(rules, state, "0:B9 1:B7 2:G1 3:B4 0:P4 1:P9 2:P3 3:P2 1:Y6 2:Y1 3:Y8 0:Y9") ==
        2);
  CHECK(state.table.trick == 3);
}
