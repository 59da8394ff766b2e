// Declares the CPU implementation of every entry of the operation tables; their descriptors (contract/op) and tiled.hpp say
// what each one means.
#pragma once
#include "contract/tiled.hpp"

namespace morpho::cpu {

#define MORPHO_ENTRY(name) op::name::Call name;
MORPHO_OPERATIONS(MORPHO_ENTRY)
#undef MORPHO_ENTRY

void distance_strip(Context&, ConstPlane binary, const StripColumns& beyond, Plane squared, const DistanceParams&);

}  // namespace morpho::cpu
