// Positions solved with open hands.
#include "boundary.hpp"

namespace kibitz::boundary {

namespace {

py::list values_list(const SeatValues& values, int seats) {
  py::list out;
  for (int seat = 0; seat < seats; ++seat) out.append(values[static_cast<std::size_t>(seat)]);
  return out;
}

py::object solve(const AnyState& state, const py::object& nodes, const py::object& max_bytes,
                 bool every_move, const std::shared_ptr<Control>& stop) {
  SolveLimits limits;
  limits.every_move = every_move;
  if (!nodes.is_none()) limits.nodes = number_from(nodes, "nodes", 1);
  if (!max_bytes.is_none())
    limits.bytes = number_from(max_bytes, "max_bytes", 1 << 20, std::uint64_t{1} << 40);
  Solution found;
  run_interruptible(stop.get(), [&](const Control& control) {
    limits.control = &control;
    found = state.game()->solve(state, limits);
  });
  const int seats = state.game()->seats();
  py::dict out;
  out["solved"] = found.solved;
  out["nodes"] = found.nodes;
  out["values"] = found.solved ? py::object(values_list(found.values, seats)) : py::none();
  py::list moves;
  for (const SolvedMove& each : found.moves)
    moves.append(py::make_tuple(each.move.code, values_list(each.values, seats)));
  out["moves"] = moves;
  py::list line;
  for (const auto& [turn, move] : found.line) line.append(py::make_tuple(turn.value(), move.code));
  out["line"] = line;
  return out;
}

}  // namespace

void bind_solving(py::module_& m) {
  m.def(
      "solve", &solve, py::arg("state"), py::kw_only(), py::arg("nodes") = py::none(),
      py::arg("max_bytes") = py::none(), py::arg("every_move") = true, py::arg("stop") = py::none(),
      R"doc(solve(state: State, *, nodes: int | None = None, max_bytes: int | None = None, every_move: bool = True, stop: Stop | None = None) -> dict[str, typing.Any]

What every seat can have with open hands. Releases the GIL; Ctrl-C raises KeyboardInterrupt.

Keys: solved (False: a limit ended it), nodes, values (by seat, in the unit of info()["solves"], or None), moves
(legal order, each a move and its values), line ([(actor, move)], best play). Raises InvalidOption if the game offers
no solver.)doc");
}

}  // namespace kibitz::boundary
