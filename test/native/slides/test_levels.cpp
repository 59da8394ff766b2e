// Where the px of reduced levels lie on the slide, and levels that show another picture.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "engine/window/read_scaled.hpp"
#include "slide/level_agreement.hpp"
#include "slide/level_scale.hpp"

namespace morpho::test {
namespace {

using slide::level_scale;

double mean_ratio(i64 w, i64 h, i64 lw, i64 lh) {
  return (static_cast<double>(w) / static_cast<double>(lw) + static_cast<double>(h) / static_cast<double>(lh)) / 2;
}

TEST(LevelScale, TakesTheWholeFactorThatExplainsBothSides) {
  // A 100,000 × 6,000 slide halved six times, each time rounded down: the mean of both sides' ratios is 64.268.
  EXPECT_NEAR(mean_ratio(100000, 6000, 1562, 93), 64.268, 5e-4);
  for (const auto& [w, h, lw, lh, factor] : {std::tuple<i64, i64, i64, i64, double>{100000, 6000, 1562, 93, 64},
                                             {100000, 6000, 1563, 94, 64},
                                             {6000, 100000, 93, 1562, 64},
                                             {46000, 32914, 2875, 2057, 16},
                                             {4443, 3567, 2221, 1783, 2},
                                             {3000, 300, 1000, 100, 3},
                                             {100000, 100, 781, 1, 128}}) {
    const slide::LevelScale s = level_scale(w, h, lw, lh, mean_ratio(w, h, lw, lh));
    EXPECT_EQ(s.x, factor) << w << " " << lw;
    EXPECT_EQ(s.y, factor) << h << " " << lh;
  }
}

TEST(LevelScale, ElseTakesEachSidesOwn) {
  const slide::LevelScale s = level_scale(10000, 5000, 2480, 1240, mean_ratio(10000, 5000, 2480, 1240));
  EXPECT_DOUBLE_EQ(s.x, 10000.0 / 2480);
  const slide::LevelScale odd = level_scale(10000, 5000, 2490, 1250, mean_ratio(10000, 5000, 2490, 1250));
  EXPECT_DOUBLE_EQ(odd.x, 10000.0 / 2490);
  EXPECT_DOUBLE_EQ(odd.y, 4);
  // What a file states is for both sides.
  EXPECT_EQ(level_scale(10000, 5000, 2490, 1250, 4.01).x, 4.01);
  EXPECT_EQ(level_scale(10000, 5000, 2490, 1250, 4.01).y, 4.01);
}

/// 100,000 × 6,000 px of glass with a column and a row of tissue; level 1 is 64 times smaller, rounded either way.
class LongSlide final : public slide::Slide {
 public:
  LongSlide(Extent coarse, double x, double y) {
    info_.levels = {{100000, 6000, 1, 0, 0}, {coarse.width, coarse.height, x, 0, 0, x, y}};
  }
  static constexpr i64 kColumn = 99904, kRow = 5888, kWide = 64;  // of level 0
  const slide::SlideInfo& info() const override { return info_; }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl&) override {
    const slide::Level& l = info_.levels[static_cast<std::size_t>(level)];
    const auto tissue = [](double at, i64 from) {
      return at >= static_cast<double>(from) && at < static_cast<double>(from + kWide);
    };
    for (i32 j = 0; j < out.height(); ++j)
      for (i32 i = 0; i < out.width(); ++i) {
        const i64 px = x + i, py = y + j;
        const bool outside = px < 0 || py < 0 || px >= l.width || py >= l.height;
        const double at_x = (static_cast<double>(px) + 0.5) * l.downsample_x(),
                     at_y = (static_cast<double>(py) + 0.5) * l.downsample_y();
        const bool dark = !outside && (tissue(at_x, kColumn) || tissue(at_y, kRow));
        const u8 grey = outside ? 255 : dark ? 50 : 200;
        out.at(i, j) = {grey, grey, grey, 255};
      }
    return {};
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }

 private:
  slide::SlideInfo info_;
};

std::vector<Rgba> pixels_of(slide::Slide& slide, double s, Extent e, i64 x = 0, i64 y = 0) {
  Workspace workspace;
  Context ctx{workspace};
  std::vector<Rgba> out(static_cast<std::size_t>(e.area()));
  (void)engine::read_scaled(cpu::table(), ctx, slide, s, x, y, View<Rgba>(out.data(), e));
  return out;
}

TEST(ReadScaled, PutsTheEndOfALongSlideWhereItIs) {
  const Extent whole{1563, 94};  // what 100,000 × 6,000 px begin at 64
  // Whole factors, and each side's own ratio: a column at 1561 of 1562.5, a row at 92 of 93.75.
  for (const auto& [coarse, x, y] : {std::tuple<Extent, double, double>{{1562, 93}, 64, 64},
                                     {{1563, 94}, 64, 64},
                                     {{1562, 93}, 100000.0 / 1562, 6000.0 / 93}}) {
    LongSlide slide(coarse, x, y);
    const auto out = pixels_of(slide, 64, whole);
    const auto at = [&out](i32 i, i32 j) { return out[static_cast<std::size_t>(j * 1563 + i)].r; };
    EXPECT_LT(at(1561, 10), 130) << coarse.width << " " << x;
    EXPECT_EQ(at(1559, 10), 200);
    EXPECT_LT(at(100, 92), 130);
    EXPECT_EQ(at(100, 90), 200);
    // No glass that nobody saw at the rim.
    for (i32 j = 0; j < 94; ++j) EXPECT_LE(at(1562, j), 200) << j;
    for (i32 i = 0; i < 1563; ++i) EXPECT_LE(at(i, 93), 200) << i;
  }
}

TEST(ReadScaled, HasTheSameRimHoweverItIsTiled) {
  for (const auto& [x, y] : {std::pair{64.0, 64.0}, {100000.0 / 1562, 6000.0 / 93}}) {
    LongSlide slide({1562, 93}, x, y);
    for (const double s : {64.0, 70.5, 128.0}) {
      const i32 w = static_cast<i32>(std::ceil(100000 / s)) + 3, h = static_cast<i32>(std::ceil(6000 / s)) + 3;
      const auto whole = pixels_of(slide, s, {w, h});
      for (i32 j = h - 6; j < h; ++j)
        for (i32 i = w - 6; i < w; ++i) {
          const auto one = pixels_of(slide, s, {1, 1}, i, j);
          EXPECT_EQ(one[0].r, whole[static_cast<std::size_t>(j * w + i)].r) << s << ": " << i << ", " << j;
        }
      EXPECT_EQ(whole[static_cast<std::size_t>(w - 1)].r, 255) << "beyond the slide is its background";
    }
  }
}

/// Spots of tissue over all of the slide; level `wrong` is white.
class SpottedSlide final : public slide::Slide {
 public:
  explicit SpottedSlide(std::vector<int> wrong) : wrong_(std::move(wrong)) {
    for (i64 d = 1; d <= 16; d *= 2) info_.levels.push_back({4096 / d, 2048 / d, static_cast<double>(d), 256, 256});
  }
  const slide::SlideInfo& info() const override { return info_; }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl&) override {
    ++reads;
    for (i64 ty = y / 256; ty * 256 < y + out.height(); ++ty)
      for (i64 tx = x / 256; tx * 256 < x + out.width(); ++tx) tiles.insert({level, tx, ty});
    const double d = info_.levels[static_cast<std::size_t>(level)].downsample;
    const bool white = std::find(wrong_.begin(), wrong_.end(), level) != wrong_.end();
    for (i32 j = 0; j < out.height(); ++j)
      for (i32 i = 0; i < out.width(); ++i) {
        const i64 px = static_cast<i64>((static_cast<double>(x + i) + 0.5) * d),
                  py = static_cast<i64>((static_cast<double>(y + j) + 0.5) * d);
        const bool tissue = px > sparse_from && px / 100 % 2 == py / 100 % 2;
        const u8 grey = white || !tissue ? 245 : 60;
        out.at(i, j) = {grey, grey, grey, 255};
      }
    for (const auto until = std::chrono::steady_clock::now() + computing; std::chrono::steady_clock::now() < until;) {}
    if (fails(level, x, y) && failed[{level, x, y}]++ < times) return {{{0, 0, 1, 1}, "pretended"}};
    return {};
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  int reads = 0;
  std::set<std::tuple<int, i64, i64>> tiles;  ///< that were read
  i64 sparse_from = -1;
  std::chrono::milliseconds computing{0};  ///< of each read
  std::function<bool(int, i64, i64)> fails = [](int, i64, i64) { return false; };
  int times = 1;  ///< that each read fails
  std::map<std::tuple<int, i64, i64>, int> failed;

 private:
  std::vector<int> wrong_;
  slide::SlideInfo info_;
};

constexpr int kForEver = 1 << 30;

TEST(LevelAgreement, FindsLevelsOfAnotherPicture) {
  for (const std::vector<int>& wrong : {std::vector<int>{}, {4}, {2}, {1, 3}, {2, 3, 4}}) {
    SpottedSlide slide(wrong);
    const auto found = slide::judge_levels(slide);
    EXPECT_EQ(found.left_out, wrong) << wrong.size();
    EXPECT_TRUE(found.unjudged.empty());
  }
}

TEST(LevelAgreement, LooksFurtherWhereTheSlideIsMostlyGlass) {
  SpottedSlide slide({4});
  slide.sparse_from = 3500;
  EXPECT_EQ(slide::judge_levels(slide).left_out, std::vector<int>{4});
  SpottedSlide good({});
  EXPECT_TRUE(slide::judge_levels(good).left_out.empty());
  EXPECT_LE(good.reads, 4 * 2 * 12) << "a few places are enough where they agree";
}

TEST(LevelAgreement, IsTheSameHoweverLongReadsTake) {
  SpottedSlide slide({4});
  slide.sparse_from = 3500;
  slide.computing = std::chrono::milliseconds(8);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(slide::judge_levels(slide).left_out, std::vector<int>{4});
  EXPECT_GT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(1)) << "longer than a limit of one second";
}

TEST(LevelAgreement, AsksOnceMoreForWhatFails) {
  for (const std::vector<int>& wrong : {std::vector<int>{}, {4}, {1, 3}}) {
    SpottedSlide slide(wrong);
    slide.fails = [](int, i64, i64) { return true; };
    const auto found = slide::judge_levels(slide);
    EXPECT_EQ(found.left_out, wrong) << wrong.size();
    EXPECT_TRUE(found.unjudged.empty());
  }
}

TEST(LevelAgreement, TellsOfLevelsThatWhatStaysAwayMightTip) {
  for (const std::vector<int>& wrong : {std::vector<int>{}, {4}}) {
    SpottedSlide slide(wrong);
    slide.fails = [](int level, i64, i64) { return level == 4; };
    slide.times = kForEver;
    const auto found = slide::judge_levels(slide);
    EXPECT_EQ(found.unjudged, std::vector<int>{4});
    EXPECT_TRUE(found.left_out.empty()) << "nothing speaks against it";
    const std::string why = slide::uncertain_by_levels(slide.info(), found.unjudged);
    EXPECT_NE(why.find("level 4 (256 × 128 px)"), std::string::npos) << why;
  }
  // A drive that is gone is not asked for ever.
  SpottedSlide gone({4});
  gone.fails = [](int, i64, i64) { return true; };
  gone.times = kForEver;
  EXPECT_EQ(slide::judge_levels(gone).unjudged, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_LE(gone.reads, 2 * 64);
}

TEST(LevelAgreement, IsCertainWhereWhatStaysAwayCouldTipNothing) {
  // The verdict is that of the intact slide, for each seed: where it is called judged, whatever was lost.
  int judged = 0, unjudged = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const std::vector<int> wrong = seed % 2 ? std::vector<int>{4} : std::vector<int>{};
    SpottedSlide slide(wrong);
    slide.sparse_from = seed % 3 ? -1 : 2000;
    slide.times = kForEver;
    const std::uint32_t share = seed % 7 * 90;  // of 1,000 places
    slide.fails = [&](int level, i64 x, i64 y) {
      u64 h = (static_cast<u64>(x) * 0x9E3779B97F4A7C15u) ^ (static_cast<u64>(y) << 32) ^ (seed * 2654435761u);
      h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
      return level == 4 && (h >> 33) % 1000 < share;
    };
    const auto found = slide::judge_levels(slide);
    if (found.unjudged.empty()) {
      EXPECT_EQ(found.left_out, wrong) << seed;
      ++judged;
    } else {
      EXPECT_EQ(found.unjudged, std::vector<int>{4}) << seed;
      ++unjudged;
    }
  }
  EXPECT_GT(judged, 150);
  EXPECT_GT(unjudged, 10);
}

TEST(LevelAgreement, ReadsNoMoreThanItsPixels) {
  SpottedSlide whole({4}), part({4});
  whole.sparse_from = part.sparse_from = 3500;
  (void)slide::judge_levels(whole);
  EXPECT_GT(whole.tiles.size(), 60u);
  // Each of four levels may use a quarter.
  (void)slide::judge_levels(part, 4 * 10 * 256 * 256);
  EXPECT_GT(part.reads, 0);
  EXPECT_LE(part.tiles.size(), 40u);
  SpottedSlide none({4});
  EXPECT_TRUE(slide::judge_levels(none, 0).left_out.empty());
  EXPECT_EQ(none.reads, 0);
  // What is spent on one level takes nothing from the next.
  SpottedSlide each({4});
  each.fails = [](int level, i64, i64) { return level == 1; };
  each.times = kForEver;
  const auto found = slide::judge_levels(each, 4 * 30 * 256 * 256);
  EXPECT_EQ(found.left_out, std::vector<int>{4});
}

/// Counts a slide's reads.
class ReadsCounted final : public slide::Slide {
 public:
  explicit ReadsCounted(slide::Slide& inner) : inner_(inner) {}
  const slide::SlideInfo& info() const override { return inner_.info(); }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl& c) override {
    ++reads;
    return inner_.read(level, x, y, out, c);
  }
  Extent kept_extent(int level) const override { return inner_.kept_extent(level); }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  int reads = 0;

 private:
  slide::Slide& inner_;
};

TEST(LevelAgreement, HasPixelsEnoughForEverySlideHere) {
  if (!slide::openslide_status().available) GTEST_SKIP() << "OpenSlide is not installed (Debian: libopenslide0)";
  const std::filesystem::path data = std::filesystem::path(MORPHO_ASSETS) / "../../shared/data";
  std::vector<std::string> paths;
  for (const char* folder : {"slides", "slides/synthetic", "odd"}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(data / folder, none))
      if (entry.is_regular_file()) paths.push_back(entry.path().string());
  }
  if (paths.empty()) GTEST_SKIP() << "no slides at " << data;
  int judged = 0;
  for (const std::string& path : paths) {
    std::shared_ptr<slide::Slide> opened;
    try {
      opened = slide::open_slide(path);
    } catch (const Error&) {
      continue;
    }
    ReadsCounted all(*opened), usual(*opened);
    const auto want = slide::judge_levels(all, i64{1} << 50), got = slide::judge_levels(usual);
    EXPECT_EQ(got.left_out, want.left_out) << path;
    EXPECT_EQ(got.unjudged, want.unjudged) << path;
    EXPECT_EQ(usual.reads, all.reads) << path;
    judged += all.reads > 0;
  }
  EXPECT_GT(judged, 8);
}

}  // namespace
}  // namespace morpho::test
