// The table of a max-tree's nodes: the canonical pixels in falling order of altitude, by a counting sort of them alone.
#include "cuda/gpu_ops.hpp"
#include "cuda/max_tree/max_tree_parent.cuh"
#include "cuda/max_tree/node_sums.cuh"
#include "cuda/max_tree/pixel_sort.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = pixel_sort::kThreads;
constexpr i32 kAtOnce = 4;  ///< rows of 32 pixels that a warp has under way at once
constexpr i32 kVotes = 2;   ///< nodes of a row that get their pixels in one addition

/// A tree's images, f and parent flat; of the order both ends.
template <class T>
struct Tree {
  const T* d_f;
  const i32* d_parent;
  const i32 *d_root, *d_last;
  i64 n;
  /// What turns falling order of altitude (seen from the leaves: falling to the root) into rising values.
  __device__ T flip() const { return d_f[*d_root] > d_f[*d_last] ? T{0} : static_cast<T>(~0u); }
};

/// Says which pixels are canonical, one bit each, and counts their digits. One block a chunk, a warp 512 consecutive pixels of
/// it; the counts gather in shared memory.
template <class T>
__global__ void __launch_bounds__(kThreads)
    max_tree_nodes_count_kernel(Tree<T> tree, T* d_flip, u32* d_chosen, pixel_sort::Places places) {
  __shared__ i32 count[pixel_sort::kDigits];
  if (threadIdx.x < pixel_sort::kDigits) count[threadIdx.x] = 0;
  const T flip = tree.flip();
  if (blockIdx.x == 0 && threadIdx.x == 0) *d_flip = flip;
  __syncthreads();
  const u32 lane = lane_id();
  const i64 first = static_cast<i64>(blockIdx.x) * pixel_sort::kChunk + (threadIdx.x >> 5) * pixel_sort::kPerWarp;
  u32 chosen = 0;
  for (i32 row = 0; row < pixel_sort::kRounds; row += kAtOnce) {
    i32 parent[kAtOnce];
    T own[kAtOnce], above[kAtOnce];
#pragma unroll
    for (i32 k = 0; k < kAtOnce; ++k) {
      const i64 p = first + (row + k) * 32 + lane;
      parent[k] = p < tree.n ? tree.d_parent[p] : -1;
      own[k] = p < tree.n ? tree.d_f[p] : T{0};
    }
#pragma unroll
    for (i32 k = 0; k < kAtOnce; ++k) above[k] = parent[k] >= 0 ? tree.d_f[parent[k]] : T{0};
#pragma unroll
    for (i32 k = 0; k < kAtOnce; ++k) {
      const i64 p = first + (row + k) * 32 + lane;
      const bool is = parent[k] >= 0 && (above[k] != own[k] || parent[k] == p);
      const u32 word = __ballot_sync(kFullWarp, is);
      if (static_cast<i32>(lane) == row + k) chosen = word;
      if (is) atomicAdd(count + (static_cast<u32>(own[k] ^ flip) & 255), 1);
    }
  }
  if (lane < pixel_sort::kRounds) d_chosen[first / 32 + lane] = chosen;  // a whole chunk's, also past the image's end
  __syncthreads();
  if (threadIdx.x < pixel_sort::kDigits) places.of(threadIdx.x, blockIdx.x) = count[threadIdx.x];
}

/// Where nodes go: into the table, and their places into the image.
template <class T>
struct ToTable {
  const T* d_f;
  i32* d_node;
  NodeTable to;

  __device__ void number(i32 p, i32 at) const { d_node[p] = at; }
  template <class Source>
  __device__ void write(const Source& source, i32 at, i32 p, u32 digit, u32) const {
    to.pixel[at] = p;
    to.own[at] = 1;
    if constexpr (sizeof(T) == 1) to.altitude[at] = static_cast<T>(digit ^ source.flip);
    else to.altitude[at] = d_f[p];
  }
};

/// Parents' places at the nodes; at the other pixels their node's place, and they are counted. A warp owns 128 consecutive
/// pixels; places of canonical pixels are only read. The nodes of a row's first pixels, as the large ones are, get their pixels
/// at once. No shared memory.
__global__ void __launch_bounds__(kThreads)
    max_tree_nodes_place_kernel(const i32* __restrict__ d_parent, i64 n, const u32* __restrict__ d_chosen, i32* d_node,
                                NodeTable to) {
  const u32 lane = lane_id();
  const i64 first = (static_cast<i64>(blockIdx.x) * kThreads + (threadIdx.x & ~31u)) * kAtOnce + lane;
  i32 above[kAtOnce], place[kAtOnce];
#pragma unroll
  for (i32 k = 0; k < kAtOnce; ++k) above[k] = first + k * 32 < n ? d_parent[first + k * 32] : -1;
#pragma unroll
  for (i32 k = 0; k < kAtOnce; ++k) {
    const i64 p = first + k * 32;
    if (above[k] >= 0) above[k] = d_node[above[k]];
    place[k] = p < n && d_chosen[p / 32] >> lane & 1 ? d_node[p] : -1;
  }
#pragma unroll
  for (i32 k = 0; k < kAtOnce; ++k) {
    if (place[k] >= 0) to.parent[place[k]] = above[k];
    else if (above[k] >= 0) d_node[first + k * 32] = above[k];
    u32 left = __ballot_sync(kFullWarp, place[k] < 0 && above[k] >= 0);
    for (i32 vote = 0; vote < kVotes && left; ++vote) {
      const i32 from = __ffs(static_cast<int>(left)) - 1;
      const u32 same = left & __ballot_sync(kFullWarp, above[k] == __shfl_sync(kFullWarp, above[k], from));
      if (static_cast<i32>(lane) == from) atomicAdd(to.own + above[k], __popc(same));
      left &= ~same;
    }
    if (left >> lane & 1) atomicAdd(to.own + above[k], 1);
  }
}

template <class T>
i32 build(Context& ctx, const Tree<T>& tree, i32* d_node, Extent e, const NodeTable& to) {
  const pixel_sort::Places places = pixel_sort::take_places(ctx, tree.n);
  u32* d_chosen = ctx.workspace.take<u32>(static_cast<std::size_t>(places.chunks) * (pixel_sort::kChunk / 32));
  T* d_flip = ctx.workspace.take<T>(1);
  // Every node in the last range: nothing here walks the table tile by tile.
  set_bytes(ctx, to.first, 0, static_cast<std::size_t>(node_tiles(e)) + 1);
  max_tree_nodes_count_kernel<T>
      <<<static_cast<u32>(places.chunks), kThreads, 0, stream_of(ctx)>>>(tree, d_flip, d_chosen, places);
  check_launch("max_tree_nodes_count_kernel");
  const pixel_sort::Pixels<T> pixels{tree.d_f, tree.n, T{0}, d_chosen, d_flip};
  const ToTable<T> table{tree.d_f, d_node, to};
  const i32* d_total = places.d_base + pixel_sort::kDigits;
  if constexpr (sizeof(T) == 1) {
    pixel_sort::scatter(ctx, pixels, places, table);
  } else {
    u8* d_digit = ctx.workspace.take<u8>(static_cast<std::size_t>(tree.n));
    pixel_sort::scatter(ctx, pixels, places, pixel_sort::ToList{to.parent, d_digit});  // not needed yet
    pixel_sort::sort(ctx, pixel_sort::Listed{to.parent, d_digit, tree.n, d_total}, places, table);
  }
  max_tree_nodes_place_kernel<<<blocks_for(tree.n, kThreads * kAtOnce), kThreads, 0, stream_of(ctx)>>>(tree.d_parent, tree.n,
                                                                                                       d_chosen, d_node, to);
  check_launch("max_tree_nodes_place_kernel");
  i32 count = 0;
  fetch(ctx, &count, d_total, 1);  // sync: the caller's own return value
  return count;
}

}  // namespace

/// Shape: f, parent, order as max_tree gives them -> node [h, w] i32, and the table, in falling order of altitude (a
/// min-tree's: rising), then in raster order. Of `order` the first and the last pixel are read: a tree falls or rises from one
/// to the other.
/// Cost: two passes over the pixels, one over f, and a write of the nodes (u16: two, and one read). Memory: two bits a pixel,
/// u16: one byte more, and flat copies of f and parent where they have a stride. Sync: one, for nodes.count. Source: none, the
/// same tree written another way.
void max_tree_nodes(Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node, NodeTable& nodes) {
  op::max_tree_nodes::check(f, parent, order, node, nodes);
  if (f.extent.empty()) return;
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  const View<i32> out = node.view<i32>();
  const View<const i32> sorted = order.view<i32>();
  const i64 n = f.extent.area();
  i32* d_node = out.contiguous() ? out.data : ctx.workspace.take<i32>(static_cast<std::size_t>(n));
  const i32* d_parent = flat_rows(ctx, parent.view<i32>());
  const i32* d_last = sorted.data + (f.extent.height - 1) * sorted.stride + f.extent.width - 1;
  if (f.type == PixelType::u8)
    nodes.count = build<u8>(ctx, {flat_rows(ctx, f.view<u8>()), d_parent, sorted.data, d_last, n}, d_node, f.extent, nodes);
  else
    nodes.count = build<u16>(ctx, {flat_rows(ctx, f.view<u16>()), d_parent, sorted.data, d_last, n}, d_node, f.extent, nodes);
  if (!out.contiguous()) copy_rows(ctx, View<const i32>(d_node, f.extent), out);
}

}  // namespace morpho::gpu
