// The exact sums of objects, and the records that are made of them.
#pragma once
#include "contract/object_shape.hpp"
#include "cuda/measure/measure_runs.cuh"

namespace morpho::gpu {

/// Sums over an object's pixels, all about the image's corner; what may pass 64 bits is in two parts, of its low and high 32
/// bits.
struct Moments {
  unsigned long long area, x, y, xx[2], yy[2], xy[2];
  unsigned long long inside[3];  ///< pixels whose neighbour below, and 0, 1 or -1 columns to the right, is of the object
  i32 min_x, max_x;
  unsigned long long value;  ///< of what lies under them, modulo 2^64
};
/// Of concentrations q; squares q² in two parts, as above.
struct StainSums {
  unsigned long long sum[3], square_low[3], square_high[3];
  long long low[3], high[3];
  unsigned long long stained;  ///< pixels that MeasureParams::stained takes for stained
};

/// Enqueues the shape of every object (but its stains), and where its runs begin; offsets: one more, the number of runs.
/// `valued`: its contrast and score too, of its moments' value; else they are not measured.
void record_shapes(Context& ctx, const SortedRuns& r, const Moments* moments, bool valued, const MeasureParams& p,
                   ObjectMeasurement* records, i64* offsets);
/// Enqueues the stains of objects whose shapes are there. `asked`: what of their areas is stained too.
void record_stains(Context& ctx, const StainSums* sums, i32 count, bool asked, ObjectMeasurement* records);

}  // namespace morpho::gpu
