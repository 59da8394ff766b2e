// Which of several devices takes the next window: the one that would be done with it first, by what windows took there so far.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "devices.hpp"

namespace morpho::engine {

/// "cpu", or several names with commas between, each once: "gpu0,gpu1,cpu". Throws INVALID_PARAMETER for any other text.
std::vector<DeviceName> parse_devices(const std::string& text);

/// Hands windows of all callers to devices, on demand. A GPU computes windows one after the other, so that a window waits there
/// for those before it; on the CPU its caller's own core computes it. So cores take windows where they would be done before a
/// GPU's queue is, and read ahead for the GPUs otherwise; a device that becomes slow, or is another program's too, gets less.
/// A device that failed is not chosen any more by whoever has others. Thread-safe.
class DeviceScheduler {
 public:
  /// One window's stay at a device. Its time counts once finished() was called.
  class Turn {
   public:
    Turn(DeviceScheduler& all, const std::vector<DeviceName>& devices, i64 pixels, double now);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    const DeviceName& device() const { return device_; }
    /// opening_ms: of the time since then, what no other window there will take.
    void finished(double now, double opening_ms = 0) { all_.finished(*this, now, opening_ms); }

   private:
    friend class DeviceScheduler;
    DeviceScheduler& all_;
    DeviceName device_;
    i64 pixels_;
    double begun_;
  };

  /// Nobody who has another choice gets this device again.
  void drop(const DeviceName& device);

 private:
  struct Load {
    i64 pixels = 0;           ///< of windows that are there
    double ms_per_pixel = 0;  ///< 0: not known yet
    double last_end = 0;
    bool dropped = false;
  };
  /// When a device would be done with so many pixels more, ms from now.
  double done_in(const DeviceName& device, i64 pixels) const;
  void finished(const Turn& turn, double now, double opening_ms);
  Load& load(const DeviceName& device);
  const Load* find(const DeviceName& device) const;

  mutable std::mutex mutex_;
  Load cpu_;
  std::vector<Load> gpus_;
};

}  // namespace morpho::engine
