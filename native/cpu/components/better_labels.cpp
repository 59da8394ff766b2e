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
  bool has_edge(i32 x, i32 y, i32 label) const {
    return (x > 0 && at(x - 1, y) != label) || (x + 1 < width() && at(x + 1, y) != label) || (y > 0 && at(x, y - 1) != label) ||
           (y + 1 < height() && at(x, y + 1) != label);
  }
};

/// fn(y, x0, x1, a, b) for the runs of rows along which both images keep their labels.
template <class Fn>
void each_run(const Labels& a, const Labels& b, i32 y, Fn&& fn) {
  const i32 *row = a.view.row(y), *other = b.view.row(y);
  for (i32 x = 0; x < a.width();) {
    i32 past = x + 1;
    while (past < a.width() && row[past] == row[x] && other[past] == other[x]) ++past;
    fn(x, past, a.of(row[x]), b.of(other[x]));
    x = past;
  }
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
      for (i32 x = 0; x < labels.width(); ++x) {
        const i32 l = labels.at(x, y);
        if (l > 0 && labels.has_edge(x, y, l)) own[l].pixels += 1, own[l].sum += edge.row(y)[x];
      }
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
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        each_run(kept, candidates, y, [&](i32 x0, i32 x1, i32 a, i32 b) {
          if (a > 0) fn(tables.of(worker)[a], a, b, x1 - x0);
        });
      }
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
          if (la > 0 && lb > 0 && home[la] != lb) counts.of(worker)[lb] += x1 - x0;
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
  const auto stays = [&](i32 x, i32 y) {
    const i32 l = a.at(x, y);
    return l > 0 && !won[home[l]];
  };
  const View<u8> to = out.view<u8>();
  parallel_for(ctx, e.height, rows_per_piece(e.width), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      for (i32 x = 0; x < e.width; ++x) {
        const bool beside = (x > 0 && stays(x - 1, y)) || (x + 1 < e.width && stays(x + 1, y)) || (y > 0 && stays(x, y - 1)) ||
                            (y + 1 < e.height && stays(x, y + 1));
        to.row(y)[x] = stays(x, y) || (won[b.at(x, y)] && !beside);
      }
    }
  });
}

}  // namespace morpho::cpu
