// Makes one GPU fail for one process, as a broken card or cable would: preloaded (LD_PRELOAD), it waits until the process has a
// context on the GPU, then LOSE_AFTER_MS more, and runs a kernel there that traps. CUDA then refuses everything on that GPU in
// that process for ever, and the other GPUs and processes go on. Used by test/gpus.sh; nothing of the product knows it.
//   cc -shared -fPIC -o lose_gpu.so test/gpu/lose_gpu.c -ldl -lpthread
//   LOSE_GPU=1 LOSE_AFTER_MS=300 LD_PRELOAD=$PWD/lose_gpu.so PROGRAM …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Of the driver's interface as much as is called: handles are pointers, 0 is success.
typedef int (*GetDevice)(int*, int);
typedef int (*GetState)(int, unsigned*, int*);
typedef int (*Retain)(void**, int);
typedef int (*SetCurrent)(void*);
typedef int (*LoadData)(void**, const void*);
typedef int (*GetFunction)(void**, void*, const char*);
typedef int (*Launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
typedef int (*Synchronize)(void);

static const char* const kTrap = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry lose() { trap; }\n";

static void* lose(void* ignored) {
  (void)ignored;
  const int index = atoi(getenv("LOSE_GPU"));
  const char* after = getenv("LOSE_AFTER_MS");
  void* driver = NULL;
  while (!(driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD))) usleep(1000);
  GetDevice get_device = (GetDevice)dlsym(driver, "cuDeviceGet");
  GetState get_state = (GetState)dlsym(driver, "cuDevicePrimaryCtxGetState");
  Retain retain = (Retain)dlsym(driver, "cuDevicePrimaryCtxRetain");
  SetCurrent set_current = (SetCurrent)dlsym(driver, "cuCtxSetCurrent");
  LoadData load = (LoadData)dlsym(driver, "cuModuleLoadData");
  GetFunction get_function = (GetFunction)dlsym(driver, "cuModuleGetFunction");
  Launch launch = (Launch)dlsym(driver, "cuLaunchKernel");
  Synchronize synchronize = (Synchronize)dlsym(driver, "cuCtxSynchronize");
  int device = 0, active = 0;
  unsigned flags = 0;
  void *context = NULL, *module = NULL, *kernel = NULL;
  // Not initialized yet reads as an error too: look again.
  while (get_device(&device, index) != 0 || get_state(device, &flags, &active) != 0 || !active) usleep(1000);
  usleep((useconds_t)(after ? atoi(after) : 0) * 1000);
  int failed = retain(&context, device);
  if (!failed) failed = set_current(context);
  if (!failed) failed = load(&module, kTrap);
  if (!failed) failed = get_function(&kernel, module, "lose");
  if (!failed) failed = launch(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  if (failed) {
    fprintf(stderr, "lose_gpu: gpu%d could not be made to fail: CUDA error %d\n", index, failed);
    return NULL;
  }
  fprintf(stderr, "lose_gpu: gpu%d fails from here on (CUDA error %d)\n", index, synchronize());
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  if (!getenv("LOSE_GPU")) return;
  pthread_t thread;
  if (pthread_create(&thread, NULL, lose, NULL) == 0) pthread_detach(thread);
}
