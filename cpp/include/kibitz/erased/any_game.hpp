// One surface for all games: what Python sees. A game with its options fixed is an AnyGame; its
// States and Views travel as opaque values. Everything here may allocate and throw Failure;
// searches and playouts run inside, on the game's own types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kibitz/core/control.hpp>
#include <kibitz/core/fault.hpp>
#include <kibitz/core/options.hpp>
#include <kibitz/core/rng.hpp>
#include <kibitz/core/solution.hpp>
#include <kibitz/core/types.hpp>
#include <kibitz/core/value.hpp>
#include <kibitz/search/analysis.hpp>
#include <kibitz/search/request.hpp>

namespace kibitz {

class AnyGame;
using GamePtr = std::shared_ptr<const AnyGame>;

// A State or View of some game, as bytes; `Tag` keeps the two apart.
template <class Tag>
class Opaque {
 public:
  static constexpr std::size_t max_bytes = 512;

  Opaque(GamePtr game, const void* bytes, std::size_t size) : game_(std::move(game)), size_(size) {
    std::memcpy(bytes_.data(), bytes, size);
  }
  const GamePtr& game() const { return game_; }
  const void* data() const { return bytes_.data(); }
  std::size_t size() const { return size_; }

 private:
  GamePtr game_;
  std::size_t size_;
  alignas(16) std::array<std::byte, max_bytes> bytes_;
};

using AnyState = Opaque<struct StateTag>;
using AnyView = Opaque<struct ViewTag>;

// Facts of a game before options are chosen.
struct GameFactsheet {
  std::string slug, title, summary, rules, grammar;
  std::vector<Option> options;
  ValueList start;  // fields of a view or start
  ValueList setup;  // fields of a state or setup
  std::size_t max_moves;
  bool cooperative;
  bool open;              // nothing is hidden
  std::string solves;     // what the values of a solution count; empty: it solves nothing
  PlayoutPolicy playout;  // the one that measured better in a search
  UtilityKind utility;    // what a search maximises unless told otherwise
};

struct Divide {
  Move move;
  std::uint64_t leaves;
};

struct PlayoutReport {
  std::uint64_t plies = 0;
  std::uint64_t checksum = 0;  // over the digests of the final states
};

// A search that lives on: run as often as one likes, looked at from any thread, moved along with
// the game. One run at a time.
class AnySearch {
 public:
  virtual ~AnySearch() = default;

  virtual AnyView view() const = 0;
  // Until a limit of these is met (iterations, deadline, nodes; a run's own). Throws illegal_move
  // unless the view's seat is to move, and invalid_option during a run.
  virtual void run(const Request& limits, const Control& control) = 0;
  // What was found so far, also during a run. Throws illegal_move unless the seat is to move.
  virtual Analysis snapshot() = 0;
  // To the view after an event as its seat sees it. Throws as AnyGame::observe, and invalid_option
  // during a run; nothing is changed then.
  virtual void advance(Turn actor, Move seen) = 0;
  virtual std::uint64_t reused() const = 0;  // visits that came along to this view
};

class AnyGame : public std::enable_shared_from_this<AnyGame> {
 public:
  virtual ~AnyGame() = default;

  virtual const GameFactsheet& facts() const = 0;
  virtual ValueMap options() const = 0;  // all of them, with their values
  virtual int seats() const = 0;
  virtual int team(Seat seat) const = 0;
  virtual std::int64_t max_plies() const = 0;

  virtual AnyState deal(std::uint64_t seed) const = 0;
  virtual AnyState blank() const = 0;
  virtual AnyState state(const ValueMap& fields) const = 0;           // throws invalid_position
  virtual AnyView view(Seat seat, const ValueMap& fields) const = 0;  // throws invalid_position

  virtual std::string move_text(Move move) const = 0;
  virtual Move parse_move(std::string_view text) const = 0;  // throws illegal_move

  virtual Turn turn(const AnyState& state) const = 0;
  virtual std::vector<Move> moves(const AnyState& state) const = 0;
  virtual std::vector<std::pair<Move, std::uint64_t>> outcomes(const AnyState& state) const = 0;
  virtual Move pick(const AnyState& state,
                    Rng& rng) const = 0;  // throws illegal_move unless a seat is to move
  virtual Move roll(const AnyState& state,
                    Rng& rng) const = 0;  // throws illegal_move unless chance is
  virtual Breach check(const AnyState& state, Move move) const = 0;
  virtual AnyState play(const AnyState& state, Move move) const = 0;  // throws illegal_move
  virtual Move seen(const AnyState& state, Move move, Seat seat) const = 0;
  virtual AnyView view(const AnyState& state, Seat seat) const = 0;
  virtual std::vector<double> returns(const AnyState& state) const = 0;
  virtual std::vector<int> score(const AnyState& state) const = 0;
  virtual bool settled(const AnyState& state) const = 0;
  virtual ValueMap fields(const AnyState& state) const = 0;
  virtual std::string draw(const AnyState& state) const = 0;

  virtual Seat seat(const AnyView& view) const = 0;
  virtual Turn turn(const AnyView& view) const = 0;
  virtual std::vector<Move> moves(const AnyView& view) const = 0;
  virtual Breach check(const AnyView& view, Move move) const = 0;
  virtual AnyView observe(const AnyView& view, Turn actor, Move seen) const = 0;  // throws
  virtual Move mask(const AnyView& view, Turn actor, Move move) const = 0;
  virtual AnyState sample(const AnyView& view, Rng& rng) const = 0;
  virtual Move greedy(const AnyView& view,
                      Rng& rng) const = 0;  // throws illegal_move unless its turn
  virtual ValueMap fields(const AnyView& view) const = 0;
  virtual std::string draw(const AnyView& view) const = 0;

  // Throws illegal_move unless the view's seat is to move.
  virtual Analysis analyse(const AnyView& view, const Request& request,
                           const Control& control) const = 0;
  // For a method that searches; the request's limits are for nothing here. The view's seat need not
  // be to move yet.
  virtual std::unique_ptr<AnySearch> search(const AnyView& view, const Request& request) const = 0;
  // With open hands. Throws invalid_option if the game solves nothing.
  virtual Solution solve(const AnyState& state, const SolveLimits& limits) const = 0;
  virtual std::vector<Divide> perft(const AnyState& state, int depth,
                                    const Control& control) const = 0;
  virtual std::pair<AnyState, int> play_out(const AnyState& state, PlayoutPolicy policy,
                                            Rng& rng) const = 0;
  virtual PlayoutReport playouts(const AnyState& state, std::uint64_t count, PlayoutPolicy policy,
                                 Rng& rng, const Control& control) const = 0;
  virtual std::uint64_t samples(const AnyView& view, std::uint64_t count, Rng& rng,
                                const Control& control) const = 0;
  virtual std::string broken_law(const AnyState& state, Rng& rng) const = 0;
};

// One line of the list of games.
struct GameEntry {
  const GameFactsheet& (*facts)();
  GamePtr (*load)(const ValueMap& options);  // throws invalid_option
};

const std::vector<const GameEntry*>& game_entries();
const GameEntry& find_game(std::string_view slug);  // throws unknown_game

}  // namespace kibitz
