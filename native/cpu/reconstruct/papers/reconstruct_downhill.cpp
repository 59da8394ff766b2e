// Reconstruction by the downhill filter: pixels leave lists of their grey level from the highest level down, each once.

#include <algorithm>

#include "cpu/reconstruct/reconstruct_frame.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {
namespace {

/// One doubly linked list of pixels a level: a pixel that is raised moves from its list to a higher one.
template <class K>
class LevelLists {
 public:
  LevelLists(Workspace& w, std::size_t pixels, i64 levels, const K* level) : level_(level) {
    head_ = w.take<i32>(static_cast<std::size_t>(levels));
    next_ = w.take<i32>(pixels);
    before_ = w.take<i32>(pixels);
    std::fill_n(head_, levels, -1);
  }
  void push(i32 p) {
    i32& head = head_[level_[p]];
    next_[p] = head;
    before_[p] = -1;
    if (head >= 0) before_[head] = p;
    head = p;
  }
  void remove(i32 p) {
    const i32 next = next_[p], before = before_[p];
    if (next >= 0) before_[next] = before;
    if (before >= 0) next_[before] = next;
    else head_[level_[p]] = next;
  }
  i32 first(i64 level) const { return head_[level]; }

 private:
  const K* level_;
  i32 *head_, *next_, *before_;
};

/// To stability: what leaves the list of the highest level is final, so no pixel is visited twice. Returns how many were.
template <class K>
Work flow_down(const Context& ctx, Workspace& w, const KeyFrame<K>& frame, i64 levels) {
  LevelLists<K> lists(w, KeyFrame<K>::pixels(frame.extent), levels, frame.f);
  for (i32 y = frame.extent.height - 1; y >= 0; --y) {  // backwards, so that the lists begin in raster order
    if (y % 64 == 0) ctx.check_cancelled();
    for (i32 x = frame.extent.width - 1; x >= 0; --x) {
      if (const i32 p = frame.index(x, y); frame.f[p] > 0) lists.push(p);
    }
  }
  i64 done = 0;
  for (i64 level = levels - 1; level > 0; --level) {
    const K v = static_cast<K>(level);
    for (i32 p = lists.first(level); p >= 0; p = lists.first(level)) {
      if ((++done & 0xFFFF) == 0) ctx.check_cancelled();
      lists.remove(p);
      for (int k = 0; k < frame.steps; ++k) {
        const i32 q = p + frame.step[k];
        const K reach = std::min(v, frame.mask[q]);
        if (frame.f[q] >= reach) continue;
        if (frame.f[q] > 0) lists.remove(q);
        frame.f[q] = reach;
        lists.push(q);
      }
    }
  }
  return {.queued = done};
}

}  // namespace

/// Reconstruction by the downhill filter. Sequential, whatever ctx.threads says. Exact.
/// Cost: every pixel enters and leaves a list once, two at most, and looks at its neighbours once, so the time hardly depends
/// on the image; lists jump about in memory. Images of i32 are ranked by sorting first, which costs more than the filter.
/// Memory: 8 bytes and twice the pixel's size a pixel and 4 bytes a level (u8: 256, u16: 65536); i32: 32 bytes a pixel.
/// Source: Robinson & Whelan 2004 (the downhill filter); compared with in Teodoro 2012 §2.1.
Work reconstruct_downhill(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params) {
  require_room_for_padding("mask", mask.extent);
  const bool eight = params.connectivity == Connectivity::eight;
  const Workspace::Scope scope(ctx.workspace);
  Workspace& w = ctx.workspace;
  Work work;
  visit_reconstruction(out.type, params.by, [&](auto zero, auto by) {
    using T = decltype(zero);
    using Map = ValueKey<T, by()>;
    const View<const T> from = marker.view<T>(), bound = mask.view<T>();
    if constexpr (sizeof(T) < 4) {
      KeyFrame<T> frame(w, out.extent, eight);
      frame.fill(ctx, from, bound, Map::key);
      work = flow_down(ctx, w, frame, i64{1} << (8 * sizeof(T)));
      frame.write(out.view<T>(), Map::value);
    } else {
      // Too many levels for a list each: the values that occur are numbered in ascending order.
      using K = typename Map::K;
      const i64 area = out.extent.area();
      K* keys = w.take<K>(2 * static_cast<std::size_t>(area));
      i64 n = 0;
      for (const View<const T>& image : {from, bound}) {
        for (i32 y = 0; y < image.height(); ++y) {
          for (i32 x = 0; x < image.width(); ++x) keys[n++] = Map::key(image.row(y)[x]);
        }
      }
      ctx.check_cancelled();
      std::sort(keys, keys + n);
      n = std::unique(keys, keys + n) - keys;
      KeyFrame<K> frame(w, out.extent, eight);
      frame.fill(ctx, from, bound, [&](T v) { return static_cast<K>(std::lower_bound(keys, keys + n, Map::key(v)) - keys); });
      work = flow_down(ctx, w, frame, n);
      frame.write(out.view<T>(), [&](K rank) { return Map::value(keys[rank]); });
    }
  });
  return work;
}

}  // namespace morpho::cpu
