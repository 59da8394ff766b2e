// A slide of tiles that fail: some reads of a tile give the background and say so, as a drive that answers late.
#pragma once
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "slide/slide.hpp"

namespace morpho::test {

class FailingSlide final : public slide::Slide {
 public:
  static constexpr i64 kForEver = 1 << 30;
  struct Failing {
    i64 from = 0, reads = 1;  ///< so many reads of the tile succeed, then so many fail
  };

  FailingSlide(std::shared_ptr<slide::Slide> of, i64 tile) : of_(std::move(of)), tile_(tile) {}

  /// Of the tile that holds a pixel.
  void fail(i64 x, i64 y) { fail(x, y, {}); }
  void fail(i64 x, i64 y, Failing how) { failing_[{x / tile_, y / tile_}] = how; }
  int failed() const { return failed_; }
  Rect tile_at(i64 x, i64 y) const { return {x / tile_ * tile_, y / tile_ * tile_, tile_, tile_}; }

  const slide::SlideInfo& info() const override { return of_->info(); }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl& control) override {
    auto parts = of_->read(level, x, y, out, control);
    const std::lock_guard lock(mutex_);
    for (auto& [tile, how] : failing_) {
      const Rect r{tile.first * tile_, tile.second * tile_, tile_, tile_};
      const i64 x0 = std::max(r.x, x), y0 = std::max(r.y, y);
      const i64 x1 = std::min(r.x + r.width, x + out.width()), y1 = std::min(r.y + r.height, y + out.height());
      if (x0 >= x1 || y0 >= y1) continue;
      if (how.from > 0) {
        --how.from;
        continue;
      }
      if (how.reads <= 0) continue;
      --how.reads, ++failed_;
      for (i64 row = y0; row < y1; ++row)
        std::fill_n(out.row(static_cast<i32>(row - y)) + (x0 - x), x1 - x0, info().background);
      parts.push_back({{x0, y0, x1 - x0, y1 - y0}, "the drive did not answer"});
    }
    return parts;
  }
  std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) override { return of_->tile_jpeg(level, tx, ty); }
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override { return of_->associated(name, extent); }

 private:
  std::shared_ptr<slide::Slide> of_;
  const i64 tile_;
  std::mutex mutex_;
  std::map<std::pair<i64, i64>, Failing> failing_;
  int failed_ = 0;
};

}  // namespace morpho::test
