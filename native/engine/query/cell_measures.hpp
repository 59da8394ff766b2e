// Cells of a window's objects and what they hold: outlines, and of each stain or channel the figures of cytoplasm and membrane.
#pragma once
#include "../window/window.hpp"
#include "cells.hpp"
#include "channel_measures.hpp"

namespace morpho::engine {

/// When a membrane counts as stained; OD and shares.
struct MembraneRule {
  int stain = -1;                   ///< which of the three; -1: nobody asks
  double limit = 0;                 ///< OD above which a pixel of the membrane is stained
  double least = 0;                 ///< of the border that is stained: below it a cell is 0
  double complete = 1;              ///< from it on a membrane is complete
  double moderate = 0, strong = 0;  ///< mean OD of what is stained, from which a complete one is 2+ and 3+
};

/// Five figures of the cell itself, then five of each source's cytoplasm, then of its membrane. A source is a channel of the
/// slide where it is measured by channels (measured_channels), else a stain, in OD.
inline constexpr int kCellGroups = 1;
enum class CellFigure { area, cytoplasm_area, completeness, intensity, score };

struct Cells {
  CellRuns runs;            ///< px of the window; nothing of an object without a cell
  ChannelMeasures figures;  ///< kNotMeasured of those
};

/// How many columns measure_cells gives for the slide: none without cells.
int cell_columns(const slide::SlideInfo& info, const CellParams& cells);

/// Of the objects that are `wanted` (a byte each). `found` is what run_window gave for `job`; its core holds all that decides
/// the cells of most of them (CellParams::needs around their boxes), and is certain. The few whose surroundings leave it have a
/// window of their own. So a cell is the same whatever window, tile, thread or device found its nucleus. One that takes more
/// than kMostGrownPixels has none. completeness: of the cell's border pixels (with a 4-neighbour in the image that is not of
/// the cell, and not of the nucleus) the percentage from which a straight line of the ring's length towards the nucleus's
/// centroid meets a pixel of the membrane above the limit. intensity: the mean of those above the limit, 0 where there are
/// none. score: 0 below `least`; 3 or 2 where complete and at least strong or moderate; else 1. Throws Error and Cancelled.
Cells measure_cells(const WindowJob& job, const ObjectSet& found, std::span<const u8> wanted, const CellParams& cells,
                    const MembraneRule& membrane, Resources& resources, const CancelFlag* cancel);

/// Cells of objects that people made: `made` is what measure_runs gave for `job`, whose core holds CellParams::needs around
/// their boxes, as far as the image goes. `neighbours` are the other nuclei that stay: the k-th has the runs [offsets[k],
/// offsets[k + 1]) in px of the analysed image, also beyond the core. They bound the cells, and nothing else is told of them.
/// As measure_cells: of the same pixels among the same neighbours the same cell. Coordinates of the result are those of the
/// core. Throws INVALID_PARAMETER and Cancelled.
Cells measure_made_cells(const WindowJob& job, const ObjectSet& made, const std::vector<Run>& neighbours,
                         const std::vector<i32>& offsets, const CellParams& cells, const MembraneRule& membrane,
                         Resources& resources, const CancelFlag* cancel);

/// Cells that somebody gave: object k of `found`, which measure_runs gave for `job`, has the runs [offsets[k], offsets[k + 1])
/// in px of the analysed image, none where it has no cell. Each cell has its nucleus's px too, and is measured by itself, as
/// measure_cells does: cells may share px, and reach over other nuclei. Coordinates of the result are those of the core, which
/// holds all of the runs. O(core + px of the cells × ring²) at most. Throws INVALID_PARAMETER and Cancelled.
Cells measure_given_cells(const WindowJob& job, const ObjectSet& found, const std::vector<Run>& runs,
                          const std::vector<i32>& offsets, double ring, const MembraneRule& membrane, Resources& resources,
                          const CancelFlag* cancel);

}  // namespace morpho::engine
