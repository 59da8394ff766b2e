// Reconstruction from the image border by one flood in the order of grey values, from the highest down.
#include "cpu/border_flood.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/lanes.hpp"
#include "cpu/reconstruct_rows.hpp"
#include "cpu/reconstruct_variants.hpp"

namespace morpho::cpu {
namespace {

/// f and out without gaps between rows; "up" is the direction in which values move, levels count from the bottom up.
template <class T, By by>
class Flood {
  using L = Lattice<T, by>;
  static constexpr i32 levels = 1 << (8 * sizeof(T));

 public:
  Flood(Context& ctx, View<const T> f, View<T> out, bool eight)
      : ctx_(ctx), f_(f.row(0)), out_(out.row(0)), width_(f.width()), height_(f.height()), eight_(eight) {
    lists_ = ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
    begin_ = ctx.workspace.take<i32>(levels);
    end_ = ctx.workspace.take<i32>(levels);
  }

  void run() {
    const i32 area = width_ * height_;
    std::fill_n(begin_, levels, 0);  // two tables in turns, as equal values that follow each other would wait for one counter
    std::fill_n(end_, levels, 0);
    for (i32 y = 0; y < height_; ++y) {
      if (y % 64 == 0) ctx_.check_cancelled();
      const T* row = f_ + static_cast<std::ptrdiff_t>(y) * width_;
      i32 x = 0;
      for (; x + 1 < width_; x += 2) ++begin_[level_of(row[x])], ++end_[level_of(row[x + 1])];
      if (x < width_) ++begin_[level_of(row[x])];
    }
    // A pixel enters the list of its own level or the stack of those above the flood. Lists lie in the order in which they are emptied, so
    // the stack, which holds pixels of levels above the flood's only, has room where their lists were.
    i32 at = 0;
    for (i32 level = levels - 1; level >= 0; --level) {
      const i32 n = begin_[level] + end_[level];
      begin_[level] = end_[level] = at;
      at += n;
      if (level == 0) left_ = area - n;
    }
    std::fill_n(out_, area, L::bottom);
    for (i32 x = 0; x < width_; ++x) source(x), source(area - width_ + x);
    for (i32 y = 1; y + 1 < height_; ++y) source(y * width_), source(y * width_ + width_ - 1);

    place_steps();
    i32 few = area / 4;
    for (i32 level = levels - 1; level > 0; --level) {
      if (left_ < few) {
        look_again(level);
        few = -1;
      }
      i32 next = begin_[level];
      if (next == end_[level]) continue;
      const T v = value_of(level);
#ifdef MORPHO_LANES
      const __m128i flood = Lanes<T>::fill(v);
#endif
      for (;;) {
        i32 p;
        if (top_ > 0) {
          p = lists_[--top_];
        } else if (next < end_[level]) {
          if (next + ahead < end_[level]) fetch(lists_[next + ahead]);
          p = lists_[next++];
        } else {
          break;
        }
        if ((++done_ & 0xFFFF) == 0) ctx_.check_cancelled();
#ifdef MORPHO_LANES
        // Near the image's first and last pixel a load would leave it. Elsewhere what lies beyond the ends of a row is the border of
        // the next one, which holds f and is never raised.
        if (static_cast<std::uint32_t>(p - width_ - 1) < safe_) {
          for (unsigned bits = raisable(p, flood); bits != 0; bits &= bits - 1) raise(p + step_[std::countr_zero(bits)], v, level);
          continue;
        }
#endif
        around(p, v, level);
      }
    }
  }

 private:
  static constexpr i32 ahead = 12;  // how many pixels before their turn those of a list are fetched
  static i32 level_of(T v) { return by == By::dilation ? v : levels - 1 - v; }
  static T value_of(i32 level) { return static_cast<T>(by == By::dilation ? level : levels - 1 - level); }

  void source(i32 p) {
    if (out_[p] == f_[p]) return;  // also: a corner's second time, or the bottom, which raises nothing
    out_[p] = f_[p];
    --left_;
    lists_[end_[level_of(f_[p])]++] = p;
  }
  /// The lists of this level and those below made anew, of pixels that can still raise one: few, where most have been raised, and in raster
  /// order that is quicker seen than when their turn comes, each in another place of memory.
  void look_again(i32 level) {
    for (i32 l = level; l > 0; --l) end_[l] = begin_[l];
    if (left_ == 0) return;
    for (i32 y = 0; y < height_; ++y) {
      if (y % 64 == 0) ctx_.check_cancelled();
      for (i32 p = y * width_; p < (y + 1) * width_; ++p) {
#ifdef MORPHO_LANES
        if (static_cast<std::uint32_t>(p - width_ - 1) < safe_ && !raisable(p, Lanes<T>::fill(f_[p]))) continue;  // most of them
#endif
        const i32 own = level_of(f_[p]);
        if (own > level || own == 0 || out_[p] != f_[p]) continue;
        lists_[end_[own]++] = p;
      }
    }
  }
  /// As the highest leave first, what a pixel is raised to first is final.
  void raise(i32 q, T v, i32 level) {
    out_[q] = L::meet(v, f_[q]);
    --left_;
    const i32 own = level_of(f_[q]);
    i32* end = own > level ? &top_ : end_ + own;
    lists_[(*end)++] = q;
  }
  void fetch(i32 p) const {
    for (i32 q : {p - width_, p, p + width_}) {
      if (q < 0 || q >= width_ * height_) continue;
      __builtin_prefetch(f_ + q);
      __builtin_prefetch(out_ + q);
    }
  }
  void around(i32 p, T v, i32 level) {
    const i32 y = p / width_, x = p % width_;
    for (i32 dy = -1; dy <= 1; ++dy) {
      for (i32 dx = -1; dx <= 1; ++dx) {
        if (x + dx < 0 || x + dx >= width_ || y + dy < 0 || y + dy >= height_ || (!eight_ && dx != 0 && dy != 0)) continue;
        const i32 q = p + dy * width_ + dx;
        if (L::above(L::meet(v, f_[q]), out_[q])) raise(q, v, level);
      }
    }
  }
  /// Bit 4 r + c stands for row r - 1 and column c - 1 from the pixel; c = 3 is loaded, and not asked for.
  void place_steps() {
    for (i32 i = 0; i < 12; ++i) step_[i] = (i / 4 - 1) * width_ + i % 4 - 1;
    const i64 safe = static_cast<i64>(width_) * height_ - 2 * static_cast<i64>(width_) - 3;
    safe_ = static_cast<std::uint32_t>(std::max<i64>(0, safe));
  }
#ifdef MORPHO_LANES
  /// Lanes that are zero: not raisable, as up - down is none for f over out or for the flood over out.
  static __m128i stays(__m128i f, __m128i out, __m128i flood) {
    const auto minus = [](__m128i a, __m128i b) { return sizeof(T) == 1 ? _mm_subs_epu8(a, b) : _mm_subs_epu16(a, b); };
    const __m128i zero = _mm_setzero_si128();
    const __m128i by_f = by == By::dilation ? minus(f, out) : minus(out, f), by_flood = by == By::dilation ? minus(flood, out) : minus(out, flood);
    return _mm_or_si128(Lanes<T>::equal(by_f, zero), Lanes<T>::equal(by_flood, zero));
  }
  unsigned raisable(i32 p, __m128i flood) const {
    const T *f = f_ + p - 1, *out = out_ + p - 1;
    unsigned same;
    if constexpr (sizeof(T) == 1) {
      const auto three = [&](const T* at) {
        int a, b, c;
        std::memcpy(&a, at - width_, 4), std::memcpy(&b, at, 4), std::memcpy(&c, at + width_, 4);
        return _mm_setr_epi32(a, b, c, 0);
      };
      same = static_cast<unsigned>(_mm_movemask_epi8(stays(three(f), three(out), flood)));
    } else {
      const auto half = [](const T* at) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at)); };
      const auto two = [&](const T* at) { return _mm_unpacklo_epi64(half(at - width_), half(at)); };
      const __m128i a = stays(two(f), two(out), flood), b = stays(half(f + width_), half(out + width_), flood);
      same = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(a, b)));
    }
    return ~same & (eight_ ? 0x757u : 0x252u);
  }
#endif

  Context& ctx_;
  const T* f_;
  T* out_;
  i32 width_, height_;
  bool eight_;
  i32 *lists_, *begin_, *end_;
  i32 left_ = 0;  ///< pixels above the bottom that have not been raised
  i32 top_ = 0;   ///< of the stack, which begins where the lists do
  i64 done_ = 0;
  i32 step_[12] = {};
  std::uint32_t safe_ = 0;
};

template <class T>
void copy_rows(View<const T> from, View<T> to) {
  for (i32 y = 0; y < to.height(); ++y) std::memcpy(to.row(y), from.row(y), sizeof(T) * static_cast<std::size_t>(to.width()));
}

}  // namespace

void flood_from_border(Context& ctx, ConstPlane f, Plane out, By by, Connectivity connectivity) {
  const Workspace::Scope scope(ctx.workspace);
  const auto area = static_cast<std::size_t>(f.extent.area());
  visit_reconstruction(out.type, by, [&](auto zero, auto direction) {
    using T = decltype(zero);
    if constexpr (sizeof(T) < 4) {
      View<const T> from = f.view<T>();
      View<T> to = out.view<T>();
      const bool gaps = f.stride != f.extent.width || out.stride != f.extent.width;
      if (gaps) {
        View<T> copy(ctx.workspace.take<T>(area), f.extent);
        copy_rows(from, copy);
        from = copy;
        to = View<T>(ctx.workspace.take<T>(area), f.extent);
      }
      Flood<T, direction()>(ctx, from, to, connectivity == Connectivity::eight).run();
      if (gaps) copy_rows<T>(to, out.view<T>());
    }
  });
}

}  // namespace morpho::cpu
