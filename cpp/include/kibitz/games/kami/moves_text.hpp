// Texts of moves and outcomes, both ways. See docs/games/kami.md, "Move texts".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <kibitz/games/kami/state.hpp>

namespace kibitz::kami {

constexpr char stack_letter(int stack) { return static_cast<char>('A' + stack); }

// "11234"; kinds ascending.
inline std::string hand_text(Counts hand) {
  std::string out;
  for (int kind = 0; kind < card_types; ++kind)
    out.append(static_cast<std::size_t>(hand[kind]), static_cast<char>('1' + kind));
  return out;
}

// Digits 1 to 8 in any order with no more of a type than the deck holds.
inline std::optional<Counts> hand_from(std::string_view text) {
  Counts hand;
  if (text.size() > deck_size) return std::nullopt;
  for (const char c : text) {
    if (c < '1' || c > '8') return std::nullopt;
    hand.add(c - '1');
    if (hand[c - '1'] > full_deck[c - '1']) return std::nullopt;
  }
  return hand;
}

constexpr char digit_char(unsigned d) { return d == 0 ? 'x' : static_cast<char>('0' + d); }

inline std::string move_text(Move move) {
  const auto d = static_cast<unsigned>(digit_of(move));
  const int stack = stack_of(move);
  const char card = stack >= 0 ? stack_letter(stack) : digit_char(d);
  switch (kind_of(move)) {
    case Kind::pass:    return "p";
    case Kind::no:      return "-";
    case Kind::yes:     return "+";
    case Kind::defend:  return {'d', card};
    case Kind::attack:  return {'a', card};
    case Kind::ask:     return {'?', digit_char(payload_of(move) & 15)};
    case Kind::turn_up: return std::string("up ") + stack_letter(stack) + " " + digit_char(d);
    case Kind::points:  return "points " + std::to_string(payload_of(move));
    case Kind::dead:    return "void";
    case Kind::hand:
      return "deal " +
             (payload_of(move) == hidden_hand ? "x" : hand_text(unpack_hand(payload_of(move))));
    case Kind::aside: return std::string("aside ") + digit_char(d);
    case Kind::stack:
      return {'s', 't', 'a', 'c', 'k', ' ', digit_char(move.code >> 4 & 15), digit_char(d)};
    case Kind::first: return "first " + std::to_string(payload_of(move));
    case Kind::none:  break;
  }
  return "?";
}

inline std::optional<Move> move_from(std::string_view text) {
  const auto digit_at = [&](std::size_t i) -> int {  // 1..8, 0 for x, -1 for anything else
    if (i >= text.size()) return -1;
    if (text[i] == 'x') return 0;
    return text[i] >= '1' && text[i] <= '8' ? text[i] - '0' : -1;
  };
  const auto stack_at = [&](std::size_t i) -> int {
    return i < text.size() && text[i] >= 'A' && text[i] <= 'H' ? text[i] - 'A' : -1;
  };
  const auto u = [](int i) { return static_cast<std::uint32_t>(i); };
  if (text == "p") return pass_move;
  if (text == "-") return no_move;
  if (text == "+") return yes_move;
  if (text == "void") return dead_move;
  if (text.size() == 2 && (text[0] == 'd' || text[0] == 'a')) {
    const Kind kind = text[0] == 'd' ? Kind::defend : Kind::attack;
    if (stack_at(1) >= 0) return make(kind, u(stack_at(1) + 1) << 4);
    if (digit_at(1) > 0 || (digit_at(1) == 0 && kind == Kind::defend))
      return make(kind, u(digit_at(1)));
    return std::nullopt;
  }
  if (text.size() == 2 && text[0] == '?') {
    if (digit_at(1) >= 1) return make(Kind::ask, u(digit_at(1)));
    return std::nullopt;
  }
  if (text.size() == 6 && text.starts_with("up ") && text[4] == ' ' && stack_at(3) >= 0 &&
      digit_at(5) >= 1)
    return make(Kind::turn_up, u(stack_at(3) + 1) << 4 | u(digit_at(5)));
  if (text.starts_with("points ")) {
    const std::string_view number = text.substr(7);
    if (number == "10") return make(Kind::points, 10);
    if (number.size() == 1 && number[0] >= '1' && number[0] <= '9')
      return make(Kind::points, u(number[0] - '0'));
    return std::nullopt;
  }
  if (text == "deal x") return make(Kind::hand, hidden_hand);
  if (text.starts_with("deal ")) {
    const auto hand = hand_from(text.substr(5));
    if (hand && (hand->size() == 8 || hand->size() == 10))
      return make(Kind::hand, pack_hand(*hand));
    return std::nullopt;
  }
  if (text.size() == 7 && text.starts_with("aside ") && digit_at(6) >= 0)
    return make(Kind::aside, u(digit_at(6)));
  if (text.size() == 8 && text.starts_with("stack ") && digit_at(6) >= 1 && digit_at(7) >= 0)
    return make(Kind::stack, u(digit_at(6)) << 4 | u(digit_at(7)));
  if (text.size() == 7 && text.starts_with("first ") && text[6] >= '0' && text[6] <= '3')
    return make(Kind::first, u(text[6] - '0'));
  return std::nullopt;
}

}  // namespace kibitz::kami
