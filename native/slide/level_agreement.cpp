// Compares means of squares of one level with the same part of a finer one.
#include "level_agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "../contract/view.hpp"

namespace morpho::slide {
namespace {

constexpr i64 kGrid = 8, kLeastSide = 16, kLargestPatch = 32, kLargestFinePatch = 256;
constexpr int kMostUnreadable = 4, kEnough = 6;
/// Grey levels. JPEG, sharpening and a stitched tile's few px of offset stay far below.
constexpr double kApart = 30;
constexpr double kGlassFrom = 225, kBlackTo = 12;
constexpr std::chrono::milliseconds kLimit{1000};

using Mean = std::array<double, 3>;

std::optional<Mean> mean_of(Slide& slide, int level, const Rect& part, const ReadControl& control, std::vector<Rgba>& pixels) {
  pixels.resize(static_cast<std::size_t>(part.width * part.height));
  const View<Rgba> view(pixels.data(), {static_cast<i32>(part.width), static_cast<i32>(part.height)});
  if (!slide.read(level, part.x, part.y, view, control).empty()) return std::nullopt;
  Mean sum{};
  for (const Rgba& p : pixels) sum[0] += p.r, sum[1] += p.g, sum[2] += p.b;
  for (double& c : sum) c /= static_cast<double>(pixels.size());
  return sum;
}

bool empty(const Mean& m) {
  return std::all_of(m.begin(), m.end(), [](double c) { return c >= kGlassFrom; }) ||
         std::all_of(m.begin(), m.end(), [](double c) { return c <= kBlackTo; });
}
double apart(const Mean& a, const Mean& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

/// A step through 0…count−1 that comes to each once, far from the one before.
i64 stride(i64 count) {
  i64 step = std::max<i64>(1, count * 5 / 8);
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

bool disagrees(Slide& slide, int fine, int coarse, const ReadControl& control) {
  const Level &f = slide.info().levels[static_cast<std::size_t>(fine)],
              &c = slide.info().levels[static_cast<std::size_t>(coarse)];
  const double x_ratio = c.downsample_x() / f.downsample_x(), y_ratio = c.downsample_y() / f.downsample_y();
  const i64 shorter = std::min(c.width, c.height), most = static_cast<i64>(kLargestFinePatch / std::max(x_ratio, y_ratio));
  const i64 side = std::min({kLargestPatch, shorter / kGrid, most});
  if (shorter < kLeastSide || side < 1) return false;
  const i64 columns = std::min(kGrid, c.width / side), count = columns * std::min(kGrid, c.height / side),
            rows = count / columns;
  const i64 step = stride(count);
  std::vector<Rgba> pixels;
  int same = 0, other = 0, unreadable = 0;
  for (i64 k = 0; k < count && unreadable < kMostUnreadable && !control.expired(); ++k) {
    const i64 place = k * step % count;
    const Rect there{(2 * (place % columns) + 1) * c.width / (2 * columns) - side / 2,
                     (2 * (place / columns) + 1) * c.height / (2 * rows) - side / 2, side, side};
    const auto scaled = [](i64 v, double by) { return static_cast<i64>(std::llround(static_cast<double>(v) * by)); };
    Rect here{scaled(there.x, x_ratio), scaled(there.y, y_ratio), std::max<i64>(1, scaled(side, x_ratio)),
              std::max<i64>(1, scaled(side, y_ratio))};
    if (here.x + here.width > f.width || here.y + here.height > f.height) continue;
    const auto coarse_mean = mean_of(slide, coarse, there, control, pixels),
               fine_mean = mean_of(slide, fine, here, control, pixels);
    if (!coarse_mean || !fine_mean) {
      ++unreadable;
      continue;
    }
    if (apart(*coarse_mean, *fine_mean) > kApart) ++other;
    else if (!empty(*fine_mean)) ++same;
    if (same >= kEnough && same > 2 * other) return false;
    if (other >= kEnough && other > 2 * same) return true;
  }
  return other >= 2 && other > same;
}

}  // namespace

std::vector<int> disagreeing_levels(Slide& slide) {
  std::vector<int> found;
  const ReadControl control(nullptr, kLimit);
  int fine = 0;
  for (int level = 1; level < static_cast<int>(slide.info().levels.size()); ++level) {
    if (disagrees(slide, fine, level, control)) found.push_back(level);
    else fine = level;
  }
  return found;
}

}  // namespace morpho::slide
