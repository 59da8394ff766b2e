// Reads that cost too much: what a view may read is bounded, its time is up at a deadline, and a cancel ends it between pieces.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "engine/window/read_scaled.hpp"
#include "../made_slides/slide_files.hpp"

namespace morpho::test {
namespace {

using engine::read_scaled;
using engine::ReadLimits;
using engine::ReadReport;

/// A slide of one level, 10^6 px a side, that counts what is read of it and can take its time.
class HugeSlide final : public slide::Slide {
 public:
  HugeSlide() {
    info_.path = "huge";
    info_.levels = {{1000000, 900000, 1, 256, 256}};
    info_.background = {240, 241, 242, 255};
  }
  const slide::SlideInfo& info() const override { return info_; }
  std::vector<slide::Unreadable> read(int, i64 x, i64 y, View<Rgba> out, const slide::ReadControl& control) override {
    read_px += static_cast<u64>(out.extent.area());
    if (on_read) on_read();
    for (i32 j = 0; j < out.height(); ++j)
      std::fill_n(out.row(j), out.width(), Rgba{static_cast<u8>(x >> 8), static_cast<u8>((y + j) >> 8), 7, 255});
    if (control.expired()) return {{{x, y, out.width(), out.height()}, control.reason()}};
    if (bad) return {{{x, y, 1, 1}, "damaged"}};
    return {};
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  u64 read_px = 0;
  bool bad = false;
  std::function<void()> on_read;

 private:
  slide::SlideInfo info_;
};

struct Read {
  std::vector<Rgba> pixels;
  std::vector<slide::Unreadable> unreadable;
  ReadReport report;
};
Read read(HugeSlide& slide, double s, i64 x, i64 y, Extent e, const ReadLimits& limits, const CancelFlag* cancel = nullptr) {
  Workspace workspace;
  Context ctx{workspace, 1, cancel};
  Read r;
  r.pixels.assign(static_cast<std::size_t>(e.area()), Rgba{9, 9, 9, 9});
  r.unreadable = read_scaled(cpu::table(), ctx, slide, s, x, y, View<Rgba>(r.pixels.data(), e), limits, &r.report);
  return r;
}
const ReadLimits kView{{}, 4096};

TEST(ReadLimits, ACoarseTileReadsNoMoreThanItMay) {
  HugeSlide slide;
  for (double s : {128.0, 256.0, 1000.0, 4096.0, 16384.0}) {
    slide.read_px = 0;
    const Read r = read(slide, s, 0, 0, {60, 50}, kView);
    EXPECT_GT(r.report.sampled_every, 1) << s;
    // Cells at the rim of the request are shared with its neighbours.
    EXPECT_LE(slide.read_px, u64{4096} * 60 * 50 + u64{256} * 256 * (60 + 50 + 1)) << s;
    EXPECT_TRUE(r.unreadable.empty());
    EXPECT_FALSE(r.report.timed_out);
  }
  slide.read_px = 0;
  EXPECT_EQ(read(slide, 64, 0, 0, {8, 8}, kView).report.sampled_every, 1) << "what is cheap enough is exact";
  EXPECT_EQ(slide.read_px, u64{4096} * 64);
  EXPECT_EQ(read(slide, 256, 0, 0, {2, 2}, {}).report.sampled_every, 1) << "without limits everything is read";
}

TEST(ReadLimits, APixelIsTheSameInEveryRequest) {
  HugeSlide slide;
  for (double s : {100.0, 256.0, 5000.0}) {
    const i64 right = static_cast<i64>(1000000 / s) - 20;
    const Read whole = read(slide, s, right, 3, {40, 30}, kView);
    for (i32 y = 0; y < 30; y += 7)
      for (i32 x = 0; x < 40; x += 9) {
        const Extent e{std::min(9, 40 - x), std::min(7, 30 - y)};
        const Read part = read(slide, s, right + x, 3 + y, e, kView);
        for (i32 j = 0; j < e.height; ++j)
          ASSERT_EQ(
              std::memcmp(&part.pixels[static_cast<std::size_t>(j * e.width)],
                          &whole.pixels[static_cast<std::size_t>((y + j) * 40 + x)], 4 * static_cast<std::size_t>(e.width)),
              0);
      }
    // Beyond the slide is background, before it is not.
    EXPECT_EQ(whole.pixels[39].r, 240);
    EXPECT_EQ(whole.pixels[0].b, 7);
  }
}

TEST(ReadLimits, ASampleShowsWhatLiesThere) {
  HugeSlide slide;
  const Read r = read(slide, 512, 0, 0, {100, 100}, kView);
  const i64 cell = r.report.sampled_every * 256;
  for (i64 k : {0, 17, 50, 99}) {
    const Rgba p = r.pixels[static_cast<std::size_t>(k * 100 + k)];
    const i64 from = (k * 512 + 256) / cell * cell;
    EXPECT_GE(p.g, static_cast<u8>(from >> 8));
    EXPECT_LE(p.g, static_cast<u8>((from + cell) >> 8));
  }
}

TEST(ReadLimits, ABadSampleLeavesItsCellUnknown) {
  HugeSlide slide;
  slide.bad = true;
  const Read r = read(slide, 256, 3900, 3510, {7, 6}, kView);  // the slide's last corner
  ASSERT_FALSE(r.unreadable.empty());
  for (const slide::Unreadable& u : r.unreadable) {
    EXPECT_EQ(u.reason, "damaged");
    EXPECT_GT(u.region.width, 1);
    EXPECT_LE(u.region.x + u.region.width, 1000000);
    EXPECT_LE(u.region.y + u.region.height, 900000);
  }
}

TEST(ReadLimits, WhatThereIsNoTimeForIsNamed) {
  HugeSlide slide;
  // Spends more computing time than it has at the third piece.
  int pieces = 0;
  slide.on_read = [&] {
    if (++pieces < 3) return;
    const auto until = std::clock() + CLOCKS_PER_SEC / 10;
    while (std::clock() < until) {}
  };
  const ReadLimits limits{slide::ReadControl(nullptr, std::chrono::milliseconds(50)), 0};
  const Read r = read(slide, 1.5, 0, 0, {8000, 4000}, limits);
  EXPECT_TRUE(r.report.timed_out);
  EXPECT_LT(pieces, 12) << "what follows is not read";
  ASSERT_FALSE(r.unreadable.empty());
  EXPECT_NE(r.unreadable.back().reason.find("takes longer than"), std::string::npos);
  i64 area = 0;
  for (const slide::Unreadable& u : r.unreadable) area += u.region.width * u.region.height;
  EXPECT_GT(area, i64{8000} * 4000 * 9 / 4 / 2) << "most of it is named";
  for (const Rgba& p : r.pixels) ASSERT_EQ(p.a, 255);
}

TEST(ReadLimits, ACancelEndsARead) {
  HugeSlide slide;
  for (const ReadLimits& limits : {ReadLimits{}, kView}) {
    CancelFlag cancel{false};
    int pieces = 0;
    slide.on_read = [&] {
      if (++pieces == 2) cancel.store(true);
    };
    EXPECT_THROW(read(slide, limits.most_level_px_per_px > 0 ? 300 : 1.5, 0, 0, {8000, 8000}, limits, &cancel), Cancelled);
    EXPECT_LE(pieces, 3);
  }
}

}  // namespace
}  // namespace morpho::test
