// What a game owes: a few value types and pure functions over them.
//
//     Rules    what never changes during a game: seats, options, tables. Built once, shared, const.
//     State    the whole truth. Trivially copyable, small, bytes are compared and hashed.
//     View     what one seat may know, flattened. Same demands as State.
//     Sampler  built once a view, draws uniform worlds (States) that fit it.
//     Eyes     what the seat to move may know, for policies: peeking does not compile.
//     Sheet    a State or View as plain fields, the form in which it crosses the edge (fields.hpp).
//
// A game is a struct of static functions; docs/adding-a-game.md walks through one. The checks
// below name the function that is missing or has the wrong shape.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <kibitz/core/fault.hpp>
#include <kibitz/core/fields.hpp>
#include <kibitz/core/options.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/core/small_list.hpp>
#include <kibitz/core/types.hpp>

namespace kibitz {

// What a game may say of itself besides, each as `static constexpr bool`:
//     open    nothing is hidden: a view is the whole position, and one world fits it
//     hinted  hinted playouts measured stronger in a search than uniform ones
//     scored  points are what counts, as in a game of chips
template <class G>
constexpr bool is_open() {
  if constexpr (requires { G::open; }) return G::open;
  return false;
}
template <class G>
constexpr bool is_hinted() {
  if constexpr (requires { G::hinted; }) return G::hinted;
  return false;
}
template <class G>
constexpr bool is_scored() {
  if constexpr (requires { G::scored; }) return G::scored;
  return false;
}

// What a settled position is worth to each seat.
struct Worth {
  std::array<double, max_seats> win{};     // expected share of the win, 0..1
  std::array<double, max_seats> margin{};  // the rule book's count, own less others', -1..1
};

template <class G>
using MoveList = SmallList<Move, G::max_moves>;

template <class T>
concept PlainValue = std::is_trivially_copyable_v<T> &&
                     std::has_unique_object_representations_v<T> && std::equality_comparable<T>;

// Names, limits and options.
template <class G>
concept GameFacts = requires {
  { G::slug } -> std::convertible_to<std::string_view>;     // "kami": folder, option, record
  { G::title } -> std::convertible_to<std::string_view>;    // "Kami"
  { G::summary } -> std::convertible_to<std::string_view>;  // one line for a list of games
  { G::version } -> std::convertible_to<int>;               // of the rules: "kami/1" in records
  { G::grammar } -> std::convertible_to<std::string_view>;  // the texts of moves
  { G::max_moves } -> std::convertible_to<std::size_t>;     // longest legal list
  { G::cooperative } -> std::convertible_to<bool>;          // one utility for all seats
  { G::options() } -> std::convertible_to<std::vector<Option>>;  // "players" first
};

template <class G>
concept GameRules = requires(const Choices& choices, const typename G::Rules& rules, Seat seat) {
  { G::rules(choices) } -> std::same_as<typename G::Rules>;
  { G::seats(rules) } -> std::convertible_to<int>;
  { G::team(rules, seat) } -> std::convertible_to<int>;
  { G::max_plies(rules) } -> std::convertible_to<std::int64_t>;  // whole game, silliest play
};

// Play: the truth and nothing else.
template <class G>
concept GamePlay = requires(const typename G::Rules& rules, const typename G::State& state,
                            typename G::State& changing, MoveList<G>& moves, Rng& rng, Move move,
                            void (*each)(Move, std::uint64_t), double* share, int* count) {
  { G::blank(rules) } -> std::same_as<typename G::State>;      // before any chance
  { G::deal(rules, rng) } -> std::same_as<typename G::State>;  // ready for the first decision
  { G::turn(rules, state) } -> std::same_as<Turn>;
  { G::moves(rules, state, moves) } -> std::same_as<void>;
  { G::pick(rules, state, rng) } -> std::same_as<Move>;       // same law as moves, no list
  { G::outcomes(rules, state, each) } -> std::same_as<void>;  // each(outcome, weight)
  { G::roll(rules, state, rng) } -> std::same_as<Move>;
  { G::play(rules, changing, move) } -> std::same_as<void>;   // a listed decision or outcome
  { G::check(rules, state, move) } -> std::same_as<Breach>;   // any code whatever
  { G::settled(rules, state) } -> std::same_as<bool>;         // over, or a natural end (a round)
  { G::worth(rules, state) } -> std::same_as<Worth>;          // of a settled state
  { G::returns(rules, state, share) } -> std::same_as<void>;  // seats(rules) numbers
  { G::score(rules, state, count) } -> std::same_as<int>;     // writes <= max_seats, says how many
};

// Knowledge: what a seat may know, kept up without any State.
template <class G>
concept GameViews = requires(const typename G::Rules& rules, const typename G::State& state,
                             typename G::State& world, const typename G::View& view,
                             typename G::View& changing, const typename G::Sampler& sampler,
                             MoveList<G>& moves, Rng& rng, Move move, Seat seat, Turn turn) {
  { G::view(rules, state, seat) } -> std::same_as<typename G::View>;
  { G::seat(view) } -> std::same_as<Seat>;
  { G::turn(rules, view) } -> std::same_as<Turn>;
  { G::moves(rules, view, moves) } -> std::same_as<void>;  // empty unless the seat is to move
  { G::check(rules, view, move) } -> std::same_as<Breach>;
  { G::seen(rules, state, move, seat) } -> std::same_as<Move>;  // before the move is played
  { G::mask(rules, view, turn, move) } -> std::same_as<Move>;   // a full move as this seat sees it
  { G::observe(rules, changing, turn, move) } -> std::same_as<Verdict>;  // changes only if fine
  requires std::constructible_from<typename G::Sampler, const typename G::Rules&,
                                   const typename G::View&>;
  { sampler.draw(world, rng) } -> std::same_as<void>;
};

// Text and plain fields.
template <class G>
concept GameText =
    requires(const typename G::Rules& rules, const typename G::State& state,
             const typename G::View& view, typename G::State& state_out, typename G::View& view_out,
             const typename G::StateSheet& state_sheet, const typename G::ViewSheet& view_sheet,
             Move move, std::string_view text, Seat seat) {
      { G::to_text(move) } -> std::same_as<std::string>;
      { G::from_text(text) } -> std::same_as<std::optional<Move>>;
      { G::draw(rules, state) } -> std::same_as<std::string>;
      { G::draw(rules, view) } -> std::same_as<std::string>;
      { G::sheet(rules, state) } -> std::same_as<typename G::StateSheet>;
      { G::sheet(rules, view) } -> std::same_as<typename G::ViewSheet>;
      { G::read(rules, state_sheet, state_out) } -> std::same_as<Breach>;  // the rule it breaks
      { G::read(rules, view_sheet, seat, view_out) } -> std::same_as<Breach>;
    };

// Baseline: one paragraph of plain advice, for greedy and for hinted playouts.
template <class G>
concept GameAdvice =
    requires(const typename G::Rules& rules, const typename G::State& state,
             const typename G::View& view, const typename G::Eyes& eyes, Rng& rng) {
      { G::eyes(rules, state) } -> std::same_as<typename G::Eyes>;  // of the seat to move
      { G::eyes(rules, view) } -> std::same_as<typename G::Eyes>;   // the view's seat is to move
      { G::greedy(rules, eyes, rng) } -> std::same_as<Move>;
      { G::hint(rules, eyes, rng) } -> std::same_as<Move>;
    };

template <class G>
concept Game = GameFacts<G> && GameRules<G> && GamePlay<G> && GameViews<G> && GameText<G> &&
               GameAdvice<G> && PlainValue<typename G::State> && PlainValue<typename G::View>;

// static_assert(check_game<MyGame>()) fails in the one part that is not met.
template <class G>
consteval bool check_game() {
  static_assert(
      PlainValue<typename G::State>,
      "State must be trivially copyable, comparable and free of padding (its bytes are compared)");
  static_assert(
      PlainValue<typename G::View>,
      "View must be trivially copyable, comparable and free of padding (its bytes are compared)");
  static_assert(sizeof(typename G::State) <= 512 && sizeof(typename G::View) <= 512,
                "State and View must fit 512 bytes: use counts and sets of bits");
  static_assert(GameFacts<G>,
                "a fact is missing: slug, title, summary, version, grammar, max_moves, "
                "cooperative, options()");
  static_assert(GameRules<G>,
                "Rules: rules(choices), seats, team or max_plies is missing or misshapen");
  static_assert(GamePlay<G>,
                "play: blank, deal, turn, moves, pick, outcomes, roll, play, check, settled, "
                "worth, returns or score is missing or misshapen");
  static_assert(GameViews<G>,
                "views: view, seat, turn, moves, check, seen, mask, observe or a Sampler with "
                "draw(world, rng) is missing or misshapen");
  static_assert(GameText<G>,
                "text: to_text, from_text, draw, sheet or read is missing or misshapen");
  static_assert(GameAdvice<G>, "advice: eyes, greedy or hint is missing or misshapen");
  return Game<G>;
}

}  // namespace kibitz
