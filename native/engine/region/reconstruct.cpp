// Reconstruction of a region: tiles settled with their rims as they are, and again where a neighbour would still raise them.
#include <algorithm>
#include <limits>
#include <utility>

#include "contract/require.hpp"
#include "borders.hpp"
#include "raise.hpp"
#include "region_ops.hpp"

namespace morpho::engine::region {

void require_tile(i64 tile) { require_range("tile", tile, 16, 46000); }

namespace {

/// Pixels of a region as the marker has them, in rows of `pitch` bytes.
using ReadMarker = std::function<void(const Rect&, u8* to, std::size_t pitch)>;

template <class T, By by>
class Settling {
  using Raising = Raise<T, by>;

 public:
  Settling(Workers& workers, ReadMarker marker, const Raster& mask, Raster& out, i64 tile, const ReconstructParams& params,
           bool in_place)
      : workers_(workers),
        marker_(std::move(marker)),
        in_place_(in_place),
        mask_(mask),
        out_(out),
        grid_(mask.width(), mask.height(), tile),
        params_(params),
        eight_(params.connectivity == Connectivity::eight),
        settled_(static_cast<std::size_t>(grid_.count())),
        masks_(static_cast<std::size_t>(grid_.count())),
        fresh_(static_cast<std::size_t>(grid_.count())) {}

  void run() {
    TileQueue queue(grid_.count(), workers_.options().order);
    queue.push_all();
    queue_ = &queue;
    workers_.run(
        queue, "reconstruct", [&](Worker& worker, i64 i) { visit(worker, i); },
        [&](i64 i, const std::function<void(i64)>& wake) { settle(i, wake); });
  }

 private:
  /// What raises nothing.
  static constexpr T kNothing = by == By::dilation ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  static bool above(T a, T b) { return Raising::higher(a, b); }
  static T meet(T a, T b) { return Raising::bounded(a, b); }

  void visit(Worker& worker, i64 i) {
    bool again = false;
    {
      const std::lock_guard lock(queue_->mutex());
      again = !settled_[static_cast<std::size_t>(i)].empty();
    }
    if (!again || !propagate(worker, i)) settle_whole(worker, i, again);
  }

  /// Border propagation by the worker itself: false where it is more than a queue is good for.
  bool propagate(Worker& worker, i64 i) {
    worker.call_it("propagate");
    const Rect r = grid_.rect(i);
    Rim<T> rim(static_cast<std::size_t>(r.width), static_cast<std::size_t>(r.height), kNothing);
    look_around(i, rim);
    std::size_t out_pitch = 0, mask_pitch = 0;
    u8 *out = out_.direct(r, out_pitch), *mask = mask_.direct(r, mask_pitch);
    const bool in_place = out != nullptr;
    const std::size_t row = static_cast<std::size_t>(r.width) * sizeof(T), bytes = row * static_cast<std::size_t>(r.height);
    if (!out) out_.read(r, out = worker.host().workspace.take<u8>(bytes), out_pitch = row);
    if (!mask) mask_.read(r, mask = worker.host().workspace.take<u8>(bytes), mask_pitch = row);
    worker.mark_read();
    const TilePixels<T> state{reinterpret_cast<T*>(out), out_pitch / sizeof(T), static_cast<i32>(r.width),
                              static_cast<i32>(r.height)};
    Raising raising(state, {reinterpret_cast<const T*>(mask), mask_pitch / sizeof(T), state.width, state.height}, eight_);
    const bool done = raising.run(rim, std::max<std::size_t>(kFewestMoves, bytes / sizeof(T) / kShareOfMoves));
    if (!in_place && raising.last_row() >= raising.first_row()) {
      const i64 first = raising.first_row(), rows = raising.last_row() - first + 1;
      out_.write({r.x, r.y + first, r.width, rows}, out + static_cast<std::size_t>(first) * row, row);
    }
    fresh_[static_cast<std::size_t>(i)].take(state.data, state.pitch, r);
    return done;
  }
  /// A queue's moves cost some ten times a pixel of a settled tile's sweeps.
  static constexpr std::size_t kFewestMoves = 4096, kShareOfMoves = 16;

  /// The rim from the tiles around that are settled. The others will look themselves when they are.
  void look_around(i64 i, Rim<T>& rim) {
    const std::lock_guard lock(queue_->mutex());
    each_side(eight_, [&](i64 dx, i64 dy) {
      const i64 j = grid_.beside(i, dx, dy);
      if (j < 0 || settled_[static_cast<std::size_t>(j)].empty()) return;
      std::size_t n = 0;
      const T* line = settled_[static_cast<std::size_t>(j)].facing(-dx, -dy, n);
      std::vector<T>& to = dy < 0 ? rim.above : dy > 0 ? rim.below : dx < 0 ? rim.left : rim.right;
      const std::size_t at = dy == 0 ? 0 : dx < 0 ? 0 : dx == 0 ? 1 : to.size() - 1;
      std::copy_n(line, n, to.begin() + static_cast<std::ptrdiff_t>(at));
    });
  }

  /// The tile on the worker's device, from the marker or from what it is already.
  void settle_whole(Worker& worker, i64 i, bool again) {
    worker.call_it("reconstruct");
    const Rect r = grid_.rect(i), w = grid_.grown(i, 1);
    const std::size_t width = static_cast<std::size_t>(w.width), pitch = width * sizeof(T);
    const std::size_t bytes = pitch * static_cast<std::size_t>(w.height);
    T* state = reinterpret_cast<T*>(worker.take(bytes));
    T* mask = reinterpret_cast<T*>(worker.take(bytes));
    const auto at = [&](T* image, i64 x, i64 y) {
      return image + static_cast<std::size_t>(y - w.y) * width + static_cast<std::size_t>(x - w.x);
    };
    mask_.read(w, mask, pitch);
    if (in_place_) {
      // Others write around the tile meanwhile. What they have not published yet they raise when they do.
      std::fill_n(state, bytes / sizeof(T), kNothing);
      if (!again) marker_(r, reinterpret_cast<u8*>(at(state, r.x, r.y)), pitch);
    } else {
      marker_(w, reinterpret_cast<u8*>(state), pitch);
    }
    if (again) out_.read(r, at(state, r.x, r.y), pitch);
    hold_rim(i, r, w, at, state, mask);
    worker.mark_read();
    const Extent extent = extent_of(w);
    const Plane host(state, pixel_type_of<T>(), extent);
    worker.compute([&](Backend& backend) {
      const Plane s = Worker::uploaded(backend, host), m = Worker::uploaded(backend, Plane(mask, pixel_type_of<T>(), extent));
      backend.ops().reconstruct(backend.context(), s, m, s, params_);
      Worker::fetch(backend, s, host);
    });
    out_.write(r, at(state, r.x, r.y), pitch);
    // Nobody reads these before settle() has published them; the mask's are the same for ever.
    fresh_[static_cast<std::size_t>(i)].take(at(state, r.x, r.y), width, r);
    if (!again) masks_[static_cast<std::size_t>(i)].take(at(mask, r.x, r.y), width, r);
  }

  /// The rim's pixels as their tiles have published them, or as the marker has them; and as their own mask, so that nothing
  /// moves them.
  template <class At>
  void hold_rim(i64 i, const Rect& r, const Rect& w, const At& at, T* state, T* mask) {
    const std::lock_guard lock(queue_->mutex());
    each_side(true, [&](i64 dx, i64 dy) {
      const i64 j = grid_.beside(i, dx, dy);
      if (j < 0) return;
      const Border<T>& other = settled_[static_cast<std::size_t>(j)];
      const i64 x0 = dx < 0 ? w.x : dx > 0 ? r.x + r.width : r.x, y0 = dy < 0 ? w.y : dy > 0 ? r.y + r.height : r.y;
      const i64 n = dx != 0 && dy != 0 ? 1 : dy != 0 ? r.width : r.height;
      std::size_t same = 0;
      const T* line = other.empty() ? nullptr : other.facing(-dx, -dy, same);
      for (i64 k = 0; k < n; ++k) {
        const i64 x = dy != 0 && dx == 0 ? x0 + k : x0, y = dy != 0 ? y0 : y0 + k;
        T& s = *at(state, x, y);
        T& m = *at(mask, x, y);
        m = s = line ? line[k] : meet(s, m);
      }
    });
  }

  void settle(i64 i, const std::function<void(i64)>& wake) {
    settled_[static_cast<std::size_t>(i)] = std::exchange(fresh_[static_cast<std::size_t>(i)], {});
    bool self = false;
    each_side(eight_, [&](i64 dx, i64 dy) {
      const i64 j = grid_.beside(i, dx, dy);
      if (j < 0 || settled_[static_cast<std::size_t>(j)].empty()) return;  // it will see this one when it settles
      if (raises(i, j, dx, dy)) wake(j);
      self = self || raises(j, i, -dx, -dy);
    });
    if (self) wake(i);
  }

  /// Would tile i raise a pixel of tile j, which lies at (dx, dy) from it?
  bool raises(i64 i, i64 j, i64 dx, i64 dy) const {
    std::size_t n = 0;
    const T* from = settled_[static_cast<std::size_t>(i)].facing(dx, dy, n);
    const T* to = settled_[static_cast<std::size_t>(j)].facing(-dx, -dy, n);
    const T* bound = masks_[static_cast<std::size_t>(j)].facing(-dx, -dy, n);
    bool any = false;
    each_pair(n, eight_, [&](std::size_t k, std::size_t l) { any = any || above(meet(from[k], bound[l]), to[l]); });
    return any;
  }

  Workers& workers_;
  ReadMarker marker_;
  bool in_place_;  ///< the marker is `out`
  const Raster& mask_;
  Raster& out_;
  Grid grid_;
  ReconstructParams params_;
  bool eight_;
  TileQueue* queue_ = nullptr;
  std::vector<Border<T>> settled_, masks_, fresh_;  ///< by tile; settled_ empty: not yet settled
};

void require_like(const char* name, const Raster& a, const Raster& b) {
  require_same_extent(name, a, b);
  if (a.type() != b.type()) reject(name, std::string("pixels of type ") + pixel_type_name(a.type()), pixel_type_name(b.type()));
}

void settle_region(Workers& workers, const ReadMarker& marker, const Raster& mask, Raster& out, i64 tile,
                   const ReconstructParams& params, bool in_place = false) {
  require_tile(tile);
  require_like("out", mask, out);
  require_connectivity(params.connectivity);
  if (mask.width() == 0 || mask.height() == 0) return;
  visit_pixel_type(mask.type(), [&](auto zero) {
    using T = decltype(zero);
    if (params.by == By::dilation) Settling<T, By::dilation>(workers, marker, mask, out, tile, params, in_place).run();
    else Settling<T, By::erosion>(workers, marker, mask, out, tile, params, in_place).run();
  });
}

/// The image that is f along the region's sides and `inside` elsewhere.
ReadMarker from_sides(const Raster& f, bool highest) {
  return [&f, highest](const Rect& r, u8* to, std::size_t pitch) {
    visit_pixel_type(f.type(), [&](auto zero) {
      using T = decltype(zero);
      const T inside = highest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
      const i64 right = f.width() - 1, bottom = f.height() - 1;
      for (i64 y = 0; y < r.height; ++y) {
        T* row = reinterpret_cast<T*>(to + static_cast<std::size_t>(y) * pitch);
        if (r.y + y == 0 || r.y + y == bottom) {
          f.read({r.x, r.y + y, r.width, 1}, row, pitch);
          continue;
        }
        std::fill_n(row, r.width, inside);
        if (r.x == 0) f.read({0, r.y + y, 1, 1}, row, pitch);
        if (r.x + r.width - 1 == right) f.read({right, r.y + y, 1, 1}, row + r.width - 1, pitch);
      }
    });
  };
}

}  // namespace

void reconstruct(Workers& workers, const Raster& marker, const Raster& mask, Raster& out, i64 tile,
                 const ReconstructParams& params) {
  require_like("marker", mask, marker);
  settle_region(
      workers, [&](const Rect& r, u8* to, std::size_t pitch) { marker.read(r, to, pitch); }, mask, out, tile, params,
      &marker == &out);
}

void h_extrema(Workers& workers, const Raster& f, Raster& out, i64 tile, const ExtremaParams& params) {
  require_range("h", params.h, 1, std::numeric_limits<i32>::max());
  const bool maxima = params.kind == Extremum::maxima;
  settle_region(workers,
                [&](const Rect& r, u8* to, std::size_t pitch) {
                  f.read(r, to, pitch);
                  visit_pixel_type(f.type(), [&](auto zero) {
                    using T = decltype(zero);
                    const i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max(),
                              step = maxima ? -params.h : params.h;
                    for (i64 y = 0; y < r.height; ++y) {
                      T* row = reinterpret_cast<T*>(to + static_cast<std::size_t>(y) * pitch);
                      for (i64 x = 0; x < r.width; ++x) row[x] = static_cast<T>(std::clamp<i64>(row[x] + step, low, high));
                    }
                  });
                },
                f, out, tile, {maxima ? By::dilation : By::erosion, params.connectivity, ReconstructVariant::automatic});
}

void fill_holes(Workers& workers, const Raster& f, Raster& out, i64 tile, const ConnectivityParams& params) {
  settle_region(workers, from_sides(f, true), f, out, tile, {By::erosion, params.connectivity, ReconstructVariant::automatic});
}

void clear_border(Workers& workers, const Raster& f, Raster& out, i64 tile, const ConnectivityParams& params) {
  settle_region(workers, from_sides(f, false), f, out, tile,
                {By::dilation, params.connectivity, ReconstructVariant::automatic});
  // Pointwise, by the workers' own cores: f minus what the border reaches.
  const Grid grid(f.width(), f.height(), tile);
  if (f.width() == 0 || f.height() == 0) return;
  workers.each_on_cpu(grid.count(), "subtract", [&](Worker& worker, i64 i) {
    const Rect r = grid.rect(i);
    const std::size_t pitch = static_cast<std::size_t>(r.width) * f.pixel(), bytes = pitch * static_cast<std::size_t>(r.height);
    u8 *a = worker.host().workspace.take<u8>(bytes), *b = worker.host().workspace.take<u8>(bytes);
    f.read(r, a, pitch);
    out.read(r, b, pitch);
    const Plane result(b, f.type(), extent_of(r));
    cpu::table().combine(worker.host(), ConstPlane(a, f.type(), extent_of(r)), result, result, {Combine::subtract});
    out.write(r, b, pitch);
  });
}

}  // namespace morpho::engine::region
