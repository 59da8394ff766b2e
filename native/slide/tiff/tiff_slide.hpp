// A slide that is read from a TIFF by our own reader.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "layout.hpp"
#include "tiff_image.hpp"

namespace morpho::slide {

class TiffSlide final : public PiecedSlide {
 public:
  /// Every directory of `layout` is one that TiffImage reads.
  TiffSlide(const std::string& path, std::unique_ptr<TiffIndex> index, const TiffLayout& layout, TileCache& cache,
            const std::string& channel = {});
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override;

 private:
  void add_properties(const TiffLayout& layout);

  std::unique_ptr<TiffIndex> index_;
  std::vector<std::pair<std::string, TiffDirectory>> associated_;
  std::vector<AssociatedJpeg> associated_jpegs_;
};

/// The slide of a TIFF that this reader is to read: NDPI, what OpenSlide shows in part, wrongly or not at all, and without it
/// all that is of a kind that is known here. Null where it is for others. `vendor`: what OpenSlide takes the file for; empty
/// where it does not know it; `channel`: as open_slide has it. Throws SLIDE_UNREADABLE where only this reader could read it
/// right, and it does not.
std::shared_ptr<Slide> open_tiff(const std::string& path, bool has_openslide, const std::string& vendor,
                                 const std::string& channel = {});
/// The same file by this reader alone, whoever else could read it; null where it cannot.
std::shared_ptr<TiffSlide> open_tiff_alone(const std::string& path);

}  // namespace morpho::slide
