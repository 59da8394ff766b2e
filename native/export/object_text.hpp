// Objects as the text of objects.csv and objects.geojson: what stands in which place, in which unit, is told; how it is written
// is here.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "packed_objects.hpp"

namespace morpho::exports {

/// A number of an object: `field`, `times` times multiplied by `factor`, one after the other; of that `offset` is taken.
struct Measure {
  Field field = Field::area;
  double factor = 1;
  int times = 0;
  double offset = 0;
};

/// Of two texts `above` where a number of an object is above `limit`, else `below`; both as they are written.
struct Either {
  Measure of;
  double limit = 0;
  std::string below, above;
};

/// A text a class of the table's, or a group, as it is written; nothing for an object of none.
using ByClass = std::vector<std::string>;
using ByGroup = std::vector<std::string>;

/// One row an object.
struct CsvFormat {
  enum class Source { number, uuid, text, value, either, by_class, by_group };
  struct Cell {
    Source source = Source::text;  ///< number: what the table calls the object
    std::string text;              ///< as it is written, quotes and all
    Measure value;                 ///< to seven digits; nothing where it is no finite number
    Either either;
    ByClass by_class;
    ByGroup by_group;
  };
  std::vector<Cell> cells;
};

/// How outlines are written.
struct RingFormat {
  double scale = 1;        ///< level-0 px per analysed px; coordinates are written to a ten-thousandth
  double simplify_px = 0;  ///< of Douglas-Peucker, in analysed px. An object that it leaves no area of keeps its exact outline
  /// Where coordinates begin, in whole level-0 px: it is taken from them when they are rounded, so every one moves alike.
  double origin_x = 0, origin_y = 0;
};

/// One feature an object, after a comma but for the first of all.
struct GeoJsonFormat : RingFormat {
  struct Entry {
    std::string name;  ///< as JSON has it, with its quotes
    Measure value;     ///< to seven digits; left out where it is no finite number
  };
  std::vector<Entry> measurements;
  std::variant<std::monostate, Either, ByClass> classification;  ///< its texts are JSON
  ByGroup metadata;                                              ///< objects as JSON has them; "" or nothing: there is none
};

/// Of each object, little endian: the values as doubles, the UUID's 16 bytes, the length of its WKB in four bytes and the WKB,
/// a Polygon or MultiPolygon with GeoJsonFormat's rings and coordinates. append_objects writes one object after the other,
/// format_objects a column after the other: each value of all objects, the UUIDs, the outlines with their lengths.
struct ColumnFormat : RingFormat {
  std::vector<Measure> values;
  bool cells = false;  ///< after each outline that of its cell, an empty MultiPolygon where it has none
};

struct ObjectFormat {
  std::variant<CsvFormat, GeoJsonFormat, ColumnFormat> as;
  /// What an object's UUID is made of beside its runs: RFC 9562 version 8, from the SHA-256 of both.
  std::string uuid_prefix;
};

/// Appends objects [begin, end) of the table.
void append_objects(std::string& out, const ObjectTable& objects, i64 begin, i64 end, const ObjectFormat& format);

}  // namespace morpho::exports
