// Declares the reconstruction algorithms that fill a file of their own; reconstruct() checks the arguments and chooses among them.
#pragma once
#include <type_traits>

#include "contract/ops.hpp"

namespace morpho::cpu {

// One signature for all: planes of one type and extent, not empty; `out` may be `marker`. All are exact: the result is unique.
void reconstruct_downhill(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
void reconstruct_priority(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
void reconstruct_tiled(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
void reconstruct_parallel(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);

/// Calls fn(T{}, std::integral_constant<By, …>{}) with the pixel type and the direction as template arguments.
template <class Fn>
void visit_reconstruction(PixelType type, By by, Fn&& fn) {
  visit_pixel_type(type, [&](auto zero) {
    if (by == By::dilation) fn(zero, std::integral_constant<By, By::dilation>{});
    else fn(zero, std::integral_constant<By, By::erosion>{});
  });
}

}  // namespace morpho::cpu
