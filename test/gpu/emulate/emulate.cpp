// Runs the threads of a block as fibers of one CPU thread, and refuses launches that a device refuses.
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "state.hpp"

dim3 gridDim, blockDim;
uint3 threadIdx, blockIdx;

namespace emulate {
namespace {

constexpr std::size_t kStack = 256 << 10;

struct Fiber {
  void* at = nullptr;  ///< its stack pointer while it waits
  std::unique_ptr<char[]> stack{new char[kStack]};
  uint3 index{};
  bool done = true;
  const unsigned long* waits_for = nullptr;  ///< a barrier's turn that has to pass `turn` before it can go on
  unsigned long turn = 0;
  bool blocked() const { return waits_for && *waits_for == turn; }
};
struct Warp {
  unsigned alive = 0, arrived = 0, wanted = 0;
  unsigned long turn = 0;
  std::uint64_t slot[32];
};

std::vector<Fiber> fibers;
std::vector<Warp> warps;
std::vector<char> shared_memory;
unsigned current = 0, running = 0, at_barrier = 0;
unsigned long barrier_turn = 0, progress = 0;
int slot = 0;
void* scheduler = nullptr;
const std::function<void()>* kernel = nullptr;
/// Of the launch that runs: what it asked for, which kernel it is of (known when a thread begins), why it is refused.
std::size_t dynamic_bytes = 0;
Kernel* launched = nullptr;
cudaError_t refused = cudaSuccess;
bool asking = false;  ///< nothing is launched: somebody wants to know of a kernel
std::uint64_t dice = 88172645463325252ull;

// Saves the callee's registers and stack pointer in *from and goes on where `to` was saved.
extern "C" void emulate_switch(void** from, void* to);
asm(R"(
.text
.globl emulate_switch
emulate_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");

void leave() { emulate_switch(&fibers[current].at, scheduler); }
void wait_until_past(const unsigned long& turn_now, unsigned long turn) {
  fibers[current].waits_for = &turn_now;
  fibers[current].turn = turn;
  leave();
  fibers[current].waits_for = nullptr;
}
/// Lets a barrier's waiting threads go on where all that it waits for have come: after an arrival, or after the end of a
/// thread.
void pass_block_barrier() {
  if (at_barrier == 0 || at_barrier < running) return;
  at_barrier = 0;
  ++barrier_turn;
}
void pass_warp_barrier(Warp& w) {
  if (w.arrived == 0 || (w.arrived & w.wanted & w.alive) != (w.wanted & w.alive)) return;
  w.arrived = 0;
  ++w.turn;
}

void fiber_main() {
  for (;;) {
    (*kernel)();
    Fiber& f = fibers[current];
    f.done = true;
    --running;
    ++progress;
    warps[current / 32].alive &= ~(1u << current % 32);
    pass_warp_barrier(warps[current / 32]);
    pass_block_barrier();
    leave();
  }
}

void prepare(Fiber& f) {
  // The stack as emulate_switch leaves it: six registers, and the address to return to; aligned as at a function's start.
  auto top = reinterpret_cast<std::uintptr_t>(f.stack.get() + kStack) & ~std::uintptr_t{15};
  void** p = reinterpret_cast<void**>(top);
  *--p = nullptr;
  *--p = reinterpret_cast<void*>(&fiber_main);
  for (int k = 0; k < 6; ++k) *--p = nullptr;
  f.at = p;
}

void run_block() {
  const unsigned n = blockDim.x * blockDim.y * blockDim.z;
  if (fibers.size() < n) {
    fibers.resize(n);
  }
  warps.assign((n + 31) / 32, {});
  running = n;
  at_barrier = 0;
  for (unsigned i = 0; i < n; ++i) {
    prepare(fibers[i]);
    fibers[i].done = false;
    fibers[i].waits_for = nullptr;
    fibers[i].index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)};
    warps[i / 32].alive |= 1u << i % 32;
  }
  unsigned long last = ~0ul;
  unsigned idle = 0;
  while (running > 0) {
    // Every round starts elsewhere, so that no order of the threads is taken for granted.
    dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
    const unsigned start = static_cast<unsigned>(dice % n);
    for (unsigned k = 0; k < n; ++k) {
      const unsigned i = (start + k) % n;
      if (fibers[i].done || fibers[i].blocked()) continue;
      current = i;
      threadIdx = fibers[i].index;
      emulate_switch(&scheduler, fibers[i].at);
    }
    idle = progress == last ? idle + 1 : 0;
    last = progress;
    if (idle > 1000000) {
      std::fprintf(stderr, "emulation: a block waits for ever\n");
      std::abort();
    }
  }
}

}  // namespace

Kernel::Kernel(const char* file_, const char* name_) : file(file_), name(name_) {}
bool Kernel::holds(std::size_t bytes) {
  static_shared += bytes;
  return true;
}
bool enter(Kernel& k) {
  if (launched == &k) return refused == cudaSuccess;
  launched = &k;
  if (asking) {
    k.told = true;
    return false;
  }
  const std::size_t allowed = k.opted_in ? k.dynamic_allowed : kSharedUnasked - std::min(kSharedUnasked, k.static_shared);
  if (k.static_shared > kSharedUnasked || dynamic_bytes > allowed || k.static_shared + dynamic_bytes > most_shared())
    refused = cudaErrorInvalidValue;
  else ran(k);
  return refused == cudaSuccess;
}
bool shared_in_function(std::size_t bytes) {
  if (launched->told) {
    std::fprintf(
        stderr,
        "emulation: %s was asked what shared memory it holds before a function of it showed that it is %zu bytes more\n",
        launched->name, bytes);
    std::abort();
  }
  return launched->holds(bytes);
}
Kernel& kernel_of(const std::function<void()>& call) {
  asking = true;
  launched = nullptr;
  call();
  asking = false;
  if (!launched) {
    std::fprintf(stderr, "emulation: a kernel that translate.py has not seen\n");
    std::abort();
  }
  return *std::exchange(launched, nullptr);
}

namespace {
std::set<std::string>& ran_kernels() {
  static std::set<std::string> names;
  return names;
}
std::string label_of(const char* file, const char* name) { return std::string(file) + ": " + name; }
}  // namespace
std::vector<Listed>& listed_kernels() {
  static std::vector<Listed> all;
  return all;
}
bool list_kernels(const char* file, std::initializer_list<const char*> names) {
  for (const char* name : names) listed_kernels().push_back({file, name});
  return true;
}
void ran(const Kernel& k) { ran_kernels().insert(label_of(k.file, k.name)); }

void launch(const Config& c, const std::function<void()>& work) {
  const cudaError_t fault = begin(morpho::test::faults::Call::launch);
  const unsigned n = c.block.x * c.block.y * c.block.z;
  const dim3 g = c.grid;
  const bool possible = n > 0 && n <= 1024 && c.block.z <= 64 && g.x > 0 && g.x < 1u << 31 && g.y > 0 && g.y <= 65535 &&
                        g.z > 0 && g.z <= 65535;
  refused = fault != cudaSuccess              ? fault
            : !is_of_current_device(c.stream) ? cudaErrorInvalidResourceHandle
            : possible                        ? cudaSuccess
                                              : cudaErrorInvalidConfiguration;
  gridDim = c.grid;
  blockDim = c.block;
  dynamic_bytes = c.shared;
  launched = nullptr;
  kernel = &work;
  if (refused == cudaSuccess) shared_memory.assign(c.shared + 16, char(0x5A));
  for (unsigned z = 0; z < c.grid.z && refused == cudaSuccess; ++z) {
    for (unsigned y = 0; y < c.grid.y && refused == cudaSuccess; ++y) {
      for (unsigned x = 0; x < c.grid.x && refused == cudaSuccess; ++x) {
        blockIdx = {x, y, z};
        run_block();
      }
    }
  }
  if (refused != cudaSuccess) note(refused);
}
void* dynamic_shared() {
  return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(shared_memory.data()) + 15) & ~std::uintptr_t{15});
}
void yield() {
  ++progress;
  // Not at every call: long loops over atomics would take too long.
  dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
  if (dice % 8 == 0) leave();
}
void block_barrier() {
  const unsigned long turn = barrier_turn;
  ++at_barrier;
  ++progress;
  pass_block_barrier();
  if (barrier_turn == turn) wait_until_past(barrier_turn, turn);
}
void warp_barrier(unsigned mask) {
  Warp& w = warps[current / 32];
  const unsigned long turn = w.turn;
  w.arrived |= 1u << current % 32;
  w.wanted = mask;
  ++progress;
  pass_warp_barrier(w);
  if (w.turn == turn) wait_until_past(w.turn, turn);
}
std::uint64_t& lane_slot(unsigned l) { return warps[current / 32].slot[l]; }
unsigned lane() { return current % 32; }
unsigned alive_lanes() { return warps[current / 32].alive; }
int& block_slot() { return slot; }

}  // namespace emulate

namespace morpho::test::faults {

std::vector<std::string> kernels_never_run() {
  std::set<std::string> left;
  for (const emulate::Listed& k : emulate::listed_kernels()) left.insert(emulate::label_of(k.file, k.name));
  for (const std::string& k : emulate::ran_kernels()) left.erase(k);
  return {left.begin(), left.end()};
}
std::size_t kernel_count() {
  std::set<std::string> all;
  for (const emulate::Listed& k : emulate::listed_kernels()) all.insert(emulate::label_of(k.file, k.name));
  return all.size();
}

}  // namespace morpho::test::faults
