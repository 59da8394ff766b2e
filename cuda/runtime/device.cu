// Devices: the list, contexts, transfers, and what CUDA's error codes mean to the user.
#include <map>
#include <mutex>
#include <shared_mutex>

#include "cuda/runtime/device.cuh"
#include "cuda/gpu.hpp"
#include "cuda/runtime/pinned.cuh"
#include "cuda/runtime/staging.cuh"

namespace morpho::gpu {

namespace {

thread_local int device_of_thread = 0;  ///< as cudaGetDevice has it: a thread begins with 0

/// What CUDA said when a GPU's context was poisoned, by the GPU's number.
struct Lost {
  std::mutex mutex;
  std::map<i32, std::string> said;
};
Lost& lost() {
  static Lost all;
  return all;
}
[[noreturn]] void throw_lost(const std::string& text, const std::string& detail) {
  throw Error(ErrorCode::gpu_lost, "the GPU stopped answering (" + text + "); the engine must be restarted to use it again",
              detail);
}
/// What was said when the GPU was lost; empty where it was not.
std::string lost_text(i32 device) {
  const std::lock_guard lock(lost().mutex);
  const auto found = lost().said.find(device);
  return found == lost().said.end() ? "" : found->second;
}

enum class Meaning { lost, no_memory, unavailable, refused, unknown };
Meaning meaning_of(cudaError_t code) {
  switch (code) {
    // "The process must be terminated and relaunched", as CUDA's documentation says of these.
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed: return Meaning::lost;
    case cudaErrorMemoryAllocation: return Meaning::no_memory;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceUninitialized:
    case cudaErrorStartupFailure:
    case cudaErrorStubLibrary:
    case cudaErrorCallRequiresNewerDriver: return Meaning::unavailable;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorNotReady:
    case cudaErrorNotPermitted:
    case cudaErrorNotSupported: return Meaning::refused;
    default: return Meaning::unknown;
  }
}
/// Whether the context answers at all: a poisoned one answers everything with what poisoned it.
bool answers() {
  void* p = nullptr;
  const cudaError_t code = cudaMalloc(&p, 1);
  cudaGetLastError();
  if (code == cudaSuccess) cudaFree(p);
  return code == cudaSuccess || code == cudaErrorMemoryAllocation;
}

}  // namespace

void require_not_lost(i32 device) {
  const std::string text = lost_text(device);
  if (!text.empty()) throw_lost(text, "an earlier call lost it");
}

void throw_cuda_error(cudaError_t code, const char* what) {
  cudaGetLastError();  // an error that is not sticky must not show up again in the next call
  const std::string text = std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code);
  const std::string detail = std::string(what) + ": " + text;
  Meaning meaning = meaning_of(code);
  if (meaning == Meaning::unknown) meaning = answers() ? Meaning::refused : Meaning::lost;
  switch (meaning) {
    case Meaning::no_memory:
      throw Error(
          ErrorCode::gpu_out_of_memory,
          "the GPU has not enough free memory (" + text +
              "); close other programs that use it, run with fewer threads (each holds a window there), or choose the CPU",
          detail);
    case Meaning::unavailable:
      throw Error(ErrorCode::gpu_unavailable, "the GPU cannot be used (" + text + "); update its driver, or choose the CPU",
                  detail);
    case Meaning::lost: {
      const std::lock_guard lock(lost().mutex);
      lost().said.emplace(device_of_thread, text);
      throw_lost(text, detail);
    }
    default: throw Error(ErrorCode::internal, "a GPU call was refused (" + text + "); please report this", detail);
  }
}

namespace {
i32 attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  MORPHO_CUDA(cudaGetDevice(&device));
  MORPHO_CUDA(cudaDeviceGetAttribute(&value, which, device));
  return value;
}
}  // namespace

i32 multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }
std::size_t most_shared_bytes() { return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)); }

bool built() { return true; }

DeviceList list_devices() {
  DeviceList list;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    cudaGetLastError();
    list.reason = code == cudaSuccess ? "CUDA found no GPU"
                                      : std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code);
    int driver = 0;
    // CUDA says the same of a missing driver and of an old one.
    if (code == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess) {
      list.reason += driver == 0 ? " (this machine has no NVIDIA driver)"
                                 : " (the NVIDIA driver is for CUDA " + std::to_string(driver / 1000) + "." +
                                       std::to_string(driver % 1000 / 10) + ")";
    }
    return list;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp p{};
    const cudaError_t got = cudaGetDeviceProperties(&p, i);
    if (got != cudaSuccess) {
      cudaGetLastError();
      if (list.reason.empty()) list.reason = std::string(cudaGetErrorName(got)) + ": " + cudaGetErrorString(got);
      continue;
    }
    list.devices.push_back(
        {i, p.name, p.totalGlobalMem, p.major, p.minor, p.multiProcessorCount, static_cast<u64>(p.l2CacheSize)});
  }
  if (!list.devices.empty()) list.reason.clear();
  return list;
}

namespace {

/// Giving back is shared: it closes what lies idle, which waits for a GPU's driver, and a call for another GPU need not.
struct IdleHolders {
  std::shared_mutex mutex;
  std::vector<IdleMemory*> all;
};
IdleHolders& idle_holders() {
  static IdleHolders holders;
  return holders;
}
}  // namespace

bool give_back_idle(i32 device) {
  const std::shared_lock lock(idle_holders().mutex);
  bool some = false;
  for (const IdleMemory* holder : idle_holders().all) some = holder->give_back_(device) || some;
  return some;
}
IdleMemory::IdleMemory(std::function<bool(i32)> give_back) : give_back_(std::move(give_back)) {
  const std::lock_guard lock(idle_holders().mutex);
  idle_holders().all.push_back(this);
}
IdleMemory::~IdleMemory() {
  const std::lock_guard lock(idle_holders().mutex);
  std::erase(idle_holders().all, this);
}

namespace {

/// Memory of the calling thread's GPU; null where it has none left, though all that lies idle was given back.
void* device_memory(std::size_t bytes) {
  void* p = nullptr;
  cudaError_t code = cudaMalloc(&p, bytes);
  if (code == cudaErrorMemoryAllocation && give_back_idle(device_of_thread)) {
    cudaGetLastError();
    code = cudaMalloc(&p, bytes);
  }
  if (code == cudaErrorMemoryAllocation) return cudaGetLastError(), nullptr;
  check(code, "cudaMalloc");
  return p;
}
/// Workspace's blocks: the Device that takes them has entered before.
void release_block(void* p) { cudaFree(p); }
void refuse_block(std::size_t bytes) {
  throw_cuda_error(cudaErrorMemoryAllocation, (std::to_string(bytes >> 20) + " MiB of working memory").c_str());
}

/// Bytes without gaps, as rows of one.
RowCopy flat_rows(void* d_data, void* host, std::size_t bytes, bool early = false) {
  return {static_cast<u8*>(d_data), 1, static_cast<u8*>(host), 1, 1, bytes, early};
}

/// Copies arrays: where they are large together they are there when it returns, small ones after the next wait.
void copy_to_host(Staging& staging, cudaStream_t stream, std::initializer_list<ToHost> arrays) {
  std::vector<RowCopy> copies;
  for (const ToHost& a : arrays) copies.push_back(flat_rows(const_cast<void*>(a.d_from), a.to, a.bytes, a.early));
  if (staging.download(copies.data(), copies.size(), stream)) return;
  for (const ToHost& a : arrays) MORPHO_CUDA(cudaMemcpyAsync(a.to, a.d_from, a.bytes, cudaMemcpyDeviceToHost, stream));
}

}  // namespace

void enter(const Context& ctx) {
  if (!ctx.device) throw Error(ErrorCode::internal, "an operation of the GPU's was called with a context of the CPU");
  if (ctx.device->info().index == device_of_thread) return;
  ctx.device->make_current();
}
void mark_early(const Context& ctx) { ctx.device->staging().mark_early(stream_of(ctx)); }
void fetch(const Context& ctx, std::initializer_list<ToHost> arrays) {
  std::size_t bytes = 0;
  for (const ToHost& a : arrays) bytes += a.bytes;
  copy_to_host(ctx.device->staging(), stream_of(ctx), arrays);  // sync: as the caller says
  wait(ctx, bytes);
}

Device::Device(i32 index)
    : workspace_({device_memory, release_block, refuse_block,
                  [](void* device) { static_cast<Device*>(device)->make_current(); }, this}) {
  require_not_lost(index);
  const DeviceList list = list_devices();
  if (list.devices.empty()) throw Error(ErrorCode::gpu_unavailable, "no GPU can be used (" + list.reason + "); choose the CPU");
  for (const DeviceInfo& d : list.devices) {
    if (d.index == index) info_ = d;
  }
  if (info_.name.empty()) reject("device", "a GPU from 0 to " + std::to_string(list.devices.size() - 1), std::to_string(index));
  staging_ = std::make_shared<Staging>(index);
  device_of_thread = index;
  MORPHO_CUDA(cudaSetDevice(index));
  cudaStream_t stream = nullptr;
  MORPHO_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_ = stream;
}

Device::~Device() {
  device_of_thread = info_.index;
  cudaSetDevice(info_.index);
  // sync: the workspace's blocks are freed next, and nothing enqueued may still use them.
  cudaStreamSynchronize(static_cast<cudaStream_t>(stream_));
  cudaStreamDestroy(static_cast<cudaStream_t>(stream_));
}

void Device::make_current() const {
  require_not_lost(info_.index);
  device_of_thread = info_.index;
  MORPHO_CUDA(cudaSetDevice(info_.index));
}

bool try_device(i32 device) {
  if (!lost_text(device).empty()) return false;
  if (cudaSetDevice(device) != cudaSuccess) return cudaGetLastError(), false;
  device_of_thread = device;
  return true;
}

Context Device::context(const CancelFlag* cancel) {
  make_current();
  return Context{workspace_, 1, cancel, stream_, this};
}

void* Device::allocate(std::size_t bytes) {
  make_current();
  void* p = device_memory(bytes ? bytes : 1);
  if (!p) refuse_block(bytes);
  return p;
}
void Device::release(void* d_data) {
  if (!lost_text(info_.index).empty()) return;  // its memory went with the context
  make_current();
  MORPHO_CUDA(cudaFree(d_data));  // sync: the driver waits for the work that uses the memory
}
u64 Device::free_bytes() const {
  make_current();
  std::size_t free = 0, total = 0;
  MORPHO_CUDA(cudaMemGetInfo(&free, &total));
  return free;
}

void Device::upload(void* d_to, const void* from, std::size_t bytes) {
  make_current();
  const cudaStream_t stream = static_cast<cudaStream_t>(stream_);
  u8* const host = static_cast<u8*>(const_cast<void*>(from));
  // sync: the bytes are staged before this returns, unless they lie in pinned memory already
  if (!is_pinned(from, bytes) && staging_->upload(flat_rows(d_to, host, bytes), stream)) return;
  MORPHO_CUDA(cudaMemcpyAsync(d_to, host, bytes, cudaMemcpyHostToDevice, stream));
}
void Device::download(void* to, const void* d_from, std::size_t bytes) {
  if (bytes == 0) return;
  make_current();
  if (is_pinned(to, bytes))
    MORPHO_CUDA(cudaMemcpyAsync(to, d_from, bytes, cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(stream_)));
  else copy_to_host(*staging_, static_cast<cudaStream_t>(stream_), {{to, d_from, bytes}});
  synchronize();  // sync: the caller reads the bytes next
}
void Device::upload_rows(void* d_to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes,
                         std::size_t rows) {
  if (row_bytes == 0 || rows == 0) return;
  make_current();
  const RowCopy rows_of{
      static_cast<u8*>(d_to), to_pitch, static_cast<u8*>(const_cast<void*>(from)), from_pitch, row_bytes, rows};
  // sync: as upload()
  if (!is_pinned(from, (rows - 1) * from_pitch + row_bytes) && staging_->upload(rows_of, static_cast<cudaStream_t>(stream_)))
    return;
  MORPHO_CUDA(cudaMemcpy2DAsync(d_to, to_pitch, from, from_pitch, row_bytes, rows, cudaMemcpyHostToDevice,
                                static_cast<cudaStream_t>(stream_)));
}
void Device::download_rows(void* to, std::size_t to_pitch, const void* d_from, std::size_t from_pitch, std::size_t row_bytes,
                           std::size_t rows) {
  if (row_bytes == 0 || rows == 0) return;
  make_current();
  const cudaStream_t stream = static_cast<cudaStream_t>(stream_);
  const RowCopy rows_of{
      static_cast<u8*>(const_cast<void*>(d_from)), from_pitch, static_cast<u8*>(to), to_pitch, row_bytes, rows};
  if (!staging_->download(rows_of, stream))
    MORPHO_CUDA(cudaMemcpy2DAsync(to, to_pitch, d_from, from_pitch, row_bytes, rows, cudaMemcpyDeviceToHost, stream));
  synchronize();  // sync: the caller reads the rows next
}
void Device::copy(void* d_to, const void* d_from, std::size_t bytes) {
  make_current();
  MORPHO_CUDA(cudaMemcpyAsync(d_to, d_from, bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream_)));
}
void Device::pack_rows(void* d_to, const void* d_from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) {
  if (row_bytes == 0 || rows == 0) return;
  make_current();
  MORPHO_CUDA(cudaMemcpy2DAsync(d_to, row_bytes, d_from, pitch, row_bytes, rows, cudaMemcpyDeviceToDevice,
                                static_cast<cudaStream_t>(stream_)));
}
void Device::fill(void* d_to, u8 value, std::size_t bytes) {
  make_current();
  MORPHO_CUDA(cudaMemsetAsync(d_to, value, bytes, static_cast<cudaStream_t>(stream_)));
}
void Device::synchronize() {
  make_current();
  count_wait();
  MORPHO_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(stream_)));  // sync: what the caller asked for
}

Timeline::~Timeline() {
  for (void* e : events_) cudaEventDestroy(static_cast<cudaEvent_t>(e));
}
std::size_t Timeline::mark() {
  device_.context();
  if (used_ == events_.size()) {
    cudaEvent_t e = nullptr;
    MORPHO_CUDA(cudaEventCreate(&e));
    events_.push_back(e);
  }
  MORPHO_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(events_[used_]), static_cast<cudaStream_t>(device_.stream())));
  return used_++;
}
double Timeline::ms(std::size_t from, std::size_t to) {
  float v = 0;
  const cudaEvent_t begin = static_cast<cudaEvent_t>(events_.at(from)), end = static_cast<cudaEvent_t>(events_.at(to));
  if (cudaEventQuery(end) != cudaSuccess) {
    cudaGetLastError();  // "not ready" must not show up again in the next call
    count_wait();
    MORPHO_CUDA(cudaEventSynchronize(end));  // sync: the time is known when the work is done
  }
  MORPHO_CUDA(cudaEventElapsedTime(&v, begin, end));
  return static_cast<double>(v);
}

namespace { thread_local HostTraffic traffic; }  // namespace
void count_wait(std::size_t fetched_bytes) {
  ++traffic.waits;
  traffic.fetched_bytes += fetched_bytes;
}
HostTraffic host_traffic() { return traffic; }

}  // namespace morpho::gpu
