// Where a reconstruction of a whole image may be wrong for pixels that could not be read.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "region_ops.hpp"

namespace morpho::engine::region {

/// `lost`: rectangles (px) in which marker and mask are not known. A reconstruction only rises with both, so what it gives with
/// the least values there and with the greatest holds every other between them: where the two agree, nothing in `lost` could
/// change it. Gives rectangles that hold all pixels at which they differ. `marker` is what reconstruct() was given; `mask` too,
/// and other values are left in it. `image` makes an image of that size. Cost: two reconstructions and two images.
std::vector<Rect> unknown_of(Workers& workers, const Raster& marker, Raster& mask, const std::vector<Rect>& lost, i64 tile,
                             const ReconstructParams& how, const std::function<std::unique_ptr<Raster>()>& image);

/// From `from` to `to`, tile by tile on the workers.
void copy_image(Workers& workers, const Raster& from, Raster& to, i64 tile);

}  // namespace morpho::engine::region
