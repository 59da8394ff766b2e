// The max-tree in its canonical form, and the order of its pixels.
#include <limits>

#include "contract/choices.hpp"
#include "contract/work_log.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/max_tree/max_tree_parent.cuh"
#include "cuda/max_tree/pixel_sort.cuh"

namespace morpho::gpu {
namespace {

/// The order as rows of an image.
struct ToOrder {
  i32* d_order;
  i32 width;
  i64 stride;

  __device__ void number(i32, i32) const {}
  template <class Source>
  __device__ void write(const Source&, i32 at, i32 p, u32, u32) const {
    d_order[stride == width ? at : at / width * stride + at % width] = p;
  }
};

/// Ascending value, then index: a stable sort by one digit (u8) or two (u16), of which the first hands the upper one on.
template <class T>
void sort_pixels(Context& ctx, const T* d_f, Extent e, View<i32> order, T flip) {
  const Workspace::Scope scope(ctx.workspace);
  const i64 n = e.area();
  const pixel_sort::Places places = pixel_sort::take_places(ctx, n);
  const pixel_sort::Pixels<T> pixels{d_f, n, flip};
  const ToOrder to{order.data, e.width, order.stride};
  if constexpr (sizeof(T) == 1) {
    pixel_sort::sort(ctx, pixels, places, to);
  } else {
    i32* d_pixel = ctx.workspace.take<i32>(static_cast<std::size_t>(n));
    u8* d_digit = ctx.workspace.take<u8>(static_cast<std::size_t>(n));
    pixel_sort::sort(ctx, pixels, places, pixel_sort::ToList{d_pixel, d_digit});
    pixel_sort::sort(ctx, pixel_sort::Listed{d_pixel, d_digit, n}, places, to);
  }
}

template <class T>
void build(Context& ctx, View<const T> f, View<i32> parent, Plane order, const MaxTreeParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const T flip = params.min_tree ? std::numeric_limits<T>::max() : T{0};
  const T* d_f = flat_rows(ctx, f);
  i32* d_parent = parent.contiguous() ? parent.data : ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
  const bool eight = params.connectivity == Connectivity::eight, border_trees = params.variant == MaxTreeVariant::border_trees;
  if (border_trees || params.variant == MaxTreeVariant::column_union_find)
    max_tree_parent_by_columns<T>(ctx, d_f, f.extent, d_parent, flip, eight, border_trees);
  else max_tree_parent<T>(ctx, d_f, f.extent, d_parent, flip, eight);
  if (!parent.contiguous()) copy_rows(ctx, View<const i32>(d_parent, f.extent), parent);
  if (!order.present()) return;
  ctx.check_cancelled();
  sort_pixels<T>(ctx, d_f, f.extent, order.view<i32>(), flip);
}

}  // namespace

/// Shape: f [h, w] u8, u16 -> parent, order [h, w] i32; `order` may be absent. Units: pixel indices of the image. Reach:
/// global. Unique. Sync: none.
/// Variants: automatic, union_find, tile_merge (one algorithm); column_union_find and border_trees are the paper's
/// (max_tree_columns.cu). Cost: one pass in tiles, joins along their borders, one pass for the canonical form; the order: f
/// read twice and written once a digit (u16 has two, and 10 bytes a pixel between them). Memory: two bits a pixel and 4 bytes
/// for each 64 pixels, u16: 2 bytes a pixel and 4 KiB for each tile of 128 x 64 more; the order, when the rest is free again: a
/// bit a pixel, u16: 5 bytes a pixel more; 4 bytes and f's type a pixel for images that have a stride.
/// Source: Berger 2007 (union by levels, canonical form); Wilkinson 2008 and Blin 2021 §3, §4 (concurrent joins of tiles).
void max_tree(Context& ctx, ConstPlane f, Plane parent, Plane order, const MaxTreeParams& asked) {
  const MaxTreeParams params = chosen(ctx, asked);
  op::max_tree::check(f, parent, order, params);
  if (params.variant == MaxTreeVariant::flooding ||
      static_cast<int>(params.variant) > static_cast<int>(MaxTreeVariant::border_trees)) {
    reject("variant", "automatic, union_find, tile_merge, column_union_find or border_trees (on the GPU)",
           std::to_string(static_cast<int>(params.variant)));
  }
  if (f.extent.empty()) return;
  ctx.check_cancelled();
  const bool automatic = params.variant == MaxTreeVariant::automatic;
  note(ctx, {"max_tree", std::string(name_of(automatic ? MaxTreeVariant::tile_merge : params.variant))});
  if (f.type == PixelType::u8) build<u8>(ctx, f.view<u8>(), parent.view<i32>(), order, params);
  else build<u16>(ctx, f.view<u16>(), parent.view<i32>(), order, params);
}

}  // namespace morpho::gpu
