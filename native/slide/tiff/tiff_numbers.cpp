// Chooses the directory, and puts pieces side by side.
#include "tiff_numbers.hpp"

#include <cstring>

#include "../on_level.hpp"
#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"

namespace morpho::slide {
namespace {

Error refused(const std::string& why) { return Error(ErrorCode::invalid_parameter, why); }

}  // namespace

std::unique_ptr<TiffNumbers> TiffNumbers::open(const std::string& path) {
  std::string problem;
  auto index = TiffIndex::open(path, problem);
  if (!index) {
    if (problem.empty()) return nullptr;
    throw refused("is a damaged TIFF: " + problem);
  }
  const auto area = [](const TiffDirectory& d) { return static_cast<double>(d.width) * static_cast<double>(d.height); };
  const TiffDirectory* best = nullptr;
  u64 others = 0;
  for (const TiffDirectory& d : index->directories()) {
    if (!best || area(d) > area(*best)) best = &d, others = 0;
    else if (area(d) == area(*best)) ++others;
  }
  if (!best) throw refused("is a TIFF without a picture");
  if (const std::string why = TiffImage::cannot_read(*index, *best); !why.empty()) throw refused("is a TIFF " + why);
  std::unique_ptr<TiffNumbers> numbers(new TiffNumbers);
  constexpr std::uint32_t kPalette = 3;
  numbers->indexed_ = best->photometric == kPalette;
  numbers->others_ = others;
  numbers->description_ = valid_utf8(std::string(until_zero(index->text(index->directories().front().description))));
  numbers->image_ = std::make_unique<TiffImage>(*index, *best);
  numbers->index_ = std::move(index);
  return numbers;
}

ChannelSamples TiffNumbers::read(const Rect& part, const CancelFlag* cancel) const {
  const std::size_t each = sample_bytes(image_->type());
  const Extent extent{static_cast<i32>(part.width), static_cast<i32>(part.height)};
  ChannelSamples out{image_->type(), extent, std::vector<u8>(static_cast<std::size_t>(extent.area()) * each)};
  const i64 pw = image_->piece().width, ph = image_->piece().height;
  for (i64 ty = part.y / ph; ty * ph < part.y + part.height; ++ty)
    for (i64 tx = part.x / pw; tx * pw < part.x + part.width; ++tx) {
      if (cancel && cancel->load()) throw Cancelled{};
      const Rect here = intersect({tx * pw, ty * ph, pw, ph}, part);
      try {
        const Piece piece = image_->read(tx, ty, 0);
        for (i64 row = 0; row < here.height; ++row) {
          const i64 from = (here.y + row - ty * ph) * piece.extent.width + here.x - tx * pw;
          u8* to = out.bytes.data() + static_cast<std::size_t>((here.y + row - part.y) * part.width + here.x - part.x) * each;
          const u8* s = piece.bytes->data() + (static_cast<std::size_t>(from) * piece.stride + piece.first) * each;
          if (piece.stride == 1) std::memcpy(to, s, static_cast<std::size_t>(here.width) * each);
          else
            for (i64 i = 0; i < here.width; ++i, to += each, s += piece.stride * each) std::memcpy(to, s, each);
        }
      } catch (const PieceError& e) {
        throw refused("is damaged at px " + std::to_string(here.x) + ", " + std::to_string(here.y) + ": " + e.what());
      }
    }
  return out;
}

}  // namespace morpho::slide
