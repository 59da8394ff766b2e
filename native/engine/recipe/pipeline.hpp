// The recipes: what there are, and the program that each records of its resolved parameters (px, levels).
#pragma once
#include <string>
#include <vector>

#include "plan.hpp"
#include "stain_set.hpp"

namespace morpho::engine {

struct PipelineInfo {
  std::string id;                   ///< as in assets/recipes
  std::vector<std::string> planes;  ///< names of the planes it can give, in stage order
  /// Of the workspace, at most, on tissue with its default parameters: bytes a pixel of the window, and bytes a thread. Beside
  /// them come the window's pixels (4 bytes) and its result. test_window_need.cpp holds each recipe to it.
  i64 bytes_per_pixel = 0, bytes_per_thread = 0;
  i64 deep_bytes_per_pixel = 0;  ///< where it analyses 16 bits; 0: it takes 8 of any slide
};
std::vector<PipelineInfo> pipelines();

/// How far beyond the core a window must see for this pipeline with these parameters, px: before its "overview.*" are known.
i32 halo_px(const std::string& pipeline, const Params& params);

/// The recipe with these parameters, its "overview.*" among them, as a program: what any interpreter runs. Throws
/// INVALID_PARAMETER.
Program program_of(const std::string& pipeline, const Params& params);
/// It takes samples at 16 bits.
bool takes_samples(const Program& program);
/// What an overview of it computes: its results are the "overview.*".
Program overview_program_of(const std::string& pipeline, const Params& params);

}  // namespace morpho::engine
