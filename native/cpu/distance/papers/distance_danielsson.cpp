// Squared distance by a wavefront of pointers to the nearest zero pixel over 8 neighbours, in synchronous rounds.
#include <algorithm>
#include <atomic>

#include "cpu/distance/distance_variants.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {
namespace {

/// A place in the image, or a pointer to one, in one word: a bit that says "in the next wavefront", then y, then x. So words
/// order as indices, and no division leads back from them.
template <class W, int x_bits>
struct Pointer {
  static constexpr W queued = W{1} << (8 * sizeof(W) - 1);
  static constexpr W nowhere = queued - 1;  ///< no image is that large: see fits()
  static constexpr i64 last_x = (i64{1} << x_bits) - 1, last_y = static_cast<i64>(nowhere >> x_bits);
  static bool fits(Extent e) { return e.width <= last_x + 1 && e.height <= last_y; }
  static W of(i32 x, i32 y) { return static_cast<W>(static_cast<W>(y) << x_bits | static_cast<W>(x)); }
  static i64 x(W p) { return static_cast<i64>(p & static_cast<W>(last_x)); }
  static i64 y(W p) { return static_cast<i64>(p >> x_bits); }
};

template <class W, int x_bits>
class Wavefront {
  using P = Pointer<W, x_bits>;
  static constexpr i64 kChunk = 2048;  ///< front pixels handed out at a time

  struct FrontPixel {
    W place;
    W site;  ///< its pointer as it was when the round began
  };

 public:
  Wavefront(Context& ctx, View<const u8> in, View<i32> out, const DistanceParams& params)
      : ctx_(ctx), in_(in), out_(out), params_(params), width_(in.width()), height_(in.height()) {
    const std::size_t area = static_cast<std::size_t>(in.extent.area()),
                      workers = static_cast<std::size_t>(std::max(1, ctx.threads));
    site_ = ctx.workspace.take<W>(area);
    front_ = ctx.workspace.take<FrontPixel>(area);
    next_ = ctx.workspace.take<W>(area);
    buffers_ = ctx.workspace.take<W>(8 * static_cast<std::size_t>(kChunk) * workers);
  }

  Work run() {
    i64 n = start();
    Work work;
    // A round is synchronous: the front's pointers are read as they were before it, and of several offers a pixel takes the
    // nearest, at equal distance the one of smaller index. Neither depends on who comes first.
    while (n > 0) {
      ctx_.check_cancelled();
      parallel_for(ctx_, n, 4 * kChunk, [&](i64 begin, i64 end, int) {
        for (i64 i = begin; i < end; ++i) {
          W& site = site_at(static_cast<i32>(P::x(next_[i])), static_cast<i32>(P::y(next_[i])));
          site = static_cast<W>(site & ~P::queued);
          front_[i] = {next_[i], site};
        }
      });
      tail_ = 0;
      parallel_for(ctx_, n, kChunk, [&](i64 begin, i64 end, int worker) { spread(begin, end, worker); });
      ++work.rounds, work.queued += n, work.longest = std::max(work.longest, n);
      n = tail_;
    }
    finish();
    return work;
  }

 private:
  W& site_at(i32 x, i32 y) const {
    return site_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
  }

  i64 squared(i32 x, i32 y, W site) const {
    i64 dx = P::x(site) - x, dy = P::y(site) - y;
    if constexpr (sizeof(W) == 8) {
      // Beyond the cut-off the result saturates anyway, and below it nothing overflows.
      constexpr i64 cut = i64{1} << 22;
      dx = std::clamp(dx, -cut, cut), dy = std::clamp(dy, -cut, cut);
    }
    return params_.weight_x * dx * dx + params_.weight_y * dy * dy;
  }

  /// Zero pixels point to themselves, others nowhere. The first front: zero pixels with a neighbour that is none. Returns its
  /// size.
  i64 start() {
    tail_ = 0;
    parallel_for(ctx_, height_, rows_per_piece(width_), [&](i64 begin, i64 end, int worker) {
      Output output = buffer(worker);
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        for (i32 x = 0; x < width_; ++x) {
          const bool zero = in_.row(y)[x] == 0;
          site_at(x, y) = zero ? P::of(x, y) : P::nowhere;
          bool front = false;
          if (zero) each_neighbour(x, y, [&](i32 qx, i32 qy) { front = front || in_.row(qy)[qx] != 0; });
          if (!front) continue;
          if (output.n == 8 * kChunk) flush(output);
          output.place[output.n++] = P::of(x, y);
        }
      }
      flush(output);
    });
    return tail_;
  }

  void spread(i64 begin, i64 end, int worker) {
    Output output = buffer(worker);
    for (i64 i = begin; i < end; ++i) {
      const FrontPixel from = front_[i];
      each_neighbour(static_cast<i32>(P::x(from.place)), static_cast<i32>(P::y(from.place)), [&](i32 qx, i32 qy) {
        std::atomic_ref<W> at(site_at(qx, qy));
        const i64 offer = squared(qx, qy, from.site);
        for (W now = at.load(std::memory_order_relaxed);;) {
          const W held = static_cast<W>(now & ~P::queued);
          if (held == from.site) return;  // as most of those behind the front
          if (held != P::nowhere) {
            const i64 has = squared(qx, qy, held);
            if (offer > has || (offer == has && from.site > held)) return;
          }
          if (!at.compare_exchange_weak(now, static_cast<W>(from.site | P::queued), std::memory_order_relaxed)) continue;
          if (!(now & P::queued)) output.place[output.n++] = P::of(qx, qy);
          return;
        }
      });
    }
    flush(output);
  }

  void finish() {
    parallel_for(ctx_, height_, rows_per_piece(width_), [&](i64 begin, i64 end, int) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        const W* site = site_ + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        for (i32 x = 0; x < width_; ++x) {
          out_.row(y)[x] = site[x] == P::nowhere ? kNoBackground
                                                 : static_cast<i32>(std::min<i64>(squared(x, y, site[x]), kNoBackground - 1));
        }
      }
    });
  }

  template <class Fn>
  void each_neighbour(i32 x, i32 y, Fn&& fn) const {
    for (i32 qy = std::max(0, y - 1); qy <= std::min(height_ - 1, y + 1); ++qy) {
      for (i32 qx = std::max(0, x - 1); qx <= std::min(width_ - 1, x + 1); ++qx) {
        if (qx != x || qy != y) fn(qx, qy);
      }
    }
  }

  struct Output {
    W* place;
    i64 n;
  };
  Output buffer(int worker) const { return {buffers_ + 8 * kChunk * worker, 0}; }
  void flush(Output& output) {
    const i64 at = tail_.fetch_add(output.n, std::memory_order_relaxed);
    std::copy_n(output.place, output.n, next_ + at);
    output.n = 0;
  }

  Context& ctx_;
  View<const u8> in_;
  View<i32> out_;
  DistanceParams params_;
  i32 width_, height_;
  W* site_ = nullptr;
  FrontPixel* front_ = nullptr;
  W* next_ = nullptr;
  W* buffers_ = nullptr;
  std::atomic<i64> tail_{0};
};

}  // namespace

/// The wavefront of the IWPP paper: zero pixels with a foreground neighbour send out pointers to themselves; a pixel that is
/// offered a nearer zero pixel than its own takes it and offers it to its 8 neighbours, once. Weights as for the exact
/// transform.
/// Ties: rounds are synchronous (a pixel offers the pointer that it held when the round began), and of offers at equal
/// distance, and against the own pointer, the smaller index of the zero pixel wins. So the result is one image, whatever the
/// number of threads.
/// Error: none. The paper's own order, one queue, or threads that see each other's pointers within a round, lets a pointer be
/// replaced before it was passed on, so that its result depends on the order and can lie above the exact distance (Danielsson
/// 1980: by less than 0.09 px). Synchronous rounds never lose the nearest pointer: let s be the nearest zero pixel of p, at (a,
/// b) with a >= b >= 0 say, and go from s to p by b diagonal steps, then straight. Were the pixel m on this way, k steps from
/// s, to hold some t instead when s arrives, then t has come no more than k steps (columns or rows) and is nearer to m than s,
/// but not nearer to p. The bisector of s and t then separates m from p, so (p - m)·(t - s) < 0 with each component weighted;
/// but p - m has no negative component, and t - s, with t within k columns and rows of m, has none on the axes where p - m is
/// not 0. At a tie, t is as near to p as s is. The argument holds for any weights. Never below the exact distance in any case.
/// Reach: global. Cost: as many rounds as the largest chessboard distance, and a few; each pixel that takes a pointer looks at
/// 8 neighbours.
/// Memory: 16 bytes a pixel and 64 KiB a thread; twice that where the image is wider than 65536 or higher than 32767.
/// Source: Danielsson 1980; Teodoro 2012 §2.2, Algorithm 3.
Work distance_danielsson(Context& ctx, View<const u8> binary, View<i32> squared, const DistanceParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  if (Pointer<std::uint32_t, 16>::fits(binary.extent)) return Wavefront<std::uint32_t, 16>(ctx, binary, squared, params).run();
  return Wavefront<u64, 32>(ctx, binary, squared, params).run();
}

}  // namespace morpho::cpu
