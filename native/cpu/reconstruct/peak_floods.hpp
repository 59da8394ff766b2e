// Extended extrema by floods from their tops, where few of an image's pixels lie near one.
#pragma once
#include "contract/context.hpp"
#include "contract/ops.hpp"

namespace morpho::cpu {

/// What floods may cost before they give up: shares of the image's pixels.
struct FloodLimits {
  i64 tops;    ///< pixels to begin from
  i64 visits;  ///< pixels reached by all floods together
};
inline FloodLimits usual_flood_limits(Extent e) { return {1024 + e.area() / 32, 1024 + e.area() / 16}; }

/// out = 1 on the extended maxima (minima) of f, all of it; or false, and `out` holds nothing of use, where the limits do not
/// do. Shape: f [h, w] of T (u8, u16, i32) -> out [h, w] u8, which is not f's memory; fewer than 2^31 pixels. Cost: one pass of
/// 7 comparisons a pixel (vectors), a sort of the tops, some 20 ns for each pixel that a flood reaches; no pixel is reached
/// twice. Memory: 8 bytes a top and a visit of `limits`. Source: Soille 2003 §6.3.5; the floods are our own (README).
template <class T>
bool extended_by_floods(Context& ctx, View<const T> f, View<u8> out, const ExtremaParams& params, const FloodLimits& limits);

}  // namespace morpho::cpu
