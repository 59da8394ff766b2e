// What the watershed's algorithms share: their inputs, the flood level, and the declarations of those that fill a file of their
// own.
#pragma once
#include <cstring>
#include <limits>

#include "contract/work_log.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/watershed/watershed_rows.hpp"

namespace morpho::cpu {

struct WatershedInputs {
  View<const i32> markers;  ///< no data: none
  View<const u8> mask;      ///< no data: everywhere
  bool marked() const { return markers.data != nullptr; }
  bool in_mask(i32 x, i32 y) const { return !mask.data || mask.at(x, y) != 0; }
  bool is_marker(i32 x, i32 y) const { return markers.data && markers.at(x, y) > 0; }
};

// Both label every pixel as the definition has it, without lines, and return the number of minima (with markers: nothing of
// use). Rounds and queues go into `work`.
i32 watershed_drop(Context&, ConstPlane f, const WatershedInputs&, View<i32> labels, Connectivity, Work& work);
i32 watershed_cellular(Context&, ConstPlane f, const WatershedInputs&, View<i32> labels, Connectivity, Work& work);

/// Fills g: f itself, or with markers the flood level; outside the mask the type's maximum.
template <class T>
void fill_levels(Context& ctx, View<const T> f, const WatershedInputs& in, View<T> g, Connectivity connectivity) {
  constexpr T top = std::numeric_limits<T>::max();
  const i32 width = f.width();
  const Workspace::Scope scope(ctx.workspace);
  View<const T> floor = f;
  View<T> floor_copy;
  if (in.markers.data && in.mask.data) {  // no path leads through pixels that do not exist
    floor_copy = View<T>(ctx.workspace.take<T>(static_cast<std::size_t>(f.extent.area())), f.extent);
    floor = floor_copy;
  }
  parallel_for(ctx, f.height(), rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 i = begin; i < end; ++i) {
      const i32 y = static_cast<i32>(i);
      const T* from = f.row(y);
      T* to = g.row(y);
      if (floor_copy.data) {
        level_row(from, in.markers.row(y), in.mask.row(y), to, floor_copy.row(y), width);
        continue;
      }
      std::memcpy(to, from, sizeof(T) * static_cast<std::size_t>(width));
      if (in.markers.data) {
        const i32* marker = in.markers.row(y);
        for (i32 x = 0; x < width; ++x) to[x] = marker[x] > 0 ? to[x] : top;
      }
      if (in.mask.data) {
        const u8* mask = in.mask.row(y);
        for (i32 x = 0; x < width; ++x) to[x] = mask[x] ? to[x] : top;
      }
    }
  });
  if (in.markers.data) {
    reconstruct(ctx, ConstPlane(View<const T>(g)), floor, g, {By::erosion, connectivity, ReconstructVariant::automatic});
  }
}

}  // namespace morpho::cpu
