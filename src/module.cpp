// kibitz._core: what Python calls. No rules and no search here.
#include "boundary.hpp"

PYBIND11_MODULE(_core, m, pybind11::mod_gil_not_used()) {
  using namespace kibitz::boundary;
  // Each docstring begins with its signature in Python's words: casters take more than they should
  // promise, and the stub is made from these lines (tools/stubs.py).
  pybind11::options options;
  options.disable_function_signatures();

  m.doc() = R"doc(The compiled core. Private: use the names exported by `kibitz`.

Everything here is an immutable value or a plain function. Moves, outcomes and what a seat sees of them
are 32-bit codes; `Game.move_text` and `Game.parse_move` turn them into text and back. Seats are 0-based;
an actor of -1 is chance, -2 means the game is over. Errors are the classes of `kibitz.errors`.)doc";
  m.attr("CHANCE") = kibitz::Turn::chance().value();
  m.attr("OVER") = kibitz::Turn::over().value();
  bind_errors(m);
  bind_random(m);
  // Classes before functions, so that signatures can name them.
  pybind11::class_<Game> game(m, "Game",
                              "One game with its options fixed. Equal and hashable by value.");
  pybind11::class_<kibitz::AnyState> state(m, "State",
                                           "The whole truth. Equal and hashable by value.");
  pybind11::class_<kibitz::AnyView> view(m, "View",
                                         "What one seat may know. Equal and hashable by value.");
  refuse_bare_new(game, state, view);
  bind_game(m, game);
  bind_positions(m, state, view);
  bind_search(m);
  bind_solving(m);
}
