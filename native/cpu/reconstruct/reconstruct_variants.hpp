// Declares the reconstruction algorithms that fill a file of their own; reconstruct() checks the arguments and chooses among
// them.
#pragma once
#include <type_traits>

#include "contract/ops.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {

// One signature for all: planes of one type and extent, not empty; `out` may be `marker`. All are exact: the result is unique.
// They return what they did: rounds and queues, not yet named.
Work reconstruct_downhill(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
Work reconstruct_priority(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
Work reconstruct_tiled(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
Work reconstruct_parallel(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);

/// The beginning of the automatic variant, from the marker that `f` holds, in place: four sweeps, and a queue of few moves.
/// True where that sufficed. Else `f` lies between the marker and the result: any variant may go on from there.
bool reconstruct_briefly(Context&, View<u8> f, View<const u8> mask, By by, Connectivity);

/// The automatic variant from the marker that `f` holds, in place, up to where sweeps and queue would take turns: true where
/// that sufficed. Else as above.
bool reconstruct_without_turns(Context&, Plane f, ConstPlane mask, By by, Connectivity);

/// Calls fn(T{}, std::integral_constant<By, …>{}) with the pixel type and the direction as template arguments.
template <class Fn>
void visit_reconstruction(PixelType type, By by, Fn&& fn) {
  visit_pixel_type(type, [&](auto zero) {
    if (by == By::dilation) fn(zero, std::integral_constant<By, By::dilation>{});
    else fn(zero, std::integral_constant<By, By::erosion>{});
  });
}

}  // namespace morpho::cpu
