// Whether the levels of a slide show the same picture: a level that does not would hide tissue from whoever looks at it first.
#pragma once
#include <vector>

#include "slide.hpp"

namespace morpho::slide {

/// Levels whose colours differ from those of the next finer level that is not among them, in most of the places that show
/// anything but glass or black. Up to 64 places a level are read, fewer where the first ones agree; places that cannot be read
/// count for nothing. Levels of fewer than 16 px a side are not looked at. Cost: some 10 to 130 tiles a level, and no more than
/// about a second of computing.
std::vector<int> disagreeing_levels(Slide& slide);

}  // namespace morpho::slide
