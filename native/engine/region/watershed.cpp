// The watershed of a region: depths of plateaus settled over borders, tiles' flow graphs followed, and what leads from tile to
// tile.
#include "watershed_ops.hpp"

#include <atomic>

#include "contract/require.hpp"
#include "borders.hpp"
#include "region_ops.hpp"
#include "watershed_flow.hpp"

namespace morpho::engine::region {
namespace {

/// An image that is computed from others wherever it is read.
class ComputedRaster : public Raster {
 public:
  using Raster::Raster;
  void write(const Rect&, const void*, std::size_t) override {
    throw Error(ErrorCode::internal, "an image that is computed was to be written");
  }
};

/// f, or `top` where there is no marker or the pixel does not exist: what the flood level is reconstructed from (with
/// `markers`), and above (without).
template <class T>
class FloodInput final : public ComputedRaster {
 public:
  FloodInput(const Raster& f, const Raster* markers, const Raster* mask)
      : ComputedRaster(f.type(), f.width(), f.height()), f_(f), markers_(markers), mask_(mask) {}
  /// Throws INVALID_PARAMETER for a marker below 0.
  void read(const Rect& r, void* to, std::size_t pitch) const override {
    constexpr T top = std::numeric_limits<T>::max();
    f_.read(r, to, pitch);
    std::vector<i32> marker(static_cast<std::size_t>(markers_ ? r.width : 0));
    std::vector<u8> exists(static_cast<std::size_t>(mask_ ? r.width : 0));
    for (i64 y = 0; y < r.height; ++y) {
      T* row = reinterpret_cast<T*>(static_cast<u8*>(to) + static_cast<std::size_t>(y) * pitch);
      const Rect line{r.x, r.y + y, r.width, 1};
      if (markers_) markers_->read(line, marker.data(), 0);
      if (mask_) mask_->read(line, exists.data(), 0);
      for (std::size_t x = 0; x < marker.size(); ++x) {
        if (marker[x] < 0) reject("markers", "labels of at least 0", std::to_string(marker[x]));
        row[x] = marker[x] > 0 ? row[x] : top;
      }
      for (std::size_t x = 0; x < exists.size(); ++x) row[x] = exists[x] ? row[x] : top;
    }
  }

 private:
  const Raster& f_;
  const Raster* markers_;
  const Raster* mask_;
};

template <class T>
class Watershed {
 public:
  Watershed(Workers& workers, const Raster& f, const Raster* markers, const Raster* mask, Raster& labels, i64 tile,
            const WatershedParams& params, Scratch& scratch)
      : workers_(workers),
        f_(f),
        levels_(&f),
        markers_(markers),
        mask_(mask),
        labels_(labels),
        tile_(tile),
        grid_(f.width(), f.height(), tile),
        params_(params),
        eight_(params.connectivity == Connectivity::eight),
        scratch_(scratch),
        queue_(grid_.count(), workers_.options().order),
        depths_(tiles()),
        fresh_depths_(tiles()),
        heights_(tiles()),
        fresh_heights_(tiles()),
        labels_at_(tiles()),
        leaves_(tiles()) {}

  i64 run() {
    const auto image = [&](PixelType type) {
      return make_raster(type, f_.width(), f_.height(), scratch_.budget_bytes, scratch_.folder);
    };
    std::unique_ptr<Raster> flood;
    if (markers_) {
      flood = image(f_.type());
      const FloodInput<T> seeds(f_, markers_, mask_), floor(f_, nullptr, mask_);
      reconstruct(workers_, seeds, mask_ ? static_cast<const Raster&>(floor) : f_, *flood, tile_,
                  {By::erosion, params_.connectivity, ReconstructVariant::automatic});
      levels_ = flood.get();
    } else {
      minima_ = image(PixelType::u8);
    }
    settle_depths();
    i64 largest = largest_;
    if (!markers_) {
      largest = label(workers_, *minima_, labels_, tile_, {params_.connectivity});
      minima_.reset();
    }
    workers_.each_on_cpu(grid_.count(), "follow", [&](Worker& worker, i64 i) { follow(worker, i); });
    follow_borders();
    workers_.each_on_cpu(grid_.count(), "relabel", [&](Worker& worker, i64 i) { finish(worker, i); });
    return largest;
  }

 private:
  std::size_t tiles() const { return static_cast<std::size_t>(grid_.count()); }
  static std::size_t at(i64 i) { return static_cast<std::size_t>(i); }

  /// Every tile's distances to outlets, until none falls any more.
  void settle_depths() {
    queue_.push_all();
    workers_.run(
        queue_, "plateaus", [&](Worker& worker, i64 i) { visit(worker, i); },
        [&](i64 i, const std::function<void(i64)>& wake) { settle(i, wake); });
  }

  /// The tile's flow graph, drained as far as the rim's depths are known.
  FlowTile<T> drained_tile(Worker& worker, i64 i, i32& largest, Border<i64>& border) {
    const Rect r = grid_.rect(i);
    FlowTile<T> tile(worker.host(), r, grid_.grown(i, 1), eight_);
    largest = tile.load(*levels_, markers_, mask_);
    std::vector<typename FlowTile<T>::Source> rim;
    {
      const std::lock_guard lock(queue_.mutex());
      each_side(eight_, [&](i64 dx, i64 dy) {
        const i64 j = grid_.beside(i, dx, dy);
        if (j < 0 || depths_[at(j)].empty()) return;
        std::size_t n = 0;
        const i64* line = depths_[at(j)].facing(-dx, -dy, n);
        const i64 x0 = dx < 0 ? r.x - 1 : dx > 0 ? r.x + r.width : r.x, y0 = dy < 0 ? r.y - 1 : dy > 0 ? r.y + r.height : r.y;
        for (std::size_t k = 0; k < n; ++k) {
          if (line[k] == depth::absent || line[k] == depth::none) continue;
          const i64 along = static_cast<i64>(k);
          rim.push_back({line[k], static_cast<i32>(tile.index(dy != 0 ? x0 + along : x0, dy != 0 ? y0 : y0 + along))});
        }
      });
    }
    worker.mark_read();
    tile.drain(std::move(rim), border);
    return tile;
  }

  void visit(Worker& worker, i64 i) {
    i32 largest = 0;
    // Nobody reads what is fresh before settle() has published it.
    const FlowTile<T> tile = drained_tile(worker, i, largest, fresh_depths_[at(i)]);
    for (i32 seen = largest_; seen < largest && !largest_.compare_exchange_weak(seen, largest);) {}
    const i64 first = tile.graph.index(0, 0);
    if (minima_) {
      u8* row = worker.host().workspace.take<u8>(at(tile.rect.width));
      for (i64 y = 0; y < tile.rect.height; ++y) {
        const u8* dir = tile.graph.dir + first + y * tile.graph.pitch;
        for (i64 x = 0; x < tile.rect.width; ++x) row[x] = dir[x] == cpu::flow::pending;
        minima_->write({tile.rect.x, tile.rect.y + y, tile.rect.width, 1}, row, 0);
      }
    }
    fresh_heights_[at(i)].take(tile.graph.g + first, static_cast<std::size_t>(tile.graph.pitch), tile.rect);
  }

  void settle(i64 i, const std::function<void(i64)>& wake) {
    depths_[at(i)] = std::exchange(fresh_depths_[at(i)], {});
    heights_[at(i)] = std::exchange(fresh_heights_[at(i)], {});
    bool self = false;
    each_side(eight_, [&](i64 dx, i64 dy) {
      const i64 j = grid_.beside(i, dx, dy);
      if (j < 0 || depths_[at(j)].empty()) return;  // it will see this one when it is visited, or settles
      if (shortens(i, j, dx, dy)) wake(j);
      self = self || shortens(j, i, -dx, -dy);
    });
    if (self) wake(i);
  }

  /// Is a pixel of tile j, which lies at (dx, dy) from tile i, nearer to its outlet by way of tile i?
  bool shortens(i64 i, i64 j, i64 dx, i64 dy) const {
    std::size_t n = 0;
    const i64* from = depths_[at(i)].facing(dx, dy, n);
    const i64* to = depths_[at(j)].facing(-dx, -dy, n);
    const T* from_height = heights_[at(i)].facing(dx, dy, n);
    const T* to_height = heights_[at(j)].facing(-dx, -dy, n);
    bool any = false;
    each_pair(n, eight_, [&](std::size_t k, std::size_t l) {
      any = any || (from[k] >= 0 && from[k] != depth::none && from_height[k] == to_height[l] && to[l] > from[k] + 1);
    });
    return any;
  }

  /// Labels of the pixels whose way ends in their own tile; of the others, where it leaves it.
  void follow(Worker& worker, i64 i) {
    i32 ignored = 0;
    Border<i64> known;
    FlowTile<T> tile = drained_tile(worker, i, ignored, known);
    i32* label = worker.host().workspace.take<i32>(at(tile.pixels()));
    const i64 first = tile.graph.index(0, 0);
    const std::size_t pitch = static_cast<std::size_t>(tile.graph.pitch);
    (markers_ ? *markers_ : labels_).read(tile.rect, label + first, pitch * sizeof(i32));
    tile.follow(label);
    bool leaves = false;
    for (i64 y = 0; y < tile.rect.height; ++y) {
      const i32* row = label + first + y * tile.graph.pitch;
      leaves = leaves || std::any_of(row, row + tile.rect.width, [](i32 v) { return v < 0; });
    }
    leaves_[at(i)] = leaves;
    labels_at_[at(i)].take(label + first, pitch, tile.rect);
    labels_.write(tile.rect, label + first, pitch * sizeof(i32));
  }

  /// Where FlowTile's exit of tile i leads: the label of a pixel on another tile's border, or its own exit; `i` becomes that
  /// tile.
  i32& beyond(i64& i, i32 exit) {
    const Rect from = grid_.rect(i);
    const i64 p = FlowTile<T>::exit_at(exit), pitch = from.width + 2;
    const i64 x = from.x + p % pitch - 1, y = from.y + p / pitch - 1;
    i = y / grid_.tile_height * grid_.columns() + x / grid_.tile_width;
    const Rect to = grid_.rect(i);
    Border<i32>& border = labels_at_[at(i)];
    if (y == to.y) return border.top[at(x - to.x)];
    if (y == to.y + to.height - 1) return border.bottom[at(x - to.x)];
    return (x == to.x ? border.left : border.right)[at(y - to.y)];
  }

  /// The labels of all pixels on tiles' borders, from tile to tile. It ends: every step leads lower, or nearer to an outlet.
  void follow_borders() {
    std::vector<i32*> way;
    for (i64 i = 0; i < grid_.count(); ++i) {
      if (workers_.options().cancel && workers_.options().cancel->load(std::memory_order_relaxed)) throw Cancelled{};
      Border<i32>& border = labels_at_[at(i)];
      for (std::vector<i32>* line : {&border.top, &border.bottom, &border.left, &border.right}) {
        for (i32& start : *line) {
          i64 j = i;
          i32* v = &start;
          for (; *v < 0; v = &beyond(j, *v)) way.push_back(v);
          for (i32* passed : way) *passed = *v;
          way.clear();
        }
      }
    }
  }

  /// The labels of pixels whose way leaves the tile; lines.
  void finish(Worker& worker, i64 i) {
    if (!leaves_[at(i)] && !params_.lines) return;
    const Rect r = grid_.rect(i);
    const std::size_t width = at(r.width), pitch = width * sizeof(i32);
    Workspace& w = worker.host().workspace;
    i32* label = w.take<i32>(width * at(r.height));
    labels_.read(r, label, pitch);
    worker.mark_read();
    i32 last = 0, found = 0;  // neighbours often leave together
    for (std::size_t p = 0; p < width * at(r.height); ++p) {
      if (label[p] >= 0) continue;
      if (label[p] != last) {
        i64 j = i;
        last = label[p], found = beyond(j, last);
      }
      label[p] = found;
    }
    if (params_.lines) cut_lines(worker, i, label);
    labels_.write(r, label, pitch);
  }

  /// Pixels with a 4-neighbour of a larger label become 0, all at once; the neighbours' borders are as they were.
  void cut_lines(Worker& worker, i64 i, i32* label) const {
    const Rect r = grid_.rect(i);
    const std::size_t width = at(r.width), height = at(r.height);
    const auto line = [&](i64 dx, i64 dy) -> const i32* {
      const i64 j = grid_.beside(i, dx, dy);
      std::size_t n = 0;
      return j < 0 ? nullptr : labels_at_[at(j)].facing(-dx, -dy, n);
    };
    const i32 *above = line(0, -1), *below = line(0, 1), *left = line(-1, 0), *right = line(1, 0);
    i32* before = worker.host().workspace.take<i32>(width);
    i32* now = worker.host().workspace.take<i32>(width);
    for (std::size_t x = 0; x < width; ++x) before[x] = above ? above[x] : 0;
    for (std::size_t y = 0; y < height; ++y) {
      i32* row = label + y * width;
      std::copy_n(row, width, now);
      const i32* under = y + 1 < height ? row + width : below;
      for (std::size_t x = 0; x < width; ++x) {
        i32 most = std::max(before[x], under ? under[x] : 0);
        most = std::max(most, x > 0 ? now[x - 1] : left ? left[y] : 0);
        most = std::max(most, x + 1 < width ? now[x + 1] : right ? right[y] : 0);
        row[x] = now[x] < most ? 0 : now[x];
      }
      std::swap(before, now);
    }
  }

  Workers& workers_;
  const Raster& f_;
  const Raster* levels_;  ///< what pixels flow down
  const Raster* markers_;
  const Raster* mask_;
  Raster& labels_;
  i64 tile_;
  Grid grid_;
  WatershedParams params_;
  bool eight_;
  Scratch& scratch_;
  TileQueue queue_;                                 ///< of settle_depths()
  std::unique_ptr<Raster> minima_;                  ///< without markers: 1 where no outlet is known
  std::atomic<i32> largest_{0};                     ///< marker
  std::vector<Border<i64>> depths_, fresh_depths_;  ///< by tile; empty: not yet settled
  std::vector<Border<T>> heights_, fresh_heights_;  ///< likewise, of levels
  std::vector<Border<i32>> labels_at_;              ///< by tile: labels, or exits
  std::vector<u8> leaves_;                          ///< by tile: whether there are exits among its pixels
};

void require_beside(const char* name, const Raster& f, const Raster* image, PixelType type) {
  if (!image) return;
  if (image->type() != type)
    reject(name, std::string("pixels of type ") + pixel_type_name(type), pixel_type_name(image->type()));
  require_same_extent(name, f, *image);
}

}  // namespace

i64 watershed(Workers& workers, const Raster& f, const Raster* markers, const Raster* mask, Raster& labels, i64 tile,
              const WatershedParams& params, Scratch& scratch) {
  require_tile(tile);
  require_beside("markers", f, markers, PixelType::i32);
  require_beside("mask", f, mask, PixelType::u8);
  require_beside("labels", f, &labels, PixelType::i32);
  require_connectivity(params.connectivity);
  if (params.variant != WatershedVariant::automatic)
    reject("variant", std::string(name_of(WatershedVariant::automatic)) + ", as the others work on whole images",
           std::string(name_of(params.variant)));
  if (f.width() == 0 || f.height() == 0) return 0;
  return visit_pixel_type(f.type(), [&](auto zero) {
    return Watershed<decltype(zero)>(workers, f, markers, mask, labels, tile, params, scratch).run();
  });
}

}  // namespace morpho::engine::region
