// Reading at any scale: the same pixel has the same bytes in every request, levels come unchanged, edges and limits hold.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "engine/window/read_scaled.hpp"
#include "../made_slides/slide_files.hpp"

namespace morpho::test {
namespace {

using engine::read_scaled;

/// A slide of three levels with known pixels; level 1 has the odd downsample of real files.
class PatternSlide final : public slide::Slide {
 public:
  PatternSlide() {
    info_.path = "pattern";
    info_.levels = {{5000, 4000, 1, 0, 0}, {2499, 1999, 2.0007, 0, 0}, {312, 250, 16, 0, 0}};
    info_.background = {240, 241, 242, 255};
  }
  static Rgba pixel(int level, i64 x, i64 y) {
    return {static_cast<u8>(x * 7 + y * 3), static_cast<u8>(x ^ y), static_cast<u8>(level * 80 + (x * y) % 50), 255};
  }
  const slide::SlideInfo& info() const override { return info_; }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl&) override {
    const slide::Level& l = info_.levels[static_cast<std::size_t>(level)];
    for (i32 j = 0; j < out.height(); ++j)
      for (i32 i = 0; i < out.width(); ++i) {
        const i64 px = x + i, py = y + j;
        out.at(i, j) = px < 0 || py < 0 || px >= l.width || py >= l.height ? info_.background : pixel(level, px, py);
      }
    last_level = level;
    return {{{x, y, 1, 1}, "pretended"}};
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  int last_level = -1;

 private:
  slide::SlideInfo info_;
};

struct Reader {
  PatternSlide slide;
  Workspace workspace;
  Context ctx{workspace};
  std::vector<Rgba> operator()(double s, i64 x, i64 y, Extent e) {
    std::vector<Rgba> out(static_cast<std::size_t>(e.area()), Rgba{9, 9, 9, 9});
    (void)read_scaled(cpu::table(), ctx, slide, s, x, y, View<Rgba>(out.data(), e));
    return out;
  }
};

TEST(ReadScaled, GivesLevelsUnchanged) {
  Reader read;
  for (int level = 0; level < 3; ++level) {
    const double s = read.slide.info().levels[static_cast<std::size_t>(level)].downsample;
    const auto out = read(s, 100, 50, {64, 32});
    EXPECT_EQ(read.slide.last_level, level);
    for (i32 j = 0; j < 32; ++j)
      for (i32 i = 0; i < 64; ++i) {
        const Rgba p = PatternSlide::pixel(level, 100 + i, 50 + j);
        ASSERT_EQ(std::memcmp(&out[static_cast<std::size_t>(j * 64 + i)], &p, 4), 0);
      }
  }
}

TEST(ReadScaled, IsTheSameHoweverItIsTiled) {
  Reader read;
  for (double s : {0.0625, 0.7, 1.0020040080160322, 1.5, 2.0, 3.3, 17.0, 40.0}) {
    const i32 w = std::min<i32>(1500, static_cast<i32>(5000 / s) + 30),
              h = std::min<i32>(1300, static_cast<i32>(4000 / s) + 30);
    const i64 x0 = -9, y0 = s < 1.2 ? 700 : -5;
    const auto whole = read(s, x0, y0, {w, h});
    for (const auto& [x, y] : {std::pair{0, 0}, {w / 3, h / 2}, {w - 31, h - 17}, {w / 2, 0}}) {
      const auto part = read(s, x0 + x, y0 + y, {31, 17});
      for (i32 j = 0; j < 17; ++j)
        ASSERT_EQ(std::memcmp(
                      &part[static_cast<std::size_t>(j) * 31],
                      &whole[static_cast<std::size_t>(y + j) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x)], 124),
                  0)
            << s << " at " << x << "," << y << " row " << j;
    }
  }
}

TEST(ReadScaled, AveragesByArea) {
  Reader read;
  const auto out = read(4, 10, 20, {3, 2});
  EXPECT_EQ(read.slide.last_level, 1);
  const auto exact = [&](int channel) {
    // The definition in doubles, for the pixel (10, 20): level-1 px [10r, 11r) × [20r, 21r), r = 4 / 2.0007.
    const double r = 4 / 2.0007;
    double sum = 0, area = 0;
    for (i64 y = static_cast<i64>(20 * r); static_cast<double>(y) < 21 * r; ++y)
      for (i64 x = static_cast<i64>(10 * r); static_cast<double>(x) < 11 * r; ++x) {
        const double wx = std::min<double>(static_cast<double>(x) + 1, 11 * r) -
                          std::max<double>(static_cast<double>(x), 10 * r);
        const double wy = std::min<double>(static_cast<double>(y) + 1, 21 * r) -
                          std::max<double>(static_cast<double>(y), 20 * r);
        const Rgba p = PatternSlide::pixel(1, x, y);
        sum += wx * wy * (channel == 0 ? p.r : channel == 1 ? p.g : p.b);
        area += wx * wy;
      }
    return sum / area;
  };
  EXPECT_NEAR(out[0].r, exact(0), 0.6);
  EXPECT_NEAR(out[0].g, exact(1), 0.6);
  EXPECT_NEAR(out[0].b, exact(2), 0.6);
}

TEST(ReadScaled, FillsBeyondTheSlide) {
  Reader read;
  for (double s : {1.5, 3.0, 16.0}) {
    const auto out = read(s, 1000000, -1000000, {8, 8});
    for (const Rgba& p : out) EXPECT_EQ(p.r, 240);
    const auto corner = read(s, -4, -4, {8, 8});
    EXPECT_EQ(corner[0].g, 241);
    EXPECT_EQ(corner[0].a, 255);
    EXPECT_EQ(corner[63].a, 255);
  }
}

TEST(ReadScaled, AveragesAWholeSlideIntoFewPixels) {
  Reader read;
  const auto out = read(5000, 0, 0, {1, 1});
  EXPECT_EQ(out[0].a, 255);
  EXPECT_EQ(read.slide.last_level, 2);
}

TEST(ReadScaled, ReportsWhatIsUnreadable) {
  PatternSlide slide;
  Workspace workspace;
  Context ctx{workspace};
  std::vector<Rgba> out(64 * 64);
  EXPECT_EQ(read_scaled(cpu::table(), ctx, slide, 1.5, 0, 0, View<Rgba>(out.data(), {64, 64})).size(), 1u);
}

/// As NDPI does, it states tiles of another shape than what it keeps, or none at all.
class KeepingSlide final : public slide::Slide {
 public:
  KeepingSlide(i64 tile_width, i64 tile_height) {
    info_ = pattern_.info();
    info_.levels[0].tile_width = tile_width, info_.levels[0].tile_height = tile_height;
  }
  const slide::SlideInfo& info() const override { return info_; }
  Extent kept_extent(int) const override { return {256, 256}; }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl& c) override {
    return pattern_.read(level, x, y, out, c);
  }
  slide::Band band(int level, const Rect& part, std::vector<slide::Unreadable>&, const slide::ReadControl& c) override {
    slide::Band rows{part.y, std::min(part.y + part.height, (part.y / 256 + 1) * 256) - part.y, {}};
    for (i64 x = part.x; x < part.x + part.width;) {
      const i64 next = std::min(part.x + part.width, (x / 256 + 1) * 256);
      const std::shared_ptr<Rgba[]> pixels(new Rgba[static_cast<std::size_t>((next - x) * rows.height)]);
      const View<Rgba> to(pixels.get(), {static_cast<i32>(next - x), static_cast<i32>(rows.height)});
      const std::lock_guard lock(mutex_);
      pattern_.read(level, x, rows.y, to, c);
      rows.patches.push_back({View<const Rgba>(to.data, to.extent), pixels});
      ++asked[{x / 256, rows.y / 256}];
      x = next;
    }
    return rows;
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  std::map<std::pair<i64, i64>, int> asked;

 private:
  PatternSlide pattern_;
  slide::SlideInfo info_;
  std::mutex mutex_;
};

TEST(ReadScaled, AsksAheadForEachKeptPieceOnce) {
  constexpr Extent extent{900, 700};
  for (const auto& [width, height] : {std::pair<i64, i64>{3968, 8}, {0, 0}, {240, 240}}) {
    const auto read = [&](KeepingSlide& slide, int threads) {
      Workspace workspace;
      Context ctx{workspace, threads};
      std::vector<Rgba> out(static_cast<std::size_t>(extent.area()));
      (void)read_scaled(cpu::table(), ctx, slide, 1.5, 100, 50, View<Rgba>(out.data(), extent));
      return out;
    };
    KeepingSlide alone(width, height), shared(width, height);
    const auto expected = read(alone, 1), pixels = read(shared, 3);
    EXPECT_EQ(std::memcmp(expected.data(), pixels.data(), expected.size() * sizeof(Rgba)), 0);
    // Blocks of 1024 output px, two rows of them here, meet in a row of pieces: by as many as read it, once each ahead.
    ASSERT_EQ(alone.asked.size(), shared.asked.size());
    for (const auto& [piece, times] : shared.asked)
      EXPECT_EQ(times, 2 * alone.asked[piece]) << piece.first << ", " << piece.second << " of tiles of " << width;
  }
}

TEST(ReadScaled, RejectsScalesAndStops) {
  Reader read;
  for (double s : {0.0, -1.0, 0.01, 1e9, std::nan("")}) EXPECT_THROW(read(s, 0, 0, {1, 1}), Error) << s;
  EXPECT_THROW(read(1, i64{1} << 50, 0, {1, 1}), Error);
  EXPECT_NO_THROW(read(1.5, 0, 0, {0, 5}));
  CancelFlag cancel{true};
  Context ctx{read.workspace, 1, &cancel};
  std::vector<Rgba> out(16);
  EXPECT_THROW((void)read_scaled(cpu::table(), ctx, read.slide, 1.5, 0, 0, View<Rgba>(out.data(), {4, 4})), Cancelled);
}

TEST(ReadScaled, KeepsToItsMemory) {
  Reader read;
  for (double s : {1.002, 1.99, 5.0, 30000.0}) {
    read.workspace.reset_peak();
    read(s, 0, 0, {1100, 1100});
    EXPECT_LE(read.workspace.peak_bytes(), std::size_t{4104} * 4104 * 4 + (1u << 22)) << s;
  }
}

}  // namespace
}  // namespace morpho::test
