// Joins runs by union-find: first inside tiles in shared memory, then across the tiles' borders, then every run to its root.
#include "components.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kTileWords = 8, kTileRows = 32;

// ---- union-find with atomicMin: parents only ever decrease, so a lost race is seen in the value that atomicMin returns

__device__ inline i32 load_parent(const i32* p) { return *static_cast<const volatile i32*>(p); }

__device__ inline i32 find_root(const i32* parent, i32 a) {
  for (i32 next = load_parent(parent + a); next != a; next = load_parent(parent + a)) a = next;
  return a;
}
/// Joins two components. If another thread has given `a` a smaller parent meanwhile, that one must be joined with b too.
__device__ inline void unite(i32* parent, i32 a, i32 b) {
  for (;;) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a == b) return;
    if (a < b) {
      const i32 t = a;
      a = b;
      b = t;
    }
    const i32 old = atomicMin(parent + a, b);
    if (old == a) return;
    a = old;
  }
}

/// A warp owns a word, a lane a pixel: it compares its value with its neighbours' and the warp's votes are the words.
template <class T>
__global__ void components_compare_kernel(Image<const T> in, bool eight, i32 words, i64 count, u32* fg, u32* left, u32* up, u32* up_left,
                                          u32* up_right) {
  const i64 i = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const i32 lane = static_cast<i32>(lane_id()), y = static_cast<i32>(i / words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * words) + lane;
  const auto value = [&](i32 u, i32 v) { return in.holds(u, v) ? in.at(u, v) : T{0}; };
  const T v = value(x, y), l = value(x - 1, y), a = value(x, y - 1);
  const bool on = v != 0;
  const u32 f = __ballot_sync(kFullWarp, on), b_left = __ballot_sync(kFullWarp, on && v == l), b_up = __ballot_sync(kFullWarp, on && v == a);
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

/// Calls fn(own start, rows up, words along, other start) once for each connection of word (w, y) to the left and upwards; of several
/// pixels that connect the same two runs side by side only the first is told.
template <bool Valued, class Fn>
__device__ void each_link(const LinkWords& m, i32 y, i32 w, Fn fn) {
  const i64 i = static_cast<i64>(y) * m.words + w, above = i - m.words;
  const u32 fg = m.fg[i];
  if (fg == 0) return;
  const u32 starts = starts_of<Valued>(m, i);
  const u32 before = w > 0 ? m.fg[i - 1] : 0;
  u32 left, up = 0, up_left = 0, up_right = 0;
  if constexpr (Valued) {
    left = m.left[i];
    up = m.up[i];
    up_left = m.up_left[i];
    up_right = m.up_right[i];
  } else {
    left = fg & (fg << 1 | before >> 31);
    if (y > 0) {
      const u32 a = m.fg[above];
      up = fg & a;
      if (m.eight) {
        const u32 a_before = w > 0 ? m.fg[above - 1] : 0, a_after = w + 1 < m.words ? m.fg[above + 1] : 0;
        const u32 after = w + 1 < m.words ? m.fg[i + 1] : 0;
        up_left = fg & ~a & (a << 1 | a_before >> 31) & ~(fg << 1 | before >> 31);
        up_right = fg & ~a & (a >> 1 | a_after << 31) & ~(fg >> 1 | after << 31);
      }
    }
  }
  if (left & 1) fn(0, 0, -1, run_start(starts_of<Valued>(m, i - 1), 31));
  if ((up | up_left | up_right) == 0) return;
  const u32 starts_above = starts_of<Valued>(m, above);
  for (u32 rest = up & ~(up << 1 & left); rest; rest &= rest - 1) {
    const i32 bit = __ffs(rest) - 1;
    fn(run_start(starts, bit), 1, 0, run_start(starts_above, bit));
  }
  for (u32 rest = up_left; rest; rest &= rest - 1) {
    const i32 bit = __ffs(rest) - 1;
    if (bit > 0) fn(run_start(starts, bit), 1, 0, run_start(starts_above, bit - 1));
    else fn(0, 1, -1, run_start(starts_of<Valued>(m, above - 1), 31));
  }
  for (u32 rest = up_right; rest; rest &= rest - 1) {
    const i32 bit = __ffs(rest) - 1;
    if (bit < 31) fn(run_start(starts, bit), 1, 0, run_start(starts_above, bit + 1));
    else fn(run_start(starts, 31), 1, 1, 0);
  }
}

/// A block owns a tile of 8 words by 32 rows, a thread one word of it. Shared memory holds a parent for each pixel of the tile (only
/// those where runs begin are used). Threads join their runs to the left and upwards inside the tile; when all are done, each writes
/// the image index of its runs' local roots.
template <bool Valued>
__global__ void __launch_bounds__(kTileWords* kTileRows) components_tile_kernel(LinkWords m, i32* __restrict__ parent) {
  __shared__ i32 local[kTileRows * kTileWords * 32];
  const i32 column = static_cast<i32>(threadIdx.x) % kTileWords, row = static_cast<i32>(threadIdx.x) / kTileWords;
  const i32 w = static_cast<i32>(blockIdx.x) * kTileWords + column;
  for (i32 top = static_cast<i32>(blockIdx.y) * kTileRows; top < m.height; top += static_cast<i32>(gridDim.y) * kTileRows) {
    const i32 y = top + row;
    const bool inside = w < m.words && y < m.height;
    const u32 starts = inside ? starts_of<Valued>(m, static_cast<i64>(y) * m.words + w) : 0;
    const i32 base = (row * kTileWords + column) * 32;
    for (u32 rest = starts; rest; rest &= rest - 1) {
      const i32 a = base + __ffs(rest) - 1;
      local[a] = a;
    }
    __syncthreads();
    if (starts) {
      each_link<Valued>(m, y, w, [&](i32 start, i32 rows_up, i32 along, i32 other) {
        if (row < rows_up || column + along < 0 || column + along >= kTileWords) return;
        unite(local, base + start, base + (along - rows_up * kTileWords) * 32 + other);
      });
    }
    __syncthreads();
    const i32 origin_x = static_cast<i32>(blockIdx.x) * kTileWords * 32;
    for (u32 rest = starts; rest; rest &= rest - 1) {
      const i32 bit = __ffs(rest) - 1, a = find_root(local, base + bit);
      parent[y * m.width + w * 32 + bit] = (top + a / (kTileWords * 32)) * m.width + origin_x + a % (kTileWords * 32);
    }
    __syncthreads();
  }
}

/// A thread owns one word on a border between tiles, and joins the runs that the border parts. `across` words lie below horizontal
/// borders; the others left and right of vertical ones.
template <bool Valued>
__global__ void components_border_kernel(LinkWords m, i32* parent, i64 across, i64 count) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  i32 y, w;
  const bool horizontal = i < across;
  if (horizontal) {
    y = static_cast<i32>(i / m.words + 1) * kTileRows;
    w = static_cast<i32>(i % m.words);
  } else {
    const i32 borders = (m.words - 1) / kTileWords;
    const i64 k = i - across;
    y = static_cast<i32>(k / (2 * borders));
    const i32 side = static_cast<i32>(k % (2 * borders));
    w = (side / 2 + 1) * kTileWords - (side & 1);
  }
  const i32 column = w % kTileWords;
  each_link<Valued>(m, y, w, [&](i32 start, i32 rows_up, i32 along, i32 other) {
    const bool leaves_row = rows_up && y % kTileRows == 0;
    const bool leaves_column = column + along < 0 || column + along >= kTileWords;
    if (horizontal ? !leaves_row : leaves_row || !leaves_column) return;
    const i32 x = w * 32;
    unite(parent, y * m.width + x + start, (y - rows_up) * m.width + x + 32 * along + other);
  });
}

/// A thread owns one word: every run's parent becomes its root. A thread that meets another's finished work only saves steps.
template <bool Valued>
__global__ void components_flatten_kernel(LinkWords m, i32* parent, u32* __restrict__ root, i64 count) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const i32 y = static_cast<i32>(i / m.words), w = static_cast<i32>(i - static_cast<i64>(y) * m.words);
  const i32 base = y * m.width + w * 32;
  u32 roots = 0;
  for (u32 rest = starts_of<Valued>(m, i); rest; rest &= rest - 1) {
    const i32 bit = __ffs(rest) - 1, p = base + bit;
    const i32 first = load_parent(parent + p);
    if (first == p) {
      roots |= 1u << bit;
      continue;
    }
    const i32 r = find_root(parent, first);
    if (r != first) *static_cast<volatile i32*>(parent + p) = r;
  }
  root[i] = roots;
}

template <bool Valued>
void join(Context& ctx, Components& c) {
  const LinkWords& m = c.links;
  const cudaStream_t stream = stream_of(ctx);
  const dim3 tiles = tiles_for({m.words, m.height}, kTileWords, kTileRows);
  components_tile_kernel<Valued><<<tiles, kTileWords * kTileRows, 0, stream>>>(m, c.parent);
  check_launch("components_tile_kernel");
  const i64 across = static_cast<i64>((m.height - 1) / kTileRows) * m.words;
  const i64 border = across + static_cast<i64>(m.height) * 2 * ((m.words - 1) / kTileWords);
  if (border > 0) {
    components_border_kernel<Valued><<<blocks_for(border, 128), 128, 0, stream>>>(m, c.parent, across, border);
    check_launch("components_border_kernel");
  }
  components_flatten_kernel<Valued><<<blocks_for(c.count, 256), 256, 0, stream>>>(m, c.parent, c.root, c.count);
  check_launch("components_flatten_kernel");
}

template <class T>
void compare(Context& ctx, const View<const T>& in, Components& c) {
  u32* bits[5];
  for (u32*& b : bits) b = ctx.workspace.take<u32>(static_cast<std::size_t>(c.count));
  components_compare_kernel<T><<<blocks_for(c.count * 32, 256), 256, 0, stream_of(ctx)>>>(in, c.links.eight, c.links.words, c.count, bits[0],
                                                                                           bits[1], bits[2], bits[3], bits[4]);
  check_launch("components_compare_kernel");
  c.links.fg = bits[0];
  c.links.left = bits[1];
  c.links.up = bits[2];
  c.links.up_left = bits[3];
  c.links.up_right = bits[4];
}

}  // namespace

Components connect(Context& ctx, ConstPlane in, Connectivity connectivity, i32* parent) {
  Components c;
  c.links.words = words_for(in.extent.width);
  c.links.width = in.extent.width;
  c.links.height = in.extent.height;
  c.links.eight = connectivity == Connectivity::eight;
  c.count = static_cast<i64>(c.links.words) * in.extent.height;
  c.parent = parent;
  c.root = ctx.workspace.take<u32>(static_cast<std::size_t>(c.count));
  if (in.type == PixelType::u8) {
    u32* fg = ctx.workspace.take<u32>(static_cast<std::size_t>(c.count));
    pack_bits(ctx, in.view<u8>(), fg);
    c.links.fg = fg;
    join<false>(ctx, c);
  } else {
    if (in.type == PixelType::u16) compare<u16>(ctx, in.view<u16>(), c);
    else compare<i32>(ctx, in.view<i32>(), c);
    join<true>(ctx, c);
  }
  return c;
}

}  // namespace morpho::gpu
