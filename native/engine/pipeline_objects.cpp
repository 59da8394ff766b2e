// Sums over labels and the exact tests on them.
#include "pipeline_objects.hpp"

#include <cmath>

namespace morpho::engine {
namespace {

__extension__ typedef __int128 i128;

constexpr double kPi = 3.14159265358979323846;
constexpr i64 kMaxTestedArea = 65535;

/// Central second moments times 12 n², each pixel a unit square (+1/12 on both axes). A connected object of n < 2^16 pixels spans
/// w + h <= n + 1, so xx * yy <= n^4 (w h)² < 2^125: nothing overflows.
struct Moments {
  i128 xx, yy, xy;
  i128 det() const { return xx * yy - xy * xy; }
};
Moments moments(const ObjectSums& s) {
  const i64 n = s.area;
  const auto central = [n](i64 ab, i64 a, i64 b) { return 12 * (static_cast<i128>(n) * ab - static_cast<i128>(a) * b); };
  const i128 square = static_cast<i128>(n) * n;
  return {central(s.xx, s.x, s.x) + square, central(s.yy, s.y, s.y) + square, central(s.xy, s.x, s.y)};
}

}  // namespace

std::vector<ObjectSums> object_sums(View<const i32> labels, i32 count, View<const u8> value, View<const u8> below) {
  std::vector<ObjectSums> sums(static_cast<std::size_t>(count) + 1);
  for (i32 y = 0; y < labels.height(); ++y) {
    const i32* row = labels.row(y);
    const u8* v = value.data ? value.row(y) : nullptr;
    const u8* b = below.data ? below.row(y) : nullptr;
    // Runs of one label are summed in closed form, so that the cost per pixel is that of reading it.
    for (i32 x = 0; x < labels.width();) {
      const i32 label = row[x];
      i32 end = x + 1;
      while (end < labels.width() && row[end] == label) ++end;
      if (label > 0) {
        ObjectSums& s = sums[static_cast<std::size_t>(label)];
        if (s.area == 0) s.first_x = x, s.first_y = y;
        const i64 n = end - x, a = x - s.first_x, e = end - 1 - s.first_x, dy = y - s.first_y;
        const i64 sum = (a + e) * n / 2;
        // Σ k² for k = a..e, from the difference of two square pyramids; it holds for negative bounds too.
        const auto pyramid = [](i64 k) { return k * (k + 1) * (2 * k + 1) / 6; };
        s.area += n;
        s.x += sum;
        s.y += n * dy;
        s.xx += pyramid(e) - pyramid(a - 1);
        s.yy += n * dy * dy;
        s.xy += sum * dy;
        if (v) {
          i64 total = 0;
          for (i32 k = x; k < end; ++k) total += v[k];
          if (b) {
            for (i32 k = x; k < end; ++k) total -= b[k];
          }
          s.value += total;
        }
      }
      x = end;
    }
  }
  return sums;
}

EllipticityTest::EllipticityTest(double at_least)
    : factor_(at_least <= 0 ? 0 : static_cast<i64>(std::floor(16 * kPi * kPi * at_least * at_least * 65536 + 0.5))) {}

bool EllipticityTest::passes(const ObjectSums& s) const {
  if (s.area == 0) return false;
  if (factor_ == 0) return true;
  if (s.area > kMaxTestedArea) return false;
  const i128 det = moments(s).det(), square = static_cast<i128>(s.area) * s.area;
  // Beyond this the right side exceeds any left side (for e >= 0.16; below that such threads are refused too).
  if (det > static_cast<i128>(1) << 102) return false;
  // area / (4π sqrt(det / 144 n^4)) >= e, squared and without divisions.
  return square * square * square * 144 * 65536 >= factor_ * det;
}

ElongationTest::ElongationTest(double ratio) {
  const double k = (ratio * ratio - 1) / (ratio * ratio + 1);
  factor_ = static_cast<i64>(std::floor((1 - k * k) * 65536 + 0.5));
}

bool ElongationTest::passes(const ObjectSums& s) const {
  if (s.area == 0 || s.area > kMaxTestedArea) return false;
  const Moments m = moments(s);
  const i128 trace = m.xx + m.yy;
  if (trace > static_cast<i128>(1) << 52) return false;
  // The axes' squares are trace ± sqrt(trace² - 4 det): their ratio is at most ratio² where 4 det >= (1 - k²) trace².
  return 4 * m.det() * 65536 >= factor_ * trace * trace;
}

i64 ellipticity_q10(const ObjectSums& s) {
  if (s.area == 0 || s.area > kMaxTestedArea) return 0;
  // 12 n³ / (4π sqrt(det)). The conversion to double and the square root are correctly rounded everywhere, so this is exact
  // enough and the same on every machine.
  const i128 root = static_cast<i128>(std::sqrt(static_cast<double>(moments(s).det())));
  const i128 four_pi = 823550;  // 4π * 65536
  return static_cast<i64>(static_cast<i128>(s.area) * s.area * s.area * 12 * 65536 * 1024 / (four_pi * (root > 0 ? root : 1)));
}

ContrastTest::ContrastTest(double level, double reference_area)
    : level_(static_cast<i64>(std::floor(std::fmin(std::fmax(level, 0), 510) * 16 + 0.5))),
      reference_(static_cast<i64>(std::floor(std::fmin(std::fmax(reference_area, 1), 1e6) + 0.5))) {}

bool ContrastTest::passes(const ObjectSums& s) const {
  if (s.area == 0) return false;
  if (level_ == 0) return true;
  if (s.value <= 0) return false;
  if (s.area > kMaxTestedArea) return s.value * 16 >= level_ * s.area;
  // value/area * (area/reference)^(1/4) >= level, to the fourth power: at most 2^113 on the left, 2^120 on the right.
  const i128 value2 = static_cast<i128>(s.value) * s.value;
  const i128 level2 = static_cast<i128>(level_) * level_;
  return value2 * value2 * 65536 >= level2 * level2 * s.area * s.area * s.area * reference_;
}

i32 keep_labels(View<i32> labels, const std::vector<char>& keep) {
  std::vector<i32> dense(keep.size(), 0);
  i32 n = 0;
  for (std::size_t l = 1; l < keep.size(); ++l) {
    if (keep[l]) dense[l] = ++n;
  }
  for (i32 y = 0; y < labels.height(); ++y) {
    i32* row = labels.row(y);
    for (i32 x = 0; x < labels.width(); ++x) row[x] = dense[static_cast<std::size_t>(row[x])];
  }
  return n;
}

}  // namespace morpho::engine
