// A recipe as the native side sees it: a pipeline's name, resolved parameters (px, levels), a window of pixels in, objects and
// planes out.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "../contract/ops.hpp"
#include "../contract/work_log.hpp"
#include "plan.hpp"
#include "trust.hpp"
#include "window_job.hpp"

namespace morpho::engine {

/// One stage's cost, by the device's own clock, and what computed it.
struct StageTiming {
  std::string stage = {}, device = {};
  std::string variant = {};  ///< what its operations chose, each once: "sweeps + queue; graph"; empty: none of them chooses
  double ms = 0;
  i64 pixels = 0;
  int waits = 0;                ///< how often the host waited for the device meanwhile
  std::vector<Work> work = {};  ///< what its operations did
  std::string part = {};        ///< of a stage that is timed in parts: which
  std::string reader = {};      ///< of what was read: what read it, with its version
  std::string memory = {};      ///< of "upload" and "download": the host's, "pinned" or "staged" through pinned memory
  bool kept = false;            ///< it was not computed: an earlier window left it
};
/// Whether their costs add up to one entry: what the operations chose may differ from window to window.
bool same_entry(const StageTiming& a, const StageTiming& b);
/// The variants of `work`, each once, in order.
std::string variants_of(const std::vector<Work>& work);
/// Adds to the entry of the same, or a new one.
void add_timing(std::vector<StageTiming>& to, const StageTiming& timing);

/// An intermediate image of the core rectangle, for looking at.
struct NamedPlane {
  std::string name;     ///< channel, background, difference, marker, mask, distance, labels
  PixelType type;       ///< u8 (grey 0..255 or binary 0/1) or i32 (labels)
  bool binary = false;  ///< u8 holding 0 or 1
  Extent extent;
  std::vector<u8> bytes;
};

class Rims;
/// Never apart: who takes objects or planes has what may be believed of them.
struct WindowOutput {
  ObjectSet objects;                 ///< all objects of the window, coordinates of `rgba`; ownership is up to the caller
  std::vector<NamedPlane> planes;    ///< cropped to the core; empty unless asked for
  std::vector<StageTiming> timings;  ///< in stage order
  Trust trust;
  std::shared_ptr<const Rims> rims;  ///< that trust is told from later (program_rims.hpp)
};

struct PipelineInfo {
  std::string id;                   ///< as in assets/recipes
  std::vector<std::string> planes;  ///< names of the planes it can give, in stage order
  /// Of the workspace, at most, on tissue with its default parameters: bytes a pixel of the window, and bytes a thread. Beside
  /// them come the window's pixels (4 bytes) and its result. test_window_need.cpp holds each recipe to it.
  i64 bytes_per_pixel = 0, bytes_per_thread = 0;
};
std::vector<PipelineInfo> pipelines();

/// How far beyond the core a window must see for this pipeline with these parameters, px: before its "overview.*" are known.
i32 halo_px(const std::string& pipeline, const Params& params);

/// The recipe with these parameters, its "overview.*" among them, as a program: what any interpreter runs. Throws
/// INVALID_PARAMETER.
Program program_of(const std::string& pipeline, const Params& params);

/// Values that adapt to the slide, taken once from a sample of its tissue at the analysed resolution (patches side by side in
/// one image), never from a tile. Returned as "overview.*" entries that run() expects merged into its params.
Params overview(Place& place, const std::string& pipeline, const Params& params, View<const Rgba> sample);
Params overview(const OpTable& ops, Context& ctx, const std::string& pipeline, const Params& params, View<const Rgba> sample);

/// Runs a window's plan on its pixels. Deterministic, and the same wherever it runs. Throws Error and Cancelled. Transfers on a
/// GPU: the window up once, the objects down; planes come down only where they are wanted. Between stages the host does not
/// wait.
WindowOutput run(Place& place, const WindowJob& job, const WindowPixels& pixels);
WindowOutput run(const OpTable& ops, Context& ctx, const WindowJob& job, const WindowPixels& pixels);

/// The three stain channels that a recipe's pipelines, the layer switch and the measurements share.
struct StainSet {
  std::string id;        ///< "h-e", "h-dab", "rgb"
  std::string names[3];  ///< hematoxylin, eosin | dab, residual; red, green, blue
  StainParams stains[3];
};
/// Throws INVALID_PARAMETER for an unknown id. Source: Ruifrok & Johnston 2001.
const StainSet& stain_set(const std::string& id);
/// Two stains as the optical density of red, green and blue, of any length.
struct StainVectors {
  using Vector = std::array<double, 3>;
  Vector first, second;
};
/// As the stage `stains` of a recipe has them. Throws INVALID_PARAMETER where they are no two colours.
StainVectors stain_vectors(const Params& params, const StainSet& set);
/// The set with other vectors for its two stains: "h-e" or "h-dab".
StainSet stain_set(const std::string& id, const StainVectors& vectors);
/// Hematoxylin beside the second stain and DAB: the channel of H&E nuclei. With a residual in DAB's place, as in the sets,
/// nuclei separate worse (test/bench/results/quality.md). Throws INVALID_PARAMETER where the three lie in one plane.
StainParams hematoxylin_beside_dab(const StainVectors& vectors);

}  // namespace morpho::engine
