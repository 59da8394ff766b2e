// The parent image of a max-tree without the order of its pixels: for operations that need no more, by each variant.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// As cpu::max_tree, whose checks are the caller's here. Memory: that of max_tree.
void max_tree_parent(Context& ctx, ConstPlane f, View<i32> parent, const MaxTreeParams& params);

/// The variants. All give the canonical form; f's rows and those of `parent` follow each other without gaps.
void max_tree_union_find(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params);
void max_tree_flooding(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params);
void max_tree_tile_merge(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params);

}  // namespace morpho::cpu
