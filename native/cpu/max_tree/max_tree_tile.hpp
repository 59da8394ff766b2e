// Builds the max-tree of one tile in the fast caches: pixels from the highest down, joined only where branches can meet.
#pragma once
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "contract/ops.hpp"
#include "cpu/max_tree/higher_neighbours.hpp"

namespace morpho::cpu {

/// A tile small enough for the second cache; the pitch is a power of two, so that indices split by shifts, and indices fit 16
/// bits.
struct TreeTile {
  static constexpr i32 shift = 8, pitch = 1 << shift, width = pitch, height = 128;
  static constexpr std::size_t pixels = static_cast<std::size_t>(pitch) * height;
};

/// Scratch of one thread's tiles.
template <class T>
struct TileScratch {
  /// A pixel's place in the sets of pixels joined so far. `up` leads to the set's root, which leads to itself; at a root,
  /// `lowest` is the canonical pixel of the lowest node that the set has yet.
  struct Set {
    u16 up, lowest;
  };
  /// How deep a canonical pixel lies below the root, and an ancestor so far up that every other is some log2(depth) leaps away.
  struct Leap {
    u16 to, depth;
  };
  T* f = nullptr;        ///< the tile, with room around it
  u8* higher = nullptr;  ///< which neighbours come before the pixel
  /// A pixel, of 16 bits with its value above it, so that nobody has to look that up.
  using Key = std::conditional_t<sizeof(T) == 1, u16, std::uint32_t>;
  Key* sorted = nullptr;  ///< the pixels, ascending
  Key* spare = nullptr;   ///< for the second digit of 16 bits
  Set* set = nullptr;
  u16* parent = nullptr;
  u8* demoted = nullptr;  ///< 1: was canonical until its node met a smaller index
  Leap* leap = nullptr;   ///< of 16 bits

  void take(Workspace& w) {
    f = w.take<T>(TreeTile::pixels + 2 * margin) + margin;
    higher = w.take<u8>(TreeTile::pixels);
    sorted = w.take<Key>(TreeTile::pixels);
    if constexpr (sizeof(T) == 2) spare = w.take<Key>(TreeTile::pixels);
    set = w.take<Set>(TreeTile::pixels);
    parent = w.take<u16>(TreeTile::pixels);
    demoted = w.take<u8>(TreeTile::pixels);
    if constexpr (sizeof(T) == 2) leap = w.take<Leap>(TreeTile::pixels);
    std::fill_n(f - margin, TreeTile::pixels + 2 * margin, T{0});
  }
  static constexpr std::size_t margin = 512;
};

/// One tile's work. The order of pixels is by value, descending, then by index, ascending: each pixel joins the sets of the
/// neighbours before it. Neighbours that are joined already around the pixel itself need one join for all of them
/// (higher_neighbours.hpp), so most pixels look at one neighbour only, and the rest is without branches.
/// Source: Berger 2007 (pixels from the highest down, joined by union-find).
template <class T>
class TileTree {
 public:
  TileTree(const TileScratch<T>& scratch, const HigherNeighbours& neighbours) : s_(scratch), neighbours_(neighbours) {}

  /// Reads the tile at (x0, y0) of `f` (values ^ flip) and writes its canonical parents, as indices of the image, to `parent`;
  /// of 16 bits also its leaps to `leap`.
  void build(View<const T> f, i32* parent, i32* leap, i32 x0, i32 y0, i32 x1, i32 y1, T flip) {
    width_ = x1 - x0, height_ = y1 - y0;
    for (i32 y = 0; y < height_; ++y) {
      const T* from = f.row(y0 + y) + x0;
      T* to = s_.f + y * TreeTile::pitch;
      for (i32 x = 0; x < width_; ++x) to[x] = static_cast<T>(from[x] ^ flip);
    }
    neighbours_.template mark<T>(s_.f, s_.higher, width_, height_, TreeTile::pitch);
    sort();
    join();
    const i32 image_width = f.width(), origin = y0 * image_width + x0;
    for (i32 y = 0; y < height_; ++y) {
      i32* out = parent + origin + static_cast<i64>(y) * image_width;
      for (i32 x = 0; x < width_; ++x) out[x] = origin + place(canonical_parent(y * TreeTile::pitch + x), image_width);
    }
    if constexpr (sizeof(T) == 2) {
      std::fill_n(s_.leap, static_cast<std::size_t>(height_) * TreeTile::pitch, Leap{0, unknown});
      const auto climb = [&](i32 p) { leap_from(static_cast<u16>(p), leap, origin, image_width); };
      for (i32 x = 0; x < width_; ++x) climb(x), climb((height_ - 1) * TreeTile::pitch + x);
      for (i32 y = 0; y < height_; ++y) climb(y * TreeTile::pitch), climb(y * TreeTile::pitch + width_ - 1);
    }
  }

 private:
  using Key = typename TileScratch<T>::Key;
  using Leap = typename TileScratch<T>::Leap;
  static constexpr u16 unknown = 0xFFFF;

  /// Counting sorts by one digit of 8 bits after the other; each is stable.
  void sort() {
    using Counts = std::array<i32, 257>;
    constexpr int digits = sizeof(T);
    std::array<Counts, digits> begin{};
    for (i32 y = 0; y < height_; ++y) {
      const T* row = s_.f + y * TreeTile::pitch;
      for (i32 x = 0; x < width_; ++x) {
        for (int d = 0; d < digits; ++d) ++begin[d][(row[x] >> (8 * d) & 255) + 1];
      }
    }
    for (Counts& b : begin) {
      for (std::size_t v = 0; v < 256; ++v) b[v + 1] += b[v];
    }
    if constexpr (digits == 1) begin_ = begin[0];
    Key* to = digits == 1 ? s_.sorted : s_.spare;
    for (i32 y = 0; y < height_; ++y) {
      const i32 first = y * TreeTile::pitch;
      for (i32 p = first; p < first + width_; ++p) {
        const std::uint32_t v = s_.f[p];
        to[begin[0][v & 255]++] = static_cast<Key>(v << 16 | static_cast<std::uint32_t>(p));
      }
    }
    if constexpr (digits == 2) {
      for (i32 i = 0; i < width_ * height_; ++i) s_.sorted[begin[1][s_.spare[i] >> 24]++] = s_.spare[i];
    }
  }

  i32 canonical_parent(i32 p) const {
    i32 q = s_.parent[p];
    while (s_.demoted[q]) q = s_.parent[q];
    return q;
  }
  static i32 place(i32 q, i32 image_width) { return (q >> TreeTile::shift) * image_width + (q & (TreeTile::pitch - 1)); }

  /// Leaps of p's node and of its ancestors as far as they have none, from the top down. Two leaps of one length behind each
  /// other become one of twice the length and a step: so some log2(depth) of them lead to any ancestor. Source: Myers 1983.
  void leap_from(u16 p, i32* out, i32 origin, i32 image_width) {
    const auto lead = [&](u16 from, u16 to) { out[origin + place(from, image_width)] = origin + place(to, image_width); };
    Key* way = s_.spare;  // the sort needs it no more
    i32 count = 0;
    u16 q = static_cast<u16>(canonical_parent(p));
    if (s_.f[q] != s_.f[p]) q = p;
    while (s_.leap[q].depth == unknown) {
      way[count++] = q;
      const u16 above = static_cast<u16>(canonical_parent(q));
      if (above == q) {
        s_.leap[q] = {q, 0};
        lead(q, q);
        --count;
        break;
      }
      q = above;
    }
    while (count > 0) {
      const u16 below = static_cast<u16>(way[--count]);
      const Leap first = s_.leap[q], second = s_.leap[first.to];
      const bool twice = first.depth - second.depth == second.depth - s_.leap[second.to].depth;
      const u16 to = twice ? second.to : q;
      s_.leap[below] = {to, static_cast<u16>(first.depth + 1)};
      lead(below, to);
      q = below;
    }
  }

  /// The root of p's set. Two steps are taken without asking, as a quarter of all pixels need the second and one in twenty a
  /// third.
  u16 find(i32 p) {
    const u16 root = s_.set[s_.set[p].up].up;
    s_.set[p].up = root;
    return s_.set[root].up == root ? root : find_far(p);
  }
  u16 find_far(i32 p) {
    u16 root = s_.set[p].up;
    while (s_.set[root].up != root) root = s_.set[root].up;
    while (s_.set[p].up != root) {
      const i32 next = s_.set[p].up;
      s_.set[p].up = root;
      p = next;
    }
    return root;
  }

  void join() {
    const i32 rows = height_ * TreeTile::pitch;
    for (i32 p = 0; p < rows; ++p) s_.set[p] = {static_cast<u16>(p), static_cast<u16>(p)};
    std::fill_n(s_.demoted, rows, u8{0});
    i32 end = width_ * height_;
    while (end > 0) {
      i32 begin;
      T level;
      if constexpr (sizeof(T) == 1) {
        level = s_.f[s_.sorted[end - 1]];
        begin = begin_[level];
      } else {
        level = static_cast<T>(s_.sorted[end - 1] >> 16);
        begin = end - 1;
        while (begin > 0 && s_.sorted[begin - 1] >> 16 == level) --begin;
      }
      for (i32 i = begin; i < end; ++i) add(static_cast<u16>(s_.sorted[i]), level);
      end = begin;
    }
    lowest_ = s_.set[find(static_cast<u16>(s_.sorted[0]))].lowest;
    s_.parent[lowest_] = lowest_;
  }

  void add(i32 p, T level) {
    const auto& ways = neighbours_.ways[s_.higher[p]];
    const u16 root = find(p + ways.step[0]);  // itself where no neighbour is higher
    const u16 lowest = s_.set[root].lowest;
    const bool same = s_.f[lowest] == level;
    const u16 node = same ? lowest : static_cast<u16>(p);
    s_.set[p].up = root;
    s_.parent[same ? p : lowest] = node;
    s_.set[root].lowest = node;
    if (ways.count > 1) meet(p, ways, root, node, level);
  }

  void meet(i32 p, const HigherNeighbours::Ways& ways, u16 root, u16 node, T level) {
    for (int k = 1; k < ways.count; ++k) {
      u16 other = find(p + ways.step[k]);
      if (other == root) continue;
      const u16 lowest = s_.set[other].lowest;
      u16 above = node, below = lowest;
      if (s_.f[lowest] == level) {  // two parts of one node: the smaller index stands for both
        if (lowest < node) std::swap(above, below);
        s_.demoted[below] = 1;
      }
      s_.parent[below] = above;
      node = above;
      // The set of the higher peak takes the other in: it tends to be the larger.
      if (s_.f[other] > s_.f[root] || (s_.f[other] == s_.f[root] && other < root)) std::swap(root, other);
      s_.set[other].up = root;
    }
    s_.set[root].lowest = node;
  }

  TileScratch<T> s_;
  const HigherNeighbours& neighbours_;
  std::array<i32, 257> begin_{};
  i32 width_ = 0, height_ = 0;
  u16 lowest_ = 0;
};

}  // namespace morpho::cpu
