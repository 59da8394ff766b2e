// Declares the distance transforms that fill a file of their own; distance() checks the arguments and chooses among them.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// The wavefront of the IWPP paper; its docstring says why synchronous rounds make it exact.
void distance_danielsson(Context&, View<const u8> binary, View<i32> squared, const DistanceParams&);

}  // namespace morpho::cpu
