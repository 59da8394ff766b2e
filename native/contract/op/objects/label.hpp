// label: connected components, numbered in raster order of their first pixel.
#pragma once
#include "../certainty.hpp"

namespace morpho {

struct ConnectivityParams {
  Connectivity connectivity = Connectivity::eight;
  static constexpr void visit(auto& p, auto&& v) { v(op::kConnectivity, p.connectivity); }
  bool operator==(const ConnectivityParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Connected components of the nonzero pixels of `in` (u8 binary), or of equal nonzero values (u16, i32): labels 1..n in
/// raster order of each component's first pixel; returns n.
struct label : Operation<label, i32(Context&, ConstPlane, Plane, const ConnectivityParams&)> {
  static constexpr const char* help = "connected components, numbered in raster order of their first pixel";
  static constexpr const char* result = "count";
  static constexpr Slot in[] = {{"in", "image", "binary (uint8), or areas of equal nonzero value", any_type}};
  static constexpr Slot out[] = {{"labels", "labels", "0 is background", i32_only}};
  static Reach reach(const Params&) { return kComponent; }
  /// 4 bytes a row and 12 a run: at most 6 bytes a pixel for binary images, 12 for values.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    return (i.type == PixelType::u8 ? 12 * ((i.width() + 1) / 2) : 12 * i.width()) * i.height() + 4 * i.height() + need::kSlack;
  }
  /// Where a pixel is certain it is of a component; the numbers of labels do not matter.
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const ConnectivityParams&) { return Frame::inputs; }
    static constexpr Pieces pieces(const StepFacts&, const ConnectivityParams&) { return Pieces::one; }
  };
};

}  // namespace op
}  // namespace morpho
