// Flat erosion, dilation, opening and closing on the GPU.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"
#include "cuda/local/morphology_disk.cuh"

// How it is done. Let W[a](p) be the minimum (maximum) over the part of the window p - a … p + a of a line that lies inside the
// image.
// * W[a + b](p) is the minimum of W[a] at p - b and p + b for b <= a, where a centre outside the image is moved along the line
//   to its last pixel inside: its window then still reaches the other's and leaves the wanted window nowhere. So a radius is
//   doubled by a pass, and any radius is reached from the largest power of two below.
// * Squares and crosses are two lines. A disk is the minimum of one horizontal window for each of its rows. Up to the radius
//   that shared memory holds (morphology_disk.cu), all of it happens in there; beyond, each window is the minimum of two
//   overlapping ones of a power of two.

namespace morpho::gpu {

namespace {

constexpr i32 kLevels = 12;  // f and the radii 1, 2, 4, … 1024

template <class T>
struct Least {
  static constexpr bool erosion = true;
  static __device__ T fold(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct Most {
  static constexpr bool erosion = false;
  static __device__ T fold(T a, T b) { return a > b ? a : b; }
};
struct Step {
  i32 x, y;
};

/// How many of `reach` steps (dx, dy) fit into the image from (x, y).
__device__ inline i32 fitting(i32 x, i32 y, Step s, i32 reach, i32 width, i32 height) {
  if (s.x > 0) reach = min(reach, width - 1 - x);
  if (s.x < 0) reach = min(reach, x);
  if (s.y > 0) reach = min(reach, height - 1 - y);
  if (s.y < 0) reach = min(reach, y);
  return reach;
}

/// A thread owns one pixel: the window grows by `reach` on both sides; the first growth (of a single pixel) also takes the
/// pixel itself. With `fold_into`, the result is folded into what `out` holds. Nothing is shared.
template <class T, template <class> class Op>
__global__ void morphology_line_kernel(Image<const T> in, Image<T> out, Step step, i32 reach, bool with_centre,
                                       bool fold_into) {
  const i32 x = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= in.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y); y < in.height; y += static_cast<i32>(gridDim.y)) {
    const i32 on = fitting(x, y, step, reach, in.width, in.height),
              back = fitting(x, y, {-step.x, -step.y}, reach, in.width, in.height);
    T v = Op<T>::fold(in.at(x + on * step.x, y + on * step.y), in.at(x - back * step.x, y - back * step.y));
    if (with_centre) v = Op<T>::fold(v, in.at(x, y));
    if (fold_into) v = Op<T>::fold(v, out.at(x, y));
    out.at(x, y) = v;
  }
}

/// The rows of a disk: for dy = -r … r, the level whose windows are doubled, and how far from the middle.
template <class T>
struct DiskRows {
  const T* level[kLevels];
  i64 stride[kLevels];
  u8 used[1025];  ///< by |dy|
  u16 beside[1025];
};

/// A thread owns one pixel: it folds two windows of each row of the disk. Nothing is shared; neighbours read the same lines of
/// cache.
template <class T, template <class> class Op>
__global__ void morphology_disk_kernel(const __grid_constant__ DiskRows<T> disk, i32 radius, Image<T> out) {
  const i32 x = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= out.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y * blockDim.y + threadIdx.y); y < out.height;
       y += static_cast<i32>(gridDim.y * blockDim.y)) {
    T v = disk.level[0][y * disk.stride[0] + x];
    for (i32 d = -min(radius, y); d <= min(radius, out.height - 1 - y); ++d) {
      const i32 k = disk.used[abs(d)], b = disk.beside[abs(d)];
      const T* row = disk.level[k] + (y + d) * disk.stride[k];
      v = Op<T>::fold(v, Op<T>::fold(row[max(x - b, 0)], row[min(x + b, out.width - 1)]));
    }
    out.at(x, y) = v;
  }
}

template <class T, template <class> class Op>
class Filter {
 public:
  Filter(Context& ctx, Extent e) : ctx_(ctx), extent_(e) {}

  void apply(const View<const T>& f, const View<T>& out, Shape shape, i32 r) {
    const i32 longest = extent_.width > extent_.height ? extent_.width : extent_.height;
    if (shape != Shape::disk && r > longest) r = longest;
    switch (shape) {
      case Shape::line_horizontal: return line(f, out, {1, 0}, r, false);
      case Shape::line_vertical: return line(f, out, {0, 1}, r, false);
      case Shape::line_diagonal: return line(f, out, {1, 1}, r, false);
      case Shape::line_antidiagonal: return line(f, out, {1, -1}, r, false);
      case Shape::square: {
        const Workspace::Scope scope(ctx_.workspace);
        const View<T> across = plane();
        line(f, across, {1, 0}, r, false);
        return line(across, out, {0, 1}, r, false);
      }
      case Shape::cross: {
        line(f, out, {1, 0}, r, false);
        return line(f, out, {0, 1}, r, true);
      }
      case Shape::disk: return disk(f, out, r);
    }
  }

 private:
  View<T> plane() { return View<T>(ctx_.workspace.take<T>(static_cast<std::size_t>(extent_.area())), extent_); }

  void grow(const View<const T>& from, const View<T>& to, Step step, i32 reach, bool with_centre, bool fold_into) {
    morphology_line_kernel<T, Op>
        <<<tiles_for(extent_, 256, 2), 256, 0, stream_of(ctx_)>>>(from, to, step, reach, with_centre, fold_into);
    check_launch("morphology_line_kernel");
  }
  void line(const View<const T>& f, const View<T>& out, Step step, i32 r, bool fold_into) {
    const Workspace::Scope scope(ctx_.workspace);
    if (r == 1) return grow(f, out, step, 1, true, fold_into);
    const View<T> turn[2] = {plane(), r > 2 ? plane() : View<T>()};
    grow(f, turn[0], step, 1, true, false);
    i32 reached = 1, held = 0;
    while (2 * reached < r) {
      grow(turn[held], turn[1 - held], step, reached, false, false);
      reached *= 2;
      held = 1 - held;
    }
    grow(turn[held], out, step, r - reached, false, fold_into);
  }
  void disk(const View<const T>& f, const View<T>& out, i32 r) {
    if (disk_by_tiles<T>(ctx_, f, out, r, Op<T>::erosion)) return;
    const Workspace::Scope scope(ctx_.workspace);
    DiskRows<T> rows;
    rows.level[0] = f.data;
    rows.stride[0] = f.stride;
    i32 levels = 1;
    View<const T> from = f;
    for (i32 a = 1; a <= r; a *= 2, ++levels) {
      const View<T> to = plane();
      grow(from, to, {1, 0}, a == 1 ? 1 : a / 2, a == 1, false);
      rows.level[levels] = to.data;
      rows.stride[levels] = to.stride;
      from = to;
    }
    for (i32 d = 0, c = r; d <= r; ++d) {
      while (c * c + d * d > r * r) --c;
      i32 k = 0;
      while (k + 1 < levels && 1 << k <= c) ++k;
      rows.used[d] = static_cast<u8>(k);
      rows.beside[d] = static_cast<u16>(k == 0 ? 0 : c - (1 << (k - 1)));
    }
    morphology_disk_kernel<T, Op><<<tiles_for(extent_, 64, 4), dim3(64, 4), 0, stream_of(ctx_)>>>(rows, r, out);
    check_launch("morphology_disk_kernel");
  }

  Context& ctx_;
  Extent extent_;
};

template <class T>
void run(Context& ctx, const View<const T>& f, const View<T>& out, bool in_place, const MorphologyParams& p) {
  if (p.radius == 0) {
    if (!in_place) copy_rows(ctx, f, out);
    return;
  }
  const bool one = p.kind == Morphology::erode || p.kind == Morphology::dilate;
  const Workspace::Scope scope(ctx.workspace);
  View<T> middle;
  if (in_place || !one) middle = View<T>(ctx.workspace.take<T>(static_cast<std::size_t>(f.extent.area())), f.extent);
  View<const T> from = f;
  if (one && in_place) {
    copy_rows(ctx, f, middle);
    from = middle;
  }
  Filter<T, Least> least(ctx, f.extent);
  Filter<T, Most> most(ctx, f.extent);
  switch (p.kind) {
    case Morphology::erode: return least.apply(from, out, p.shape, p.radius);
    case Morphology::dilate: return most.apply(from, out, p.shape, p.radius);
    case Morphology::open: least.apply(f, middle, p.shape, p.radius); return most.apply(middle, out, p.shape, p.radius);
    case Morphology::close: most.apply(f, middle, p.shape, p.radius); return least.apply(middle, out, p.shape, p.radius);
  }
}

}  // namespace

// Memory: up to three planes of f's type for lines and squares, none for disks in shared memory, log2(radius) + 1 for larger
// ones, one more for opening, closing and in-place use. Cost: a line log2(radius) + 2 passes; a disk one pass with 2 radius + 1
// reads a pixel from shared memory and one widening for each different chord, a larger one those of its windows and 2 (2 radius
// + 1) reads from the cache. sync: none.
void morphology(Context& ctx, ConstPlane f, Plane out, const MorphologyParams& p) {
  op::morphology::check(f, out, p);
  const bool in_place = f.data == out.data;  // the very same pixels: the check lets nothing else overlap
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) run<u8>(ctx, f.view<u8>(), out.view<u8>(), in_place, p);
  else run<u16>(ctx, f.view<u16>(), out.view<u16>(), in_place, p);
}

}  // namespace morpho::gpu
