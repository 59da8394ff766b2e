// Reconstruction by a priority queue: the highest pixel propagates first, so every pixel is raised at most once.
#include <algorithm>

#include "cpu/reconstruct/reconstruct_frame.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {
namespace {

/// A binary heap of (key, pixel) in one word each, the highest key on top. Its room is known before the first push.
class Heap {
 public:
  Heap(Workspace& w, i64 room) : entries_(w.take<u64>(static_cast<std::size_t>(room))) {}
  static u64 entry(std::uint32_t key, i32 pixel) { return static_cast<u64>(key) << 32 | static_cast<std::uint32_t>(pixel); }
  static std::uint32_t key_of(u64 e) { return static_cast<std::uint32_t>(e >> 32); }
  static i32 pixel_of(u64 e) { return static_cast<i32>(e & 0xFFFFFFFFu); }

  void append(u64 e) { entries_[size_++] = e; }  ///< before order() only
  void order() { std::make_heap(entries_, entries_ + size_); }
  void push(u64 e) {
    entries_[size_++] = e;
    std::push_heap(entries_, entries_ + size_);
  }
  u64 pop() {
    std::pop_heap(entries_, entries_ + size_);
    return entries_[--size_];
  }
  i64 size() const { return size_; }

 private:
  u64* entries_;
  i64 size_ = 0;
};

template <class K>
Work propagate(const Context& ctx, Workspace& w, const KeyFrame<K>& frame) {
  const auto raises = [&](i32 p) {
    for (int k = 0; k < frame.steps; ++k) {
      const i32 q = p + frame.step[k];
      if (frame.f[q] < std::min(frame.f[p], frame.mask[q])) return true;
    }
    return false;
  };
  const auto each_pixel = [&](auto&& fn) {
    for (i32 y = 0; y < frame.extent.height; ++y) {
      if (y % 64 == 0) ctx.check_cancelled();
      for (i32 x = 0; x < frame.extent.width; ++x) fn(frame.index(x, y));
    }
  };
  i64 sources = 0, raisable = 0;
  each_pixel([&](i32 p) {
    sources += raises(p);
    raisable += frame.f[p] < frame.mask[p];
  });
  Heap heap(w, sources + raisable);
  each_pixel([&](i32 p) {
    if (raises(p)) heap.append(Heap::entry(frame.f[p], p));
  });
  heap.order();
  i64 done = 0, longest = 0;
  for (; heap.size() > 0; ++done) {
    if ((done & 0xFFFF) == 0) ctx.check_cancelled();
    longest = std::max(longest, heap.size());
    const u64 top = heap.pop();
    const i32 p = Heap::pixel_of(top);
    if (frame.f[p] != Heap::key_of(top)) continue;  // raised since: it was here under its new value too
    for (int k = 0; k < frame.steps; ++k) {
      const i32 q = p + frame.step[k];
      const K reach = std::min(frame.f[p], frame.mask[q]);
      if (frame.f[q] >= reach) continue;
      frame.f[q] = reach;
      if (raises(q)) heap.push(Heap::entry(reach, q));
    }
  }
  return {.queued = done, .longest = longest};
}

}  // namespace

/// Reconstruction by a binary heap ordered by grey value (within a value by pixel). Sequential, whatever ctx.threads says.
/// Exact. Only pixels that can raise a neighbour enter the heap. As the highest leaves first, a pixel that was raised once has
/// its final value: no pixel is raised twice, which is what the heap buys with its logarithm.
/// Cost: two scans, then O(log n) for each pixel that propagates.
/// Memory: twice the pixel's size a pixel, and 8 bytes for each pixel that can be raised and each that can raise a neighbour at
/// first.
/// Source: He 2016 §2 (the heap of one thread that the parallel heap is compared with).
Work reconstruct_priority(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params) {
  require_room_for_padding("mask", mask.extent);
  const Workspace::Scope scope(ctx.workspace);
  Work work;
  visit_reconstruction(out.type, params.by, [&](auto zero, auto by) {
    using T = decltype(zero);
    using Map = ValueKey<T, by()>;
    KeyFrame<typename Map::K> frame(ctx.workspace, out.extent, params.connectivity == Connectivity::eight);
    frame.fill(ctx, marker.view<T>(), mask.view<T>(), Map::key);
    work = propagate(ctx, ctx.workspace, frame);
    frame.write(out.view<T>(), Map::value);
  });
  return work;
}

}  // namespace morpho::cpu
