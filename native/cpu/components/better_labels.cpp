// Of two segmentations of one image the objects that are better.
#include <algorithm>

#include "contract/object_preference.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {
namespace {

using objects::Below, objects::EdgeSums;

/// A label image of which other values than 1..count are background.
struct Labels {
  View<const i32> view;
  i32 count;
  i32 at(i32 x, i32 y) const { return of(view.row(y)[x]); }
  i32 of(i32 v) const { return v > 0 && v <= count ? v : 0; }
  i32 width() const { return view.width(); }
  i32 height() const { return view.height(); }
};

/// Where the row's next value that is not 0 lies, at or after x; `end` where there is none.
i32 next_of(const i32* row, i32 x, i32 end) {
  for (; x + 8 <= end; x += 8) {
    i32 any = 0;
    for (i32 k = 0; k < 8; ++k) any |= row[x + k];
    if (any != 0) break;
  }
  while (x < end && row[x] == 0) ++x;
  return x;
}

/// fn(x0, x1, label) for the runs of a row that lie on objects.
template <class Fn>
void each_object(const Labels& labels, i32 y, Fn&& fn) {
  const i32 *row = labels.view.row(y), end = labels.width();
  for (i32 x = next_of(row, 0, end); x < end; x = next_of(row, x, end)) {
    const i32 from = x, value = row[x];
    while (x < end && row[x] == value) ++x;
    if (labels.of(value) > 0) fn(from, x, value);
  }
}

/// fn(x0, x1, a, b) for the runs of a row on objects of `a` along which both images keep their labels.
template <class Fn>
void each_run(const Labels& a, const Labels& b, i32 y, Fn&& fn) {
  const i32* other = b.view.row(y);
  each_object(a, y, [&](i32 x0, i32 x1, i32 label) {
    for (i32 x = x0; x < x1;) {
      const i32 from = x, value = other[x];
      while (x < x1 && other[x] == value) ++x;
      fn(from, x, label, b.of(value));
    }
  });
}

/// One table of n elements for each worker, or one for all: then the rows are one piece.
template <class T>
class PerWorker {
 public:
  PerWorker(Context& ctx, std::size_t n, const Extent& e)
      : n_(n),
        workers_(static_cast<i64>(n * sizeof(T)) > e.area() ? 1 : ctx.threads),
        all_(ctx.workspace.take<T>(n * static_cast<std::size_t>(workers_))) {
    std::fill_n(all_, n * static_cast<std::size_t>(workers_), T{});
  }
  i64 rows_per_piece(const Extent& e) const { return workers_ == 1 ? std::max(e.height, 1) : cpu::rows_per_piece(e.width); }
  T* of(int worker) { return all_ + n_ * static_cast<std::size_t>(worker); }
  /// Adds all tables to the first.
  template <class Add>
  T* together(Add&& add) {
    for (int w = 1; w < workers_; ++w)
      for (std::size_t k = 0; k < n_; ++k) add(all_[k], of(w)[k]);
    return all_;
  }

 private:
  std::size_t n_;
  int workers_;
  T* all_;
};

/// Scores of labels 0..count (0: 0) to `scores`.
void score_labels(Context& ctx, const Labels& labels, const LabelSums* sums, const View<const u8>& edge,
                  const PreferenceRule& rule, i64* scores) {
  const Workspace::Scope scope(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(labels.count) + 1;
  PerWorker<EdgeSums> tables(ctx, n, labels.view.extent);
  parallel_for(ctx, labels.height(), tables.rows_per_piece(labels.view.extent), [&](i64 begin, i64 end, int worker) {
    EdgeSums* own = tables.of(worker);
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      // Beside the image lies no object, and no edge either: there a row is compared with itself.
      const i32 *row = labels.view.row(y), *above = labels.view.row(y > 0 ? y - 1 : y),
                *below = labels.view.row(y + 1 < labels.height() ? y + 1 : y);
      const u8* steep = edge.row(y);
      each_object(labels, y, [&](i32 x0, i32 x1, i32 l) {
        i32 pixels = 0, sum = 0;
        const auto take = [&](i32 x, bool at_edge) { pixels += at_edge, sum += at_edge ? steep[x] : 0; };
        const auto across = [&](i32 x) { return above[x] != row[x] || below[x] != row[x]; };
        const bool from_rim = x0 == 0, to_rim = x1 == labels.width();
        take(x0, !from_rim || (x1 - x0 == 1 && !to_rim) || across(x0));
        if (x1 - x0 > 1) take(x1 - 1, !to_rim || across(x1 - 1));
        for (i32 x = x0 + 1; x < x1 - 1; ++x) {
          const i32 at_edge = (above[x] != l) | (below[x] != l);
          pixels += at_edge, sum += -at_edge & steep[x];
        }
        own[l].pixels += pixels, own[l].sum += sum;
      });
    }
  });
  const EdgeSums* edges = tables.together(
      [](EdgeSums& to, const EdgeSums& more) { to.pixels += more.pixels, to.sum += more.sum; });
  scores[0] = 0;
  for (std::size_t l = 1; l < n; ++l) scores[l] = objects::preference(rule, sums[l], edges[l]);
}

/// A vote of pixels: who has the majority is left, whatever the order; whoever else is left must be counted.
struct Vote {
  i32 label, ahead;
};
void vote(Vote& v, i32 label, i32 pixels) {
  if (v.label == label) v.ahead += pixels;
  else if (v.ahead >= pixels) v.ahead -= pixels;
  else v = {label, pixels - v.ahead};
}

/// The candidate that holds more than half of each kept label's pixels, 0 where none does, to `home`.
void find_homes(Context& ctx, const Labels& kept, const LabelSums* sums, const Labels& candidates, i32* home) {
  const Workspace::Scope scope(ctx.workspace);
  const Extent e = kept.view.extent;
  const std::size_t n = static_cast<std::size_t>(kept.count) + 1;
  PerWorker<Vote> votes(ctx, n, e);
  const auto each = [&](auto& tables, auto&& fn) {
    parallel_for(ctx, e.height, tables.rows_per_piece(e), [&](i64 begin, i64 end, int worker) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y)
        each_run(kept, candidates, y, [&](i32 x0, i32 x1, i32 a, i32 b) { fn(tables.of(worker)[a], a, b, x1 - x0); });
    });
  };
  each(votes, [](Vote& v, i32, i32 b, i32 pixels) { vote(v, b, pixels); });
  const Vote* winners = votes.together([](Vote& to, const Vote& more) { vote(to, more.label, more.ahead); });
  PerWorker<i64> counts(ctx, n, e);
  each(counts, [&](i64& count, i32 a, i32 b, i32 pixels) { count += b == winners[a].label ? pixels : 0; });
  const i64* held = counts.together([](i64& to, i64 more) { to += more; });
  home[0] = 0;
  for (std::size_t a = 1; a < n; ++a) home[a] = 2 * held[a] > sums[a].area ? winners[a].label : 0;
}

/// 1 on what stays of `kept` and on the winners, but for what touches what stays.
void write_better(Context& ctx, const Labels& kept, const Labels& candidates, const i32* home, const u8* won, View<u8> out) {
  const Workspace::Scope scope(ctx.workspace);
  const i32 width = kept.width(), height = kept.height();
  const std::size_t stride = static_cast<std::size_t>(width);
  u8* rows = ctx.workspace.take<u8>(3 * stride * static_cast<std::size_t>(ctx.threads));
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int worker) {
    u8* own = rows + 3 * stride * static_cast<std::size_t>(worker);
    const auto stays = [&](i64 y) { return own + stride * static_cast<std::size_t>(y % 3); };
    const auto find = [&](i64 y) {
      u8* row = stays(y);
      std::fill_n(row, stride, u8{0});
      each_object(kept, static_cast<i32>(y), [&](i32 x0, i32 x1, i32 l) {
        if (!won[home[l]]) std::fill(row + x0, row + x1, u8{1});
      });
    };
    if (begin > 0) find(begin - 1);
    find(begin);
    for (i64 y = begin; y < end; ++y) {
      if (y + 1 < height) find(y + 1);
      const u8 *here = stays(y), *above = y > 0 ? stays(y - 1) : here, *below = y + 1 < height ? stays(y + 1) : here;
      u8* to = out.row(static_cast<i32>(y));
      std::copy_n(here, stride, to);
      each_object(candidates, static_cast<i32>(y), [&](i32 x0, i32 x1, i32 l) {
        if (!won[l]) return;
        for (i32 x = x0; x < x1; ++x) {
          const u8 left = x > 0 ? here[x - 1] : u8{0}, right = x + 1 < width ? here[x + 1] : u8{0};
          to[x] = here[x] | !(above[x] | below[x] | left | right);
        }
      });
    }
  });
}

}  // namespace

// Memory: as its descriptor says. Cost: six passes over the label images, two over the labels.
void better_labels(Context& ctx, const op::Segmentation& kept, const op::Segmentation& candidates, ConstPlane edge, Plane out,
                   const PreferenceRule& rule) {
  op::better_labels::check(kept, candidates, edge, out, rule);
  const Extent e = kept.labels.extent;
  if (e.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const Labels a{kept.labels.view<i32>(), kept.count}, b{candidates.labels.view<i32>(), candidates.count};
  const std::size_t na = static_cast<std::size_t>(a.count) + 1, nb = static_cast<std::size_t>(b.count) + 1;
  i64 *scores_a = ctx.workspace.take<i64>(na), *scores_b = ctx.workspace.take<i64>(nb);
  score_labels(ctx, a, kept.sums, edge.view<u8>(), rule, scores_a);
  score_labels(ctx, b, candidates.sums, edge.view<u8>(), rule, scores_b);
  i32* home = ctx.workspace.take<i32>(na);
  find_homes(ctx, a, kept.sums, b, home);
  u8* won = ctx.workspace.take<u8>(nb);
  {
    const Workspace::Scope tables(ctx.workspace);
    Below* below = ctx.workspace.take<Below>(nb);
    std::fill_n(below, nb, Below{});
    PerWorker<i64> counts(ctx, nb, e);
    parallel_for(ctx, e.height, counts.rows_per_piece(e), [&](i64 begin, i64 end, int worker) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        each_run(a, b, y, [&](i32 x0, i32 x1, i32 la, i32 lb) {
          if (lb > 0 && home[la] != lb) counts.of(worker)[lb] += x1 - x0;
        });
      }
    });
    const i64* others = counts.together([](i64& to, i64 more) { to += more; });
    for (std::size_t l = 1; l < na; ++l) {
      if (kept.sums[l].area == 0) continue;
      Below& at = below[home[l]];
      at.sum += scores_a[l], at.count += 1;
    }
    won[0] = 0;
    for (std::size_t l = 1; l < nb; ++l) {
      below[l].others = others[l];
      won[l] = objects::wins(rule, scores_b[l], candidates.sums[l].area, below[l]);
    }
  }
  write_better(ctx, a, b, home, won, out.view<u8>());
}

}  // namespace morpho::cpu
