// Operations by name: what `morphoscope op`, the tests and the benchmark use to reach any entry of the table with named inputs
// and parameters.
#pragma once
#include <string>
#include <vector>

#include "engine/device/backend.hpp"
#include "engine/recipe/params.hpp"
#include "engine/device/backend.hpp"

namespace morpho::engine {

/// An image that owns its pixels, as read from or written to a file. channels is 1, or 4 for Rgba.
struct OwnedImage {
  std::string name;  ///< of the input or output slot: "image", "marker", "mask", "markers", "labels", "out", …
  PixelType type = PixelType::u8;
  i32 channels = 1;
  Extent extent;
  std::vector<u8> bytes;
};

struct OpParam {
  std::string name, help;
  enum class Kind { number, integer, choice, toggle } kind = Kind::integer;
  std::vector<std::string> choices;
  double low = 0, high = 0;
  ParamValue fallback;
  bool required = false;
  std::vector<std::string> not_on_cpu, not_on_gpu;  ///< choices that one kind of device does not have
};
struct OpSlot {
  std::string name, help;
  std::vector<PixelType> types;
  i32 channels = 1;
  bool optional = false;
};
/// Everything `op NAME --help` prints.
struct OpInfo {
  std::string name, help;
  std::vector<OpSlot> inputs, outputs;
  std::vector<OpParam> params;
};
struct OpResult {
  std::vector<OwnedImage> outputs;
  std::vector<std::pair<std::string, double>> scalars;  ///< "count", "threshold", …
  double ms = 0;                                        ///< of the operation itself
  std::string device, variant;                          ///< what computed it; variant is "auto" unless one was asked for
  std::vector<std::pair<std::string, double>>
      steps;  ///< ms of each step in order: "upload", "compute", "download" as there are
};

/// Every operation with its slots and parameters, sorted by name.
const std::vector<OpInfo>& op_list();
/// Checks names, types, extents and ranges (INVALID_PARAMETER names the value), runs the operation, returns its outputs. Inputs
/// and outputs are host memory wherever it runs. Memory: the outputs, what the operation takes of the workspace, and on a GPU
/// all images there.
OpResult op_call(Backend& backend, const std::string& name, const std::vector<OwnedImage>& inputs, const Params& params);
/// The same on the CPU.
OpResult op_call(const OpTable& ops, Context& ctx, const std::string& name, const std::vector<OwnedImage>& inputs,
                 const Params& params);

}  // namespace morpho::engine
