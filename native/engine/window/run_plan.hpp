// A plan on one window of pixels in memory, and an overview on a sample.
#pragma once
#include <string>

#include "engine/recipe/pipeline.hpp"
#include "window_job.hpp"
#include "window_output.hpp"

namespace morpho::engine {

/// Runs a window's plan on its pixels. Deterministic, and the same wherever it runs. Throws Error and Cancelled. Transfers on a
/// GPU: the window up once, the objects down; planes come down only where they are wanted. Between stages the host does not
/// wait.
WindowOutput run(Backend& backend, const WindowJob& job, const WindowPixels& pixels);
WindowOutput run(const OpTable& ops, Context& ctx, const WindowJob& job, const WindowPixels& pixels);

/// Values that adapt to the slide, taken once from a sample of its tissue at the analysed resolution (patches side by side in
/// one image; `deep`: at 16 bits, where the parameters ask for them), never from a tile. Returned as "overview.*" entries that
/// run() expects merged into its params.
Params overview(Backend& backend, const std::string& pipeline, const Params& params, View<const Rgba> sample,
                View<const u16> deep = {});
Params overview(const OpTable& ops, Context& ctx, const std::string& pipeline, const Params& params, View<const Rgba> sample,
                View<const u16> deep = {});

}  // namespace morpho::engine
