// Reads a window's core once more under cells, and adds up what lies in each part of them (see cell_measures.hpp).
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "../../contract/object_shape.hpp"
#include "cell_measures.hpp"
#include "measure_runs.hpp"

namespace morpho::engine {

inline constexpr auto kCellFigures = static_cast<std::size_t>(kChannelFigures);

inline int sources_of(const slide::SlideInfo& info) {
  const int channels = measured_channels(info);
  return channels > 0 ? channels : 3;
}

inline bool rect_holds(const Rect& outer, const Rect& inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

inline Rect both_of(const Rect& a, const Rect& b) {
  const i64 x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::min(a.x + a.width, b.x + b.width) - x, std::min(a.y + a.height, b.y + b.height) - y};
}

/// The box of an object and `more` around it, where the image has it; px of the window.
inline Rect around(const WindowJob& job, const ObjectMeasurement& m, i64 more) {
  const Rect box{m.min_x - more, m.min_y - more, m.max_x - m.min_x + 1 + 2 * more, m.max_y - m.min_y + 1 + 2 * more};
  return both_of(box, {-job.x, -job.y, job.image.width, job.image.height});
}

/// Some pixels of each object as a set that can be measured: nothing of it is known but boxes and runs.
inline ObjectSet unmeasured(const CellRuns& runs) {
  ObjectSet set;
  set.run_offsets.push_back(0);
  for (std::size_t k = 0; k + 1 < runs.offsets.size(); ++k) {
    const std::span<const Run> own = runs.of(k);
    if (own.empty()) continue;
    ObjectMeasurement m{};
    m.label = static_cast<i32>(k) + 1;
    m.first_y = m.min_y = own.front().y, m.max_y = own.back().y, m.first_x = own.front().x0;
    m.min_x = own.front().x0, m.max_x = own.front().x1 - 1;
    for (const Run& run : own) {
      m.min_x = std::min(m.min_x, run.x0), m.max_x = std::max(m.max_x, run.x1 - 1);
      m.area += run.x1 - run.x0;
    }
    set.objects.push_back(m);
    set.runs.insert(set.runs.end(), own.begin(), own.end());
    set.run_offsets.push_back(static_cast<i64>(set.runs.size()));
  }
  return set;
}

/// One object as a set of its own.
inline ObjectSet alone_of(const ObjectSet& found, std::size_t object) {
  ObjectSet one;
  one.objects.push_back(found.objects[object]);
  const auto begin = found.runs.begin() + found.run_offsets[object], end = found.runs.begin() + found.run_offsets[object + 1];
  one.runs.assign(begin, end);
  one.run_offsets = {0, end - begin};
  return one;
}

/// The cells of a window whose surroundings lie in its core.
class MeasuringCells {
 public:
  MeasuringCells(const WindowJob& job, const ObjectSet& found, std::span<const u8> wanted, const CellParams& cells,
                 const MembraneRule& membrane, Resources& resources, const CancelFlag* cancel)
      : job_(job), found_(found), cells_(cells), membrane_(membrane), cancel_(cancel), lease_(resources.workspaces) {
    map_ = cells_around(found, job.core, cells.reach, cancel);
    parts_ = parts_of_cells(map_, found, cells.ring, cancel);
    out_.runs = runs_of_cells(map_, parts_, wanted, {Part::nucleus, Part::cytoplasm, Part::membrane});
    cytoplasm_ = runs_of_cells(map_, parts_, wanted, {Part::cytoplasm});
    ring_ = runs_of_cells(map_, parts_, wanted, {Part::membrane});
    nothing_measured();
  }

  /// Those that are given, in place of those around nuclei.
  MeasuringCells(const WindowJob& job, const ObjectSet& found, const CellRuns& given, const CellParams& cells,
                 const MembraneRule& membrane, Resources& resources, const CancelFlag* cancel)
      : job_(job), found_(found), cells_(cells), membrane_(membrane), cancel_(cancel), lease_(resources.workspaces) {
    given_ = &given;
    constexpr u8 wanted[] = {1};
    for (std::size_t k = 0; k < found.objects.size(); ++k) {
      const bool has_cell = !given.of(k).empty();
      if (has_cell) look_at(k);
      const auto append = [&](CellRuns& to, std::initializer_list<Part> which) {
        const CellRuns more = has_cell ? runs_of_cells(map_, parts_, wanted, which) : CellRuns{};
        to.offsets.push_back(static_cast<i64>(to.runs.size()));
        to.runs.insert(to.runs.end(), more.runs.begin(), more.runs.end());
      };
      append(out_.runs, {Part::nucleus, Part::cytoplasm, Part::membrane});
      append(cytoplasm_, {Part::cytoplasm});
      append(ring_, {Part::membrane});
    }
    for (CellRuns* all : {&out_.runs, &cytoplasm_, &ring_}) all->offsets.push_back(static_cast<i64>(all->runs.size()));
    nothing_measured();
  }

  Cells take() {
    for (std::size_t k = 0; k < found_.objects.size(); ++k) {
      if (out_.runs.of(k).empty()) continue;
      set(k, CellFigure::area, pixels(out_.runs.of(k)));
      set(k, CellFigure::cytoplasm_area, pixels(cytoplasm_.of(k)));
    }
    if (measured_channels(job_.slide->info()) > 0) {
      const int channels = measured_channels(job_.slide->info());
      channels_of(cytoplasm_, kCellGroups);
      channels_of(ring_, kCellGroups + channels);
    } else {
      stains();
    }
    auto& unread = out_.figures.unread;
    std::sort(unread.begin(), unread.end());
    unread.erase(std::unique(unread.begin(), unread.end()), unread.end());
    return std::move(out_);
  }

 private:
  void nothing_measured() {
    out_.figures.columns = cell_columns(job_.slide->info(), cells_);
    out_.figures.values.assign(found_.objects.size() * static_cast<std::size_t>(out_.figures.columns), kNotMeasured);
  }

  /// Where cells are given, `map_` and `parts_` are of one of them.
  void look_at(std::size_t object) {
    if (!given_) return;
    if (cancel_ && cancel_->load(std::memory_order_relaxed)) throw Cancelled{};
    const ObjectSet nucleus = alone_of(found_, object);
    const std::span<const Run> own = given_->of(object);
    ObjectMeasurement box = found_.objects[object];
    for (const Run& run : own) {
      box.min_x = std::min(box.min_x, run.x0), box.max_x = std::max(box.max_x, run.x1 - 1);
      box.min_y = std::min(box.min_y, run.y), box.max_y = std::max(box.max_y, run.y);
    }
    const Rect field = around(job_, box, static_cast<i64>(std::ceil(cells_.ring)) + 1);
    map_ = {field, std::vector<i32>(static_cast<std::size_t>(field.width * field.height), 0)};
    const auto paint = [&](const Run& run) {
      const auto row = map_.owner.begin() + (run.y - field.y) * field.width - field.x;
      std::fill(row + run.x0, row + run.x1, 1);
    };
    std::for_each(own.begin(), own.end(), paint);
    std::for_each(nucleus.runs.begin(), nucleus.runs.end(), paint);
    parts_ = parts_of_cells(map_, nucleus, cells_.ring, cancel_);
    first_ = object;
  }

  static double pixels(std::span<const Run> runs) {
    i64 all = 0;
    for (const Run& run : runs) all += run.x1 - run.x0;
    return static_cast<double>(all);
  }
  double* group(std::size_t object, int at) {
    return out_.figures.values.data() + object * static_cast<std::size_t>(out_.figures.columns) +
           static_cast<std::size_t>(at) * kCellFigures;
  }
  void set(std::size_t object, CellFigure figure, double value) { group(object, 0)[static_cast<int>(figure)] = value; }

  void channels_of(const CellRuns& runs, int first) {
    const ObjectSet set = unmeasured(runs);
    const ChannelMeasures measures = measure_channels(*job_.slide, job_.scale, job_.x, job_.y, set, cancel_);
    const auto columns = static_cast<std::size_t>(measures.columns);
    for (std::size_t k = 0; k < set.objects.size(); ++k)
      std::copy_n(measures.values.data() + k * columns, columns,
                  group(static_cast<std::size_t>(set.objects[k].label - 1), first));
    add_parts(out_.figures.parts, measures.parts);
    for (const std::size_t k : measures.unread)
      out_.figures.unread.push_back(static_cast<std::size_t>(set.objects[k].label - 1));
  }

  void stains() {
    const MeasureParams params = measured_by(job_);
    const Rect& core = job_.core;
    const Extent extent{static_cast<i32>(core.width), static_cast<i32>(core.height)};
    Context ctx{*lease_, job_.threads, cancel_};
    const Workspace::Scope scope(ctx.workspace);
    const View<Rgba> pixels(ctx.workspace.take<Rgba>(static_cast<std::size_t>(extent.area())), extent);
    const auto lost = read_scaled(cpu::table(), ctx, *job_.slide, job_.scale, job_.x + core.x, job_.y + core.y, pixels);
    ctx.check_cancelled();
    const objects::ObjectStainTables tables(params);
    for (std::size_t k = 0; k < found_.objects.size(); ++k) {
      if (out_.runs.of(k).empty()) continue;
      add_stains(k, cytoplasm_.of(k), pixels, tables, kCellGroups);
      add_stains(k, ring_.of(k), pixels, tables, kCellGroups + 3);
      if (membrane_.stain < 0) continue;
      look_at(k);
      score(k, pixels, tables);
    }
    leave_out(lost);
  }

  const Rgba& at(const View<Rgba>& pixels, i64 x, i64 y) const {
    return pixels.row(static_cast<i32>(y - job_.core.y))[x - job_.core.x];
  }
  static i64 density(const objects::ObjectStainTables& tables, int stain, const Rgba& p) {
    const auto& t = tables.of[stain];
    return (t[0][p.r] + t[1][p.g] + t[2][p.b]) >> 16;
  }

  void add_stains(std::size_t object, std::span<const Run> runs, const View<Rgba>& pixels,
                  const objects::ObjectStainTables& tables, int first) {
    if (runs.empty()) return;
    objects::StainSums all;
    ObjectMeasurement m{};
    for (const Run& run : runs) {
      m.area += run.x1 - run.x0;
      for (i64 x = run.x0; x < run.x1; ++x)
        for (int s = 0; s < 3; ++s) {
          const i64 q = density(tables, s, at(pixels, x, run.y));
          all.sum[s] += q, all.square[s] += q * q;
          all.low[s] = std::min(all.low[s], q), all.high[s] = std::max(all.high[s], q);
        }
    }
    objects::finish_stains(all.sum, all.square, all.low, all.high, m);
    for (int s = 0; s < 3; ++s) {
      double* const to = group(object, first + s);
      to[0] = m.stain_mean[s], to[1] = m.stain_std[s], to[2] = m.stain_min[s], to[3] = m.stain_max[s];
      to[4] = m.stain_mean[s] * static_cast<double>(m.area);
    }
  }

  bool is_of(i64 x, i64 y, std::size_t object) const {
    const Rect& f = map_.field;
    return x >= f.x && y >= f.y && x < f.x + f.width && y < f.y + f.height &&
           map_.at(x, y) == static_cast<i32>(object - first_) + 1;
  }
  Part part(i64 x, i64 y) const {
    return parts_[static_cast<std::size_t>((y - map_.field.y) * map_.field.width + x - map_.field.x)];
  }
  /// The image's edge is nobody's border.
  bool is_border(i64 x, i64 y, std::size_t object) const {
    const Rect image{-job_.x, -job_.y, job_.image.width, job_.image.height};
    constexpr std::pair<i64, i64> sides[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    return std::any_of(std::begin(sides), std::end(sides), [&](const auto& side) {
      const i64 u = x + side.first, v = y + side.second;
      return rect_holds(image, {u, v, 1, 1}) && !is_of(u, v, object);
    });
  }

  void score(std::size_t object, const View<Rgba>& pixels, const objects::ObjectStainTables& tables) {
    const auto limit = static_cast<i64>(std::floor(membrane_.limit * kOdUnit));
    const auto is_stained = [&](i64 x, i64 y) { return density(tables, membrane_.stain, at(pixels, x, y)) > limit; };
    i64 sum = 0, stained = 0;
    for (const Run& run : ring_.of(object))
      for (i64 x = run.x0; x < run.x1; ++x)
        if (is_stained(x, run.y)) sum += density(tables, membrane_.stain, at(pixels, x, run.y)), ++stained;
    const ObjectMeasurement& m = found_.objects[object];
    i64 border = 0, met = 0;
    for (const Run& run : ring_.of(object))
      for (i64 x = run.x0; x < run.x1; ++x) {
        if (!is_border(x, run.y, object)) continue;
        ++border;
        const double dx = m.centroid_x - 0.5 - static_cast<double>(x), dy = m.centroid_y - 0.5 - static_cast<double>(run.y);
        const double far = std::max(1.0, std::sqrt(dx * dx + dy * dy));
        for (i64 step = 0; static_cast<double>(step) <= std::min(cells_.ring, far); ++step) {
          const i64 u = x + static_cast<i64>(std::floor(dx * static_cast<double>(step) / far + 0.5));
          const i64 v = run.y + static_cast<i64>(std::floor(dy * static_cast<double>(step) / far + 0.5));
          if (!is_of(u, v, object) || part(u, v) != Part::membrane || !is_stained(u, v)) continue;
          ++met;
          break;
        }
      }
    if (border == 0) return;
    const double share = static_cast<double>(met) / static_cast<double>(border);
    const double intensity = stained > 0 ? static_cast<double>(sum) / static_cast<double>(stained) / kOdUnit : 0;
    set(object, CellFigure::completeness, 100 * share);
    set(object, CellFigure::intensity, intensity);
    const bool complete = share >= membrane_.complete;
    const int grade = share < membrane_.least || stained == 0       ? 0
                      : complete && intensity >= membrane_.strong   ? 3
                      : complete && intensity >= membrane_.moderate ? 2
                                                                    : 1;
    set(object, CellFigure::score, grade);
  }

  void leave_out(const std::vector<slide::Unreadable>& parts) {
    if (parts.empty()) return;
    std::vector<Run> lost;
    const Extent all{static_cast<i32>(job_.core.x + job_.core.width), static_cast<i32>(job_.core.y + job_.core.height)};
    for (const Rect& r : window_px(parts, job_.scale, job_.x, job_.y, all)) {
      const std::vector<Run> rows = runs_of(r);
      lost.insert(lost.end(), rows.begin(), rows.end());
    }
    for (std::size_t k = 0; k < found_.objects.size(); ++k) {
      const std::span<const Run> own = out_.runs.of(k);
      if (own.empty() || within({own.begin(), own.end()}, lost).empty()) continue;
      std::fill_n(group(k, 0) + 2, static_cast<std::size_t>(out_.figures.columns) - 2, kNotMeasured);
      out_.figures.unread.push_back(k);
    }
    add_parts(out_.figures.parts, parts);
  }

  const WindowJob& job_;
  const ObjectSet& found_;
  const CellParams& cells_;
  const MembraneRule& membrane_;
  const CancelFlag* cancel_;
  WorkspacePool::Lease lease_;
  const CellRuns* given_ = nullptr;  ///< px of the window
  std::size_t first_ = 0;            ///< the object that `map_` calls 1
  CellMap map_;
  std::vector<Part> parts_;
  CellRuns cytoplasm_, ring_;
  Cells out_;
};

}  // namespace morpho::engine
