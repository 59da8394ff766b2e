// The max-tree wand: the tree of one grey plane of a recipe over a field, held while somebody points at it, and its nodes by
// the pixels that they hold.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../contract/ops.hpp"
#include "engine/device/exclusive.hpp"
#include "engine/device/recently_used.hpp"
#include "engine/recipe/plan.hpp"
#include "engine/window/stage_memo.hpp"

namespace morpho::engine {

struct Resources;
struct WindowJob;

/// Immutable. 4 bytes a pixel and 32 a node. Nodes stand depth first, the root at 0: a node's descendants are the places
/// from its own up to `end`.
struct WandTree {
  struct Node {
    i32 parent = 0, end = 0;
    i32 area = 0, value = 0;
    i32 min_x = 0, min_y = 0, max_x = 0, max_y = 0;  ///< inclusive
  };
  Extent extent;
  std::vector<i32> node;  ///< of each pixel
  std::vector<Node> nodes;
  std::vector<Run> unread;  ///< pixels of the plane that parts which could not be read could change
  std::size_t bytes() const { return node.size() * sizeof(i32) + nodes.size() * sizeof(Node) + unread.size() * sizeof(Run); }
};

/// Of a u8 or u16 plane; bright nodes, 8-connected. A copy of the table's tree: O(pixels).
WandTree wand_tree(ConstPlane plane, Context& ctx);

/// Trees that were pointed at lately. Thread-safe, as RecentlyUsed is.
class TreeMemo {
 public:
  explicit TreeMemo(std::size_t budget_bytes) : trees_(budget_bytes) {}
  struct Key {
    WindowKey window;
    PlanPtr plan;  ///< up to the step that keeps the plane its program must be the same
    std::size_t step = 0;
    friend bool same(const Key& a, const Key& b) {
      return a.step == b.step && same(a.window, b.window) && common_steps(a.plan->program, b.plan->program) > a.step;
    }
  };
  /// null where there is none.
  std::shared_ptr<const WandTree> find(const Key& key);
  /// Drops those used longest ago beyond the budget, and trees of slides that were closed.
  void keep(const Key& key, std::shared_ptr<const WandTree> tree);
  std::size_t held_bytes() const { return trees_.held_bytes(); }
  std::size_t trim() { return trees_.trim(); }
  /// Held while one is built: who wants the same waits for it.
  Exclusive<Key> building;

 private:
  RecentlyUsed<Key, WandTree> trees_;
};

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
