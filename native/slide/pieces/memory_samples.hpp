// A picture of 16 bits a sample that another library has decoded, as a slide: its depth, channels and range are those of any
// other file's.
#pragma once
#include <memory>

#include "../slide.hpp"

namespace morpho::slide {

/// One level of interleaved samples: grey, or red, green and blue; with 2 or 4 the last is opacity. Takes a copy. `info`: what
/// is known beside the pixels. Throws INVALID_PARAMETER for other numbers of samples.
std::shared_ptr<Slide> memory_samples(const SlideInfo& info, const u16* samples, Extent extent, std::uint32_t samples_per_px);

}  // namespace morpho::slide
