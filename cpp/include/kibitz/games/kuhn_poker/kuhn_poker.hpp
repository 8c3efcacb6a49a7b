// Kuhn poker: the smallest poker that needs bluffing. Two seats, three cards, J below Q below K.
//
// Each seat puts 1 chip in and is dealt one card. Seat 0, then seat 1, passes or bets 1 chip. After
// two passes or two bets both cards are shown, and the higher takes the pot. A pass after a bet
// gives the pot away. After a pass and a bet seat 0 chooses once more.
//
// Source: H. W. Kuhn, A Simplified Two-Person Poker, 1950; docs/games/kuhn_poker.md.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>

namespace kibitz::kuhn_poker {

enum Card : std::uint8_t { none = 0, jack, queen, king, unknown = 15 };

inline constexpr std::string_view ranks = "-JQK";  // none, jack, queen, king

struct Rules {};

// The line of play is a binary number: a leading 1, then 0 for each pass and 1 for each bet.
//     1 nothing yet   10 p   11 b   100 pp   101 pb   110 bp   111 bb   1010 pbp   1011 pbb
enum Line : std::uint8_t { start = 1, p, b, pp, pb, bp, bb, pbp = 10, pbb = 11 };

// The whole truth.
struct State {
  std::array<std::uint8_t, 2> card;  // by seat, none until it is dealt
  std::uint8_t line = start;
  std::uint8_t shown;  // 1 when the cards have been shown
  friend bool operator==(const State&, const State&) = default;
};

// The same table with `unknown` for the other seat's card.
struct View : State {
  Seat seat;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(State) == 4 && sizeof(View) == 5);

// Decisions: 1 pass, 2 bet. Outcomes: 0x010 | card, a card is dealt (15 where it is masked);
// 0x100 | card of seat 0 << 4 | card of seat 1, both are shown.
inline constexpr Move pass{1};
inline constexpr Move bet{2};
constexpr Move deal_of(unsigned card) { return {0x10 | card}; }
constexpr Move show_of(const State& table) {
  return {0x100u | table.card[0] << 4u | table.card[1]};
}
constexpr bool is_deal(Move move) { return move.code >> 4 == 1; }
constexpr bool is_show(Move move) { return move.code >> 8 == 1; }
constexpr std::uint8_t low(Move move) { return move.code & 15; }
constexpr std::uint8_t high(Move move) { return move.code >> 4 & 15; }

constexpr bool dealt(const State& table) { return table.card[1] != none; }
constexpr bool folded(unsigned line) { return line == bp || line == pbp; }
constexpr bool called(unsigned line) { return line == pp || line == bb || line == pbb; }
constexpr Seat dealt_next(const State& table) { return table.card[0] != none; }

constexpr Turn turn_of(const State& table) {
  if (!dealt(table)) return Turn::chance();
  switch (table.line) {
    case start:
    case pb:    return Turn::of(0);
    case p:
    case b:     return Turn::of(1);
    default:    return folded(table.line) || table.shown ? Turn::over() : Turn::chance();
  }
}

// A listed decision or outcome, for a view also a masked one.
constexpr void play_on(State& table, Move move) {
  if (is_deal(move)) {
    table.card[dealt_next(table)] = low(move);
  } else if (is_show(move)) {
    table.card = {high(move), low(move)};
    table.shown = 1;
  } else {
    table.line = static_cast<std::uint8_t>(table.line << 1 | (move == bet));
  }
}

// Chips that seat 0 wins. Precondition: the line is at its end and, unless folded, cards are known.
constexpr int won_by_first(const State& table) {
  if (folded(table.line)) return table.line == bp ? 1 : -1;
  const int stake = table.line == pp ? 1 : 2;
  return table.card[0] > table.card[1] ? stake : -stake;
}

// Cards that no place holds, as a set of bits; only they can be dealt.
constexpr std::uint32_t pack(const State& table) {
  return 0b1110u & ~(1u << table.card[0]) & ~(1u << table.card[1]);
}

// Who is dealt a card sees it, the other seat does not. All else is public.
constexpr Move masked(const State& table, Move move, Seat seat) {
  const bool hides = is_deal(move) && !dealt(table) && dealt_next(table) != seat;
  return hides ? deal_of(unknown) : move;
}

// The n-th card of a set, from 0.
constexpr std::uint8_t nth_card(std::uint32_t cards, std::uint32_t n) {
  for (; n; --n) cards &= cards - 1;
  return static_cast<std::uint8_t>(std::countr_zero(cards));
}

// Uniform worlds: the other seat holds either of the two cards that are not this seat's.
class Sampler {
 public:
  Sampler(const Rules&, const View& view) : table_(view), other_(1 - view.seat) {}
  void draw(State& world, Rng& rng) const {
    world = table_;
    if (world.card[other_] != unknown) return;
    const std::uint32_t cards = pack(table_);
    world.card[other_] =
        nth_card(cards, rng.below(static_cast<std::uint32_t>(std::popcount(cards))));
  }

 private:
  State table_;
  std::size_t other_;
};

// All that the advice may use.
struct Eyes {
  std::uint8_t own;
  std::uint8_t line;
};

// A position as plain fields; one sheet serves State and View.
struct Sheet {
  std::string hands = "--";
  std::string line;
  bool shown = false;

  template <class V>
  void fields(V&& v) {
    v("hands", hands, "card by seat: J, Q or K, x where not seen, - where none is dealt yet");
    v("line", line, "decisions so far, p for pass and b for bet");
    v("shown", shown, "whether the cards have been shown");
  }
};

constexpr char letter(unsigned card) { return card < ranks.size() ? ranks[card] : 'x'; }

constexpr std::uint8_t card_of(char c) {
  const std::size_t at = ranks.find(c);
  return at < ranks.size() ? static_cast<std::uint8_t>(at) : std::uint8_t{unknown};
}

inline Sheet sheet_of(const State& table) {
  Sheet sheet{{letter(table.card[0]), letter(table.card[1])}, "", table.shown != 0};
  for (int bit = static_cast<int>(std::bit_width(table.line)) - 2; bit >= 0; --bit)
    sheet.line += table.line >> bit & 1 ? 'b' : 'p';
  return sheet;
}

// The table of a sheet as `seat` may know it, or as it is (2).
inline Breach read_table(const Sheet& sheet, Seat seat, State& out) {
  const auto bad = [](const char* why) { return Breach{"kuhn_poker: position", why}; };
  State at{};
  for (const char c : sheet.line) {
    if ((at.line != start && at.line != p && at.line != b && at.line != pb) ||
        (c != 'p' && c != 'b'))
      return bad("'line' is the start of one of pp, pbp, pbb, bp and bb");
    play_on(at, c == 'b' ? bet : pass);
  }
  if (sheet.hands.size() != 2) return bad("'hands' has two characters, one a seat");
  for (std::size_t s = 0; s < 2; ++s) {
    const char c = sheet.hands[s];
    at.card[s] = card_of(c);
    if (at.card[s] == unknown && c != 'x') return bad("a card is J, Q or K, x or -");
    const bool hides = seat < 2 && s != seat && !sheet.shown;
    if (c != '-' && (c == 'x') != hides)
      return bad(hides ? "this seat may know no more than 'x' of the other seat's card"
                       : "here the card itself is known, not 'x'");
  }
  if (at.card[0] == none && at.card[1] != none) return bad("seat 0 is dealt its card first");
  if (at.card[0] == at.card[1] && at.card[0] != none) return bad("there is one card of each rank");
  if (!dealt(at) && at.line != start) return bad("nothing is played before both cards are dealt");
  if (sheet.shown && !(dealt(at) && called(at.line)))
    return bad("cards are shown after pp, bb and pbb only");
  at.shown = sheet.shown;
  out = at;
  return {};
}

struct KuhnPoker {
  using Rules = kuhn_poker::Rules;
  using State = kuhn_poker::State;
  using View = kuhn_poker::View;
  using Sampler = kuhn_poker::Sampler;
  using Eyes = kuhn_poker::Eyes;
  using StateSheet = Sheet;
  using ViewSheet = Sheet;

  static constexpr std::string_view slug = "kuhn_poker";
  static constexpr std::string_view title = "Kuhn poker";
  static constexpr std::string_view summary = "three cards, one bet: the smallest poker";
  static constexpr int version = 1;
  static constexpr std::string_view grammar =
      "pass, bet; outcomes: deal K (deal x where not seen), show J K";
  static constexpr std::size_t max_moves = 2;
  static constexpr bool cooperative = false;
  static constexpr bool scored = true;

  static std::vector<Option> options() {
    return {Option::integer("players", 2, 2, 2, "seats, each for itself")};
  }
  static Rules rules(const Choices&) { return {}; }
  static int seats(const Rules&) { return 2; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules&) { return 3; }

  static State blank(const Rules&) { return {}; }
  static State deal(const Rules& rules, Rng& rng) {
    State state{};
    while (!dealt(state)) play_on(state, roll(rules, state, rng));
    return state;
  }
  static Turn turn(const Rules&, const State& state) { return turn_of(state); }
  static void moves(const Rules&, const State& state, MoveList<KuhnPoker>& out) {
    out.clear();
    if (!turn_of(state).is_seat()) return;
    out.push_back(pass);
    out.push_back(bet);
  }
  static Move pick(const Rules&, const State&, Rng& rng) { return rng.below(2) ? bet : pass; }
  template <class Each>
  static void outcomes(const Rules&, const State& state, Each&& each) {
    if (dealt(state)) return each(show_of(state), std::uint64_t{1});
    for (std::uint32_t cards = pack(state); cards; cards &= cards - 1)
      each(deal_of(nth_card(cards, 0)), std::uint64_t{1});
  }
  static Move roll(const Rules&, const State& state, Rng& rng) {
    if (dealt(state)) return show_of(state);
    const std::uint32_t cards = pack(state);
    return deal_of(nth_card(cards, rng.below(static_cast<std::uint32_t>(std::popcount(cards)))));
  }
  static void play(const Rules&, State& state, Move move) { play_on(state, move); }
  static Breach check(const Rules&, const State& state, Move move) {
    if (!turn_of(state).is_seat()) return {"kuhn_poker: turn", "no seat is to choose here"};
    if (move == pass || move == bet) return {};
    return {"kuhn_poker: moves", "a seat may pass or bet and do nothing else"};
  }
  static bool settled(const Rules&, const State& state) {
    return folded(state.line) || called(state.line);
  }
  static Worth worth(const Rules& rules, const State& state) {
    Worth worth;
    const int won = won_by_first(state);
    for (std::size_t s = 0; s < 2; ++s) worth.margin[s] = (s ? -won : won) / 2.0;
    returns(rules, state, worth.win.data());
    return worth;
  }
  static void returns(const Rules&, const State& state, double* share) {
    const bool first = won_by_first(state) > 0;
    share[0] = first, share[1] = !first;
  }
  static int score(const Rules&, const State& state, int* count) {
    count[0] = turn_of(state).is_over() ? won_by_first(state) : 0;
    count[1] = -count[0];
    return 2;
  }

  static View view(const Rules&, const State& state, Seat seat) {
    View view{state, seat};
    std::uint8_t& other = view.card[1 - seat];
    if (other != none && !state.shown) other = unknown;
    return view;
  }
  static Seat seat(const View& view) { return view.seat; }
  static void moves(const Rules& rules, const View& view, MoveList<KuhnPoker>& out) {
    out.clear();
    if (turn_of(view) == Turn::of(view.seat)) moves(rules, static_cast<const State&>(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (turn_of(view) == Turn::of(1 - view.seat))
      return {"kuhn_poker: turn", "it is the other seat's turn to choose"};
    return check(rules, static_cast<const State&>(view), move);
  }
  static Move seen(const Rules&, const State& state, Move move, Seat seat) {
    return masked(state, move, seat);
  }
  static Move mask(const Rules&, const View& view, Turn, Move move) {
    return masked(view, move, view.seat);
  }
  static Verdict observe(const Rules& rules, View& view, Turn turn, Move seen) {
    using enum Verdict::Kind;
    const State& table = view;
    if (turn != turn_of(table))
      return {wrong_actor, {"kuhn_poker: turn", "the other seat, or chance, comes first"}};
    if (masked(table, seen, view.seat) != seen)
      return {too_much, {"kuhn_poker: hidden", "this seat does not see the other seat's card"}};
    if (turn.is_seat()) {
      if (Breach breach = check(rules, table, seen)) return {illegal, std::move(breach)};
    } else if (dealt(table) ? !is_show(seen) : !is_deal(seen) || low(seen) == none) {
      return {illegal, {"kuhn_poker: chance", "now a card is dealt, or both cards are shown"}};
    }
    State next = table;
    play_on(next, seen);
    if (is_show(seen) && next.card[view.seat] != table.card[view.seat])
      return {inconsistent, {"kuhn_poker: cards", "this seat holds another card than is shown"}};
    if (Breach breach = read_table(sheet_of(next), view.seat, next))
      return {inconsistent, std::move(breach)};
    static_cast<State&>(view) = next;
    return {};
  }

  static std::string to_text(Move move) {
    if (move == pass) return "pass";
    if (move == bet) return "bet";
    if (is_deal(move)) return std::string("deal ") + letter(low(move));
    return {'s', 'h', 'o', 'w', ' ', letter(high(move)), ' ', letter(low(move))};
  }
  static std::optional<Move> from_text(std::string_view text) {
    Move move = text == "bet" ? bet : pass;
    if (text.starts_with("deal ") && text.size() == 6) move = deal_of(card_of(text[5]));
    if (text.starts_with("show ") && text.size() == 8)
      move = show_of({{card_of(text[5]), card_of(text[7])}, start, 0});
    return to_text(move) == text ? std::optional(move) : std::nullopt;
  }
  static std::string draw(const Rules&, const State& state) {
    const Sheet sheet = sheet_of(state);
    std::array<std::string, 2> played;
    std::array<int, 2> paid{1, 1};
    for (std::size_t i = 0; i < sheet.line.size(); ++i) {
      played[i & 1] += sheet.line[i] == 'b' ? " bet" : " pass";
      paid[i & 1] += sheet.line[i] == 'b';
    }
    std::string out = "Kuhn poker, " + std::to_string(paid[0] + paid[1]) + " chips in the pot\n";
    for (std::size_t s = 0; s < 2; ++s) {
      out += turn_of(state) == Turn::of(static_cast<Seat>(s)) ? "> seat " : "  seat ";
      out += std::to_string(s) + "  " + sheet.hands[s] + played[s] + "\n";
    }
    return out;
  }
  static Sheet sheet(const Rules&, const State& state) { return sheet_of(state); }
  static Breach read(const Rules&, const Sheet& sheet, State& out) {
    return read_table(sheet, 2, out);
  }
  static Breach read(const Rules&, const Sheet& sheet, Seat seat, View& out) {
    out.seat = seat;
    return read_table(sheet, seat, out);
  }

  static Eyes eyes(const Rules&, const State& state) {
    return {state.card[turn_of(state).seat()], state.line};
  }
  // One of Kuhn's equilibria. Bet with a king. Bet as a bluff with a jack one time in three, call
  // with a queen one time in three as seat 1 and two times in three as seat 0. Else pass.
  static Move greedy(const Rules&, const Eyes& eyes, Rng& rng) {
    const bool facing = eyes.line == b || eyes.line == pb;
    unsigned thirds = 0;
    if (eyes.own == king) thirds = 3;
    if (eyes.own == jack && !facing) thirds = 1;
    if (eyes.own == queen && facing) thirds = eyes.line == pb ? 2 : 1;
    return rng.below(3) < thirds ? bet : pass;
  }
  static Move hint(const Rules& rules, const Eyes& eyes, Rng& rng) {
    return rng.below(4) ? greedy(rules, eyes, rng) : rng.below(2) ? bet : pass;
  }
};

using game_type = KuhnPoker;  // what the list of games picks up
static_assert(check_game<KuhnPoker>());

}  // namespace kibitz::kuhn_poker
