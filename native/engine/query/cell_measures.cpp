// Cells around the nuclei of a window, around nuclei that people made, and cells that are given (see cell_measures.hpp).
#include "cell_measures.hpp"

#include <algorithm>

#include "measuring_cells.hpp"

namespace morpho::engine {
namespace {

/// The job's core as a window of its own.
WindowJob core_of(const WindowJob& job) {
  WindowJob here = job;
  here.x = job.x + job.core.x, here.y = job.y + job.core.y;
  here.core = {0, 0, job.core.width, job.core.height};
  here.extent = {static_cast<i32>(job.core.width), static_cast<i32>(job.core.height)};
  return here;
}

/// Runs in px of the image as the window has them.
std::vector<Run> runs_in(const WindowJob& window, std::vector<Run> runs) {
  for (Run& run : runs)
    run.y -= static_cast<i32>(window.y), run.x0 -= static_cast<i32>(window.x), run.x1 -= static_cast<i32>(window.x);
  return runs;
}

/// The window around what an object's cell depends on.
WindowJob job_around(const WindowJob& job, const Rect& needed) {
  const i64 halo = job.plan->halo;
  const Rect image{0, 0, job.image.width, job.image.height},
      core{needed.x + job.x, needed.y + job.y, needed.width, needed.height};
  const Rect window = both_of({core.x - halo, core.y - halo, core.width + 2 * halo, core.height + 2 * halo}, image);
  WindowJob alone = job_at(job, {window, core});
  alone.want_planes = false, alone.want_overlapping = true, alone.keep_stages = false, alone.witness = nullptr;
  return alone;
}

/// Puts the one object's cell of another window in place of `object`'s.
void put_cell(Cells& to, std::size_t object, Cells from, std::size_t there, i64 x, i64 y) {
  const std::span<const Run> own = from.runs.of(there);
  std::vector<Run> runs(own.begin(), own.end());
  for (Run& run : runs) {
    run.y += static_cast<i32>(y);
    run.x0 += static_cast<i32>(x), run.x1 += static_cast<i32>(x);
  }
  const auto begin = to.runs.offsets[object], end = to.runs.offsets[object + 1];
  to.runs.runs.erase(to.runs.runs.begin() + begin, to.runs.runs.begin() + end);
  to.runs.runs.insert(to.runs.runs.begin() + begin, runs.begin(), runs.end());
  for (std::size_t k = object + 1; k < to.runs.offsets.size(); ++k)
    to.runs.offsets[k] += static_cast<i64>(runs.size()) - (end - begin);
  const auto columns = static_cast<std::size_t>(to.figures.columns);
  std::copy_n(from.figures.values.data() + there * columns, columns, to.figures.values.data() + object * columns);
  add_parts(to.figures.parts, from.figures.parts);
  if (!from.figures.unread.empty()) to.figures.unread.push_back(object);
}

}  // namespace

int cell_columns(const slide::SlideInfo& info, const CellParams& cells) {
  return cells.on() ? kChannelFigures * (kCellGroups + 2 * sources_of(info)) : 0;
}

Cells measure_cells(const WindowJob& job, const ObjectSet& found, std::span<const u8> wanted, const CellParams& cells,
                    const MembraneRule& membrane, Resources& resources, const CancelFlag* cancel) {
  std::vector<u8> here(wanted.begin(), wanted.end());
  std::vector<std::size_t> apart;
  for (std::size_t k = 0; k < here.size(); ++k)
    if (here[k] && !rect_holds(job.core, around(job, found.objects[k], cells.needs()))) here[k] = 0, apart.push_back(k);
  Cells all = MeasuringCells(job, found, here, cells, membrane, resources, cancel).take();
  for (const std::size_t k : apart) {
    const ObjectMeasurement& m = found.objects[k];
    const WindowJob alone = job_around(job, around(job, m, cells.needs()));
    if (alone.extent.area() > kMostGrownPixels) continue;
    const WindowDone done = run_window(alone, resources, cancel);
    const auto& objects = done.output.objects.objects;
    const i64 dx = alone.x - job.x, dy = alone.y - job.y;
    std::vector<u8> one(objects.size(), 0);
    std::size_t there = 0;
    while (there < objects.size() && (objects[there].first_x + dx != m.first_x || objects[there].first_y + dy != m.first_y ||
                                      objects[there].area != m.area))
      ++there;
    if (there == objects.size()) continue;
    one[there] = 1;
    put_cell(all, k, MeasuringCells(alone, done.output.objects, one, cells, membrane, resources, cancel).take(), there, dx, dy);
  }
  return all;
}

Cells measure_made_cells(const WindowJob& job, const ObjectSet& made, const std::vector<Run>& neighbours,
                         const std::vector<i32>& offsets, const CellParams& cells, const MembraneRule& membrane,
                         Resources& resources, const CancelFlag* cancel) {
  if (!cells.on()) reject("cells.reachPx", "more than 0", "0");
  const WindowJob here = core_of(job);
  for (const ObjectMeasurement& m : made.objects)
    if (!rect_holds(here.core, around(here, m, cells.needs())))
      reject("fieldWidth", "a field with room for cells around the objects", "one that ends before it");
  const ObjectSet others = unmeasured({runs_in(here, neighbours), {offsets.begin(), offsets.end()}});
  ObjectSet all = made;
  all.objects.insert(all.objects.end(), others.objects.begin(), others.objects.end());
  for (std::size_t k = 1; k < others.run_offsets.size(); ++k)
    all.run_offsets.push_back(static_cast<i64>(made.runs.size()) + others.run_offsets[k]);
  all.runs.insert(all.runs.end(), others.runs.begin(), others.runs.end());
  std::vector<u8> wanted(all.objects.size(), 0);
  std::fill_n(wanted.begin(), made.objects.size(), u8{1});
  Cells found = MeasuringCells(here, all, wanted, cells, membrane, resources, cancel).take();
  found.runs.offsets.resize(made.objects.size() + 1);
  found.figures.values.resize(made.objects.size() * static_cast<std::size_t>(found.figures.columns));
  return found;
}

Cells measure_given_cells(const WindowJob& job, const ObjectSet& found, const std::vector<Run>& runs,
                          const std::vector<i32>& offsets, double ring, const MembraneRule& membrane, Resources& resources,
                          const CancelFlag* cancel) {
  const WindowJob here = core_of(job);
  if (offsets.size() != found.objects.size() + 1)
    reject("cellOffsets", "a cell or none an object", std::to_string(offsets.size()) + " offsets");
  std::vector<Run> own = runs_in(here, runs);
  for (const Run& run : own) {
    if (!rect_holds(here.core, {run.x0, run.y, run.x1 - run.x0, 1}))
      reject("cellRuns", "runs in the field", "one at " + std::to_string(run.x0) + ", " + std::to_string(run.y));
  }
  const CellRuns given{std::move(own), {offsets.begin(), offsets.end()}};
  // Any reach above 0 says that there are cells.
  return MeasuringCells(here, found, given, {1, ring}, membrane, resources, cancel).take();
}

}  // namespace morpho::engine
