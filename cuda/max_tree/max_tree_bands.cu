// Joins the longest branches of neighbouring tiles by many hands: every band of grey values by its own.
#include <algorithm>

#include "cuda/max_tree/max_tree_joined.cuh"

namespace morpho::gpu {
namespace {

// Joining pixels a and b means: for every threshold t <= min(f(a), f(b)) their components of {f >= t} become one. Along a
// branch of thousands of nodes that is one walker's way, step by step, so it is cut where the values pass from one band to the
// next: of both tiles' branches the first nodes below the cut are joined by a walker of their own, which goes as far as the
// next cut (both its places lie below it). All cuts are the same in the whole image.
//
// What a walker leaves undone at its end, a pair (x, y) below its cut, is kept in a list, and joined when all bands are done;
// then the ways are short. Only where (x, y) is the very pair that the next walker began with it is forgotten; and where x is
// one of that pair, and no higher than the other one, z, (z, y) is kept in place of (x, y), which is nearer. That loses
// nothing: call what the links from nodes below a cut, and the walkers' pairs below it, say together the cut's knowledge. A
// walker with a higher or the same cut changes no link from a node below it but for a longer way within a level; every other
// walker exchanges pairs for links, and stays as much in the knowledge as it was. So from the lowest cut upwards: knowledge
// never gets less, and what a walker began with is in it for ever, also when that walker has forgotten the end of it at a cut
// further down.

/// Bands of a branch that are cut; the last one goes on to its end.
template <class T>
constexpr i32 kMostBands = std::min((1 << 8 * sizeof(T)) >> kBandShift<T>, 512);
constexpr i32 kPairs = 16;  ///< of tiles, whose branches a warp finds, a lane a branch
constexpr i32 kBranchThreads = 128;
constexpr i32 kSeedThreads = 128;  ///< that share two tiles' bands
constexpr i32 kRestThreads = 64;
constexpr i32 kSteps = 4;  ///< of a join between two looks at who has finished: a new pair is two reads, for which all wait

/// Every two neighbouring tiles: first those side by side, then those one above the other.
struct Pairs {
  i32 width, height, across, down;
  __host__ __device__ u32 beside() const { return static_cast<u32>(across - 1) * static_cast<u32>(down); }
  __host__ __device__ u32 count() const { return beside() + static_cast<u32>(across) * static_cast<u32>(down - 1); }
};
struct Pair {
  bool above;     ///< the first lies above the second, else to its left
  i32 x, y;       ///< of the first tile
  i32 width, at;  ///< the image's width; the first pixel of the first tile
  __device__ Pair(const Pairs& p, u32 i) : above(i >= p.beside()), width(p.width) {
    const u32 k = above ? i - p.beside() : i, a = static_cast<u32>(above ? p.across : p.across - 1);
    x = static_cast<i32>(k % a) * kTreeTile.width, y = static_cast<i32>(k / a) * kTreeTile.height, at = y * width + x;
  }
  /// The image's index of a pixel given by its index in one of the two tiles.
  __device__ i32 place(u32 second, u32 i) const {
    const i32 to = second == 0 ? 0 : above ? kTreeTile.height * width : kTreeTile.width;
    return at + to + static_cast<i32>(i / kTreeTile.width) * width + static_cast<i32>(i % kTreeTile.width);
  }
  __device__ i32 side(const Pairs& p) const {
    return above ? min(kTreeTile.width, p.width - x) : min(kTreeTile.height, p.height - y);
  }
  /// The k-th pixel of a tile's side that the other tile lies at, as an index in the tile.
  __device__ u32 beside(u32 second, i32 k) const {
    if (above) return static_cast<u32>(second == 0 ? (kTreeTile.height - 1) * kTreeTile.width + k : k);
    return static_cast<u32>(k * kTreeTile.width + (second == 0 ? kTreeTile.width - 1 : 0));
  }
};

/// Lists the two branches of each pair of tiles: a pixel of the highest edge between them, and its first ancestor in each lower
/// band, as the tile has them. A warp finds the edges of some pairs, one after the other, and then climbs all their branches at
/// once.
template <class T>
__global__ void __launch_bounds__(kBranchThreads)
    max_tree_branches_kernel(JoinedTree<T> tree, Pairs pairs, u16* __restrict__ d_places, u32* __restrict__ d_counts) {
  const u32 lane = lane_id(), first = (blockIdx.x * kBranchThreads + threadIdx.x) / 32 * kPairs, count = pairs.count();
  u32 at = 0;
  for (u32 j = 0; j < kPairs && first + j < count; ++j) {
    const Pair pair(pairs, first + j);
    u32 best = 0;
    for (i32 k = static_cast<i32>(lane); k < pair.side(pairs); k += 32) {
      const u32 low = min(tree.value(pair.place(0, pair.beside(0, k))), tree.value(pair.place(1, pair.beside(1, k))));
      best = max(best, low << 8 | static_cast<u32>(k));
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) best = max(best, __shfl_xor_sync(kFullWarp, best, step));
    if (lane / 2 == j) at = pair.beside(lane % 2, static_cast<i32>(best & 255));
  }
  if (first + lane / 2 >= count) return;
  const Pair pair(pairs, first + lane / 2);
  const i64 list = 2 * static_cast<i64>(first) + lane;
  u32 listed = 0;
  while (at != kNoneBelow && listed < kMostBands<T>) {
    d_places[list * kMostBands<T> + listed++] = static_cast<u16>(at);
    at = tree.d_below[pair.place(lane % 2, at)];
  }
  d_counts[list] = listed;
}

/// A lane's walker: joins two branches from a and b on, until it is done or has come below its cut.
template <class T>
struct Walker {
  typename JoinedTree<T>::Branch a{}, b{};
  u32 cut = 0;
  i32 after_a = -1, after_b = -1;  ///< what the walker of the next band begins with
};

/// The branches of a pair of tiles in shared memory, as places and their values, and the phases of the kernel.
template <class T>
struct Bands {
  static constexpr i32 most = kMostBands<T>, shift = kBandShift<T>;
  u16 places[2][most];
  T values[2][most];
  u32 taken, left;  ///< bands that walkers have, pairs that they have left

  /// The whole block, a thread every 128th place of each branch.
  __device__ __forceinline__ void read(const JoinedTree<T>& tree, const Pair& pair, const u16* own, u32 count0, u32 count1) {
    if (threadIdx.x == 0) taken = left = 0;
#pragma unroll
    for (u32 second = 0; second < 2; ++second) {
      for (u32 i = threadIdx.x; i < (second ? count1 : count0); i += kSeedThreads) {
        const u32 at = places[second][i] = own[second * most + i];
        values[second][i] = static_cast<T>(tree.value(pair.place(second, at)));
      }
    }
  }

  /// A lane without work: the next band that has two branches to join below the highest edge. Returns false where no band is
  /// left.
  __device__ __forceinline__ bool next_band(const JoinedTree<T>& tree, const Pair& pair, u32 count0, u32 count1, u32 edge,
                                            Walker<T>& w) {
    for (;;) {
      const u32 s = atomicAdd(&taken, 1u);
      if (s >= count0 + count1) return false;
      // The band of one branch's i-th place, and of the other one the first place that lies no higher.
      const u32 one = s < count0 ? 0 : 1, other = 1 - one, i = one ? s - count0 : s, ones = one ? count1 : count0,
                others = one ? count0 : count1;
      const u32 band = static_cast<u32>(values[one][i]) >> shift;
      u32 j = 0;
      for (u32 end = others; j < end;) {
        const u32 middle = (j + end) / 2;
        if (static_cast<u32>(values[other][middle]) >> shift > band) j = middle + 1;
        else end = middle;
      }
      if (j == others) continue;  // that branch has ended: the walker before goes on to the end
      const bool both = static_cast<u32>(values[other][j]) >> shift == band;
      if (both && one) continue;  // the first branch's place stands for both
      const u32 next_i = i + 1, next_j = j + (both ? 1 : 0);
      const bool last = next_i == ones || next_j == others;
      if (!last && values[one][next_i] >= edge && values[other][next_j] >= edge) continue;  // above the edge: nothing to join
      w.cut = last ? 0 : band << shift;
      if (!last) w.after_a = pair.place(one, places[one][next_i]), w.after_b = pair.place(other, places[other][next_j]);
      w.a = tree.branch_of(pair.place(one, places[one][i]));
      w.b = tree.branch_of(pair.place(other, places[other][j]));
      return true;
    }
  }

  /// One step of a lane's walker; what it leaves undone below its cut goes to `rest`. Returns whether it has more to do.
  __device__ __forceinline__ bool step(const JoinedTree<T>& tree, int2* rest, Walker<T>& w) {
    if (tree.step(w.a, w.b)) return false;
    if (max(w.a.node.value, w.b.node.value) >= w.cut) return true;
    // x: the place that is as expected, if one is; y: the other one; next, then: what is expected there.
    const bool a_first = w.a.node.at == w.after_a || w.a.node.at == w.after_b;
    const i32 x = a_first ? w.a.node.at : w.b.node.at, y = a_first ? w.b.node.at : w.a.node.at,
              next = x == w.after_a ? w.after_b : w.after_a;
    if ((x == w.after_a || x == w.after_b) && y == next) return false;
    const bool instead = (x == w.after_a || x == w.after_b) && (a_first ? w.a.node.value : w.b.node.value) <= tree.value(next);
    const u32 to = atomicAdd(&left, 1u);
    if (to < most / 2) {
      rest[to] = make_int2(instead ? next : x, y);
      return false;
    }
    w.cut = 0;  // no room: it goes on to the end
    return true;
  }
};

/// Joins the branches of a pair of tiles, a block a pair, a lane a band at a time. What is left of each band goes where its
/// lists were; the first count becomes the number of what is left.
template <class T>
__global__ void __launch_bounds__(kSeedThreads)
    max_tree_bands_kernel(JoinedTree<T> tree, Pairs pairs, u16* d_places, u32* d_counts) {
  constexpr i32 most = kMostBands<T>;
  __shared__ Bands<T> bands;
  const Pair pair(pairs, blockIdx.x);
  u16* own = d_places + static_cast<i64>(blockIdx.x) * 2 * most;
  int2* rest = reinterpret_cast<int2*>(own);
  const u32 count0 = d_counts[2 * blockIdx.x], count1 = d_counts[2 * blockIdx.x + 1];
  bands.read(tree, pair, own, count0, count1);
  __syncthreads();
  const u32 edge = min(bands.values[0][0], bands.values[1][0]);
  Walker<T> walker;
  bool busy = false, more = true;
  for (;;) {
    if (!busy && more) busy = more = bands.next_band(tree, pair, count0, count1, edge, walker);
    if (!__any_sync(kFullWarp, busy)) break;
#pragma unroll 1
    for (i32 k = 0; k < kSteps; ++k) {
      if (busy) busy = bands.step(tree, rest, walker);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) d_counts[2 * blockIdx.x] = min(bands.left, static_cast<u32>(most / 2));
}

/// Joins what the bands have left, a warp a pair of tiles.
template <class T>
__global__ void __launch_bounds__(kRestThreads)
    max_tree_rest_kernel(JoinedTree<T> tree, u32 pairs, const u16* __restrict__ d_places, const u32* __restrict__ d_counts) {
  const u32 pair = (blockIdx.x * kRestThreads + threadIdx.x) / 32;
  if (pair >= pairs) return;
  const int2* rest = reinterpret_cast<const int2*>(d_places + static_cast<i64>(pair) * 2 * kMostBands<T>);
  const u32 count = d_counts[2 * pair];
  typename JoinedTree<T>::Branch a{}, b{};
  bool busy = false;
  u32 tried = 0;
  for (u32 next = lane_id();;) {
    if (!busy && next < count) {
      const int2 two = rest[next];
      next += 32;
      a = tree.branch_of(two.x);
      b = tree.branch_of(two.y);
      tried = 0;
      busy = true;
    }
    if (!__any_sync(kFullWarp, busy)) break;
#pragma unroll 1
    for (i32 k = 0; k < kSteps; ++k) {
      if (!busy) continue;
      tree.leap(a, b, tried);
      busy = !tree.step(a, b);
    }
  }
}

template <class T>
void join(Context& ctx, const JoinedTree<T>& tree, const Pairs& pairs) {
  const u32 count = pairs.count();
  if (count == 0) return;
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  u16* d_places = ctx.workspace.take<u16>(static_cast<std::size_t>(count) * 2 * kMostBands<T>);
  u32* d_counts = ctx.workspace.take<u32>(static_cast<std::size_t>(count) * 2);
  max_tree_branches_kernel<T>
      <<<blocks_for(count, kBranchThreads / 32 * kPairs), kBranchThreads, 0, stream>>>(tree, pairs, d_places, d_counts);
  check_launch("max_tree_branches_kernel");
  max_tree_bands_kernel<T><<<count, kSeedThreads, 0, stream>>>(tree, pairs, d_places, d_counts);
  check_launch("max_tree_bands_kernel");
  max_tree_rest_kernel<T><<<blocks_for(count, kRestThreads / 32), kRestThreads, 0, stream>>>(tree, count, d_places, d_counts);
  check_launch("max_tree_rest_kernel");
}

}  // namespace

template <class T>
void max_tree_join_bands(Context& ctx, const JoinedTree<T>& tree, Extent e) {
  if constexpr (kBandShift<T> > 0) {
    join(ctx, tree,
         {e.width, e.height, static_cast<i32>(divide_up(e.width, kTreeTile.width)),
          static_cast<i32>(divide_up(e.height, kTreeTile.height))});
  }
}
template void max_tree_join_bands<u8>(Context&, const JoinedTree<u8>&, Extent);
template void max_tree_join_bands<u16>(Context&, const JoinedTree<u16>&, Extent);

}  // namespace morpho::gpu
