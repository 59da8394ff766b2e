// The pool behind the parallel loop: helpers that stay, nested calls, many callers, errors and cancellation on all of them, a
// fork.
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/parallel_pool.hpp"
#include "../support/oracle.hpp"
#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace morpho::test {
namespace {

i64 sum_to(const Context& ctx, i64 n, i64 grain) {
  std::atomic<i64> sum{0};
  cpu::parallel_for(ctx, n, grain, [&](i64 begin, i64 end, int) {
    for (i64 i = begin; i < end; ++i) sum += i;
  });
  return sum;
}

TEST(ParallelPool, HelpersStayFromLoopToLoop) {
  Workspace w;
  const Context ctx = context(w, 3);
  sum_to(ctx, 100, 1);
  const int before = cpu::Pool::instance().threads();
  EXPECT_GE(before, 2);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(sum_to(ctx, 64, 1), 64 * 63 / 2);
  EXPECT_EQ(cpu::Pool::instance().threads(), before);
}

TEST(ParallelPool, HelpersWakeUpAfterASleep) {
  Workspace w;
  const Context ctx = context(w, 2);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    // Both pieces must be under way at once for either to end: a helper that sleeps on would show as a timeout.
    std::atomic<int> here{0};
    bool met = true;
    cpu::parallel_for(ctx, 2, 1, [&](i64, i64, int) {
      ++here;
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (here < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
      if (here < 2) met = false;
    });
    EXPECT_TRUE(met);
  }
}

TEST(ParallelPool, NestedLoopsAndTheirWorkerNumbers) {
  Workspace w;
  const Context ctx = context(w, 4);
  std::atomic<i64> sum{0};
  std::atomic<bool> wrong{false};
  cpu::parallel_for(ctx, 16, 1, [&](i64 begin, i64, int) {
    std::atomic<int> at_work[4] = {};
    cpu::parallel_for(ctx, 40, 1, [&](i64 inner, i64, int worker) {
      if (worker < 0 || worker >= 4 || ++at_work[worker] != 1) wrong = true;  // a worker's scratch is its own
      sum += begin * 100 + inner;
      --at_work[worker];
    });
  });
  EXPECT_FALSE(wrong);
  EXPECT_EQ(sum.load(), 40 * 100 * 120 + 16 * 780);
}

TEST(ParallelPool, ManyCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 8; ++c) {
    callers.emplace_back([&, c] {
      Workspace w;
      const Context ctx = context(w, 2 + c % 4);
      for (int i = 0; i < 200; ++i) {
        if (c % 4 == 3 && i % 5 == 0) {
          try {
            cpu::parallel_for(ctx, 50, 1, [&](i64 begin, i64, int) {
              if (begin == i % 50) reject("caller", std::to_string(c), "an error");
            });
            ++wrong;
          } catch (const Error& e) {
            if (std::string(e.what()).find(std::to_string(c)) == std::string::npos) ++wrong;  // its own, not another caller's
          }
        } else if (sum_to(ctx, 100 + c, 3) != (100 + c) * (99 + c) / 2) {
          ++wrong;
        }
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelPool, AnErrorOfANestedLoopComesOutOfTheOuterOne) {
  Workspace w;
  const Context ctx = context(w, 3);
  for (int i = 0; i < 50; ++i) {
    EXPECT_THROW(cpu::parallel_for(ctx, 6, 1,
                                   [&](i64 outer, i64, int) {
                                     cpu::parallel_for(ctx, 6, 1, [&](i64 inner, i64, int) {
                                       if (outer == 4 && inner == 4) reject("x", "y", "z");
                                     });
                                   }),
                 Error);
  }
  EXPECT_EQ(sum_to(ctx, 100, 1), 4950);
}

TEST(ParallelPool, CancelFromAnotherThread) {
  Workspace w;
  CancelFlag stop{false};
  const Context ctx{w, 4, &stop, nullptr};
  std::atomic<bool> begun{false};
  std::thread canceller([&] {
    while (!begun) std::this_thread::yield();
    stop = true;
  });
  EXPECT_THROW(cpu::parallel_for(ctx, 1 << 30, 1, [&](i64, i64, int) { begun = true; }), Cancelled);
  canceller.join();
}

#if defined(__unix__) && !defined(__SANITIZE_THREAD__)  // that sanitizer starts no threads after a fork
TEST(ParallelPool, AForkedChildHasHelpersOfItsOwn) {
  Workspace w;
  const Context ctx = context(w, 3);
  ASSERT_EQ(sum_to(ctx, 100, 1), 4950);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    const bool right = sum_to(ctx, 1000, 1) == 499500 && cpu::Pool::instance().threads() == 2;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

}  // namespace
}  // namespace morpho::test
