// Measures the objects of a label image on the GPU: runs and stain sums there, the doubles from them on the host as the CPU makes them.
#include <cub/device/device_radix_sort.cuh>

#include "contract/object_shape.hpp"
#include "bits.cuh"
#include "contract/check_objects.hpp"
#include "gpu_ops.hpp"
#include "scan.cuh"

namespace morpho::gpu {

namespace {

using ull = unsigned long long;
constexpr i32 kThreads = 256;

/// A warp owns 32 pixels of a row: the bits where a run of one label > 0 begins, and where one ends (its last pixel).
__global__ void measure_ends_kernel(Image<const i32> labels, i32 words, i64 count, u32* __restrict__ begins, u32* __restrict__ ends) {
  const i64 i = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const i32 y = static_cast<i32>(i / words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * words) + static_cast<i32>(lane_id());
  const auto value = [&](i32 u) { return u >= 0 && u < labels.width ? max(labels.at(u, y), 0) : 0; };
  const i32 v = value(x);
  const u32 b = __ballot_sync(kFullWarp, v > 0 && v != value(x - 1)), e = __ballot_sync(kFullWarp, v > 0 && v != value(x + 1));
  if (lane_id() == 0) {
    begins[i] = b;
    ends[i] = e;
  }
}

/// A block owns 256 words, a thread one: how many bits they hold in all.
__global__ void measure_count_kernel(const u32* __restrict__ begins, const u32* __restrict__ ends, i64 count, i32* __restrict__ begin_totals,
                                     i32* __restrict__ end_totals) {
  __shared__ i32 sums[33];
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  i32 total;
  block_exclusive_sum(i < count ? __popc(begins[i]) : 0, sums, total);
  if (threadIdx.x == 0) begin_totals[blockIdx.x] = total;
  __syncthreads();
  block_exclusive_sum(i < count ? __popc(ends[i]) : 0, sums, total);
  if (threadIdx.x == 0) end_totals[blockIdx.x] = total;
}

/// The same blocks again: the n-th beginning and the n-th end belong to one run, and each is written at its own number.
__global__ void measure_runs_kernel(Image<const i32> labels, i32 words, i64 count, const u32* __restrict__ begins, const u32* __restrict__ ends,
                                    const i32* __restrict__ begin_totals, const i32* __restrict__ end_totals, Run* __restrict__ runs,
                                    i32* __restrict__ label, i32* __restrict__ number) {
  __shared__ i32 sums[33];
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  const u32 b = i < count ? begins[i] : 0, e = i < count ? ends[i] : 0;
  const i32 y = static_cast<i32>(i / words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * words);
  i32 total;
  i32 at = begin_totals[blockIdx.x] + block_exclusive_sum(__popc(b), sums, total);
  for (u32 rest = b; rest; rest &= rest - 1, ++at) {
    const i32 u = x + __ffs(rest) - 1;
    runs[at].y = y;
    runs[at].x0 = u;
    label[at] = labels.at(u, y);
    number[at] = at;
  }
  __syncthreads();
  at = end_totals[blockIdx.x] + block_exclusive_sum(__popc(e), sums, total);
  for (u32 rest = e; rest; rest &= rest - 1, ++at) runs[at].x1 = x + __ffs(rest);
}

/// A thread owns a run in the order of labels: it fetches the run, and the block counts how many objects begin in it.
__global__ void measure_gather_kernel(const Run* __restrict__ runs, const i32* __restrict__ label, const i32* __restrict__ number, i32 n,
                                      Run* __restrict__ sorted, i32* __restrict__ totals) {
  __shared__ i32 sums[33];
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (i < n) sorted[i] = runs[number[i]];
  i32 total;
  block_exclusive_sum(static_cast<i32>(i < n && (i == 0 || label[i - 1] != label[i])), sums, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

/// Exact sums over the pixels of an object: squares q² in two parts, of their low and high 32 bits.
struct StainSums {
  ull sum[3], square_low[3], square_high[3];
  long long low[3], high[3];
};
__global__ void measure_clear_kernel(StainSums* sums, i32 objects) {
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (i >= objects) return;
  for (i32 s = 0; s < 3; ++s) {
    sums[i].sum[s] = sums[i].square_low[s] = sums[i].square_high[s] = 0;
    sums[i].low[s] = INT64_MAX;
    sums[i].high[s] = INT64_MIN;
  }
}
/// A thread owns a run in the order of labels: the number of its object.
__global__ void measure_objects_kernel(const i32* __restrict__ label, i32 n, const i32* __restrict__ totals, i32* __restrict__ object) {
  __shared__ i32 sums[33];
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  const i32 head = i < n && (i == 0 || label[i - 1] != label[i]);
  i32 total;
  const i32 before = totals[blockIdx.x] + block_exclusive_sum(head, sums, total);
  if (i < n) object[i] = before + head - 1;
}
/// A warp owns a run, its lanes the pixels in turn; the first lane adds the warp's sums to the object's. Integers: the order is no matter.
__global__ void measure_stains_kernel(const Run* __restrict__ runs, const i32* __restrict__ object, i32 n, Image<const Rgba> rgba,
                                      const objects::ObjectStainTables* __restrict__ tables, StainSums* sums) {
  const i64 i = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= n) return;
  const Run run = runs[i];
  const Rgba* row = rgba.row(run.y);
  StainSums& to = sums[object[i]];
  for (i32 s = 0; s < 3; ++s) {
    const auto& t = tables->of[s];
    i64 sum = 0, low = INT64_MAX, high = -INT64_MAX;
    u64 square_low = 0, square_high = 0;
    for (i32 x = run.x0 + static_cast<i32>(lane_id()); x < run.x1; x += 32) {
      const Rgba c = row[x];
      const i64 q = (t[0][c.r] + t[1][c.g] + t[2][c.b]) >> 16;
      const u64 square = static_cast<u64>(q * q);
      sum += q;
      square_low += square & 0xFFFFFFFFu;
      square_high += square >> 32;
      low = min(low, q);
      high = max(high, q);
    }
    sum = warp_sum(sum);
    square_low = warp_sum(square_low);
    square_high = warp_sum(square_high);
    low = warp_min(low);
    high = -warp_min(-high);
    if (lane_id() != 0) continue;
    atomicAdd(&to.sum[s], static_cast<ull>(sum));
    atomicAdd(&to.square_low[s], static_cast<ull>(square_low));
    atomicAdd(&to.square_high[s], static_cast<ull>(square_high));
    atomicMin(&to.low[s], static_cast<long long>(low));
    atomicMax(&to.high[s], static_cast<long long>(high));
  }
}

/// The runs of all labels > 0 in the order of labels, raster order inside each, and where each object begins.
struct SortedRuns {
  Run* runs = nullptr;
  i32 *label = nullptr, *object = nullptr;
  i32 count = 0, objects = 0;
};

SortedRuns sort_runs(Context& ctx, const View<const i32>& labels) {
  SortedRuns r;
  Workspace& work = ctx.workspace;
  const cudaStream_t stream = stream_of(ctx);
  const i32 words = words_for(labels.width());
  const i64 count = static_cast<i64>(words) * labels.height();
  u32 *begins = work.take<u32>(static_cast<std::size_t>(count)), *ends = work.take<u32>(static_cast<std::size_t>(count));
  const u32 blocks = blocks_for(count, kThreads);
  i32 *begin_totals = work.take<i32>(blocks + std::size_t{1}), *end_totals = work.take<i32>(blocks + std::size_t{1});
  measure_ends_kernel<<<blocks_for(count * 32, kThreads), kThreads, 0, stream>>>(labels, words, count, begins, ends);
  check_launch("measure_ends_kernel");
  measure_count_kernel<<<blocks, kThreads, 0, stream>>>(begins, ends, count, begin_totals, end_totals);
  check_launch("measure_count_kernel");
  scan_totals(ctx, begin_totals, static_cast<i32>(blocks));
  scan_totals(ctx, end_totals, static_cast<i32>(blocks));
  fetch(ctx, &r.count, begin_totals + blocks, 1);  // sync: memory is taken for as many runs as there are
  if (r.count == 0) return r;
  const std::size_t n = static_cast<std::size_t>(r.count);
  Run* raster = work.take<Run>(n);
  i32 *label = work.take<i32>(n), *number = work.take<i32>(n), *sorted_number = work.take<i32>(n);
  r.label = work.take<i32>(n);
  r.runs = work.take<Run>(n);
  r.object = work.take<i32>(n);
  measure_runs_kernel<<<blocks, kThreads, 0, stream>>>(labels, words, count, begins, ends, begin_totals, end_totals, raster, label, number);
  check_launch("measure_runs_kernel");
  std::size_t bytes = 0;
  MORPHO_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, label, r.label, number, sorted_number, r.count, 0, 31, stream));
  void* scratch = work.take<u8>(bytes);
  // Stable: the runs of a label stay in raster order.
  MORPHO_CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, label, r.label, number, sorted_number, r.count, 0, 31, stream));
  const u32 run_blocks = blocks_for(r.count, kThreads);
  i32* totals = work.take<i32>(run_blocks + std::size_t{1});
  measure_gather_kernel<<<run_blocks, kThreads, 0, stream>>>(raster, r.label, sorted_number, r.count, r.runs, totals);
  check_launch("measure_gather_kernel");
  scan_totals(ctx, totals, static_cast<i32>(run_blocks));
  measure_objects_kernel<<<run_blocks, kThreads, 0, stream>>>(r.label, r.count, totals, r.object);
  check_launch("measure_objects_kernel");
  fetch(ctx, &r.objects, totals + run_blocks, 1);  // sync: memory is taken for as many objects as there are
  return r;
}

StainSums* sum_stains(Context& ctx, const SortedRuns& r, const View<const Rgba>& rgba, const MeasureParams& p) {
  StainSums* sums = ctx.workspace.take<StainSums>(static_cast<std::size_t>(r.objects));
  auto* d_tables = ctx.workspace.take<objects::ObjectStainTables>(1);
  const objects::ObjectStainTables tables(p);
  MORPHO_CUDA(cudaMemcpyAsync(d_tables, &tables, sizeof tables, cudaMemcpyHostToDevice, stream_of(ctx)));
  wait(ctx);  // sync: the tables are on this function's stack
  measure_clear_kernel<<<blocks_for(r.objects, kThreads), kThreads, 0, stream_of(ctx)>>>(sums, r.objects);
  check_launch("measure_clear_kernel");
  measure_stains_kernel<<<blocks_for(static_cast<i64>(r.count) * 32, kThreads), kThreads, 0, stream_of(ctx)>>>(r.runs, r.object, r.count, rgba, d_tables, sums);
  check_launch("measure_stains_kernel");
  return sums;
}

}  // namespace

// Memory: 8 bytes for each 32 pixels; 56 bytes a run and what the sort takes; 120 bytes an object. The result is in vectors. Cost: two
// passes over the labels, a sort of the runs, one pass over the objects' colours; the shapes are made of the runs on the host.
// sync: for the number of runs, of objects, the tables, and the results.
void measure(Context& ctx, ConstPlane labels, View<const Rgba> rgba, ObjectSet& out, const MeasureParams& p) {
  check::measure(labels, rgba, p);
  const bool colored = rgba.data != nullptr;
  out.objects.clear();
  out.runs.clear();
  out.run_offsets.assign(1, 0);
  if (labels.extent.empty()) return;

  const Workspace::Scope scope(ctx.workspace);
  const SortedRuns r = sort_runs(ctx, labels.view<i32>());
  if (r.count == 0) return;
  ctx.check_cancelled();
  const StainSums* d_sums = colored ? sum_stains(ctx, r, rgba, p) : nullptr;
  out.runs.resize(static_cast<std::size_t>(r.count));
  std::vector<i32> label(static_cast<std::size_t>(r.count));
  std::vector<StainSums> sums(colored ? static_cast<std::size_t>(r.objects) : 0);
  // sync: the host makes the measurements of these
  fetch(ctx, out.runs.data(), r.runs, out.runs.size());
  fetch(ctx, label.data(), r.label, label.size());
  if (colored) fetch(ctx, sums.data(), d_sums, sums.size());
  ctx.check_cancelled();

  out.objects.reserve(static_cast<std::size_t>(r.objects));
  std::vector<objects::Corner> chain(4 * static_cast<std::size_t>(labels.extent.height));
  for (i64 i = 0; i < r.count; ++i) {
    if (i + 1 < r.count && label[static_cast<std::size_t>(i) + 1] == label[static_cast<std::size_t>(i)]) continue;
    const i64 first = out.run_offsets.back();
    ObjectMeasurement m{};
    m.label = label[static_cast<std::size_t>(i)];
    objects::measure_shape(out.runs.data() + first, i + 1 - first, chain.data(), m);
    if (colored) {
      const StainSums& s = sums[out.objects.size()];
      objects::i128 sum[3], square[3];
      i64 low[3], high[3];
      for (i32 k = 0; k < 3; ++k) {
        sum[k] = static_cast<i64>(s.sum[k]);
        square[k] = (static_cast<objects::i128>(s.square_high[k]) << 32) + s.square_low[k];
        low[k] = s.low[k];
        high[k] = s.high[k];
      }
      objects::finish_stains(sum, square, low, high, m);
    }
    out.objects.push_back(m);
    out.run_offsets.push_back(i + 1);
  }
}

}  // namespace morpho::gpu
