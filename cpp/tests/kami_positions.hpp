// Kami positions for tests, by texts.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <kibitz/games/kami/kami.hpp>

namespace kibitz::kami {

inline Rules rules_of(const ValueMap& options) {
  static const std::vector<Option> all = Kami::options();
  Choices choices(all);
  for (const auto& [name, value] : options) choices.set("kami", name, value);
  return Kami::rules(choices);
}

// A dealt round; throws what is wrong with it.
inline State position(const Rules& rules, const StateSheet& sheet) {
  State state;
  if (const Breach breach = Kami::read(rules, sheet, state)) throw std::runtime_error(breach.why);
  return state;
}

inline State dealt(const Rules& rules, std::vector<std::string> hands, int first,
                   std::string aside = {}, std::vector<std::string> mercenaries = {}) {
  StateSheet sheet;
  sheet.hands = std::move(hands);
  sheet.first = first;
  sheet.aside = std::move(aside);
  sheet.stacks = std::move(mercenaries);
  return position(rules, sheet);
}

inline std::string legal(const Rules& rules, const State& state) {
  MoveList<Kami> moves;
  Kami::moves(rules, state, moves);
  std::string out;
  for (const Move move : moves) out += (out.empty() ? "" : " ") + Kami::to_text(move);
  return out;
}

// Plays texts given with blanks between; throws at the first that is illegal.
inline void play(const Rules& rules, State& state, const std::string& texts) {
  std::size_t begin = 0;
  while (begin < texts.size()) {
    const std::size_t end = std::min(texts.find(' ', begin), texts.size());
    const auto move = Kami::from_text(texts.substr(begin, end - begin));
    if (!move) throw std::runtime_error("no move: " + texts.substr(begin, end - begin));
    if (const Breach breach = Kami::check(rules, state, *move))
      throw std::runtime_error(breach.why);
    Kami::play(rules, state, *move);
    begin = end + 1;
  }
}

}  // namespace kibitz::kami
