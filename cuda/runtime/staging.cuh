// Large copies between pageable host memory and the GPU, through pinned memory that a few threads fill or empty.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Rows of bytes on both sides, with a pitch each.
struct RowCopy {
  u8* d_data;
  std::size_t d_pitch;
  u8* host;  ///< only read in an upload
  std::size_t host_pitch, row_bytes, rows;
  bool early = false;  ///< a download of what is there since mark_early(): it waits for nothing that was enqueued later
};

/// Pinned memory of one Device, taken at the first large copy. One copy at a time.
class Staging {
 public:
  explicit Staging(int device) : device_(device) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Copies in the stream's order. An upload returns when the host's bytes have been read, a download when they are there.
  /// Returns false, and has done nothing, where the driver's own way serves: small copies, rows that do not fit, no pinned
  /// memory.
  bool upload(const RowCopy& c, cudaStream_t stream) { return copy(&c, 1, stream, false); }
  bool download(const RowCopy& c, cudaStream_t stream) { return copy(&c, 1, stream, true); }
  /// Several at once, in any order.
  bool download(const RowCopy* copies, std::size_t count, cudaStream_t stream) { return copy(copies, count, stream, true); }
  /// What early downloads bring is there when the stream has come here.
  void mark_early(cudaStream_t stream);

 private:
  static constexpr std::size_t kThreads = 4, kSlots = 2, kSlotBytes = std::size_t{2} << 20;
  static constexpr std::size_t kFrom = std::size_t{4} << 20;  ///< smaller copies are not worth starting threads
  struct Slot {
    void* memory = nullptr;
    cudaEvent_t free = nullptr;  ///< recorded after the GPU's last use
    bool used = false;
  };
  struct Job;

  bool copy(const RowCopy* copies, std::size_t count, cudaStream_t stream, bool down);
  bool prepare();
  void release();
  void work(Job& job, std::size_t thread);

  const int device_;
  bool asked_ = false, ready_ = false;
  Slot slots_[kThreads][kSlots];
  cudaStream_t early_stream_ = nullptr;
  cudaEvent_t early_ = nullptr;
};

}  // namespace morpho::gpu
