// The Crew's Rules, Table, State, View and moves: data only, with their sizes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include <kibitz/core/types.hpp>
#include <kibitz/games/thecrew/cards.hpp>
#include <kibitz/games/thecrew/mission.hpp>

namespace kibitz::thecrew {

inline constexpr int max_players = 5;
inline constexpr int max_columns = 7;  // of the automatic member's display
inline constexpr int max_tricks = 13;

enum class Distress : std::uint8_t { vote, off, left, right };
enum class Radio : std::uint8_t { one_round, until_all_pass, off };
enum class Passing : std::uint8_t { unanimous, owner_only, off };

struct Rules {
  int players = 4;
  int seats = 4;       // 3 for two players: the third is the automatic member (JARVIS)
  int tricks = 10;     // T
  int hand_size = 10;  // of a seat that has no extra card
  bool extra = false;  // one seat is dealt one card more
  bool jarvis = false;
  int columns = 0;  // of the display, two cards each
  Distress distress = Distress::vote;
  Radio radio = Radio::one_round;
  Passing passing = Passing::unanimous;
  Cards deck = all_cards;
  Mission mission;
  // Task missions without another condition: the trick test is a few instructions.
  bool tasks_only = false;
};

// What happens next. Up to `play` a seat decides, then chance does.
enum class Phase : std::uint8_t {
  edit,     // S1: the commander may swap or move tokens
  ask,      // S1: an answer
  role,     // S1: the commander names S1 or S2
  draft,    // S1: a task is taken
  owner,    // S1: the commander names an owner
  offer,    // S2: a task is offered, or not
  consent,  // S2: a vote on the offer
  vote,     // S3
  give,     // S4: a card for the neighbour
  radio,    // S5
  play,     // S6
  jarvis,   // chance: where the automatic member sits
  longest,  // chance: who is dealt one card more
  leader,   // chance: who is dealt R4
  deal,     // chance: one card
  task,     // chance: one task card
  lot,      // chance: the owner of a task (owners=random)
  holder,   // chance, one outcome: who holds the announced card
  get,      // chance, one outcome: a card passed in distress arrives
  draw,     // S8, chance: the card drawn from one seat's hand
  turn_up,  // chance, one outcome: a card of the display
  over
};
constexpr bool is_decision(Phase phase) { return phase <= Phase::play; }

enum class Said : std::uint8_t { bare, highest, lowest, only };  // bare: dead zone

// What lies on the table for everybody; in `given`, `drawn` and `under` also what only some or none
// have seen, which is `hidden` in a view. Cards by seat, by task in drawn order, or by column.
struct Table {
  std::array<Cards, 5> pending;  // tasks taken and not completed, by owner
  Cards completed;               // tasks
  Cards played;                  // all cards out of hands, those of this trick too
  Cards turned;                  // of the display, turned up since the draw (S8)
  std::array<Card, 40> line;     // played cards, `seats` a trick, the leader's first
  std::array<Card, 10> task;     // drawn so far
  std::array<std::uint8_t, 10> owner;
  std::array<Card, 10> token_on;      // by token: the task that carries it
  std::array<std::uint8_t, 5> won;    // tricks
  std::array<Card, 5> said;           // shown on the radio
  std::array<std::uint8_t, 5> how;    // Said | trick << 2
  std::array<Card, 5> given;          // distress: by giver
  std::array<Card, 5> drawn;          // S8: by the seat it was drawn from
  std::array<std::uint8_t, 5> reply;  // of this step
  std::array<Card, 7> up, under;      // the display
  Phase phase;
  std::uint8_t step;   // of the mission's preparation
  std::uint8_t actor;  // seat whose move it is; the commander decides for the automatic member
  std::uint8_t count;  // of the phase: cards dealt, tasks drawn, answers, receivers, ...
  std::uint8_t commander, s1, s2, jarvis, longest;
  std::uint8_t leader;   // of this trick
  std::uint8_t trick;    // tricks resolved
  std::uint8_t laid;     // cards in this trick
  std::uint8_t green;    // radio tokens not used, bit a seat
  std::uint8_t spoke;    // somebody spoke in this round
  std::uint8_t sent;     // distress: 0, or 1 left, 2 right
  std::uint8_t counted;  // winning_value_at_least: tricks so far
  std::uint8_t result;   // 0 open, 1 success, 2 failure
  std::uint8_t fault;    // constraint that failed + 1
  Card offered;          // the task offered, and to whom
  std::uint8_t offered_to;
  std::uint8_t column;  // of the display: to be turned up after this trick, + 1
  std::uint8_t unused;  // no padding

  friend bool operator==(const Table&, const Table&) = default;
};

struct State {
  std::array<Cards, 5> hand;  // the automatic member's: its face-up cards
  Table table;

  friend bool operator==(const State&, const State&) = default;
};

// What one seat may know. The automatic member's own seat knows what is public.
struct View {
  Cards hand;
  Table table;
  Seat seat;
  std::array<std::uint8_t, 7> unused;  // no padding

  friend bool operator==(const View&, const View&) = default;
};

static_assert(sizeof(Table) == 200 && sizeof(State) == 240 && sizeof(View) == 216);
static_assert(std::has_unique_object_representations_v<State> &&
              std::has_unique_object_representations_v<View>);

// A move is a kind and at most three small numbers.
//
//     bits 27-31 kind | 12-15 number | 8-11 seat, statement or reply | 0-5 card + 1, 0 none
//
//     second card of a swap: bits 16-21, card + 1
enum class Kind : std::uint8_t {
  nothing,
  keep,   // no edit, no offer
  swap,   // two cards
  move,   // token (number), card
  role,   // number: 1 S1, 2 S2; seat
  take,   // card
  owner,  // seat; also chance
  offer,  // card, seat
  reply,  // any answer or vote
  give,   // card
  quiet,
  say,      // card, statement
  play,     // card
  jarvis,   // seat
  longest,  // seat
  leader,   // seat
  deal,     // card
  under,    // card; goes face down into the display
  up,       // card; goes face up into the display
  task,     // card
  holder,   // seat
  get,      // card
  draw,     // card
  turn_up   // card
};

constexpr Move make(Kind kind, int card = -1, int seat = 0, int number = 0, int second = -1) {
  return Move{static_cast<std::uint32_t>(kind) << 27 | static_cast<std::uint32_t>(card + 1) |
              static_cast<std::uint32_t>(seat) << 8 | static_cast<std::uint32_t>(number) << 12 |
              static_cast<std::uint32_t>(second + 1) << 16};
}
constexpr Kind kind_of(Move move) { return static_cast<Kind>(move.code >> 27); }
constexpr int card_of(Move move) { return static_cast<int>(move.code & 63) - 1; }
constexpr int seat_of(Move move) { return static_cast<int>(move.code >> 8 & 15); }
constexpr int number_of(Move move) { return static_cast<int>(move.code >> 12 & 15); }
constexpr int second_of(Move move) { return static_cast<int>(move.code >> 16 & 63) - 1; }

inline constexpr Move keep_move = make(Kind::keep);
inline constexpr Move quiet_move = make(Kind::quiet);
constexpr Move reply_move(Reply reply) { return make(Kind::reply, -1, static_cast<int>(reply)); }
constexpr Move play_card(int card) { return make(Kind::play, card); }
constexpr Move say_card(int card, Said how) { return make(Kind::say, card, static_cast<int>(how)); }

// The longest list: ten tasks in one hand, each offered to four seats, or not; 45 swaps and none.
inline constexpr std::size_t max_list = 48;

// ---- small facts --------------------------------------------------------------

template <class Index>
constexpr std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

constexpr Seat left_of(const Rules& rules, int seat) {
  return static_cast<Seat>(seat + 1 == rules.seats ? 0 : seat + 1);
}
constexpr Seat right_of(const Rules& rules, int seat) {
  return static_cast<Seat>(seat == 0 ? rules.seats - 1 : seat - 1);
}
// Who receives the card that `seat` passes in distress, and from whom `seat` receives.
constexpr Seat receiver_of(const Rules& rules, const Table& table, int seat) {
  return table.sent == 2 ? right_of(rules, seat) : left_of(rules, seat);
}
constexpr Seat giver_to(const Rules& rules, const Table& table, int seat) {
  return table.sent == 2 ? left_of(rules, seat) : right_of(rules, seat);
}
// The commander decides for the automatic member.
constexpr Seat decider(const Table& table, int seat) {
  return seat == table.jarvis ? table.commander : static_cast<Seat>(seat);
}
constexpr Turn turn_of(const Table& table) {
  if (is_decision(table.phase)) return Turn::of(decider(table, table.actor));
  return table.phase == Phase::over ? Turn::over() : Turn::chance();
}
constexpr Seat role_seat(const Table& table, Role role) {
  return role == Role::commander ? table.commander : role == Role::s1 ? table.s1 : table.s2;
}
constexpr Cards face_up(const Table& table) {
  Cards cards = 0;
  for (const Card card : table.up)
    if (card != no_card) cards |= bit(card);
  return cards;
}
constexpr Cards drawn_tasks(const Table& table) {
  Cards cards = 0;
  for (const Card card : table.task)
    if (card != no_card) cards |= bit(card);
  return cards;
}
constexpr int tasks_drawn(const Table& table) {
  int n = 0;
  while (n < max_tasks && table.task[at(n)] != no_card) ++n;
  return n;
}
constexpr Cards open_tasks(const Table& table) {
  return table.pending[0] | table.pending[1] | table.pending[2] | table.pending[3] |
         table.pending[4];
}
// Drawn, not yet taken.
constexpr Cards free_tasks(const Table& table) {
  Cards cards = 0;
  for (int i = 0; i < max_tasks && table.task[at(i)] != no_card; ++i)
    if (table.owner[at(i)] == nobody) cards |= bit(table.task[at(i)]);
  return cards;
}
constexpr int dealt_size(const Rules& rules, const Table& table, int seat) {
  return rules.hand_size + (rules.extra && table.longest == seat ? 1 : 0);
}
// Place of a seat in this trick's order.
constexpr int place_in_trick(const Rules& rules, const Table& table, int seat) {
  return (seat - table.leader + rules.seats) % rules.seats;
}
// Cards in a seat's hand once all are dealt; of the automatic member, its whole display.
constexpr int size_of(const Rules& rules, const Table& table, int seat) {
  return dealt_size(rules, table, seat) - table.trick -
         (table.laid > place_in_trick(rules, table, seat) ? 1 : 0);
}
constexpr bool before_play(Phase phase) {
  return phase == Phase::jarvis || phase == Phase::longest || phase == Phase::leader ||
         phase == Phase::deal;
}
constexpr int token_of(const Table& table, int card) {
  for (int t = 0; t < tokens; ++t)
    if (table.token_on[at(t)] == card) return t;
  return -1;
}

// The seats in the order in which they are dealt: seat by seat, the display last, column by column,
// lower card first. The commander's R4 is not dealt card by card.
struct Deal {
  int seat = 0;     // receives the next card; `seats` when all are dealt
  int column = -1;  // of the display
  bool under = false;
};
constexpr Deal next_deal(const Rules& rules, const Table& table) {
  int left = table.count;
  for (int s = 0; s < rules.seats; ++s) {
    if (s == table.jarvis) continue;
    const int due = dealt_size(rules, table, s) - (table.commander == s ? 1 : 0);
    if (left < due) return {s};
    left -= due;
  }
  if (rules.jarvis && left < 2 * rules.columns) return {table.jarvis, left / 2, left % 2 == 0};
  return {rules.seats};
}

inline std::string seat_name(int seat) { return "seat " + std::to_string(seat); }

}  // namespace kibitz::thecrew
