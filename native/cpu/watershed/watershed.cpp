// Watershed by drops of water: every pixel follows the flow graph to its sink.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "contract/choices.hpp"
#include "contract/work_log.hpp"
#include "cpu/watershed/watershed_graph.hpp"
#include "cpu/watershed/watershed_plateaus.hpp"
#include "cpu/watershed/watershed_rows.hpp"
#include "cpu/watershed/watershed_variants.hpp"

namespace morpho::cpu {
namespace {

/// Directions downhill, sinks and pixels outside; labels of sinks, 0 outside, kUnknown elsewhere. Returns the number of pending
/// pixels.
template <class T>
i64 fill_directions(Context& ctx, const WatershedInputs& in, FlowGraph<T>& graph, View<i32> labels) {
  const i32 width = graph.extent.width;
  graph.pad();
  std::atomic<i64> pending{0};
  parallel_for(ctx, graph.extent.height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    i64 found = 0;
    for (i64 i = begin; i < end; ++i) {
      const i32 y = static_cast<i32>(i);
      u8* dir = graph.dir + graph.index(0, y);
      const u8* mask = in.mask.data ? in.mask.row(y) : nullptr;
      descend_row(graph, graph.g + graph.index(0, y), dir, width, mask);
      found += settle_row(dir, labels.row(y), in.markers.data ? in.markers.row(y) : nullptr, mask, width);
    }
    pending += found;
  });
  return pending;
}

/// One row of follow(). A function of its own: what its callers look like does not change its code, which is the half of the
/// time. `number`: null where sinks have their labels. With a mask, blocks in which nothing is to be done are looked for:
/// without one there are few, and to ask takes a quarter more time.
template <bool kMasked>
[[gnu::noinline]] void follow_row(i32* row, const u8* dirs, i32 width, const std::ptrdiff_t* label_step,
                                  const std::ptrdiff_t* dir_step, const i32* number) {
  const auto get = [](i32* p) { return std::atomic_ref<i32>(*p).load(std::memory_order_relaxed); };
  constexpr i32 kBlock = 8;
  for (i32 x = 0; x < width; ++x) {
    if (kMasked && x % kBlock == 0 && x + kBlock <= width) {
      u64 block;
      std::memcpy(&block, dirs + x, sizeof block);
      const u64 done = number ? block & 0x8080808080808080 : block & 0xF0F0F0F0F0F0F0F0;  // 0: a direction, or a sink to number
      if (((done - 0x0101010101010101) & ~done & 0x8080808080808080) == 0) {
        x += kBlock - 1;
        continue;
      }
    }
    i32 label = get(row + x);
    if (label > kUnknown) continue;
    i32* at = row + x;
    if (label < kUnknown) {
      std::atomic_ref<i32>(*at).store(number[provisional(label)], std::memory_order_relaxed);
      continue;
    }
    const u8* dir = dirs + x;
    do {
      at += label_step[*dir];
      dir += dir_step[*dir];
      label = get(at);
    } while (label == kUnknown);
    if (label < kUnknown) label = number[provisional(label)];
    at = row + x;
    dir = dirs + x;
    do {
      std::atomic_ref<i32>(*at).store(label, std::memory_order_relaxed);
      at += label_step[*dir];
      dir += dir_step[*dir];
    } while (get(at) == kUnknown);
  }
}

/// Follows the graph from every pixel of unknown label and writes what it finds along the way, minima by their `number`.
/// Threads may write a pixel twice, but only ever the same label.
template <class T>
void follow(Context& ctx, const FlowGraph<T>& graph, View<i32> labels, const i32* number, bool masked) {
  std::ptrdiff_t label_step[8], dir_step[8];
  for (int k = 0; k < 8; ++k) {
    label_step[k] = flow::dy[k] * labels.stride + flow::dx[k];
    dir_step[k] = graph.step[k];
  }
  parallel_for(ctx, labels.height(), rows_per_piece(labels.width()), [&](i64 begin, i64 end, int) {
    for (i64 i = begin; i < end; ++i) {
      const i32 y = static_cast<i32>(i);
      const auto row = masked ? follow_row<true> : follow_row<false>;
      row(labels.row(y), graph.dir + graph.index(0, y), labels.width(), label_step, dir_step, number);
    }
  });
}

/// Pixels with a 4-neighbour of a larger label become 0, all at once.
void cut_lines(Context& ctx, View<i32> labels) {
  const i32 width = labels.width(), height = labels.height();
  const i64 rows = rows_per_piece(width), pieces = (height + rows - 1) / rows;
  const std::size_t w = static_cast<std::size_t>(width);
  // The rows on both sides of each cut between pieces, as they were; then two rows a worker.
  i32* saved = ctx.workspace.take<i32>(2 * w * static_cast<std::size_t>(pieces));
  i32* buffers = ctx.workspace.take<i32>(2 * (w + 2) * static_cast<std::size_t>(std::max(1, ctx.threads)));
  i32* nothing = ctx.workspace.take<i32>(w);
  std::fill_n(nothing, w, 0);
  for (i64 k = 0; k < pieces; ++k) {
    const i64 first = k * rows, after = std::min<i64>(first + rows, height);
    if (first > 0) std::copy_n(labels.row(static_cast<i32>(first - 1)), w, saved + 2 * k * w);
    if (after < height) std::copy_n(labels.row(static_cast<i32>(after)), w, saved + (2 * k + 1) * w);
  }
  parallel_for(ctx, height, rows, [&](i64 begin, i64 end, int worker) {
    const i64 k = begin / rows;
    i32* pair[2] = {buffers + 2 * (w + 2) * static_cast<std::size_t>(worker) + 1, nullptr};
    pair[1] = pair[0] + w + 2;
    const i32* up = begin > 0 ? saved + 2 * k * w : nothing;
    for (i64 y = begin; y < end; ++y) {
      i32* row = labels.row(static_cast<i32>(y));
      i32* now = pair[(y - begin) % 2];
      now[-1] = now[width] = 0;
      std::copy_n(row, w, now);
      const i32* down = y + 1 == height ? nothing
                        : y + 1 == end  ? saved + (2 * k + 1) * w
                                        : labels.row(static_cast<i32>(y + 1));
      cut_row(up, now, down, row, width);
      up = now;
    }
  });
}

/// The largest marker inside the mask; rejects negative ones.
i32 largest_marker(const Context& ctx, const WatershedInputs& in, Extent e) {
  std::atomic<i32> largest{0};
  const auto refuse = [&](const i32* row) {
    reject("markers", "labels of at least 0", std::to_string(*std::find_if(row, row + e.width, [](i32 m) { return m < 0; })));
  };
  parallel_for(ctx, e.height, rows_per_piece(e.width), [&](i64 begin, i64 end, int) {
    i32 most = 0;
    for (i64 i = begin; i < end; ++i) {
      const i32 y = static_cast<i32>(i);
      bool negative = false;
      most = std::max(most, largest_of_row(in.markers.row(y), in.mask.data ? in.mask.row(y) : nullptr, e.width, negative));
      if (negative) refuse(in.markers.row(y));
    }
    for (i32 seen = largest; seen < most && !largest.compare_exchange_weak(seen, most);) {}
  });
  return largest;
}

template <class T>
i32 follow_graph(Context& ctx, View<const T> f, const WatershedInputs& in, View<i32> labels, Connectivity connectivity) {
  const Workspace::Scope scope(ctx.workspace);
  FlowGraph<T> graph(ctx.workspace, f.extent, connectivity == Connectivity::eight);
  fill_levels(ctx, f, in, graph.inner(), connectivity);
  ctx.check_cancelled();
  const i64 pending = fill_directions(ctx, in, graph, labels);
  i32* queue = ctx.workspace.take<i32>(static_cast<std::size_t>(pending));
  note(ctx, drain_plateaus(ctx, graph, queue));
  i32* number = ctx.workspace.take<i32>(in.marked() ? 0 : static_cast<std::size_t>(pending));
  const i32 minima = number_minima(ctx, graph, labels, in.marked(), queue, number);
  follow(ctx, graph, labels, in.marked() ? nullptr : number, in.mask.data != nullptr);
  return minima;
}

}  // namespace

/// Shape: f [h, w] u8, u16 or i32; markers [h, w] i32 (0: none; negative: rejected) and mask [h, w] u8 may be absent ->
/// labels [h, w] i32; returns the largest label (before lines). Reach: global. Unique: the tie rules leave no choice.
/// Variants: automatic is what follows; drop_of_water and cellular_automaton have files, costs and needs of their own. All are
/// exact.
/// Cost: one pass for the directions (16 pixels a step for u8), a breadth-first search of the plateau pixels, one walk that
/// writes every pixel once; with markers one reconstruction more. Threads share all of it (small levels of the plateau search
/// aside).
/// Memory: f's type and one byte a pixel, 8 bytes a plateau pixel (4 with markers), and with markers at least the need of
/// reconstruct and, where there is a mask too, one more image of f's type. Lines: two rows of i32 for each 131072 px, after all
/// that was given back.
/// Source: Körbes 2011 §2 (drop of water; arrows, plateaus by breadth first, paths); README, "watershed", for the definition.
i32 watershed(Context& ctx, ConstPlane f, ConstPlane markers, ConstPlane mask, Plane labels, const WatershedParams& asked) {
  const WatershedParams params = chosen(ctx, asked);
  op::watershed::check(f, markers, mask, labels, params);
  WatershedInputs in;
  if (markers.present()) {
    in.markers = markers.view<i32>();
  }
  if (mask.present()) {
    in.mask = mask.view<u8>();
  }
  if (f.extent.empty()) return 0;
  const i32 largest = in.marked() ? largest_marker(ctx, in, f.extent) : 0;
  const View<i32> out = labels.view<i32>();
  const Workspace::Scope scope(ctx.workspace);
  i32 minima = 0;
  Work work{"watershed", std::string(name_of(params.variant))};
  if (params.variant == WatershedVariant::drop_of_water) {
    minima = watershed_drop(ctx, f, in, out, params.connectivity, work);
    note(ctx, std::move(work));
  } else if (params.variant == WatershedVariant::cellular_automaton) {
    minima = watershed_cellular(ctx, f, in, out, params.connectivity, work);
    note(ctx, std::move(work));
  } else {
    minima = visit_pixel_type(f.type, [&](auto zero) {
      using T = decltype(zero);
      return follow_graph<T>(ctx, f.view<T>(), in, out, params.connectivity);
    });
  }
  if (params.lines) cut_lines(ctx, out);
  return in.marked() ? largest : minima;
}

}  // namespace morpho::cpu
