// What a game owes is checked when it is compiled: a game that lacks a part is none.
#include <kibitz/core/game.hpp>
#include <kibitz/games/kami/kami.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;
using kami::Kami;

struct PaddedState {
  std::uint64_t hand;
  std::uint8_t seat;  // seven bytes of padding follow: they would be compared, too
  friend bool operator==(const PaddedState&, const PaddedState&) = default;
};

struct Padded : Kami {
  using State = PaddedState;
};

struct NoSampler : Kami {
  struct Sampler {};
};

struct VectorState {
  std::vector<int> deck;
  friend bool operator==(const VectorState&, const VectorState&) = default;
};

struct NoAdvice : Kami {
  using Eyes = int;
};

struct BadSlug : Kami {
  static constexpr int slug = 3;
};

static_assert(Game<Kami>);
static_assert(!PlainValue<PaddedState> && !PlainValue<VectorState>);
static_assert(!Game<Padded>);
static_assert(!GameViews<NoSampler> && !Game<NoSampler>);
static_assert(!GameAdvice<NoAdvice> && !Game<NoAdvice>);
static_assert(!GameFacts<BadSlug> && !Game<BadSlug>);

// Eyes are all that a policy gets: the other hands, hidden cards and the state are out of reach.
template <class Eyes>
concept Peeks = requires(const Eyes& eyes) { eyes.state(); } || requires(const Eyes& eyes) {
  eyes.hand(Seat{1});
} || requires(const Eyes& eyes) { eyes.board(); } || requires(const Eyes& eyes) { eyes.lower(); };
static_assert(!Peeks<Kami::Eyes>);

// A search is built from a view; a state does not do.
static_assert(std::constructible_from<Kami::Sampler, const Kami::Rules&, const Kami::View&>);
static_assert(!std::constructible_from<Kami::Sampler, const Kami::Rules&, const Kami::State&>);

}  // namespace

TEST_CASE("the concept of a game was checked by the compiler") { CHECK(check_game<Kami>()); }
