// A slide's JPEG 2000 tiles at a fraction of their resolution, which their codestreams hold as they are.
#pragma once
#include "openjpeg_library.hpp"
#include "openslide_reader.hpp"

namespace morpho::slide {

/// What Slide::rough gives for a reader: the reduced level and the halvings (at most three) that come nearest to `scale` and
/// are not coarser; null where no level of JPEG 2000 tiles has any. Tiles lie where the file has them, also where OpenSlide
/// resamples the level. Both must outlive it. Cost: half of a tile's for each halving.
std::unique_ptr<Slide> rough_level(const OpenSlideReader& reader, const OpenJpegLibrary& library, double scale);

}  // namespace morpho::slide
