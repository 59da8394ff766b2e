// What workspaces and their pool hold between calls: what calls need, within a budget, and nothing where memory is short.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/device/workspace_pool.hpp"

namespace morpho::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Counts what it has given out, and has only so much.
struct Counted {
  static inline std::map<void*, std::size_t> blocks;
  static inline std::size_t held = 0, most = 0, limit = SIZE_MAX;
  static inline int allocations = 0;
  static void start(std::size_t bytes = SIZE_MAX) {
    limit = bytes;
    most = held;
    allocations = 0;
  }
  static void* allocate(std::size_t bytes) {
    if (held + bytes > limit) return nullptr;
    void* p = allocate_host_memory(bytes);
    blocks[p] = bytes;
    held += bytes;
    most = std::max(most, held);
    ++allocations;
    return p;
  }
  static void release(void* p) {
    held -= blocks.at(p);
    blocks.erase(p);
    release_host_memory(p);
  }
};
Workspace::Allocator counted() { return {Counted::allocate, Counted::release}; }

/// A call as operations are: scopes in scopes, some of them larger than all before.
void call(Workspace& w, std::size_t bytes) {
  const Workspace::Scope outer(w);
  char* kept = w.take<char>(bytes / 4);
  kept[0] = 1;
  for (const std::size_t part : {std::size_t{8}, std::size_t{5}, std::size_t{2}}) {
    const Workspace::Scope inner(w);
    char* p = w.take<char>(bytes / part);
    p[0] = p[bytes / part - 1] = 1;
    const Workspace::Scope innermost(w);
    w.take<char>(bytes / 4)[bytes / 4 - 1] = 1;
  }
  EXPECT_EQ(kept[0], 1);
}

TEST(Workspace, HoldsLittleMoreThanAGrowingSequenceOfCallsNeeds) {
  Counted::start();
  {
    Workspace w(counted());
    for (std::size_t mib = 1; mib <= 60; ++mib) {
      call(w, mib * kMiB);
      EXPECT_EQ(w.held_bytes(), Counted::held);
      EXPECT_LE(w.held_bytes(), (mib + 1) * kMiB * 3 / 2) << mib;
    }
    // Never more than some times what one call needs, also while it grows.
    EXPECT_LE(Counted::most, 150 * kMiB);
    // The next call of a size that was there finds its block.
    call(w, 60 * kMiB);
    const int before = Counted::allocations;
    for (int k = 0; k < 10; ++k) call(w, 60 * kMiB);
    EXPECT_EQ(Counted::allocations, before);
  }
  EXPECT_EQ(Counted::held, 0u);
}

// A call's second time allocates nothing: the pages that the first one touched are there.
TEST(Workspace, KeepsTheBlocksThatOneCallGrewTo) {
  for (const std::size_t mib : {2, 7, 40, 100}) {
    Counted::start();
    Workspace w(counted());
    call(w, mib * kMiB);
    EXPECT_LE(w.held_bytes(), mib * kMiB * 3 / 2);
    const int before = Counted::allocations;
    call(w, mib * kMiB);
    EXPECT_EQ(Counted::allocations, before) << mib;
  }
}

TEST(Workspace, GivesBackWhatOneLargeCallLeft) {
  Counted::start();
  Workspace w(counted());
  call(w, 200 * kMiB);
  call(w, 200 * kMiB);
  EXPECT_GE(w.held_bytes(), 190 * kMiB);
  // Calls that are a little smaller do not lose it, for they might grow again.
  for (int k = 0; k < 100; ++k) call(w, 80 * kMiB);
  EXPECT_GE(w.held_bytes(), 80 * kMiB);
  for (int k = 0; k < 100; ++k) call(w, 2 * kMiB);
  EXPECT_LE(w.held_bytes(), 9 * kMiB);
}

TEST(Workspace, TwoHundredWindowsOfAnySizeHoldWhatTheLargestNeeds) {
  Counted::start();
  std::mt19937 rng(3);
  Workspace w(counted());
  for (int window = 0; window < 200; ++window) {
    const std::size_t mib = 1 + rng() % 64;
    call(w, mib * kMiB);
    ASSERT_LE(w.held_bytes(), 97 * kMiB) << window;  // half as much again, in several blocks
  }
  EXPECT_LE(Counted::most, 160 * kMiB);
  EXPECT_LE(Counted::allocations, 60);  // it grows at first, and hardly ever later
}

TEST(Workspace, WhatIsTakenOutsideOfAScopeStays) {
  Counted::start();
  Workspace w(counted());
  int* kept = w.take<int>(1000);
  kept[999] = 7;
  for (std::size_t mib = 1; mib < 20; ++mib) {
    const Workspace::Scope scope(w);
    w.take<char>(mib * kMiB)[0] = 1;
  }
  w.trim();
  EXPECT_EQ(kept[999], 7);
  EXPECT_LE(w.held_bytes(), kMiB + 64);
}

TEST(Workspace, IsAsItWasWhereMemoryRanOut) {
  for (std::size_t limit = 0; limit < 64; limit += 3) {
    Counted::start(limit * kMiB);
    Workspace w(counted());
    try {
      call(w, 40 * kMiB);
      EXPECT_GE(limit, 30u);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
      EXPECT_THAT(e.what(), testing::HasSubstr("MiB of working memory"));
    }
    Counted::start();
    call(w, 40 * kMiB);
    EXPECT_LE(w.held_bytes(), 41 * kMiB);
    EXPECT_LE(w.peak_bytes(), 41 * kMiB);
  }
  EXPECT_EQ(Counted::held, 0u);
  Workspace w;
  EXPECT_THROW(w.take<double>(SIZE_MAX / 4), Error);  // not wrapped around to little
}

TEST(WorkspacePool, HoldsNoMoreThanItsBudget) {
  engine::WorkspacePool pool(100 * kMiB);
  {
    // Eight callers at once, of 30 MiB each.
    std::vector<std::unique_ptr<engine::WorkspacePool::Lease>> leases;
    for (int k = 0; k < 8; ++k) {
      leases.push_back(std::make_unique<engine::WorkspacePool::Lease>(pool));
      for (int time = 0; time < 2; ++time) call(**leases.back(), 30 * kMiB);  // the second finds what the first grew to
    }
  }
  EXPECT_LE(pool.held_bytes(), 100 * kMiB);
  EXPECT_GE(pool.held_bytes(), 60 * kMiB);
  {
    engine::WorkspacePool::Lease huge(pool);
    call(*huge, 300 * kMiB);
  }
  EXPECT_LE(pool.held_bytes(), 100 * kMiB);
  {
    engine::WorkspacePool::Lease one(pool);
    for (int time = 0; time < 2; ++time) call(*one, 10 * kMiB);
  }
  EXPECT_GT(pool.held_bytes(), 0u);
  EXPECT_GT(pool.trim(), 0u);
  EXPECT_EQ(pool.held_bytes(), 0u);
}

TEST(WorkspacePool, TwoHundredPreviewsLeaveWhatOneNeeds) {
  std::mt19937 rng(5);
  engine::WorkspacePool pool;
  for (int preview = 0; preview < 200; ++preview) {
    engine::WorkspacePool::Lease workspace(pool);
    call(*workspace, (1 + rng() % 32) * kMiB);
  }
  EXPECT_LE(pool.held_bytes(), 49 * kMiB);
}

}  // namespace
}  // namespace morpho::test
