// Turns a label image into objects: their runs, shapes and stain statistics.
#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "contract/object_shape.hpp"
#include "cpu/components/label_runs.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "stain_sums.hpp"

namespace morpho::cpu {

using namespace objects;

namespace {

/// Runs and the label of each, side by side.
struct RunList {
  i32* label;
  Run* run;
};

/// Bits of a label that one pass of the sort looks at.
constexpr int kDigit = 11;
/// A list of runs is cut into so many pieces, whatever the number of threads.
i64 pieces_of(i64 count) { return std::clamp<i64>(count >> 15, 1, 32); }

i64 stained_pixels(const Run* runs, const Run* end, const View<const Rgba>& rgba, const i64 (&table)[3][256], i64 above) {
  i64 stained = 0;
  for (const Run* r = runs; r != end; ++r) {
    const Rgba* row = rgba.row(r->y);
    for (i32 x = r->x0; x < r->x1; ++x) stained += (table[0][row[x].r] + table[1][row[x].g] + table[2][row[x].b]) >> 16 > above;
  }
  return stained;
}

/// What `value` is above `below` under some runs, added up; `below` may be absent.
template <class V>
i64 value_sum(const Run* runs, const Run* end, const View<const V>& value, const View<const V>& below) {
  i64 sum = 0;
  for (const Run* r = runs; r != end; ++r) {
    const V* v = value.row(r->y);
    for (i32 x = r->x0; x < r->x1; ++x) sum += v[x];
    if (!below.data) continue;
    const V* b = below.row(r->y);
    for (i32 x = r->x0; x < r->x1; ++x) sum -= b[x];
  }
  return sum;
}

/// Objects of so many runs and more are summed in parts of kPart, so that several threads share the largest.
constexpr i64 kLarge = 512, kPart = 128;
struct LargeObject {
  i64 object, first_part;
};
struct PartSums {
  ShapePart shape;
  StainSums stains;
  i64 value = 0;
};

/// What lies under the labels.
struct Beneath {
  View<const Rgba> rgba;
  const ObjectStainTables& tables;
  const StainAdder& adder;
  ConstPlane value, below;
  i32 stained;
  i64 stained_above;

  /// Of the runs [from, to) of an object whose runs end at `end`.
  PartSums sums(const Run* from, const Run* to, const Run* end) const {
    PartSums all;
    all.shape = shape_part(from, to, end);
    if (rgba.data) all.stains = adder.sums(from, to, rgba);
    if (is_stain_asked()) all.stains.stained = stained_pixels(from, to, rgba, tables.of[stained], stained_above);
    if (value.present()) all.value = value.type == PixelType::u16 ? value_of<u16>(from, to) : value_of<u8>(from, to);
    return all;
  }

  bool is_stain_asked() const { return rgba.data && stained >= 0; }

 private:
  template <class V>
  i64 value_of(const Run* from, const Run* to) const {
    return value_sum<V>(from, to, value.view<V>(), below.present() ? below.view<V>() : View<const V>());
  }
};

/// Calls fn(piece, begin, end) for the pieces of a list, in parallel.
template <class Fn>
void for_pieces(const Context& ctx, i64 count, Fn&& fn) {
  const i64 pieces = pieces_of(count);
  parallel_for(ctx, pieces, 1, [&](i64 k, i64, int) { fn(k, count * k / pieces, count * (k + 1) / pieces); });
}

/// Where the runs of each row begin in raster order, and after the last row how many there are; and the largest label.
i32 count_runs(Context& ctx, const View<const i32>& labels, i64* first) {
  const i32 w = labels.width(), h = labels.height();
  std::atomic<i32> largest{0};
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int) {
    i32 most = 0;
    for (i64 y = begin; y < end; ++y) {
      i64 n = 0;
      each_label_run(labels.row(static_cast<i32>(y)), w, op::kMostInt, [&](i32, i32, i32 label) {
        most = std::max(most, label);
        ++n;
      });
      first[y + 1] = n;
    }
    for (i32 seen = largest; seen < most && !largest.compare_exchange_weak(seen, most);) {}
  });
  first[0] = 0;
  for (i32 y = 0; y < h; ++y) first[y + 1] += first[y];
  return largest;
}

/// Runs of all labels > 0, in raster order.
void collect_runs(Context& ctx, const View<const i32>& labels, const i64* first, RunList to) {
  parallel_for(ctx, labels.height(), rows_per_piece(labels.width()), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      i64 at = first[y];
      each_label_run(labels.row(y), labels.width(), op::kMostInt, [&](i32 x0, i32 x1, i32 label) {
        to.label[at] = label;
        to.run[at++] = {y, x0, x1};
      });
    }
  });
}

/// Writes the runs of `from` to `to` by the bits [shift, shift + bits) of their labels, those of one value in the order that
/// they had. `next`: 2^bits counters for each piece.
void sort_by_digit(Context& ctx, i64 count, RunList from, RunList to, int shift, int bits, i64* next) {
  const i64 pieces = pieces_of(count), values = i64{1} << bits;
  const auto digit = [=](i64 i) { return (from.label[i] >> shift) & (values - 1); };
  for_pieces(ctx, count, [&](i64 k, i64 begin, i64 end) {
    i64* mine = next + k * values;
    std::fill_n(mine, values, 0);
    for (i64 i = begin; i < end; ++i) ++mine[digit(i)];
  });
  i64 at = 0;
  for (i64 v = 0; v < values; ++v) {
    for (i64 k = 0; k < pieces; ++k) at += std::exchange(next[k * values + v], at);
  }
  for_pieces(ctx, count, [&](i64 k, i64 begin, i64 end) {
    i64* mine = next + k * values;
    for (i64 i = begin; i < end; ++i) {
      const i64 place = mine[digit(i)]++;
      to.label[place] = from.label[i];
      to.run[place] = from.run[i];
    }
  });
}

/// The objects' first runs and labels, of runs that are sorted by label.
void cut_objects(Context& ctx, i64 count, const i32* label, i64* heads, ObjectSet& out) {
  const auto each_head = [&](i64 begin, i64 end, auto&& fn) {
    for (i64 i = begin; i < end; ++i) {
      if (i == 0 || label[i] != label[i - 1]) fn(i);
    }
  };
  for_pieces(ctx, count, [&](i64 k, i64 begin, i64 end) {
    i64 n = 0;
    each_head(begin, end, [&](i64) { ++n; });
    heads[k] = n;
  });
  i64 objects = 0;
  for (i64 k = 0; k < pieces_of(count); ++k) objects += std::exchange(heads[k], objects);
  out.objects.clear();
  out.objects.resize(static_cast<std::size_t>(objects));
  out.run_offsets.clear();
  out.run_offsets.resize(static_cast<std::size_t>(objects) + 1);
  out.run_offsets.back() = count;
  for_pieces(ctx, count, [&](i64 k, i64 begin, i64 end) {
    std::size_t object = static_cast<std::size_t>(heads[k]);
    each_head(begin, end, [&](i64 i) {
      out.run_offsets[object] = i;
      out.objects[object] = {};
      out.objects[object++].label = label[i];
    });
  });
}

/// The measurements of objects whose runs and labels are there.
void measure_objects(Context& ctx, const Beneath& beneath, const MeasureParams& p, i32 height, ObjectSet& out) {
  const i64 objects = static_cast<i64>(out.objects.size());
  const auto first_run = [&](i64 object) { return out.run_offsets[static_cast<std::size_t>(object)]; };
  const auto runs_of = [&](i64 object) { return first_run(object + 1) - first_run(object); };
  i64 large = 0, parts = 0;
  for (i64 i = 0; i < objects; ++i) large += runs_of(i) >= kLarge;
  LargeObject* larges = ctx.workspace.take<LargeObject>(static_cast<std::size_t>(large));
  LargeObject* next = larges;
  for (i64 i = 0; i < objects; ++i) {
    if (runs_of(i) < kLarge) continue;
    *next++ = {i, parts};
    parts += (runs_of(i) + kPart - 1) / kPart;
  }
  const auto later = [](i64 value, const LargeObject& l) { return value < l.first_part; };
  PartSums* sums = ctx.workspace.take<PartSums>(static_cast<std::size_t>(parts));
  parallel_for(ctx, parts, 8, [&](i64 begin, i64 end, int) {
    const LargeObject* of = std::upper_bound(larges, larges + large, begin, later) - 1;
    for (i64 part = begin; part < end; ++part) {
      while (of + 1 < larges + large && of[1].first_part <= part) ++of;
      const Run *first = out.runs.data() + first_run(of->object), *last = first + runs_of(of->object);
      const Run *from = first + kPart * (part - of->first_part), *to = std::min(from + kPart, last);
      sums[part] = beneath.sums(from, to, last);
    }
  });
  const std::size_t threads = static_cast<std::size_t>(std::max(1, ctx.threads)),
                    corners = 4 * static_cast<std::size_t>(height);
  Corner* chains = ctx.workspace.take<Corner>(threads * corners);
  parallel_for(ctx, objects, 64, [&](i64 begin, i64 end, int worker) {
    const LargeObject* of = std::lower_bound(larges, larges + large, begin,
                                             [](const LargeObject& l, i64 object) { return l.object < object; });
    for (i64 i = begin; i < end; ++i) {
      ObjectMeasurement& m = out.objects[static_cast<std::size_t>(i)];
      const i64 n = runs_of(i);
      const Run* runs = out.runs.data() + first_run(i);
      PartSums all;
      if (n < kLarge) {
        all = beneath.sums(runs, runs + n, runs + n);
      } else {
        const PartSums* part = sums + of++->first_part;
        all = *part;
        for (const PartSums* last = part + (n + kPart - 1) / kPart; ++part != last;) {
          all.shape.add(part->shape);
          all.stains.add(part->stains);
          all.value += part->value;
        }
      }
      finish_shape(complete(all.shape, runs, n, chains + static_cast<std::size_t>(worker) * corners), p.aspect, m);
      if (beneath.rgba.data) finish_stains(all.stains.sum, all.stains.square, all.stains.low, all.stains.high, m);
      if (beneath.value.present()) finish_values(all.value, p, m);
      else finish_without_values(m);
      if (beneath.is_stain_asked()) finish_stained(all.stains.stained, m);
      else finish_unstained(m);
    }
  });
}

}  // namespace

// Memory: 20 bytes a run (at most one a pixel) and 16 KiB for each 32768 runs (512 KiB at most), or 64 a row and thread where
// that is more; 8 a row; the result is in vectors. Cost: two passes over the labels; the runs sorted by label, 11 bits a pass
// (a stable counting sort, so no more than three passes, and two for up to 4 million labels); one pass over the runs, and one
// over the objects' colours and values. All of it in parallel.
// Source: Crofton's formula as in Legland et al. 2007; monotone chains as in Andrew 1979.
void measure(Context& ctx, ConstPlane labels, View<const Rgba> rgba, ConstPlane value, ConstPlane below, ObjectSet& out,
             const MeasureParams& p) {
  op::measure::check(labels, rgba, value, below, p);
  if (labels.extent.empty()) {
    out.objects.clear();
    out.runs.clear();
    out.run_offsets.assign(1, 0);
    return;
  }

  const Workspace::Scope scope(ctx.workspace);
  i64* first = ctx.workspace.take<i64>(static_cast<std::size_t>(labels.extent.height) + 1);
  const View<const i32> image = labels.view<i32>();
  const i32 largest = count_runs(ctx, image, first);
  const i64 count = first[labels.extent.height];
  const std::size_t n = static_cast<std::size_t>(count);
  out.runs.clear();  // so that nothing of an earlier call is moved
  out.runs.resize(n);
  {
    const Workspace::Scope sorting(ctx.workspace);
    const RunList last{ctx.workspace.take<i32>(n), out.runs.data()},
        other{ctx.workspace.take<i32>(n), ctx.workspace.take<Run>(n)};
    i64* next = ctx.workspace.take<i64>(static_cast<std::size_t>(pieces_of(count)) << kDigit);
    const int bits = std::max<int>(1, std::bit_width(static_cast<unsigned>(largest))), passes = (bits + kDigit - 1) / kDigit;
    const int width = (bits + passes - 1) / passes;
    RunList from = passes % 2 ? other : last, to = passes % 2 ? last : other;
    collect_runs(ctx, image, first, from);
    for (int pass = 0; pass < passes; ++pass) {
      ctx.check_cancelled();
      sort_by_digit(ctx, count, from, to, pass * width, width, next);
      std::swap(from, to);
    }
    cut_objects(ctx, count, last.label, next, out);
  }
  ctx.check_cancelled();
  const ObjectStainTables tables(p);
  const StainAdder adder(tables);
  measure_objects(ctx, {rgba, tables, adder, value, below, p.stained, p.stained_above}, p, labels.extent.height, out);
}

}  // namespace morpho::cpu
