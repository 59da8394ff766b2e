// The parent image of a max-tree without the order of its pixels: for operations that need no more.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Where an image's rows follow one another: itself, or a copy in the workspace.
template <class T>
const T* flat_rows(Context& ctx, const View<const T>& v) {
  if (v.contiguous()) return v.data;
  const View<T> copy(ctx.workspace.take<T>(static_cast<std::size_t>(v.extent.area())), v.extent);
  copy_rows(ctx, v, copy);
  return copy.data;
}

/// Enqueues: d_parent = the canonical parents of d_f, both flat, for the order of (value ^ flip). T is u8 or u16. Memory: two
/// bits a pixel; u16: 2 bytes a pixel and 4 KiB for each tile more. Without the canonical form a pixel's parent may be of its
/// own level and not that level's root, but leads there: the trees of the tiles (kTreeTile) as they have been joined, in which
/// few pixels have their parent in another tile.
template <class T>
void max_tree_parent(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool eight, bool canonical_form = true);

/// Grey values are cut in bands of 1 << kBandShift values, by which max_tree_bands.cu joins branches; 0: there are none.
template <class T>
inline constexpr i32 kBandShift = sizeof(T) == 2 ? 7 : 0;
inline constexpr u16 kNoneBelow = 0xFFFF;

/// The first stage of max_tree_parent: trees of tiles of this size, which know nothing of each other.
inline constexpr Extent kTreeTile{128, 64};
/// Enqueues: canonical pixels get their parent in d_parent (themselves where there is none), and their bit set in
/// d_canonical, which holds a bit a pixel in raster order, all 0 before where the width is no multiple of 32; others get their
/// level root. With bands every pixel gets in d_below its nearest ancestor in a lower band, as an index in the tile, or
/// kNoneBelow.
template <class T>
void max_tree_tiles(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, u16* d_below, T flip, bool eight);

/// max_tree_parent by the paper's algorithm, for comparison; with border_trees tiles one above the other are joined in the
/// trees of their top and bottom rows. Memory: none; with border_trees 8 bytes and f's type a pixel.
template <class T>
void max_tree_parent_by_columns(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool eight, bool border_trees);

/// Canonical pixels are roots, or have a parent of another grey value.
template <class T>
__device__ bool canonical(const T* d_f, i32 p, i32 parent) {
  return parent == p || d_f[parent] != d_f[p];
}

}  // namespace morpho::gpu
