// kibitz._core: what Python calls. No rules and no search here.
#include "boundary.hpp"

PYBIND11_MODULE(_core, m, pybind11::mod_gil_not_used()) {
  using namespace kibitz::boundary;
  m.doc() = "The compiled core of kibitz. Private: use the names that kibitz exports.";
  m.attr("CHANCE") = kibitz::Turn::chance().value();
  m.attr("OVER") = kibitz::Turn::over().value();
  bind_errors(m);
  bind_random(m);
  bind_game(m);
  bind_positions(m);
  bind_search(m);
}
