// Random streams by name, and the flag that stops a search.
#include "boundary.hpp"

#include <kibitz/core/control.hpp>
#include <kibitz/core/rng.hpp>

namespace kibitz::boundary {

void bind_random(py::module_& m) {
  py::class_<Rng> stream(m, "Rng", "A stream of random numbers named by (seed, purpose, index).");
  stream
      .def(py::init([](const py::object& seed, const Text& purpose, const py::object& index) {
             return Rng(number_from(seed, "seed", 0), purpose, number_from(index, "index", 0));
           }),
           py::arg("seed"), py::arg("purpose"), py::arg("index") = 0,
           "__init__(self, seed: int, purpose: str, index: int = 0) -> None")
      .def(
          "below",
          [](Rng& rng, const py::object& bound) {
            return rng.below64(number_from(bound, "bound", 1));
          },
          py::arg("bound"),
          "below(self, bound: int) -> int\n\nA whole number in [0, bound), uniform.");

  py::class_<Control, std::shared_ptr<Control>> stop(
      m, "Stop", "Asks a running search to stop; usable from any thread.");
  stop.def(py::init<>(), "__init__(self) -> None")
      .def(
          "stop", [](Control& control) { control.stop = true; }, "stop(self) -> None")
      .def("clear", [](Control& control) { control.stop = false; }, "clear(self) -> None");
  refuse_bare_new(stream, stop);
  property(stop, "stopped", [](const Control& control) { return control.stop.load(); }, "bool");
}

}  // namespace kibitz::boundary
