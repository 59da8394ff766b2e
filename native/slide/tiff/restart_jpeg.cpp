// Finds the intervals of a JPEG, puts its header before each, and decodes them side by side.
#include "restart_jpeg.hpp"

#include <algorithm>
#include <cstring>

#include "../turbojpeg_library.hpp"

namespace morpho::slide {
namespace {

constexpr u64 kMostHeadBytes = u64{1} << 20;
/// JPEG's own limit of a side.
constexpr u64 kLongestJpegSide = 65500;
/// Of a piece: rows, and px that one row of intervals may make more.
constexpr i64 kRowsOfStrips = 256, kPxOfStrips = i64{1} << 19, kColumnsOfStrips = 512;
constexpr std::size_t kLookedAtOnce = std::size_t{1} << 20;
constexpr std::uint32_t kThreeSamples = 3;

/// px of one interval, as the header and the directory have it; 0 × 0 where they do not agree.
Extent interval_of(const TiffDirectory& d, const JpegHeader& h) {
  const auto extent = [](u64 w, u64 height) { return Extent{static_cast<i32>(w), static_cast<i32>(height)}; };
  if (h.restart_interval == 0) return extent(d.width, d.height);
  const u64 of_row = (d.width + h.mcu_width - 1) / h.mcu_width;
  const u64 width = h.restart_interval * h.mcu_width;
  if (of_row % h.restart_interval != 0 || width > kLongestJpegSide) return {};
  return extent(width, h.mcu_height);
}

}  // namespace

std::string RestartJpeg::cannot_read(const TiffIndex& index, const TiffDirectory& d) {
  if (d.width == 0 || d.height == 0 || d.width > kLargestSide || d.height > kLargestSide)
    return "of " + std::to_string(d.width) + " × " + std::to_string(d.height) + " px";
  constexpr std::uint32_t jpeg = 7;
  if (d.compression != jpeg || d.samples != kThreeSamples || d.bits != 8)
    return "whose levels are not in JPEG (compression " + std::to_string(d.compression) + ", " + std::to_string(d.samples) +
           " samples of " + std::to_string(d.bits) + " bits)";
  const auto offset = index.item(d.strip_offsets, 0), bytes = index.item(d.strip_bytes, 0);
  if (!offset || !bytes || d.strip_offsets.count != 1 || !index.file().contains(*offset, *bytes))
    return "whose levels are not each one JPEG inside the file";
  const auto header = jpeg_header(index.file(), *offset);
  if (!header || header->end > *bytes || header->end > kMostHeadBytes || header->frame == 0)
    return "with a level whose JPEG has no header";
  if (header->components != kThreeSamples || header->buffered)
    return "with a level whose JPEG has " + std::to_string(header->components) + " components" +
           (header->buffered ? " in several scans" : "");
  if (header->restart_interval == 0 &&
      (d.width > kLongestJpegSide || d.height > kLongestJpegSide || d.height > kMostTilePx / d.width))
    return "with a level of " + std::to_string(d.width) + " × " + std::to_string(d.height) + " px without restart markers";
  if (interval_of(d, *header).empty()) return "with a level whose restart markers do not divide its rows";
  return turbojpeg_library() ? "" : "for which libjpeg-turbo is needed (" + turbojpeg_status() + ")";
}

RestartJpeg::RestartJpeg(const TiffIndex& index, const TiffDirectory& d)
    : index_(index), directory_(d), header_(*jpeg_header(index.file(), *index.item(d.strip_offsets, 0))) {
  offset_ = *index.item(d.strip_offsets, 0);
  bytes_ = *index.item(d.strip_bytes, 0);
  interval_ = interval_of(d, header_);
  across_ = (width() + interval_.width - 1) / interval_.width;
  down_ = (height() + interval_.height - 1) / interval_.height;
  head_ = index.bytes(offset_, header_.end, kMostHeadBytes).value_or(std::vector<u8>());
  // Sides beyond JPEG's limit stand as 0 there; smaller ones may be off where a level was rounded.
  if (head_.size() >= header_.frame + 9) {
    u8* sides = head_.data() + header_.frame + 5;
    sides[0] = static_cast<u8>(interval_.height >> 8), sides[1] = static_cast<u8>(interval_.height);
    sides[2] = static_cast<u8>(interval_.width >> 8), sides[3] = static_cast<u8>(interval_.width);
  }
  looked_to_ = header_.end;
  found_.push_back(header_.end);
}

/// Whether interval `k` may begin there: behind the header, or behind a restart marker with its number.
bool RestartJpeg::begins_at(u64 k, u64 at) const {
  if (k == 0) return at == header_.end;
  if (at < header_.end + 2 || at >= bytes_) return false;
  u8 marker[2];
  return index_.file().read(offset_ + at - 2, marker, 2) && marker[0] == 0xFF && marker[1] == 0xD0 + (k - 1) % 8;
}

/// By the markers themselves: in a JPEG's samples no other byte follows 0xFF but 0.
std::pair<u64, u64> RestartJpeg::found_place(u64 k) const {
  const std::lock_guard lock(mutex_);
  std::vector<u8> block;
  u64 end = 0;
  while (found_.size() <= k + 1 && !ended_) {
    const u64 n = std::min<u64>(kLookedAtOnce, bytes_ - looked_to_);
    block.resize(static_cast<std::size_t>(n));
    if (n < 2 || !index_.file().read(offset_ + looked_to_, block.data(), block.size())) {
      ended_ = true;
      break;
    }
    const u8* const first = block.data();
    for (const u8* at = first;
         (at = static_cast<const u8*>(std::memchr(at, 0xFF, static_cast<std::size_t>(first + n - 1 - at))));) {
      const u8 marker = at[1];
      const u64 here = looked_to_ + static_cast<u64>(at - first);
      if (marker >= 0xD0 && marker <= 0xD7) found_.push_back(here + 2);
      else if (marker == 0xD9) found_.push_back(here + 2), ended_ = true;
      if (ended_ || ++at == first + n - 1) break;
    }
    looked_to_ += n - 1;
  }
  if (found_.size() > k + 1) end = found_[static_cast<std::size_t>(k) + 1] - 2;
  if (end == 0) throw PieceError("the file has no restart marker for this part");
  return {found_[static_cast<std::size_t>(k)], end};
}

/// First byte of interval `k` and the one beyond its last, from the strip's beginning.
std::pair<u64, u64> RestartJpeg::place(u64 k) const {
  if (header_.restart_interval == 0) return {header_.end, bytes_ >= header_.end + 2 ? bytes_ - 2 : bytes_};
  const u64 count = static_cast<u64>(across_) * static_cast<u64>(down_);
  const auto start = [&](u64 i) -> u64 {
    const u64 low = index_.item(directory_.mcu_starts, i).value_or(0);
    return low + (index_.item(directory_.mcu_starts_high, i).value_or(0) << 32);
  };
  if (directory_.mcu_starts.count < count) return found_place(k);
  const u64 begin = start(k), end = k + 1 < count ? start(k + 1) : bytes_;
  const bool right = begins_at(k, begin) && (k + 1 == count || begins_at(k + 1, end)) && end >= begin + 2;
  return right ? std::pair(begin, end - 2) : found_place(k);
}

std::vector<u8> RestartJpeg::jpeg(i64 x, i64 y) const {
  const auto [begin, end] = place(static_cast<u64>(y * across_ + x));
  if (head_.empty() || end <= begin) throw PieceError("the file holds no data for this part");
  const auto data = index_.bytes(offset_ + begin, end - begin, kMostCompressedBytes);
  if (!data) throw PieceError("its " + std::to_string(end - begin) + " bytes could not be read");
  std::vector<u8> jpeg;
  jpeg.reserve(head_.size() + data->size() + 2);
  jpeg = head_;
  jpeg.insert(jpeg.end(), data->begin(), data->end());
  jpeg.insert(jpeg.end(), {0xFF, 0xD9});
  return jpeg;
}

RestartImage::RestartImage(std::shared_ptr<const RestartJpeg> jpeg, i64 divisor) : jpeg_(std::move(jpeg)) {
  interval_ = {static_cast<i32>(jpeg_->interval().width / divisor), static_cast<i32>(jpeg_->interval().height / divisor)};
  shape_.width = jpeg_->width() / divisor;
  shape_.height = jpeg_->height() / divisor;
  shape_.samples = kThreeSamples;
  const i64 across = (shape_.width + interval_.width - 1) / interval_.width;
  const i64 columns = std::min(across, (kColumnsOfStrips + interval_.width - 1) / interval_.width);
  const i64 width = columns * interval_.width;
  const i64 rows = std::max<i64>(1, std::min(kRowsOfStrips, kPxOfStrips / width) / interval_.height);
  shape_.piece = {static_cast<i32>(width), static_cast<i32>(rows * interval_.height)};
}

Piece RestartImage::read(i64 x, i64 y, std::uint32_t sample) const {
  const i64 w = interval_.width, h = interval_.height;
  const i64 columns = shape_.piece.width / w, rows = shape_.piece.height / h;
  const i64 across = (shape_.width + w - 1) / w, down = (shape_.height + h - 1) / h;
  Piece piece;
  piece.extent = shape_.piece;
  piece.stride = kThreeSamples;
  piece.first = sample;
  std::vector<u8> pixels(kThreeSamples * static_cast<std::size_t>(shape_.piece.area()));
  std::vector<u8> one(kThreeSamples * static_cast<std::size_t>(interval_.area()));
  for (i64 row = 0; row < std::min(rows, down - y * rows); ++row)
    for (i64 column = 0; column < std::min(columns, across - x * columns); ++column) {
      const std::vector<u8> jpeg = jpeg_->jpeg(x * columns + column, y * rows + row);
      if (!decode_by_turbojpeg(*turbojpeg_library(), jpeg, interval_, one.data(), false))
        throw PieceError("libjpeg-turbo cannot unpack all of it");
      for (i64 line = 0; line < h; ++line)
        std::copy_n(one.data() + kThreeSamples * line * w, kThreeSamples * w,
                    pixels.data() + kThreeSamples * ((row * h + line) * shape_.piece.width + column * w));
    }
  piece.bytes = std::make_shared<const std::vector<u8>>(std::move(pixels));
  return piece;
}

}  // namespace morpho::slide
