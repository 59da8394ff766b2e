// The max-tree wand: the tree of one grey plane of a recipe over a field, and its nodes by the pixels that they hold.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "../../contract/ops.hpp"
#include "engine/window/tree_memo.hpp"

namespace morpho::engine {

struct Resources;
struct WindowJob;

/// Of a u8 or u16 plane; bright nodes, 8-connected. A copy of the table's tree: O(pixels).
WandTree wand_tree(ConstPlane plane, Context& ctx);

struct WandAsk {
  std::string plane;  ///< "" is the recipe's first
  std::vector<std::pair<i64, i64>>
      points;                            ///< px of the analysed image, in the job's core; of several the smallest node of all
  i32 walk = 0;                          ///< so many parents up, or, negative, children down towards the first point
  i64 min_area = 1, end_area = 1 << 30;  ///< of what one point offers first
};
struct WandResult {
  std::vector<std::string> planes;  ///< that a tree can be of
  std::string plane;
  i32 value = 0, parent_value = 0;  ///< altitudes; the root's parent is itself
  i64 area = 0;                     ///< px
  i32 below = 0, above = 0;         ///< nodes from it to the first point's own, and to the root
  i32 walked = 0;                   ///< `walk`, as far as there are nodes
  bool cut = false;                 ///< it meets a rim of the field where the image goes on: it may be larger there
  bool unread = false;              ///< it holds or meets pixels that could not be read, or stands on them: it may be another
  bool built = false;               ///< now; else the tree was there
  std::vector<Run> shape;           ///< px of the analysed image, raster order
};

/// What one point offers first is the node around it whose area changes least with its altitude (Matas 2002: maximally stable),
/// of those within the areas that meet no cut; where there is none, the smallest of at least min_area. A node that meets no cut
/// is a component of the whole image's threshold sets, so field and tiling say nothing about it. On the CPU; after the first
/// ask of a field O(the node's box). Throws Error and Cancelled.
WandResult wand(const WindowJob& job, const WandAsk& ask, Resources& resources, const CancelFlag* cancel);

}  // namespace morpho::engine
