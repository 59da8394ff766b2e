// Variants that a researcher chose for stages of a recipe, told among its parameters.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "engine/program/program.hpp"
#include "params.hpp"

namespace morpho::engine {

/// Those of "variant.STAGE.OP" among the parameters, whose values are names as `op` has them, or "auto"; OP is reconstruct,
/// max-tree or watershed, and holds for every operation of the stage that is one or derives from one. Throws INVALID_PARAMETER,
/// with the stage, for a stage that the program does not have, another operation, or no variant of it. Whether the device has
/// it the operation itself says.
std::vector<std::pair<std::string, Choices>> choices_of(const Params& params, const Program& program);

}  // namespace morpho::engine
