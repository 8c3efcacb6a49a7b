// Plain values across the boundary, and the checks of numbers and words.
#include "boundary.hpp"

namespace kibitz::boundary {

namespace {

constexpr int max_nesting = 16;

Failure unfit(FaultKind kind, const std::string& message, std::string given = {}) {
  return Failure({kind, message, std::move(given), {}, {}});
}

std::string short_repr(const py::handle& object) {
  // A repr may run foreign code and fail: then the type's name has to do.
  try {
    std::string text = py::repr(object).cast<std::string>();
    if (text.size() > 60) {
      text.resize(57);
      // Not in the middle of a UTF-8 sequence.
      while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
        text.pop_back();
      if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.pop_back();
      text += "...";
    }
    return text;
  } catch (const std::exception&) {
    return std::string("a ") + Py_TYPE(object.ptr())->tp_name;
  }
}

std::string text_from(const py::handle& object, FaultKind kind) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    throw unfit(kind, "a text is not valid Unicode.");
  }
  return {text, static_cast<std::size_t>(size)};
}

Value value_from(const py::handle& object, FaultKind kind, int nesting) {
  if (nesting > max_nesting) throw unfit(kind, "values are nested more than 16 deep.");
  if (object.is_none()) return {};
  if (py::isinstance<py::bool_>(object)) return Value(object.cast<bool>());
  if (py::isinstance<py::int_>(object)) {
    int overflow = 0;
    const long long i = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow)
      throw unfit(kind, "a number has more than 18 digits: " + short_repr(object) + ".");
    return Value(static_cast<std::int64_t>(i));
  }
  if (py::isinstance<py::str>(object)) return Value(text_from(object, kind));
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    ValueList out;
    for (const py::handle item : object) out.push_back(value_from(item, kind, nesting + 1));
    return Value(std::move(out));
  }
  if (py::isinstance<py::dict>(object)) {
    ValueMap out;
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(object)) {
      if (!py::isinstance<py::str>(key))
        throw unfit(kind, "a key is not a text: " + short_repr(key) + ".");
      out.emplace_back(text_from(key, kind), value_from(item, kind, nesting + 1));
    }
    return Value(std::move(out));
  }
  throw unfit(
      kind,
      short_repr(object) +
          " cannot be used here: values are numbers, true, false, null, texts, lists and objects.",
      short_repr(object));
}

}  // namespace

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
    throw unfit(kind,
                std::string(what) + " must be an object with named fields, not " +
                    short_repr(mapping) + ".",
                short_repr(mapping));
  return std::get<ValueMap>(value_from(mapping, kind, 0).data);
}

std::uint64_t number_from(const py::handle& object, const char* what, std::uint64_t low,
                          std::uint64_t high) {
  std::uint64_t number = 0;
  bool fits = PyIndex_Check(object.ptr()) && !py::isinstance<py::bool_>(object);
  if (fits) {
    const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!integer) {
      PyErr_Clear();
      fits = false;
    } else {
      number = PyLong_AsUnsignedLongLong(integer.ptr());
      if (PyErr_Occurred()) {
        PyErr_Clear();
        fits = false;
      }
    }
  }
  if (fits && number >= low && number <= high) return number;
  const std::string bound = high == std::numeric_limits<std::uint64_t>::max() && low > 0
                                ? "at least " + std::to_string(low)
                                : "from " + std::to_string(low) + " to " + std::to_string(high);
  throw Failure({FaultKind::invalid_option,
                 std::string(what) + " is " + short_repr(object) + "; it must be a whole number " +
                     bound + ".",
                 short_repr(object),
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

Turn actor_from(const AnyGame& game, int actor) {
  if (actor == Turn::chance().value()) return Turn::chance();
  return Turn::of(seat_from(game, py::int_(actor)));
}

}  // namespace kibitz::boundary
