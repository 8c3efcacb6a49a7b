// Plain values across the boundary, and the checks of numbers and words.
#include "boundary.hpp"

namespace kibitz::boundary {

namespace {

constexpr int max_nesting = 16;

Failure unfit(FaultKind kind, const std::string& message, std::string given = {}) {
  return Failure({kind, message, std::move(given), {}, {}});
}

// `where` names the field, for messages.
Value value_from(const py::handle& object, FaultKind kind, const std::string& where, int nesting) {
  if (nesting > max_nesting) throw unfit(kind, where + " is nested more than 16 deep.");
  if (object.is_none()) return {};
  if (py::isinstance<py::bool_>(object)) return Value(object.cast<bool>());
  if (const py::object integer = index_of(object)) {
    int overflow = 0;
    const long long i = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (!overflow) return Value(static_cast<std::int64_t>(i));
    throw unfit(kind, where + " cannot be " + shown(object) + ": it has more than 18 digits.",
                shown(object));
  }
  if (py::isinstance<py::str>(object)) return Value(text_from(object, kind));
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    ValueList out;
    for (const py::handle item : object) out.push_back(value_from(item, kind, where, nesting + 1));
    return Value(std::move(out));
  }
  if (py::isinstance<py::dict>(object)) {
    ValueMap out;
    // A copy: what the items run to say what they are may change the dict under our feet.
    const auto fixed = py::reinterpret_steal<py::dict>(PyDict_Copy(object.ptr()));
    for (const auto& [key, item] : fixed) {
      if (!py::isinstance<py::str>(key))
        throw unfit(kind, where + " has a key that is not a text: " + shown(key) + ".", shown(key));
      std::string name = text_from(key, kind);
      Value value = value_from(item, kind, nesting ? where : shown(key), nesting + 1);
      out.emplace_back(std::move(name), std::move(value));
    }
    return Value(std::move(out));
  }
  throw unfit(kind,
              where + " cannot be " + shown(object) +
                  ": values are numbers, true, false, null, texts, lists and objects.",
              shown(object));
}

}  // namespace

std::string shown(const py::handle& object) {
  return py::module_::import("kibitz.errors").attr("shown")(object).cast<std::string>();
}

std::string text_from(const py::handle& object, FaultKind kind) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    throw unfit(kind, shown(object) + " is not valid Unicode.", shown(object));
  }
  return {text, static_cast<std::size_t>(size)};
}

double double_from(const py::handle& object) {
  const bool real = py::isinstance<py::float_>(object) || py::isinstance<py::int_>(object);
  if (!real || py::isinstance<py::bool_>(object)) return std::numeric_limits<double>::quiet_NaN();
  const double number = PyFloat_AsDouble(object.ptr());
  if (!PyErr_Occurred()) return number;
  PyErr_Clear();
  return std::numeric_limits<double>::quiet_NaN();
}

py::object index_of(const py::handle& object) {
  if (!PyIndex_Check(object.ptr()) || py::isinstance<py::bool_>(object)) return {};
  auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (integer) return integer;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw py::error_already_set();  // Ctrl-C
  PyErr_Clear();
  return {};
}

py::object to_python(const Value& value) {
  struct Visitor {
    py::object operator()(std::monostate) const { return py::none(); }
    py::object operator()(bool b) const { return py::bool_(b); }
    py::object operator()(std::int64_t i) const { return py::int_(i); }
    py::object operator()(const std::string& s) const { return py::str(s); }
    py::object operator()(const ValueList& list) const {
      py::list out;
      for (const Value& item : list) out.append(to_python(item));
      return out;
    }
    py::object operator()(const ValueMap& map) const { return to_python(map); }
  };
  return std::visit(Visitor{}, value.data);
}

py::dict to_python(const ValueMap& map) {
  py::dict out;
  for (const auto& [key, value] : map) out[py::str(key)] = to_python(value);
  return out;
}

ValueMap map_from(const py::handle& mapping, FaultKind kind, const char* what) {
  if (!py::isinstance<py::dict>(mapping))
    throw unfit(
        kind,
        std::string(what) + " must be an object with named fields, not " + shown(mapping) + ".",
        shown(mapping));
  return std::get<ValueMap>(value_from(mapping, kind, what, 0).data);
}

std::uint64_t number_from(const py::handle& object, const char* what, std::uint64_t low,
                          std::uint64_t high) {
  std::uint64_t number = 0;
  bool fits = false;
  if (const py::object integer = index_of(object)) {
    number = PyLong_AsUnsignedLongLong(integer.ptr());
    fits = !PyErr_Occurred();
    PyErr_Clear();
  }
  if (fits && number >= low && number <= high) return number;
  const std::string bound = high == std::numeric_limits<std::uint64_t>::max() && low > 0
                                ? "of at least " + std::to_string(low)
                                : "from " + std::to_string(low) + " to " + std::to_string(high);
  throw Failure(
      {FaultKind::invalid_option,
       std::string(what) + " is " + shown(object) + "; it must be a whole number " + bound + ".",
       shown(object),
       {bound},
       {}});
}

std::size_t word_from(const std::string& word, const char* what, const std::string_view* words,
                      std::size_t count) {
  std::string list;
  std::vector<std::string> allowed;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i] == word) return i;
    list += (list.empty() ? "" : ", ") + std::string(words[i]);
    allowed.emplace_back(words[i]);
  }
  const std::string given = detail::describe(Value(word));
  throw Failure({FaultKind::invalid_option,
                 std::string(what) + " cannot be " + given + "; allowed: " + list + ".",
                 given,
                 std::move(allowed),
                 {}});
}

Seat seat_from(const AnyGame& game, const py::handle& object) {
  return static_cast<Seat>(
      number_from(object, "seat", 0, static_cast<std::uint64_t>(game.seats() - 1)));
}

Turn actor_from(const AnyGame& game, const py::handle& actor) {
  if (const py::object integer = index_of(actor))
    if (integer.equal(py::int_(Turn::chance().value()))) return Turn::chance();
  return Turn::of(seat_from(game, actor));
}

}  // namespace kibitz::boundary
