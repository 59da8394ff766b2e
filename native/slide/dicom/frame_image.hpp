// One level and optical path of a DICOM slide as pieces: its frames.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../pieces/piece_image.hpp"
#include "frame_table.hpp"

namespace morpho::slide {

/// Which frame is a cell of the grid.
struct FrameOfCell {
  static constexpr i32 kUnscanned = -1;  ///< none is: glass that was left out
  static constexpr i32 kMissing = -2;    ///< one should be, in a file that is not there
  i32 file = kUnscanned;
  std::uint32_t frame = 0;
};

/// How frames are stored. Throws nothing: what is not read is told by cannot_read.
struct FramePacking {
  enum class Codec : u8 { none, rle, jpeg, jpeg2000 };
  Packing samples;
  Codec codec = Codec::none;
  u64 plane_bytes = 0;  ///< of one plane, not compressed
};

/// Why frames stored like that are not read, in words that follow on "a DICOM slide"; empty where they are.
std::string cannot_read(const DicomInstance& instance);
FramePacking packing_of(const DicomInstance& instance);

/// Keeps the tables. Thread-safe.
class FrameImage final : public PieceImage {
 public:
  /// `cells`: in rows, across() × down() of them.
  FrameImage(std::vector<std::shared_ptr<const FrameTable>> files, std::vector<FrameOfCell> cells);
  /// A cell without a frame is `unscanned` everywhere. Throws PieceError.
  Piece read(i64 x, i64 y, std::uint32_t sample) const override;
  std::optional<std::vector<u8>> jpeg(i64 x, i64 y) const override;

 private:
  std::vector<std::shared_ptr<const FrameTable>> files_;
  std::vector<FrameOfCell> cells_;
  FramePacking packing_;
  u8 unscanned_ = 255;
};

}  // namespace morpho::slide
