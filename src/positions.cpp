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
template <class Position, class Class>
void bind_common(Class& cls) {
  cls.def_property_readonly("game", [](const Position& p) { return Game{p.game()}; })
      .def_property_readonly("turn", [](const Position& p) { return p.game()->turn(p).value(); })
      .def_property_readonly("digest", &digest_of<Position>)
      .def("moves", [](const Position& p) { return codes(p.game()->moves(p)); })
      .def(
          "check",
          [](const Position& p, std::uint32_t move) {
            const Breach breach = p.game()->check(p, {move});
            return breach ? breach.why + " (" + breach.rule + ")" : std::string();
          },
          py::arg("move"))
      .def("to_dict", [](const Position& p) { return to_python(p.game()->fields(p)); })
      .def("draw", [](const Position& p) { return p.game()->draw(p); })
      .def("__eq__", &equal<Position>, py::is_operator())
      .def("__hash__", [](const Position& p) { return digest_of(p) ^ hash_of({p.game()}); });
}

PlayoutPolicy policy_from(const std::string& name) {
  return static_cast<PlayoutPolicy>(
      word_from(name, "playout", policy_names, std::size(policy_names)));
}

}  // namespace

void bind_positions(py::module_& m) {
  py::class_<AnyState> state(m, "State", "The whole truth.");
  bind_common<AnyState>(state);
  state
      .def("outcomes",
           [](const AnyState& s) {
             std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
             for (const auto& [move, weight] : s.game()->outcomes(s))
               out.emplace_back(move.code, weight);
             return out;
           })
      .def(
          "pick", [](const AnyState& s, Rng& rng) { return s.game()->pick(s, rng).code; },
          py::arg("rng"))
      .def(
          "roll", [](const AnyState& s, Rng& rng) { return s.game()->roll(s, rng).code; },
          py::arg("rng"))
      .def(
          "play", [](const AnyState& s, std::uint32_t move) { return s.game()->play(s, {move}); },
          py::arg("move"))
      .def(
          "seen",
          [](const AnyState& s, std::uint32_t move, const py::object& seat) {
            return s.game()->seen(s, {move}, seat_from(*s.game(), seat)).code;
          },
          py::arg("move"), py::arg("seat"))
      .def(
          "view",
          [](const AnyState& s, const py::object& seat) {
            return s.game()->view(s, seat_from(*s.game(), seat));
          },
          py::arg("seat"))
      .def("returns", [](const AnyState& s) { return s.game()->returns(s); })
      .def("score", [](const AnyState& s) { return s.game()->score(s); })
      .def("settled", [](const AnyState& s) { return s.game()->settled(s); })
      .def(
          "broken_law", [](const AnyState& s, Rng& rng) { return s.game()->broken_law(s, rng); },
          py::arg("rng"), "The first law this position breaks, or ''.")
      .def(
          "playout",
          [](const AnyState& s, Rng& rng, const std::string& policy) {
            return s.game()->play_out(s, policy_from(policy), rng);
          },
          py::arg("rng"), py::arg("policy") = "uniform");

  py::class_<AnyView> view(m, "View", "What one seat may know.");
  bind_common<AnyView>(view);
  view.def_property_readonly("seat",
                             [](const AnyView& v) { return static_cast<int>(v.game()->seat(v)); })
      .def(
          "observe",
          [](const AnyView& v, int actor, std::uint32_t seen) {
            return v.game()->observe(v, actor_from(*v.game(), actor), {seen});
          },
          py::arg("actor"), py::arg("seen"))
      .def(
          "mask",
          [](const AnyView& v, int actor, std::uint32_t move) {
            return v.game()->mask(v, actor_from(*v.game(), actor), {move}).code;
          },
          py::arg("actor"), py::arg("move"))
      .def(
          "sample", [](const AnyView& v, Rng& rng) { return v.game()->sample(v, rng); },
          py::arg("rng"))
      .def(
          "greedy", [](const AnyView& v, Rng& rng) { return v.game()->greedy(v, rng).code; },
          py::arg("rng"));

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
      py::arg("state"), py::arg("depth"));
  m.def(
      "playouts",
      [](const AnyState& s, const py::object& count, Rng& rng, const std::string& policy) {
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
      py::arg("state"), py::arg("count"), py::arg("rng"), py::arg("policy") = "uniform");
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
      py::arg("view"), py::arg("count"), py::arg("rng"));
}

}  // namespace kibitz::boundary
