// States and views as immutable values.
#include "boundary.hpp"

#include <cstring>

#include <kibitz/core/digest.hpp>

namespace kibitz::boundary {

namespace {

template <class Position>
bool equal(const Position& a, const Position& b) {
  return Game{a.game()} == Game{b.game()} && a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size()) == 0;
}

template <class Position>
std::uint64_t digest_of(const Position& position) {
  return digest(position.data(), position.size());
}

std::vector<std::uint32_t> codes(const std::vector<Move>& moves) {
  std::vector<std::uint32_t> out;
  for (const Move move : moves) out.push_back(move.code);
  return out;
}

// What State and View share.
template <class Position>
void bind_common(py::class_<Position>& cls) {
  property(cls, "game", [](const Position& p) { return Game{p.game()}; }, "Game");
  property(
      cls, "turn", [](const Position& p) { return p.game()->turn(p).value(); }, "int",
      "Seat to decide, CHANCE or OVER.");
  property(cls, "digest", &digest_of<Position>, "int", "64 bits, the same on every machine.");
  cls.def(
         "moves", [](const Position& p) { return codes(p.game()->moves(p)); },
         "moves(self) -> list[int]\n\nLegal decisions in fixed order; of a view, its own seat's.")
      .def(
          "check",
          [](const Position& p, Code move) {
            const Breach breach = p.game()->check(p, {move.value});
            return breach ? breach.why + " (" + breach.rule + ")" : std::string();
          },
          py::arg("move"), "check(self, move: int) -> str\n\nThe rule that the move breaks, or ''.")
      .def(
          "to_dict", [](const Position& p) { return to_python(p.game()->fields(p)); },
          "to_dict(self) -> dict[str, typing.Any]")
      .def(
          "draw", [](const Position& p) { return p.game()->draw(p); },
          "draw(self) -> str\n\nThe table for a terminal.")
      .def("__eq__", &equal<Position>, py::is_operator(), "__eq__(self, other: object) -> bool")
      .def(
          "__hash__", [](const Position& p) { return digest_of(p) ^ hash_of({p.game()}); },
          "__hash__(self) -> int");
}

PlayoutPolicy policy_from(const std::string& name) {
  return static_cast<PlayoutPolicy>(
      word_from(name, "playout", policy_names, std::size(policy_names)));
}

}  // namespace

void bind_positions(py::module_& m, py::class_<AnyState>& state, py::class_<AnyView>& view) {
  bind_common(state);
  state
      .def(
          "outcomes",
          [](const AnyState& s) {
            std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
            for (const auto& [move, weight] : s.game()->outcomes(s))
              out.emplace_back(move.code, weight);
            return out;
          },
          "outcomes(self) -> list[tuple[int, int]]\n\nOutcomes with weights; [] unless it is "
          "chance's "
          "turn.")
      .def(
          "pick", [](const AnyState& s, Rng& rng) { return s.game()->pick(s, rng).code; },
          py::arg("rng"), "pick(self, rng: Rng) -> int\n\nA legal decision, uniform.")
      .def(
          "roll", [](const AnyState& s, Rng& rng) { return s.game()->roll(s, rng).code; },
          py::arg("rng"), "roll(self, rng: Rng) -> int\n\nAn outcome, by weight.")
      .def(
          "play", [](const AnyState& s, Code move) { return s.game()->play(s, {move.value}); },
          py::arg("move"),
          "play(self, move: int) -> State\n\nThe state after a decision or outcome. Raises "
          "IllegalMove.")
      .def(
          "seen",
          [](const AnyState& s, Code move, const py::object& seat) {
            return s.game()->seen(s, {move.value}, seat_from(*s.game(), seat)).code;
          },
          py::arg("move"), py::arg("seat"),
          "seen(self, move: int, seat: int) -> int\n\nWhat that seat sees of the move about to be "
          "played.")
      .def(
          "view",
          [](const AnyState& s, const py::object& seat) {
            return s.game()->view(s, seat_from(*s.game(), seat));
          },
          py::arg("seat"), "view(self, seat: int) -> View")
      .def(
          "returns", [](const AnyState& s) { return s.game()->returns(s); },
          "returns(self) -> list[float]\n\nEach seat's share of the win; all 0 before the end.")
      .def(
          "score", [](const AnyState& s) { return s.game()->score(s); },
          "score(self) -> list[int]\n\nThe rule book's count, at any time.")
      .def(
          "settled", [](const AnyState& s) { return s.game()->settled(s); },
          "settled(self) -> bool\n\nOver, or at a natural end where a playout stops.")
      .def(
          "broken_law", [](const AnyState& s, Rng& rng) { return s.game()->broken_law(s, rng); },
          py::arg("rng"),
          "broken_law(self, rng: Rng) -> str\n\nThe first law of games broken at this position, or "
          "''.")
      .def(
          "playout",
          [](const AnyState& s, Rng& rng, const Text& policy) {
            return s.game()->play_out(s, policy_from(policy), rng);
          },
          py::arg("rng"), py::arg("policy") = "uniform",
          "playout(self, rng: Rng, policy: str = 'uniform') -> tuple[State, int]\n\nA settled "
          "state "
          "reached by light play, and the plies to it.");

  bind_common(view);
  property(
      view, "seat", [](const AnyView& v) { return static_cast<int>(v.game()->seat(v)); }, "int");
  view.def(
          "observe",
          [](const AnyView& v, const py::object& actor, Code seen) {
            return v.game()->observe(v, actor_from(*v.game(), actor), {seen.value});
          },
          py::arg("actor"), py::arg("seen"),
          "observe(self, actor: int, seen: int) -> View\n\nThe view after an event as this seat "
          "saw "
          "it. Raises IllegalMove, InvalidPosition.")
      .def(
          "mask",
          [](const AnyView& v, const py::object& actor, Code move) {
            return v.game()->mask(v, actor_from(*v.game(), actor), {move.value}).code;
          },
          py::arg("actor"), py::arg("move"),
          "mask(self, actor: int, move: int) -> int\n\nWhat this seat may see of a move given in "
          "full.")
      .def(
          "sample", [](const AnyView& v, Rng& rng) { return v.game()->sample(v, rng); },
          py::arg("rng"), "sample(self, rng: Rng) -> State\n\nA uniform world that fits the view.")
      .def(
          "greedy", [](const AnyView& v, Rng& rng) { return v.game()->greedy(v, rng).code; },
          py::arg("rng"),
          "greedy(self, rng: Rng) -> int\n\nThe plain baseline's decision. Raises IllegalMove "
          "unless "
          "it is this seat's turn.");

  m.def(
      "perft",
      [](const AnyState& s, const py::object& depth) {
        const int d = static_cast<int>(number_from(depth, "depth", 0, 1000));
        std::vector<Divide> rows;
        run_interruptible(nullptr,
                          [&](const Control& control) { rows = s.game()->perft(s, d, control); });
        std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
        for (const Divide& row : rows) out.emplace_back(row.move.code, row.leaves);
        return out;
      },
      py::arg("state"), py::arg("depth"),
      "perft(state: State, depth: int) -> list[tuple[int, int]]\n\nEach first move or outcome with "
      "the leaves below it at that depth.");
  m.def(
      "playouts",
      [](const AnyState& s, const py::object& count, Rng& rng, const Text& policy) {
        const std::uint64_t n = number_from(count, "count", 1);
        const PlayoutPolicy how = policy_from(policy);
        PlayoutReport report;
        Rng stream = rng;
        run_interruptible(nullptr, [&](const Control& control) {
          report = s.game()->playouts(s, n, how, stream, control);
        });
        rng = stream;
        return std::make_pair(report.plies, report.checksum);
      },
      py::arg("state"), py::arg("count"), py::arg("rng"), py::arg("policy") = "uniform",
      "playouts(state: State, count: int, rng: Rng, policy: str = 'uniform') -> tuple[int, int]\n\n"
      "Plies and a checksum of many playouts from one state.");
  m.def(
      "samples",
      [](const AnyView& v, const py::object& count, Rng& rng) {
        const std::uint64_t n = number_from(count, "count", 1);
        std::uint64_t sum = 0;
        Rng stream = rng;
        run_interruptible(nullptr, [&](const Control& control) {
          sum = v.game()->samples(v, n, stream, control);
        });
        rng = stream;
        return sum;
      },
      py::arg("view"), py::arg("count"), py::arg("rng"),
      "samples(view: View, count: int, rng: Rng) -> int\n\nA checksum of many worlds.");
}

}  // namespace kibitz::boundary
