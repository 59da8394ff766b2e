// Operations by name on images in files or memory that may be larger than either: what `morphoscope op --tile` calls.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "engine/operation/op_call.hpp"
#include "workers.hpp"
#include "raster.hpp"

namespace morpho::engine::region {

struct RegionCall {
  std::string name;
  std::vector<std::pair<std::string, const Raster*>> inputs;  ///< by slot
  std::pair<std::string, Raster*> output;                     ///< of the type that the operation gives
  Params params;
  i64 tile = 4096;
  /// What tiles and merges may take, in bytes; 0: no limit. Fewer workers work where it is little.
  std::size_t memory_bytes = 0;
  std::string scratch_folder;  ///< for images that the operation itself needs and that do not fit
  WorkerOptions workers;
};
struct RegionResult {
  std::vector<std::pair<std::string, double>> scalars;
  std::vector<Visit> visits;
  std::vector<std::string> notes;
  double ms = 0;
  int workers = 0;  ///< that had the memory to work at once
};

/// The names of the operations that work on tiles, sorted; slots and parameters are those of op_list().
const std::vector<std::string>& region_op_names();
/// Checks names, types, extents, ranges and the memory that a tile needs (INVALID_PARAMETER names the value), and runs the
/// operation.
RegionResult region_call(Resources& resources, const RegionCall& call);

}  // namespace morpho::engine::region
