// Builds a max-tree's parents: the trees of tiles joined along the tiles' borders, then the canonical form.
#include <algorithm>

#include "cuda/max_tree/max_tree_joined.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kBorderThreads = 64;
/// Pixels of a border that a block owns: deeper trees have longer joins, so a lane has fewer of them.
template <class T>
constexpr i32 kBorderPiece = sizeof(T) == 1 ? 256 : 128;

/// Borders of one direction: `k` runs along them, the t-th pixel beside them lies on border t / length. `along`, `step`: index
/// distance of neighbours along a border and across it; a tile's sides are `side` apart across borders, and `reach` long along
/// them.
struct Borders {
  i32 length, count, along, step, side, reach;
  bool every_diagonal;  ///< those at corners of tiles too
  __device__ i32 after(i64 t) const {
    return (static_cast<i32>(t / length) + 1) * side * step + static_cast<i32>(t % length) * along;
  }
};

/// Joins the tiles along the upright borders (the first blocks) and the lying ones. A block owns a piece of the
/// pixels after a border and lists in shared memory the edges across it that count: those that are the highest of their
/// surroundings in the tile and, for 8-connectivity, diagonals beside two lower pixels. Lanes then take edges from the list, as
/// a join may be long or short. Parents live in global memory; joins are lock-free as in tiles.
template <class T, bool eight>
__global__ void __launch_bounds__(kBorderThreads)
    max_tree_border_kernel(JoinedTree<T> tree, Borders upright, Borders lying, u32 blocks_upright) {
  enum : u32 { across = 0, down = 1u << 12, up = 2u << 12 };
  constexpr i32 piece = kBorderPiece<T>;
  const bool lies = blockIdx.x >= blocks_upright;
  const Borders borders = lies ? lying : upright;
  __shared__ u16 edges[2 * piece];  // a pixel has at most its edge and one diagonal: of two one would lie beside a higher pixel
  __shared__ u32 listed, taken;
  if (threadIdx.x == 0) listed = taken = 0;
  __syncthreads();
  const i32 along = borders.along, step = borders.step;
  const i64 first = static_cast<i64>(lies ? blockIdx.x - blocks_upright : blockIdx.x) * piece,
            end = min(first + piece, static_cast<i64>(borders.length) * borders.count);
  for (i64 t = first + threadIdx.x; t < end; t += kBorderThreads) {
    const auto list = [&](u32 kind) { edges[atomicAdd(&listed, 1u)] = static_cast<u16>(static_cast<u32>(t - first) | kind); };
    const i32 k = static_cast<i32>(t % borders.length), b = borders.after(t), a = b - step;
    const u32 va = tree.value(a), vb = tree.value(b), level = min(va, vb);
    const bool next = k + 1 < borders.length;
    const u32 next_a = next ? tree.value(a + along) : 0, next_b = next ? tree.value(b + along) : 0;
    // Only edges within one tile's side imply one another: between tiles, what would carry the path may itself be left out.
    const bool implied = (next && (k + 1) % borders.reach != 0 && min(next_a, next_b) >= level) ||
                         (k % borders.reach != 0 && min(tree.value(a - along), tree.value(b - along)) > level);
    if (!implied) list(across);
    if (!eight || !next || ((k + 1) % borders.reach == 0 && !borders.every_diagonal)) continue;
    const u32 low_down = min(va, next_b), low_up = min(vb, next_a);
    if (vb < low_down && next_a < low_down) list(down);
    if (va < low_up && next_b < low_up) list(up);
  }
  __syncthreads();
  typename JoinedTree<T>::Branch a{}, b{};
  bool busy = false, more = true;
  [[maybe_unused]] u32 tried = 0;
  for (;;) {
    if (!busy && more) {
      const u32 i = atomicAdd(&taken, 1u);
      more = busy = i < listed;
      if (busy) {
        const u32 e = edges[i], kind = e & (3u << 12);
        const i32 after = borders.after(first + (e & (piece - 1)));
        a = tree.branch_of(after - (kind == up ? 0 : step));
        b = tree.branch_of(after + (kind == across ? 0 : along) - (kind == up ? step : 0));
        tried = 0;
      }
    }
    if (!__any_sync(kFullWarp, busy)) break;
    if constexpr (kBandShift<T> > 0) {
      if (busy) tree.leap(a, b, tried);
    }
    if (busy) busy = !tree.step(a, b);
  }
}

constexpr i32 kPixels = 4;  ///< that a lane of the last pass owns, a warp's width apart: their reads wait together
constexpr i32 kBits = 8;    ///< that a thread of the pass before owns

/// Nodes that have become part of another one's level (canonical before the joins, and not after) point at that level's root
/// now. A thread owns a few bits of a word. Chains lead to earlier pixels of the level, and what other threads have put there
/// meanwhile says the same.
static __global__ void max_tree_resolve_kernel(i32* d_parent, i64 words, const u32* __restrict__ d_before,
                                               const u32* __restrict__ d_canonical) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x, word = t / (32 / kBits);
  if (word >= words) return;
  for (u32 rest = d_before[word] & ~d_canonical[word] & ((1u << kBits) - 1) << t % (32 / kBits) * kBits; rest;
       rest &= rest - 1) {
    i32* own = d_parent + word * 32 + (__ffs(rest) - 1);
    const i32 next = static_cast<i32>(load_pixel(own));
    i32 to = next;
    while (!(d_canonical[to >> 5] >> (to & 31) & 1)) to = static_cast<i32>(load_pixel(d_parent + to));
    if (to != next) store_pixel(own, static_cast<u32>(to));
  }
}

/// The canonical form in place: whoever points at a node that is canonical no more gets that one's root. Only such nodes are
/// read by others, and those keep what they have.
static __global__ void max_tree_flatten_kernel(i32* d_parent, i64 n, const u32* __restrict__ d_canonical) {
  const i64 first = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32 * 32 * kPixels + lane_id();
  i32 to[kPixels];
  u32 bits[kPixels];
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) to[k] = first + 32 * k < n ? d_parent[first + 32 * k] : 0;
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) bits[k] = d_canonical[to[k] >> 5];
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) {
    if (first + 32 * k < n && !(bits[k] >> (to[k] & 31) & 1)) d_parent[first + 32 * k] = d_parent[to[k]];
  }
}

template <class T, bool eight>
void build(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool canonical_form) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const i64 n = e.area();
  const std::size_t words = static_cast<std::size_t>(divide_up(n, 32));
  u32 *d_canonical = ctx.workspace.take<u32>(words), *d_before = canonical_form ? ctx.workspace.take<u32>(words) : nullptr;
  if (e.width % 32 != 0) set_bytes(ctx, d_canonical, 0, words);
  constexpr bool banded = kBandShift<T> > 0;
  u16* d_below = banded ? ctx.workspace.take<u16>(static_cast<std::size_t>(n)) : nullptr;
  max_tree_tiles<T>(ctx, d_f, e, d_parent, d_canonical, d_below, flip, eight);
  if (canonical_form)
    MORPHO_CUDA(cudaMemcpyAsync(d_before, d_canonical, words * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
  const JoinedTree<T> tree{d_f, d_parent, d_canonical, flip, d_below, e.width};
  if constexpr (banded) max_tree_join_bands(ctx, tree, e);
  const i32 across = static_cast<i32>(divide_up(e.width, kTreeTile.width)),
            down = static_cast<i32>(divide_up(e.height, kTreeTile.height));
  const Borders upright{e.height, across - 1, e.width, 1, kTreeTile.width, kTreeTile.height, true};
  const Borders lying{e.width, down - 1, 1, e.width, kTreeTile.height, kTreeTile.width, false};
  const auto blocks_of = [](const Borders& b) {
    return b.count == 0 ? 0u : blocks_for(static_cast<i64>(b.length) * b.count, kBorderPiece<T>);
  };
  if (const u32 blocks_upright = blocks_of(upright), blocks = blocks_upright + blocks_of(lying); blocks != 0) {
    max_tree_border_kernel<T, eight><<<blocks, kBorderThreads, 0, stream>>>(tree, upright, lying, blocks_upright);
    check_launch("max_tree_border_kernel");
  }
  if (!canonical_form) return;
  max_tree_resolve_kernel<<<blocks_for(divide_up(n, 32) * (32 / kBits), 256), 256, 0, stream>>>(d_parent, divide_up(n, 32),
                                                                                                d_before, d_canonical);
  check_launch("max_tree_resolve_kernel");
  max_tree_flatten_kernel<<<blocks_for(n, 256 * kPixels), 256, 0, stream>>>(d_parent, n, d_canonical);
  check_launch("max_tree_flatten_kernel");
}

}  // namespace

template <class T>
void max_tree_parent(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool eight, bool canonical_form) {
  if (eight) build<T, true>(ctx, d_f, e, d_parent, flip, canonical_form);
  else build<T, false>(ctx, d_f, e, d_parent, flip, canonical_form);
}
template void max_tree_parent<u8>(Context&, const u8*, Extent, i32*, u8, bool, bool);
template void max_tree_parent<u16>(Context&, const u16*, Extent, i32*, u16, bool, bool);

}  // namespace morpho::gpu
