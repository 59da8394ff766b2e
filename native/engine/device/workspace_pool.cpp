// Keeps idle workspaces within a budget, and gives them up where memory is short.
#include "workspace_pool.hpp"

#include <algorithm>
#include <cstdlib>
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace morpho::engine {

namespace {

std::mutex& pools_mutex() {
  static std::mutex mutex;
  return mutex;
}
std::vector<WorkspacePool*>& pools() {
  static std::vector<WorkspacePool*> all;
  return all;
}

void* allocate(std::size_t bytes) {
  void* p = Workspace::host_allocator().allocate(bytes);
  return p || WorkspacePool::trim_all() == 0 ? p : Workspace::host_allocator().allocate(bytes);
}

}  // namespace

std::size_t idle_budget_bytes() {
  constexpr std::size_t gib = std::size_t{1} << 30;
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0) return std::min(8 * gib, static_cast<std::size_t>(pages) / 8 * static_cast<std::size_t>(bytes));
#endif
  return gib;
}

WorkspacePool::WorkspacePool(std::size_t budget_bytes) : budget_(budget_bytes) {
  std::lock_guard lock(pools_mutex());
  pools().push_back(this);
}
WorkspacePool::~WorkspacePool() {
  std::lock_guard lock(pools_mutex());
  std::erase(pools(), this);
}

std::unique_ptr<Workspace> WorkspacePool::take() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto workspace = std::move(idle_.back());
      idle_.pop_back();
      return workspace;
    }
  }
  return std::make_unique<Workspace>(Workspace::Allocator{allocate, Workspace::host_allocator().release});
}

void WorkspacePool::give(std::unique_ptr<Workspace> workspace) {
  std::vector<std::unique_ptr<Workspace>> dropped;           // given back where nobody waits for it
  if (workspace->held_bytes() > budget_) workspace->trim();  // larger than all that may be kept
  std::lock_guard lock(mutex_);
  try {
    idle_.push_back(std::move(workspace));
    // Those that have lain there for longest go first.
    while (held_locked() > budget_) {
      dropped.push_back(std::move(idle_.front()));
      idle_.erase(idle_.begin());
    }
  } catch (const std::bad_alloc&) {
    idle_.clear();
  }
}

std::size_t WorkspacePool::held_locked() const {
  std::size_t sum = 0;
  for (const auto& w : idle_) sum += w->held_bytes();
  return sum;
}
std::size_t WorkspacePool::held_bytes() const {
  std::lock_guard lock(mutex_);
  return held_locked();
}

std::size_t WorkspacePool::trim() {
  std::vector<std::unique_ptr<Workspace>> dropped;
  std::lock_guard lock(mutex_);
  const std::size_t held = held_locked();
  dropped.swap(idle_);
  return held;
}
std::size_t WorkspacePool::trim_all() {
  std::lock_guard lock(pools_mutex());
  std::size_t sum = 0;
  for (WorkspacePool* pool : pools()) sum += pool->trim();
  return sum;
}

}  // namespace morpho::engine
