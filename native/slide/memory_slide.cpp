// A slide of one level whose pixels another library has decoded: how PNG, JPEG and the formats that OpenSlide refuses come in.
#include <algorithm>

#include "on_level.hpp"

namespace morpho::slide {
namespace {

class MemorySlide final : public Slide {
 public:
  MemorySlide(SlideInfo info, View<const Rgba> pixels) : info_(std::move(info)) {
    const Extent e = pixels.extent;
    if (e.empty())
      reject("the slide's pixels", "at least one pixel", std::to_string(e.width) + " × " + std::to_string(e.height));
    info_.levels = {Level{e.width, e.height, 1, 0, 0}};
    info_.bounds = {0, 0, e.width, e.height};
    info_.associated.clear();
    if (info_.mpp_source.empty()) info_.mpp_source = info_.mpp_x > 0 ? "given" : "none";
    info_.background.a = 255;
    pixels_.resize(static_cast<std::size_t>(e.area()));
    const Rgba b = info_.background;
    // Straight alpha, rounded to nearest: see-through pixels of a PNG show the background.
    const auto over = [](u8 c, u8 back, u8 a) { return static_cast<u8>((c * a + back * (255 - a) + 127) / 255); };
    Rgba* to = pixels_.data();
    for (i32 y = 0; y < e.height; ++y) {
      const Rgba* from = pixels.row(y);
      for (i32 x = 0; x < e.width; ++x) {
        const Rgba p = from[x];
        *to++ = p.a == 255 ? p : Rgba{over(p.r, b.r, p.a), over(p.g, b.g, p.a), over(p.b, b.b, p.a), 255};
      }
    }
  }

  const SlideInfo& info() const override { return info_; }

  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl&) override {
    if (level != 0) reject("level", "0 (this slide has one level)", std::to_string(level));
    if (const auto asked = on_level(info_.levels[0], x, y, out, info_.background))
      for (i32 j = 0; j < asked->target.height(); ++j)
        std::copy_n(at(asked->wanted.x, asked->wanted.y + j), asked->target.width(), asked->target.row(j));
    return {};
  }

  Band band(int, const Rect& part, std::vector<Unreadable>&, const ReadControl&) override {
    const View<const Rgba> pixels(at(part.x, part.y), {static_cast<i32>(part.width), static_cast<i32>(part.height)},
                                  info_.levels[0].width);
    return {part.y, part.height, {{pixels, nullptr}}};
  }

  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return std::nullopt; }

  std::vector<Rgba> associated(const std::string& name, Extent&) override {
    throw Error(ErrorCode::not_found, info_.path + " has no associated image \"" + name + "\": images of this kind carry none");
  }

 private:
  const Rgba* at(i64 x, i64 y) const { return pixels_.data() + y * info_.levels[0].width + x; }

  SlideInfo info_;
  std::vector<Rgba> pixels_;
};

}  // namespace

std::shared_ptr<Slide> memory_slide(SlideInfo info, View<const Rgba> pixels) {
  return std::make_shared<MemorySlide>(std::move(info), pixels);
}

}  // namespace morpho::slide
