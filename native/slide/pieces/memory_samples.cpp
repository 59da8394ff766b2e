// Cuts samples in memory into pieces, so that one rule makes 8 bits of them (composition.hpp).
#include "memory_samples.hpp"

#include <algorithm>
#include <cstring>

#include "pieced_slide.hpp"

namespace morpho::slide {
namespace {

class MemorySamplesImage final : public PieceImage {
 public:
  MemorySamplesImage(const u16* samples, Extent extent, std::uint32_t count)
      : samples_(samples, samples + extent.area() * count) {
    constexpr i32 side = 512;
    shape_.width = extent.width;
    shape_.height = extent.height;
    shape_.piece = {std::min(side, extent.width), std::min(side, extent.height)};
    shape_.type = SampleType::u16;
    shape_.bits = 16;
    shape_.samples = count;
  }
  Piece read(i64 x, i64 y, std::uint32_t sample) const override {
    const Extent piece = shape_.piece;
    const i64 left = x * piece.width, top = y * piece.height, each = shape_.samples;
    const i64 columns = std::min<i64>(piece.width, shape_.width - left),
              rows = std::min<i64>(piece.height, shape_.height - top);
    auto bytes = std::make_shared<std::vector<u8>>(static_cast<std::size_t>(piece.area() * each) * sizeof(u16));
    for (i64 row = 0; row < rows; ++row)
      std::memcpy(bytes->data() + static_cast<std::size_t>(row * piece.width * each) * sizeof(u16),
                  samples_.data() + ((top + row) * shape_.width + left) * each,
                  static_cast<std::size_t>(columns * each) * sizeof(u16));
    return {piece, shape_.samples, sample, std::move(bytes)};
  }

 private:
  std::vector<u16> samples_;
};

class MemorySamplesSlide final : public PiecedSlide {
 public:
  MemorySamplesSlide(const SlideInfo& about, PiecedPicture picture, TileCache& cache) : PiecedSlide(std::move(picture), cache) {
    info_.mpp_x = about.mpp_x;
    info_.mpp_y = about.mpp_y;
    info_.mpp_source = about.mpp_source.empty() ? (about.mpp_x > 0 ? "given" : "none") : about.mpp_source;
    info_.objective_power = about.objective_power;
    info_.properties = about.properties;
    info_.bounds = {0, 0, info_.levels.front().width, info_.levels.front().height};
  }
  std::vector<Rgba> associated(const std::string& name, Extent&) override {
    throw Error(ErrorCode::not_found, info_.path + " has no associated image \"" + name + "\": images of this kind carry none");
  }
};

}  // namespace

std::shared_ptr<Slide> memory_samples(const SlideInfo& info, const u16* samples, Extent extent, std::uint32_t samples_per_px) {
  if (extent.empty() || samples_per_px < 1 || samples_per_px > 4)
    reject("the slide's samples", "1 to 4 for each of at least one pixel",
           std::to_string(samples_per_px) + " for " + std::to_string(extent.width) + " × " + std::to_string(extent.height));
  PiecedPicture picture;
  picture.path = info.path;
  picture.format = info.vendor;
  picture.reader = info.reader;
  picture.reader_version = info.reader_version;
  picture.warnings = info.warnings;
  picture.uncertain = info.uncertain_pixels;
  picture.levels.emplace_back().push_back(std::make_unique<MemorySamplesImage>(samples, extent, samples_per_px));
  picture.colors = samples_per_px >= 3;
  if (picture.colors) picture.channels = {{"red", {}, 0, 0}, {"green", {}, 0, 1}, {"blue", {}, 0, 2}};
  else picture.channels = {{"Channel 1", {}, 0, 0}};
  if (samples_per_px % 2 == 0) picture.alpha = samples_per_px - 1;
  return std::make_shared<MemorySamplesSlide>(info, std::move(picture), decoded_tiles());
}

}  // namespace morpho::slide
