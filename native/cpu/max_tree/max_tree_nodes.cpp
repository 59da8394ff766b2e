// The table of a max-tree's nodes, from its parent image: tile by tile, and apart from them the nodes that span tiles.
#include "cpu/max_tree/max_tree_nodes.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/node_tiles.hpp"

namespace morpho::cpu {
namespace {

template <class T>
class Builder {
 public:
  Builder(Context& ctx, const T* f, const i32* parent, i32* node, Extent e, NodeTable& to, bool min_tree)
      : ctx_(ctx),
        f_(f),
        parent_(parent),
        node_(node),
        extent_(e),
        to_(to),
        flip_(min_tree ? T{0} : static_cast<T>(levels - 1)) {}

  void build() {
    const Workspace::Scope scope(ctx_.workspace);
    const std::size_t tiles = static_cast<std::size_t>(node_tiles(extent_)), n = static_cast<std::size_t>(extent_.area());
    canonical_ = ctx_.workspace.take<u64>(tiles * words_per_tile);
    crossing_ = ctx_.workspace.take<u64>(tiles * words_per_tile);
    maps_ = std::clamp(ctx_.threads, 1, kSpanMaps);
    words_ = n / 64 + 2;
    const std::size_t map_words = words_ * static_cast<std::size_t>(maps_);
    spans_ = ctx_.workspace.take<u64>(map_words);
    inner_ = ctx_.workspace.take<i32>(tiles);
    joint_ = ctx_.workspace.take<i32>(tiles);
    parallel_for(ctx_, static_cast<i64>(map_words), 1 << 17,
                 [&](i64 begin, i64 end, int) { std::fill(spans_ + begin, spans_ + end, u64{0}); });
    i32 root = 0;
    while (parent_[root] != root) root = parent_[root];
    mark_spanning(spans_, root);
    each_tile(ctx_, [&](i64 k, const NodeTile& tile, int worker) {
      find_canonical(k, tile, spans_ + words_ * static_cast<std::size_t>(worker % maps_));
    });
    each_tile(ctx_, [&](i64 k, const NodeTile& tile, int) { joint_[k] = find_crossing(k, tile); });
    i32 at = 0, joint = 0;
    for (std::size_t k = 0; k < tiles; ++k) {
      to_.first[k] = at;
      at += inner_[k] - joint_[k];
      joint += std::exchange(joint_[k], joint);
    }
    to_.first[tiles] = at;
    to_.count = at + joint;
    number_joint(at, joint);

    i32 most = 0;
    for (std::size_t k = 0; k < tiles; ++k) most = std::max(most, to_.first[k + 1] - to_.first[k]);
    Context some = ctx_;
    some.threads = joint_workers(ctx_, to_, joint);
    const std::size_t workers = static_cast<std::size_t>(some.threads);
    const std::size_t counters = static_cast<std::size_t>(joint) + static_cast<std::size_t>(most);
    i32* counts = ctx_.workspace.take<i32>(counters * workers);
    i32* next = ctx_.workspace.take<i32>(levels * workers);
    for (std::size_t w = 0; w < workers; ++w) std::fill_n(counts + counters * w, joint, 0);
    each_tile(some, [&](i64 k, const NodeTile& tile, int worker) {
      number_tile(k, tile, next + levels * static_cast<std::size_t>(worker));
      place_pixels(k, tile, counts + counters * static_cast<std::size_t>(worker));
    });
    for (std::size_t w = 0; w < workers; ++w) {
      for (i32 j = 0; j < joint; ++j) to_.own[at + j] += counts[counters * w + static_cast<std::size_t>(j)];
    }
  }

 private:
  static constexpr std::size_t levels = std::size_t{1} << (8 * sizeof(T));
  /// Each thread marks in a map of its own, as lines that two of them write to travel between them; of many threads some share
  /// one.
  static constexpr int kSpanMaps = 8;
  static constexpr i32 words_per_row = kNodeTile.width / 64;
  static constexpr std::size_t words_per_tile = static_cast<std::size_t>(words_per_row) * kNodeTile.height;

  template <class Fn>
  void each_tile(const Context& ctx, Fn&& fn) {
    const i64 tiles = node_tiles(extent_), threads = std::max(1, ctx.threads);
    parallel_for(ctx, tiles, 1, [&](i64 i, i64, int worker) {
      const i64 k = tile_in_turn(i, tiles, threads);
      fn(k, NodeTile(extent_, k), worker);
    });
  }
  /// Calls fn(word, first, bits) for the words of a tile's bitmap: the first pixel of each and how many there are.
  template <class Fn>
  void each_word(i64 k, const NodeTile& t, Fn&& fn) const {
    for (i32 y = t.y0; y < t.y1; ++y) {
      std::size_t word = static_cast<std::size_t>(k) * words_per_tile + static_cast<std::size_t>(y - t.y0) * words_per_row;
      for (i32 x = t.x0; x < t.x1; x += 64) fn(word++, y * extent_.width + x, std::min(64, t.x1 - x));
    }
  }
  template <class Fn>
  static void each_bit(u64 word, i32 first, Fn&& fn) {
    for (; word != 0; word &= word - 1) fn(first + std::countr_zero(word));
  }
  static bool spans(u64* map, i32 p) {
    return std::atomic_ref<u64>(map[p / 64]).load(std::memory_order_relaxed) >> (p % 64) & 1;
  }
  std::size_t key(i32 p) const { return static_cast<T>(f_[p] ^ flip_); }  ///< ascends from children to parents

  /// Marks the node of q and all its ancestors. Where another thread has been, that thread goes on.
  void mark_spanning(u64* map, i32 q) {
    for (; !spans(map, q); q = parent_[q])
      std::atomic_ref<u64>(map[q / 64]).fetch_or(u64{1} << (q % 64), std::memory_order_relaxed);
  }

  /// The tile's canonical pixels, as bits; and marks the nodes that its pixels show to have pixels elsewhere too.
  void find_canonical(i64 k, const NodeTile& t, u64* map) {
    // (q + 1/2) / width is never within rounding of an integer, so this division is exact.
    const double inverse = 1.0 / extent_.width;
    const auto inside = [&](i32 q) {
      const i32 y = static_cast<i32>((q + 0.5) * inverse), x = q - y * extent_.width;
      return (x >= t.x0) & (x < t.x1) & (y >= t.y0) & (y < t.y1);
    };
    i32 count = 0;
    each_word(k, t, [&](std::size_t word, i32 first, i32 bits) {
      u64 canonical = 0, elsewhere = 0;
      for (i32 b = 0; b < bits; ++b) {  // without branches: nobody could predict them
        const i32 p = first + b, q = parent_[p];
        const bool node = (q == p) | (f_[q] != f_[p]), news = !inside(q) & !spans(map, q);
        canonical |= static_cast<u64>(node) << b, elsewhere |= static_cast<u64>(news) << b;
        count += node;
      }
      canonical_[word] = canonical;
      each_bit(elsewhere, first, [&](i32 p) { mark_spanning(map, parent_[p]); });
    });
    inner_[k] = count;
  }

  /// The canonical pixels of nodes that span tiles, as bits, and their number.
  i32 find_crossing(i64 k, const NodeTile& t) {
    i32 count = 0;
    each_word(k, t, [&](std::size_t word, i32 first, i32 bits) {
      const std::size_t at = static_cast<std::size_t>(first) / 64;
      const int shift = first % 64;
      u64 low = 0, high = 0;
      for (int m = 0; m < maps_; ++m) {
        const u64* map = spans_ + words_ * static_cast<std::size_t>(m) + at;
        low |= map[0], high |= map[1];
      }
      const u64 crossing = (low >> shift | (high << 1) << (63 - shift)) & (~u64{0} >> (64 - bits));
      count += std::popcount(crossing);
      crossing_[word] = crossing;
    });
    return count;
  }

  /// Nodes that span tiles, those of the lowest key first, of one key by tile and index; their places begin at `at`.
  void number_joint(i32 at, i32 joint) {
    const Workspace::Scope scope(ctx_.workspace);
    i32* pixels = ctx_.workspace.take<i32>(static_cast<std::size_t>(joint));
    i32* next = ctx_.workspace.take<i32>(levels);
    each_tile(ctx_, [&](i64 k, const NodeTile& t, int) {
      i32* out = pixels + joint_[k];
      each_word(k, t, [&](std::size_t word, i32 first, i32) { each_bit(crossing_[word], first, [&](i32 p) { *out++ = p; }); });
    });
    std::fill_n(next, levels, 0);
    for (i32 j = 0; j < joint; ++j) ++next[key(pixels[j])];
    begin_levels(next, at);
    for (i32 j = 0; j < joint; ++j) put(next[key(pixels[j])]++, pixels[j]);
    parallel_for(ctx_, joint, 1 << 14, [&](i64 begin, i64 end, int) {
      for (i64 i = at + begin; i < at + end; ++i) to_.parent[i] = node_[parent_[to_.pixel[i]]];
    });
  }

  /// Turns the numbers of nodes of each key into the places where they begin, from `at` on; their altitudes and first own
  /// pixels.
  void begin_levels(i32* counts, i32 at) {
    for (std::size_t v = 0; v < levels; ++v) {
      const i32 count = std::exchange(counts[v], at);
      std::fill_n(to_.altitude + at, count, static_cast<u16>(static_cast<T>(v) ^ flip_));
      std::fill_n(to_.own + at, count, 1);
      at += count;
    }
  }
  void put(i32 place, i32 p) {
    to_.pixel[place] = p;
    node_[p] = place;
  }

  /// The same for the nodes that lie in the tile, but for their parents.
  void number_tile(i64 k, const NodeTile& t, i32* next) {
    const T* f = f_;
    const T flip = flip_;
    i32 *node = node_, *pixel = to_.pixel;
    std::fill_n(next, levels, 0);
    each_word(k, t, [&](std::size_t word, i32 first, i32) {
      each_bit(canonical_[word] & ~crossing_[word], first, [=](i32 p) { ++next[static_cast<T>(f[p] ^ flip)]; });
    });
    begin_levels(next, to_.first[k]);
    each_word(k, t, [&](std::size_t word, i32 first, i32) {
      each_bit(canonical_[word] & ~crossing_[word], first, [=](i32 p) {
        const i32 place = next[static_cast<T>(f[p] ^ flip)]++;
        pixel[place] = p;
        node[p] = place;
      });
    });
  }

  /// Now in raster order, which is near in memory: the tile's nodes take their parents' places, the other pixels their
  /// canonical pixel's, and are counted. `counts` begins with the nodes that span tiles, and has room for those of the tile
  /// after them.
  void place_pixels(i64 k, const NodeTile& t, i32* counts) {
    const i32 begin = to_.first[k], size = to_.first[k + 1] - begin, inner = to_.first[node_tiles(extent_)],
              joint = to_.count - inner;
    const i32 back = joint + inner - begin;
    std::fill_n(counts + joint, size, 0);
    const i32* parent = parent_;
    i32 *node = node_, *up = to_.parent;
    each_word(k, t, [&](std::size_t word, i32 first, i32 bits) {
      each_bit(canonical_[word] & ~crossing_[word], first, [=](i32 p) { up[node[p]] = node[parent[p]]; });
      each_bit(~canonical_[word] & (~u64{0} >> (64 - bits)), first, [=](i32 p) {
        const i32 place = node[parent[p]];
        node[p] = place;
        ++counts[place - inner + (back & -static_cast<i32>(place < inner))];  // without a branch: nobody could predict it
      });
    });
    for (i32 i = 0; i < size; ++i) to_.own[begin + i] += counts[joint + i];
  }

  Context& ctx_;
  const T* f_;
  const i32* parent_;
  i32* node_;
  Extent extent_;
  NodeTable& to_;
  T flip_;
  u64* canonical_ = nullptr;  ///< a bit a pixel, tile after tile
  u64* crossing_ = nullptr;   ///< those of them whose node spans tiles
  u64* spans_ = nullptr;      ///< maps of a bit a pixel: set, in one of them, at canonical pixels of nodes that span tiles
  std::size_t words_ = 0;     ///< of each map
  int maps_ = 1;
  i32* inner_ = nullptr;  ///< canonical pixels of each tile
  i32* joint_ = nullptr;  ///< those of them that span tiles; then how many there are in the tiles before
};

}  // namespace

template <class T>
void build_node_table(Context& ctx, const T* f, const i32* parent, i32* node, Extent e, NodeTable& to, bool min_tree) {
  Builder<T>(ctx, f, parent, node, e, to, min_tree).build();
}
template void build_node_table<u8>(Context&, const u8*, const i32*, i32*, Extent, NodeTable&, bool);
template void build_node_table<u16>(Context&, const u16*, const i32*, i32*, Extent, NodeTable&, bool);

/// Shape: f, parent, order as max_tree gives them -> node [h, w] i32, and the table. Unique here: tile by tile, then the nodes
/// that span tiles; in each range from the leaves' altitudes to the root's, of one altitude by tile and index.
/// Cost: two passes over the pixels of each tile, both in the second cache, and a counting sort of its nodes; tiles in
/// parallel. The nodes that span tiles are sorted by one thread. Memory: 1/4 byte a pixel and 1/8 a thread (1 at most), 4 bytes
/// for a tile's nodes and those that span tiles a thread, 4 bytes a grey level and thread; 4 bytes a pixel for each of parent
/// and node whose rows have gaps, and f's type where f's do.
void max_tree_nodes(Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node, NodeTable& nodes) {
  op::max_tree_nodes::check(f, parent, order, node, nodes);
  if (f.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const i32* parents = flat(ctx, parent.view<i32>());
  const View<i32> out = node.view<i32>();
  i32* places = out.contiguous() ? out.data : ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
  const auto build = [&]<class T>(View<const T> values) {
    const T* flat_values = flat(ctx, values);
    const View<const i32> sorted = order.view<i32>();
    const i32 lowest = sorted.at(0, 0), highest = sorted.at(f.extent.width - 1, f.extent.height - 1);
    build_node_table<T>(ctx, flat_values, parents, places, f.extent, nodes, flat_values[lowest] > flat_values[highest]);
  };
  if (f.type == PixelType::u8) build(f.view<u8>());
  else build(f.view<u16>());
  if (out.contiguous()) return;
  for (i32 y = 0; y < out.height(); ++y) std::copy_n(places + static_cast<i64>(y) * out.width(), out.width(), out.row(y));
}

}  // namespace morpho::cpu
