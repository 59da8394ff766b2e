// stain: one stain's concentration by colour deconvolution in fixed point.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

/// One output channel of a colour deconvolution in fixed point.
struct StainParams {
  /// One row of the inverse stain matrix, times 65536: concentration = sum_i row[i] * OD_i, OD in 1/1024 from od_table() of
  /// tables.hpp.
  i32 row[3] = {65536, 0, 0};
  i32 units_per_od = 100;          ///< out = clamp(floor(concentration * units_per_od + 1/2), 0, 255), exact in i64
  i32 white[3] = {255, 255, 255};  ///< the intensity of OD 0 for each channel
  bool intensity = false;          ///< of light that shines, not of light that is missing: v/256 in place of OD, white unused
  static constexpr void visit(auto& p, auto&& v) {
    for (auto& each : p.row) v(op::whole("row", "of the inverse stain matrix, times 65536", op::kLeastInt, op::kMostInt), each);
    v(op::whole("units_per_od", "grey values an OD", 1, 65536), p.units_per_od);
    for (auto& each : p.white) v(op::whole("white", "the intensity of OD 0", 1, 255), each);
    v(op::Spec{"intensity", "of light that shines"}, p.intensity);
  }
  bool operator==(const StainParams& o) const { return op::same(*this, o); }
};

namespace op {

struct stain : PixelWise<stain, void(Context&, View<const Rgba>, Plane, const StainParams&)> {
  static constexpr Slot in[] = {{"rgba", "image", "RGBA; alpha is not looked at", rgba}};
  static constexpr Slot out[] = {{"out", "out", "concentration in units of 1/units-per-od", u8_only}};
};

}  // namespace op
}  // namespace morpho
