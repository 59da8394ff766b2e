// Joins runs by union-find: inside tiles in shared memory, then across the tiles' borders, then tiles' roots to theirs.
#include "cuda/components/components.cuh"
#include "cuda/components/run_links.cuh"
#include "cuda/runtime/scan.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kTileWords = 8, kThreads = 256;
/// Images of values may have a run for every pixel: half the rows, so that a tile's runs still fit in shared memory.
template <bool Valued>
constexpr i32 kTileRows = Valued ? 16 : 32;

/// A warp owns a word, a lane a pixel: it compares its value with its neighbours' and the warp's votes are the words.
template <class T>
__global__ void components_compare_kernel(Image<const T> in, bool eight, i32 words, i64 count, u32* fg, u32* left, u32* up,
                                          u32* up_left, u32* up_right) {
  const i64 i = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const i32 lane = static_cast<i32>(lane_id()), y = static_cast<i32>(i / words),
            x = 32 * static_cast<i32>(i - static_cast<i64>(y) * words) + lane;
  const auto value = [&](i32 u, i32 v) { return in.holds(u, v) ? in.at(u, v) : T{0}; };
  const T v = value(x, y), l = value(x - 1, y), a = value(x, y - 1);
  const bool on = v != 0;
  const u32 f = __ballot_sync(kFullWarp, on), b_left = __ballot_sync(kFullWarp, on && v == l),
            b_up = __ballot_sync(kFullWarp, on && v == a);
  const u32 b_ul = __ballot_sync(kFullWarp, eight && on && v != a && v != l && v == value(x - 1, y - 1));
  const u32 b_ur = __ballot_sync(kFullWarp, eight && on && v != a && v != value(x + 1, y) && v == value(x + 1, y - 1));
  if (lane == 0) {
    fg[i] = f;
    left[i] = b_left;
    up[i] = b_up;
    up_left[i] = b_ul;
    up_right[i] = b_ur;
  }
}

/// A block owns 1024 words, a thread four: it writes how many runs they hold in all. Shared: one number a warp.
template <bool Valued>
__global__ void components_count_kernel(LinkWords m, i64 count, i32* __restrict__ totals) {
  __shared__ i32 sums[33];
  const i64 first = static_cast<i64>(blockIdx.x) * kBlockWords + threadIdx.x;
  i32 mine = 0, total;
#pragma unroll
  for (i32 k = 0; k < kBlockWords; k += kThreads) mine += first + k < count ? __popc(starts_of<Valued>(m, first + k)) : 0;
  block_exclusive_sum(mine, sums, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

/// The same blocks again, now that before[b] is the number of runs before block b: the number of every word's first run.
template <bool Valued>
__global__ void components_first_kernel(LinkWords m, i64 count, const i32* __restrict__ before, i32* __restrict__ first_run) {
  constexpr i32 words = kBlockWords / kThreads;
  __shared__ i32 sums[33];
  const i64 first = (static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x) * words;
  i32 runs[words], mine = 0, total;
#pragma unroll
  for (i32 k = 0; k < words; ++k) {
    runs[k] = first + k < count ? __popc(starts_of<Valued>(m, first + k)) : 0;
    mine += runs[k];
  }
  i32 number = before[blockIdx.x] + block_exclusive_sum(mine, sums, total);
#pragma unroll
  for (i32 k = 0; k < words; ++k) {
    if (first + k < count) first_run[first + k] = number;
    number += runs[k];
  }
}

/// The runs of a tile of 8 words by 32 rows (16 of images of values), in shared memory, and the phases of the kernel that joins
/// them: each is called by the whole block, with a barrier of the kernel's between two. In the first one a thread owns a word;
/// then threads take runs from a list, every so manieth, so that none waits for a word with more runs than its own. Runs have
/// numbers of the tile's own, which are in raster order too.
template <bool Valued, bool Areas>
struct TileRuns {
  static constexpr i32 rows = kTileRows<Valued>, words = kTileWords * rows, most = words * kMostRuns<Valued>;
  static constexpr i32 kMore = 1 << 15, kPlace = kMore - 1;
  u32 fg[words], starts[words], up[words], up_left[words], up_right[words];  ///< the words' links inside the tile
  i32 first[words], shift[rows], sums[33];  ///< a word's first run; from the tile's numbers of a row's runs to the image's
  bool left[words];
  std::uint16_t place[most];         ///< per run: its word and bit (13 bits), and kMore where it has more than one link
  i32 local[most];                   ///< per run: its parent
  u32 pixels[Areas ? most / 2 : 1];  ///< of the tile's roots, 16 bits each: a tile has 8192 pixels

  __device__ __forceinline__ i32 word_of(i32 a) const { return (place[a] & kPlace) / 32; }
  __device__ __forceinline__ i32 start_of(i32 a) const { return place[a] % 32; }
  __device__ __forceinline__ i32 number_of(i32 a) const { return a + shift[(place[a] & kPlace) / (32 * kTileWords)]; }

  /// Lists the runs of word `w` of the image, at (column, row) of the tile, and the links that stay in the tile. Returns how
  /// many runs the tile has.
  __device__ __forceinline__ i32 list(const LinkWords& m, const i32* __restrict__ first_run, i32 w, i32 y, i32 column,
                                      i32 row) {
    const i32 t = static_cast<i32>(threadIdx.x);
    const bool inside = w < m.words && y < m.height;
    const WordLinks k = inside ? links_of<Valued>(m, y, w) : WordLinks();
    i32 n;
    i32 number = block_exclusive_sum(__popc(k.starts), sums, n);
    fg[t] = k.fg;
    starts[t] = k.starts;
    up[t] = row > 0 ? k.up : 0;
    up_left[t] = row == 0 ? 0 : column > 0 ? k.up_left : k.up_left & ~1u;
    up_right[t] = row == 0 ? 0 : column + 1 < kTileWords ? k.up_right : k.up_right & ~(1u << 31);
    left[t] = k.left && column > 0 && !(k.square && row > 0);
    first[t] = number;
    if (column == 0 && inside) shift[row] = first_run[static_cast<i64>(y) * m.words + w] - number;
    for (u32 rest = k.starts; rest; rest &= rest - 1) place[number++] = static_cast<std::uint16_t>(t * 32 + __ffs(rest) - 1);
    if constexpr (Areas) {
      for (i32 a = t; a < (n + 1) / 2; a += words) pixels[a] = 0;
    }
    return n;
  }

  /// Calls fn(other) for each run to the left and above that run a touches; until fn says no.
  template <class Fn>
  __device__ __forceinline__ void each_link(i32 a, Fn fn) const {
    const i32 word = word_of(a), start = start_of(a), end = run_end(fg[word], starts[word], start);
    const u32 mask = (kFullWarp << start) & (kFullWarp >> (32 - end));
    u32 rest = up[word] & mask;
    rest &= ~(rest << 1);
    const u32 lefts = up_left[word] & mask, rights = up_right[word] & mask;
    if (rest | lefts | rights) {
      const i32 above = word - kTileWords, its_first = first[above];
      const u32 its_starts = starts[above];
      if (lefts && !fn(run_before(its_first, its_starts, start))) return;
      for (; rest; rest &= rest - 1) {
        if (!fn(run_at(its_first, its_starts, __ffs(rest) - 1))) return;
      }
      if (rights && !fn(run_after(its_first, its_starts, end - 1))) return;
    }
    if (start == 0 && left[word]) fn(a - 1);
  }

  /// A run's parent is the first run that it touches, which costs no atomic; most touch no other.
  __device__ __forceinline__ void take_first_links(i32 n) {
    for (i32 a = static_cast<i32>(threadIdx.x); a < n; a += words) {
      i32 to = a;
      bool more = false;
      each_link(a, [&](i32 other) {
        more = to != a;
        if (!more) to = other;
        return !more;
      });
      local[a] = to;
      if (more) place[a] = static_cast<std::uint16_t>(place[a] | kMore);
    }
  }
  /// Ways become short, all at once: they halve with each step.
  __device__ __forceinline__ void shorten(i32 n) {
    for (i32 a = static_cast<i32>(threadIdx.x); a < n; a += words) {
      i32 p = load_parent(local + a);
      for (i32 over = load_parent(local + p); over != p; over = load_parent(local + p)) atomicMin(local + a, p = over);
    }
  }
  /// The further links are united.
  __device__ __forceinline__ void unite_further_links(i32 n) {
    for (i32 a = static_cast<i32>(threadIdx.x); a < n; a += words) {
      if (!(place[a] & kMore)) continue;
      bool again = false;  // its parent is the first of them
      each_link(a, [&](i32 other) {
        if (again) unite<false>(local, a, other);
        return again = true;
      });
    }
  }
  /// Each run's parent, by the image's numbers; and its pixels to its root.
  __device__ __forceinline__ void write_parents(i32 n, i32* __restrict__ parent) {
    for (i32 a = static_cast<i32>(threadIdx.x); a < n; a += words) {
      const i32 root = find_root(local, a);
      parent[number_of(a)] = root == a ? number_of(a) : ~number_of(root);
      if constexpr (Areas) {
        const i32 word = word_of(a), start = start_of(a);
        atomicAdd(pixels + root / 2, static_cast<u32>(run_end(fg[word], starts[word], start) - start) << (root % 2 * 16));
      }
    }
  }
  __device__ __forceinline__ void write_areas(i32 n, i32* __restrict__ area) const {
    for (i32 a = static_cast<i32>(threadIdx.x); a < n; a += words) {
      if (load_parent(local + a) == a) area[number_of(a)] = static_cast<i32>(pixels[a / 2] >> (a % 2 * 16) & 0xFFFF);
    }
  }
};

/// Joins the runs of tiles. A block owns a tile at a time. Every run's parent is written: ~root where the tile's root is
/// another, its own number where it is the root itself. So the border kernel sees from the sign whether it is at a tile's root,
/// and atomics go to those alone. Ends because parents lead to smaller numbers.
template <bool Valued, bool Areas>
__global__ void __launch_bounds__(kTileWords* kTileRows<Valued>)
    components_tile_kernel(LinkWords m, const i32* __restrict__ first_run, i32* __restrict__ parent, i32* __restrict__ area) {
  constexpr i32 rows = kTileRows<Valued>;
  __shared__ TileRuns<Valued, Areas> runs;
  const i32 column = static_cast<i32>(threadIdx.x) % kTileWords, row = static_cast<i32>(threadIdx.x) / kTileWords;
  const i32 w = static_cast<i32>(blockIdx.x) * kTileWords + column;
  for (i32 top = static_cast<i32>(blockIdx.y) * rows; top < m.height; top += static_cast<i32>(gridDim.y) * rows) {
    const i32 n = runs.list(m, first_run, w, top + row, column, row);
    __syncthreads();
    runs.take_first_links(n);
    __syncthreads();
    runs.shorten(n);
    __syncthreads();
    runs.unite_further_links(n);
    __syncthreads();
    runs.write_parents(n, parent);
    __syncthreads();
    if constexpr (Areas) {
      runs.write_areas(n, area);
      __syncthreads();
    }
  }
}

/// A thread owns either 8 pixels below a horizontal border between tiles (the first `across` threads), or one row's crossing of
/// a vertical border, and joins what the border parts. Of neighbouring links that each other and the tiles' own make needless,
/// only one is joined. Ends because parents lead to smaller numbers.
template <bool Valued>
__global__ void components_border_kernel(LinkWords m, const i32* __restrict__ first_run, i32* parent, i64 across, i64 count) {
  constexpr i32 rows = kTileRows<Valued>;
  const i64 thread = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const auto join = [&](i32 a, i32 b) {
    const i32 root_a = load_parent(parent + a), root_b = load_parent(parent + b);
    unite<true>(parent, root_a < 0 ? ~root_a : root_a, root_b < 0 ? ~root_b : root_b);
  };
  if (thread < across) {
    const i64 word = thread / 4;
    const i32 y = static_cast<i32>(word / m.words + 1) * rows, w = static_cast<i32>(word % m.words);
    const u32 mine = 0xFFu << (thread % 4 * 8);
    const WordLinks k = links_of<Valued>(m, y, w);
    if (((k.up | k.up_left | k.up_right) & mine) == 0) return;
    const i64 i = static_cast<i64>(y) * m.words + w, above = i - m.words;
    const i32 first = first_run[i], its_first = first_run[above];
    const u32 its_starts = starts_of<Valued>(m, above);
    u32 told = first_of(k.up, k.starts);
    if (k.square) told &= ~1u;  // the word before tells it
    for (u32 rest = told & mine; rest; rest &= rest - 1) {
      const i32 bit = __ffs(rest) - 1;
      join(run_at(first, k.starts, bit), run_at(its_first, its_starts, bit));
    }
    for (u32 rest = k.up_left & mine; rest; rest &= rest - 1) {
      const i32 bit = __ffs(rest) - 1;
      join(run_at(first, k.starts, bit), run_before(its_first, its_starts, bit));
    }
    for (u32 rest = k.up_right & mine; rest; rest &= rest - 1) {
      const i32 bit = __ffs(rest) - 1;
      join(run_at(first, k.starts, bit), run_after(its_first, its_starts, bit));
    }
    return;
  }
  const i32 borders = (m.words - 1) / kTileWords;
  const i32 y = static_cast<i32>((thread - across) / borders),
            w = static_cast<i32>((thread - across) % borders + 1) * kTileWords;
  const i64 i = static_cast<i64>(y) * m.words + w, above = i - m.words;
  bool left, square = false, up_left = false, up_right = false;  // up_right: from the pixel to the left of the border
  if constexpr (Valued) {
    left = m.left[i] & 1;
    if (y % rows) {
      square = left && m.left[above] & 1 && m.up[i] & 1 && m.up[i - 1] >> 31;
      up_left = m.up_left[i] & 1;
      up_right = m.up_right[i - 1] >> 31;
    }
  } else {
    const bool r = m.fg[i] & 1, l = m.fg[i - 1] >> 31;
    left = l && r;
    if (y % rows) {
      const bool a = m.fg[above] & 1, a_before = m.fg[above - 1] >> 31;
      square = left && a && a_before;
      up_left = m.eight && r && !l && !a && a_before;
      up_right = m.eight && l && !r && !a_before && a;
    }
  }
  if (left && !square) join(first_run[i], first_run[i] - 1);
  if (up_left) join(first_run[i], first_run[above] - 1);
  if (up_right) join(first_run[i] - 1, first_run[above]);
}

/// A block owns the runs of 1024 words, a thread every 256th of them: tiles' roots get their component's root for a parent, the
/// sign goes from the others, and roots are counted. Only tiles' roots are on others' ways, so that it does not matter who
/// comes first. With Areas, each tile's root adds its pixels to the component's. Shared: one number a warp.
template <bool Areas>
__global__ void components_flatten_kernel(const i32* __restrict__ before, i32* parent, i32* area, i32* __restrict__ roots) {
  constexpr i32 each = 4;
  __shared__ i32 sums[33];
  const i32 end = before[blockIdx.x + 1];
  i32 mine = 0, total;
  for (i32 a = before[blockIdx.x] + static_cast<i32>(threadIdx.x); a < end; a += each * kThreads) {
    i32 to[each];
#pragma unroll
    for (i32 k = 0; k < each; ++k) to[k] = k * kThreads < end - a ? load_parent(parent + a + k * kThreads) : -1;
#pragma unroll
    for (i32 k = 0; k < each; ++k) {
      const i32 b = a + k * kThreads;
      if (k * kThreads >= end - a) continue;
      if (to[k] < 0) {
        store_parent(parent + b, ~to[k]);
      } else if (to[k] == b) {
        ++mine;
      } else {
        const i32 root = find_root(parent, to[k]);
        if (root != to[k]) store_parent(parent + b, root);
        if constexpr (Areas) atomicAdd(area + root, area[b]);
      }
    }
  }
  block_exclusive_sum(mine, sums, total);
  if (threadIdx.x == 0) roots[blockIdx.x] = total;
}

template <bool Valued, bool Areas>
void join(Context& ctx, Components& c) {
  const LinkWords& m = c.links;
  const cudaStream_t stream = stream_of(ctx);
  components_count_kernel<Valued><<<c.blocks, kThreads, 0, stream>>>(m, c.count, c.before);
  check_launch("components_count_kernel");
  scan_totals(ctx, c.before, static_cast<i32>(c.blocks));
  components_first_kernel<Valued><<<c.blocks, kThreads, 0, stream>>>(m, c.count, c.before, c.first);
  check_launch("components_first_kernel");
  constexpr i32 rows = kTileRows<Valued>;
  const dim3 tiles = tiles_for({m.words, m.height}, kTileWords, rows);
  components_tile_kernel<Valued, Areas><<<tiles, kTileWords * rows, 0, stream>>>(m, c.first, c.parent, c.area);
  check_launch("components_tile_kernel");
  const i64 across = static_cast<i64>((m.height - 1) / rows) * m.words * 4;
  const i64 border = across + static_cast<i64>(m.height) * ((m.words - 1) / kTileWords);
  if (border > 0) {
    components_border_kernel<Valued><<<blocks_for(border, 128), 128, 0, stream>>>(m, c.first, c.parent, across, border);
    check_launch("components_border_kernel");
  }
  components_flatten_kernel<Areas><<<c.blocks, kThreads, 0, stream>>>(c.before, c.parent, c.area, c.roots);
  check_launch("components_flatten_kernel");
}

template <class T>
void compare(Context& ctx, const View<const T>& in, Components& c) {
  u32* bits[5];
  for (u32*& b : bits) b = ctx.workspace.take<u32>(static_cast<std::size_t>(c.count));
  components_compare_kernel<T><<<blocks_for(c.count * 32, 256), 256, 0, stream_of(ctx)>>>(
      in, c.links.eight, c.links.words, c.count, bits[0], bits[1], bits[2], bits[3], bits[4]);
  check_launch("components_compare_kernel");
  c.links.fg = bits[0];
  c.links.left = bits[1];
  c.links.up = bits[2];
  c.links.up_left = bits[3];
  c.links.up_right = bits[4];
}

}  // namespace

Components connect(Context& ctx, ConstPlane in, Connectivity connectivity, bool areas) {
  const bool binary = in.type == PixelType::u8;
  Components c;
  c.links.words = words_for(in.extent.width);
  c.links.width = in.extent.width;
  c.links.height = in.extent.height;
  c.links.eight = connectivity == Connectivity::eight;
  c.count = static_cast<i64>(c.links.words) * in.extent.height;
  c.blocks = blocks_for(c.count, kBlockWords);
  c.first = ctx.workspace.take<i32>(static_cast<std::size_t>(c.count));
  c.before = ctx.workspace.take<i32>(static_cast<std::size_t>(c.blocks) + 1);
  c.roots = ctx.workspace.take<i32>(static_cast<std::size_t>(c.blocks) + 1);
  const i32 width = in.extent.width, row_runs = binary ? width / 32 * kMostRuns<false> + (width % 32 + 1) / 2 : width;
  const std::size_t runs = static_cast<std::size_t>(row_runs) * static_cast<std::size_t>(in.extent.height);
  c.parent = ctx.workspace.take<i32>(runs);
  if (areas) c.area = ctx.workspace.take<i32>(runs);
  if (binary) {
    u32* fg = ctx.workspace.take<u32>(static_cast<std::size_t>(c.count));
    pack_bits(ctx, in.view<u8>(), fg);
    c.links.fg = fg;
    if (areas) join<false, true>(ctx, c);
    else join<false, false>(ctx, c);
  } else {
    if (in.type == PixelType::u16) compare<u16>(ctx, in.view<u16>(), c);
    else compare<i32>(ctx, in.view<i32>(), c);
    join<true, false>(ctx, c);
  }
  return c;
}

}  // namespace morpho::gpu
