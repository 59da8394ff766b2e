// Writes and reads packed objects; main/run/objects/packedObjects.ts and outlineCode.ts read them too.
#include "packed_objects.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
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
                                      kExtreme,
                                      {Numbers::f64, 1, -1, true},
                                      {Numbers::u16, 1, -1, true},
                                      {Numbers::f64, 1, -1, true}};

using Measured = double (*)(const ObjectMeasurement&);
/// A row a column: what it holds, and the axis along which a window's corner moves it.
enum class Axis { none, x, y };
struct Source {
  Measured value;
  Axis axis = Axis::none;
};
constexpr Source kSources[kColumns] = {
    {[](const ObjectMeasurement& m) { return static_cast<double>(m.first_x); }, Axis::x},
    {[](const ObjectMeasurement& m) { return static_cast<double>(m.first_y); }, Axis::y},
    {[](const ObjectMeasurement& m) { return static_cast<double>(m.min_x); }, Axis::x},
    {[](const ObjectMeasurement& m) { return static_cast<double>(m.max_x); }, Axis::x},
    {[](const ObjectMeasurement& m) { return static_cast<double>(m.max_y); }, Axis::y},
    {[](const ObjectMeasurement& m) { return static_cast<double>(m.area); }},
    {[](const ObjectMeasurement& m) { return m.centroid_x; }, Axis::x},
    {[](const ObjectMeasurement& m) { return m.centroid_y; }, Axis::y},
    {[](const ObjectMeasurement& m) { return m.perimeter; }},
    {[](const ObjectMeasurement& m) { return m.major_axis; }},
    {[](const ObjectMeasurement& m) { return m.minor_axis; }},
    {[](const ObjectMeasurement& m) { return m.eccentricity; }},
    {[](const ObjectMeasurement& m) { return m.orientation; }},
    {[](const ObjectMeasurement& m) { return m.circularity; }},
    {[](const ObjectMeasurement& m) { return m.solidity; }},
    {[](const ObjectMeasurement& m) { return m.stain_mean[0]; }},
    {[](const ObjectMeasurement& m) { return m.stain_mean[1]; }},
    {[](const ObjectMeasurement& m) { return m.stain_mean[2]; }},
    {[](const ObjectMeasurement& m) { return m.stain_std[0]; }},
    {[](const ObjectMeasurement& m) { return m.stain_std[1]; }},
    {[](const ObjectMeasurement& m) { return m.stain_std[2]; }},
    {[](const ObjectMeasurement& m) { return m.stain_min[0]; }},
    {[](const ObjectMeasurement& m) { return m.stain_min[1]; }},
    {[](const ObjectMeasurement& m) { return m.stain_min[2]; }},
    {[](const ObjectMeasurement& m) { return m.stain_max[0]; }},
    {[](const ObjectMeasurement& m) { return m.stain_max[1]; }},
    {[](const ObjectMeasurement& m) { return m.stain_max[2]; }},
    {[](const ObjectMeasurement& m) { return m.contrast; }},
    {[](const ObjectMeasurement& m) { return m.score; }},
    {[](const ObjectMeasurement& m) { return m.stained_area; }},
};

/// Circularity, by the steps of contract/object_shape.hpp.
double following(double area, double perimeter) {
  const double round = 4 * std::numbers::pi * area / (perimeter * perimeter);
  return round < 1 ? round : 1;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::size_t size_of(Numbers type) {
  switch (type) {
    case Numbers::none: return 0;
    case Numbers::i16:
    case Numbers::u16: return 2;
    case Numbers::i32: return 4;
    case Numbers::f64: break;
  }
  return 8;
}

/// Room for `bytes` at the end, at a multiple of 8.
std::size_t add_room(ResultVector<u8>& memory, std::size_t bytes) {
  const std::size_t begin = (memory.size() + 7) / 8 * 8;
  memory.resize(begin + bytes);
  return begin;
}

/// `values` as steps of T's from `origins`; false where one is none to the bit.
template <class T>
bool put_narrow(const std::vector<double>& values, const std::vector<double>* origins, double unit, u8* to) {
  constexpr double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double origin = origins ? (*origins)[n] : 0, steps = (values[n] - origin) / unit;
    if (!(steps >= low && steps <= high) || std::floor(steps) != steps || steps * unit + origin != values[n]) return false;
    const T number = static_cast<T>(steps);
    std::memcpy(to + n * sizeof(T), &number, sizeof(T));
  }
  return true;
}

void put_number(ResultVector<u8>& out, i64 value) {
  for (; value >= 128; value >>= 7) out.push_back(static_cast<u8>(value | 128));
  out.push_back(static_cast<u8>(value));
}

i64 zigzag_of(i64 step) { return step < 0 ? -2 * step - 1 : 2 * step; }
i64 step_of(i64 zigzag) { return zigzag & 1 ? -((zigzag + 1) >> 1) : zigzag >> 1; }

void append_outline(ResultVector<u8>& out, const Run* run, const Run* end) {
  for (const Run* before = nullptr; run != end; before = run++) {
    if (before) {
      const i64 step = i64{run->x0} - before->x0, down = i64{run->y} - before->y;
      put_number(out, 2 * zigzag_of(step) + (down == 1 ? 0 : 1));
      if (down != 1) put_number(out, down);
    }
    put_number(out, i64{run->x1} - run->x0);
  }
}

}  // namespace

const Narrow& narrow_column(int column) { return kNarrow[column]; }

PackedRows pack_rows(const ObjectSet& found, std::span<const i32> rows, i64 x, i64 y, const ChannelColumns& channels) {
  PackedRows packed;
  packed.count = static_cast<i64>(rows.size());
  const std::size_t n = rows.size();
  const auto object = [&](std::size_t k) -> const ObjectMeasurement& {
    return found.objects[static_cast<std::size_t>(rows[k])];
  };
  packed.memory.reserve(n * 256);
  std::vector<double> values(n), first_x, first_y;
  for (int at = 0; at < kColumns; ++at) {
    const Source& source = kSources[at];
    const Narrow& narrow = kNarrow[at];
    const double move = source.axis == Axis::none ? 0 : static_cast<double>(source.axis == Axis::x ? x : y);
    for (std::size_t k = 0; k < n; ++k) values[k] = source.value(object(k)) + move;
    if (at == kFirstX) first_x = values;
    if (at == kFirstY) first_y = values;
    const std::vector<double>* origins = narrow.base < 0 ? nullptr : narrow.base == kFirstX ? &first_x : &first_y;
    PackedRows::Column& column = packed.columns[static_cast<std::size_t>(at)];
    if (narrow.optional && std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) continue;
    column = {narrow.type, add_room(packed.memory, n * size_of(narrow.type))};
    u8* const to = packed.memory.data() + column.begin;
    bool fits = true;
    switch (narrow.type) {
      case Numbers::none:
        for (std::size_t k = 0; k < n && fits; ++k)
          fits = same_bits(values[k], following(static_cast<double>(object(k).area), object(k).perimeter));
        break;
      case Numbers::i16: fits = put_narrow<std::int16_t>(values, origins, narrow.unit, to); break;
      case Numbers::u16: fits = put_narrow<std::uint16_t>(values, origins, narrow.unit, to); break;
      case Numbers::i32: fits = put_narrow<i32>(values, origins, narrow.unit, to); break;
      case Numbers::f64: std::memcpy(to, values.data(), n * sizeof(double)); break;
    }
    if (fits) continue;
    packed.memory.resize(column.begin);
    column = {Numbers::f64, add_room(packed.memory, n * sizeof(double))};
    std::memcpy(packed.memory.data() + column.begin, values.data(), n * sizeof(double));
  }
  for (int at = 0; at < channels.columns; ++at) {
    for (std::size_t k = 0; k < n; ++k)
      values[k] = channels.values[static_cast<std::size_t>(rows[k]) * static_cast<std::size_t>(channels.columns) +
                                  static_cast<std::size_t>(at)];
    packed.channels.push_back({Numbers::f64, add_room(packed.memory, n * sizeof(double))});
    std::memcpy(packed.memory.data() + packed.channels.back().begin, values.data(), n * sizeof(double));
  }
  packed.ends = add_room(packed.memory, n * sizeof(std::uint32_t));
  packed.outlines = add_room(packed.memory, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const auto row = static_cast<std::size_t>(rows[k]);
    append_outline(packed.memory, found.runs.data() + found.run_offsets[row], found.runs.data() + found.run_offsets[row + 1]);
    if (const std::span<const Run> cell = channels.cell_of(row); !cell.empty()) {
      const ObjectMeasurement& m = found.objects[row];
      put_number(packed.memory, 1);
      put_number(packed.memory, 0);
      put_number(packed.memory, zigzag_of(i64{cell.front().x0} - m.first_x));
      put_number(packed.memory, zigzag_of(i64{cell.front().y} - m.first_y));
      append_outline(packed.memory, cell.data(), cell.data() + cell.size());
    }
    const std::size_t end = packed.memory.size() - packed.outlines;
    if (end > std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorCode::out_of_memory, "the outlines of a window take more than 4 GiB; ask for a smaller one");
    const auto kept = static_cast<std::uint32_t>(end);
    std::memcpy(packed.memory.data() + packed.ends + k * sizeof kept, &kept, sizeof kept);
  }
  return packed;
}

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
  return kNarrow[at].optional ? kNotMeasured : following(value(Field::area), value(Field::perimeter));
}

double ObjectTable::Object::value(Field field) const {
  switch (field) {
    case Field::min_y: return value(Field::first_y);  // an object's first pixel is in its first row
    case Field::width: return value(Field::max_x) + 1 - value(Field::min_x);
    case Field::height: return value(Field::max_y) + 1 - value(Field::min_y);
    default: break;
  }
  const int extra_at = static_cast<int>(field) - kFirstExtraField;
  if (extra_at >= 0) return extra_at < extra_columns ? extra[extra_at * extra_step] : kNotMeasured;
  const int channel = static_cast<int>(field) - kFirstChannelField;
  if (channel < 0) return column(static_cast<int>(field));
  const auto at = static_cast<std::size_t>(channel);
  return at < batch->channels.size() && batch->channels[at] ? batch->channels[at][row] : kNotMeasured;
}

void ObjectTable::Object::runs(std::vector<Run>& out) const { decode(out, nullptr); }

void ObjectTable::Object::cell_runs(std::vector<Run>& out) const {
  std::vector<Run> nucleus;
  decode(nucleus, &out);
}

void ObjectTable::Object::decode(std::vector<Run>& nucleus, std::vector<Run>* cell) const {
  nucleus.clear();
  if (cell) cell->clear();
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
  const i64 first_x = static_cast<i64>(value(Field::first_x)), first_y = static_cast<i64>(value(Field::first_y));
  i64 x = first_x, y = first_y;
  constexpr i64 far = i64{1} << 30;
  std::vector<Run>* out = &nucleus;
  while (at != last) {
    if (!out->empty()) {
      const i64 code = take(), down = code & 1 ? take() : 1;
      if (code == 1 && down == 0) {
        if (out == cell) damaged();
        if (!cell) return;
        out = cell;
        x = first_x + step_of(take());
        y = first_y + step_of(take());
      } else {
        x += step_of(code >> 1);
        y += down;
      }
    }
    const i64 x1 = x + take();
    const bool apart = out->empty() || out->back().y < y || out->back().x1 < x;
    if (x < -far || y < -far || x1 > far || y > far || x1 <= x || !apart) damaged();
    out->push_back({static_cast<i32>(y), static_cast<i32>(x), static_cast<i32>(x1)});
  }
}

}  // namespace morpho::exports
