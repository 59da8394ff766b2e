// What the rest of the house knows of the GPU: the devices, a context on one of them, and the table of GPU operations.
// Free of CUDA's types. Where the build found no nvcc, absent.cpp answers: no devices, and why.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contract/tiled.hpp"

namespace morpho::gpu {

class Staging;

struct DeviceInfo {
  i32 index = 0;  ///< what Device takes
  std::string name;
  u64 memory_bytes = 0;
  i32 compute_major = 0, compute_minor = 0;
  i32 multiprocessors = 0;
  u64 l2_bytes = 0;
};
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< why there is none, with CUDA's own text; empty where there is one
};
/// Whether this build holds GPU code at all.
bool built();
/// Never throws: a machine without a driver, or with one that is too old, has no devices and a reason.
DeviceList list_devices();
inline i32 device_count() { return static_cast<i32>(list_devices().devices.size()); }

/// Throws GPU_LOST where an earlier call lost this GPU: nothing in this process can use it any more.
void require_not_lost(i32 device);

/// The table of the GPU variants; valid for the life of the program. `data` of every plane is a device address, the Context is
/// that of a Device. Entries enqueue on its stream; those that return host values (label, watershed, histogram, measure) wait
/// for it. Throws GPU_UNAVAILABLE where the build has no CUDA.
const OpTable& table();

/// Who holds device memory that nobody uses says so for as long as this lives: where a GPU has no more, `give_back(GPU)` is
/// called, on any thread, before an allocation is refused. It returns whether it gave any back, and must not allocate on a GPU.
class IdleMemory {
 public:
  explicit IdleMemory(std::function<bool(i32 device)> give_back);
  ~IdleMemory();
  IdleMemory(const IdleMemory&) = delete;
  IdleMemory& operator=(const IdleMemory&) = delete;

 private:
  std::function<bool(i32)> give_back_;
  friend bool give_back_idle(i32 device);
};

/// Page-locked host memory, which GPUs read by themselves and many times as fast: for what is uploaded. Null where this GPU is
/// not there, is lost, or its driver has no more. Costs about a millisecond for each 4 MiB, so keep it.
void* allocate_pinned(i32 device, std::size_t bytes);
void release_pinned(void* pinned) noexcept;

/// One stream on one GPU and the scratch memory of what runs there. Used by one thread at a time; several Devices may share a
/// GPU.
/// Errors: GPU_UNAVAILABLE, GPU_OUT_OF_MEMORY, GPU_LOST (the process's context on that GPU is poisoned: whatever is called for
/// it from then on says GPU_LOST too, and only a new process can use it), INTERNAL (a call was refused, and others go on).
class Device {
 public:
  explicit Device(i32 index = 0);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const { return info_; }
  Workspace& workspace() { return workspace_; }
  void* stream() const { return stream_; }
  Staging& staging() { return *staging_; }  ///< cuda/'s own
  /// Makes this GPU the calling thread's, as every call here and every operation does by itself. Throws GPU_LOST.
  void make_current() const;
  /// What operations take, on any thread, one after the other: each makes this GPU the calling thread's.
  Context context(const CancelFlag* cancel = nullptr);

  /// Device memory, 256-byte aligned. Costs a round trip to the driver: for images that outlive a call; scratch is the
  /// workspace's.
  void* allocate(std::size_t bytes);
  void release(void* d_data);
  u64 free_bytes() const;

  /// Host to device: enqueued; the host's memory has been read when the call returns. Copies of 4 MiB and more go through 16
  /// MiB of pinned memory, which the first one takes, and four threads. Memory of allocate_pinned() is read later, when the
  /// stream comes there.
  void upload(void* d_to, const void* from, std::size_t bytes);
  /// Device to host, waits until the bytes are there.
  void download(void* to, const void* d_from, std::size_t bytes);
  /// The same for rows with a pitch on both sides, all in bytes.
  void upload_rows(void* d_to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes,
                   std::size_t rows);
  void download_rows(void* to, std::size_t to_pitch, const void* d_from, std::size_t from_pitch, std::size_t row_bytes,
                     std::size_t rows);
  /// Device to device, enqueued.
  void copy(void* d_to, const void* d_from, std::size_t bytes);
  /// The same for rows with `pitch` bytes from one to the next, which have no gaps afterwards.
  void pack_rows(void* d_to, const void* d_from, std::size_t pitch, std::size_t row_bytes, std::size_t rows);
  /// Sets bytes, enqueued.
  void fill(void* d_to, u8 value, std::size_t bytes);
  /// Waits for all that was enqueued, and throws what went wrong in it.
  void synchronize();

 private:
  DeviceInfo info_;
  void* stream_ = nullptr;
  Workspace workspace_;
  std::shared_ptr<Staging> staging_;
};

/// Points of a Device's stream with the GPU's own time, for the timings of stages: nothing waits until a time is asked for.
class Timeline {
 public:
  explicit Timeline(Device& device) : device_(device) {}
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  std::size_t mark();                           ///< enqueued; points are numbered from 0
  double ms(std::size_t from, std::size_t to);  ///< waits until the later point is reached
  void clear() { used_ = 0; }                   ///< forgets the points, and keeps their events for the next ones

 private:
  Device& device_;
  std::vector<void*> events_;
  std::size_t used_ = 0;
};

/// The time between two points.
class Stopwatch {
 public:
  explicit Stopwatch(Device& device) : line_(device) {}
  void start() { line_.clear(), line_.mark(); }  ///< enqueued
  void stop() { line_.mark(); }                  ///< enqueued
  double ms() { return line_.ms(0, 1); }         ///< waits for the second point

 private:
  Timeline line_;
};

/// What the calling thread has waited for since it began, on all GPUs: how often, and the bytes that operations fetched for the
/// host.
struct HostTraffic {
  u64 waits = 0, fetched_bytes = 0;
};
HostTraffic host_traffic();

}  // namespace morpho::gpu
