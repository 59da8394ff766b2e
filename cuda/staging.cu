// Large copies between pageable host memory and the GPU, through pinned memory that a few threads fill or empty.
#include "staging.cuh"

#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

// How it is done. The driver copies pageable memory with one thread, which is slower than the bus. Here the copy is cut into chunks of up to
// 2 MiB; each of four threads (the caller is one) takes the next chunk, copies it between host memory and one of its two pinned slots, and
// leaves the way between slot and GPU to the stream, while it does the next one in the other slot.

namespace morpho::gpu {

/// One copy. Chunks are whole rows.
struct Staging::Job {
  RowCopy rows;
  cudaStream_t stream;
  bool down;
  std::size_t chunk_rows, chunks;
  std::atomic<std::size_t> next{0};
  std::atomic<int> error{cudaSuccess};

  Job(const RowCopy& c, cudaStream_t s, bool d, std::size_t each) : rows(c), stream(s), down(d), chunk_rows(each), chunks((c.rows + each - 1) / each) {}
  bool done(cudaError_t code) {
    if (code == cudaSuccess) return true;
    int none = cudaSuccess;
    error.compare_exchange_strong(none, code);
    return false;
  }
  std::size_t rows_of(std::size_t chunk) const {
    const std::size_t left = rows.rows - chunk * chunk_rows;
    return left < chunk_rows ? left : chunk_rows;
  }
  /// Between host memory and a slot, where rows lie without gaps.
  void move(std::size_t chunk, u8* slot) const {
    const std::size_t n = rows_of(chunk), b = rows.row_bytes;
    u8* host = rows.host + chunk * chunk_rows * rows.host_pitch;
    if (rows.host_pitch == b) {
      if (down) std::memcpy(host, slot, n * b);
      else std::memcpy(slot, host, n * b);
      return;
    }
    for (std::size_t y = 0; y < n; ++y, host += rows.host_pitch, slot += b) {
      if (down) std::memcpy(host, slot, b);
      else std::memcpy(slot, host, b);
    }
  }
  cudaError_t enqueue(std::size_t chunk, u8* slot) const {
    const std::size_t n = rows_of(chunk), b = rows.row_bytes;
    u8* device = rows.d_data + chunk * chunk_rows * rows.d_pitch;
    if (rows.d_pitch == b) return down ? cudaMemcpyAsync(slot, device, n * b, cudaMemcpyDeviceToHost, stream) : cudaMemcpyAsync(device, slot, n * b, cudaMemcpyHostToDevice, stream);
    return down ? cudaMemcpy2DAsync(slot, b, device, rows.d_pitch, b, n, cudaMemcpyDeviceToHost, stream)
                : cudaMemcpy2DAsync(device, rows.d_pitch, slot, b, b, n, cudaMemcpyHostToDevice, stream);
  }
};

Staging::~Staging() { release(); }

void Staging::release() {
  for (auto& thread : slots_) {
    for (Slot& s : thread) {
      if (s.memory) cudaFreeHost(s.memory);
      if (s.free) cudaEventDestroy(s.free);
      s = {};
    }
  }
}

bool Staging::prepare() {
  if (asked_) return ready_;
  asked_ = ready_ = true;
  for (auto& thread : slots_) {
    for (Slot& s : thread) {
      ready_ = ready_ && cudaMallocHost(&s.memory, kSlotBytes) == cudaSuccess && cudaEventCreateWithFlags(&s.free, cudaEventDisableTiming) == cudaSuccess;
    }
  }
  if (!ready_) {
    cudaGetLastError();  // no pinned memory: the driver's own way does without, and the error must not show up in the next call
    release();
  }
  return ready_;
}

void Staging::work(Job& job, std::size_t thread) {
  if (!job.done(cudaSetDevice(device_))) return;
  const Slot* waiting = nullptr;  // a download's chunk before this one, on its way to its slot
  std::size_t waiting_chunk = 0;
  for (std::size_t turn = 0; job.error == cudaSuccess; ++turn) {
    const std::size_t chunk = job.next++;
    Slot& s = slots_[thread][turn % kSlots];
    u8* memory = static_cast<u8*>(s.memory);
    if (chunk < job.chunks) {
      if (s.used && !job.done(cudaEventSynchronize(s.free))) return;  // sync: the GPU still reads or writes what is to be overwritten
      if (!job.down) job.move(chunk, memory);
      if (!job.done(job.enqueue(chunk, memory)) || !job.done(cudaEventRecord(s.free, job.stream))) return;
      s.used = true;
    }
    if (waiting) {
      if (!job.done(cudaEventSynchronize(waiting->free))) return;  // sync: what the host copies next
      job.move(waiting_chunk, static_cast<u8*>(waiting->memory));
    }
    if (chunk >= job.chunks) return;
    if (job.down) waiting = &s, waiting_chunk = chunk;
  }
}

bool Staging::copy(const RowCopy& c, cudaStream_t stream, bool down) {
  if (c.row_bytes == 0 || c.rows == 0 || c.rows < kFrom / c.row_bytes || c.row_bytes > kSlotBytes || !prepare()) return false;
  Job job(c, stream, down, kSlotBytes / c.row_bytes);
  std::vector<std::thread> helpers;
  try {
    for (std::size_t k = 1; k < kThreads && k < job.chunks; ++k) helpers.emplace_back([this, &job, k] { work(job, k); });
  } catch (const std::system_error&) {
    // Fewer threads do as well.
  }
  work(job, 0);
  for (std::thread& t : helpers) t.join();
  check(static_cast<cudaError_t>(job.error.load()), "a copy through pinned memory");
  return true;
}

}  // namespace morpho::gpu
