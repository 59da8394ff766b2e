// Watershed by drops of water, one after the other: arrows, plateaus by a queue, minima by union-find, paths.
#include <algorithm>

#include "cpu/watershed/watershed_variants.hpp"

namespace morpho::cpu {
namespace {

constexpr i32 kNowhere = -1, kPlateau = -2;  ///< for `to`
constexpr i32 kNotYet = -1;                  ///< for `steps` and labels

/// Images in a frame of one pixel that does not exist.
template <class T>
class DropOfWater {
 public:
  DropOfWater(Context& ctx, View<const T> f, const WatershedInputs& in, Connectivity connectivity)
      : ctx_(ctx), in_(in), extent_(f.extent), pitch_(f.width() + 2) {
    Workspace& w = ctx.workspace;
    const std::size_t n = static_cast<std::size_t>(pitch_) * (static_cast<std::size_t>(f.height()) + 2);
    g_ = w.take<T>(n);
    to_ = w.take<i32>(n);
    steps_ = w.take<i32>(n);
    queue_ = w.take<i32>(static_cast<std::size_t>(f.extent.area()));
    std::fill_n(g_, n, std::numeric_limits<T>::max());
    std::fill_n(to_, n, kNowhere);
    for (i32 dy = -1; dy <= 1; ++dy) {
      for (i32 dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || (connectivity == Connectivity::four && dx != 0 && dy != 0)) continue;
        step_[count_++] = dy * pitch_ + dx;  // ascending: the first of equals has the smallest index
      }
    }
    fill_levels(ctx, f, in, View<T>(g_ + index(0, 0), f.extent, pitch_), connectivity);
  }

  i32 run(View<i32> labels, Work& work) {
    point_downhill();
    cross_plateaus(work);
    join_minima();
    return follow_paths(labels);
  }

 private:
  i32 index(i32 x, i32 y) const { return (y + 1) * pitch_ + x + 1; }
  template <class Fn>
  void each_pixel(Fn&& fn) const {
    for (i32 y = 0; y < extent_.height; ++y) {
      if (y % 64 == 0) ctx_.check_cancelled();
      for (i32 x = 0; x < extent_.width; ++x) fn(x, y, index(x, y));
    }
  }
  bool same_level(i32 p, i32 q) const { return to_[q] != kNowhere && g_[q] == g_[p]; }

  /// (i) Every pixel points to its lowest neighbour, if that is lower; sinks point to themselves.
  void point_downhill() {
    each_pixel([&](i32 x, i32 y, i32 p) {
      if (!in_.in_mask(x, y)) return;
      i32 to = kPlateau;
      if (in_.is_marker(x, y)) {
        to = p;
      } else {
        T lowest = g_[p];  // pixels outside hold the maximum and are never lower
        for (int k = 0; k < count_; ++k) {
          const i32 q = p + step_[k];
          if (g_[q] < lowest) lowest = g_[q], to = q;
        }
      }
      to_[p] = to;
      steps_[p] = to == kPlateau ? kNotYet : 0;
    });
  }

  /// (ii) Pixels inside plateaus point one geodesic step nearer to an outlet. First in, first out: when a pixel leaves the
  /// queue, all that are nearer have their number of steps.
  void cross_plateaus(Work& work) {
    i64 tail = 0;
    each_pixel([&](i32, i32, i32 p) {
      if (to_[p] < 0) return;
      for (int k = 0; k < count_; ++k) {
        const i32 q = p + step_[k];
        if (to_[q] != kPlateau || g_[q] != g_[p]) continue;
        queue_[tail++] = p;
        return;
      }
    });
    for (i64 head = 0; head < tail; ++head) {
      if ((head & 0xFFFF) == 0) ctx_.check_cancelled();
      if ((head & 0xFFF) == 0) work.longest = std::max(work.longest, tail - head);
      const i32 p = queue_[head];
      const bool undecided = to_[p] == kPlateau;
      for (int k = 0; k < count_; ++k) {
        const i32 q = p + step_[k];
        if (!same_level(p, q)) continue;
        if (steps_[q] == kNotYet) {
          steps_[q] = steps_[p] + 1;
          queue_[tail++] = q;
        } else if (undecided && to_[p] == kPlateau && steps_[q] == steps_[p] - 1) {
          to_[p] = q;
        }
      }
    }
    work.queued = tail;
  }

  i32 root(i32 p) {
    while (to_[p] != p) p = to_[p] = to_[to_[p]];
    return p;
  }

  /// (iii) What no outlet reaches are minima (with markers: plateaus that no marker reaches). Each is joined under its smallest
  /// index.
  void join_minima() {
    each_pixel([&](i32, i32, i32 p) {
      if (to_[p] != kPlateau) return;
      to_[p] = p;
      for (int k = 0; k < count_ / 2; ++k) {  // the neighbours before p
        const i32 q = p + step_[k];
        if (!same_level(p, q) || steps_[q] != kNotYet) continue;
        const i32 a = root(p), b = root(q);
        to_[std::max(a, b)] = std::min(a, b);
      }
    });
  }

  /// (iv) Every pixel takes the label at the end of its path, and so does all of the path.
  i32 follow_paths(View<i32> labels) {
    i32* label = steps_;
    i32 n = 0;
    each_pixel([&](i32 x, i32 y, i32 p) {
      if (to_[p] == kNowhere) label[p] = 0;
      else if (to_[p] != p) label[p] = kNotYet;
      else if (in_.marked()) label[p] = std::max(0, in_.markers.at(x, y));
      else label[p] = ++n;
    });
    each_pixel([&](i32 x, i32 y, i32 p) {
      i32 end = p;
      while (label[end] == kNotYet) end = to_[end];
      const i32 found = label[end];
      for (i32 q = p; label[q] == kNotYet; q = to_[q]) label[q] = found;
      labels.row(y)[x] = found;
    });
    return n;
  }

  const Context& ctx_;
  const WatershedInputs& in_;
  Extent extent_;
  i32 pitch_;
  T* g_ = nullptr;
  i32* to_ = nullptr;     ///< the next pixel of the path
  i32* steps_ = nullptr;  ///< to the nearest outlet of the plateau; in the end the labels
  i32* queue_ = nullptr;
  i32 step_[8] = {};
  int count_ = 0;
};

}  // namespace

/// The watershed by drop of water, step by step as the paper has it. Sequential, whatever ctx.threads says (but for the flood
/// level, which reconstruct computes). Exact: the definition's ties, so the labels are those of the automatic variant.
/// Cost: three passes over the image, a queue over the plateaus, and each path walked twice; every pixel is written once.
/// Memory: f's type and 12 bytes a pixel, and with markers what fill_levels needs.
/// Source: Körbes 2011 §3 (steps i to iv), §4.1 (the sequential algorithm of its comparison).
i32 watershed_drop(Context& ctx, ConstPlane f, const WatershedInputs& in, View<i32> labels, Connectivity connectivity,
                   Work& work) {
  const Workspace::Scope scope(ctx.workspace);
  return visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    return DropOfWater<T>(ctx, f.view<T>(), in, connectivity).run(labels, work);
  });
}

}  // namespace morpho::cpu
