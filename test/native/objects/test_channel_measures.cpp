// What objects hold of each channel: against sums by hand, at the level that is analysed, and where parts cannot be read.
#include <cmath>
#include <cstring>

#include "engine/certainty/trust.hpp"
#include "engine/query/channel_measures.hpp"

namespace morpho::test {
namespace {

/// Two levels of 256 and 128 px a side. Channel 0 is u16, channel 1 floats with a NaN each 5 px; the second level holds 7 more.
class TwoChannels final : public slide::Slide {
 public:
  explicit TwoChannels(int more = 0) {
    info_.levels = {{256, 256, 1, 64, 64}, {128, 128, 2, 64, 64}};
    info_.channels = {{"DAPI", {}, slide::SampleType::u16, 0, 65535, slide::Shown::gray},
                      {"CD8", {}, slide::SampleType::f32, 0, 1, slide::Shown::no}};
    for (int k = 0; k < more; ++k) info_.channels.push_back(info_.channels[0]);
  }
  static double value(int level, int channel, i64 x, i64 y) {
    if (channel == 1 && x % 5 == 0) return std::nan("");
    const double v = static_cast<double>((x * 7919 + y * 104729 + channel * 13) % 60000) + 7 * level;
    return channel == 1 ? static_cast<double>(static_cast<float>(v / 1000)) : v;
  }
  const slide::SlideInfo& info() const override { return info_; }
  std::vector<slide::Unreadable> read(int, i64, i64, View<Rgba>, const slide::ReadControl&) override { return {}; }
  slide::ChannelSamples samples(int level, int channel, const Rect& part, std::vector<slide::Unreadable>& unreadable,
                                const slide::ReadControl&) override {
    const slide::SampleType type = info_.channels[static_cast<std::size_t>(channel)].type;
    slide::ChannelSamples out{type, {static_cast<i32>(part.width), static_cast<i32>(part.height)}, {}};
    for (i64 y = part.y; y < part.y + part.height; ++y)
      for (i64 x = part.x; x < part.x + part.width; ++x)
        slide::with_type(type, [&](auto sample) {
          sample = static_cast<decltype(sample)>(value(level, channel, x, y));
          const u8* bytes = reinterpret_cast<const u8*>(&sample);
          out.bytes.insert(out.bytes.end(), bytes, bytes + sizeof sample);
        });
    if (channel == lost) unreadable.push_back({{64, 64, 8, 8}, "pretended"});
    return out;
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return {}; }
  std::vector<Rgba> associated(const std::string&, Extent&) override { return {}; }
  int lost = -1;

 private:
  slide::SlideInfo info_;
};

/// Rings of some rows, in a window whose corner is (x, y).
ObjectSet rings(i32 count, i32 x, i32 y) {
  ObjectSet set;
  set.run_offsets.push_back(0);
  for (i32 k = 0; k < count; ++k) {
    const i32 left = k % 6 * 20 + 1 - x, top = k / 6 * 20 + 1 - y;
    ObjectMeasurement m{};
    m.label = k + 1, m.min_x = left, m.max_x = left + 9, m.min_y = top, m.max_y = top + 8;
    for (i32 row = 0; row < 9; ++row) {
      set.runs.push_back({top + row, left, left + 4});
      set.runs.push_back({top + row, left + 6, left + 10 - row % 2});
    }
    set.objects.push_back(m);
    set.run_offsets.push_back(static_cast<i64>(set.runs.size()));
  }
  return set;
}

TEST(ChannelMeasures, AreThoseOfTheSamplesUnderEachObject) {
  for (const double scale : {1.0, 2.0, 1.5}) {
    TwoChannels slide;
    const ObjectSet set = rings(24, 3, 5);
    const auto got = engine::measure_channels(slide, scale, 3, 5, set, nullptr);
    ASSERT_EQ(got.columns, 10);
    const int level = scale == 2.0 ? 1 : 0;
    const double per = scale == 2.0 ? 1 : scale;  // level px an analysed px
    for (std::size_t k = 0; k < set.objects.size(); ++k)
      for (int channel = 0; channel < 2; ++channel) {
        double n = 0, sum = 0, low = 1e300, high = -1e300;
        std::vector<double> values;
        const i64 side = level ? 128 : 256;
        for (i64 y = 0; y < side; ++y)
          for (i64 x = 0; x < side; ++x) {
            const i64 ax = static_cast<i64>(std::floor((static_cast<double>(x) + 0.5) / per)) - 3,
                      ay = static_cast<i64>(std::floor((static_cast<double>(y) + 0.5) / per)) - 5;
            bool inside = false;
            for (i64 r = set.run_offsets[k]; r < set.run_offsets[k + 1]; ++r) {
              const auto& run = set.runs[static_cast<std::size_t>(r)];
              inside |= run.y == ay && ax >= run.x0 && ax < run.x1;
            }
            const double v = TwoChannels::value(level, channel, x, y);
            if (!inside || std::isnan(v)) continue;
            values.push_back(v), n += 1, sum += v, low = std::min(low, v), high = std::max(high, v);
          }
        double squares = 0;
        for (const double v : values) squares += (v - sum / n) * (v - sum / n);
        const double* own = got.values.data() + k * 10 + static_cast<std::size_t>(channel) * 5;
        EXPECT_NEAR(own[0], sum / n, 1e-9 * sum) << k << " " << channel << " " << scale;
        EXPECT_NEAR(own[1], std::sqrt(squares / n), 1e-6 * own[1]);
        EXPECT_EQ(own[2], low);
        EXPECT_EQ(own[3], high);
        EXPECT_NEAR(own[4], sum, 1e-12 * sum);
        if (channel == 0) {
          EXPECT_EQ(own[4], sum);
          EXPECT_EQ(own[0], sum / n);
        }
      }
  }
}

TEST(ChannelMeasures, AreTheSameBitsFromEveryWindow) {
  TwoChannels slide;
  const auto whole = engine::measure_channels(slide, 1, 0, 0, rings(24, 0, 0), nullptr);
  for (const auto& [x, y] : {std::pair{17, 3}, {-40, 60}, {5, -9}}) {
    const auto moved = engine::measure_channels(slide, 1, x, y, rings(24, x, y), nullptr);
    ASSERT_EQ(moved.values.size(), whole.values.size());
    EXPECT_EQ(std::memcmp(moved.values.data(), whole.values.data(), whole.values.size() * sizeof(double)), 0) << x;
  }
}

TEST(ChannelMeasures, OfWhatCannotBeReadAreNoneAndUncertain) {
  TwoChannels slide;
  slide.lost = 1;
  const ObjectSet set = rings(24, 0, 0);
  const auto got = engine::measure_channels(slide, 1, 0, 0, set, nullptr);
  ASSERT_EQ(got.unread, std::vector<std::size_t>{21}) << "that at 61, 61";
  EXPECT_TRUE(std::isnan(got.values[21 * 10 + 5]));
  EXPECT_FALSE(std::isnan(got.values[21 * 10])) << "the other channel was read";
  engine::Trust trust;
  trust.known = true, trust.core_pixels = 256 * 256;
  engine::mistrust(trust, set, got, {0, 0, 256, 256});
  EXPECT_FALSE(trust.whole());
  EXPECT_EQ(trust.parts.size(), 1u);
  EXPECT_LT(trust.certain_pixels, trust.core_pixels);
  EXPECT_GT(trust.certain_pixels, trust.core_pixels - 100);
}

TEST(ChannelMeasures, OfVeryManyChannelsAreTheFirst) {
  TwoChannels slide(998);
  EXPECT_EQ(engine::measured_channels(slide.info()), engine::kMostMeasuredChannels);
  const auto got = engine::measure_channels(slide, 1, 0, 0, rings(2, 0, 0), nullptr);
  EXPECT_EQ(got.values.size(), 2u * 5u * 64u);
  slide::SlideInfo picture;
  EXPECT_EQ(engine::measured_channels(picture), 0);
  picture.channels.resize(3);
  picture.channels[0].shown = slide::Shown::red, picture.channels[1].shown = slide::Shown::green;
  picture.channels[2].shown = slide::Shown::blue;
  EXPECT_EQ(engine::measured_channels(picture), 0);
}

}  // namespace
}  // namespace morpho::test
