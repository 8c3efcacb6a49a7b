// Texts of moves and outcomes, both ways. See docs/games/thecrew.md, "Move texts".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <kibitz/games/thecrew/state.hpp>

namespace kibitz::thecrew {

inline constexpr std::array<std::string_view, 4> said_names = {"", "highest", "lowest", "only"};

namespace detail {

// Kinds whose text is a word and a card ("take B4"), and those of a word and a seat ("owner 3").
struct Word {
  Kind kind;
  std::string_view word;
};
inline constexpr std::array<Word, 9> card_words = {{{Kind::take, "take"},
                                                    {Kind::give, "give"},
                                                    {Kind::deal, "deal"},
                                                    {Kind::under, "under"},
                                                    {Kind::up, "up"},
                                                    {Kind::task, "task"},
                                                    {Kind::get, "get"},
                                                    {Kind::draw, "draw"},
                                                    {Kind::turn_up, "turn"}}};
inline constexpr std::array<Word, 5> seat_words = {{{Kind::owner, "owner"},
                                                    {Kind::jarvis, "jarvis"},
                                                    {Kind::longest, "longest"},
                                                    {Kind::leader, "commander"},
                                                    {Kind::holder, "holder"}}};

constexpr bool may_be_hidden(Kind kind) {
  return kind == Kind::give || kind == Kind::deal || kind == Kind::under || kind == Kind::get ||
         kind == Kind::draw;
}

inline int digit_from(std::string_view text, int most) {
  if (text.size() != 1 || text[0] < '0' || text[0] > '0' + most) return -1;
  return text[0] - '0';
}

}  // namespace detail

inline std::string move_text(Move move) {
  const std::string card = card_text(card_of(move));
  const std::string seat = std::to_string(seat_of(move));
  const int number = number_of(move);
  const Kind kind = kind_of(move);
  switch (kind) {
    case Kind::keep:  return "keep";
    case Kind::quiet: return "quiet";
    case Kind::play:  return card;
    case Kind::swap:  return "swap " + card + " " + card_text(second_of(move));
    case Kind::move:
      return "move " + std::string(number < tokens ? token_names[at(number)] : "?") + " " + card;
    case Kind::role:  return "S" + std::to_string(number) + " " + seat;
    case Kind::offer: return "offer " + card + " " + seat;
    case Kind::reply:
      return at(seat_of(move)) < reply_names.size() ? std::string(reply_names[at(seat_of(move))])
                                                    : "?";
    case Kind::say: {
      const std::string_view how = said_names[at(seat_of(move) & 3)];
      return "say " + card + (how.empty() ? "" : " ") + std::string(how);
    }
    default: break;
  }
  for (const auto& [k, word] : detail::card_words)
    if (k == kind) return std::string(word) + " " + card;
  for (const auto& [k, word] : detail::seat_words)
    if (k == kind) return std::string(word) + " " + seat;
  return "?";
}

inline std::optional<Move> move_from(std::string_view text) {
  std::array<std::string_view, 4> words;
  std::size_t count = 0;
  for (std::string_view rest = text;;) {
    if (count == words.size()) return std::nullopt;
    const std::size_t space = rest.find(' ');
    words[count++] = rest.substr(0, space);
    if (space == std::string_view::npos) break;
    rest.remove_prefix(space + 1);
  }
  const std::string_view first = words[0];
  const int card = count > 1 ? card_from(words[1]) : -1;
  const int seat = count > 1 ? detail::digit_from(words[count - 1], max_players - 1) : -1;
  if (count == 1) {
    if (const int played = card_from(first); played >= 0) return play_card(played);
    if (first == "keep") return keep_move;
    if (first == "quiet") return quiet_move;
    for (std::size_t i = 1; i < reply_names.size(); ++i)
      if (first == reply_names[i]) return reply_move(static_cast<Reply>(i));
    return std::nullopt;
  }
  if (first == "say" && card >= 0 && count <= 3) {
    if (count == 2) return say_card(card, Said::bare);
    for (std::size_t i = 1; i < said_names.size(); ++i)
      if (words[2] == said_names[i]) return say_card(card, static_cast<Said>(i));
    return std::nullopt;
  }
  if (count == 3) {
    const int second = card_from(words[2]);
    if (first == "swap" && card >= 0 && second >= 0) return make(Kind::swap, card, 0, 0, second);
    if (first == "offer" && card >= 0 && seat >= 0) return make(Kind::offer, card, seat);
    if (first == "move" && second >= 0)
      for (int t = 0; t < tokens; ++t)
        if (words[1] == token_names[at(t)]) return make(Kind::move, second, 0, t);
    return std::nullopt;
  }
  if (count != 2) return std::nullopt;
  if (first == "S1" && seat >= 0) return make(Kind::role, -1, seat, 1);
  if (first == "S2" && seat >= 0) return make(Kind::role, -1, seat, 2);
  for (const auto& [kind, word] : detail::card_words)
    if (first == word && (card >= 0 || (words[1] == "x" && detail::may_be_hidden(kind))))
      return make(kind, card);
  for (const auto& [kind, word] : detail::seat_words)
    if (first == word && seat >= 0) return make(kind, -1, seat);
  return std::nullopt;
}

}  // namespace kibitz::thecrew
