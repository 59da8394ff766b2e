// What objects hold of each channel of their slide, in the file's own units.
#pragma once
#include <vector>

#include "../../contract/ops.hpp"
#include "../../slide/slide.hpp"

namespace morpho::engine {

struct Trust;

/// Of each channel, in this order: mean, standard deviation, least, greatest and sum of its samples.
inline constexpr int kChannelFigures = 5;
/// Of a slide with more the first are measured: each takes 40 bytes an object.
inline constexpr int kMostMeasuredChannels = 64;

/// How many channels of the slide are measured, from the first on: none of what is one picture in colours.
int measured_channels(const slide::SlideInfo& info);

struct ChannelMeasures {
  int columns = 0;             ///< kChannelFigures of each channel that is measured
  std::vector<double> values;  ///< [object][column]; NaN where an object has no sample, or one that could not be read
  std::vector<slide::Unreadable> parts;
  std::vector<std::size_t> unread;  ///< objects with pixels that could not be read, ascending
};

/// Measures `objects`, whose px are those of `scale` from (x, y) on. Samples are those of the level that is analysed, the
/// coarsest that is not coarser than `scale`: one belongs to the object in whose px its centre lies. Sums and squares of whole
/// numbers are exact and each object is measured by itself, in raster order, so that no window, tile or thread changes a bit.
/// The standard deviation is that of all samples (not of a sample of them). Floats that are not finite count for nothing.
/// O(channels × level px under the objects' common box); memory: some megapixels of samples. Throws Cancelled.
ChannelMeasures measure_channels(slide::Slide& slide, double scale, i64 x, i64 y, const ObjectSet& objects,
                                 const CancelFlag* cancel);

/// Has a window's `trust` say what of `measures` could not be read.
void mistrust(Trust& trust, const ObjectSet& objects, const ChannelMeasures& measures, const Rect& core);

}  // namespace morpho::engine
