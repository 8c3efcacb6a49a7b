// Kami's cards, Rules, State, View and moves: data only, with their sizes.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <kibitz/core/counts.hpp>
#include <kibitz/core/types.hpp>

namespace kibitz::kami {

// Card types by the digits that every Kami record uses.
enum class Card : std::uint8_t {
  none,
  soldier,
  spear,
  horseman,
  silver_dragon,
  gold_dragon,
  madman,
  tower,
  empress
};

inline constexpr int card_types = 8;
inline constexpr int deck_size = 32;
// Index = digit of the card; kami.json, "cards".
inline constexpr std::array<int, 9> copies = {0, 10, 4, 4, 4, 4, 2, 2, 2};
inline constexpr std::array<int, 9> card_points = {0, 1, 2, 2, 3, 3, 4, 4, 5};
inline constexpr int target = 15;
inline constexpr int max_points = 10;   // two Empresses on a lead
inline constexpr int ask_soldiers = 5;  // a holder of so many may ask for a redeal
inline constexpr int max_redeals = 31;  // in one round; 0.167^31 < 1e-24, never met in play
inline constexpr int stacks = 8;        // of mercenaries, two players
inline constexpr std::uint32_t empress_bit = 1u << 7;
inline constexpr std::uint32_t all_stacks = 0xff;

constexpr int digit(Card card) { return static_cast<int>(card); }
constexpr int lane(Card card) { return static_cast<int>(card) - 1; }
constexpr Card card_of(int kind) { return static_cast<Card>(kind + 1); }

inline constexpr Counts full_deck = [] {
  Counts deck;
  for (int kind = 0; kind < card_types; ++kind)
    for (int i = 0; i < copies[static_cast<std::size_t>(kind) + 1]; ++i) deck.add(kind);
  return deck;
}();

// Kinds that answer an attack, by its digit: the same type, and an Empress against 3 to 7 (R8, R9).
inline constexpr std::array<std::uint8_t, 9> answers = {
    0, 0x01, 0x02, 0x04 | 0x80, 0x08 | 0x80, 0x10 | 0x80, 0x20 | 0x80, 0x40 | 0x80, 0};

enum class Victory : std::uint8_t { soldier, lord, kami };

struct Rules {
  int players = 4;
  Victory victory = Victory::soldier;
  int rounds = 0;               // 1: a single round; 0: a match to `target`
  bool leader_rotates = false;  // A1: the seat after the last leader leads, not the winner
  bool dead_rotates = false;    // A4: likewise after a void round
  bool one_card_free = false;   // A12: mercenary and mercenary with one hand card left
  bool redeal = true;           // the question of five Soldiers, four players only
  int max_rounds = 300;         // A13
  int hand_size = 8;
  int stride = 8;  // entries of Board::line for one seat
  // Chance of each team to win the match: [totals..., leader] by match.hpp. Empty for rounds = 1.
  std::vector<double> match_worth;
};

// What happens next; from `score` on a playout may stop.
enum class Phase : std::uint8_t {
  ask,      // [4p] does this seat ask for a redeal?
  answer,   // [4p] does the partner agree?
  lead,     // face-down defence
  respond,  // pass or face-up defence
  attack,   // after the own defence
  turn_up,  // chance [2p]: the lower mercenary comes to light
  score,    // chance, one outcome: the points of the round, or that it is void
  deal,     // chance: hand by hand, then aside cards, then stacks
  first,    // chance: who leads the first round
  over
};

inline constexpr std::uint8_t nobody = 0xff;

// What lies on the table for everybody, and in `line` what only some have seen.
//
// A pair is one byte: defence digit << 4 | attack digit, 0 where not yet played or not known.
// Pairs of seat s are line[s * stride ...]: stride 16 for two players (up to 15 pairs), else 8.
struct Board {
  std::array<std::uint8_t, 32> line;
  std::uint32_t face_down;  // bit a pair: its defence lies face-down
  std::uint32_t hidden;     // subset: it came from the hand, so only its owner knows it
  std::uint32_t top;        // [2p] a nibble a stack: the digit of its upper card, 0 when used up
  std::uint16_t round;      // from 1
  std::uint8_t covered;     // [2p] bit a stack: a lower card lies under the upper one
  std::uint8_t dealt;       // deal plies done in phase deal
  std::array<std::uint8_t, 4> size;       // cards in hand
  std::array<std::uint8_t, 4> plays;      // complete pairs
  std::array<std::uint8_t, 4> announced;  // [4p] Soldiers a seat asked with, 0 none
  std::array<std::uint8_t, 4> totals;     // by team
  Phase phase;
  Phase then;               // after a turn-up
  std::uint8_t to_move;     // seat; also kept while chance is at work
  std::uint8_t owner;       // of the last attack, nobody before the first
  std::uint8_t attack;      // digit to be answered, 0 while leading
  std::uint8_t first;       // leader of the round
  std::uint8_t empress_up;  // 1 when one lies face-up on a defence line (R10 to R12)
  std::uint8_t from;        // [2p] stack of the pending card + 1, 0 from the hand
  std::uint8_t asked;       // [4p] seats that have asked or said no
  std::uint8_t asker;       // [4p] whose request is before the partner, or nobody
  std::uint8_t redeals;     // [4p] in this round
  std::uint8_t winner;      // seat that won the game, or nobody

  friend bool operator==(const Board&, const Board&) = default;
};

// One round within its match, the whole truth.
struct State {
  std::array<Counts, 4> hand;
  Board board;
  std::uint32_t lower;  // [2p] a nibble a stack that is still covered
  std::array<std::uint8_t, 8>
      aside;  // [3p] two digits, seen by seat first+1 and first+2; the rest is no padding

  friend bool operator==(const State&, const State&) = default;
};
static_assert(std::is_trivially_copyable_v<State> && sizeof(State) == 120);
static_assert(std::has_unique_object_representations_v<State>);

// The same table with blanks for what the seat has not seen: other seats' hidden defences and
// aside cards are 0, hands and lower cards are left out.
struct View {
  Counts hand;
  Board board;
  std::array<std::uint8_t, 8> aside;
  std::uint8_t seat;
  std::array<std::uint8_t, 3> unused;

  friend bool operator==(const View&, const View&) = default;
};
static_assert(std::is_trivially_copyable_v<View> && sizeof(View) == 96);
static_assert(std::has_unique_object_representations_v<View>);

// Moves.
//     bits 28-31  kind
//     defend, attack:  bits 0-3 digit (0: hidden), or bits 4-7 stack + 1
//     ask, points:     bits 0-7 number
//     turn_up:         bits 0-3 digit, bits 4-7 stack + 1
//     hand:            bits 0-21 copies of each type, see pack_hand; masked: all ones
//     aside:           bits 0-3 digit (0: hidden)
//     stack:           bits 0-3 lower digit (0: hidden), bits 4-7 upper digit
//     first:           bits 0-3 seat
enum class Kind : std::uint8_t {
  none,
  pass,
  defend,
  attack,
  ask,
  no,
  yes,
  turn_up,
  points,
  dead,
  hand,
  aside,
  stack,
  first
};

constexpr Move make(Kind kind, std::uint32_t payload = 0) {
  return Move{static_cast<std::uint32_t>(kind) << 28 | payload};
}
constexpr Kind kind_of(Move move) { return static_cast<Kind>(move.code >> 28); }
constexpr std::uint32_t payload_of(Move move) { return move.code & 0x0fffffffu; }
constexpr int digit_of(Move move) { return static_cast<int>(move.code & 15); }
constexpr int stack_of(Move move) { return static_cast<int>(move.code >> 4 & 15) - 1; }

constexpr Move defend_with(int kind) {
  return make(Kind::defend, static_cast<std::uint32_t>(kind) + 1);
}
constexpr Move attack_with(int kind) {
  return make(Kind::attack, static_cast<std::uint32_t>(kind) + 1);
}
constexpr Move defend_stack(int s) {
  return make(Kind::defend, static_cast<std::uint32_t>(s + 1) << 4);
}
constexpr Move attack_stack(int s) {
  return make(Kind::attack, static_cast<std::uint32_t>(s + 1) << 4);
}
inline constexpr Move pass_move = make(Kind::pass);
inline constexpr Move no_move = make(Kind::no);
inline constexpr Move yes_move = make(Kind::yes);
inline constexpr Move dead_move = make(Kind::dead);
inline constexpr Move hidden_defence = make(Kind::defend);
inline constexpr std::uint32_t hidden_hand = (1u << 22) - 1;

// A hand in 22 bits: Soldiers 4 bits, types 2 to 5 three bits each, 6 to 8 two bits each.
constexpr std::uint32_t pack_hand(Counts hand) {
  std::uint32_t bits = 0;
  for (int kind = 7; kind >= 0; --kind) {
    const int width = kind == 0 ? 4 : kind < 5 ? 3 : 2;
    bits = bits << width | static_cast<std::uint32_t>(hand[kind]);
  }
  return bits;
}
constexpr Counts unpack_hand(std::uint32_t bits) {
  std::uint64_t lanes = 0;
  for (int kind = 0; kind < 8; ++kind) {
    const int width = kind == 0 ? 4 : kind < 5 ? 3 : 2;
    lanes |= static_cast<std::uint64_t>(bits & ((1u << width) - 1)) << (8 * kind);
    bits >>= width;
  }
  return Counts(lanes);
}

constexpr Card top_of(const Board& board, int stack) {
  return static_cast<Card>(board.top >> (4 * stack) & 15);
}
constexpr std::size_t entry(const Rules& rules, const Board& board, Seat seat) {
  return static_cast<std::size_t>(seat * rules.stride + board.plays[seat]);
}
constexpr Seat next_seat(const Rules& rules, Seat seat) {
  return static_cast<Seat>(seat + 1 == rules.players ? 0 : seat + 1);
}
constexpr Seat partner_of(Seat seat) { return static_cast<Seat>(seat ^ 2); }
constexpr int team_of(const Rules& rules, Seat seat) {
  return rules.players == 4 ? seat & 1 : seat;
}
constexpr int teams(const Rules& rules) { return rules.players == 3 ? 3 : 2; }

}  // namespace kibitz::kami
