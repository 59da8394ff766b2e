// regional_extrema: plateaus without a higher (lower) neighbour; and what the operations on extrema share.
#pragma once
#include "reconstruct.hpp"

namespace morpho {

enum class Extremum : u8 { maxima, minima };
template <>
struct Names<Extremum> {
  using enum Extremum;
  static constexpr Named<Extremum> all[] = {{maxima, "maxima"}, {minima, "minima"}};
};

struct ExtremaParams {
  Extremum kind = Extremum::maxima;
  i32 h = 1;  ///< ignored by regional_extrema
  Connectivity connectivity = Connectivity::eight;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::Spec{"kind", "peaks or pits"}, p.kind);
    v(op::required(op::whole("h", "height in grey values", 1, op::kMostInt)), p.h);
    v(op::kConnectivity, p.connectivity);
  }
  bool operator==(const ExtremaParams& o) const { return op::same(*this, o); }
};

namespace op {

using ExtremaSignature = void(Context&, ConstPlane, Plane, const ExtremaParams&);

/// 1 on pixels of plateaus with no higher (lower) neighbour; out is u8. A constant image is one such plateau.
struct regional_extrema : Operation<regional_extrema, ExtremaSignature> {
  static constexpr Slot in[] = {{"f", "image", "grey values", any_type}};
  static constexpr Slot out[] = {{"out", "out", "1 on the extrema", u8_only}};
  static inline const ByName<Params> by_name[] = {
      {"regional-maxima", "plateaus without a higher neighbour", "1 on the maxima", {Extremum::maxima}, {"kind", "h"}},
      {"regional-minima", "plateaus without a lower neighbour", "1 on the minima", {Extremum::minima}, {"kind", "h"}}};
  static constexpr Spec narrow(Spec s) {
    if (std::string_view(s.name) == "h") s.least = kLeastInt;
    return s;
  }
  static Reach reach(const Params&) { return kGlobal; }
  /// That of reconstruct, and for u16 and i32 one image.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    return reconstruct::cpu_need(i) + (i.bytes() > 1 ? i.bytes() * i.area() : 0) + need::kSlack;
  }
  // No rule of certainty: nobody asks yet.
};

/// Of h_extrema and extended_extrema, for 8-connected maxima: a maximum is certain unless one may reach it from the uncertain
/// without falling by more than h.
struct ExtremaCertainty {
  static constexpr Frame frame(const StepFacts&, const ExtremaParams& p) {
    return p.kind == Extremum::maxima && p.connectivity == Connectivity::eight ? Frame::inputs : Frame::unknown;
  }
  static constexpr u8 looks(const StepFacts&, const ExtremaParams&) { return 1; }
  static void flood(auto& d, const ExtremaParams& p) {
    d.within(p.connectivity, [&] { d.peaks(d.plane(0), p.h); });
  }
};

}  // namespace op
}  // namespace morpho
