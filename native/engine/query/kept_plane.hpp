// One intermediate image of a field, and nothing that the recipe computes after it.
#pragma once
#include <optional>
#include <string>

#include "engine/window/window.hpp"

namespace morpho::engine {

/// The image that the job's recipe keeps by this name, of the job's core. Absent where it keeps none: then no pixel is read.
/// Costs what the recipe takes up to there. On the CPU. Throws Error and Cancelled.
std::optional<NamedPlane> kept_plane(const WindowJob& job, const std::string& name, Resources& resources,
                                     const CancelFlag* cancel);

}  // namespace morpho::engine
