// What a test can make a GPU do that no GPU does when asked to: fail at a chosen call, have so much memory, be of an older
// kind. Only the emulation can; on a real one possible() says no.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace morpho::test::faults {

bool possible();

enum class Call { allocate, allocate_host, synchronize, launch, copy, make };  ///< make: streams and events
/// The nth call of this kind from now on returns CUDA's error of that number; with `and_later` all that follow too. An error
/// that poisons a context is what every later call returns, until reset().
void fail(Call call, int nth, int cuda_code, bool and_later = false);
/// Calls of this kind wait from now on, until reset().
void hold(Call call);
/// How many wait.
int held();
/// Since the last reset().
int calls(Call call);
/// Forgets what was to fail, and makes a poisoned context a good one.
void reset();

/// Blocks of memory, streams and events that were taken and not given back.
long live();
/// Bytes of the GPU's memory that are taken, and what there is of it (8 GiB in the beginning).
std::size_t used_bytes();
void set_memory_bytes(std::size_t bytes);

/// So many GPUs of one kind, from now on (one in the beginning), and the memory that is taken of each. A kernel is refused
/// where its stream is of another GPU than the thread's.
void set_devices(int count);
std::size_t used_bytes_of(int device);

/// What a block can have of shared memory, as on GPUs of this compute capability: 75, 80, 86, 89 or 90 (the beginning).
void set_architecture(int capability);

/// Kernels that were never launched, as "file: name"; and how many there are.
std::vector<std::string> kernels_never_run();
std::size_t kernel_count();

}  // namespace morpho::test::faults
