// Of two segmentations of one image the objects that are better.
#include <algorithm>

#include "contract/object_preference.hpp"
#include "cpu/components/label_runs.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {
namespace {

using objects::Below, objects::EdgeSums;

/// A label image and its runs.
struct Labels {
  View<const i32> view;
  i32 count;
  LabelRuns runs;
  i32 width() const { return view.width(); }
  i32 height() const { return view.height(); }
};

/// fn(a, b, pixels) for the runs of a row along which both images keep a label.
template <class Fn>
void each_overlap(const Labels& a, const Labels& b, i64 y, Fn&& fn) {
  const LabelRun *p = a.runs.begin(y), *const p_end = a.runs.end(y), *q = b.runs.begin(y), *const q_end = b.runs.end(y);
  while (p < p_end && q < q_end) {
    const i32 pixels = std::min(p->x1, q->x1) - std::max(p->x0, q->x0);
    if (pixels > 0) fn(p->label, q->label, pixels);
    const bool first = p->x1 <= q->x1;
    q += p->x1 >= q->x1, p += first;
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

/// Where a neighbouring row has the label of the run that is asked for: from one end of its only run there to the other.
class Beside {
 public:
  Beside(const LabelRun* begin, const LabelRun* end) : next_(begin), end_(end) {}
  /// Of runs from left to right. False where there are several.
  bool has_one(const LabelRun& run, i32& from, i32& to) {
    while (next_ < end_ && next_->x1 <= run.x0) ++next_;
    i32 found = 0;
    from = to = run.x1;
    for (const LabelRun* r = next_; r < end_ && r->x0 < run.x1; ++r) {
      if (r->label == run.label) from = r->x0, to = r->x1, ++found;
    }
    return found < 2;
  }

 private:
  const LabelRun *next_, *end_;
};

/// Scores of labels 0..count (0: 0) to `scores`.
void score_labels(Context& ctx, const Labels& labels, const LabelSums* sums, const View<const u8>& edge,
                  const PreferenceRule& rule, i64* scores) {
  const Workspace::Scope scope(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(labels.count) + 1;
  PerWorker<EdgeSums> tables(ctx, n, labels.view.extent);
  const i32 width = labels.width(), height = labels.height();
  parallel_for(ctx, height, tables.rows_per_piece(labels.view.extent), [&](i64 begin, i64 end, int worker) {
    EdgeSums* own = tables.of(worker);
    for (i64 y = begin; y < end; ++y) {
      // Beside the image lies no object, and no edge either: there a row is compared with itself.
      const i64 over = y > 0 ? y - 1 : y, under = y + 1 < height ? y + 1 : y;
      const i32 *above = labels.view.row(static_cast<i32>(over)), *below = labels.view.row(static_cast<i32>(under));
      Beside above_runs(labels.runs.begin(over), labels.runs.end(over));
      Beside below_runs(labels.runs.begin(under), labels.runs.end(under));
      const u8* steep = edge.row(static_cast<i32>(y));
      for (const LabelRun* run = labels.runs.begin(y); run < labels.runs.end(y); ++run) {
        const auto [x0, x1, label] = *run;
        // An object's pixels from `inner` to `outer` have it above and below; its ends are edges but for those at the image's.
        i32 inner, outer, from, to;
        const bool plain = above_runs.has_one(*run, inner, outer) & below_runs.has_one(*run, from, to);
        const i32 first = x0 > 0 ? x0 + 1 : x0, last = x1 < width ? x1 - 1 : x1;
        i32 pixels, sum = 0;
        if (plain) {
          inner = std::min(std::max({inner, from, first}), x1), outer = std::max(std::min({outer, to, last}), inner);
          pixels = x1 - x0 - (outer - inner);
          for (i32 x = x0; x < inner; ++x) sum += steep[x];
          for (i32 x = outer; x < x1; ++x) sum += steep[x];
        } else {
          pixels = 0;
          for (i32 x = x0; x < x1; ++x) {
            const i32 at_edge = (x < first) | (x >= last) | (above[x] != label) | (below[x] != label);
            pixels += at_edge, sum += -at_edge & steep[x];
          }
        }
        own[label].pixels += pixels, own[label].sum += sum;
      }
    }
  });
  const EdgeSums* edges = tables.together(
      [](EdgeSums& to, const EdgeSums& more) { to.pixels += more.pixels, to.sum += more.sum; });
  scores[0] = 0;
  for (std::size_t l = 1; l < n; ++l) scores[l] = objects::preference(rule, sums[l], edges[l]);
}

/// A vote of pixels: who has the majority is left, whatever the order; whoever else is left must be counted. So pixels on no
/// candidate need no vote.
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
        each_overlap(kept, candidates, y, [&](i32 a, i32 b, i32 pixels) { fn(tables.of(worker)[a], a, b, pixels); });
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
  const std::size_t stride = static_cast<std::size_t>(width) + 2;  // nothing lies beside the image
  u8* rows = ctx.workspace.take<u8>(3 * stride * static_cast<std::size_t>(ctx.threads));
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int worker) {
    u8* own = rows + 3 * stride * static_cast<std::size_t>(worker) + 1;
    const auto stays = [&](i64 y) { return own + stride * static_cast<std::size_t>((y + 3) % 3); };
    const auto find = [&](i64 y) {
      u8* row = stays(y);
      std::memset(row - 1, 0, stride);
      if (y < 0 || y >= height) return;
      for (const LabelRun* r = kept.runs.begin(y); r < kept.runs.end(y); ++r)
        if (!won[home[r->label]]) std::memset(row + r->x0, 1, static_cast<std::size_t>(r->x1 - r->x0));
    };
    find(begin - 1);
    find(begin);
    for (i64 y = begin; y < end; ++y) {
      find(y + 1);
      const u8 *here = stays(y), *above = stays(y - 1), *below = stays(y + 1);
      u8* to = out.row(static_cast<i32>(y));
      std::memcpy(to, here, static_cast<std::size_t>(width));
      for (const LabelRun* r = candidates.runs.begin(y); r < candidates.runs.end(y); ++r) {
        if (!won[r->label]) continue;
        for (i32 x = r->x0; x < r->x1; ++x) to[x] = here[x] | !(above[x] | below[x] | here[x - 1] | here[x + 1]);
      }
    }
  });
}

}  // namespace

// Memory: as its descriptor says. Cost: two passes over each label image, some over its runs, two over the labels.
void better_labels(Context& ctx, const op::Segmentation& kept, const op::Segmentation& candidates, ConstPlane edge, Plane out,
                   const PreferenceRule& rule) {
  op::better_labels::check(kept, candidates, edge, out, rule);
  const Extent e = kept.labels.extent;
  if (e.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const auto labels = [&](const op::Segmentation& of) {
    return Labels{of.labels.view<i32>(), of.count, label_runs(ctx, of.labels.view<i32>(), of.count)};
  };
  const Labels a = labels(kept), b = labels(candidates);
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
        each_overlap(a, b, y, [&](i32 la, i32 lb, i32 pixels) { counts.of(worker)[lb] += home[la] != lb ? pixels : 0; });
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
