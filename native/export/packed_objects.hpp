// A run's objects as main/run holds them: narrow columns by batches, outlines as bytes, ids in order. How they are packed, and
// how they are read where they lie.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/ops.hpp"

namespace morpho::exports {

/// In the order of PACKED_COLUMNS in native/packed.ts; the last three follow from others.
enum class Field {
  first_x,
  first_y,
  min_x,
  max_x,
  max_y,
  area,
  centroid_x,
  centroid_y,
  perimeter,
  major_axis,
  minor_axis,
  eccentricity,
  orientation,
  circularity,
  solidity,
  stain1_mean,
  stain2_mean,
  stain3_mean,
  stain1_std,
  stain2_std,
  stain3_std,
  stain1_min,
  stain2_min,
  stain3_min,
  stain1_max,
  stain2_max,
  stain3_max,
  contrast,
  score,
  stained_area,
  min_y,
  width,
  height,
};
inline constexpr int kColumns = static_cast<int>(Field::min_y);
/// Of each channel of the slide five columns more: of column k behind kColumns. JavaScript calls them "channel1Mean", …
inline constexpr int kFirstChannelField = static_cast<int>(Field::height) + 1;
inline constexpr std::array kChannelFigureNames = {"Mean", "Std", "Min", "Max", "Sum"};
/// As many as the engine measures: of each channel in the nucleus, the cytoplasm and the membrane, and of the cell.
inline constexpr int kMostChannelColumns = (3 * 64 + 1) * static_cast<int>(kChannelFigureNames.size());
/// Behind all of these, columns that a table brings beside its batches: JavaScript calls them "extra1", …
inline constexpr int kFirstExtraField = kFirstChannelField + kMostChannelColumns;
/// "firstX", …: the names by which JavaScript calls all of them.
inline constexpr std::array kFieldNames = {
    "firstX",    "firstY",      "minX",       "maxX",       "maxY",         "area",        "centroidX",
    "centroidY", "perimeter",   "majorAxis",  "minorAxis",  "eccentricity", "orientation", "circularity",
    "solidity",  "stain1Mean",  "stain2Mean", "stain3Mean", "stain1Std",    "stain2Std",   "stain3Std",
    "stain1Min", "stain2Min",   "stain3Min",  "stain1Max",  "stain2Max",    "stain3Max",   "contrast",
    "score",     "stainedArea", "minY",       "width",      "height"};

enum class Numbers : u8 { none, i16, u16, i32, f64 };

struct Batch {
  struct Column {
    const void* data = nullptr;
    Numbers type = Numbers::none;
  };
  i64 count = 0;
  std::array<Column, kColumns> columns;
  std::vector<const double*> channels;  ///< its other columns; null where no object has it
  const std::uint32_t* ends = nullptr;
  const u8* outlines = nullptr;
  std::size_t outline_bytes = 0;
};

/// How a column is stored where it is narrow: number × unit + base. An optional one is left out where no object has it.
struct Narrow {
  Numbers type;  ///< none: it follows from others
  double unit;
  int base;  ///< a column, or -1
  bool optional = false;
};
const Narrow& narrow_column(int column);

/// What was measured of each object of a window in the slide's channels and in its cell: [object][column]; and where the cell
/// of object k lies, runs [cell_offsets[k], cell_offsets[k + 1]) of the window, if any.
struct ChannelColumns {
  int columns = 0;
  std::span<const double> values;
  std::span<const Run> cell_runs = {};
  std::span<const i64> cell_offsets = {};  ///< empty: no object has a cell
  std::span<const Run> cell_of(std::size_t object) const {
    if (cell_offsets.empty()) return {};
    return cell_runs.subspan(static_cast<std::size_t>(cell_offsets[object]),
                             static_cast<std::size_t>(cell_offsets[object + 1] - cell_offsets[object]));
  }
};

/// Objects that were packed, in one piece of memory; begins are multiples of 8 bytes in it.
struct PackedRows {
  struct Column {
    Numbers type = Numbers::none;
    std::size_t begin = 0;
  };
  i64 count = 0;
  std::array<Column, kColumns> columns;
  std::vector<Column> channels;        ///< doubles
  std::size_t ends = 0, outlines = 0;  ///< where a uint32 an object begins, and where the outlines' bytes do, to the end
  ResultVector<u8> memory;
};

/// These objects of `found`, in this order, moved by (x, y). A column is as narrow as narrow_column says while that gives each
/// of its values to the bit, else doubles; what follows from others is left out while it does, and what is optional while it
/// was not measured (kNotMeasured) of any. An outline: of each run its
/// length, of those after the first also where it begins, as what differs from the one before: 2 × zigzag(x0 - x0 before) + (1
/// where it is not on the next row), then the rows between where it is not; each a number of 7 bits a byte, least first. Where
/// the object has a cell, a 1 and a 0 follow, which no run is, then where the cell's first run begins (zigzag, from the
/// object's first pixel: x, then y), and the cell's runs in the same way. O(runs); memory: the result's, and 8 bytes an object.
PackedRows pack_rows(const ObjectSet& found, std::span<const i32> rows, i64 x, i64 y, const ChannelColumns& channels = {});

/// Objects in order; nothing is owned. Read only, from any thread.
class ObjectTable {
 public:
  /// `ids[i]` is object i's batch × rows_per_batch + row; each is there. Columns are typed as narrow_column says, or doubles.
  /// `numbers`: what each object is called; null: its place in the list, from 1. `classes`: which class it is of, kNoClass for
  /// none; null: of none. `groups`: which of a format's texts by group is each one's; null: the first. `extras`: of each object
  /// a number in each of so many columns, a column of `count` after the other.
  ObjectTable(std::vector<Batch> batches, const std::uint32_t* ids, i64 count, i64 rows_per_batch,
              const std::uint32_t* numbers = nullptr, const u8* classes = nullptr, const std::uint32_t* groups = nullptr,
              const double* extras = nullptr, i64 extra_columns = 0)
      : batches_(std::move(batches)),
        ids_(ids),
        numbers_(numbers),
        classes_(classes),
        groups_(groups),
        extras_(extras),
        extra_columns_(extra_columns),
        count_(count),
        rows_per_batch_(rows_per_batch) {}
  static constexpr u8 kNoClass = 255;

  i64 size() const { return count_; }
  i64 number(i64 index) const { return numbers_ ? i64{numbers_[index]} : index + 1; }
  u8 class_of(i64 index) const { return classes_ ? classes_[index] : kNoClass; }
  std::uint32_t group_of(i64 index) const { return groups_ ? groups_[index] : 0; }

  /// One object, while it is written.
  struct Object {
    const Batch* batch;
    i64 row;
    const double* extra;  ///< its number in the first of the table's extra columns, `extra_step` before that in the next
    i64 extra_step, extra_columns;
    /// Lengths in px of the analysed image, as measured.
    double value(Field field) const;
    /// Its runs, in raster order. Throws INTERNAL for bytes that are no outline.
    void runs(std::vector<Run>& out) const;
    /// Those of its cell; nothing where it has none. Throws as runs().
    void cell_runs(std::vector<Run>& out) const;

   private:
    double column(int at) const;
    void decode(std::vector<Run>& nucleus, std::vector<Run>* cell) const;
  };
  Object at(i64 index) const {
    const i64 id = ids_[index];
    return {&batches_[static_cast<std::size_t>(id / rows_per_batch_)], id % rows_per_batch_,
            extras_ ? extras_ + index : nullptr, count_, extra_columns_};
  }

 private:
  std::vector<Batch> batches_;
  const std::uint32_t* ids_;
  const std::uint32_t* numbers_;
  const u8* classes_;
  const std::uint32_t* groups_;
  const double* extras_;
  i64 extra_columns_, count_, rows_per_batch_;
};

}  // namespace morpho::exports
