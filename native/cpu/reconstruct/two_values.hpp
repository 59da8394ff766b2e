// Hole filling and border clearing of images with two values, by components of runs.
#pragma once
#include "contract/context.hpp"
#include "contract/ops.hpp"

namespace morpho::cpu {

/// Whether f looks as if it had two values, by a few of its rows.
bool seems_of_two(View<const u8> f);

/// What reconstruction gives for any image, for an f of at most two values: components of runs that touch the image's border,
/// or not. False, and nothing done, where f holds more values. `out` does not overlap f.
/// Cost: one read to see the values, then that of connect_runs() and one write: bounded, where the queue of reconstruction
/// follows a winding corridor pixel by pixel. Memory: that of connect_runs() and one byte a run.
bool fill_holes_of_two(Context& ctx, View<const u8> f, View<u8> out, Connectivity connectivity);
bool clear_border_of_two(Context& ctx, View<const u8> f, View<u8> out, Connectivity connectivity);

}  // namespace morpho::cpu
