// The runs of a label image's objects in the order of labels.
#include <cub/device/device_radix_sort.cuh>

#include "cuda/runtime/bits.cuh"
#include "cuda/measure/measure_runs.cuh"
#include "cuda/runtime/scan.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kThreads = 256;

/// A warp owns 32 pixels of a row: the bits where a run of one label > 0 begins, and where one ends (its last pixel).
__global__ void measure_ends_kernel(Image<const i32> labels, i32 words, i64 count, u32* __restrict__ begins,
                                    u32* __restrict__ ends) {
  const i64 i = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const i32 y = static_cast<i32>(i / words),
            x = 32 * static_cast<i32>(i - static_cast<i64>(y) * words) + static_cast<i32>(lane_id());
  const auto value = [&](i32 u) { return u >= 0 && u < labels.width ? max(labels.at(u, y), 0) : 0; };
  const i32 v = value(x);
  const u32 b = __ballot_sync(kFullWarp, v > 0 && v != value(x - 1)), e = __ballot_sync(kFullWarp, v > 0 && v != value(x + 1));
  if (lane_id() == 0) {
    begins[i] = b;
    ends[i] = e;
  }
}

/// A block owns 256 words, a thread one: how many bits they hold in all.
__global__ void measure_count_kernel(const u32* __restrict__ begins, const u32* __restrict__ ends, i64 count,
                                     i32* __restrict__ begin_totals, i32* __restrict__ end_totals) {
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
__global__ void measure_runs_kernel(Image<const i32> labels, i32 words, i64 count, const u32* __restrict__ begins,
                                    const u32* __restrict__ ends, const i32* __restrict__ begin_totals,
                                    const i32* __restrict__ end_totals, Run* __restrict__ runs, i32* __restrict__ label,
                                    i32* __restrict__ number) {
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

/// Runs in the order of labels: where objects begin, and where rows of objects do.
struct Heads {
  bool object, row;
  __device__ Heads(const i32* label, i32 i, i32 y, i32 y_before)
      : object(i == 0 || label[i - 1] != label[i]), row(object || y != y_before) {}
};

/// A thread owns a run in the order of labels: it fetches the run, and the block counts how many objects, and rows of objects,
/// begin in it.
__global__ void measure_gather_kernel(const Run* __restrict__ runs, const i32* __restrict__ label,
                                      const i32* __restrict__ number, i32 n, Run* __restrict__ sorted,
                                      i32* __restrict__ object_totals, i32* __restrict__ row_totals) {
  __shared__ i32 sums[33];
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  i32 object = 0, row = 0, total;
  if (i < n) {
    const Run run = runs[number[i]];
    sorted[i] = run;
    const Heads heads(label, i, run.y, i == 0 ? -1 : runs[number[i - 1]].y);
    object = heads.object, row = heads.row;
  }
  block_exclusive_sum(object, sums, total);
  if (threadIdx.x == 0) object_totals[blockIdx.x] = total;
  __syncthreads();
  block_exclusive_sum(row, sums, total);
  if (threadIdx.x == 0) row_totals[blockIdx.x] = total;
}

/// A thread owns a run in the order of labels: the number of its object, and what begins with it. A row of an object goes from
/// the beginning of its first run to the end of its last.
__global__ void measure_objects_kernel(const Run* __restrict__ runs, const i32* __restrict__ label, i32 n,
                                       const i32* __restrict__ object_totals, const i32* __restrict__ row_totals,
                                       i32* __restrict__ object, Object* __restrict__ objects, Run* __restrict__ rows) {
  __shared__ i32 sums[33];
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  const bool inside = i < n;
  const Run run = inside ? runs[i] : Run{};
  const Heads heads = inside ? Heads(label, i, run.y, i == 0 ? -1 : runs[i - 1].y) : Heads(label, 0, 0, 0);
  i32 total;
  const i32 object_head = inside && heads.object, row_head = inside && heads.row;
  const i32 at = object_totals[blockIdx.x] + block_exclusive_sum(object_head, sums, total) + object_head - 1;
  __syncthreads();
  const i32 row = row_totals[blockIdx.x] + block_exclusive_sum(row_head, sums, total) + row_head - 1;
  if (!inside) return;
  object[i] = at;
  if (heads.object) objects[at] = {label[i], i, row, 0, 0};
  if (heads.row) rows[row].y = run.y, rows[row].x0 = run.x0;
  if (i + 1 == n || Heads(label, i + 1, runs[i + 1].y, run.y).row) rows[row].x1 = run.x1;
}

}  // namespace

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
  measure_runs_kernel<<<blocks, kThreads, 0, stream>>>(labels, words, count, begins, ends, begin_totals, end_totals, raster,
                                                       label, number);
  check_launch("measure_runs_kernel");
  std::size_t bytes = 0;
  MORPHO_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, label, r.label, number, sorted_number, r.count, 0, 31, stream));
  void* scratch = work.take<u8>(bytes);
  // Stable: the runs of a label stay in raster order.
  MORPHO_CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, label, r.label, number, sorted_number, r.count, 0, 31, stream));
  const u32 run_blocks = blocks_for(r.count, kThreads);
  i32* totals = work.take<i32>(2 * (run_blocks + std::size_t{1}));
  i32* row_totals = totals + run_blocks + 1;
  measure_gather_kernel<<<run_blocks, kThreads, 0, stream>>>(raster, r.label, sorted_number, r.count, r.runs, totals,
                                                             row_totals);
  check_launch("measure_gather_kernel");
  scan_totals(ctx, totals, static_cast<i32>(run_blocks));
  scan_totals(ctx, row_totals, static_cast<i32>(run_blocks));
  MORPHO_CUDA(cudaMemcpyAsync(&r.row_count, row_totals + run_blocks, sizeof r.row_count, cudaMemcpyDeviceToHost, stream));
  fetch(ctx, &r.object_count, totals + run_blocks, 1);  // sync: memory is taken for as many objects and rows as there are
  r.object = label, r.rows = raster;                    // neither is needed any more
  r.objects = work.take<Object>(static_cast<std::size_t>(r.object_count));
  measure_objects_kernel<<<run_blocks, kThreads, 0, stream>>>(r.runs, r.label, r.count, totals, row_totals, r.object, r.objects,
                                                              r.rows);
  check_launch("measure_objects_kernel");
  return r;
}

}  // namespace morpho::gpu
