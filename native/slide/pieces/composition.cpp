// Loops over a piece's samples, by their type.
#include "composition.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace morpho::slide {
namespace {

template <class T>
T value_at(const Piece& piece, i64 pixel) {
  T value;
  const auto k = static_cast<std::size_t>(pixel) * piece.stride + piece.first;
  std::memcpy(&value, piece.bytes->data() + k * sizeof(T), sizeof(T));
  return value;
}

Piece read_twice(const PieceImage& image, i64 x, i64 y, std::uint32_t sample) {
  try {
    return image.read(x, y, sample);
  } catch (const PieceError&) {
    return image.read(x, y, sample);
  }
}

/// A piece for each sample, read once where they lie together. `again`: what fails is asked for once more.
std::vector<Piece> pieces_of(const PieceImage& image, const std::vector<std::uint32_t>& samples, i64 x, i64 y,
                             bool again = false) {
  std::vector<Piece> pieces;
  for (const std::uint32_t s : samples) {
    if (image.planar() || pieces.empty()) pieces.push_back(again ? read_twice(image, x, y, s) : image.read(x, y, s));
    else pieces.push_back(pieces.front());
    if (!image.planar()) pieces.back().first = s;
  }
  return pieces;
}

u8 spread(double v, const Range& r, double factor) {
  // NaN is not above.
  if (!(v > r.low)) return 0;
  return v >= r.high ? 255 : static_cast<u8>((v - r.low) * factor + 0.5);
}

/// The same at 16 bits.
u16 spread_deep(double v, const Range& r, double factor) {
  if (!(v > r.low)) return 0;
  return v >= r.high ? 65535 : static_cast<u16>((v - r.low) * factor + 0.5);
}

u8 over(u8 c, u8 back, double opacity, bool premultiplied) {
  const double value = (premultiplied ? c : c * opacity) + back * (1 - opacity);
  return static_cast<u8>(std::min(255.0, value + 0.5));
}

/// What stands for full opacity.
double full(SampleType type, std::uint32_t bits) {
  switch (type) {
    case SampleType::u8:
    case SampleType::u16:
    case SampleType::u32: return std::ldexp(1, static_cast<int>(bits)) - 1;
    case SampleType::i8: return 127;
    case SampleType::i16: return 32767;
    case SampleType::i32: return 2147483647;
    default: return 1;
  }
}

constexpr double kOutliers = 1e-3;
constexpr i64 kMostPieces = 1024;

/// Of a non-empty list.
Range range_of(std::vector<double>& values, bool& clipped) {
  const auto apart = static_cast<std::ptrdiff_t>(kOutliers * static_cast<double>(values.size()));
  const auto nth = [&](std::ptrdiff_t k) {
    std::nth_element(values.begin(), values.begin() + k, values.end());
    return values[static_cast<std::size_t>(k)];
  };
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  Range range{std::min(0.0, *least), *greatest};
  const double low = std::min(0.0, nth(apart)), high = nth(static_cast<std::ptrdiff_t>(values.size()) - 1 - apart);
  if (range.high > range.low && range.high - low > 2 * (high - low) && high > low) range.high = high, clipped = true;
  if (range.high - range.low > 2 * (range.high - low) && range.high > low) range.low = low, clipped = true;
  // All values are one: it is white above 0, else black.
  if (!(range.high > range.low)) range.high = range.low + 1;
  return range;
}

}  // namespace

Extent compose(const PieceImage& image, const Composition& c, i64 x, i64 y, Rgba* to, u16* deep) {
  std::vector<std::uint32_t> samples = c.samples;
  if (c.alpha) samples.push_back(*c.alpha);
  const auto pieces = pieces_of(image, samples, x, y);
  const Extent extent = pieces.front().extent;
  const double factor = 255 / (c.range.high - c.range.low), opaque = full(image.type(), image.bits());
  const bool colors = c.samples.size() == 3;
  with_type(image.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto shown = [&](const Piece& piece, i64 i) {
      const u8 v = spread(static_cast<double>(value_at<T>(piece, i)), c.range, factor);
      return c.inverted ? static_cast<u8>(255 - v) : v;
    };
    for (i64 i = 0; i < extent.area(); ++i) {
      const u8 first = shown(pieces[0], i);
      Rgba p{first, colors ? shown(pieces[1], i) : first, colors ? shown(pieces[2], i) : first, 255};
      if (c.alpha) {
        const double opacity = std::clamp(static_cast<double>(value_at<T>(pieces.back(), i)) / opaque, 0.0, 1.0);
        p = {over(p.r, c.background.r, opacity, c.premultiplied), over(p.g, c.background.g, opacity, c.premultiplied),
             over(p.b, c.background.b, opacity, c.premultiplied), 255};
      }
      to[i] = p;
    }
    for (i64 i = 0; deep && i < extent.area(); ++i) {
      const u16 v = spread_deep(static_cast<double>(value_at<T>(pieces[0], i)), c.range, 257 * factor);
      deep[i] = c.inverted ? static_cast<u16>(65535 - v) : v;
    }
  });
  return extent;
}

Survey survey(const PieceImage& image, const std::vector<std::uint32_t>& samples, i64 most, i64& most_bytes) {
  Survey result;
  if (image.type() == SampleType::u8) {
    result.range.high = full(SampleType::u8, image.bits());
    result.whole = true;
    return result;
  }
  const i64 pieces = image.across() * image.down(), each = image.piece().area();
  // Planes lie apart, other samples come along.
  const i64 cost = each * static_cast<i64>(sample_bytes(image.type())) *
                   static_cast<i64>(image.planar() ? samples.size() : image.samples());
  const i64 affordable = most_bytes / std::max<i64>(1, cost);
  if (affordable == 0) {
    result.range.high = full(image.type(), image.bits());
    return result;
  }
  const i64 looked_at = std::min({pieces, std::max<i64>(1, most / each), kMostPieces, affordable});
  most_bytes -= looked_at * cost;
  std::vector<double> values;
  const auto read_piece = [&](i64 piece, bool again) {
    const i64 px = piece % image.across(), py = piece / image.across();
    const auto read = pieces_of(image, samples, px, py, again);
    const Extent extent = read.front().extent;
    const i64 width = std::min<i64>(extent.width, image.width() - px * image.piece().width);
    const i64 height = std::min<i64>(extent.height, image.height() - py * image.piece().height);
    with_type(image.type(), [&](auto zero) {
      using T = decltype(zero);
      for (const auto& part : read)
        for (i64 row = 0; row < height; ++row)
          for (i64 column = 0; column < width; ++column) {
            const auto v = static_cast<double>(value_at<T>(part, row * extent.width + column));
            if (std::isfinite(v)) values.push_back(v);
          }
    });
  };
  std::vector<i64> failed;
  for (i64 k = 0; k < looked_at; ++k) {
    // In the middle of each of as many parts.
    const i64 piece = (2 * k + 1) * pieces / (2 * looked_at);
    try {
      read_piece(piece, false);
    } catch (const PieceError&) {
      failed.push_back(piece);
    }
  }
  // A drive may answer the second time.
  for (const i64 piece : failed) try {
      read_piece(piece, true);
    } catch (const PieceError& e) {
      if (result.lost.empty()) result.lost = e.what();
    }
  result.whole = looked_at == pieces && result.lost.empty();
  if (!values.empty()) result.range = range_of(values, result.clipped);
  return result;
}

}  // namespace morpho::slide
