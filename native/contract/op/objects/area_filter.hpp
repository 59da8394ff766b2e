// area_filter: keeps components of a binary image by their area.
#pragma once
#include "label.hpp"

namespace morpho {

struct AreaFilterParams {
  Connectivity connectivity = Connectivity::eight;
  i32 min_area = 0;  ///< components with area in [min_area, end_area) are kept
  i32 end_area = 2147483647;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::whole("min_area", "smallest area that stays, px", 0, op::kMostInt), p.min_area);
    v(op::whole("end_area", "smallest area above that goes, px", 0, op::kMostInt), p.end_area);
    v(op::kConnectivity, p.connectivity);
  }
  bool operator==(const AreaFilterParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Keeps components of a binary u8 whose area is in [min_area, end_area). In place allowed.
struct area_filter : Operation<area_filter, void(Context&, ConstPlane, Plane, const AreaFilterParams&)> {
  static constexpr const char* help = "keeps components of a binary image by their area";
  static constexpr Slot in[] = {{"binary", "image", "binary: 0 is background", u8_only}};
  static constexpr Slot out[] = {{"out", "out", "0 or 1", u8_only, -1, false, 1}};
  static Reach reach(const Params&) { return kComponent; }
  /// 5 bytes a run more than label: at most 8.5 a pixel.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    return label::cpu_need(i) + 5 * ((i.width() + 1) / 2) * i.height() + need::kSlack;
  }
  /// A component that touches the uncertain is uncertain, unless as much of it is seen as decides.
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const AreaFilterParams&) { return Frame::inputs; }
    static constexpr u8 looks(const StepFacts&, const AreaFilterParams&) { return 1; }
    static void flood(auto& d, const AreaFilterParams& p) {
      d.within(p.connectivity, [&] { d.area(d.bytes(0), false, p.end_area == kMostInt ? p.min_area : p.end_area); });
    }
  };
};

}  // namespace op
}  // namespace morpho
