// A rectangle of a slide at any scale: what analysis, overviews and tiles of in-between zooms read.
#pragma once
#include "../../contract/ops.hpp"
#include "../../slide/slide.hpp"

namespace morpho::engine {

/// Level-0 px per output px that read_scaled takes.
inline constexpr double kFinestScale = 1.0 / 16;
inline constexpr double kCoarsestScale = 1 << 20;

/// What a read may cost. A view has limits, so that its answer comes soon; a run has none and is exact.
struct ReadLimits {
  slide::ReadControl control;
  /// Above this many level px per output px only one square of the level in n×n is read and stands for its neighbours; 0 = all.
  double most_level_px_per_px = 0;
};
/// How a read went.
struct ReadReport {
  int sampled_every = 1;  ///< n: every n-th square in both directions was read
  bool timed_out = false;
};

/// Fills `out` with the slide at scale s = level-0 px per output px: output pixel (i, j) covers level-0
/// [(x+i)*s, (x+i+1)*s) × likewise y. x and y are in output px and may be anywhere; outside the slide: its background.
/// The coarsest level with downsample <= s (within 1 %) is read and area-averaged in fixed point by ops.resample, in blocks
/// that are aligned to absolute output coordinates: a pixel's bytes depend on (slide, s, its coordinates) and never on the
/// request that it is part of. Where s is a level's downsample the level's pixels come unchanged.
/// Returns the parts that the file could not give (level-0 px), filled with the background.
/// Throws INVALID_PARAMETER (scale), Cancelled. Cost: the decoding of (s / downsample)² level px per output px, and no more
/// than about `limits` allow: then each output px has the mean of one square near it, again whatever the request.
/// Where the reader has the level's tiles in memory (Slide::band) they are averaged where they lie, row by row, and ctx.threads
/// decode them; elsewhere a block of the level is read first.
/// Memory: a few rows; of a block of the level at most about 4104² px (64 MiB); from ctx.workspace.
[[nodiscard]] std::vector<slide::Unreadable> read_scaled(const OpTable& ops, Context& ctx, slide::Slide& slide, double s, i64 x,
                                                         i64 y, View<Rgba> out, const ReadLimits& limits = {},
                                                         ReadReport* report = nullptr);

}  // namespace morpho::engine
