// Makes the measurements of objects from their exact sums, bit for bit as the CPU does: this file is compiled without fused
// multiply-adds (CMakeLists.txt), which the functions of contract/same_math.hpp ask for.
#include "cuda/measure/measure_records.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kThreads = 128;

__device__ objects::i128 whole(unsigned long long low, unsigned long long high) {
  return (static_cast<objects::i128>(high) << 32) + low;
}

/// A thread owns an object. Its moments move from the image's corner to that of its box, in integers.
__global__ void measure_record_shapes_kernel(const Run* __restrict__ runs, i32 run_count, const Object* __restrict__ objects,
                                             i32 count, const Moments* __restrict__ moments, bool valued, MeasureParams p,
                                             ObjectMeasurement* __restrict__ records, i64* __restrict__ offsets) {
  using objects::i128;
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (i >= count) return;
  const Object object = objects[i];
  const i32 first = object.first_run, end = i + 1 < count ? objects[i + 1].first_run : run_count;
  const Moments m = moments[i];
  const Run top = runs[first];
  objects::ShapeSums s;
  s.runs = end - first;
  s.area = static_cast<i64>(m.area);
  s.first_x = top.x0;
  s.first_y = s.min_y = top.y;
  s.max_y = runs[end - 1].y;
  s.min_x = m.min_x;
  s.max_x = m.max_x;
  const i128 n = s.area, x = m.x, y = m.y, x0 = s.min_x, y0 = s.min_y;
  s.sx = x - n * x0;
  s.sy = y - n * y0;
  s.sxx = whole(m.xx[0], m.xx[1]) - 2 * x0 * x + n * x0 * x0;
  s.syy = whole(m.yy[0], m.yy[1]) - 2 * y0 * y + n * y0 * y0;
  s.sxy = whole(m.xy[0], m.xy[1]) - x0 * y - y0 * x + n * x0 * y0;
#pragma unroll
  for (i32 k = 0; k < 3; ++k) s.exits[k] = s.area - static_cast<i64>(m.inside[k]);
  s.hull2 = object.hull2;
  ObjectMeasurement& record = records[i];
  record.label = object.label;
  objects::finish_shape(s, p.aspect, record);
  if (valued) objects::finish_values(static_cast<i64>(m.value), p, record);
  else objects::finish_without_values(record);
  objects::finish_unstained(record);
  offsets[i] = first;
  if (i + 1 == count) offsets[count] = run_count;
}

/// A thread owns an object.
__global__ void measure_record_stains_kernel(const StainSums* __restrict__ sums, i32 count, bool asked,
                                             ObjectMeasurement* __restrict__ records) {
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (i >= count) return;
  const StainSums s = sums[i];
  objects::i128 sum[3], square[3];
  i64 low[3], high[3];
#pragma unroll
  for (i32 k = 0; k < 3; ++k) {
    sum[k] = static_cast<i64>(s.sum[k]);
    square[k] = whole(s.square_low[k], s.square_high[k]);
    low[k] = s.low[k];
    high[k] = s.high[k];
  }
  objects::finish_stains(sum, square, low, high, records[i]);
  if (asked) objects::finish_stained(static_cast<i64>(s.stained), records[i]);
}

}  // namespace

void record_shapes(Context& ctx, const SortedRuns& r, const Moments* moments, bool valued, const MeasureParams& p,
                   ObjectMeasurement* records, i64* offsets) {
  set_bytes(ctx, records, 0, static_cast<std::size_t>(r.object_count));  // no stains, and nothing undefined between the fields
  const u32 blocks = blocks_for(r.object_count, kThreads);
  measure_record_shapes_kernel<<<blocks, kThreads, 0, stream_of(ctx)>>>(r.runs, r.count, r.objects, r.object_count, moments,
                                                                        valued, p, records, offsets);
  check_launch("measure_record_shapes_kernel");
}

void record_stains(Context& ctx, const StainSums* sums, i32 count, bool asked, ObjectMeasurement* records) {
  measure_record_stains_kernel<<<blocks_for(count, kThreads), kThreads, 0, stream_of(ctx)>>>(sums, count, asked, records);
  check_launch("measure_record_stains_kernel");
}

}  // namespace morpho::gpu
