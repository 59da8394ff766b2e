// Reconstruction tile by tile: tile propagation to local stability, then border propagation into the tiles that it reaches.
#include <bit>

#include "cpu/runtime/parallel.hpp"
#include "cpu/reconstruct/reconstruct_band.hpp"
#include "cpu/reconstruct/reconstruct_sweeps.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {
namespace {

constexpr i32 kTile = 512;  ///< px a side: a tile of both images fits the second-level cache

struct Tile {
  i32 x, y, width, height;
  Extent extent() const { return {width, height}; }
};

template <class T, By by>
class Tiling {
  using L = Lattice<T, by>;

 public:
  Tiling(Context& ctx, View<const T> mask, View<T> out, bool eight)
      : ctx_(ctx),
        mask_(mask),
        out_(out),
        eight_(eight),
        columns_(pieces_of(out.width(), kTile)),
        rows_(pieces_of(out.height(), kTile)) {
    Workspace& w = ctx.workspace;
    const i32 width = std::min(kTile, out.width()), height = std::min(kTile, out.height());
    border_ = 2 * (static_cast<std::size_t>(width) + static_cast<std::size_t>(height));
    const std::size_t tiles = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
    changed_ = w.take<u8>(tiles);
    work_ = w.take<i32>(tiles);
    reached_ = w.take<u8>(tiles);
    offers_ = w.take<T>(tiles * border_);
    const std::size_t workers = static_cast<std::size_t>(std::max(1, ctx.threads));
    scratch_ = w.take<BandScratch<T>>(workers);
    shares_ = w.take<RowShare>(workers);
    for (std::size_t i = 0; i < workers; ++i) {
      BandScratch<T>& s = scratch_[i] = {};
      s.lines = w.take<T>(Sweeps<T, by>::lines_each * Line<T>::elements(width));
      s.stale = w.take<u8>(2 * static_cast<std::size_t>(height));
      s.capacity = static_cast<i64>(
          std::bit_floor(static_cast<u64>(std::max<i64>(1024, static_cast<i64>(width) * height / 4))));
      s.queue = w.take<Pixel>(static_cast<std::size_t>(s.capacity));
    }
  }

  /// Returns the rounds: one for the tiles alone, then one for each propagation across their borders.
  i64 run(View<const T> marker) {
    i64 rounds = 1;
    const i32 tiles = columns_ * rows_;
    parallel_for(ctx_, tiles, 1, [&](i64 begin, i64 end, int worker) {
      for (i64 i = begin; i < end; ++i) {
        const Tile t = tile(static_cast<i32>(i));
        {
          Sweeps<T, by> sweeps(ctx_, out_.sub(t.x, t.y, t.extent()), mask_.sub(t.x, t.y, t.extent()), eight_, 1,
                               scratch_[worker].lines, scratch_[worker].stale, shares_ + worker);
          sweeps.sweep(marker.sub(t.x, t.y, t.extent()), false);
          sweeps.sweep(out_.sub(t.x, t.y, t.extent()), false);
        }
        band(t, worker).settle(nullptr, nullptr);
        changed_[i] = 1;
      }
    });
    while (const i32 count = propagate_borders()) {
      ++rounds;
      std::fill_n(changed_, tiles, u8{0});
      parallel_for(ctx_, count, 1, [&](i64 begin, i64 end, int worker) {
        for (i64 k = begin; k < end; ++k) {
          const i32 i = work_[k];
          const Tile t = tile(i);
          const T* offer = offers_ + static_cast<std::size_t>(i) * border_;
          changed_[i] = band(t, worker).resume_from(
              [&](auto&& raise) { each_border(t, [&](i32 x, i32 y, i32 n) { raise(x, y, offer[n]); }); });
        }
      });
    }
    return rounds;
  }

 private:
  Tile tile(i32 i) const {
    const i32 x = i % columns_ * kTile, y = i / columns_ * kTile;
    return {x, y, std::min(kTile, out_.width() - x), std::min(kTile, out_.height() - y)};
  }
  Band<T, by> band(const Tile& t, int worker) {
    return Band<T, by>(ctx_, out_.sub(t.x, t.y, t.extent()), mask_.sub(t.x, t.y, t.extent()), eight_, scratch_[worker]);
  }
  /// fn(x, y, n) for the border pixels of a tile, in its coordinates, each once; n counts them.
  template <class Fn>
  static void each_border(const Tile& t, Fn&& fn) {
    i32 n = 0;
    for (i32 x = 0; x < t.width; ++x) fn(x, 0, n++);
    for (i32 y = 1; y < t.height; ++y) {
      fn(0, y, n++);
      if (t.width > 1) fn(t.width - 1, y, n++);
    }
    if (t.height > 1) {
      for (i32 x = 1; x + 1 < t.width; ++x) fn(x, t.height - 1, n++);
    }
  }

  /// Border propagation: lists the tiles that a neighbour which has just changed would propagate into, and keeps what it offers
  /// them.
  i32 propagate_borders() {
    i32 candidates = 0;
    for (i32 i = 0; i < columns_ * rows_; ++i) {
      if (beside_change(i)) work_[candidates++] = i;
    }
    parallel_for(ctx_, candidates, 16, [&](i64 begin, i64 end, int) {
      for (i64 k = begin; k < end; ++k) reached_[k] = collect_offers(work_[k]);
    });
    i32 count = 0;
    for (i32 k = 0; k < candidates; ++k) {
      if (reached_[k]) work_[count++] = work_[k];
    }
    return count;
  }

  bool beside_change(i32 i) const {
    const i32 column = i % columns_, row = i / columns_;
    for (i32 r = std::max(0, row - 1); r <= std::min(rows_ - 1, row + 1); ++r) {
      for (i32 c = std::max(0, column - 1); c <= std::min(columns_ - 1, column + 1); ++c) {
        if (r * columns_ + c != i && changed_[r * columns_ + c]) return true;
      }
    }
    return false;
  }

  bool collect_offers(i32 i) {
    const Tile t = tile(i);
    T* offer = offers_ + static_cast<std::size_t>(i) * border_;
    bool reached = false;
    each_border(t, [&](i32 tx, i32 ty, i32 n) {
      T best = L::bottom;
      for (i32 dy = -1; dy <= 1; ++dy) {
        for (i32 dx = -1; dx <= 1; ++dx) {
          if (!eight_ && dx != 0 && dy != 0) continue;
          const i32 x = t.x + tx + dx, y = t.y + ty + dy;
          const bool inside = tx + dx >= 0 && tx + dx < t.width && ty + dy >= 0 && ty + dy < t.height;
          if (inside || x < 0 || y < 0 || x >= out_.width() || y >= out_.height()) continue;
          best = L::join(best, out_.row(y)[x]);
        }
      }
      offer[n] = best;
      const i32 x = t.x + tx, y = t.y + ty;
      reached = reached || L::above(L::meet(best, mask_.row(y)[x]), out_.row(y)[x]);
    });
    return reached;
  }

  Context& ctx_;
  View<const T> mask_;
  View<T> out_;
  bool eight_;
  i32 columns_, rows_;
  std::size_t border_ = 0;
  u8* changed_ = nullptr;  ///< tiles that moved in the last round
  u8* reached_ = nullptr;  ///< of the candidates in `work_`
  i32* work_ = nullptr;
  T* offers_ = nullptr;  ///< for each tile and border pixel, the best of its neighbours outside
  BandScratch<T>* scratch_ = nullptr;
  RowShare* shares_ = nullptr;
};

}  // namespace

/// Reconstruction by the tiled parallel FH: disjoint tiles of 512 x 512 are brought to stability by FH (one sweep each way,
/// then the queue), handed out on demand to the threads; then border propagation finds the tiles that a neighbour would still
/// propagate into, and only these go on, from their borders, until there are none. A tile writes nothing but its own pixels,
/// and border propagation waits for all tiles of a round, as in the paper. Exact, and the same for any number of threads.
/// Cost: FH's, and one look at the borders of the tiles around each tile that changed; a corridor that winds through all tiles
/// makes one round for each crossing.
/// Memory: 8 bytes for a quarter of a tile's pixels for each thread, and 4 pixels of the image's type for each 512 of the
/// image.
/// Source: Teodoro 2012 §4 (TP and BP), §5.1 (tile-based parallelisation on CPU cores).
Work reconstruct_tiled(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  Work work;
  visit_reconstruction(out.type, params.by, [&](auto zero, auto by) {
    using T = decltype(zero);
    Tiling<T, by()> tiling(ctx, mask.view<T>(), out.view<T>(), params.connectivity == Connectivity::eight);
    work.rounds = tiling.run(marker.view<T>());
  });
  return work;
}

}  // namespace morpho::cpu
