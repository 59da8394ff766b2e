// fill_holes: raises what no path of lower values joins to the image border.
#pragma once
#include "../objects/label.hpp"
#include "reconstruct.hpp"

namespace morpho::op {

/// Reconstruction by erosion of f from f on the image border and the type's maximum inside. Binary or grey (u8, u16).
/// `connectivity` is that of the reconstruction (4 keeps diagonal leaks closed).
struct fill_holes : Operation<fill_holes, void(Context&, ConstPlane, Plane, const ConnectivityParams&)> {
  static constexpr const char* help = "raises what no path of lower values joins to the image border";
  static constexpr Slot in[] = {{"f", "image", "grey or binary values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0}};
  static Reach reach(const Params&) { return kComponent; }
  /// For the flood 4 bytes a pixel, and 8 a grey level, 8 a column and 5 rows a thread; or that of reconstruct; u8 of two
  /// values: that of label, and one byte a run, where that is more. Where rows have gaps, two images more for the flood.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    const i64 bands = std::clamp<i64>(i.height() / 64, 1, i.workers());
    const i64 flood = 4 * i.area() + bands * (8 * i.levels() + (8 + 5 * i.bytes()) * i.width() + 1024) + need::kSlack;
    return std::max(std::max(reconstruct::cpu_need(i), flood),
                    i.type == PixelType::u8 ? label::cpu_need(i) + (i.width() + 1) / 2 * i.height() + need::kSlack : 0);
  }
  // No rule of certainty: a hole of any size reaches too far.
};

}  // namespace morpho::op
