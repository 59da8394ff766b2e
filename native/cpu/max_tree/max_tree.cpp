// The max-tree in its canonical form: checks, choice of the variant, and the order of the pixels.
#include <cstring>

#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/max_tree_order.hpp"
#include "cpu/max_tree/max_tree_parent.hpp"
#include "contract/choices.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {

void max_tree_parent(Context& ctx, ConstPlane f, View<i32> parent, const MaxTreeParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  const auto copy_rows = [&](char* to, std::size_t to_stride, const char* from, std::size_t from_stride, std::size_t bytes) {
    for (i32 y = 0; y < f.extent.height; ++y, to += to_stride, from += from_stride) std::memcpy(to, from, bytes);
  };
  ConstPlane flat = f;
  if (f.stride != f.extent.width) {
    const std::size_t pixel = pixel_bytes(f.type), width = static_cast<std::size_t>(f.extent.width) * pixel;
    char* copy = ctx.workspace.take<char>(n * pixel);
    copy_rows(copy, width, static_cast<const char*>(f.data), static_cast<std::size_t>(f.stride) * pixel, width);
    flat = ConstPlane(copy, f.type, f.extent);
  }
  i32* out = parent.contiguous() ? parent.data : ctx.workspace.take<i32>(n);
  switch (params.variant) {
    case MaxTreeVariant::automatic:  // the fastest at every size, type and number of threads measured: README.md
    case MaxTreeVariant::tile_merge: max_tree_tile_merge(ctx, flat, out, params); break;
    case MaxTreeVariant::union_find: max_tree_union_find(ctx, flat, out, params); break;
    case MaxTreeVariant::flooding: max_tree_flooding(ctx, flat, out, params); break;
    default: break;  // the GPU's own were refused before
  }
  if (!parent.contiguous()) {
    const std::size_t width = static_cast<std::size_t>(f.extent.width) * sizeof(i32);
    copy_rows(reinterpret_cast<char*>(parent.data), static_cast<std::size_t>(parent.stride) * sizeof(i32),
              reinterpret_cast<const char*>(out), width, width);
  }
}

/// Shape: f [h, w] u8, u16 -> parent, order [h, w] i32; `order` may be absent. Units: pixel indices of the image. Reach:
/// global. Unique.
/// Cost and memory: those of the variant (tile_merge where automatic), then a counting sort with 4 bytes a grey level and
/// thread. Views with gaps between rows are copied first (f's type a pixel; 4 bytes a pixel for `parent`).
void max_tree(Context& ctx, ConstPlane f, Plane parent, Plane order, const MaxTreeParams& asked) {
  const MaxTreeParams params = chosen(ctx, asked);
  op::max_tree::check(f, parent, order, params);
  if (static_cast<int>(params.variant) > static_cast<int>(MaxTreeVariant::tile_merge)) {
    reject("variant", "automatic, union_find, flooding or tile_merge", std::to_string(static_cast<int>(params.variant)));
  }
  if (f.extent.empty()) return;
  const bool automatic = params.variant == MaxTreeVariant::automatic;
  note(ctx, {"max_tree", std::string(name_of(automatic ? MaxTreeVariant::tile_merge : params.variant))});
  max_tree_parent(ctx, f, parent.view<i32>(), params);
  if (!order.present()) return;
  if (f.type == PixelType::u8) sort_pixels<u8>(ctx, f.view<u8>(), order.view<i32>(), params.min_tree);
  else sort_pixels<u16>(ctx, f.view<u16>(), order.view<i32>(), params.min_tree);
}

}  // namespace morpho::cpu
