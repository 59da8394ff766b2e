// The largest picture of a TIFF as plain numbers: of files that are no slide, as label images are. Nothing is composed, ranged
// or cached.
#pragma once
#include <memory>
#include <string>

#include "../../contract/context.hpp"
#include "tiff_image.hpp"

namespace morpho::slide {

/// The first directory of those that have the most pixels. Thread-safe; keeps the file open.
class TiffNumbers {
 public:
  /// Null where the file is no TIFF. Throws INVALID_PARAMETER, in words that name no file, where its pixels are not read.
  static std::unique_ptr<TiffNumbers> open(const std::string& path);

  const PieceImage& image() const { return *image_; }
  std::uint32_t samples() const { return image_->samples(); }
  /// Whether numbers stand for colours of a table.
  bool indexed() const { return indexed_; }
  /// Directories of that size, besides it.
  u64 others() const { return others_; }
  /// Of the first directory: OME-XML stands there.
  const std::string& description() const { return description_; }
  /// The first sample of each px of a part, which lies inside. Pieces are unpacked as often as parts touch them. Throws
  /// INVALID_PARAMETER where one cannot be.
  ChannelSamples read(const Rect& part, const CancelFlag* cancel) const;

 private:
  TiffNumbers() = default;
  std::unique_ptr<TiffIndex> index_;
  std::unique_ptr<TiffImage> image_;
  bool indexed_ = false;
  u64 others_ = 0;
  std::string description_;
};

}  // namespace morpho::slide
