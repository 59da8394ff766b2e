// Compares means of squares of one level with the same part of a finer one.
#include "level_agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "../contract/view.hpp"

namespace morpho::slide {
namespace {

constexpr i64 kGrid = 8, kLeastSide = 16, kLargestPatch = 32, kLargestFinePatch = 256;
constexpr int kEnough = 6;
/// Of all levels together: a drive that is gone may take long to say so, each time.
constexpr int kMostUnreadable = 64;
/// Grey levels. JPEG, sharpening and a stitched tile's few px of offset stay far below.
constexpr double kApart = 30;
constexpr double kGlassFrom = 225, kBlackTo = 12;

using Mean = std::array<double, 3>;

std::optional<Mean> read_mean(Slide& slide, int level, const Rect& part, std::vector<Rgba>& pixels) {
  pixels.resize(static_cast<std::size_t>(part.width * part.height));
  const View<Rgba> view(pixels.data(), {static_cast<i32>(part.width), static_cast<i32>(part.height)});
  if (!slide.read(level, part.x, part.y, view).empty()) return std::nullopt;
  Mean sum{};
  for (const Rgba& p : pixels) sum[0] += p.r, sum[1] += p.g, sum[2] += p.b;
  for (double& c : sum) c /= static_cast<double>(pixels.size());
  return sum;
}
/// Asks once more: of all of it, as each of its tiles may fail once.
std::optional<Mean> mean_of(Slide& slide, int level, const Rect& part, std::vector<Rgba>& pixels) {
  const auto mean = read_mean(slide, level, part, pixels);
  return mean ? mean : read_mean(slide, level, part, pixels);
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

/// The tiles of one level that were asked for, each counted once.
class DecodedTiles {
 public:
  DecodedTiles(const Slide& slide, int level) {
    const Level& l = slide.info().levels[static_cast<std::size_t>(level)];
    const Extent kept = slide.kept_extent(level);
    width_ = side(l.tile_width, kept.width), height_ = side(l.tile_height, kept.height);
  }
  /// Of the tiles under `part`, those that are new.
  i64 pixels_of(const Rect& part) {
    i64 pixels = 0;
    for (i64 y = part.y / height_; y * height_ < part.y + part.height; ++y)
      for (i64 x = part.x / width_; x * width_ < part.x + part.width; ++x)
        if (seen_.emplace(x, y).second) pixels += width_ * height_;
    return pixels;
  }

 private:
  /// What a file states may be absurd.
  static i64 side(i64 stated, i64 kept) {
    constexpr i64 none = 256, most = i64{1} << 24;
    return std::min(most, stated > 0 ? stated : kept > 0 ? kept : none);
  }

  i64 width_ = 1, height_ = 1;
  std::set<std::pair<i64, i64>> seen_;
};

/// The verdict on a level, place by place. A place that cannot be read might have shown the same, another picture or nothing:
/// each of these is followed on its own.
class Verdict {
 public:
  enum class Place { same, other, nothing, unread };

  void add(Place place) {
    if (place == Place::unread) {
      std::set<Counts> branched = open_;
      for (const auto& [same, other] : open_) branched.insert({{same + 1, other}, {same, other + 1}});
      open_ = std::move(branched);
    } else if (place != Place::nothing) {
      read_ = next(read_, place);
      std::set<Counts> moved;
      for (const Counts& c : open_) moved.insert(next(c, place));
      open_ = std::move(moved);
    }
    for (auto at = open_.begin(); at != open_.end();) {
      const auto [same, other] = *at;
      const bool keeps = same >= kEnough && same > 2 * other, leaves = other >= kEnough && other > 2 * same;
      may_keep_ |= keeps, may_leave_ |= leaves;
      at = keeps || leaves ? open_.erase(at) : std::next(at);
    }
  }
  /// Nothing more can change it.
  bool settled() const { return open_.empty() || (may_keep_ && may_leave_); }
  void end() {
    for (const Counts& c : open_) (leaves_at_end(c) ? may_leave_ : may_keep_) = true;
    open_.clear();
  }
  bool unjudged() const { return may_keep_ && may_leave_; }
  bool left_out() const { return unjudged() ? leaves_at_end(read_) : may_leave_; }

 private:
  using Counts = std::pair<int, int>;  ///< places that show the same, and others
  static Counts next(Counts c, Place place) {
    ++(place == Place::same ? c.first : c.second);
    return c;
  }
  static bool leaves_at_end(const Counts& c) { return c.second >= 2 && c.second > c.first; }

  std::set<Counts> open_{{0, 0}};
  Counts read_{0, 0};
  bool may_keep_ = false, may_leave_ = false;
};

/// Judges `coarse` by `fine`, for no more than `most_pixels` of decoded tiles. `unreadable` counts places, of all levels.
Verdict judged(Slide& slide, int fine, int coarse, i64 most_pixels, int& unreadable) {
  const Level &f = slide.info().levels[static_cast<std::size_t>(fine)],
              &c = slide.info().levels[static_cast<std::size_t>(coarse)];
  const double x_ratio = c.downsample_x() / f.downsample_x(), y_ratio = c.downsample_y() / f.downsample_y();
  const i64 shorter = std::min(c.width, c.height), most = static_cast<i64>(kLargestFinePatch / std::max(x_ratio, y_ratio));
  const i64 side = std::min({kLargestPatch, shorter / kGrid, most});
  Verdict verdict;
  if (shorter < kLeastSide || side < 1) return verdict.end(), verdict;
  const i64 columns = std::min(kGrid, c.width / side), count = columns * std::min(kGrid, c.height / side),
            rows = count / columns;
  const i64 step = stride(count);
  std::vector<Rgba> pixels;
  DecodedTiles fine_tiles(slide, fine), coarse_tiles(slide, coarse);
  i64 spent = 0;
  for (i64 k = 0; k < count && !verdict.settled(); ++k) {
    const i64 place = k * step % count;
    const Rect there{(2 * (place % columns) + 1) * c.width / (2 * columns) - side / 2,
                     (2 * (place / columns) + 1) * c.height / (2 * rows) - side / 2, side, side};
    const auto scaled = [](i64 v, double by) { return static_cast<i64>(std::llround(static_cast<double>(v) * by)); };
    Rect here{scaled(there.x, x_ratio), scaled(there.y, y_ratio), std::max<i64>(1, scaled(side, x_ratio)),
              std::max<i64>(1, scaled(side, y_ratio))};
    if (here.x + here.width > f.width || here.y + here.height > f.height) continue;
    spent += coarse_tiles.pixels_of(there) + fine_tiles.pixels_of(here);
    if (spent > most_pixels) break;
    std::optional<Mean> coarse_mean, fine_mean;
    if (unreadable < kMostUnreadable) coarse_mean = mean_of(slide, coarse, there, pixels);
    if (coarse_mean) fine_mean = mean_of(slide, fine, here, pixels);
    if (!coarse_mean || !fine_mean) {
      ++unreadable;
      verdict.add(Verdict::Place::unread);
    } else if (apart(*coarse_mean, *fine_mean) > kApart) verdict.add(Verdict::Place::other);
    else verdict.add(empty(*fine_mean) ? Verdict::Place::nothing : Verdict::Place::same);
  }
  verdict.end();
  return verdict;
}

}  // namespace

LevelAgreement judge_levels(Slide& slide, i64 most_pixels) {
  LevelAgreement found;
  const int count = static_cast<int>(slide.info().levels.size());
  int fine = 0, unreadable = 0;
  for (int level = 1; level < count; ++level) {
    const Verdict verdict = judged(slide, fine, level, most_pixels / (count - 1), unreadable);
    if (verdict.unjudged()) found.unjudged.push_back(level);
    if (verdict.left_out()) found.left_out.push_back(level);
    else fine = level;
  }
  return found;
}

std::string uncertain_by_levels(const SlideInfo& info, const std::vector<int>& levels) {
  if (levels.empty()) return {};
  std::string names;
  for (const int level : levels) {
    const Level& one = info.levels[static_cast<std::size_t>(level)];
    if (!names.empty()) names += level == levels.back() ? " and " : ", ";
    names += std::to_string(level) + " (" + std::to_string(one.width) + " × " + std::to_string(one.height) + " px)";
  }
  return "Parts could not be read that tell whether level" + (levels.size() > 1 ? std::string("s ") : " ") + names +
         (levels.size() > 1 ? " show" : " shows") +
         " the same picture as the finer levels: what is read at a low magnification may be other pixels than the intact "
         "file's.";
}

}  // namespace morpho::slide
