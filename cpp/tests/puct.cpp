// puct without Python: virtual loss undone to the last visit, an evaluator that throws, priors of
// moves that look alike, nodes that move while leaves wait.
#include <kibitz/search/puct.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include <kibitz/games/kami/kami.hpp>
#include <kibitz/games/tic_tac_toe/tic_tac_toe.hpp>

#include "check.hpp"

namespace {

using namespace kibitz;
using Ttt = tic_tac_toe::game_type;
using Kami = kami::game_type;

// Even priors and 1/2 for everybody, unless `change` has more to say.
struct Judge final : Evaluator {
  void judge(std::span<Leaf> leaves) override {
    sizes.push_back(leaves.size());
    for (Leaf& leaf : leaves) {
      std::fill(leaf.priors.begin(), leaf.priors.end(),
                1.0f / static_cast<float>(leaf.moves.size()));
      leaf.utility.fill(0.5);
      if (change) change(leaf);
    }
  }
  std::vector<std::size_t> sizes;
  std::function<void(Leaf&)> change;
};

Request request_of(Evaluator& evaluator, std::uint64_t iterations, std::uint32_t batch) {
  Request request;
  request.method = Method::puct;
  request.iterations = {iterations};
  request.evaluator = &evaluator;
  request.batch = batch;
  return request;
}

template <class G>
std::vector<Row> rows_of(const Puct<G>& search, std::size_t moves) {
  std::vector<Row> rows(moves);
  std::vector<std::uint64_t> most(moves, 0);
  search.report(rows, most);
  return rows;
}

std::uint64_t visits(const std::vector<Row>& rows) {
  std::uint64_t sum = 0;
  for (const Row& row : rows) sum += row.visits;
  return sum;
}

template <class G>
typename G::Rules rules_of() {
  return G::rules(Choices(G::options()));
}

// The first decision with several moves.
template <class G>
typename G::View choice(const typename G::Rules& rules, std::uint64_t seed) {
  Rng rng(seed, "test");
  typename G::State state = G::deal(rules, rng);
  MoveList<G> moves;
  for (;;) {
    const Turn turn = G::turn(rules, state);
    if (turn.is_seat()) {
      moves.clear();
      G::moves(rules, state, moves);
      if (moves.size() > 1) return G::view(rules, state, turn.seat());
    }
    G::play(rules, state, turn.is_seat() ? G::pick(rules, state, rng) : G::roll(rules, state, rng));
  }
}

}  // namespace

TEST_CASE("puct: visits and sums are those of the judgements, whatever the batch") {
  const auto rules = rules_of<Ttt>();
  const auto view = choice<Ttt>(rules, 1);
  for (const std::uint32_t batch : {1u, 2u, 5u, 16u, 64u, max_batch}) {
    Judge judge;
    Puct<Ttt> search(rules, view, request_of(judge, 60, batch), 0);
    while (search.iterations() < 60) {
      const std::uint64_t before = search.iterations();
      search.iterate();
      CHECK(search.iterations() == std::min<std::uint64_t>(before + batch, 60));
      const std::vector<Row> rows = rows_of(search, 9);
      CHECK(visits(rows) == search.iterations());
      // 60 visits of the empty board meet no end of the game: all is worth 1/2.
      for (const Row& row : rows)
        CHECK(row.total == static_cast<std::int64_t>(row.visits) * utility_unit / 2);
    }
    search.iterate();  // no more is asked for
    CHECK(search.iterations() == 60);
    CHECK(judge.sizes.front() == 1);
    CHECK(*std::max_element(judge.sizes.begin(), judge.sizes.end()) <= batch);
  }
}

TEST_CASE("puct: an evaluator that throws leaves the tree as it was, fit to go on") {
  const auto rules = rules_of<Ttt>();
  const auto view = choice<Ttt>(rules, 1);
  for (const std::uint32_t batch : {1u, 4u, 32u}) {
    Judge judge;
    Puct<Ttt> search(rules, view, request_of(judge, 4000, batch), 0);
    const auto fails = [](Leaf&) { throw std::runtime_error("the net"); };
    for (int round = 0; round < 3; ++round) {  // so few visits meet no end of the game
      search.iterate();
      const std::vector<Row> before = rows_of(search, 9);
      judge.change = fails;
      CHECK_THROWS_AS(search.iterate(), std::runtime_error);
      judge.change = {};
      const std::vector<Row> after = rows_of(search, 9);
      CHECK(search.iterations() == (round + 1) * std::uint64_t{batch});
      for (std::size_t i = 0; i < 9; ++i) {
        CHECK(after[i].visits == before[i].visits);
        CHECK(after[i].total == before[i].total);
      }
    }
    int calls = 0;
    judge.change = [&](Leaf& leaf) {
      if (++calls % 7 == 0) fails(leaf);
    };
    int thrown = 0;
    while (search.iterations() < 4000) {
      try {
        search.iterate();
      } catch (const std::runtime_error&) {
        ++thrown;
      }
      CHECK(visits(rows_of(search, 9)) == search.iterations());
    }
    CHECK(thrown > 50);
  }
}

TEST_CASE("puct: a prior of 1 takes all visits as long as values tell nothing") {
  const auto rules = rules_of<Ttt>();
  const auto view = choice<Ttt>(rules, 1);
  for (std::size_t wanted = 0; wanted < 9; ++wanted) {
    Judge judge;
    judge.change = [wanted](Leaf& leaf) {
      if (leaf.moves.size() < 9) return;
      std::fill(leaf.priors.begin(), leaf.priors.end(), 0.0f);
      leaf.priors[wanted] = 1.0f;
    };
    Puct<Ttt> search(rules, view, request_of(judge, 30, 1), 0);
    while (search.iterations() < 30) search.iterate();
    CHECK(rows_of(search, 9)[wanted].visits == 30);
  }
}

TEST_CASE("puct: where no prior is above 0, all moves are tried alike") {
  const auto rules = rules_of<Ttt>();
  const auto view = choice<Ttt>(rules, 1);
  Judge judge;
  judge.change = [](Leaf& leaf) { std::fill(leaf.priors.begin(), leaf.priors.end(), 0.0f); };
  Puct<Ttt> search(rules, view, request_of(judge, 45, 1), 0);
  while (search.iterations() < 45) search.iterate();
  for (const Row& row : rows_of(search, 9)) CHECK(row.visits == 5);
}

TEST_CASE("puct: worlds with other hands make nodes grow while leaves wait; sums stay right") {
  const auto rules = rules_of<Kami>();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto view = choice<Kami>(rules, seed);
    MoveList<Kami> legal;
    Kami::moves(rules, view, legal);
    for (const std::uint32_t batch : {1u, 16u, 256u}) {
      Judge judge;
      int views = 0;
      judge.change = [&](Leaf& leaf) {
        Kami::View mover;
        REQUIRE(leaf.view.size() == sizeof mover);
        std::memcpy(&mover, leaf.view.data(), sizeof mover);
        MoveList<Kami> moves;
        Kami::moves(rules, mover, moves);
        CHECK(Kami::seat(mover) == leaf.mover);
        CHECK(std::equal(moves.begin(), moves.end(), leaf.moves.begin(), leaf.moves.end()));
        ++views;
      };
      Puct<Kami> search(rules, view, request_of(judge, 3000, batch), 0);
      while (search.iterations() < 3000) search.iterate();
      const std::vector<Row> rows = rows_of(search, legal.size());
      CHECK(visits(rows) == 3000);
      CHECK(views > 0);
      for (const Row& row : rows) {
        CHECK(row.total >= 0);
        CHECK(row.total <= static_cast<std::int64_t>(row.visits) * utility_unit);
      }
    }
  }
}
