// Rows of objects.csv, features of objects.geojson, columns for objects.parquet.
#include "object_text.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "cpu/cpu_ops.hpp"
#include "number_text.hpp"
#include "polygons.hpp"
#include "sha256.hpp"

namespace morpho::exports {
namespace {

double measured(const ObjectTable::Object& object, const Measure& m) {
  double value = object.value(m.field);
  for (int i = 0; i < m.times; ++i) value *= m.factor;
  return value - m.offset;
}

/// null where it was not measured.
const std::string* chosen(const ObjectTable::Object& object, const Either& e) {
  const double value = measured(object, e.of);
  if (std::isnan(value)) return nullptr;
  return value > e.limit ? &e.above : &e.below;
}

/// null where the object is of no class.
const std::string* chosen(u8 class_of, const ByClass& texts) { return class_of < texts.size() ? &texts[class_of] : nullptr; }

const std::string& of_group(std::uint32_t group, const ByGroup& texts) {
  static const std::string none;
  return group < texts.size() ? texts[group] : none;
}

/// Its first 16 bytes are the UUID's. `started`: has taken the prefix.
std::array<u8, 32> uuid_of(Sha256 started, const std::vector<Run>& runs) {
  static_assert(sizeof(Run) == 3 * sizeof(i32));
  started.update({reinterpret_cast<const u8*>(runs.data()), runs.size() * sizeof(Run)});
  auto bytes = started.digest();
  bytes[6] = static_cast<u8>((bytes[6] & 0x0f) | 0x80);
  bytes[8] = static_cast<u8>((bytes[8] & 0x3f) | 0x80);
  return bytes;
}

void append_uuid(std::string& out, const Sha256& started, const std::vector<Run>& runs) {
  const auto bytes = uuid_of(started, runs);
  char text[36];
  char* to = text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *to++ = '-';
    *to++ = "0123456789abcdef"[bytes[i] >> 4];
    *to++ = "0123456789abcdef"[bytes[i] & 15];
  }
  out.append(text, sizeof text);
}

std::vector<Polygon> outlined(const std::vector<Run>& runs, double simplify_px) {
  std::vector<Polygon> polygons = polygons_of(cpu::trace_outline(runs.data(), runs.size(), simplify_px));
  if (polygons.empty() && simplify_px > 0) polygons = polygons_of(cpu::trace_outline(runs.data(), runs.size(), 0));
  return polygons;
}

void append_row(std::string& out, const CsvFormat& format, const ObjectTable& objects, i64 index, const Sha256& started,
                const std::vector<Run>& runs) {
  const ObjectTable::Object object = objects.at(index);
  bool first = true;
  for (const CsvFormat::Cell& cell : format.cells) {
    if (!first) out.push_back(',');
    first = false;
    switch (cell.source) {
      case CsvFormat::Source::number: append_integer(out, objects.number(index)); break;
      case CsvFormat::Source::uuid: append_uuid(out, started, runs); break;
      case CsvFormat::Source::text: out.append(cell.text); break;
      case CsvFormat::Source::value:
        if (const double value = measured(object, cell.value); std::isfinite(value)) append_seven_digits(out, value);
        break;
      case CsvFormat::Source::either:
        if (const std::string* text = chosen(object, cell.either)) out.append(*text);
        break;
      case CsvFormat::Source::by_class:
        if (const std::string* text = chosen(objects.class_of(index), cell.by_class)) out.append(*text);
        break;
      case CsvFormat::Source::by_group: out.append(of_group(objects.group_of(index), cell.by_group)); break;
    }
  }
  out.append("\r\n");
}

/// Where a file has a corner, before its last rounding. Rounded before it is moved, too: else a half might go another way.
double placed(i32 at, double scale, double origin) {
  const double level0 = at * scale;
  return origin == 0 ? level0 : to_ten_thousandths(level0) - origin;
}

void append_ring(std::string& out, const Loop& ring, const RingFormat& format) {
  const auto point = [&](const Point& p) {
    out.push_back('[');
    append_ten_thousandths(out, placed(p.x, format.scale, format.origin_x));
    out.push_back(',');
    append_ten_thousandths(out, placed(p.y, format.scale, format.origin_y));
    out.push_back(']');
  };
  out.push_back('[');
  for (const Point& p : ring) {
    point(p);
    out.push_back(',');
  }
  point(ring[0]);
  out.push_back(']');
}

void append_geometry(std::string& out, const std::vector<Polygon>& polygons, const RingFormat& format) {
  const bool one = polygons.size() == 1;
  out.append(one ? R"({"type":"Polygon","coordinates":)" : R"({"type":"MultiPolygon","coordinates":[)");
  bool first = true;
  for (const Polygon& polygon : polygons) {
    if (!first) out.push_back(',');
    first = false;
    out.push_back('[');
    for (const Loop& ring : polygon) {
      if (&ring != polygon.data()) out.push_back(',');
      append_ring(out, ring, format);
    }
    out.push_back(']');
  }
  out.append(one ? "}" : "]}");
}

void append_feature(std::string& out, const GeoJsonFormat& format, const ObjectTable& objects, i64 index, const Sha256& started,
                    const std::vector<Run>& runs) {
  const ObjectTable::Object object = objects.at(index);
  const std::vector<Polygon> polygons = outlined(runs, format.simplify_px);
  std::vector<Run> cell;
  object.cell_runs(cell);
  out.append(index > 0 ? ",\n" : "\n");
  out.append(R"({"type":"Feature","id":")");
  append_uuid(out, started, runs);
  out.append(R"(","geometry":)");
  // As QuPath has it: a cell's geometry is its own, and its nucleus's stands beside it.
  append_geometry(out, cell.empty() ? polygons : outlined(cell, format.simplify_px), format);
  if (!cell.empty()) {
    out.append(R"(,"nucleusGeometry":)");
    append_geometry(out, polygons, format);
  }
  out.append(cell.empty() ? R"(,"properties":{"objectType":"detection","name":"Object )"
                          : R"(,"properties":{"objectType":"cell","name":"Object )");
  append_integer(out, objects.number(index));
  out.append("\"");
  const std::string* class_text = nullptr;
  if (const auto* either = std::get_if<Either>(&format.classification)) class_text = chosen(object, *either);
  else if (const auto* texts = std::get_if<ByClass>(&format.classification))
    class_text = chosen(objects.class_of(index), *texts);
  if (class_text) {
    out.append(R"(,"classification":)");
    out.append(*class_text);
  }
  if (const std::string& metadata = of_group(objects.group_of(index), format.metadata); !metadata.empty()) {
    out.append(R"(,"metadata":)");
    out.append(metadata);
  }
  out.append(R"(,"measurements":{)");
  bool first = true;
  for (const GeoJsonFormat::Entry& entry : format.measurements) {
    const double value = measured(object, entry.value);
    if (!std::isfinite(value)) continue;
    if (!first) out.push_back(',');
    first = false;
    out.append(entry.name);
    out.push_back(':');
    append_seven_digits(out, value);
  }
  out.append("}}}");
}

template <class T>
void append_plain(std::string& out, T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);  // little endian, or put in order by what follows
  if constexpr (std::endian::native == std::endian::big) bits >>= 8 * (8 - sizeof value);
  for (std::size_t i = 0; i < sizeof value; ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
}

void append_wkb_polygon(std::string& out, const Polygon& polygon, const RingFormat& format) {
  constexpr std::uint32_t kPolygon = 3;
  out.push_back(1);  // little endian
  append_plain(out, kPolygon);
  append_plain(out, static_cast<std::uint32_t>(polygon.size()));
  for (const Loop& ring : polygon) {
    append_plain(out, static_cast<std::uint32_t>(ring.size() + 1));
    for (std::size_t i = 0; i <= ring.size(); ++i) {
      const Point& p = ring[i < ring.size() ? i : 0];
      append_plain(out, to_ten_thousandths(placed(p.x, format.scale, format.origin_x)));
      append_plain(out, to_ten_thousandths(placed(p.y, format.scale, format.origin_y)));
    }
  }
}

/// After its length in four bytes.
void append_wkb(std::string& out, const std::vector<Polygon>& polygons, const RingFormat& format) {
  std::string wkb;
  if (polygons.size() != 1) {
    constexpr std::uint32_t kMultiPolygon = 6;
    wkb.push_back(1);
    append_plain(wkb, kMultiPolygon);
    append_plain(wkb, static_cast<std::uint32_t>(polygons.size()));
  }
  for (const Polygon& polygon : polygons) append_wkb_polygon(wkb, polygon, format);
  append_plain(out, static_cast<std::uint32_t>(wkb.size()));
  out.append(wkb);
}

void append_record(std::string& out, const ColumnFormat& format, const ObjectTable::Object& object, const Sha256& started,
                   const std::vector<Run>& runs) {
  for (const Measure& m : format.values) append_plain(out, measured(object, m));
  const auto uuid = uuid_of(started, runs);
  out.append(reinterpret_cast<const char*>(uuid.data()), 16);
  append_wkb(out, outlined(runs, format.simplify_px), format);
  if (!format.cells) return;
  std::vector<Run> cell;
  object.cell_runs(cell);
  append_wkb(out, cell.empty() ? std::vector<Polygon>{} : outlined(cell, format.simplify_px), format);
}

}  // namespace

void append_objects(std::string& out, const ObjectTable& objects, i64 begin, i64 end, const ObjectFormat& format) {
  Sha256 started;
  started.update({reinterpret_cast<const u8*>(format.uuid_prefix.data()), format.uuid_prefix.size()});
  std::vector<Run> runs;
  for (i64 i = begin; i < end; ++i) {
    const ObjectTable::Object object = objects.at(i);
    object.runs(runs);
    if (const auto* csv = std::get_if<CsvFormat>(&format.as)) append_row(out, *csv, objects, i, started, runs);
    else if (const auto* geojson = std::get_if<GeoJsonFormat>(&format.as))
      append_feature(out, *geojson, objects, i, started, runs);
    else append_record(out, std::get<ColumnFormat>(format.as), object, started, runs);
  }
}

}  // namespace morpho::exports
