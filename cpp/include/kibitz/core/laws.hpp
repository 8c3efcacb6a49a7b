// The laws that can be checked at one position, for any game: lists without duplicates, pick and
// moves agree, texts and fields round trip, views agree with their worlds, seen moves rebuild
// views. The walk over many positions is the caller's: perft tests and the shared suite in
// tests/test_laws.py.
#pragma once

#include <cstring>
#include <string>

#include <kibitz/core/fields.hpp>
#include <kibitz/core/game.hpp>

namespace kibitz {

namespace detail {

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class G>
std::string broken_view_law(const typename G::Rules& rules, const typename G::State& state,
                            Seat seat, Rng& rng) {
  using View = typename G::View;
  const View view = G::view(rules, state, seat);
  const std::string who = " (seat " + std::to_string(seat) + ")";
  if (G::turn(rules, view) != G::turn(rules, state))
    return "view and state disagree about the turn" + who;
  MoveList<G> listed;
  G::moves(rules, view, listed);
  const bool to_move = G::turn(rules, state) == Turn::of(seat);
  if (listed.empty() == to_move) return "a view lists moves exactly when its seat is to move" + who;
  if (to_move) {
    MoveList<G> truth;
    G::moves(rules, state, truth);
    if (truth.size() != listed.size()) return "law 1: view and state list different moves" + who;
    for (std::size_t i = 0; i < truth.size(); ++i)
      if (truth[i] != listed[i]) return "law 1: view and state list different moves" + who;
  }
  typename G::State world;
  const typename G::Sampler sampler(rules, view);
  sampler.draw(world, rng);
  if (!same_bytes(G::view(rules, world, seat), view))
    return "law 1: the view of a sampled world differs" + who;
  MoveList<G> there;
  if (G::turn(rules, world).is_seat()) {
    G::moves(rules, world, there);
    if (there.empty()) return "law 1: the mover of a sampled world has no legal move" + who;
    if (to_move && (there.size() != listed.size()))
      return "law 1: a sampled world lists other moves" + who;
  }
  typename G::State read_world;
  if (const Breach breach = G::read(rules, G::sheet(rules, world), read_world))
    return "law 2: a sampled world is no position: " + breach.why + who;
  View again;
  if (const Breach breach = G::read(rules, G::sheet(rules, view), seat, again))
    return "law 6: a view's own fields are refused: " + breach.why + who;
  if (!same_bytes(again, view)) return "law 6: a view's fields do not give it back" + who;
  return {};
}

// Law 4, one step: after `move`, the view kept up from what the seat saw equals the view of the
// truth.
template <class G>
std::string broken_step_law(const typename G::Rules& rules, const typename G::State& state,
                            Move move) {
  const Turn turn = G::turn(rules, state);
  typename G::State next = state;
  G::play(rules, next, move);
  for (int s = 0; s < G::seats(rules); ++s) {
    const Seat seat = static_cast<Seat>(s);
    const std::string who = "'" + G::to_text(move) + "' (seat " + std::to_string(s) + ")";
    auto view = G::view(rules, state, seat);
    const Move seen = G::seen(rules, state, move, seat);
    if (G::mask(rules, view, turn, move) != seen) return "law 4: mask and seen disagree on " + who;
    const Verdict verdict = G::observe(rules, view, turn, seen);
    if (verdict.kind != Verdict::Kind::fine)
      return "law 4: a view refuses " + who + ": " + verdict.breach.why;
    if (!same_bytes(view, G::view(rules, next, seat)))
      return "law 4: observing gives another view after " + who;
    const auto back = G::from_text(G::to_text(seen));
    if (!back || *back != seen)
      return "law 6: the text of a seen move does not give it back: " + who;
  }
  return {};
}

}  // namespace detail

// The first law broken at this position, as a sentence, or nothing.
template <class G>
std::string broken_law(const typename G::Rules& rules, const typename G::State& state, Rng& rng) {
  const Turn turn = G::turn(rules, state);
  typename G::State again;
  if (const Breach breach = G::read(rules, G::sheet(rules, state), again))
    return "law 6: a state's own fields are refused: " + breach.why;
  if (!detail::same_bytes(again, state)) return "law 6: a state's fields do not give it back";
  for (int s = 0; s < G::seats(rules); ++s)
    if (std::string law = detail::broken_view_law<G>(rules, state, static_cast<Seat>(s), rng);
        !law.empty())
      return law;
  if (turn.is_over()) return {};
  if (turn.is_chance()) return detail::broken_step_law<G>(rules, state, G::roll(rules, state, rng));

  MoveList<G> moves;
  G::moves(rules, state, moves);
  if (moves.empty()) return "law 5: a seat is to move and has no legal move";
  for (std::size_t i = 0; i < moves.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (moves[i] == moves[j]) return "law 5: '" + G::to_text(moves[i]) + "' is listed twice";
    if (const Breach breach = G::check(rules, state, moves[i]))
      return "law 5: a listed move is refused: " + breach.why;
    if (std::string law = detail::broken_step_law<G>(rules, state, moves[i]); !law.empty())
      return law;
  }
  if (!moves.contains(G::pick(rules, state, rng)))
    return "law 5: pick gives a move that is not listed";
  // Any code whatever: refused if and only if it is not listed.
  const Move noise{static_cast<std::uint32_t>(rng.next())};
  if (moves.contains(noise) == static_cast<bool>(G::check(rules, state, noise)))
    return "law 5: check and moves disagree on code " + std::to_string(noise.code);
  const Move advised = G::hint(rules, G::eyes(rules, state), rng);
  if (!moves.contains(advised)) return "the hint is not legal: '" + G::to_text(advised) + "'";
  if (!moves.contains(G::greedy(rules, G::eyes(rules, state), rng)))
    return "the greedy move is not legal";
  return {};
}

}  // namespace kibitz
