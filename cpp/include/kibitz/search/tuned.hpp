// The departures from the plain selection formula that a request may ask for, the same for every
// tree:
//     first-play urgency      a fixed worth for moves never tried, in place of trying each first
//                             (Gelly, Wang 2006)
//     progressive bias        a bonus for the move that the game's hint advises, less with each
//                             visit (Chaslot, Winands, van den Herik, Uiterwijk, Bouzy 2008)
//     RAVE                    amaf.hpp
//     progressive widening    few moves at first, the advised one among them (Coulom 2007; Chaslot
//                             and others 2008)
#pragma once

#include <cmath>
#include <cstdint>

#include <kibitz/search/bonus.hpp>
#include <kibitz/search/request.hpp>
#include <kibitz/search/tree.hpp>
#include <kibitz/search/utility.hpp>

namespace kibitz {

class Tuned {
 public:
  explicit Tuned(const Tuning& tuning)
      : first_play_(static_cast<float>(tuning.first_play * utility_unit)),
        bias_(static_cast<float>(tuning.bias * utility_unit)),
        rave_(static_cast<float>(tuning.rave)),
        widening_(static_cast<float>(tuning.widening)) {}

  bool wants_hint() const { return bias_ > 0 || widening_ > 0; }

  // Whether a node with so many visits may try a move past the `tried` ones.
  bool may_try(std::uint32_t tried, std::uint32_t visits) const {
    return widening_ <= 0 ||
           static_cast<float>(tried) < 1 + widening_ * std::sqrt(static_cast<float>(visits));
  }
  // Moves never tried come first, unless they have a worth of their own.
  bool tries_first() const { return first_play_ < 0; }

  // Score of a move. `bonus` is c * sqrt(ln(parent)); only read where the move has been tried.
  float score(const Edge& edge, const Twin* twin, float bonus, bool advised) const {
    const auto n = static_cast<float>(edge.n);
    float mean = edge.n > 0 ? static_cast<float>(edge.total) / n : first_play_;
    if (twin != nullptr && twin->n > 0) {
      const float others = static_cast<float>(twin->total) / static_cast<float>(twin->n);
      const float share = edge.n > 0 ? std::sqrt(rave_ / (3 * n + rave_)) : 1.0f;
      mean += share * (others - mean);
    }
    if (edge.n > 0) mean += bonus * std::sqrt(1 / n);
    return advised ? mean + bias_ / (n + 1) : mean;
  }

 private:
  float first_play_;
  float bias_;
  float rave_;
  float widening_;
};

}  // namespace kibitz
