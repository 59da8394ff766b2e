// Working memory between calls: what a run's windows took is there for the next ones, within a budget.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "../../contract/context.hpp"

namespace morpho::engine {

/// An eighth of the machine's memory, 8 GiB at most: what idle workspaces of one pool may hold together.
std::size_t idle_budget_bytes();

/// Workspaces between calls, so that a run's windows do not fault the same memory in again and again. Thread-safe. Where the
/// system has no more memory for one in use, what lies idle in any pool is given back and it is asked again.
class WorkspacePool {
 public:
  explicit WorkspacePool(std::size_t budget_bytes = idle_budget_bytes());
  ~WorkspacePool();
  WorkspacePool(const WorkspacePool&) = delete;
  WorkspacePool& operator=(const WorkspacePool&) = delete;

  /// One workspace for the life of the Lease.
  class Lease {
   public:
    explicit Lease(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
    ~Lease() { pool_.give(std::move(workspace_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace& operator*() { return *workspace_; }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

  /// What idle workspaces hold.
  std::size_t held_bytes() const;
  /// Gives back what they hold: nobody computes, or memory is short. Returns how much that was.
  std::size_t trim();
  /// The same for every pool of the process.
  static std::size_t trim_all();

 private:
  std::unique_ptr<Workspace> take();
  void give(std::unique_ptr<Workspace> workspace);
  std::size_t held_locked() const;

  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;  ///< the one used last is at the end
};

}  // namespace morpho::engine
