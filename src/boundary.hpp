// The parts of the Python module, one function a concern, and what they share.
#pragma once

#include "pch.hpp"

#include <functional>
#include <limits>

#include <kibitz/erased/any_game.hpp>

namespace kibitz::boundary {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_random(py::module_& m);
// A game as Python holds it.
struct Game {
  GamePtr ptr;
  friend bool operator==(const Game& a, const Game& b);
};

// A read-only property: the getter's own docstring says the type, for the stub, the property's the
// meaning.
template <class Class, class Getter>
void property(Class& cls, const char* name, Getter getter, const char* type,
              const char* meaning = "") {
  const std::string signature = std::string("(self) -> ") + type;
  cls.def_property_readonly(name, py::cpp_function(getter, py::is_method(cls), signature.c_str()),
                            meaning);
}

void bind_game(py::module_& m, py::class_<Game>& game);
void bind_positions(py::module_& m, py::class_<AnyState>& state, py::class_<AnyView>& view);
void bind_search(py::module_& m);

std::size_t hash_of(const Game& game);

py::object to_python(const Value& value);
py::dict to_python(const ValueMap& map);

// From dicts, lists, texts, ints, flags and None. Anything else is a Failure of `kind`.
ValueMap map_from(const py::handle& mapping, FaultKind kind, const char* what);

// A whole number in [low, high], or a Failure invalid_option that names `what`.
std::uint64_t number_from(const py::handle& object, const char* what, std::uint64_t low,
                          std::uint64_t high = std::numeric_limits<std::uint64_t>::max());

// Index of `word` in `words`, or a Failure invalid_option.
std::size_t word_from(const std::string& word, const char* what, const std::string_view* words,
                      std::size_t count);

// Seat of a game; a Failure invalid_option when there is no such seat.
Seat seat_from(const AnyGame& game, const py::handle& object);

// An actor as Python writes it: a seat, -1 for chance.
Turn actor_from(const AnyGame& game, int actor);

// Runs `work` off the calling thread without the GIL. Ctrl-C stops it through its Control and
// raises KeyboardInterrupt; signals are looked at every 20 ms, by the main thread only, which alone
// gets them.
void run_interruptible(const Control* outer, const std::function<void(const Control&)>& work);

}  // namespace kibitz::boundary
