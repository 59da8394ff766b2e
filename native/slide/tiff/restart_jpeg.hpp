// One JPEG of any size as the pieces between its restart markers, as Hamamatsu's NDPI has its levels.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../pieces/piece_image.hpp"
#include "../plausible.hpp"
#include "../tiff_index.hpp"

namespace morpho::slide {

/// The JPEG of a directory's only strip. An interval between two restart markers is a part of a row of its blocks, and is
/// decoded as a JPEG of its own: as OpenSlide does, so that chroma is not smoothed beyond it. Without restart markers all of it
/// is one. Where intervals begin the file says; where it does not, or says it wrongly, the markers are looked for. Keeps a
/// reference to the index. Thread-safe.
class RestartJpeg {
 public:
  /// Why the directory is not read, in words that follow on "a … slide"; empty where it is.
  static std::string cannot_read(const TiffIndex& index, const TiffDirectory& directory);
  RestartJpeg(const TiffIndex& index, const TiffDirectory& directory);

  i64 width() const { return static_cast<i64>(directory_.width); }
  i64 height() const { return static_cast<i64>(directory_.height); }
  Extent interval() const { return interval_; }
  /// Interval (x, y) as a JPEG. Throws PieceError.
  std::vector<u8> jpeg(i64 x, i64 y) const;

 private:
  std::pair<u64, u64> place(u64 k) const;
  std::pair<u64, u64> found_place(u64 k) const;
  bool begins_at(u64 k, u64 offset) const;

  const TiffIndex& index_;
  TiffDirectory directory_;
  JpegHeader header_;
  u64 offset_ = 0, bytes_ = 0;  ///< of the strip
  Extent interval_;
  i64 across_ = 1, down_ = 1;
  std::vector<u8> head_;  ///< all before the first interval; the frame has an interval's size

  mutable std::mutex mutex_;
  mutable std::vector<u64> found_;  ///< where intervals begin, so far; from the strip's beginning
  mutable u64 looked_to_ = 0;
  mutable bool ended_ = false;
};

/// A level: such a JPEG, or what decoding it at a half, a quarter or an eighth of its size gives.
struct JpegLevel {
  TiffDirectory directory;
  i64 divisor = 1;
};

/// Three samples of 8 bits, decoded by libjpeg-turbo, some intervals at a time.
class RestartImage final : public PieceImage {
 public:
  RestartImage(std::shared_ptr<const RestartJpeg> jpeg, i64 divisor);
  /// Throws PieceError.
  Piece read(i64 x, i64 y, std::uint32_t sample) const override;

 private:
  std::shared_ptr<const RestartJpeg> jpeg_;
  Extent interval_;  ///< px of the level
};

}  // namespace morpho::slide
