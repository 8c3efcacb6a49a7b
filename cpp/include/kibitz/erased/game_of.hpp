// AnyGame for one game: the single place where a game's own types meet the common surface.
// Included by one translation unit a game, so each compiles apart.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kibitz/core/digest.hpp>
#include <kibitz/core/fields.hpp>
#include <kibitz/core/game.hpp>
#include <kibitz/core/laws.hpp>
#include <kibitz/core/perft.hpp>
#include <kibitz/erased/any_game.hpp>
#include <kibitz/erased/search_of.hpp>
#include <kibitz/search/playout.hpp>
#include <kibitz/search/run.hpp>

namespace kibitz {

template <class G>
const GameFactsheet& factsheet() {
  static const GameFactsheet facts = {
      std::string(G::slug),
      std::string(G::title),
      std::string(G::summary),
      std::string(G::slug) + "/" + std::to_string(G::version),
      std::string(G::grammar),
      G::options(),
      describe_fields<typename G::ViewSheet>(),
      describe_fields<typename G::StateSheet>(),
      G::max_moves,
      G::cooperative,
      is_open<G>(),
      solves<G>(),
      is_hinted<G>() ? PlayoutPolicy::hint : PlayoutPolicy::uniform,
      is_scored<G>() ? UtilityKind::score : UtilityKind::win_margin};
  return facts;
}

template <class G>
class GameOf final : public AnyGame {
  using Rules = typename G::Rules;
  using State = typename G::State;
  using View = typename G::View;

 public:
  explicit GameOf(const Choices& chosen) : chosen_(chosen), rules_(G::rules(chosen)) {}

  const GameFactsheet& facts() const override { return factsheet<G>(); }
  ValueMap options() const override {
    ValueMap out;
    const auto& options = facts().options;
    for (std::size_t i = 0; i < options.size(); ++i) {
      Value value = chosen_.value(i);
      // Data that was not given is no option of this game.
      if (!std::holds_alternative<std::monostate>(value.data))
        out.emplace_back(options[i].name, std::move(value));
    }
    return out;
  }
  int seats() const override { return G::seats(rules_); }
  int team(Seat seat) const override { return G::team(rules_, seat); }
  std::int64_t max_plies() const override { return G::max_plies(rules_); }

  AnyState deal(std::uint64_t seed) const override {
    Rng rng(seed, "deal");
    return wrap(G::deal(rules_, rng));
  }
  AnyState blank() const override { return wrap(G::blank(rules_)); }
  AnyState state(const ValueMap& fields) const override {
    typename G::StateSheet sheet;
    fill(fields, sheet);
    State out;
    refuse_position(G::read(rules_, sheet, out));
    return wrap(out);
  }
  AnyView view(Seat seat, const ValueMap& fields) const override {
    typename G::ViewSheet sheet;
    fill(fields, sheet);
    View out;
    refuse_position(G::read(rules_, sheet, seat, out));
    return wrap(out);
  }

  std::string move_text(Move move) const override { return G::to_text(move); }
  Move parse_move(std::string_view text) const override {
    if (const auto move = G::from_text(text)) return *move;
    const std::string given = detail::describe(Value(std::string(text)));
    throw Failure({FaultKind::illegal_move,
                   given + " is no move of " + std::string(G::slug) +
                       "; moves are: " + std::string(G::grammar) + ".",
                   text.size() <= 64 ? std::string(text) : given,
                   {},
                   std::string(G::slug) + ": moves"});
  }

  Turn turn(const AnyState& state) const override { return G::turn(rules_, of(state)); }
  std::vector<Move> moves(const AnyState& state) const override {
    MoveList<G> list;
    G::moves(rules_, of(state), list);
    return {list.begin(), list.end()};
  }
  std::vector<std::pair<Move, std::uint64_t>> outcomes(const AnyState& state) const override {
    std::vector<std::pair<Move, std::uint64_t>> out;
    if (turn(state).is_chance())
      G::outcomes(rules_, of(state),
                  [&](Move move, std::uint64_t weight) { out.emplace_back(move, weight); });
    return out;
  }
  Move pick(const AnyState& state, Rng& rng) const override {
    if (!turn(state).is_seat()) throw not_to_move("no seat is to move");
    return G::pick(rules_, of(state), rng);
  }
  Move roll(const AnyState& state, Rng& rng) const override {
    if (!turn(state).is_chance()) throw not_to_move("it is not chance's turn");
    return G::roll(rules_, of(state), rng);
  }
  Breach check(const AnyState& state, Move move) const override {
    return check_outcome_or(state, move, [&] { return G::check(rules_, of(state), move); });
  }
  AnyState play(const AnyState& state, Move move) const override {
    if (Breach breach = check(state, move))
      throw illegal(move, turn(state), breach, texts(moves(state)));
    State next = of(state);
    G::play(rules_, next, move);
    return wrap(next);
  }
  Move seen(const AnyState& state, Move move, Seat seat) const override {
    return G::seen(rules_, of(state), move, seat);
  }
  AnyView view(const AnyState& state, Seat seat) const override {
    return wrap(G::view(rules_, of(state), seat));
  }
  std::vector<double> returns(const AnyState& state) const override {
    std::vector<double> out(static_cast<std::size_t>(seats()), 0.0);
    if (turn(state).is_over()) G::returns(rules_, of(state), out.data());
    return out;
  }
  std::vector<int> score(const AnyState& state) const override {
    std::array<int, max_seats> count{};
    const int n = G::score(rules_, of(state), count.data());
    return {count.begin(), count.begin() + n};
  }
  bool settled(const AnyState& state) const override { return G::settled(rules_, of(state)); }
  ValueMap fields(const AnyState& state) const override {
    return to_map(G::sheet(rules_, of(state)));
  }
  std::string draw(const AnyState& state) const override { return G::draw(rules_, of(state)); }

  Seat seat(const AnyView& view) const override { return G::seat(of(view)); }
  Turn turn(const AnyView& view) const override { return G::turn(rules_, of(view)); }
  std::vector<Move> moves(const AnyView& view) const override {
    MoveList<G> list;
    G::moves(rules_, of(view), list);
    return {list.begin(), list.end()};
  }
  Breach check(const AnyView& view, Move move) const override {
    return G::check(rules_, of(view), move);
  }
  AnyView observe(const AnyView& view, Turn actor, Move seen) const override {
    View next = of(view);
    Verdict verdict = G::observe(rules_, next, actor, seen);
    if (verdict.kind == Verdict::Kind::fine && G::from_text(G::to_text(seen)) != seen)
      verdict = {Verdict::Kind::illegal, {std::string(G::slug) + ": moves", "that is no event"}};
    if (verdict.kind == Verdict::Kind::fine) return wrap(next);
    const bool contradicts = verdict.kind == Verdict::Kind::inconsistent;
    const std::string who =
        actor.is_seat() ? "seat " + std::to_string(actor.seat()) : std::string("chance");
    std::vector<std::string> allowed;
    if (verdict.kind == Verdict::Kind::too_much)
      allowed = {G::to_text(G::mask(rules_, of(view), actor, seen))};
    else if (actor == Turn::of(seat(view)))
      allowed = texts(moves(view));
    throw Failure({contradicts ? FaultKind::invalid_position : FaultKind::illegal_move,
                   "'" + G::to_text(seen) + "' by " + who + ": " + verdict.breach.why + " (" +
                       verdict.breach.rule + ").",
                   G::to_text(seen), std::move(allowed), verdict.breach.rule});
  }
  Move mask(const AnyView& view, Turn actor, Move move) const override {
    return G::mask(rules_, of(view), actor, move);
  }
  AnyState sample(const AnyView& view, Rng& rng) const override {
    State world;
    typename G::Sampler(rules_, of(view)).draw(world, rng);
    return wrap(world);
  }
  Move greedy(const AnyView& view, Rng& rng) const override {
    must_move(view);
    return G::greedy(rules_, G::eyes(rules_, of(view)), rng);
  }
  ValueMap fields(const AnyView& view) const override { return to_map(G::sheet(rules_, of(view))); }
  std::string draw(const AnyView& view) const override { return G::draw(rules_, of(view)); }

  Analysis analyse(const AnyView& view, const Request& request,
                   const Control& control) const override {
    must_move(view);
    must_allow(view, request);
    return kibitz::analyse<G>(rules_, of(view), request, control);
  }
  std::unique_ptr<AnySearch> search(const AnyView& view, const Request& request) const override {
    must_allow(view, request);
    Request trees = request;  // a tree may grow over many runs
    trees.iterations.clear();
    return with_search<G>(request.method, [&]<class S>() -> std::unique_ptr<AnySearch> {
      return std::make_unique<SearchOf<S, G>>(view, rules_, trees);
    });
  }
  Solution solve(const AnyState& state, const SolveLimits& limits) const override {
    if constexpr (Solvable<G>) {
      return G::solve(rules_, of(state), limits);
    } else {
      throw Failure(
          {FaultKind::invalid_option,
           std::string(G::slug) + " cannot be solved with open hands: it offers no solver.",
           std::string(G::slug),
           {},
           {}});
    }
  }
  std::vector<Divide> perft(const AnyState& state, int depth,
                            const Control& control) const override {
    std::vector<Divide> out;
    divide<G>(rules_, of(state), depth, control,
              [&](Move move, std::uint64_t leaves) { out.push_back({move, leaves}); });
    return out;
  }
  std::pair<AnyState, int> play_out(const AnyState& state, PlayoutPolicy policy,
                                    Rng& rng) const override {
    State end = of(state);
    const int plies = kibitz::play_out<G>(rules_, end, policy, rng);
    return {wrap(end), plies};
  }
  PlayoutReport playouts(const AnyState& state, std::uint64_t count, PlayoutPolicy policy, Rng& rng,
                         const Control& control) const override {
    const State start = of(state);
    PlayoutReport report;
    for (std::uint64_t i = 0; i < count && !(i % 1024 == 0 && control.stopped()); ++i) {
      State end = start;
      report.plies += static_cast<std::uint64_t>(kibitz::play_out<G>(rules_, end, policy, rng));
      report.checksum += digest(&end, std::min<std::size_t>(sizeof end, 16));
    }
    return report;
  }
  std::uint64_t samples(const AnyView& view, std::uint64_t count, Rng& rng,
                        const Control& control) const override {
    const typename G::Sampler sampler(rules_, of(view));
    State world;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count && !(i % 1024 == 0 && control.stopped()); ++i) {
      sampler.draw(world, rng);
      sum += digest(&world, std::min<std::size_t>(sizeof world, 16));
    }
    return sum;
  }
  std::string broken_law(const AnyState& state, Rng& rng) const override {
    return kibitz::broken_law<G>(rules_, of(state), rng);
  }

 private:
  static State of(const AnyState& state) {
    State out;
    std::memcpy(&out, state.data(), sizeof out);
    return out;
  }
  static View of(const AnyView& view) { return view_of<G>(view); }
  AnyState wrap(const State& state) const { return {shared_from_this(), &state, sizeof state}; }
  AnyView wrap(const View& view) const { return {shared_from_this(), &view, sizeof view}; }

  template <class Sheet>
  static void fill(const ValueMap& fields, Sheet& sheet) {
    if (std::string fault = from_map(fields, sheet); !fault.empty())
      throw Failure(
          {FaultKind::invalid_position, std::string(G::slug) + ": " + fault + ".", {}, {}, {}});
  }
  static void refuse_position(const Breach& breach) {
    if (breach)
      throw Failure({FaultKind::invalid_position,
                     std::string(G::slug) + ": " + breach.why + " (" + breach.rule + ").",
                     {},
                     {},
                     breach.rule});
  }
  static Failure not_to_move(std::string why) {
    return Failure({FaultKind::illegal_move, std::string(G::slug) + ": " + why + ".", {}, {}, {}});
  }
  std::vector<std::string> texts(const std::vector<Move>& list) const {
    std::vector<std::string> out;
    for (const Move move : list) out.push_back(G::to_text(move));
    return out;
  }
  void must_allow(const AnyView& view, const Request& request) const {
    for (const Move move : request.allow)
      if (const Breach breach = check(view, move))
        throw illegal(move, turn(view), breach, texts(moves(view)));
  }
  static Failure illegal(Move move, Turn turn, const Breach& breach,
                         std::vector<std::string> allowed) {
    const std::string who =
        turn.is_seat() ? " by seat " + std::to_string(turn.seat()) : std::string();
    return Failure(
        {FaultKind::illegal_move,
         "'" + G::to_text(move) + "'" + who + ": " + breach.why + " (" + breach.rule + ").",
         G::to_text(move), std::move(allowed), breach.rule});
  }
  // A decision is checked by the game; an outcome must be one of those listed.
  template <class Decision>
  Breach check_outcome_or(const AnyState& state, Move move, Decision&& decision) const {
    if (!turn(state).is_chance()) return decision();
    bool listed = false;
    G::outcomes(rules_, of(state), [&](Move outcome, std::uint64_t) { listed |= outcome == move; });
    if (listed) return {};
    return {std::string(G::slug) + ": chance", "that outcome is not possible here"};
  }

  Choices chosen_;
  Rules rules_;
};

template <class G>
const GameEntry& entry_of() {
  static const GameEntry entry = {&factsheet<G>, [](const ValueMap& options) -> GamePtr {
                                    Choices chosen(factsheet<G>().options);
                                    for (const auto& [name, value] : options)
                                      chosen.set(std::string(G::slug), name, value);
                                    return std::make_shared<const GameOf<G>>(chosen);
                                  }};
  return entry;
}

}  // namespace kibitz
