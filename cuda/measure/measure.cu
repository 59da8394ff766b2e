// Measures the objects of a label image on the GPU: exact sums, then records as the CPU makes them; the host only gets them.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/lanes.cuh"
#include "cuda/measure/measure_hulls.cuh"
#include "cuda/measure/measure_records.cuh"

namespace morpho::gpu {

namespace {

using ull = unsigned long long;
constexpr i32 kThreads = 256;

__device__ void add_parts(ull* to, objects::i128 v) {
  to[0] += static_cast<u32>(v);
  to[1] += static_cast<ull>(v >> 32);
}
__device__ void add_sums(Moments& to, const Moments& s) {
  to.area += s.area, to.x += s.x, to.y += s.y;
#pragma unroll
  for (i32 k = 0; k < 2; ++k) to.xx[k] += s.xx[k], to.yy[k] += s.yy[k], to.xy[k] += s.xy[k];
#pragma unroll
  for (i32 k = 0; k < 3; ++k) to.inside[k] += s.inside[k];
  to.min_x = min(to.min_x, s.min_x), to.max_x = max(to.max_x, s.max_x);
  to.value += s.value;
}
__device__ void add_atomically(Moments& to, const Moments& s) {
  atomicAdd(&to.area, s.area);
  atomicAdd(&to.x, s.x);
  atomicAdd(&to.y, s.y);
#pragma unroll
  for (i32 k = 0; k < 2; ++k) {
    atomicAdd(&to.xx[k], s.xx[k]);
    atomicAdd(&to.yy[k], s.yy[k]);
    atomicAdd(&to.xy[k], s.xy[k]);
  }
#pragma unroll
  for (i32 k = 0; k < 3; ++k) atomicAdd(&to.inside[k], s.inside[k]);
  atomicMin(&to.min_x, s.min_x);
  atomicMax(&to.max_x, s.max_x);
  if (s.value) atomicAdd(&to.value, s.value);
}
__device__ void add_sums(StainSums& to, const StainSums& s) {
#pragma unroll
  for (i32 k = 0; k < 3; ++k) {
    to.sum[k] += s.sum[k], to.square_low[k] += s.square_low[k], to.square_high[k] += s.square_high[k];
    to.low[k] = min(to.low[k], s.low[k]), to.high[k] = max(to.high[k], s.high[k]);
  }
  to.stained += s.stained;
}
__device__ void add_atomically(StainSums& to, const StainSums& s) {
#pragma unroll
  for (i32 k = 0; k < 3; ++k) {
    atomicAdd(&to.sum[k], s.sum[k]);
    atomicAdd(&to.square_low[k], s.square_low[k]);
    atomicAdd(&to.square_high[k], s.square_high[k]);
    atomicMin(&to.low[k], s.low[k]);
    atomicMax(&to.high[k], s.high[k]);
  }
  if (s.stained) atomicAdd(&to.stained, s.stained);
}

__device__ void clear(Moments& m) {
  m = {};
  m.min_x = 0x7FFFFFFF, m.max_x = -1;
}
__device__ void clear(StainSums& s) {
  s = {};
#pragma unroll
  for (i32 k = 0; k < 3; ++k) s.low[k] = INT64_MAX, s.high[k] = INT64_MIN;
}
/// A thread owns an object.
template <class S>
__global__ void measure_clear_kernel(S* sums, i32 objects) {
  const i32 i = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (i < objects) clear(sums[i]);
}

/// Adds each lane's sums to those of its object: equal objects lie side by side, so a warp adds once an object, and a block
/// once to that of its first thread. `parts` holds a warp's share each. The whole block calls, with -1 for no object.
template <class S>
__device__ void add_to_objects(i32 object, S& s, S* all, S* parts, i32* part_object) {
  const LaneRun run(static_cast<u32>(object));
  const u32 before_end = run.end == 32 ? kFullWarp : (1u << run.end) - 1;
  sum_groups(object >= 0 ? before_end & ~((1u << run.first) - 1) : 0, s, [](S& to, const S& other) { add_sums(to, other); });
  if (threadIdx.x == 0) part_object[kThreads / 32] = object;
  if (lane_id() == 0) part_object[threadIdx.x / 32] = object, parts[threadIdx.x / 32] = s;
  __syncthreads();
  const i32 shared = part_object[kThreads / 32];
  if (object >= 0 && run.leads() && (object != shared || run.first != 0)) add_atomically(all[object], s);
  if (threadIdx.x != 0 || shared < 0) return;
  for (i32 warp = 1; warp < kThreads / 32; ++warp) {
    if (part_object[warp] == shared) add_sums(s, parts[warp]);
  }
  add_atomically(all[shared], s);
}

/// A thread, or a warp (`lanes`), owns a run in the order of labels: its moments, which of its pixels have neighbours of the
/// object below, and what of `value` lies under it above `below`; these may hold nothing. Shared memory: the warps' sums.
template <class V>
__global__ void __launch_bounds__(kThreads)
    measure_shapes_kernel(const Run* __restrict__ runs, const i32* __restrict__ object, i32 n, i32 lanes,
                          Image<const i32> labels, Image<const V> value, Image<const V> below, Moments* moments) {
  __shared__ Moments parts[kThreads / 32];
  __shared__ i32 part_object[kThreads / 32 + 1];
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x, i = t / lanes;
  const i32 mine = i < n ? object[i] : -1, lane = static_cast<i32>(t % lanes);
  Moments m;
  clear(m);
  if (i < n) {
    const Run run = runs[i];
    if (lane == 0) {
      const i64 a = run.x0, b = run.x1, y = run.y, count = b - a, x = (b * (b - 1) - a * (a - 1)) / 2;
      m.area = static_cast<ull>(count), m.x = static_cast<ull>(x), m.y = static_cast<ull>(y * count);
      const auto squares = [](auto k) { return (k - 1) * k * (2 * k - 1) / 6; };
      if (b <= 1 << 20) add_parts(m.xx, squares(b) - squares(a));
      else add_parts(m.xx, squares(static_cast<objects::i128>(b)) - squares(static_cast<objects::i128>(a)));
      add_parts(m.yy, static_cast<objects::i128>(y * y) * count);
      add_parts(m.xy, static_cast<objects::i128>(y) * x);
      m.min_x = run.x0, m.max_x = run.x1 - 1;
    }
    if (run.y + 1 < labels.height) {
      const i32 label = labels.at(run.x0, run.y);
      const i32* below = labels.row(run.y + 1);
      const auto is = [&](i32 u) { return static_cast<u32>(u >= 0 && u < labels.width && below[u] == label); };
      for (i32 u = run.x0 + lane; u < run.x1; u += lanes)
        m.inside[0] += is(u), m.inside[1] += is(u + 1), m.inside[2] += is(u - 1);
    }
    if (value.data) {
      const V *v = value.row(run.y), *b = below.data ? below.row(run.y) : nullptr;
      long long sum = 0;
      for (i32 u = run.x0 + lane; u < run.x1; u += lanes) sum += v[u] - (b ? b[u] : 0);
      m.value = static_cast<ull>(sum);
    }
  }
  add_to_objects(mine, m, moments, parts, part_object);
}

/// A thread, or a warp (`lanes`), owns a run in the order of labels. Integers: the order of sums does not show. Shared memory:
/// the warps' sums.
__global__ void __launch_bounds__(kThreads)
    measure_stains_kernel(const Run* __restrict__ runs, const i32* __restrict__ object, i32 n, i32 lanes,
                          Image<const Rgba> rgba, const objects::ObjectStainTables* __restrict__ tables, i32 stained,
                          long long stained_above, StainSums* sums) {
  __shared__ StainSums parts[kThreads / 32];
  __shared__ i32 part_object[kThreads / 32 + 1];
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x, i = t / lanes;
  const i32 mine = i < n ? object[i] : -1, lane = static_cast<i32>(t % lanes);
  StainSums to;
  clear(to);
  if (i < n) {
    const Run run = runs[i];
    const Rgba* row = rgba.row(run.y);
    for (i32 x = run.x0 + lane; x < run.x1; x += lanes) {
      const Rgba c = row[x];
#pragma unroll
      for (i32 s = 0; s < 3; ++s) {
        const auto& t = tables->of[s];
        const long long q = (t[0][c.r] + t[1][c.g] + t[2][c.b]) >> 16;
        const ull square = static_cast<ull>(q * q);
        to.sum[s] += static_cast<ull>(q);
        to.square_low[s] += square & 0xFFFFFFFFu;
        to.square_high[s] += square >> 32;
        to.low[s] = min(to.low[s], q);
        to.high[s] = max(to.high[s], q);
        if (s == stained) to.stained += q > stained_above;
      }
    }
  }
  add_to_objects(mine, to, sums, parts, part_object);
}

/// Threads for a run: a warp where runs may be long, and so are few.
i32 lanes_for(const SortedRuns& r, Extent e) { return e.area() / r.count >= 256 ? 32 : 1; }

template <class S>
void clear_sums(Context& ctx, S* sums, i32 objects) {
  measure_clear_kernel<<<blocks_for(objects, kThreads), kThreads, 0, stream_of(ctx)>>>(sums, objects);
  check_launch("measure_clear_kernel");
}

void sum_shapes(Context& ctx, const SortedRuns& r, const View<const i32>& labels, const ConstPlane& value,
                const ConstPlane& below, Moments* moments) {
  clear_sums(ctx, moments, r.object_count);
  const i32 lanes = lanes_for(r, labels.extent);
  const u32 blocks = blocks_for(static_cast<i64>(r.count) * lanes, kThreads);
  const auto sum = [&]<class V>(V) {
    const auto grey = [](const ConstPlane& p) { return p.present() ? p.view<V>() : View<const V>(); };
    measure_shapes_kernel<V>
        <<<blocks, kThreads, 0, stream_of(ctx)>>>(r.runs, r.object, r.count, lanes, labels, grey(value), grey(below), moments);
  };
  value.type == PixelType::u16 ? sum(u16{}) : sum(u8{});
  check_launch("measure_shapes_kernel");
  hull_objects(ctx, r);
}

void sum_stains(Context& ctx, const SortedRuns& r, const View<const Rgba>& rgba, const objects::ObjectStainTables& tables,
                const MeasureParams& p, StainSums* sums) {
  clear_sums(ctx, sums, r.object_count);
  auto* d_tables = ctx.workspace.take<objects::ObjectStainTables>(1);
  MORPHO_CUDA(cudaMemcpyAsync(d_tables, &tables, sizeof tables, cudaMemcpyHostToDevice, stream_of(ctx)));
  const i32 lanes = lanes_for(r, rgba.extent);
  const u32 blocks = blocks_for(static_cast<i64>(r.count) * lanes, kThreads);
  measure_stains_kernel<<<blocks, kThreads, 0, stream_of(ctx)>>>(r.runs, r.object, r.count, lanes, rgba, d_tables, p.stained,
                                                                 p.stained_above, sums);
  check_launch("measure_stains_kernel");
}

}  // namespace

// Memory: 8 bytes for each 32 pixels; 40 bytes a run and what the sort takes; 392 bytes an object, or 156 bytes an object and
// 32 a row of an object where that is more. The result is in vectors, whose pages the copying threads are the first to touch.
// Cost: two passes over the labels, a sort of the runs, two passes over the objects' pixels; hulls by one thread an object, or
// a block where it is tall; 12 bytes a run and 240 an object to the host, the runs while the sums are made. sync: for the
// number of runs, of objects, and the results.
void measure(Context& ctx, ConstPlane labels, View<const Rgba> rgba, ConstPlane value, ConstPlane below, ObjectSet& out,
             const MeasureParams& p) {
  op::measure::check(labels, rgba, value, below, p);
  const bool colored = rgba.data != nullptr;
  out.objects.clear();
  out.runs.clear();
  out.run_offsets.assign(1, 0);
  if (labels.extent.empty()) return;

  Workspace& work = ctx.workspace;
  const Workspace::Scope scope(work);
  const SortedRuns r = sort_runs(ctx, labels.view<i32>());
  if (r.count == 0) return;
  mark_early(ctx);
  ctx.check_cancelled();
  const std::size_t n = static_cast<std::size_t>(r.object_count);
  static_assert(sizeof(Moments) <= sizeof(StainSums));
  void* const sums = colored ? static_cast<void*>(work.take<StainSums>(n))
                             : work.take<Moments>(n);  // of shapes, then of stains
  sum_shapes(ctx, r, labels.view<i32>(), value, below, static_cast<Moments*>(sums));
  auto* d_records = work.take<ObjectMeasurement>(n);
  i64* d_offsets = work.take<i64>(n + 1);
  record_shapes(ctx, r, static_cast<Moments*>(sums), value.present(), p, d_records, d_offsets);
  const objects::ObjectStainTables tables(p);  // outlives the copy: the results are waited for
  if (colored) {
    sum_stains(ctx, r, rgba, tables, p, static_cast<StainSums*>(sums));
    record_stains(ctx, static_cast<StainSums*>(sums), r.object_count, p.stained >= 0, d_records);
  }
  const std::size_t runs = static_cast<std::size_t>(r.count);
  out.runs.resize(runs);
  out.objects.resize(n);
  out.run_offsets.resize(n + 1);
  // sync: the caller reads these
  fetch(ctx, {{out.runs.data(), r.runs, runs * sizeof(Run), true},
              {out.objects.data(), d_records, n * sizeof(ObjectMeasurement)},
              {out.run_offsets.data(), d_offsets, (n + 1) * sizeof(i64)}});
  ctx.check_cancelled();
}

}  // namespace morpho::gpu
