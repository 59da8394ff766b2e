// Reading packed objects: main/run/packedObjects.ts and outlineCode.ts say how they are written.
#include "packed_objects.hpp"

#include <numbers>
#include <utility>

#include "contract/error.hpp"

namespace morpho::exports {
namespace {

constexpr double kGrid = 1.0 / (1 << 20), kOd = 1.0 / 1024;
constexpr int kFirstX = static_cast<int>(Field::first_x), kFirstY = static_cast<int>(Field::first_y);
constexpr Narrow kWide = {Numbers::f64, 1, -1}, kExtreme = {Numbers::i16, kOd, -1};
constexpr Narrow kNarrow[kColumns] = {{Numbers::i32, 1, -1},
                                      {Numbers::i32, 1, -1},
                                      {Numbers::i16, 1, kFirstX},
                                      {Numbers::i16, 1, kFirstX},
                                      {Numbers::i16, 1, kFirstY},
                                      {Numbers::u16, 1, -1},
                                      {Numbers::i32, kGrid, kFirstX},
                                      {Numbers::i32, kGrid, kFirstY},
                                      kWide,
                                      kWide,
                                      kWide,
                                      kWide,
                                      kWide,
                                      {Numbers::none, 1, -1},
                                      kWide,
                                      kWide,
                                      kWide,
                                      kWide,
                                      kWide,
                                      kWide,
                                      kWide,
                                      kExtreme,
                                      kExtreme,
                                      kExtreme,
                                      kExtreme,
                                      kExtreme,
                                      kExtreme};

}  // namespace

const Narrow& narrow_column(int column) { return kNarrow[column]; }

double ObjectTable::Object::column(int at) const {
  const Batch::Column& c = batch->columns[static_cast<std::size_t>(at)];
  const auto coded = [&](double number) {
    const Narrow& n = kNarrow[at];
    return number * n.unit + (n.base < 0 ? 0 : column(n.base));
  };
  switch (c.type) {
    case Numbers::i16: return coded(static_cast<const std::int16_t*>(c.data)[row]);
    case Numbers::u16: return coded(static_cast<const std::uint16_t*>(c.data)[row]);
    case Numbers::i32: return coded(static_cast<const i32*>(c.data)[row]);
    case Numbers::f64: return static_cast<const double*>(c.data)[row];
    case Numbers::none: break;
  }
  // Circularity, by the steps of contract/object_shape.hpp.
  const double perimeter = value(Field::perimeter);
  const double round = 4 * std::numbers::pi * value(Field::area) / (perimeter * perimeter);
  return round < 1 ? round : 1;
}

double ObjectTable::Object::value(Field field) const {
  switch (field) {
    case Field::min_y: return value(Field::first_y);  // an object's first pixel is in its first row
    case Field::width: return value(Field::max_x) + 1 - value(Field::min_x);
    case Field::height: return value(Field::max_y) + 1 - value(Field::min_y);
    default: return column(static_cast<int>(field));
  }
}

void ObjectTable::Object::runs(std::vector<Run>& out) const {
  out.clear();
  const std::size_t begin = row == 0 ? 0 : batch->ends[row - 1], end = batch->ends[row];
  const auto damaged = [] { throw Error(ErrorCode::internal, "an object's outline is damaged"); };
  if (begin > end || end > batch->outline_bytes) damaged();
  const u8 *at = batch->outlines + begin, *const last = batch->outlines + end;
  const auto take = [&] {
    i64 value = 0;
    for (int shift = 0;; shift += 7) {
      if (at == last || shift > 35) damaged();
      const u8 byte = *at++;
      value |= i64{byte & 127} << shift;
      if (byte < 128) return value;
    }
  };
  i64 x = static_cast<i64>(value(Field::first_x)), y = static_cast<i64>(value(Field::first_y));
  constexpr i64 far = i64{1} << 30;
  while (at != last) {
    if (!out.empty()) {
      const i64 code = take(), zigzag = code >> 1;
      x += zigzag & 1 ? -((zigzag + 1) >> 1) : zigzag >> 1;
      y += code & 1 ? take() : 1;
    }
    const i64 x1 = x + take();
    const bool apart = out.empty() || out.back().y < y || out.back().x1 < x;
    if (x < -far || y < -far || x1 > far || y > far || x1 <= x || !apart) damaged();
    out.push_back({static_cast<i32>(y), static_cast<i32>(x), static_cast<i32>(x1)});
  }
}

}  // namespace morpho::exports
