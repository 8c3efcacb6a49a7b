// What went wrong, as a value. The core returns faults; only the edge throws them (Failure).
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <kibitz/core/types.hpp>

namespace kibitz {

// A rule that a move breaks, or none. `why` is a sentence for a person and names nothing that
// is hidden from the seat concerned; `rule` is where the rule stands ("kami R8").
struct Breach {
  std::string rule;
  std::string why;
  explicit operator bool() const { return !why.empty(); }
};

// What an event does to a view: nothing wrong, not legal for any hand, or at odds with what
// the seat knows.
struct Verdict {
  enum class Kind { fine, wrong_actor, too_much, illegal, inconsistent };
  Kind kind = Kind::fine;
  Breach breach;
};

// An event by somebody else than who is due; `over` says what has ended.
inline Verdict wrong_actor(std::string rule, Turn due, const char* over) {
  return {Verdict::Kind::wrong_actor,
          {std::move(rule), due.is_over() ? over
                            : due.is_chance()
                                ? "it is not a seat's turn: an outcome comes first"
                                : "it is seat " + std::to_string(due.value()) + "'s turn"}};
}

enum class FaultKind { illegal_move, invalid_position, unknown_game, invalid_option };

struct Fault {
  FaultKind kind;
  std::string message;
  std::string given;
  std::vector<std::string> allowed;
  std::string rule;
};

class Failure : public std::exception {
 public:
  explicit Failure(Fault fault) : fault_(std::move(fault)) {}
  const char* what() const noexcept override { return fault_.message.c_str(); }
  const Fault& fault() const { return fault_; }

 private:
  Fault fault_;
};

}  // namespace kibitz
