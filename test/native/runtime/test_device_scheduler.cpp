// Which device takes the next window: names of several, the emptier GPU, cores where they are done first, devices that failed.
#include <memory>

#include "engine/device/device_scheduler.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

const DeviceName kCpu{}, kFirst{true, 0}, kSecond{true, 1};
constexpr i64 kPixels = 1000000;

std::string taken_by(DeviceScheduler& all, const std::vector<DeviceName>& devices, double begun, double ended) {
  DeviceScheduler::Turn turn(all, devices, kPixels, begun);
  turn.finished(ended);
  return name_of(turn.device());
}

TEST(DeviceScheduler, NamesOfSeveralDevices) {
  const auto several = parse_devices("gpu1,cpu,gpu0");
  ASSERT_EQ(several.size(), 3U);
  EXPECT_EQ(name_of(several[0]) + name_of(several[1]) + name_of(several[2]), "gpu1cpugpu0");
  EXPECT_EQ(parse_devices("cpu").size(), 1U);
  for (const char* bad : {"", ",", "cpu,", ",cpu", "cpu,cpu", "gpu0,gpu1,gpu0", "gpu0;gpu1", "all", "gpu0, cpu"})
    expect_rejected("device", [&] { parse_devices(bad); });
}

TEST(DeviceScheduler, WindowsGoToTheEmptierGpuAndToCoresWhereTheyAreDoneFirst) {
  DeviceScheduler all;
  const std::vector<DeviceName> devices{kFirst, kSecond, kCpu};
  // Known: a GPU takes 4 ms a window, a core 10.
  EXPECT_EQ(taken_by(all, {kFirst}, 0, 4), "gpu0");
  EXPECT_EQ(taken_by(all, {kSecond}, 0, 4), "gpu1");
  EXPECT_EQ(taken_by(all, {kCpu}, 0, 10), "cpu");
  std::vector<std::unique_ptr<DeviceScheduler::Turn>> there;
  std::string order;
  for (int i = 0; i < 7; ++i) {
    there.push_back(std::make_unique<DeviceScheduler::Turn>(all, devices, kPixels, 20));
    order += name_of(there.back()->device()) + " ";
  }
  // Two wait at each GPU; a third would be done there after 12 ms.
  EXPECT_EQ(order, "gpu0 gpu1 gpu0 gpu1 cpu cpu cpu ");
  there.erase(there.begin() + 1);
  there.push_back(std::make_unique<DeviceScheduler::Turn>(all, devices, kPixels, 24));
  EXPECT_EQ(name_of(there.back()->device()), "gpu1");
}

TEST(DeviceScheduler, ADeviceThatBecomesSlowGetsLess) {
  DeviceScheduler all;
  const std::vector<DeviceName> both{kFirst, kSecond};
  for (int i = 0; i < 20; ++i) {
    taken_by(all, {kFirst}, 100.0 * i, 100.0 * i + 4);
    taken_by(all, {kSecond}, 100.0 * i, 100.0 * i + 12);
  }
  std::vector<std::unique_ptr<DeviceScheduler::Turn>> there;
  int first = 0;
  for (int i = 0; i < 8; ++i) {
    there.push_back(std::make_unique<DeviceScheduler::Turn>(all, both, kPixels, 3000));
    first += there.back()->device().index == 0;
  }
  EXPECT_EQ(first, 6);
}

TEST(DeviceScheduler, WhatOpeningTookAndWhoWaitedIsNotTheDevicesPace) {
  DeviceScheduler all;
  // Opening took 500 ms; then two windows at once, of which one waits for the other.
  {
    DeviceScheduler::Turn turn(all, {kFirst}, kPixels, 0);
    turn.finished(504, 500);
  }
  {
    DeviceScheduler::Turn one(all, {kFirst}, kPixels, 600), other(all, {kFirst}, kPixels, 600);
    one.finished(604);
    other.finished(608);
  }
  EXPECT_EQ(taken_by(all, {kCpu}, 0, 5), "cpu");
  EXPECT_EQ(taken_by(all, {kFirst, kCpu}, 700, 704), "gpu0");
}

TEST(DeviceScheduler, ADroppedDeviceIsTakenOnlyWhereThereIsNoOther) {
  DeviceScheduler all;
  all.drop(kFirst);
  EXPECT_EQ(taken_by(all, {kFirst, kSecond}, 0, 1), "gpu1");
  EXPECT_EQ(taken_by(all, {kFirst, kCpu}, 0, 1), "cpu");
  EXPECT_EQ(taken_by(all, {kFirst}, 0, 1), "gpu0");
}

}  // namespace
}  // namespace morpho::test
