// How a search departs from its plain formula: a dict checked, name by name.
#include "boundary.hpp"

#include <algorithm>
#include <iterator>

#include <kibitz/search/request.hpp>

namespace kibitz::boundary {

namespace {

Failure refused(const std::string& what, const py::handle& given, std::string why) {
  return Failure({FaultKind::invalid_option,
                  "tuning: " + what + " is " + shown(given) + "; " + std::move(why) + ".",
                  shown(given),
                  {},
                  {}});
}

double number_of(const std::string& name, const py::handle& given, double most) {
  const double number = double_from(given);
  if (number >= 0 && number <= most) return number;
  throw refused(name, given,
                "it must be a number from 0 to " + std::to_string(static_cast<long long>(most)));
}

bool flag_of(const std::string& name, const py::handle& given) {
  if (!py::isinstance<py::bool_>(given)) throw refused(name, given, "it must be True or False");
  return given.cast<bool>();
}

// The searches that know a departure.
void only_for(const std::string& name, Method method, std::initializer_list<Method> known) {
  if (std::find(known.begin(), known.end(), method) != known.end()) return;
  std::string names;
  for (const Method each : known)
    names +=
        (names.empty() ? "" : ", ") + std::string(method_names[static_cast<std::size_t>(each)]);
  throw Failure({FaultKind::invalid_option,
                 "tuning: " + name + " is nothing to " +
                     std::string(method_names[static_cast<std::size_t>(method)]) + "; it is for " +
                     names + ".",
                 name,
                 {},
                 {}});
}

}  // namespace

Tuning tuning_from(const py::dict& given, const Request& request) {
  Tuning tuning;
  const auto selection = {Method::mcts, Method::pimc, Method::ismcts};
  for (const auto& [key, value] : given) {
    const std::string name = py::isinstance<py::str>(key) ? key.cast<std::string>() : shown(key);
    if (name == "first_play" || name == "bias" || name == "rave" || name == "widening") {
      only_for(name, request.method, selection);
      const double most = name == "first_play" ? 1 : name == "rave" ? 1e6 : 1000;
      const double number = number_of(name, value, most);
      (name == "first_play" ? tuning.first_play
       : name == "bias"     ? tuning.bias
       : name == "rave"     ? tuning.rave
                            : tuning.widening) = number;
    } else if (name == "halving") {
      only_for(name, request.method, {Method::flat});
      tuning.halving = flag_of(name, value);
      if (tuning.halving && request.iterations.empty())
        throw refused(name, value, "it deals out iterations: give a number of them");
    } else if (name == "proofs") {
      only_for(name, request.method, {Method::mcts, Method::pimc});
      tuning.proofs = flag_of(name, value);
    } else {
      throw Failure({FaultKind::invalid_option,
                     "tuning: there is no " + name + ".",
                     name,
                     {"first_play", "bias", "rave", "widening", "halving", "proofs"},
                     {}});
    }
  }
  return tuning;
}

}  // namespace kibitz::boundary
