// A slide of one channel at 16 bits in memory, and nuclei that shine in it.
// Needs no test framework: GPU machines have none.
#pragma once
#include "../support/cut_scene.hpp"
#include "slide/on_level.hpp"

namespace morpho::test {

/// Gives bands of tiles, as the readers of such slides do. A level of half the size where it is asked for.
class DeepSlide final : public slide::Slide {
 public:
  DeepSlide(std::vector<u16> samples, Extent extent, i32 tile = 96, bool halved = false) : tile_(tile) {
    info_.path = "made", info_.reader = "a test", info_.depth = 16;
    info_.background = {0, 0, 0, 255};
    info_.bounds = {0, 0, extent.width, extent.height};
    add(std::move(samples), extent, 1);
    if (!halved) return;
    const Extent half{extent.width / 2, extent.height / 2};
    std::vector<u16> small;
    for (i32 y = 0; y < half.height; ++y)
      for (i32 x = 0; x < half.width; ++x)
        small.push_back(levels_[0].deep[static_cast<std::size_t>(2 * y) * extent.width + 2 * x]);
    add(std::move(small), half, 2);
  }
  const slide::SlideInfo& info() const override { return info_; }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl& control) override {
    return slide::read_bands(*this, level, x, y, out, control);
  }
  slide::Band band(int level, const Rect& part, std::vector<slide::Unreadable>& unreadable,
                   const slide::ReadControl&) override {
    const Level& l = levels_[static_cast<std::size_t>(level)];
    slide::Band band{part.y, std::min(part.y + part.height, (part.y / tile_ + 1) * tile_) - part.y, {}};
    for (i64 x = part.x, next; x < part.x + part.width; x = next) {
      next = std::min(part.x + part.width, (x / tile_ + 1) * tile_);
      const Extent e{static_cast<i32>(next - x), static_cast<i32>(band.height)};
      const i64 first = part.y * l.extent.width + x;
      if (level == 0 && x / tile_ == lost_x && part.y / tile_ == lost_y) {
        const auto black = std::make_shared<std::vector<Rgba>>(static_cast<std::size_t>(e.area()), info_.background);
        band.patches.push_back({View<const Rgba>(black->data(), e), black});
        unreadable.push_back({{x, part.y, e.width, e.height}, "a test"});
        continue;
      }
      band.patches.push_back({{l.rgba.data() + first, e, l.extent.width}, nullptr, {l.deep.data() + first, e, l.extent.width}});
    }
    return band;
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return std::nullopt; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  i64 lost_x = -1, lost_y = -1;  ///< a tile of level 0 that cannot be read

 private:
  struct Level {
    std::vector<Rgba> rgba;
    std::vector<u16> deep;
    Extent extent;
  };
  void add(std::vector<u16> samples, Extent extent, double downsample) {
    std::vector<Rgba> rgba;
    for (const u16 v : samples) {
      const u8 grey = static_cast<u8>((v + 128) / 257);
      rgba.push_back({grey, grey, grey, 255});
    }
    levels_.push_back({std::move(rgba), std::move(samples), extent});
    slide::Level level;
    level.width = extent.width, level.height = extent.height, level.downsample = downsample;
    info_.levels.push_back(level);
  }
  const i64 tile_;
  slide::SlideInfo info_;
  std::vector<Level> levels_;
};

struct DeepMade : Made {
  std::vector<u16> samples;
  View<const u16> deep() const { return {samples.data(), extent}; }
};
/// What shines in the scene, `low` + its darkness times `factor`, with the noise of `noise` levels.
inline DeepMade deep_made(const Scene& scene, double low, double factor, u16 noise) {
  DeepMade m;
  m.extent = scene.extent;
  std::mt19937 rng(11);
  for (const Rgba& p : scene.pixels)
    m.samples.push_back(static_cast<u16>(std::clamp(low + factor * (255 - p.g) + (noise ? rng() % noise : 0), 0.0, 65535.0)));
  m.slide = std::make_shared<DeepSlide>(m.samples, m.extent);
  for (const u16 v : m.samples) {
    const u8 grey = static_cast<u8>((v + 128) / 257);
    m.pixels.push_back({grey, grey, grey, 255});
  }
  return m;
}
inline engine::Params deep_params(const std::string& assets, const DeepMade& m, bool deep = true,
                                  const std::vector<std::string>& changes = {}) {
  Workspace w;
  Context ctx{w, 2, nullptr, nullptr};
  const std::string id = "fluorescence-nuclei";
  engine::Params params = recipe_params(assets + "/recipes/" + id + ".json", 0.5, changes);
  if (deep) params.set(engine::kPixelDepth, 16.0);
  const engine::Params level = engine::overview(cpu::table(), ctx, id, params, m.view(), m.deep());
  for (const auto& [name, value] : level.all()) params.set(name, value);
  return params;
}

}  // namespace morpho::test
