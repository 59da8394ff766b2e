// Who gets which of a region's tiles.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "engine/region/workers.hpp"

namespace morpho::engine::region {
namespace {

using Taker = TileQueue::Taker;

void nothing_woken(const std::function<void(i64)>&) {}
void pass(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

/// A queue of tiles of which a GPU has done the first in no time and a core the second in 60 ms.
struct Beside {
  TileQueue queue;
  Beside(i64 tiles, TileOrder order) : queue(tiles, order) {
    queue.push_all();
    queue.come(Taker::gpu);
    queue.come(Taker::core);
    EXPECT_EQ(queue.take(Taker::gpu), 0);
    queue.finish(0, nothing_woken);
    EXPECT_EQ(queue.take(Taker::core), 1);
    pass(60);
    queue.finish(1, [](const std::function<void(i64)>& wake) { wake(0); });
  }
};

TEST(TileQueue, FirstComeFirstServedTakesNewTilesAndThenWokenOnesWhoeverTakes) {
  Beside b(4, TileOrder::fcfs);
  EXPECT_EQ(b.queue.take(Taker::core), 2);
  EXPECT_EQ(b.queue.take(Taker::gpu), 3);
  EXPECT_EQ(b.queue.take(Taker::core), 0);
}

TEST(TileQueue, ACoreBesideGpusTakesWokenTilesFirst) {
  Beside b(4, TileOrder::suited);
  EXPECT_EQ(b.queue.take(Taker::core), 0);
  EXPECT_EQ(b.queue.take(Taker::gpu), 2);
}

TEST(TileQueue, ACoreLeavesTheLastTilesToTheGpusThatAreThereSooner) {
  Beside b(3, TileOrder::suited);
  EXPECT_EQ(b.queue.take(Taker::core), 0);
  // One tile is left, which the GPU does in no time: the core waits until it has, and ends with it.
  auto core = std::async(std::launch::async, [&] { return b.queue.take(Taker::core); });
  EXPECT_EQ(core.wait_for(std::chrono::milliseconds(40)), std::future_status::timeout);
  EXPECT_EQ(b.queue.take(Taker::gpu), 2);
  b.queue.finish(2, nothing_woken);
  b.queue.finish(0, nothing_woken);
  EXPECT_EQ(core.get(), std::nullopt);
}

TEST(TileQueue, ACoreTakesWhatAGpuThatIsGoneHadLeftItself) {
  Beside b(3, TileOrder::suited);
  EXPECT_EQ(b.queue.take(Taker::core), 0);
  auto core = std::async(std::launch::async, [&] { return b.queue.take(Taker::core); });
  EXPECT_EQ(core.wait_for(std::chrono::milliseconds(40)), std::future_status::timeout);
  b.queue.go(Taker::gpu);
  EXPECT_EQ(core.get(), 2);
}

TEST(TileQueue, ACoreWithoutGpusTakesTilesInTheirOrder) {
  TileQueue queue(3, TileOrder::suited);
  queue.push_all();
  queue.come(Taker::core);
  EXPECT_EQ(queue.take(Taker::core), 0);
  queue.finish(0, [](const std::function<void(i64)>& wake) { wake(0); });
  EXPECT_EQ(queue.take(Taker::core), 1);
  EXPECT_EQ(queue.take(Taker::core), 2);
  EXPECT_EQ(queue.take(Taker::core), 0);
  EXPECT_EQ(queue.count().left, 3);
}

TEST(TileQueue, AGpusTileThatIsGivenBackIsTheNext) {
  TileQueue queue(3, TileOrder::suited);
  queue.push_all();
  queue.come(Taker::gpu);
  EXPECT_EQ(queue.take(Taker::gpu), 0);
  queue.give_back(0);
  queue.go(Taker::gpu);
  EXPECT_EQ(queue.take(Taker::core), 0);
}

}  // namespace
}  // namespace morpho::engine::region
