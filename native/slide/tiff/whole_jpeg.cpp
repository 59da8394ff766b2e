// Looks at the JPEG's header, and has libtiff unpack it as a strip.
#include "whole_jpeg.hpp"

#include <cstring>

#include "../pieces/strip_tiff.hpp"
#include "../pieces/unpack.hpp"

namespace morpho::slide {
namespace {

constexpr i64 kMostJpegPx = i64{1} << 25;

struct JpegHead {
  i64 width = 0, height = 0;
  std::uint32_t components = 0;
  bool adobe_rgb = false;
};

/// From segment to segment, up to the first scan.
JpegHead head_of_jpeg(const std::vector<u8>& jpeg) {
  JpegHead head;
  if (jpeg.size() < 4 || jpeg[0] != 0xFF || jpeg[1] != 0xD8) throw PieceError("it is no JPEG");
  for (std::size_t at = 2; at + 4 <= jpeg.size() && jpeg[at] == 0xFF;) {
    const u8 marker = jpeg[at + 1];
    const auto word = [&](std::size_t k) { return i64{jpeg[at + k]} << 8 | jpeg[at + k + 1]; };
    const std::size_t length = static_cast<std::size_t>(word(2));
    if (marker == 0xDA || length < 2 || at + 2 + length > jpeg.size()) break;
    const bool frame = marker >= 0xC0 && marker <= 0xC2;
    if (frame && length >= 8) {
      head.height = word(5);
      head.width = word(7);
      head.components = jpeg[at + 9];
    }
    if (marker == 0xEE && length >= 14 && std::memcmp(jpeg.data() + at + 4, "Adobe", 5) == 0)
      head.adobe_rgb = jpeg[at + 15] == 0;
    at += 2 + length;
  }
  return head;
}

}  // namespace

std::vector<Rgba> whole_jpeg(const std::vector<u8>& jpeg, Extent& extent) {
  const JpegHead head = head_of_jpeg(jpeg);
  if (head.width < 1 || head.height < 1 || head.height > kMostJpegPx / head.width ||
      (head.components != 1 && head.components != 3))
    throw PieceError("it claims " + std::to_string(head.width) + " × " + std::to_string(head.height) + " px in " +
                     std::to_string(head.components) + " components");
  constexpr std::uint32_t kJpeg = 7, kGray = 1, kRgb = 2, kYCbCr = 6;
  Packing packing;
  packing.samples = head.components;
  packing.compression = kJpeg;
  packing.photometric = head.components == 1 ? kGray : head.adobe_rgb ? kRgb : kYCbCr;
  extent = {static_cast<i32>(head.width), static_cast<i32>(head.height)};
  const std::vector<u8> samples = unpack_by_libtiff(packing, extent, jpeg);
  std::vector<Rgba> pixels(static_cast<std::size_t>(extent.area()));
  const std::size_t last = head.components - 1;
  const u8* from = samples.data();
  for (Rgba& p : pixels) {
    p = {from[0], from[last / 2], from[last], 255};
    from += head.components;
  }
  return pixels;
}

}  // namespace morpho::slide
