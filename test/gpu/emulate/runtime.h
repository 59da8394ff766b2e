// The calls of CUDA's run time that cuda/ makes, for the emulation: the "device" is the CPU's own memory, and calls return when
// done. What a device refuses is refused here too, and faults.hpp makes any call fail.
#pragma once
#include <cstddef>
#include <functional>

// CUDA's own numbers.
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorStubLibrary = 34,
  cudaErrorInsufficientDriver = 35,
  cudaErrorCallRequiresNewerDriver = 36,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorStartupFailure = 127,
  cudaErrorInvalidKernelImage = 200,
  cudaErrorDeviceUninitialized = 201,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorECCUncorrectable = 214,
  cudaErrorNvlinkUncorrectable = 220,
  cudaErrorUnsupportedPtxVersion = 222,
  cudaErrorContained = 226,
  cudaErrorOperatingSystem = 304,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorContextIsDestroyed = 709,
  cudaErrorAssert = 710,
  cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715,
  cudaErrorMisalignedAddress = 716,
  cudaErrorInvalidAddressSpace = 717,
  cudaErrorInvalidPc = 718,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorSystemNotReady = 802,
  cudaErrorSystemDriverMismatch = 803,
  cudaErrorCompatNotSupportedOnDevice = 804,
  cudaErrorMpsRpcFailure = 806,
  cudaErrorMpsClientTerminated = 810,
  cudaErrorExternalDevice = 911,
  cudaErrorUnknown = 999,
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount, cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrCooperativeLaunch };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
struct cudaDeviceProp {
  char name[256] = "emulation on the CPU";
  std::size_t totalGlobalMem = 0;
  int major = 0, minor = 0, multiProcessorCount = 4, l2CacheSize = 1 << 20;
};
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes = 0;
  int maxDynamicSharedSizeBytes = 0;
};
enum cudaLaunchAttributeID { cudaLaunchAttributeCooperative };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int cooperative;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute* attrs = nullptr;
  unsigned numAttrs = 0;
};

const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetDevice(int*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaFree(void*);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemsetAsync(void* to, int, std::size_t, cudaStream_t);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int, std::size_t width, std::size_t height, cudaStream_t);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t);

namespace emulate {
cudaError_t allocate(void** p, std::size_t bytes, bool on_host);
cudaError_t attributes(cudaFuncAttributes&, Kernel&);
cudaError_t allow_dynamic(Kernel&, int bytes);
cudaError_t launch_error();
/// Arguments for a call that does nothing: a kernel's are copied byte by byte, so bytes of zeros are as good as any.
template <class T>
T nothing() {
  static_assert(std::is_trivially_copyable_v<T>);
  alignas(T) static unsigned char zeros[sizeof(T)];
  return *reinterpret_cast<T*>(zeros);
}
template <class... P>
Kernel& kernel_of(void (*kernel)(P...)) {
  return kernel_of([=] { kernel(nothing<P>()...); });
}
}  // namespace emulate

template <class T>
cudaError_t cudaMalloc(T** p, std::size_t n) {
  return emulate::allocate(reinterpret_cast<void**>(p), n, false);
}
template <class T>
cudaError_t cudaMallocHost(T** p, std::size_t n) {
  return emulate::allocate(reinterpret_cast<void**>(p), n, true);
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, F kernel) {
  return emulate::attributes(*a, emulate::kernel_of(kernel));
}
template <class F>
cudaError_t cudaFuncSetAttribute(F kernel, cudaFuncAttribute, int bytes) {
  return emulate::allow_dynamic(emulate::kernel_of(kernel), bytes);
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, F, int, std::size_t) {
  return *n = 2, cudaSuccess;
}
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*kernel)(P...), A&&... arguments) {
  emulate::launch(emulate::Config(c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream), [&] { kernel(arguments...); });
  return emulate::launch_error();
}
