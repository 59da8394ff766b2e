// The parallel loop: every item once, the same cuts for any thread count, errors and cancellation come back.
#include <atomic>
#include <mutex>

#include "cpu/runtime/parallel.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

TEST(Parallel, EveryItemOnceInTheSamePieces) {
  Workspace w;
  std::set<std::pair<i64, i64>> reference;
  for (int threads : {1, 2, 3, 8}) {
    const Context ctx = context(w, threads);
    std::vector<std::atomic<int>> done(1003);
    std::set<std::pair<i64, i64>> pieces;
    std::mutex lock;
    cpu::parallel_for(ctx, 1003, 10, [&](i64 begin, i64 end, int worker) {
      EXPECT_GE(worker, 0);
      EXPECT_LT(worker, threads);
      for (i64 i = begin; i < end; ++i) ++done[static_cast<std::size_t>(i)];
      const std::lock_guard<std::mutex> hold(lock);
      pieces.insert({begin, end});
    });
    for (const auto& d : done) ASSERT_EQ(d.load(), 1);
    if (reference.empty()) reference = pieces;
    EXPECT_EQ(pieces, reference);
  }
}

TEST(Parallel, NothingToDoAndOddGrains) {
  Workspace w;
  const Context ctx = context(w, 4);
  cpu::parallel_for(ctx, 0, 1, [](i64, i64, int) { FAIL(); });
  cpu::parallel_for(ctx, -3, 1, [](i64, i64, int) { FAIL(); });
  std::atomic<int> n{0};
  cpu::parallel_for(ctx, 5, 0, [&](i64 begin, i64 end, int) { n += static_cast<int>(end - begin); });
  EXPECT_EQ(n, 5);
}

TEST(Parallel, TheFirstExceptionComesBack) {
  Workspace w;
  for (int threads : {1, 4}) {
    const Context ctx = context(w, threads);
    EXPECT_THROW(cpu::parallel_for(ctx, 100, 1,
                                   [](i64 begin, i64, int) {
                                     if (begin == 7) reject("x", "y", "z");
                                   }),
                 Error);
  }
}

TEST(Parallel, CancelsBetweenPieces) {
  Workspace w;
  for (int threads : {1, 4}) {
    CancelFlag stop{false};
    const Context ctx{w, threads, &stop, nullptr};
    std::atomic<int> n{0};
    EXPECT_THROW(cpu::parallel_for(ctx, 1000, 1,
                                   [&](i64, i64, int) {
                                     if (++n == 5) stop = true;
                                   }),
                 Cancelled);
    EXPECT_LT(n.load(), 20);
  }
}

}  // namespace
}  // namespace morpho::test
