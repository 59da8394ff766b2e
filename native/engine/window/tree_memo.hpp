// Max-trees of fields that were pointed at lately, within a budget: a pointer that moves on asks the same tree.
#pragma once
#include <memory>
#include <vector>

#include "../../contract/ops.hpp"
#include "engine/device/exclusive.hpp"
#include "engine/device/recently_used.hpp"
#include "engine/recipe/plan.hpp"
#include "stage_memo.hpp"

namespace morpho::engine {

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

}  // namespace morpho::engine
