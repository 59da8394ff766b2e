// Reconstruction from the image border, or from what sweeps have made of it, by floods in the order of grey values, from the
// highest down.
#include "cpu/reconstruct/border_flood.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "cpu/runtime/parallel.hpp"
#include "cpu/reconstruct/reconstruct_rows.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

/// What one band of rows needs; lists: one entry a pixel, the tables: one a grey level, raised: two rows, lines: three padded
/// rows, halos: two rows.
template <class T>
struct FloodScratch {
  i32 *lists = nullptr, *begin = nullptr, *end = nullptr, *raised = nullptr;
  T *lines = nullptr, *above = nullptr, *below = nullptr;
};

/// One band of rows. f and out without gaps between them; "up" is the direction in which values move, levels count from the
/// bottom up.
template <class T, By by>
class Flood {
  using L = Lattice<T, by>;
  using V = Vec<T>;

 public:
  static constexpr i32 levels = 1 << (8 * sizeof(T));

  Flood(const Context& ctx, View<const T> f, View<T> out, bool eight, const FloodScratch<T>& s)
      : ctx_(ctx),
        f_(f.row(0)),
        out_(out.row(0)),
        width_(f.width()),
        height_(f.height()),
        eight_(eight),
        lists_(s.lists),
        begin_(s.begin),
        end_(s.end),
        raised_(s.raised),
        lines_(s.lines) {
    place_steps();
  }

  /// Raises what the row next to row y, of another band, can raise there.
  void raise_row(const T* halo, i32 y) {
    const i32 first = y * width_;
    for (i32 x = 0; x < width_; ++x) {
      T reach = halo[x];
      if (eight_ && x > 0) reach = L::join(reach, halo[x - 1]);
      if (eight_ && x + 1 < width_) reach = L::join(reach, halo[x + 1]);
      reach = L::meet(reach, f_[first + x]);
      if (!L::above(reach, out_[first + x])) continue;
      out_[first + x] = reach;
      raised_[sources_++] = first + x;
    }
  }

  /// To stability from what out holds. False, and nothing done, where the lists have no room for it.
  bool start() {
    if (!place_lists()) return false;
    find_sources([&](i32 p) { lists_[end_[level_of(out_[p])]++] = p; });
    sources_ = 0;  // found among the others
    flood();
    return true;
  }

  /// From a stable band (by the same scratch) in which raise_row has raised some: these are all the sources there are. The
  /// lists keep their places. Who has reached its f has one in its list; who has not has one above it, where the stack is when
  /// the flood gets there.
  void resume() {
    if (sources_ == 0) return;
    std::memcpy(end_, begin_, sizeof(i32) * static_cast<std::size_t>(levels));
    i32 kept = 0;
    for (i32 i = 0; i < sources_; ++i) {
      const i32 p = raised_[i];
      if (out_[p] == f_[p]) lists_[end_[level_of(f_[p])]++] = p;
      else raised_[kept++] = p;
    }
    sources_ = kept;
    std::sort(raised_, raised_ + kept,
              [&](i32 p, i32 q) { return out_[p] != out_[q] ? L::above(out_[q], out_[p]) : p > q; });  // highest last
    flood();
  }

 private:
  void flood() {
    for (i32 level = levels - 1; level > 0; --level) {
      i32 next = begin_[level];
      const T v = value_of(level);
      for (; sources_ > 0 && !L::above(v, out_[raised_[sources_ - 1]]); --sources_) {
        const i32 p = raised_[sources_ - 1];
        if (out_[p] == v && f_[p] != v) lists_[top_++] = p;  // else the flood has raised it since, and seen to it
      }
      if (next == end_[level] && top_ == 0) continue;
      const V flood = fill<V>(v);
      for (;;) {
        i32 p;
        if (top_ > 0) {
          p = lists_[--top_];
        } else if (next < end_[level]) {
          if (next + ahead < end_[level]) fetch(lists_[next + ahead]);
          p = lists_[next++];
          if (out_[p] != v) continue;  // raised since, and done then
        } else {
          break;
        }
        if ((++done_ & 0xFFFF) == 0) ctx_.check_cancelled();
        // Near the image's first and last pixel a load would leave it. Elsewhere what lies beyond the ends of a row is the
        // border of the next one, which holds f and is never raised.
        if (is_safe(p)) {
          for (unsigned bits = raisable(p, flood); bits != 0; bits &= bits - 1)
            raise(p + step_[std::countr_zero(bits)], v, level);
          continue;
        }
        around(p, v, level);
      }
    }
  }

  static constexpr i32 ahead = 12;  // how many pixels before their turn those of a list are fetched
  static i32 level_of(T v) { return by == By::dilation ? v : levels - 1 - v; }
  static T value_of(i32 level) { return static_cast<T>(by == By::dilation ? level : levels - 1 - level); }

  /// Calls found(p) in raster order for every pixel that can raise a neighbour now: one that is higher than a neighbour below
  /// its f.
  template <class Found>
  void find_sources(Found&& found) {
    Line<T> lines[3];
    for (i32 i = 0; i < 3; ++i)
      lines[i].place(lines_ + static_cast<std::size_t>(i) * Line<T>::elements(width_), width_, L::top);
    const auto load = [&](i32 y) {  // what can be raised, the others as the top
      T* __restrict to = lines[y % 3].data;
      const T *f = f_ + static_cast<std::ptrdiff_t>(y) * width_, *out = out_ + static_cast<std::ptrdiff_t>(y) * width_;
      const i32 n = width_;
      if (y < height_)
        for (i32 x = 0; x < n; ++x) to[x] = out[x] == f[x] ? L::top : out[x];
      else std::fill_n(to, n, L::top);
    };
    load(0);
    for (i32 y = 0; y < height_; ++y) {
      if (y % 64 == 0) ctx_.check_cancelled();
      load(y + 1);
      const T *up = lines[(y + 2) % 3].data, *mid = lines[y % 3].data, *down = lines[(y + 1) % 3].data;
      const i32 first = y * width_;
      const T* row = out_ + first;
      i32 x = 0;
      for (constexpr i32 n = 16 / sizeof(T); x + n <= width_; x += n) {
        V low = L::meet(L::meet(cpu::load<V>(up + x), cpu::load<V>(down + x)),
                        L::meet(cpu::load<V>(mid + x - 1), cpu::load<V>(mid + x + 1)));
        if (eight_)
          low = L::meet(low, L::meet(L::meet(cpu::load<V>(up + x - 1), cpu::load<V>(up + x + 1)),
                                     L::meet(cpu::load<V>(down + x - 1), cpu::load<V>(down + x + 1))));
        const V own = cpu::load<V>(row + x);
        unsigned bits = ~bits_of(L::meet(low, own) == own) & (sizeof(T) == 1 ? 0xFFFFu : 0x5555u);
        for (; bits != 0; bits &= bits - 1) found(first + x + std::countr_zero(bits) / static_cast<i32>(sizeof(T)));
      }
      for (; x < width_; ++x) {
        T low = L::meet(L::meet(up[x], down[x]), L::meet(mid[x - 1], mid[x + 1]));
        if (eight_) low = L::meet(low, L::meet(L::meet(up[x - 1], up[x + 1]), L::meet(down[x - 1], down[x + 1])));
        if (L::above(row[x], low)) found(first + x);
      }
    }
  }
  /// Room for the sources in the lists of the levels that they have, and for whatever may be raised in that of its f. A pixel
  /// enters the list of its own level or the stack of those above the flood. Lists lie in the order in which they are emptied,
  /// so the stack, which holds pixels of levels above the flood's only, has room where their lists were. False where there are
  /// more than pixels.
  bool place_lists() {
    std::fill_n(begin_, levels, 0);  // two tables in turns, as equal values that follow each other would wait for one counter
    std::fill_n(end_, levels, 0);
    const i32 area = width_ * height_;
    i32 p = 0;
    for (; p + 1 < area; p += 2) {
      begin_[level_of(f_[p])] += out_[p] != f_[p];
      end_[level_of(f_[p + 1])] += out_[p + 1] != f_[p + 1];
    }
    if (p < area) begin_[level_of(f_[p])] += out_[p] != f_[p];
    find_sources([&](i32 q) { ++begin_[level_of(out_[q])]; });
    i64 at = 0;
    for (i32 level = levels - 1; level >= 0; --level) {
      const i32 n = begin_[level] + end_[level];
      begin_[level] = end_[level] = static_cast<i32>(std::min<i64>(at, area));
      at += n;
    }
    return at <= area;
  }
  /// As the highest leave first, what a pixel is raised to first is final.
  void raise(i32 q, T v, i32 level) {
    const T f = f_[q];
    if (L::above(f, v)) {
      out_[q] = v;
      lists_[top_++] = q;
      return;
    }
    out_[q] = f;
    if (is_safe(q) && !raisable(q, fill<V>(f))) return;  // most of them; nor will it later, as neighbours only rise
    lists_[end_[level_of(f)]++] = q;
  }
  bool is_safe(i32 p) const { return static_cast<std::uint32_t>(p - width_ - 1) < safe_; }
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
  /// Lanes that are not raisable: up - down is none for f over out or for the flood over out.
  static auto stays(V f, V out, V flood) {
    const auto none = [](V up, V down) {
      return subtract_saturating(by == By::dilation ? up : down, by == By::dilation ? down : up) == V{};
    };
    return none(f, out) | none(flood, out);
  }
  unsigned raisable(i32 p, V flood) const {
    const T *f = f_ + p - 1, *out = out_ + p - 1;
    unsigned same;
    if constexpr (sizeof(T) == 1) {
      const auto three = [&](const T* at) {
        std::uint32_t a, b, c;
        std::memcpy(&a, at - width_, 4), std::memcpy(&b, at, 4), std::memcpy(&c, at + width_, 4);
        return (V)Vec<std::uint32_t>{a, b, c, 0};
      };
      same = bits_of(stays(three(f), three(out), flood));
    } else {
      const auto two = [](const T* upper, const T* lower) { return (V)Vec<u64>{load<u64>(upper), load<u64>(lower)}; };
      const auto one = [](const T* at) { return (V)Vec<u64>{load<u64>(at), 0}; };
      const auto a = stays(two(f - width_, f), two(out - width_, out), flood);
      same = bits_of(narrow_mask(a, stays(one(f + width_), one(out + width_), flood)));
    }
    return ~same & (eight_ ? 0x757u : 0x252u);
  }

  const Context& ctx_;
  const T* f_;
  T* out_;
  i32 width_, height_;
  bool eight_;
  i32 *lists_, *begin_, *end_, *raised_;
  T* lines_;
  i32 sources_ = 0;  ///< in raised_
  i32 top_ = 0;      ///< of the stack, which begins where the lists do
  i64 done_ = 0;
  i32 step_[12] = {};
  std::uint32_t safe_ = 0;
};

template <class T>
void copy_rows(View<const T> from, View<T> to) {
  for (i32 y = 0; y < to.height(); ++y) std::memcpy(to.row(y), from.row(y), sizeof(T) * static_cast<std::size_t>(to.width()));
}

/// Bands of rows, one a thread, in rounds for as long as a row next to a band has changed (as the queues' of reconstruct.cpp).
template <class T, By by>
class Floods {
  using L = Lattice<T, by>;

 public:
  Floods(Context& ctx, View<const T> f, View<T> out, bool eight)
      : ctx_(ctx), f_(f), out_(out), eight_(eight), bands_(std::clamp(f.height() / 64, 1, std::max(1, ctx.threads))) {
    Workspace& w = ctx.workspace;
    scratch_ = w.take<FloodScratch<T>>(static_cast<std::size_t>(bands_));
    active_ = w.take<u8>(static_cast<std::size_t>(bands_));
    const std::size_t width = static_cast<std::size_t>(f.width());
    i32* lists = w.take<i32>(static_cast<std::size_t>(f.extent.area()));
    for (i32 b = 0; b < bands_; ++b) {
      scratch_[b] = {lists + static_cast<std::ptrdiff_t>(first_row(b)) * f.width(),
                     w.take<i32>(Flood<T, by>::levels),
                     w.take<i32>(Flood<T, by>::levels),
                     w.take<i32>(2 * width),
                     w.take<T>(3 * Line<T>::elements(f.width())),
                     w.take<T>(width),
                     w.take<T>(width)};
    }
  }

  void run() {
    if (run_bands()) return;
    // Only where many a pixel needs room in two lists, that of what it is and that of its f. None does if all begin at the
    // bottom.
    for (i32 y = 1; y + 1 < f_.height(); ++y) std::fill_n(out_.row(y) + 1, std::max(0, f_.width() - 2), L::bottom);
    bands_ = 1;
    run_bands();
  }

 private:
  i32 first_row(i32 b) const { return static_cast<i32>(static_cast<i64>(f_.height()) * b / bands_); }

  bool run_bands() {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(f_.width());
    std::atomic<bool> no_room{false};
    for (int round = 0; !no_room; ++round) {
      bool again = round == 0;
      for (i32 b = 0; b < bands_; ++b) {
        active_[b] = round == 0;
        const auto refresh = [&](T* halo, i32 y) {
          if (round > 0 && std::memcmp(halo, out_.row(y), bytes) == 0) return;
          std::memcpy(halo, out_.row(y), bytes);
          active_[b] = 1;
        };
        if (b > 0) refresh(scratch_[b].above, first_row(b) - 1);
        if (b + 1 < bands_) refresh(scratch_[b].below, first_row(b + 1));
        again = again || active_[b];
      }
      if (!again) return true;
      parallel_for(ctx_, bands_, 1, [&](i64 begin, i64 end, int) {
        for (i32 b = static_cast<i32>(begin); b < end; ++b) {
          if (!active_[b]) continue;
          const i32 y = first_row(b), rows = first_row(b + 1) - y;
          Flood<T, by> flood(ctx_, f_.sub(0, y, {f_.width(), rows}), out_.sub(0, y, {f_.width(), rows}), eight_, scratch_[b]);
          if (b > 0) flood.raise_row(scratch_[b].above, 0);
          if (b + 1 < bands_) flood.raise_row(scratch_[b].below, rows - 1);
          if (round > 0) flood.resume();
          else if (!flood.start()) no_room = true;
        }
      });
    }
    return false;
  }

  Context& ctx_;
  View<const T> f_;
  View<T> out_;
  bool eight_;
  i32 bands_;
  FloodScratch<T>* scratch_;
  u8* active_;
};

}  // namespace

void flood_on(Context& ctx, ConstPlane f, Plane out, By by, Connectivity connectivity) {
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
        copy_rows<T>(out.view<T>(), to);
      }
      Floods<T, direction()>(ctx, from, to, connectivity == Connectivity::eight).run();
      if (gaps) copy_rows<T>(to, out.view<T>());
    }
  });
}

}  // namespace morpho::cpu
