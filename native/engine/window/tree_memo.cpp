// Finds and keeps trees by their field and plan.
#include "tree_memo.hpp"

#include <utility>

namespace morpho::engine {

std::shared_ptr<const WandTree> TreeMemo::find(const Key& key) {
  return trees_.find([&](const Key& of) { return same(of, key); });
}

void TreeMemo::keep(const Key& key, std::shared_ptr<const WandTree> tree) {
  const std::size_t bytes = tree->bytes();
  trees_.keep(key, std::move(tree), bytes, [](const Key& of) { return of.window.slide.expired(); });
}

}  // namespace morpho::engine
