// Regions of more than 2^31 px, generated where they are read and kept where they are not 0: nothing of it counts pixels in 32
// bits.
#include <cstring>
#include <map>
#include <mutex>

#include "engine/region/region_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

constexpr i64 kRegionWidth = 70000, kRegionHeight = 31000;
static_assert(kRegionWidth * kRegionHeight > i64{1} << 31);
constexpr i64 kRegionTile = 3500;

/// Two bars and a pixel: from the first px to the last but one, and the last px of all.
class Bars final : public region::Raster {
 public:
  Bars() : Raster(PixelType::u8, kRegionWidth, kRegionHeight) {}
  static bool inside(i64 x, i64 y) {
    return (y == 2 && x < kRegionWidth - 2) || (x == kRegionWidth - 3 && y >= 2 && y < kRegionHeight - 1) ||
           (x == kRegionWidth - 1 && y == kRegionHeight - 1) || (y == kRegionHeight - 2 && x < 5);
  }
  void read(const Rect& r, void* to, std::size_t pitch) const override {
    for (i64 y = r.y; y < r.y + r.height; ++y) {
      u8* row = static_cast<u8*>(to) + static_cast<std::size_t>(y - r.y) * pitch;
      std::fill_n(row, r.width, u8{0});
      if (y == 2) std::fill_n(row, std::max<i64>(0, std::min(r.width, kRegionWidth - 2 - r.x)), u8{1});
      for (const i64 x : {kRegionWidth - 3, kRegionWidth - 1, i64{0}, i64{1}, i64{2}, i64{3}, i64{4}})
        if (x >= r.x && x < r.x + r.width) row[x - r.x] = inside(x, y);
    }
  }
  void write(const Rect&, const void*, std::size_t) override { FAIL() << "it is read alone"; }
};

/// Of T, in squares of a tile: those that were never other than 0 take no memory.
template <class T>
class SparseRaster final : public region::Raster {
 public:
  SparseRaster() : Raster(pixel_type_of<T>(), kRegionWidth, kRegionHeight) {}
  void read(const Rect& r, void* to, std::size_t pitch) const override {
    for (i64 y = 0; y < r.height; ++y)
      std::memset(static_cast<u8*>(to) + static_cast<std::size_t>(y) * pitch, 0, static_cast<std::size_t>(r.width) * sizeof(T));
    const std::lock_guard lock(mutex_);
    for (const auto& [at, value] : kept_) {
      const auto [y, x] = at;
      if (x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height)
        reinterpret_cast<T*>(static_cast<u8*>(to) + static_cast<std::size_t>(y - r.y) * pitch)[x - r.x] = value;
    }
  }
  void write(const Rect& r, const void* from, std::size_t pitch) override {
    const std::lock_guard lock(mutex_);
    for (i64 y = 0; y < r.height; ++y) {
      const T* row = reinterpret_cast<const T*>(static_cast<const u8*>(from) + static_cast<std::size_t>(y) * pitch);
      auto next = kept_.lower_bound({r.y + y, r.x});
      while (next != kept_.end() && next->first.first == r.y + y && next->first.second < r.x + r.width)
        next = kept_.erase(next);
      const bool any = row[0] != 0 || std::memcmp(row, row + 1, static_cast<std::size_t>(r.width - 1) * sizeof(T)) != 0;
      for (i64 x = 0; any && x < r.width; ++x)
        if (row[x] != 0) kept_[{r.y + y, r.x + x}] = row[x];
    }
  }
  std::size_t size() const { return kept_.size(); }
  T at(i64 x, i64 y) const {
    const auto found = kept_.find({y, x});
    return found == kept_.end() ? T{0} : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<i64, i64>, T> kept_;
};

TEST(LargeRegion, ComponentsAreCountedAndJoinedBeyond2To31Pixels) {
  Resources resources;
  region::WorkerOptions options;
  options.threads = 2;
  region::Workers workers(resources, options);
  const Bars bars;
  SparseRaster<i32> labels;
  EXPECT_EQ(region::label(workers, bars, labels, kRegionTile, {}), 3);
  // From the first px along two sides: one component, over all tiles.
  const std::size_t along = static_cast<std::size_t>(kRegionWidth - 2 + kRegionHeight - 4);
  EXPECT_EQ(labels.size(), along + 5 + 1);
  EXPECT_EQ(labels.at(0, 2), 1);
  EXPECT_EQ(labels.at(kRegionWidth - 3, kRegionHeight - 2), 1);
  EXPECT_EQ(labels.at(0, kRegionHeight - 2), 2);
  EXPECT_EQ(labels.at(kRegionWidth - 1, kRegionHeight - 1), 3);
}

}  // namespace
}  // namespace morpho::test
