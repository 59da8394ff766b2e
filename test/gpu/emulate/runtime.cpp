// The emulation's device: memory, streams and events that are counted, and calls that fail where a test wants them to.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>

#include "state.hpp"

namespace emulate {
namespace {

using morpho::test::faults::Call;
constexpr int kCalls = 6;

struct Fault {
  int nth = 0;  ///< 0: none
  cudaError_t code = cudaSuccess;
  bool and_later = false;
};
std::mutex mutex;  // of all below: copies come from several threads
Fault failing[kCalls];
int counts[kCalls];
bool holding[kCalls];
int waiting = 0;
std::condition_variable let_go;
struct Block {
  std::size_t bytes;
  int device;  ///< whose memory it is
};
std::map<void*, Block> device_blocks, host_blocks;
int devices = 1;
thread_local int current_device = 0;
/// What a stream or an event is: whose, and when an event was recorded.
struct Handle {
  double ms;
  int device;
};
std::size_t used = 0, memory = std::size_t{8} << 30;
long handles = 0;
int capability = 90;
std::atomic<cudaError_t> poison{cudaSuccess};
thread_local cudaError_t last = cudaSuccess;

/// Those that CUDA's documentation says a process must be started again for.
bool poisons(cudaError_t code) {
  switch (code) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown: return true;
    default: return false;
  }
}

template <class Fn>
cudaError_t call(Call kind, Fn&& work) {
  const cudaError_t code = begin(kind);
  if (code != cudaSuccess) return note(code);
  return note(work());
}
cudaError_t make(void** handle) {
  return call(Call::make, [=] {
    const std::lock_guard lock(mutex);
    ++handles;
    *handle = new Handle{0, current_device};
    return cudaSuccess;
  });
}
cudaError_t give_back(void* handle) {
  const std::lock_guard lock(mutex);
  --handles;
  delete static_cast<Handle*>(handle);
  return cudaSuccess;
}
cudaError_t free_block(std::map<void*, Block>& blocks, void* p) {
  if (!p) return cudaSuccess;
  const std::lock_guard lock(mutex);
  const auto found = blocks.find(p);
  if (found == blocks.end()) return note(cudaErrorInvalidValue);
  if (&blocks == &device_blocks) used -= found->second.bytes;
  blocks.erase(found);
  std::free(p);
  return poison.load();
}

}  // namespace

cudaError_t begin(Call kind) {
  std::unique_lock lock(mutex);
  ++waiting;
  let_go.wait(lock, [&] { return !holding[static_cast<int>(kind)]; });
  --waiting;
  const int n = ++counts[static_cast<int>(kind)];
  if (poison != cudaSuccess) return poison;
  const Fault& f = failing[static_cast<int>(kind)];
  if (f.nth == 0 || n < f.nth || (n > f.nth && !f.and_later)) return cudaSuccess;
  if (poisons(f.code)) poison = f.code;
  return f.code;
}
cudaError_t note(cudaError_t code) {
  if (code != cudaSuccess) last = code;
  return code;
}
std::size_t most_shared() {
  return static_cast<std::size_t>(capability == 75 ? 64 : capability == 80 ? 163 : capability == 90 ? 227 : 99) << 10;
}

cudaError_t allocate(void** p, std::size_t bytes, bool on_host) {
  return call(on_host ? Call::allocate_host : Call::allocate, [=] {
    const std::lock_guard lock(mutex);
    if (!on_host && used + bytes > memory) return cudaErrorMemoryAllocation;
    void* block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!block) return cudaErrorMemoryAllocation;
    std::memset(block, 0xCD, bytes);  // whoever reads what nobody wrote shall notice
    (on_host ? host_blocks : device_blocks)[block] = {bytes, current_device};
    if (!on_host) used += bytes;
    *p = block;
    return cudaSuccess;
  });
}
cudaError_t attributes(cudaFuncAttributes& a, Kernel& kernel) {
  if (poison != cudaSuccess) return note(poison);
  a.sharedSizeBytes = kernel.static_shared;
  a.maxDynamicSharedSizeBytes = static_cast<int>(kernel.opted_in ? kernel.dynamic_allowed
                                                                 : kSharedUnasked - kernel.static_shared);
  return cudaSuccess;
}
cudaError_t allow_dynamic(Kernel& kernel, int bytes) {
  if (poison != cudaSuccess) return note(poison);
  if (bytes < 0 || kernel.static_shared + static_cast<std::size_t>(bytes) > most_shared()) return note(cudaErrorInvalidValue);
  kernel.opted_in = true;
  kernel.dynamic_allowed = static_cast<std::size_t>(bytes);
  return cudaSuccess;
}
cudaError_t launch_error() { return last; }
bool is_of_current_device(const void* stream) {
  return !stream || static_cast<const Handle*>(stream)->device == current_device;
}

}  // namespace emulate

using namespace emulate;

const char* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorLaunchOutOfResources: return "cudaErrorLaunchOutOfResources";
    case cudaErrorIllegalAddress: return "cudaErrorIllegalAddress";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    default: return "an emulated error";
  }
}
const char* cudaGetErrorString(cudaError_t code) {
  static thread_local char text[40];
  std::snprintf(text, sizeof text, "number %d, in emulation", static_cast<int>(code));
  return text;
}
cudaError_t cudaGetLastError() {
  const cudaError_t code = poison != cudaSuccess ? poison.load() : last;
  last = cudaSuccess;
  return code;
}
cudaError_t cudaPeekAtLastError() { return poison != cudaSuccess ? poison.load() : last; }
cudaError_t cudaGetDevice(int* d) { return *d = current_device, cudaSuccess; }
cudaError_t cudaSetDevice(int d) {
  if (d < 0 || d >= devices) return note(cudaErrorInvalidDevice);
  current_device = d;
  return note(poison);
}
cudaError_t cudaGetDeviceCount(int* n) { return *n = devices, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* v) { return *v = 13000, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  *p = cudaDeviceProp();
  p->totalGlobalMem = memory, p->major = capability / 10, p->minor = capability % 10;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int) {
  // One block runs at a time, so none can wait for another.
  *v = a == cudaDevAttrMultiProcessorCount ? 4 : a == cudaDevAttrCooperativeLaunch ? 0 : static_cast<int>(most_shared());
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* f, std::size_t* t) {
  const std::lock_guard lock(mutex);
  *f = memory - std::min(memory, used), *t = memory;
  return note(poison);
}
cudaError_t cudaFree(void* p) { return free_block(device_blocks, p); }
cudaError_t cudaFreeHost(void* p) { return free_block(host_blocks, p); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind, cudaStream_t) {
  return call(Call::copy, [=] { return n ? std::memmove(to, from, n) : to, cudaSuccess; });
}
cudaError_t cudaMemsetAsync(void* to, int v, std::size_t n, cudaStream_t) {
  return call(Call::copy, [=] { return n ? std::memset(to, v, n) : to, cudaSuccess; });
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t tp, const void* from, std::size_t fp, std::size_t w, std::size_t h,
                              cudaMemcpyKind, cudaStream_t) {
  return call(Call::copy, [=] {
    if (w > tp || w > fp) return cudaErrorInvalidValue;
    for (std::size_t y = 0; y < h; ++y)
      std::memmove(static_cast<char*>(to) + y * tp, static_cast<const char*>(from) + y * fp, w);
    return cudaSuccess;
  });
}
cudaError_t cudaMemset2DAsync(void* to, std::size_t tp, int v, std::size_t w, std::size_t h, cudaStream_t) {
  return call(Call::copy, [=] {
    for (std::size_t y = 0; y < h; ++y) std::memset(static_cast<char*>(to) + y * tp, v, w);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return make(reinterpret_cast<void**>(s)); }
cudaError_t cudaStreamDestroy(cudaStream_t s) { return give_back(s); }
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return call(Call::synchronize, [] { return cudaSuccess; });
}
cudaError_t cudaStreamQuery(cudaStream_t) { return note(poison); }
cudaError_t cudaEventCreate(cudaEvent_t* e) { return make(reinterpret_cast<void**>(e)); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
cudaError_t cudaEventDestroy(cudaEvent_t e) { return give_back(e); }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  if (poison != cudaSuccess) return note(poison);
  Handle* event = reinterpret_cast<Handle*>(e);
  if (s && event->device != reinterpret_cast<Handle*>(s)->device) return note(cudaErrorInvalidResourceHandle);
  event->ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return note(poison); }
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return call(Call::synchronize, [] { return cudaSuccess; });
}
cudaError_t cudaEventQuery(cudaEvent_t) { return note(poison); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t a, cudaEvent_t b) {
  if (poison != cudaSuccess) return note(poison);
  return *ms = static_cast<float>(reinterpret_cast<Handle*>(b)->ms - reinterpret_cast<Handle*>(a)->ms), cudaSuccess;
}

namespace morpho::test::faults {

bool possible() { return true; }
void fail(Call kind, int nth, int code, bool and_later) {
  const std::lock_guard lock(mutex);
  const int k = static_cast<int>(kind);
  failing[k] = {counts[k] + nth, static_cast<cudaError_t>(code), and_later};
}
void hold(Call kind) {
  const std::lock_guard lock(mutex);
  holding[static_cast<int>(kind)] = true;
}
int held() {
  const std::lock_guard lock(mutex);
  return waiting;
}
int calls(Call kind) {
  const std::lock_guard lock(mutex);
  return counts[static_cast<int>(kind)];
}
void reset() {
  const std::lock_guard lock(mutex);
  for (Fault& f : failing) f = {};
  for (int& n : counts) n = 0;
  for (bool& h : holding) h = false;
  let_go.notify_all();
  poison = cudaSuccess;
  last = cudaSuccess;
}
long live() {
  const std::lock_guard lock(mutex);
  return static_cast<long>(device_blocks.size() + host_blocks.size()) + handles;
}
std::size_t used_bytes() {
  const std::lock_guard lock(mutex);
  return used;
}
std::size_t used_bytes_of(int device) {
  const std::lock_guard lock(mutex);
  std::size_t sum = 0;
  for (const auto& [at, block] : device_blocks) sum += block.device == device ? block.bytes : 0;
  return sum;
}
void set_devices(int count) { devices = count; }
void set_memory_bytes(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  memory = bytes;
}
void set_architecture(int c) { capability = c; }

}  // namespace morpho::test::faults
