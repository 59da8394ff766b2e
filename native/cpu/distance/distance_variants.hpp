// Declares the distance transforms that fill a file of their own; distance() checks the arguments and chooses among them.
#pragma once
#include "contract/ops.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {

/// The wavefront of the IWPP paper; its docstring says why synchronous rounds make it exact. Returns what it did, not yet
/// named.
Work distance_danielsson(Context&, View<const u8> binary, View<i32> squared, const DistanceParams&);

}  // namespace morpho::cpu
