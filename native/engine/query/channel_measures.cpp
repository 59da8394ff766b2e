// Reads each channel in bands under the objects, and adds up what lies in each of them (see channel_measures.hpp).
#include "channel_measures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "../certainty/trust.hpp"

namespace morpho::engine {
namespace {

__extension__ typedef __int128 Wide128;
__extension__ typedef unsigned __int128 Unsigned128;

constexpr i64 kBandPixels = i64{4} << 20;

struct ChannelFigures {
  double mean, deviation, low, high, sum;
};

/// Of whole numbers: exact for 2^31 samples of 32 bits.
class WholeSums {
 public:
  template <class T>
  void add(T value) {
    const i64 v = +value;
    low_ = std::min(low_, v), high_ = std::max(high_, v);
    sum_ += v;
    squares_ += static_cast<Unsigned128>(static_cast<Wide128>(v) * v);
    ++count_;
  }
  bool any() const { return count_ > 0; }
  ChannelFigures figures() const {
    const auto n = static_cast<double>(count_);
    const Unsigned128 spread = static_cast<Unsigned128>(count_) * squares_ - static_cast<Unsigned128>(sum_ * sum_);
    return {static_cast<double>(sum_) / n, std::sqrt(static_cast<double>(spread)) / n, static_cast<double>(low_),
            static_cast<double>(high_), static_cast<double>(sum_)};
  }

 private:
  i64 count_ = 0, low_ = std::numeric_limits<i64>::max(), high_ = std::numeric_limits<i64>::min();
  Wide128 sum_ = 0;
  Unsigned128 squares_ = 0;
};

/// Of floats, by what differs from the first of them: in the order in which they come.
class FloatSums {
 public:
  template <class T>
  void add(T value) {
    if (!std::isfinite(value)) return;
    const auto v = static_cast<double>(value);
    if (count_++ == 0) first_ = v;
    low_ = std::min(low_, v), high_ = std::max(high_, v);
    sum_ += v - first_;
    squares_ += (v - first_) * (v - first_);
  }
  bool any() const { return count_ > 0; }
  ChannelFigures figures() const {
    const auto n = static_cast<double>(count_);
    const double mean = sum_ / n, variance = squares_ / n - mean * mean;
    return {first_ + mean, std::sqrt(std::max(0.0, variance)), low_, high_, first_ * n + sum_};
  }

 private:
  i64 count_ = 0;
  double first_ = 0, sum_ = 0, squares_ = 0;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

/// Where px of the analysed image lie on a level, along one side: those of its px whose centres they hold.
struct LevelSide {
  double px;  ///< level px an analysed px
  i64 length;
  i64 first(i64 at) const {
    return std::clamp<i64>(static_cast<i64>(std::ceil(static_cast<double>(at) * px - 0.5)), 0, length);
  }
};

int analysed_level(const slide::SlideInfo& info, double scale) {
  int best = 0;
  for (std::size_t k = 1; k < info.levels.size(); ++k)
    if (info.levels[k].downsample <= scale * 1.01 &&
        info.levels[k].downsample > info.levels[static_cast<std::size_t>(best)].downsample)
      best = static_cast<int>(k);
  return best;
}

/// The objects and where they lie on the level.
struct MeasuredField {
  const ObjectSet& objects;
  i64 x, y;
  LevelSide across, down;

  Rect box() const {
    Rect found{0, 0, 0, 0};
    for (const ObjectMeasurement& m : objects.objects) {
      const i64 x0 = across.first(x + m.min_x), x1 = across.first(x + m.max_x + 1);
      const i64 y0 = down.first(y + m.min_y), y1 = down.first(y + m.max_y + 1);
      if (x0 >= x1 || y0 >= y1) continue;
      if (found.width == 0) found = {x0, y0, x1 - x0, y1 - y0};
      const i64 left = std::min(found.x, x0), top = std::min(found.y, y0);
      found = {left, top, std::max(found.x + found.width, x1) - left, std::max(found.y + found.height, y1) - top};
    }
    return found;
  }
};

/// Adds the samples of `band`, which lie in `part` of the level, to the objects' sums.
template <class T, class Sums>
void add_band(const MeasuredField& field, const T* samples, const Rect& part, std::vector<Sums>& sums) {
  const ObjectSet& set = field.objects;
  for (std::size_t k = 0; k < set.objects.size(); ++k) {
    const ObjectMeasurement& m = set.objects[k];
    if (field.down.first(field.y + m.max_y + 1) <= part.y || field.down.first(field.y + m.min_y) >= part.y + part.height)
      continue;
    const Run* const end = set.runs.data() + set.run_offsets[k + 1];
    for (const Run* row = set.runs.data() + set.run_offsets[k]; row != end;) {
      const Run* next = row;
      while (next != end && next->y == row->y) ++next;
      const i64 from = std::max(part.y, field.down.first(field.y + row->y)),
                to = std::min(part.y + part.height, field.down.first(field.y + row->y + 1));
      for (i64 y = from; y < to; ++y) {
        const T* const line = samples + (y - part.y) * part.width;
        for (const Run* run = row; run != next; ++run) {
          const i64 x1 = field.across.first(field.x + run->x1);
          for (i64 x = field.across.first(field.x + run->x0); x < x1; ++x) sums[k].add(line[x - part.x]);
        }
      }
      row = next;
    }
  }
}

class Measuring {
 public:
  Measuring(slide::Slide& slide, double scale, const MeasuredField& field, int level, const CancelFlag* cancel)
      : slide_(slide), scale_(scale), field_(field), level_(level), box_(field.box()), control_(cancel, {}) {
    const Extent kept = slide.kept_extent(level);
    const i64 piece = std::max<i64>(1, kept.height), rows = kBandPixels / std::max<i64>(1, box_.width);
    band_ = std::max(piece, rows / piece * piece);
  }

  void channel(int channel, ChannelMeasures& to) {
    std::vector<slide::Unreadable> lost;
    slide::with_type(slide_.info().channels[static_cast<std::size_t>(channel)].type, [&](auto sample) {
      using T = decltype(sample);
      using Sums = std::conditional_t<std::is_floating_point_v<T>, FloatSums, WholeSums>;
      std::vector<Sums> sums(field_.objects.objects.size());
      // Bands end where the file's pieces do, so that each is unpacked once.
      for (i64 y = box_.y; y < box_.y + box_.height;) {
        control_.check_cancelled();
        const i64 end = std::min(box_.y + box_.height, (y / band_ + 1) * band_);
        const Rect part{box_.x, y, box_.width, end - y};
        const slide::ChannelSamples samples = slide_.samples(level_, channel, part, lost, control_);
        if (samples.extent.width != part.width || samples.extent.height != part.height ||
            samples.bytes.size() != static_cast<std::size_t>(part.width * part.height) * sizeof(T))
          throw Error(ErrorCode::internal, "a channel gave other samples than it says", std::to_string(channel));
        add_band(field_, reinterpret_cast<const T*>(samples.bytes.data()), part, sums);
        y = end;
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        if (!sums[k].any()) continue;
        const ChannelFigures f = sums[k].figures();
        double* const own = values_of(to, k, channel);
        own[0] = f.mean, own[1] = f.deviation, own[2] = f.low, own[3] = f.high, own[4] = f.sum;
      }
    });
    leave_out(lost, channel, to);
  }

 private:
  static double* values_of(ChannelMeasures& to, std::size_t object, int channel) {
    return to.values.data() + object * static_cast<std::size_t>(to.columns) +
           static_cast<std::size_t>(channel * kChannelFigures);
  }

  void leave_out(const std::vector<slide::Unreadable>& parts, int channel, ChannelMeasures& to) {
    if (parts.empty()) return;
    const ObjectSet& set = field_.objects;
    i32 width = 1, height = 1;
    for (const ObjectMeasurement& m : set.objects) width = std::max(width, m.max_x + 1), height = std::max(height, m.max_y + 1);
    std::vector<Run> lost;
    for (const Rect& r : window_px(parts, scale_, field_.x, field_.y, {width, height})) {
      const std::vector<Run> rows = runs_of(r);
      lost.insert(lost.end(), rows.begin(), rows.end());
    }
    for (std::size_t k = 0; k < set.objects.size(); ++k) {
      const std::vector<Run> own(set.runs.begin() + set.run_offsets[k], set.runs.begin() + set.run_offsets[k + 1]);
      if (within(own, lost).empty()) continue;
      std::fill_n(values_of(to, k, channel), kChannelFigures, kNotMeasured);
      to.unread.push_back(k);
    }
    add_parts(to.parts, parts);
  }

  slide::Slide& slide_;
  const double scale_;
  const MeasuredField& field_;
  const int level_;
  const Rect box_;
  const slide::ReadControl control_;
  i64 band_ = 1;
};

}  // namespace

int measured_channels(const slide::SlideInfo& info) {
  const bool is_picture = std::all_of(info.channels.begin(), info.channels.end(), [](const slide::Channel& c) {
    return c.shown != slide::Shown::no && c.shown != slide::Shown::gray;
  });
  return is_picture ? 0 : std::min(kMostMeasuredChannels, static_cast<int>(info.channels.size()));
}

ChannelMeasures measure_channels(slide::Slide& slide, double scale, i64 x, i64 y, const ObjectSet& objects,
                                 const CancelFlag* cancel) {
  ChannelMeasures measures;
  const int channels = measured_channels(slide.info());
  measures.columns = channels * kChannelFigures;
  measures.values.assign(objects.objects.size() * static_cast<std::size_t>(measures.columns), kNotMeasured);
  if (measures.values.empty()) return measures;
  const int level = analysed_level(slide.info(), scale);
  const slide::Level& l = slide.info().levels[static_cast<std::size_t>(level)];
  const MeasuredField field{objects, x, y, {scale / l.downsample_x(), l.width}, {scale / l.downsample_y(), l.height}};
  Measuring measuring(slide, scale, field, level, cancel);
  for (int channel = 0; channel < channels; ++channel) measuring.channel(channel, measures);
  std::sort(measures.unread.begin(), measures.unread.end());
  measures.unread.erase(std::unique(measures.unread.begin(), measures.unread.end()), measures.unread.end());
  return measures;
}

void mistrust(Trust& trust, const ObjectSet& objects, const ChannelMeasures& measures, const Rect& core) {
  if (measures.unread.empty()) return;
  std::vector<Run> own;
  for (const std::size_t k : measures.unread)
    own.insert(own.end(), objects.runs.begin() + objects.run_offsets[k], objects.runs.begin() + objects.run_offsets[k + 1]);
  const auto by_place = [](const Run& a, const Run& b) { return a.y != b.y ? a.y < b.y : a.x0 < b.x0; };
  std::sort(own.begin(), own.end(), by_place);
  const std::vector<Run> here = within(own, runs_of(core)), more = beyond(here, trust.unreadable);
  trust.unreadable.insert(trust.unreadable.end(), more.begin(), more.end());
  std::sort(trust.unreadable.begin(), trust.unreadable.end(), by_place);
  trust.cut = beyond(trust.cut, here), trust.limit = beyond(trust.limit, here);
  add_parts(trust.parts, measures.parts);
  if (trust.known) trust.count();
}

}  // namespace morpho::engine
