// A Python function as the evaluator of a search: what it is given, and what it may answer.
#include "boundary.hpp"

#include <algorithm>
#include <cmath>

#include <pybind11/numpy.h>

#include <kibitz/search/evaluator.hpp>

namespace kibitz::boundary {

namespace {

using Numbers = py::array_t<double, py::array::c_style>;

Failure unfit(const std::string& message, std::string given = {}) {
  return Failure({FaultKind::invalid_option, message, std::move(given), {}, {}});
}

// "(3, 4)", "(3,)"
std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

// A text of a number as Python writes it.
std::string number_text(double number) { return py::repr(py::float_(number)).cast<std::string>(); }

// An answer as an array of that shape. `what` and `meaning` are for the message.
Numbers numbers_from(const py::object& given, const char* what, py::ssize_t rows,
                     py::ssize_t columns, const char* meaning) {
  py::array array;
  try {
    array = py::module_::import("numpy").attr("asarray")(given);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;  // Ctrl-C
    throw unfit(std::string("The evaluator's ") + what +
                    " are no array: " + py::str(error.value()).cast<std::string>() + ".",
                shown(given));
  }
  if (std::string("fiub").find(array.dtype().kind()) == std::string::npos)
    throw unfit(std::string("The evaluator's ") + what + " are " + shown(given) + ", of type " +
                    py::str(array.dtype()).cast<std::string>() +
                    "; they must be an array of real numbers.",
                shown(given));
  if (array.ndim() != 2 || array.shape(0) != rows || array.shape(1) != columns)
    throw unfit(std::string("The evaluator's ") + what + " have the shape " + shape_text(array) +
                    "; it must be (" + std::to_string(rows) + ", " + std::to_string(columns) +
                    "): " + meaning + ".",
                shape_text(array));
  return Numbers::ensure(array);
}

// Priors of one leaf, scaled to a sum of 1; what lies past its moves is not looked at.
void take_priors(const double* row, std::size_t leaf, std::span<float> priors) {
  double sum = 0;
  for (std::size_t i = 0; i < priors.size(); ++i) {
    if (!std::isfinite(row[i]) || row[i] < 0)
      throw unfit("The evaluator's priors have " + number_text(row[i]) + " for move " +
                      std::to_string(i) + " of leaf " + std::to_string(leaf) +
                      "; a prior must be a finite number from 0.",
                  number_text(row[i]));
    sum += row[i];
  }
  if (!(sum > 0) || !std::isfinite(sum))
    throw unfit("The evaluator's priors of leaf " + std::to_string(leaf) + " add up to " +
                    number_text(sum) + " over its " + std::to_string(priors.size()) +
                    " legal moves; the sum must be finite and above 0.",
                number_text(sum));
  for (std::size_t i = 0; i < priors.size(); ++i) priors[i] = static_cast<float>(row[i] / sum);
}

void take_values(const double* row, std::size_t leaf, std::span<double> utility) {
  for (std::size_t seat = 0; seat < utility.size(); ++seat) {
    if (!(row[seat] >= 0 && row[seat] <= 1))
      throw unfit("The evaluator's values have " + number_text(row[seat]) + " for seat " +
                      std::to_string(seat) + " of leaf " + std::to_string(leaf) +
                      "; a value must be a utility from 0 to 1.",
                  number_text(row[seat]));
    utility[seat] = row[seat];
  }
}

// An array of Python's own, which it cannot write to.
template <class Number>
py::array_t<Number> zeros(std::vector<py::ssize_t> shape) {
  py::array_t<Number> array(std::move(shape));
  std::fill_n(array.mutable_data(), array.size(), Number{});
  return array;
}
void protect(const py::array& array) { array.attr("setflags")(py::arg("write") = false); }

class PythonEvaluator final : public Evaluator {
 public:
  PythonEvaluator(GamePtr game, py::object function, Calls& calls)
      : game_(std::move(game)), function_(std::move(function)), calls_(calls) {}

  void judge(std::span<Leaf> leaves) override {
    calls_.make([&] { ask(leaves); });
  }

 private:
  // On the calling thread, with the GIL.
  void ask(std::span<Leaf> leaves) const {
    const auto rows = static_cast<py::ssize_t>(leaves.size());
    std::size_t widest = 0;
    for (const Leaf& leaf : leaves) widest = std::max(widest, leaf.moves.size());
    const auto columns = static_cast<py::ssize_t>(widest);
    py::tuple views(rows);
    auto codes = zeros<std::uint32_t>({rows, columns});
    auto seats = zeros<std::int64_t>({rows});
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      views[i] = AnyView(game_, leaf.view.data(), leaf.view.size());
      std::uint32_t* row = codes.mutable_data() + i * widest;
      for (std::size_t k = 0; k < leaf.moves.size(); ++k) row[k] = leaf.moves[k].code;
      seats.mutable_data()[i] = leaf.mover;
    }
    protect(codes);
    protect(seats);
    const py::object answer = function_(views, codes, seats);
    const bool pair = (py::isinstance<py::tuple>(answer) || py::isinstance<py::list>(answer)) &&
                      py::len(answer) == 2;
    if (!pair)
      throw unfit("The evaluator answered " + shown(answer) +
                      "; it must be a pair of arrays, priors and values.",
                  shown(answer));
    const auto both = py::tuple(answer);
    const Numbers priors =
        numbers_from(both[0], "priors", rows, columns, "a row a leaf, a column a move");
    const Numbers values =
        numbers_from(both[1], "values", rows, game_->seats(), "a row a leaf, a column a seat");
    const auto seat_count = static_cast<std::size_t>(game_->seats());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      take_priors(priors.data() + i * widest, i, leaves[i].priors);
      take_values(values.data() + i * seat_count, i,
                  std::span(leaves[i].utility).first(seat_count));
    }
  }

  GamePtr game_;
  py::object function_;
  Calls& calls_;
};

}  // namespace

std::unique_ptr<Evaluator> evaluator_from(GamePtr game, const py::object& function, Calls& calls) {
  if (!PyCallable_Check(function.ptr()))
    throw unfit("evaluator is " + shown(function) + "; it must be a function.", shown(function));
  return std::make_unique<PythonEvaluator>(std::move(game), function, calls);
}

}  // namespace kibitz::boundary
