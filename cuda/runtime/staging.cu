// Large copies between pageable host memory and the GPU, through pinned memory that a few threads fill or empty.
#include "cuda/runtime/staging.cuh"

#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

// How it is done. The driver copies pageable memory with one thread, which is slower than the bus. Here the copy is cut into
// chunks of up to 2 MiB; each of four threads (the caller is one) takes the next chunk, copies it between host memory and one
// of its two pinned slots, and leaves the way between slot and GPU to the stream, while it does the next one in the other slot.
// Early downloads have a stream of their own, so that what is there already comes while kernels make the rest.

namespace morpho::gpu {

/// Some copies. Chunks are whole rows of one of them.
struct Staging::Job {
  const RowCopy* copies;
  cudaStream_t stream, early_stream;
  bool down;
  std::size_t chunks = 0;
  std::atomic<std::size_t> next{0};
  std::atomic<int> error{cudaSuccess};

  struct Chunk {
    const RowCopy& of;
    std::size_t row, rows;
  };
  static std::size_t rows_each(const RowCopy& c) { return kSlotBytes / c.row_bytes; }
  static std::size_t chunks_of(const RowCopy& c) { return (c.rows + rows_each(c) - 1) / rows_each(c); }

  Job(const RowCopy* c, std::size_t count, cudaStream_t s, cudaStream_t early, bool d)
      : copies(c), stream(s), early_stream(early), down(d) {
    for (std::size_t k = 0; k < count; ++k) chunks += chunks_of(c[k]);
  }
  bool done(cudaError_t code) {
    if (code == cudaSuccess) return true;
    int none = cudaSuccess;
    error.compare_exchange_strong(none, code);
    return false;
  }
  Chunk chunk(std::size_t number) const {
    const RowCopy* c = copies;
    for (; number >= chunks_of(*c); ++c) number -= chunks_of(*c);
    const std::size_t row = number * rows_each(*c), left = c->rows - row;
    return {*c, row, left < rows_each(*c) ? left : rows_each(*c)};
  }
  cudaStream_t stream_of(std::size_t number) const { return chunk(number).of.early ? early_stream : stream; }
  /// Between host memory and a slot, where rows lie without gaps.
  void move(std::size_t number, u8* slot) const {
    const Chunk part = chunk(number);
    const std::size_t n = part.rows, b = part.of.row_bytes, pitch = part.of.host_pitch;
    u8* host = part.of.host + part.row * pitch;
    if (pitch == b) {
      if (down) std::memcpy(host, slot, n * b);
      else std::memcpy(slot, host, n * b);
      return;
    }
    for (std::size_t y = 0; y < n; ++y, host += pitch, slot += b) {
      if (down) std::memcpy(host, slot, b);
      else std::memcpy(slot, host, b);
    }
  }
  cudaError_t enqueue(std::size_t number, u8* slot) const {
    const Chunk part = chunk(number);
    const std::size_t n = part.rows, b = part.of.row_bytes, pitch = part.of.d_pitch;
    const cudaStream_t on = stream_of(number);
    u8* device = part.of.d_data + part.row * pitch;
    if (pitch == b)
      return down ? cudaMemcpyAsync(slot, device, n * b, cudaMemcpyDeviceToHost, on)
                  : cudaMemcpyAsync(device, slot, n * b, cudaMemcpyHostToDevice, on);
    return down ? cudaMemcpy2DAsync(slot, b, device, pitch, b, n, cudaMemcpyDeviceToHost, on)
                : cudaMemcpy2DAsync(device, pitch, slot, b, b, n, cudaMemcpyHostToDevice, on);
  }
};

Staging::~Staging() {
  release();
  if (early_stream_) cudaStreamDestroy(early_stream_);
  if (early_) cudaEventDestroy(early_);
}

void Staging::mark_early(cudaStream_t stream) {
  if (!early_stream_) MORPHO_CUDA(cudaStreamCreateWithFlags(&early_stream_, cudaStreamNonBlocking));
  if (!early_) MORPHO_CUDA(cudaEventCreateWithFlags(&early_, cudaEventDisableTiming));
  MORPHO_CUDA(cudaEventRecord(early_, stream));
  MORPHO_CUDA(cudaStreamWaitEvent(early_stream_, early_, 0));
}

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
      ready_ = ready_ && cudaMallocHost(&s.memory, kSlotBytes) == cudaSuccess &&
               cudaEventCreateWithFlags(&s.free, cudaEventDisableTiming) == cudaSuccess;
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
      if (s.used && !job.done(cudaEventSynchronize(s.free)))
        return;  // sync: the GPU still reads or writes what is to be overwritten
      if (!job.down) job.move(chunk, memory);
      if (!job.done(job.enqueue(chunk, memory)) || !job.done(cudaEventRecord(s.free, job.stream_of(chunk)))) return;
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

bool Staging::copy(const RowCopy* copies, std::size_t count, cudaStream_t stream, bool down) {
  std::size_t bytes = 0;
  for (const RowCopy* c = copies; c != copies + count; ++c) {
    if (c->row_bytes == 0 || c->row_bytes > kSlotBytes) return false;
    bytes += c->row_bytes * c->rows;
  }
  if (bytes < kFrom || !prepare()) return false;
  Job job(copies, count, stream, early_stream_, down);
  std::vector<std::thread> helpers;
  try {
    for (std::size_t k = 1; k < kThreads && k < job.chunks; ++k) helpers.emplace_back([this, &job, k] { work(job, k); });
  } catch (const std::exception&) {
    // The system gives no more threads, or no memory for one: fewer do as well.
  }
  work(job, 0);
  for (std::thread& t : helpers) t.join();
  check(static_cast<cudaError_t>(job.error.load()), "a copy through pinned memory");
  return true;
}

}  // namespace morpho::gpu
