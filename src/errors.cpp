// Faults of the core become the classes of kibitz.errors, here and nowhere else.
#include "boundary.hpp"

#include <system_error>

namespace kibitz::boundary {

namespace {

const char* class_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::illegal_move:     return "IllegalMove";
    case FaultKind::invalid_position: return "InvalidPosition";
    case FaultKind::unknown_game:     return "UnknownGame";
    case FaultKind::invalid_option:   return "InvalidOption";
  }
  return "KibitzError";
}

void raise(const char* name, const Fault& fault) {
  const py::object type = py::module_::import("kibitz.errors").attr(name);
  py::object given = py::none();
  if (!fault.given.empty()) given = py::str(fault.given);
  py::object rule = py::none();
  if (!fault.rule.empty()) rule = py::str(fault.rule);
  const py::object error =
      type(fault.message, py::arg("given") = given,
           py::arg("allowed") = py::tuple(py::cast(fault.allowed)), py::arg("rule") = rule);
  PyErr_SetObject(type.ptr(), error.ptr());
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Failure& failure) {
      raise(class_name(failure.fault().kind), failure.fault());
    } catch (const std::system_error& error) {  // of threads: nothing else here asks the system
      Fault fault{};
      fault.message = std::string("the system gives no more threads (") + error.code().message() +
                      "); ask for fewer.";
      raise("KibitzError", fault);
    }
  });
}

}  // namespace kibitz::boundary
