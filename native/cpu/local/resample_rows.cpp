// Area averages of rows in pieces: sums of columns, then of the columns under each output pixel, in integers or in doubles that
// are as exact.
#include "resample_rows.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

namespace {

using u32 = std::uint32_t;
constexpr i64 kOne = 65536;
constexpr int kMostTaps = 5;
constexpr i64 kLongestRow = 4 * kOne, kLongestColumn = 16 * kOne;  // steps that are averaged in doubles

/// The input pixels [first, last] that [begin, end) in 1/65536 px touches, clipped to [0, n); last < first where there are
/// none.
struct Covered {
  i32 first, last;
  i64 begin, end;

  Covered(i64 b, i64 e, i32 n) : begin(b < 0 ? 0 : b), end(e > n * kOne ? n * kOne : e) {
    first = begin < end ? static_cast<i32>(begin / kOne) : 0;
    last = begin < end ? static_cast<i32>((end - 1) / kOne) : -1;
  }
  bool empty() const { return last < first; }
  i64 length() const { return end - begin; }
  /// How much of pixel i is covered, in 1/65536.
  i64 weight(i32 i) const {
    const i64 b = i * kOne > begin ? i * kOne : begin, e = (i + 1) * kOne < end ? (i + 1) * kOne : end;
    return e > b ? e - b : 0;
  }
};

/// sums[i] = or += w * in[i] over bytes: at most 65536 * 255 a row.
template <class S, bool kSet, bool kWhole>
MORPHO_INLINE void add(S* sums, const u8* in, u32 w, i64 n) {
  MORPHO_APART for (i64 i = 0; i < n; ++i) {
    const u32 product = kWhole ? static_cast<u32>(in[i]) << 16 : w * in[i];
    sums[i] = kSet ? product : static_cast<S>(sums[i] + product);
  }
}
template <class S>
void add_row(S* sums, const u8* in, u32 w, bool set, i64 n) {
  widest([=](auto) MORPHO_INLINED {
    if (w == kOne) set ? add<S, true, true>(sums, in, w, n) : add<S, false, true>(sums, in, w, n);
    else set ? add<S, true, false>(sums, in, w, n) : add<S, false, false>(sums, in, w, n);
  });
}

// The mean of an output pixel in doubles, its four channels in the lanes of a vector. The area A is at most kLongestRow *
// kLongestColumn = 2^38 and a sum 255 A, so sums are exact. Wanted is floor(t), t = sum / A + 1/2 = (2 sum + A) / (2 A): a
// multiple of 1 / (2 A) >= 2^-39. sum * (1 / A) is off by less than 255 * 2^-52 < 2^-44, and adding 1/2 + 2^-42 rounds by 2^-46
// at most: what is computed lies between t and t + 2^-41, which has the same floor.
using Four = Vec<double, 32>;
using FourInts = Vec<i32>;
constexpr double kHalfAndABit = 0.5 + 0x1p-42;

template <int kTaps>
MORPHO_INLINE void divide_taps(Rgba* out, const u32* sums, const i32* starts, const double* weights, double over_area, i64 n) {
  const Four over = {over_area, over_area, over_area, over_area};
  const Four half = {kHalfAndABit, kHalfAndABit, kHalfAndABit, kHalfAndABit};
  for (i64 i = 0; i < n; ++i, weights += kTaps) {
    const u32* from = sums + 4 * static_cast<i64>(starts[i]);
    Four total = {0, 0, 0, 0};
    for (int k = 0; k < kTaps; ++k) {
      const double w = weights[k];
      total += __builtin_convertvector(load<FourInts>(from + 4 * k), Four) * Four{w, w, w, w};
    }
    const FourInts mean = __builtin_convertvector(total * over + half, FourInts);
    const u32 packed = static_cast<u32>(mean[0]) | static_cast<u32>(mean[1]) << 8 | static_cast<u32>(mean[2]) << 16 |
                       static_cast<u32>(mean[3]) << 24;
    std::memcpy(out + i, &packed, sizeof packed);
  }
}
void divide_any(Rgba* out, const u32* sums, const i32* starts, const double* weights, int taps, double over_area, i64 n) {
  widest([=](auto) MORPHO_INLINED {
    switch (taps) {
      case 2: return divide_taps<2>(out, sums, starts, weights, over_area, n);
      case 3: return divide_taps<3>(out, sums, starts, weights, over_area, n);
      case 4: return divide_taps<4>(out, sums, starts, weights, over_area, n);
      default: return divide_taps<kMostTaps>(out, sums, starts, weights, over_area, n);
    }
  });
}

/// out[i] = the rounded mean of the pixels 2i and 2i + 1 of both rows, two channels of a pixel in the halves of a word at a
/// time.
MORPHO_INLINE void halve_by_words(u8* out, const u8* upper, const u8* lower, i64 n) {
  constexpr u32 even = 0x00FF00FF, half = 0x00020002;
  const auto pixel = [](const u8* p) {
    u32 v;
    std::memcpy(&v, p, 4);
    return v;
  };
  constexpr i64 block = 64,
                ahead = 3072;  // bytes ahead: two streams of this length are more than the processor fetches by itself
  for (i64 begin = 0; begin < n; begin += block) {
    for (i64 k = 8 * begin + ahead; k < 8 * (begin + block) + ahead; k += 64)
      __builtin_prefetch(upper + k), __builtin_prefetch(lower + k);
    const i64 end = begin + block < n ? begin + block : n;
    MORPHO_APART for (i64 i = begin; i < end; ++i) {
      const u32 a = pixel(upper + 8 * i), b = pixel(upper + 8 * i + 4), c = pixel(lower + 8 * i), d = pixel(lower + 8 * i + 4);
      const u32 low = (a & even) + (b & even) + (c & even) + (d & even) + half;
      const u32 high = (a >> 8 & even) + (b >> 8 & even) + (c >> 8 & even) + (d >> 8 & even) + half;
      const u32 mean = (low >> 2 & even) | (high >> 2 & even) << 8;
      std::memcpy(out + 4 * i, &mean, 4);
    }
  }
}

void halve_row(u8* out, const u8* upper, const u8* lower, i64 n) {
  widest([=](auto) MORPHO_INLINED { halve_by_words(out, upper, lower, n); });
}

const u8* bytes_of(const Rgba* pixels) { return reinterpret_cast<const u8*>(pixels); }

/// Goes through a row's pieces from left to right.
class Walk {
 public:
  explicit Walk(const std::vector<RowPiece>& pieces) : at_(pieces.data()) {}
  const Rgba* here() const { return at_->pixels + skipped_; }
  i64 left() const { return at_->width - skipped_; }  ///< of this piece
  void skip(i64 n) {
    skipped_ += n;
    while (n > 0 && skipped_ >= at_->width) {
      skipped_ -= at_->width;
      ++at_;
      if (skipped_ == 0) break;
    }
  }

 private:
  const RowPiece* at_;
  i64 skipped_ = 0;
};

}  // namespace

RowResampler::RowResampler(Workspace& workspace, Extent in, i32 out_width, const ResampleParams& p)
    : in_(in), width_(out_width), p_(p) {
  const auto span = [&](i64 i) { return Covered(p_.x0 + i * p_.step_x, p_.x0 + (i + 1) * p_.step_x, in_.width); };
  const Covered all(p.x0, p.x0 + width_ * p.step_x, in.width);
  if (!all.empty()) {
    first_ = all.first, columns_ = all.last - all.first + 1;
    begin_ = static_cast<i32>(p.x0 >= 0 ? 0 : -p.x0 / p.step_x);
    end_ = static_cast<i32>(std::min<i64>(width_, (in.width * kOne - p.x0 + p.step_x - 1) / p.step_x));
  }
  // 256 whole rows of 255 * 65536, the most that 32 bits hold; a span of 256 px touches 257 rows, but their weights sum to 256.
  const bool narrow = p.step_y <= 256 * kOne;
  const bool table = p.step_x <= kLongestRow && p.step_y <= kLongestColumn;
  const std::size_t values = 4 * static_cast<std::size_t>(columns_ + (table ? kMostTaps : 0));
  if (narrow) {
    u32* sums = workspace.take<u32>(values);
    std::fill_n(sums, values, 0u);  // what lies behind the last column has weight 0
    sums_ = sums;
  } else {
    sums_ = workspace.take<u64>(values);
  }
  if (!table) return;
  taps_ = static_cast<int>((p.step_x + kOne - 1) / kOne) + 1;
  starts_ = workspace.take<i32>(static_cast<std::size_t>(width_));
  weights_ = workspace.take<double>(static_cast<std::size_t>(width_) * static_cast<std::size_t>(taps_));
  for (i32 i = begin_; i < end_; ++i) {
    const Covered s = span(i);
    starts_[i] = s.first - first_;
    for (i32 k = 0; k < taps_; ++k) weights_[i * static_cast<i64>(taps_) + k] = static_cast<double>(s.weight(s.first + k));
  }
}

/// Of the output pixels [begin, end), which all cover some input.
template <class S>
void RowResampler::divide(Rgba* out, i32 begin, i32 end, i64 height) const {
  const S* const sums = static_cast<const S*>(sums_);
  const auto span = [this](i64 i) { return Covered(p_.x0 + i * p_.step_x, p_.x0 + (i + 1) * p_.step_x, in_.width); };
  if constexpr (std::is_same_v<S, u32>) {
    if (taps_ > 0) {
      for (i32 i = begin; i < end;) {
        // Only the outermost can be cut by the image's edge.
        const i64 length = span(i).length();
        const i32 next = length < p_.step_x || i + 1 == end ? i + 1 : end - 1;
        divide_any(out + i, sums, starts_ + i, weights_ + i * static_cast<i64>(taps_), taps_,
                   1.0 / static_cast<double>(height * length), next - i);
        i = next;
      }
      return;
    }
  }
  for (i32 i = begin; i < end; ++i) {
    const Covered columns = span(i);
    u64 sum[4] = {0, 0, 0, 0};
    const S* c = sums + 4 * static_cast<i64>(columns.first - first_);
    for (i32 x = columns.first; x <= columns.last; ++x, c += 4) {
      const u64 weight = static_cast<u64>(columns.weight(x));
      for (int k = 0; k < 4; ++k) sum[k] += weight * c[k];
    }
    const u64 area = static_cast<u64>(height * columns.length());
    const auto rounded = [&](u64 s) {
      // A power of two (whole steps of 1, 2, 4, …) spares the division.
      return static_cast<u8>((area & (area - 1)) == 0 ? (s + (area >> 1)) >> __builtin_ctzll(area)
                                                      : (2 * s + area) / (2 * area));
    };
    out[i] = Rgba{rounded(sum[0]), rounded(sum[1]), rounded(sum[2]), rounded(sum[3])};
  }
}

/// Output row j from pixel `from` on: the input rows under it are summed column by column, then the columns under each output
/// pixel. Sums stay below 255 * 2^27 * 2^27 < 2^62.
template <class S>
void RowResampler::average(RowSource& in, Rgba* out, i64 j, i32 from) {
  const Covered rows(p_.y0 + j * p_.step_y, p_.y0 + (j + 1) * p_.step_y, in_.height);
  const i32 begin = rows.empty() ? width_ : std::max(from, begin_), end = rows.empty() ? width_ : std::max(begin, end_);
  std::fill(out + from, out + begin, Rgba{0, 0, 0, 0});
  std::fill(out + end, out + width_, Rgba{0, 0, 0, 0});
  if (begin >= end) return;
  S* const sums = static_cast<S*>(sums_);
  const Covered here(p_.x0 + begin * p_.step_x, p_.x0 + end * p_.step_x, in_.width);
  for (i32 y = rows.first; y <= rows.last; ++y) {
    in.row(y, upper_);
    Walk walk(upper_);
    walk.skip(here.first);
    for (i64 x = here.first; x <= here.last;) {
      const i64 n = std::min(walk.left(), here.last + 1 - x);
      add_row(sums + 4 * (x - first_), bytes_of(walk.here()), static_cast<u32>(rows.weight(y)), y == rows.first, 4 * n);
      x += n;
      if (x <= here.last) walk.skip(n);
    }
  }
  divide<S>(out, begin, end, rows.length());
}

/// Halves output row j as far as its pixels cover four whole pixels each. Returns how far that is.
i32 RowResampler::halve(RowSource& in, Rgba* out, i64 j) {
  if (p_.step_x != 2 * kOne || p_.step_y != 2 * kOne || p_.x0 % kOne != 0 || p_.y0 % kOne != 0 || p_.x0 < 0 || p_.y0 < 0)
    return 0;
  const i64 x = p_.x0 / kOne, y = p_.y0 / kOne + 2 * j;
  if (y + 1 >= in_.height || x + 1 >= in_.width) return 0;
  const i32 n = static_cast<i32>(std::min<i64>(width_, (in_.width - x) / 2));
  in.row(static_cast<i32>(y), upper_);
  in.row(static_cast<i32>(y + 1), lower_);
  Walk upper(upper_), lower(lower_);
  upper.skip(x), lower.skip(x);
  for (i32 i = 0; i < n;) {
    const i64 pairs = std::min<i64>(std::min(upper.left(), lower.left()) / 2, n - i);
    if (pairs > 0) {
      halve_row(reinterpret_cast<u8*>(out + i), bytes_of(upper.here()), bytes_of(lower.here()), pairs);
      i += static_cast<i32>(pairs);
      if (i < n) upper.skip(2 * pairs), lower.skip(2 * pairs);
      continue;
    }
    // Its two columns lie in different pieces.
    Rgba two[2][2];
    for (int k = 0; k < 2; ++k) {
      two[0][k] = *upper.here(), two[1][k] = *lower.here();
      if (k == 0 || i + 1 < n) upper.skip(1), lower.skip(1);
    }
    halve_row(reinterpret_cast<u8*>(out + i), bytes_of(two[0]), bytes_of(two[1]), 1);
    ++i;
  }
  return n;
}

void RowResampler::run(RowSource& in, View<Rgba> out, i64 begin, i64 end) {
  for (i64 j = begin; j < end; ++j) {
    Rgba* row = out.row(static_cast<i32>(j));
    const i32 done = halve(in, row, j);
    if (done == width_) continue;
    if (p_.step_y <= 256 * kOne) average<u32>(in, row, j, done);
    else average<u64>(in, row, j, done);
  }
}

}  // namespace morpho::cpu
