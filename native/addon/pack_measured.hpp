// A window's objects measured in channels and cells, as its tiles take them; and what JavaScript asks of cells.
#pragma once
#include "../engine/query/cell_measures.hpp"
#include "../engine/query/channel_measures.hpp"
#include "../export/pack_window.hpp"
#include "check.hpp"

namespace morpho::addon {

/// What is asked of the cells around objects; without it there are none.
struct AskedCells {
  engine::CellParams cells;
  engine::MembraneRule membrane;
};
inline AskedCells get_cells(Napi::Value value) {
  AskedCells asked;
  if (!is_given(value)) return asked;
  const Napi::Object o = get_object(value, "cells");
  asked.cells.reach = get_number(o.Get("reachPx"), "cells.reachPx", 0, 400);
  asked.cells.ring = get_number(o.Get("ringPx"), "cells.ringPx", 0, 400);
  if (!is_given(o.Get("membrane"))) return asked;
  const Napi::Object rule = get_object(o.Get("membrane"), "cells.membrane");
  const auto number = [&](const char* name, double most) {
    return get_number(rule.Get(name), std::string("cells.membrane.") + name, 0, most);
  };
  asked.membrane.stain = static_cast<int>(get_integer(rule.Get("stain"), "cells.membrane.stain", 0, 2));
  asked.membrane.limit = number("limit", 10);
  asked.membrane.least = number("least", 1);
  asked.membrane.complete = number("complete", 1);
  asked.membrane.moderate = number("moderate", 10);
  asked.membrane.strong = number("strong", 10);
  return asked;
}

/// Each object's figures of cells behind those of channels.
inline std::vector<double> side_by_side(const engine::ChannelMeasures& channels, const engine::ChannelMeasures& cells,
                                        std::size_t objects) {
  const auto a = static_cast<std::size_t>(channels.columns), b = static_cast<std::size_t>(cells.columns);
  std::vector<double> values((a + b) * objects);
  for (std::size_t k = 0; k < objects; ++k) {
    std::copy_n(channels.values.begin() + static_cast<std::ptrdiff_t>(k * a), a,
                values.begin() + static_cast<std::ptrdiff_t>(k * (a + b)));
    std::copy_n(cells.values.begin() + static_cast<std::ptrdiff_t>(k * b), b,
                values.begin() + static_cast<std::ptrdiff_t>(k * (a + b) + a));
  }
  return values;
}

/// The window's objects, measured, as its tiles take them.
inline exports::PackedWindow pack_measured(engine::WindowDone& done, const engine::WindowJob& job,
                                           const exports::WindowPlace& place, bool with_overlapping, const AskedCells& asked,
                                           engine::Resources& resources, const CancelFlag* cancel) {
  const ObjectSet& found = done.output.objects;
  const engine::ChannelMeasures channels = engine::measure_channels(*job.slide, job.scale, job.x, job.y, found, cancel);
  engine::mistrust(done.output.trust, found, channels, job.core);
  if (!asked.cells.on()) return exports::pack_window(found, place, with_overlapping, {channels.columns, channels.values});
  const std::vector<u8> wanted = exports::packed_of(found, place, with_overlapping);
  const engine::Cells cells = engine::measure_cells(job, found, wanted, asked.cells, asked.membrane, resources, cancel);
  engine::mistrust(done.output.trust, found, cells.figures, job.core);
  const std::vector<double> values = side_by_side(channels, cells.figures, found.objects.size());
  return exports::pack_window(found, place, with_overlapping,
                              {channels.columns + cells.figures.columns, values, cells.runs.runs, cells.runs.offsets});
}

}  // namespace morpho::addon
