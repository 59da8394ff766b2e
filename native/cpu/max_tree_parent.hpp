// The parent image of a max-tree without the order of its pixels: for operations that need no more.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// As cpu::max_tree, whose checks are the caller's here. Memory: that of max_tree.
void max_tree_parent(Context& ctx, ConstPlane f, View<i32> parent, const MaxTreeParams& params);

}  // namespace morpho::cpu
