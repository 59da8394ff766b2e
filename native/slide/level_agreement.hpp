// Whether the levels of a slide show the same picture: a level that does not would hide tissue from whoever looks at it first.
#pragma once
#include <string>
#include <vector>

#include "slide.hpp"

namespace morpho::slide {

struct LevelAgreement {
  /// Levels that show another picture, as far as they could be read; ascending, never 0.
  std::vector<int> left_out;
  /// Levels whose verdict, to be left out or not, is another where places that could not be read show something else;
  /// ascending.
  std::vector<int> unjudged;
};

/// What is decoded at most to judge a slide's levels. Each of them may use an equal share of it.
inline constexpr i64 kMostJudgedPixels = i64{96} << 20;

/// Leaves out levels whose colours differ from those of the next finer level that is not among them, in most of the places that
/// show anything but glass or black. Up to 64 places a level are read, fewer where the first ones agree or the pixels are
/// spent. Levels of fewer than 16 px a side are not looked at. A place that cannot be read is asked for once more. The result
/// depends on what the file gives alone, never on time. Cost: some 10 to 130 tiles a level, within `most_pixels` of decoded
/// tiles.
LevelAgreement judge_levels(Slide& slide, i64 most_pixels = kMostJudgedPixels);

/// Why all pixels may be others than the intact file's where these `levels` of the info are unjudged; empty where none is.
std::string uncertain_by_levels(const SlideInfo& info, const std::vector<int>& levels);

}  // namespace morpho::slide
