// Keeps what windows took on each device, and chooses by it.
#include "device_scheduler.hpp"

#include <algorithm>
#include <sstream>

namespace morpho::engine {
namespace {

/// Share of the newest window in what is known of a device: some ten windows decide.
constexpr double kNewest = 0.2;
/// What is taken of a GPU and of a core before any window was computed there, ms a pixel: about those of he-nuclei.
constexpr double kFirstGpu = 2e-6, kFirstCore = 1e-4;

}  // namespace

std::vector<DeviceName> parse_devices(const std::string& text) {
  std::vector<DeviceName> devices;
  std::stringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    devices.push_back(parse_device(name));
    const auto before = devices.end() - 1;
    if (std::any_of(devices.begin(), before, [&](const DeviceName& d) { return same(d, *before); }))
      reject("device", "each device once", "\"" + text + "\"");
  }
  if (devices.empty() || text.back() == ',') reject("device", "cpu, gpu0, gpu1, … or several with commas", "\"" + text + "\"");
  return devices;
}

DeviceScheduler::Load& DeviceScheduler::load(const DeviceName& device) {
  if (!device.gpu) return cpu_;
  const auto at = static_cast<std::size_t>(device.index);
  if (gpus_.size() <= at) gpus_.resize(at + 1);
  return gpus_[at];
}

const DeviceScheduler::Load* DeviceScheduler::find(const DeviceName& device) const {
  if (!device.gpu) return &cpu_;
  const auto at = static_cast<std::size_t>(device.index);
  return at < gpus_.size() ? &gpus_[at] : nullptr;
}

double DeviceScheduler::done_in(const DeviceName& device, i64 pixels) const {
  static const Load none;
  const Load* known = find(device);
  const Load& l = known ? *known : none;
  const auto mine = static_cast<double>(pixels);
  if (device.gpu) return (static_cast<double>(l.pixels) + mine) * (l.ms_per_pixel > 0 ? l.ms_per_pixel : kFirstGpu);
  return mine * (l.ms_per_pixel > 0 ? l.ms_per_pixel : kFirstCore);
}

DeviceScheduler::Turn::Turn(DeviceScheduler& all, const std::vector<DeviceName>& devices, i64 pixels, double now)
    : all_(all), device_(devices.front()), pixels_(pixels), begun_(now) {
  const std::lock_guard lock(all_.mutex_);
  double first = -1;
  for (const DeviceName& device : devices) {
    const Load* known = all_.find(device);
    if (known && known->dropped) continue;
    const double in = all_.done_in(device, pixels);
    if (first >= 0 && in >= first) continue;
    first = in;
    device_ = device;
  }
  Load& l = all_.load(device_);
  l.pixels += pixels_;
}

DeviceScheduler::Turn::~Turn() {
  const std::lock_guard lock(all_.mutex_);
  Load& l = all_.load(device_);
  l.pixels -= pixels_;
}

void DeviceScheduler::finished(const Turn& turn, double now, double opening_ms) {
  const std::lock_guard lock(mutex_);
  Load& l = load(turn.device_);
  // Of a GPU: since the window before it was done, where that was later than its own beginning.
  const double begun = turn.device_.gpu ? std::max(turn.begun_, l.last_end) : turn.begun_;
  l.last_end = std::max(l.last_end, now);
  if (turn.pixels_ <= 0) return;
  const double each = std::max(0.0, now - begun - opening_ms) / static_cast<double>(turn.pixels_);
  l.ms_per_pixel = l.ms_per_pixel > 0 ? (1 - kNewest) * l.ms_per_pixel + kNewest * each : each;
}

void DeviceScheduler::drop(const DeviceName& device) {
  const std::lock_guard lock(mutex_);
  load(device).dropped = true;
}

}  // namespace morpho::engine
