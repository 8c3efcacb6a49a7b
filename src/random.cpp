// Random streams by name, and the flag that stops a search.
#include "boundary.hpp"

#include <kibitz/core/control.hpp>
#include <kibitz/core/rng.hpp>

namespace kibitz::boundary {

void bind_random(py::module_& m) {
  py::class_<Rng>(m, "Rng", "A stream of random numbers named by (seed, purpose, index).")
      .def(
          py::init([](const py::object& seed, const std::string& purpose, const py::object& index) {
            return Rng(number_from(seed, "seed", 0), purpose, number_from(index, "index", 0));
          }),
          py::arg("seed"), py::arg("purpose"), py::arg("index") = 0)
      .def(
          "below",
          [](Rng& rng, const py::object& bound) {
            return rng.below64(number_from(bound, "bound", 1));
          },
          py::arg("bound"), "A whole number in [0, bound), uniform.");

  py::class_<Control, std::shared_ptr<Control>>(
      m, "Stop", "Asks a running search to stop; usable from any thread.")
      .def(py::init<>())
      .def("stop", [](Control& control) { control.stop = true; })
      .def("clear", [](Control& control) { control.stop = false; })
      .def_property_readonly("stopped", [](const Control& control) { return control.stop.load(); });
}

}  // namespace kibitz::boundary
