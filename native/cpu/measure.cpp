// Turns a label image into objects: their runs, shapes and stain statistics.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "contract/tables.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/parallel.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {

namespace {

__extension__ typedef __int128 i128;

struct LabelRun {
  i32 label;
  Run run;
};

/// Calls fn(label, x0, x1) for each run of equal labels > 0 of a row.
template <class Fn>
void for_runs(const i32* row, i32 n, Fn&& fn) {
  for (i32 x = 0; x < n;) {
    const i32 label = row[x];
    i32 end = x + 1;
    while (end < n && row[end] == label) ++end;
    if (label > 0) fn(label, x, end);
    x = end;
  }
}

/// How many pixels of `run`, moved by `shift`, the runs [*next, end) of the row below cover. Moves *next past what is left behind.
i64 covered(const Run& run, i32 shift, const Run*& next, const Run* end) {
  const i64 x0 = i64{run.x0} + shift, x1 = i64{run.x1} + shift;
  while (next != end && next->x1 <= x0) ++next;
  i64 sum = 0;
  for (const Run* r = next; r != end && r->x0 < x1; ++r) sum += std::min<i64>(r->x1, x1) - std::max<i64>(r->x0, x0);
  return sum;
}

/// Pixels of the object whose neighbour one row down and `shift` columns to the right is not of the object.
i64 exits_down(const Run* runs, i64 count, i32 shift, i64 area) {
  const Run *end = runs + count, *below = runs;
  i64 inside = 0;
  for (const Run* r = runs; r != end;) {
    const i32 y = r->y;
    const Run* row_end = r;
    while (row_end != end && row_end->y == y) ++row_end;
    below = row_end;
    const Run* below_end = below;
    while (below_end != end && below_end->y == y + 1) ++below_end;
    for (; r != row_end; ++r) inside += covered(*r, shift, below, below_end);
  }
  return area - inside;
}

struct Corner {
  i64 x, y;
};
/// Twice the signed area of the turn a -> b -> c.
i64 turn(const Corner& a, const Corner& b, const Corner& c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/// Twice the area of the convex hull of the corners of the pixels. `chain` holds two chains of rows + 1 corners, or more.
i64 hull_area2(const Run* runs, i64 count, Corner* chain) {
  // Row by row from top to bottom: the leftmost corners make one chain, the rightmost the other; each stays convex as it grows.
  Corner *left = chain, *right = chain + (2 * (i64{runs[count - 1].y} - runs[0].y + 1));
  i64 nl = 0, nr = 0;
  const auto push = [](Corner* c, i64& n, Corner p, i64 sign) {
    while (n >= 2 && sign * turn(c[n - 2], c[n - 1], p) <= 0) --n;
    c[n++] = p;
  };
  for (i64 i = 0; i < count;) {
    const i64 y = runs[i].y, x0 = runs[i].x0;
    while (i < count && runs[i].y == y) ++i;
    const i64 x1 = runs[i - 1].x1;
    // y points down, so the left chain turns one way (negative here) and the right chain the other.
    for (i64 at : {y, y + 1}) {
      push(left, nl, {x0, at}, -1);
      push(right, nr, {x1, at}, 1);
    }
  }
  i64 area2 = 0;
  const auto edge = [&](const Corner& a, const Corner& b) { area2 += a.x * b.y - b.x * a.y; };
  for (i64 i = 0; i + 1 < nl; ++i) edge(left[i], left[i + 1]);
  edge(left[nl - 1], right[nr - 1]);
  for (i64 i = nr - 1; i > 0; --i) edge(right[i], right[i - 1]);
  edge(right[0], left[0]);
  return area2 < 0 ? -area2 : area2;
}

void measure_shape(const Run* runs, i64 count, Corner* chain, ObjectMeasurement& m) {
  m.first_x = runs[0].x0;
  m.first_y = runs[0].y;
  m.min_y = runs[0].y;
  m.max_y = runs[count - 1].y;
  m.min_x = runs[0].x0;
  m.max_x = runs[0].x1 - 1;
  m.area = 0;
  for (i64 i = 0; i < count; ++i) {
    m.min_x = std::min(m.min_x, runs[i].x0);
    m.max_x = std::max(m.max_x, runs[i].x1 - 1);
    m.area += runs[i].x1 - runs[i].x0;
  }
  // Moments about the corner of the bounding box. Sums over x in [a, b): b(b-1)/2 - a(a-1)/2, and s(b) - s(a), s(n) = (n-1)n(2n-1)/6.
  i128 sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  const auto squares = [](i128 n) { return (n - 1) * n * (2 * n - 1) / 6; };
  for (i64 i = 0; i < count; ++i) {
    const i64 a = runs[i].x0 - m.min_x, b = runs[i].x1 - m.min_x, y = runs[i].y - m.min_y, n = b - a;
    const i64 x = (b * (b - 1) - a * (a - 1)) / 2;
    sx += x;
    sy += static_cast<i128>(y) * n;
    sxx += squares(b) - squares(a);
    syy += static_cast<i128>(y) * y * n;
    sxy += static_cast<i128>(y) * x;
  }
  const double area = static_cast<double>(m.area);
  m.centroid_x = m.min_x + static_cast<double>(sx) / area + 0.5;
  m.centroid_y = m.min_y + static_cast<double>(sy) / area + 0.5;
  // area² times the central moments: exact, so equal shapes give equal numbers wherever they lie.
  const i128 mxx = m.area * sxx - sx * sx, myy = m.area * syy - sy * sy, mxy = m.area * sxy - sx * sy;
  const double scale = 1 / (area * area);
  const double mean = 0.5 * static_cast<double>(mxx + myy) * scale + 1.0 / 12;
  const double spread = 0.5 * std::hypot(static_cast<double>(mxx - myy), 2 * static_cast<double>(mxy)) * scale;
  const double large = mean + spread, small = std::max(mean - spread, 0.0);
  m.major_axis = 4 * std::sqrt(large);
  m.minor_axis = 4 * std::sqrt(small);
  m.eccentricity = std::sqrt(std::max(0.0, 1 - small / large));
  m.orientation = 0;
  if (mxy != 0 || mxx != myy) {
    // Screen y points down, so counter-clockwise on screen is the other sign.
    const double angle = -0.5 * std::atan2(2 * static_cast<double>(mxy), static_cast<double>(mxx - myy)) * 180 / std::numbers::pi;
    m.orientation = angle <= -90 ? angle + 180 : angle + 0.0;
  }
  const double axial = static_cast<double>(count + exits_down(runs, count, 0, m.area));
  const double slanted = static_cast<double>(exits_down(runs, count, 1, m.area) + exits_down(runs, count, -1, m.area));
  m.perimeter = std::numbers::pi / 4 * (axial + slanted / std::numbers::sqrt2);
  m.circularity = std::min(1.0, 4 * std::numbers::pi * area / (m.perimeter * m.perimeter));
  m.solidity = 2 * area / static_cast<double>(hull_area2(runs, count, chain));
}

/// The three concentrations of a colour, each in 1/1024 OD.
struct StainTables {
  i64 of[3][3][256];  ///< [stain][channel][value] = row * OD; a half for rounding is in channel 0

  explicit StainTables(const MeasureParams& p) {
    for (int s = 0; s < 3; ++s) {
      for (int c = 0; c < 3; ++c) {
        i32 od[256];
        od_table(p.stains[s].white[c], od);
        for (i32 v = 0; v < 256; ++v) of[s][c][v] = static_cast<i64>(p.stains[s].row[c]) * od[v] + (c == 0 ? 32768 : 0);
      }
    }
  }
};

void measure_stains(const Run* runs, i64 count, const View<const Rgba>& rgba, const StainTables& tables, ObjectMeasurement& m) {
  i128 squares[3] = {0, 0, 0}, sums[3] = {0, 0, 0};
  i64 low[3], high[3];
  for (int s = 0; s < 3; ++s) {
    low[s] = INT64_MAX;
    high[s] = INT64_MIN;
  }
  for (i64 i = 0; i < count; ++i) {
    const Rgba* row = rgba.row(runs[i].y);
    for (int s = 0; s < 3; ++s) {
      const auto& t = tables.of[s];
      i128 sum = 0, square = 0;
      for (i32 x = runs[i].x0; x < runs[i].x1; ++x) {
        const i64 q = (t[0][row[x].r] + t[1][row[x].g] + t[2][row[x].b]) >> 16;
        sum += q;
        square += static_cast<i128>(q) * q;
        low[s] = std::min(low[s], q);
        high[s] = std::max(high[s], q);
      }
      sums[s] += sum;
      squares[s] += square;
    }
  }
  const double n = static_cast<double>(m.area);
  for (int s = 0; s < 3; ++s) {
    m.stain_mean[s] = static_cast<double>(sums[s]) / n / kOdUnit;
    m.stain_std[s] = std::sqrt(static_cast<double>(m.area * squares[s] - sums[s] * sums[s])) / n / kOdUnit;
    m.stain_min[s] = static_cast<double>(low[s]) / kOdUnit;
    m.stain_max[s] = static_cast<double>(high[s]) / kOdUnit;
  }
}

/// Runs of all labels > 0, in raster order.
i64 collect_runs(Context& ctx, const View<const i32>& labels, LabelRun** runs) {
  const i32 w = labels.width(), h = labels.height();
  i64* first = ctx.workspace.take<i64>(static_cast<std::size_t>(h) + 1);
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      i64 n = 0;
      for_runs(labels.row(static_cast<i32>(y)), w, [&](i32, i32, i32) { ++n; });
      first[y + 1] = n;
    }
  });
  first[0] = 0;
  for (i32 y = 0; y < h; ++y) first[y + 1] += first[y];
  LabelRun* list = ctx.workspace.take<LabelRun>(static_cast<std::size_t>(first[h]));
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      LabelRun* to = list + first[y];
      for_runs(labels.row(y), w, [&](i32 label, i32 x0, i32 x1) { *to++ = {label, {y, x0, x1}}; });
    }
  });
  *runs = list;
  return first[h];
}

}  // namespace

// Memory: 16 bytes a run (at most one a pixel), 8 a row, 64 a row and thread; the result is in vectors. Cost: two passes over the
// labels, a sort of the runs, one pass over the runs, and one over the objects' colours.
// Source: Crofton's formula as in Legland et al. 2007; monotone chains as in Andrew 1979.
void measure(Context& ctx, ConstPlane labels, View<const Rgba> rgba, ObjectSet& out, const MeasureParams& p) {
  require_plane("labels", labels);
  require_type("labels", labels, {PixelType::i32});
  const bool colored = rgba.data != nullptr;
  if (colored) {
    require_plane("rgba", as_plane(rgba));
    require_same_extent("rgba", labels, as_plane(rgba));
  }
  for (const StainParams& s : p.stains) {
    for (i32 w : s.white) require_range("white", w, 1, 255);
    for (i32 r : s.row) require_range("row", r, -(1 << 24), 1 << 24);
  }
  out.objects.clear();
  out.runs.clear();
  out.run_offsets.assign(1, 0);
  if (labels.extent.empty()) return;

  Workspace::Scope scope(ctx.workspace);
  LabelRun* list;
  const i64 count = collect_runs(ctx, labels.view<i32>(), &list);
  // Raster order within a label: the key makes every run different, so any sort gives the same result.
  std::sort(list, list + count, [](const LabelRun& a, const LabelRun& b) {
    return a.label != b.label ? a.label < b.label : a.run.y != b.run.y ? a.run.y < b.run.y : a.run.x0 < b.run.x0;
  });
  out.runs.resize(static_cast<std::size_t>(count));
  for (i64 i = 0; i < count; ++i) {
    out.runs[static_cast<std::size_t>(i)] = list[i].run;
    if (i + 1 == count || list[i + 1].label != list[i].label) {
      out.run_offsets.push_back(i + 1);
      ObjectMeasurement m{};
      m.label = list[i].label;
      out.objects.push_back(m);
    }
  }
  ctx.check_cancelled();
  const std::size_t threads = static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads);
  const std::size_t corners = 4 * static_cast<std::size_t>(labels.extent.height);
  Corner* chains = ctx.workspace.take<Corner>(threads * corners);
  const StainTables tables(p);
  parallel_for(ctx, static_cast<i64>(out.objects.size()), 64, [&](i64 begin, i64 end, int worker) {
    for (i64 i = begin; i < end; ++i) {
      ObjectMeasurement& m = out.objects[static_cast<std::size_t>(i)];
      const i64 first = out.run_offsets[static_cast<std::size_t>(i)], n = out.run_offsets[static_cast<std::size_t>(i) + 1] - first;
      const Run* runs = out.runs.data() + first;
      measure_shape(runs, n, chains + static_cast<std::size_t>(worker) * corners, m);
      if (colored) measure_stains(runs, n, rgba, tables, m);
    }
  });
}

}  // namespace morpho::cpu
