// Can the crew win the tricks that are left? All see all hands and want the same, so this is a
// puzzle of one player: is there a way through? Depth first, trick by trick. What has been found
// lost is never looked at again (a table); what can be seen to be lost is not looked into
// (Outlook); of cards that come to the same one is tried; and the ways that look easiest come
// first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <kibitz/core/rng.hpp>
#include <kibitz/core/solution.hpp>
#include <kibitz/games/thecrew/solve_outlook.hpp>
#include <kibitz/games/thecrew/solve_problem.hpp>

namespace kibitz::thecrew {

// 128 bits, exact: equal keys are positions from which all goes on alike.
//
//     a: cards 0-39 | leader 40-42 | counted 43-46 | won for sure 63
//     b: tricks 0-19 | quota 20-39 | number of the problem 40-63
struct Key {
  std::uint64_t a = 0, b = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

// Cards of a suit by rank and kind are what counts, not their values: B3 and B5 in one hand are the
// same if B4 has been played, and so is the whole suit if only the cards left keep their order by
// seat and kind. Each set of cards left is replaced by the lowest with the same order: the first
// card goes to the lowest place of the root whose card is of its seat and kind, each next one to
// the lowest above it. Which places these are depends on the order alone; so sets are replaced by
// the same set if and only if they have the same order.
class Merging {
 public:
  void build(const Problem& p) {
    for (int suit = 0; suit < suits; ++suit) {
      std::uint16_t* const table = &merged_[at(512 * suit)];
      const int first = 9 * suit;
      const int size = suit == rocket_suit ? 4 : 9;
      const auto cards = static_cast<unsigned>(p_all(p) >> first & (size == 4 ? 15 : 511));
      const auto sort = [&](int rank) {
        return p.holder[at(first + rank)] << 8 | p.kind[at(first + rank)];
      };
      table[0] = 0;
      for (unsigned set = 1; set < 1u << size; ++set) {
        if (set & ~cards) continue;
        const int top = std::bit_width(set) - 1;
        const unsigned rest = table[set ^ 1u << top];
        int place = std::bit_width(rest);
        while (!(cards >> place & 1) || sort(place) != sort(top)) ++place;
        table[set] = static_cast<std::uint16_t>(rest | 1u << place);
      }
    }
  }
  Cards operator()(Cards left) const {
    Cards out = 0;
    for (int suit = 0; suit < suits; ++suit)
      out |= Cards{merged_[at(512 * suit) + (left >> 9 * suit & 511)]} << 9 * suit;
    return out;
  }

 private:
  static Cards p_all(const Problem& p) {
    Cards all = 0;
    for (const Cards hand : p.hand) all |= hand;
    return all;
  }
  std::array<std::uint16_t, 512 * suits> merged_{};
};

// Positions that are known. Four to a line of memory; the one with the fewest cards left, which is
// the least work, makes room.
class Known {
 public:
  // Pages of zeros cost nothing until they are written to. Without memory it knows one line.
  explicit Known(std::size_t bytes) {
    std::size_t lines = 1;
    while ((lines * 2 + 1) * sizeof(Line) <= bytes) lines *= 2;
    room_ = std::calloc(lines + 1, sizeof(Line));
    std::size_t space = (lines + 1) * sizeof(Line);
    void* first = room_;
    if (!room_ || !std::align(sizeof(Line), lines * sizeof(Line), first, space)) {
      first = &spare_;
      lines = 1;
    }
    lines_ = static_cast<Line*>(first);
    mask_ = lines - 1;
  }
  ~Known() { std::free(room_); }
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;

  enum class Fact : std::uint8_t { none, lost, won };

  Fact find(const Key& key) const {
    for (const Key& k : lines_[place(key)].key)
      if ((k.a & ~won_bit) == key.a && k.b == key.b && k.b)
        return k.a & won_bit ? Fact::won : Fact::lost;
    return Fact::none;
  }
  void enter(const Key& key, bool won) {
    Line& line = lines_[place(key)];
    Key* worst = line.key.data();
    for (Key& k : line.key) {
      if ((k.a & ~won_bit) == key.a && k.b == key.b) {
        worst = &k;
        break;
      }
      if (weight(k) < weight(*worst)) worst = &k;
    }
    *worst = {key.a | (won ? won_bit : 0), key.b};
  }

 private:
  static constexpr std::uint64_t won_bit = std::uint64_t{1} << 63;
  struct alignas(64) Line {
    std::array<Key, 4> key;
  };
  std::size_t place(const Key& key) const {
    return static_cast<std::size_t>(mix(key.a ^ mix(key.b))) & mask_;
  }
  static int weight(const Key& k) { return std::popcount(k.a & all_cards); }

  void* room_ = nullptr;
  Line* lines_ = nullptr;
  std::size_t mask_ = 0;
  Line spare_{};
};

enum class Found : std::uint8_t { lost, won, stopped };

class Search {
 public:
  explicit Search(const SolveLimits& limits) : limits_(limits), known_(limits.bytes) {}

  std::uint64_t nodes = 0;
  bool stopped = false;  // the limits have ended it

  // How many problems one solve can tell apart.
  static constexpr std::uint32_t problems = 1u << 24;

  // From a trick on in which the cards `line` are laid already. `number` tells the problems of one
  // solve apart, 1 to problems - 1: one for each pair of hands and tasks. `most` nodes and
  // no more, 0 any number. Where no `way` is asked for, a position known as won will do.
  Found run(const Problem& problem, std::uint32_t number, const Node& root, const Card* line,
            int laid, std::uint64_t most = 0, bool way = true) {
    problem_ = &problem;
    Outlook outlook(problem);
    outlook_ = &outlook;
    budget_ = most ? nodes + most : 0;
    way_ = way;
    if (!count()) return Found::stopped;
    if (laid == 0 && outlook.lost(root)) return Found::lost;
    if (number_ != number) {
      number_ = number;
      merging_.build(problem);
    }
    out_of_budget_ = false;
    children_.clear();
    depth_ = 0;
    return expand(root, line, laid);
  }

  // The tricks of the last win, if its way was asked for: what was left after each.
  const Node* path() const { return path_.data(); }
  int length() const { return length_; }

 private:
  struct Child {
    Node node;
    std::int32_t hardness;
  };

  Key key_of(const Node& node) const {
    return {
        merging_(node.left) | std::uint64_t{node.leader} << 40 | std::uint64_t{node.counted} << 43,
        std::uint64_t{node.won} | std::uint64_t{node.quota} << 20 | std::uint64_t{number_} << 40};
  }

  bool count() {
    ++nodes;
    if (limits_.nodes && nodes > limits_.nodes) stopped = true;
    if ((nodes & 511) == 0 && limits_.stopped()) stopped = true;
    if (budget_ && nodes > budget_) out_of_budget_ = true;
    return !(stopped || out_of_budget_);
  }

  // All tricks from a position, then into each that is not known or seen to be lost.
  Found expand(const Node& node, const Card* line = nullptr, int laid = 0) {
    const std::size_t first = children_.size();
    Trick trick;
    trick.allowed = problem_->due[at(node.trick + 1)];
    trick.left = node.left;
    bool possible = true;
    for (int i = 0; i < laid; ++i) possible &= lay(node, trick, line[i]);
    won_ = false;
    if (possible) each_card(node, trick);
    if (stopped || out_of_budget_) return Found::stopped;
    if (won_) {
      length_ = depth_ + 1;
      return Found::won;
    }
    std::sort(children_.begin() + static_cast<std::ptrdiff_t>(first), children_.end(),
              [](const Child& a, const Child& b) { return a.hardness < b.hardness; });
    for (std::size_t i = first; i < children_.size(); ++i) {
      const Node child = children_[i].node;
      const Key key = key_of(child);
      if (known_.find(key) == Known::Fact::lost) continue;
      path_[at(depth_)] = child;
      ++depth_;
      const Found found = expand(child);
      --depth_;
      if (found == Found::stopped) return found;
      known_.enter(key, found == Found::won);
      if (found == Found::won) return found;
    }
    children_.resize(first);
    return Found::lost;
  }

  struct Trick {
    Cards cards = 0;
    Cards left = 0;  // in no trick
    Cards led = 0;
    int laid = 0;
    int best = -1, best_seat = -1;
    std::uint8_t allowed = 0;  // seats that may win it
  };

  int seat_of_place(const Node& node, int place) const {
    const int seat = node.leader + place;
    return seat >= problem_->seats() ? seat - problem_->seats() : seat;
  }

  // False: no seat that may win the trick still can.
  bool lay(const Node& node, Trick& trick, int card) {
    const int seat = seat_of_place(node, trick.laid);
    if (trick.laid == 0) trick.led = same_suit(card);
    trick.cards |= bit(card);
    trick.left &= ~bit(card);
    ++trick.laid;
    if ((bit(card) & (trick.led | rockets)) && card > trick.best) {
      trick.best = card;
      trick.best_seat = seat;
    }
    trick.allowed &= problem_->winners[at(card)];
    if (problem_->free >> card & 1)
      for (int s = 0; s < problem_->seats(); ++s)
        if (!of_seat(node.quota, s)) trick.allowed &= static_cast<std::uint8_t>(~(1u << s));
    unsigned can = 1u << trick.best_seat;
    for (int place = trick.laid; place < problem_->seats(); ++place)
      can |= 1u << seat_of_place(node, place);
    return (trick.allowed & can) != 0;
  }

  void each_card(const Node& node, const Trick& trick) {
    if (trick.laid == problem_->seats()) return enter(node, trick);
    const int seat = seat_of_place(node, trick.laid);
    const Cards hand = problem_->hand_of(seat, trick.left);
    int last = -1;
    for (Cards rest = playable(hand, trick.led); rest; rest &= rest - 1) {
      const int card = std::countr_zero(rest);
      // Two neighbours of one kind come to the same: no card in any hand or in this trick is
      // between them, so neither beats what the other doesn't, now or later, and the mission does
      // not tell them apart. Exchange them in any play after the one, and it is one after the
      // other.
      const bool same = last >= 0 && suit_of(last) == suit_of(card) &&
                        problem_->kind[at(last)] == problem_->kind[at(card)] &&
                        !((trick.left | trick.cards) & above(last) & below(card));
      last = card;
      if (same) continue;
      if (!count()) return;
      Trick next = trick;
      if (lay(node, next, card)) each_card(node, next);
      if (won_ || stopped || out_of_budget_) return;
    }
  }

  void enter(const Node& node, const Trick& trick) {
    Child child{node, 0};
    const Ruling ruling = close(*problem_, child.node, trick.cards, trick.best, trick.best_seat);
    if (ruling == Ruling::failed) return;
    if (ruling == Ruling::open) {
      const Known::Fact fact = known_.find(key_of(child.node));
      if (fact == Known::Fact::lost) return;
      if (outlook_->lost(child.node)) return;
      child.hardness = outlook_->hardness;
      if (fact == Known::Fact::none || way_) return children_.push_back(child);
    }
    path_[at(depth_)] = child.node;
    won_ = true;
  }

  const SolveLimits& limits_;
  Known known_;
  Merging merging_;
  const Problem* problem_ = nullptr;
  Outlook* outlook_ = nullptr;
  std::uint32_t number_ = 0;  // of the problem that `merging_` is for
  std::uint64_t budget_ = 0;
  bool out_of_budget_ = false;
  bool won_ = false;
  bool way_ = true;
  int depth_ = 0;
  int length_ = 0;
  std::array<Node, max_tricks + 1> path_{};
  std::vector<Child> children_;
};

}  // namespace kibitz::thecrew
