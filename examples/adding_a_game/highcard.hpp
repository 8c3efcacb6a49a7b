// High Card: one card each from a pack of 1 to n. In turn each seat keeps its card or changes it
// for the top card of the pack, once and unseen. Then both cards are shown and the higher one wins.
//
// Invented as the example of docs/adding-a-game.md, which walks through this file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/game.hpp>

namespace kibitz::highcard {

// [types]
inline constexpr std::uint8_t none = 0;      // no card there
inline constexpr std::uint8_t unknown = 15;  // in a view: a card that this seat has not seen

struct Rules {
  int cards = 9;
};

enum class Phase : std::uint8_t { deal, choose, show, over };

// The whole truth.
struct State {
  std::array<std::uint8_t, 2> hand;   // card by seat, none while it waits for one
  std::array<std::uint8_t, 2> aside;  // the card it has changed, none if it has not
  Phase phase;
  Seat to_move;  // who chooses or is dealt a card; 1 from the show on
  friend bool operator==(const State&, const State&) = default;
};

// The same table with `unknown` for what the seat has not seen. So most functions are written once,
// for a State, and serve a View as well.
struct View : State {
  Seat seat;
  friend bool operator==(const View&, const View&) = default;
};
static_assert(sizeof(State) == 6 && sizeof(View) == 7);

// Decisions: 1 keep, 2 change. Outcomes: 0x010 | card, a card is dealt (15 where it is masked);
// 0x100 | card of seat 0 << 4 | card of seat 1, both are shown.
inline constexpr Move keep{1};
inline constexpr Move change{2};
constexpr Move deal_of(unsigned card) { return {0x10 | card}; }
constexpr Move show_of(unsigned a, unsigned b) { return {0x100 | a << 4 | b}; }
constexpr bool is_deal(Move move) { return move.code >> 4 == 1; }
constexpr bool is_show(Move move) { return move.code >> 8 == 1; }
constexpr std::uint8_t low(Move move) { return move.code & 15; }
constexpr std::uint8_t high(Move move) { return move.code >> 4 & 15; }
// [end]

// [play]
// The cards that a table does not place, ascending; for a State that is the pack.
struct Pack {
  Pack(const Rules& rules, const State& table) {
    for (std::uint8_t c = 1; c <= rules.cards; ++c)
      if (c != table.hand[0] && c != table.hand[1] && c != table.aside[0] && c != table.aside[1])
        card[count++] = c;
  }
  std::array<std::uint8_t, 9> card{};
  std::uint32_t count = 0;
};

constexpr Turn turn_of(const State& table) {
  if (table.phase == Phase::choose) return Turn::of(table.to_move);
  return table.phase == Phase::over ? Turn::over() : Turn::chance();
}

// A listed decision or outcome. A masked card is 15, which is `unknown`: a view plays along.
constexpr void play_on(State& table, Move move) {
  const Seat seat = table.to_move;
  bool done = move == keep;
  if (move == change) {
    table.aside[seat] = std::exchange(table.hand[seat], none);
    table.phase = Phase::deal;
  } else if (is_deal(move)) {
    table.hand[seat] = low(move);
    done = table.aside[seat] != none;
    if (!done && seat == 1) table.phase = Phase::choose;  // both have their first card
    if (!done) table.to_move = 1 - seat;
  } else if (is_show(move)) {
    table.hand = {high(move), low(move)};
    table.phase = Phase::over;
  }
  if (!done) return;
  table.phase = seat == 0 ? Phase::choose : Phase::show;
  table.to_move = 1;
}
// [end]

// [views]
// Who is dealt a card sees it, the other seat does not. All else is public.
constexpr Move masked(const State& table, Move move, Seat seat) {
  return is_deal(move) && table.to_move != seat ? deal_of(unknown) : move;
}

// Uniform worlds: the cards not seen lie in the places not seen, every order equally likely.
class Sampler {
 public:
  Sampler(const Rules& rules, const View& view) : table_(view), pack_(rules, view) {}
  void draw(State& world, Rng& rng) const {
    world = table_;
    Pack pack = pack_;
    shuffle(pack.card.data(), pack.count, rng);
    for (auto* cards : {&world.hand, &world.aside})
      for (std::uint8_t& card : *cards)
        if (card == unknown) card = pack.card[--pack.count];
  }

 private:
  State table_;
  Pack pack_;
};

// All that the advice may use.
struct Eyes {
  int cards;
  int own;
  bool other_kept;
};
// [end]

// [fields]
// A position as plain fields; one sheet serves State and View.
struct Sheet {
  std::string hands;
  std::string aside = "--";
  std::string phase = "choose";
  int to_move = 0;

  template <class V>
  void fields(V&& v) {
    v("hands", hands, "card by seat: a digit, x where not seen, - where there is none");
    v("aside", aside, "card that each seat has changed, likewise");
    v("phase", phase, "deal, choose, show or over");
    v("to_move", to_move, "seat that chooses or is dealt a card; 1 in show and over");
  }
  friend bool operator==(const Sheet&, const Sheet&) = default;
};

constexpr char letter(unsigned card) {
  return card == none ? '-' : card == unknown ? 'x' : static_cast<char>('0' + card);
}

inline Sheet sheet_of(const State& table) {
  constexpr std::array<const char*, 4> phases = {"deal", "choose", "show", "over"};
  return {{letter(table.hand[0]), letter(table.hand[1])},
          {letter(table.aside[0]), letter(table.aside[1])},
          phases[static_cast<std::size_t>(table.phase)],
          table.to_move};
}

// The table of a sheet as `seat` may know it, or as it is (2). A table is good if play leads to it:
// play towards it and see.
inline Breach read_table(const Rules& rules, const Sheet& sheet, Seat seat, State& out) {
  const auto bad = [](const char* why) { return Breach{"highcard: position", why}; };
  State goal{};
  unsigned met = 0;
  if (sheet.hands.size() != 2 || sheet.aside.size() != 2)
    return bad("'hands' and 'aside' have two characters each, one a seat");
  for (std::size_t i = 0; i < 4; ++i) {
    const char c = i < 2 ? sheet.hands[i] : sheet.aside[i - 2];
    const bool hides = seat < 2 && i % 2 != seat && (i >= 2 || sheet.phase != "over");
    const bool digit = c >= '1' && c <= '0' + rules.cards;
    if (c != '-' && (hides ? c != 'x' : !digit))
      return bad(hides ? "this seat may know no more than 'x' of a card of the other seat"
                       : "a card is a digit from 1 to the number of cards in the pack");
    if (digit && (met >> (c - '0') & 1)) return bad("one card is in two places");
    if (digit) met |= 1u << (c - '0');
    (i < 2 ? goal.hand[i] : goal.aside[i - 2]) = c == '-'   ? none
                                                 : c == 'x' ? unknown
                                                            : static_cast<std::uint8_t>(c - '0');
  }
  State at{};
  while (sheet_of(at) != sheet) {
    const Seat s = at.to_move;
    Move next = show_of(goal.hand[0], goal.hand[1]);
    if (at.phase == Phase::choose) next = goal.aside[s] ? change : keep;
    if (at.phase == Phase::deal)
      next = deal_of(goal.aside[s] && !at.aside[s] ? goal.aside[s] : goal.hand[s]);
    if (at.phase == Phase::over || next == deal_of(none))
      return bad("no play leads to a table with these hands, cards aside, phase and seat to move");
    play_on(at, next);
  }
  out = at;
  return {};
}
// [end]

struct HighCard {
  // [facts]
  using Rules = highcard::Rules;
  using State = highcard::State;
  using View = highcard::View;
  using Sampler = highcard::Sampler;
  using Eyes = highcard::Eyes;
  using StateSheet = Sheet;
  using ViewSheet = Sheet;

  static constexpr std::string_view slug = "highcard";
  static constexpr std::string_view title = "High Card";
  static constexpr std::string_view summary =
      "keep or change one hidden card; the higher card wins";
  static constexpr int version = 1;
  static constexpr std::string_view grammar =
      "keep, change; outcomes: deal 7 (deal x where not seen), show 73";
  static constexpr std::size_t max_moves = 2;
  static constexpr bool cooperative = false;

  static std::vector<Option> options() {
    return {Option::integer("players", 2, 2, 2, "seats, each for itself"),
            Option::integer("cards", 4, 9, 9, "cards in the pack, from 1 to that number")};
  }
  static Rules rules(const Choices& chosen) { return {chosen["cards"]}; }
  static int seats(const Rules&) { return 2; }
  static int team(const Rules&, Seat seat) { return seat; }
  static std::int64_t max_plies(const Rules&) { return 2; }
  // [end]

  // [struct play]
  static State blank(const Rules&) { return {}; }
  static State deal(const Rules& rules, Rng& rng) {
    State state{};
    while (turn_of(state).is_chance()) play_on(state, roll(rules, state, rng));
    return state;
  }
  static Turn turn(const Rules&, const State& state) { return turn_of(state); }
  static void moves(const Rules&, const State& state, MoveList<HighCard>& out) {
    out.clear();
    if (!turn_of(state).is_seat()) return;
    out.push_back(keep);
    out.push_back(change);
  }
  static Move pick(const Rules&, const State&, Rng& rng) { return rng.below(2) ? change : keep; }
  template <class Each>
  static void outcomes(const Rules& rules, const State& state, Each&& each) {
    const Pack pack(rules, state);
    if (state.phase == Phase::show)
      each(show_of(state.hand[0], state.hand[1]), std::uint64_t{1});
    else
      for (std::uint32_t i = 0; i < pack.count; ++i) each(deal_of(pack.card[i]), std::uint64_t{1});
  }
  static Move roll(const Rules& rules, const State& state, Rng& rng) {
    if (state.phase == Phase::show) return show_of(state.hand[0], state.hand[1]);
    const Pack pack(rules, state);
    return deal_of(pack.card[rng.below(pack.count)]);
  }
  static void play(const Rules&, State& state, Move move) { play_on(state, move); }
  static Breach check(const Rules&, const State& state, Move move) {
    if (!turn_of(state).is_seat()) return {"highcard: turn", "no seat is to choose here"};
    if (move == keep || move == change) return {};
    return {"highcard: moves", "a seat may keep or change its card and do nothing else"};
  }
  static bool settled(const Rules&, const State& state) { return state.phase >= Phase::show; }
  static Worth worth(const Rules& rules, const State& state) {
    Worth worth;
    returns(rules, state, worth.win.data());
    for (std::size_t s = 0; s < 2; ++s)
      worth.margin[s] = static_cast<double>(state.hand[s] - state.hand[1 - s]) / rules.cards;
    return worth;
  }
  static void returns(const Rules&, const State& state, double* share) {
    for (std::size_t s = 0; s < 2; ++s) share[s] = state.hand[s] > state.hand[1 - s];
  }
  static int score(const Rules&, const State& state, int* count) {
    for (std::size_t s = 0; s < 2; ++s) count[s] = state.phase == Phase::over ? state.hand[s] : 0;
    return 2;
  }
  // [end]

  // [struct views]
  static View view(const Rules&, const State& state, Seat seat) {
    View view{state, seat};
    const std::size_t other = 1 - seat;
    if (state.hand[other] && state.phase != Phase::over) view.hand[other] = unknown;
    if (state.aside[other]) view.aside[other] = unknown;
    return view;
  }
  static Seat seat(const View& view) { return view.seat; }
  static void moves(const Rules& rules, const View& view, MoveList<HighCard>& out) {
    out.clear();
    if (turn(rules, view) == Turn::of(view.seat))
      moves(rules, static_cast<const State&>(view), out);
  }
  static Breach check(const Rules& rules, const View& view, Move move) {
    if (turn(rules, view) == Turn::of(1 - view.seat))
      return {"highcard: turn", "it is the other seat's turn to choose"};
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
      return {wrong_actor, {"highcard: turn", "the other seat, or chance, comes first"}};
    if (masked(table, seen, view.seat) != seen)
      return {too_much, {"highcard: hidden", "this seat does not see which card is dealt"}};
    if (turn.is_seat()) {
      if (Breach breach = check(rules, table, seen)) return {illegal, std::move(breach)};
    } else if (table.phase == Phase::show ? !is_show(seen) : !is_deal(seen)) {
      return {illegal, {"highcard: chance", "now a card is dealt, or both cards are shown"}};
    }
    State next = table;
    play_on(next, seen);
    if (is_show(seen) && next.hand[view.seat] != table.hand[view.seat])
      return {inconsistent, {"highcard: cards", "this seat holds another card than is shown"}};
    if (Breach breach = read_table(rules, sheet_of(next), view.seat, next))
      return {inconsistent, std::move(breach)};
    static_cast<State&>(view) = next;
    return {};
  }
  // [end]

  // [struct text]
  static std::string to_text(Move move) {
    if (move == keep) return "keep";
    if (move == change) return "change";
    if (is_deal(move)) return {'d', 'e', 'a', 'l', ' ', letter(low(move))};
    return {'s', 'h', 'o', 'w', ' ', letter(high(move)), letter(low(move))};
  }
  static std::optional<Move> from_text(std::string_view text) {
    const auto card = [&](std::size_t i) {
      return text[i] == 'x' ? unknown : static_cast<unsigned>(text[i] - '0') & 15;
    };
    Move move = text == "change" ? change : keep;
    if (text.starts_with("deal ") && text.size() == 6) move = deal_of(card(5));
    if (text.starts_with("show ") && text.size() == 7) move = show_of(card(5), card(6));
    return to_text(move) == text ? std::optional(move) : std::nullopt;
  }
  static std::string draw(const Rules&, const State& state) {
    const Sheet sheet = sheet_of(state);
    std::string out = "High Card, " + sheet.phase + "\n";
    for (std::size_t s = 0; s < 2; ++s) {
      out += s == state.to_move && sheet.phase == "choose" ? "> seat " : "  seat ";
      out += std::to_string(s) + "  " + sheet.hands[s];
      if (state.aside[s]) out += std::string(", changed ") + sheet.aside[s];
      out += "\n";
    }
    return out;
  }
  static Sheet sheet(const Rules&, const State& state) { return sheet_of(state); }
  static Breach read(const Rules& rules, const Sheet& sheet, State& out) {
    return read_table(rules, sheet, 2, out);
  }
  static Breach read(const Rules& rules, const Sheet& sheet, Seat seat, View& out) {
    out.seat = seat;
    return read_table(rules, sheet, seat, out);
  }
  // [end]

  // [struct advice]
  static Eyes eyes(const Rules& rules, const State& state) {
    const Seat seat = state.to_move;
    return {rules.cards, state.hand[seat], seat == 1 && state.aside[0] == none};
  }
  // Change a card of the lower half; after a seat that kept, of the lower two thirds.
  static Move greedy(const Rules&, const Eyes& eyes, Rng&) {
    const int most = eyes.other_kept ? 2 * eyes.cards / 3 : eyes.cards / 2;
    return eyes.own <= most ? change : keep;
  }
  static Move hint(const Rules& rules, const Eyes& eyes, Rng& rng) {
    return rng.below(4) ? greedy(rules, eyes, rng) : rng.below(2) ? change : keep;
  }
  // [end]
};

// [entry]
using game_type = HighCard;  // what the list of games picks up
static_assert(check_game<HighCard>());
// [end]

}  // namespace kibitz::highcard
