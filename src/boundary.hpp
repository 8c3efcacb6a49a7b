// The parts of the Python module, one function a concern, and what they share.
#pragma once

#include "pch.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>

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

// Objects are made by calling the class or not at all: a bare __new__ would give one without a
// value, whose use ends the process. A slot of its own makes Python refuse the inherited __new__.
template <class... Class>
void refuse_bare_new(Class&... classes) {
  static const newfunc made =
      reinterpret_cast<PyTypeObject*>((py::detail::get_internals().instance_base))->tp_new;
  const auto refuse = [](const py::handle& cls) {
    reinterpret_cast<PyTypeObject*>(cls.ptr())->tp_new =
        [](PyTypeObject* type, PyObject* args, PyObject* named) { return made(type, args, named); };
  };
  (refuse(classes), ...);
}

void bind_game(py::module_& m, py::class_<Game>& game);
void bind_positions(py::module_& m, py::class_<AnyState>& state, py::class_<AnyView>& view);
void bind_search(py::module_& m);
void bind_solving(py::module_& m);

std::size_t hash_of(const Game& game);

py::object to_python(const Value& value);
py::dict to_python(const ValueMap& map);

// From dicts, lists, texts, ints, flags and None. Anything else is a Failure of `kind`.
ValueMap map_from(const py::handle& mapping, FaultKind kind, const char* what);

// A whole number in [low, high], or a Failure invalid_option that names `what`.
std::uint64_t number_from(const py::handle& object, const char* what, std::uint64_t low,
                          std::uint64_t high = std::numeric_limits<std::uint64_t>::max());

// A text and a move's code as arguments. What is no text or number is a TypeError, as of any
// function; a text that is not valid Unicode or a number of more than 32 bits is a Failure.
struct Text : std::string {};
struct Code {
  std::uint32_t value = 0;
};
std::string text_from(const py::handle& object, FaultKind kind);

// A number as it is, NaN if the object is none (a flag is none) or too large.
double double_from(const py::handle& object);

// The integer behind an object of any integer type; nothing if it is none.
py::object index_of(const py::handle& object);

// How an object is named in a message.
std::string shown(const py::handle& object);

// How a search departs from its plain formula, for a request whose method and iterations are set;
// a Failure invalid_option names what is wrong.
Tuning tuning_from(const py::dict& given, const Request& request);

// Index of `word` in `words`, or a Failure invalid_option.
std::size_t word_from(const std::string& word, const char* what, const std::string_view* words,
                      std::size_t count);

// Seat of a game; a Failure invalid_option when there is no such seat.
Seat seat_from(const AnyGame& game, const py::handle& object);

// An actor as Python writes it: a seat, -1 for chance.
Turn actor_from(const AnyGame& game, const py::handle& actor);

// What happens between the thread that called, which has the GIL to take, and those that work for
// it: the end of the work, and calls into Python on the way. The calling thread makes those calls,
// one at a time. So Python's thread-local settings are the caller's, Ctrl-C ends a call as it would
// anywhere else, and no working thread ever touches Python.
class Calls {
 public:
  // Thrown to a working thread when a call failed or none is made any more; the caller gets the
  // reason.
  struct Refused {};

  // From a working thread: returns when the calling thread has made the call.
  void make(const std::function<void()>& call);

 private:
  friend void run_interruptible(const Control*, const std::function<void(const Control&)>&, Calls&);

  struct Call {
    const std::function<void()>& function;
    bool made = false;
  };

  std::mutex mutex_;
  std::condition_variable wake_;      // of the calling thread
  std::condition_variable answered_;  // of the others
  std::deque<Call*> waiting_;
  bool done_ = false;
  bool refused_ = false;
};

// Runs `work` off the calling thread without the GIL. Ctrl-C stops it through its Control and
// raises KeyboardInterrupt; signals are looked at every 20 ms, by the main thread only, which alone
// gets them. A call made through `calls` that fails stops the work, and what it threw is rethrown.
void run_interruptible(const Control* outer, const std::function<void(const Control&)>& work,
                       Calls& calls);
void run_interruptible(const Control* outer, const std::function<void(const Control&)>& work);

// A Python function of (views, codes of moves, seats to move) as an evaluator; it is called through
// `calls`, which must outlive it. A Failure if it is no function.
std::unique_ptr<Evaluator> evaluator_from(GamePtr game, const py::object& function, Calls& calls);

}  // namespace kibitz::boundary

namespace pybind11::detail {

template <>
struct type_caster<kibitz::boundary::Text> {
  PYBIND11_TYPE_CASTER(kibitz::boundary::Text, const_name("str"));
  bool load(handle source, bool) {
    if (!PyUnicode_Check(source.ptr())) return false;
    value.assign(kibitz::boundary::text_from(source, kibitz::FaultKind::invalid_option));
    return true;
  }
};

template <>
struct type_caster<kibitz::boundary::Code> {
  PYBIND11_TYPE_CASTER(kibitz::boundary::Code, const_name("int"));
  bool load(handle source, bool) {
    if (!PyIndex_Check(source.ptr())) return false;
    value.value =
        static_cast<std::uint32_t>(kibitz::boundary::number_from(source, "a move", 0, 0xffffffffu));
    return true;
  }
};

}  // namespace pybind11::detail
