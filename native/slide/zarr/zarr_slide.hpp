// An OME-Zarr image: a folder with an array for each level.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "../pieces/pieced_slide.hpp"

namespace morpho::slide {

class ZarrSlide final : public PiecedSlide {
 public:
  ZarrSlide(PiecedPicture picture, std::map<std::string, std::string> properties, TileCache& cache);
  /// An OME-Zarr has none.
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override;
};

/// The image of a folder: OME-Zarr 0.4 (Zarr 2) or 0.5 (Zarr 3), or the first of a folder that bioformats2raw wrote. Null where
/// `path` is no folder of a Zarr. Of several times and planes the first is shown. Throws SLIDE_UNREADABLE where it is a Zarr,
/// and none that is read here. Cost: the metadata of all levels, and what the channels' ranges take. `channel`: as
/// open_slide has it.
std::shared_ptr<Slide> open_zarr(const std::string& path, const std::string& channel = {});

}  // namespace morpho::slide
