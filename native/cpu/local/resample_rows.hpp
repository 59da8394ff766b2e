// Change of scale by area of an image whose rows lie in pieces: resample(), and what reads slides from their tiles.
#pragma once
#include <vector>

#include "contract/context.hpp"
#include "contract/ops.hpp"

namespace morpho::cpu {

/// Pixels of one row, side by side in memory.
struct RowPiece {
  const Rgba* pixels;
  i32 width;
};
/// Where the rows of an image come from.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// The pieces of row y from left to right, all of its pixels together. Rows are asked for from above to below, each as often
  /// as it is wanted; at most one step back, to the row before. The pixels of two rows that follow each other stay where they
  /// are until a third is asked for.
  virtual void row(i32 y, std::vector<RowPiece>& pieces) = 0;
};

/// resample() row by row, on one thread: the same integers, wherever the rows lie. Arguments are as resample() checks them.
/// Memory: 16 bytes (32 for steps above 256 px) an input column and 48 an output column, of the workspace's enclosing Scope.
class RowResampler {
 public:
  RowResampler(Workspace& workspace, Extent in, i32 out_width, const ResampleParams& p);
  /// The rows [begin, end) of `out`.
  void run(RowSource& in, View<Rgba> out, i64 begin, i64 end);

 private:
  template <class S>
  void average(RowSource& in, Rgba* out, i64 j, i32 from);
  template <class S>
  void divide(Rgba* out, i32 begin, i32 end, i64 height) const;
  i32 halve(RowSource& in, Rgba* out, i64 j);

  const Extent in_;
  const i32 width_;
  const ResampleParams p_;
  i32 first_ = 0, columns_ = 0;  ///< the input columns that any output pixel covers
  i32 begin_ = 0, end_ = 0;      ///< the output columns that cover any input
  void* sums_;                   ///< of each input column and channel
  i32* starts_ = nullptr;        ///< of each output pixel: its first input column, from first_
  double* weights_ = nullptr;    ///< and the weights of taps_ columns from there
  int taps_ = 0;                 ///< 0 where steps are long: then without a table
  std::vector<RowPiece> upper_, lower_;
};

}  // namespace morpho::cpu
