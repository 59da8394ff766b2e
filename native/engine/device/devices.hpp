// The devices of this machine by the names that users give: what there is, choosing one, and keeping opened GPUs between calls.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda/gpu.hpp"
#include "backend.hpp"

namespace morpho::engine {

/// What a device's name says: the group of CPU cores, or one GPU.
struct DeviceName {
  bool gpu = false;
  i32 index = 0;  ///< of the GPU
};
/// "cpu" or "gpu" and a number. Throws INVALID_PARAMETER for any other text; whether the GPU is there is not asked.
DeviceName parse_device(const std::string& text);
std::string name_of(const DeviceName& device);
inline bool same(const DeviceName& a, const DeviceName& b) { return a.gpu == b.gpu && (!a.gpu || a.index == b.index); }
/// The GPU of that number. Throws GPU_UNAVAILABLE where it is not there: which ones are, or why there is none, and what to do.
const gpu::DeviceInfo& find_gpu(const gpu::DeviceList& list, i32 index);

/// A GPU opened for one caller at a time: its stream and device memory, and host memory beside it.
struct OpenGpu {
  explicit OpenGpu(const gpu::DeviceInfo& info) : device(info.index), times(device), name(name_of({true, info.index})) {}
  gpu::Device device;
  gpu::Timeline times;  ///< of the backend that uses it now
  Workspace host;
  std::string name;
};

/// GPUs between calls, so that a run's windows do not open them and take their memory again and again. Thread-safe. What those
/// between calls hold of a GPU's memory is at most a quarter of it, and is given back where an allocation on that GPU would
/// fail without it.
class OpenGpus {
 public:
  /// At most this many callers use one GPU at once: enough to overlap one's copies with another's kernels; the memory is each
  /// one's own.
  static constexpr i32 kMostCallers = 4;

  /// One opened GPU for the life of the Lease; waits while kMostCallers use it, and throws Cancelled when the flag is set
  /// meanwhile. Opening one keeps nobody else waiting. Throws GPU_UNAVAILABLE, GPU_LOST and what opening it throws. A GPU whose
  /// use ended in an error is closed rather than kept; being cancelled is none.
  class Lease {
   public:
    Lease(OpenGpus& all, i32 index, const CancelFlag* cancel);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    OpenGpu& operator*() { return *gpu_; }
    double opening_ms() const { return opening_ms_; }  ///< next to nothing where an open one was idle

   private:
    OpenGpus& all_;
    i32 index_;
    const CancelFlag* cancel_;
    int exceptions_;
    double opening_ms_ = 0;
    std::unique_ptr<OpenGpu> gpu_;
  };

  OpenGpus() : idle_memory_([this](i32 index) { return trim(index); }) {}
  /// What idle ones hold of their GPUs' memory.
  std::size_t held_bytes() const;
  /// Closes idle ones, of this GPU or (-1) of all. Returns whether there were any.
  bool trim(i32 index = -1);

 private:
  std::unique_ptr<OpenGpu> take_idle(i32 index);
  void give(std::unique_ptr<OpenGpu> gpu);
  void leave(i32 index);

  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<OpenGpu>> idle_;  ///< the one used last is at the end
  std::vector<i32> in_use_;                     ///< callers of each GPU
  gpu::IdleMemory idle_memory_;                 // last: nobody asks for what is not there yet, or no more
};

/// Page-locked memory for windows that wait for a GPU, kept between them: it is uploaded by the GPU alone, while its caller
/// goes on. Thread-safe. What lies idle is at most 1 GiB for each GPU that it was taken for: the large windows of some twenty
/// threads with their rims, or the strips of a GPU's twelve workers.
class PinnedPool {
 public:
  static constexpr std::size_t kMostIdleBytesOfGpu = std::size_t{1} << 30;

  PinnedPool() = default;
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;
  ~PinnedPool() { trim(); }

  /// Memory for the life of the Lease; null where there is none of the kind (no GPU, or its driver refuses): pageable memory
  /// does then, and whoever asks for the GPU next hears what is wrong with it.
  class Lease {
   public:
    Lease(PinnedPool& pool, i32 gpu, std::size_t bytes) : pool_(pool), block_(pool.take(gpu, bytes)) {}
    ~Lease() { pool_.give(block_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    void* data() const { return block_.data; }
    std::size_t bytes() const { return block_.bytes; }  ///< at least what was asked for

   private:
    friend class PinnedPool;
    struct Block {
      void* data = nullptr;
      std::size_t bytes = 0;
    };
    PinnedPool& pool_;
    Block block_;
  };

  /// What lies idle.
  std::size_t held_bytes() const;
  void trim() { keep(0); }

 private:
  Lease::Block take(i32 gpu, std::size_t bytes);
  void give(Lease::Block block) noexcept;
  void keep(std::size_t most_bytes) noexcept;

  mutable std::mutex mutex_;
  std::vector<Lease::Block> idle_;  ///< the one used last is at the end
  std::vector<i32> gpus_;           ///< that memory was taken for
};

/// One caller's use of an opened GPU.
class GpuBackend final : public Backend {
 public:
  GpuBackend(OpenGpu& gpu, const CancelFlag* cancel)
      : gpu_(gpu), ctx_(gpu.device.context(cancel)), waits_(gpu::host_traffic().waits) {
    gpu_.times.clear();
  }
  const std::string& name() const override { return gpu_.name; }
  bool on_host() const override { return false; }
  const OpTable& ops() const override { return gpu::table(); }
  const TiledTable& tiled() const override { return gpu::tiled_table(); }
  Context& context() override { return ctx_; }
  Workspace& host_workspace() override { return gpu_.host; }
  void pack_rows(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) override {
    gpu_.device.pack_rows(to, from, pitch, row_bytes, rows);
  }
  void synchronize() override { gpu_.device.synchronize(); }  // sync: what the caller asked for
  std::size_t mark() override { return gpu_.times.mark(); }
  double ms(std::size_t from, std::size_t to) override {
    return gpu_.times.ms(from, to);
  }  // sync: where the work is not done yet
  u64 waits() const override { return gpu::host_traffic().waits - waits_; }

 private:
  void copy_in(void* to, const void* from, std::size_t bytes) override {
    gpu_.device.upload(to, from, bytes);
  }  // sync: pageable memory; pinned memory does not wait
  void copy_rows_in(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) override {
    gpu_.device.upload_rows(to, row_bytes, from, pitch, row_bytes, rows);  // sync: as copy_in
  }
  void copy_out(void* to, const void* from, std::size_t bytes) override {
    gpu_.device.download(to, from, bytes);
  }  // sync: waits
  OpenGpu& gpu_;
  Context ctx_;
  const u64 waits_;  ///< of this thread before
};

/// Where somebody asked to compute, for the life of this: the CPU, with the caller's own context, or a GPU that was leased.
class BackendLease {
 public:
  /// `host` has the caller's memory, threads and flag. Throws as OpenGpus::Lease does.
  BackendLease(OpenGpus& gpus, const DeviceName& device, Context& host);
  Backend& operator*() const { return *backend_; }
  double opening_ms() const { return gpu_ ? gpu_->opening_ms() : 0; }

 private:
  std::optional<OpenGpus::Lease> gpu_;
  std::unique_ptr<Backend> backend_;  // last: it uses what is leased
};

}  // namespace morpho::engine
