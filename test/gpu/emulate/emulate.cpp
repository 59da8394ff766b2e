// Runs the threads of a block as fibers of one CPU thread.
#include "cuda_runtime.h"

#include <cstdio>
#include <memory>
#include <vector>

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
/// Lets a barrier's waiting threads go on where all that it waits for have come: after an arrival, or after the end of a thread.
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

void launch(const Config& c, const std::function<void()>& work) {
  gridDim = c.grid;
  blockDim = c.block;
  const unsigned n = blockDim.x * blockDim.y * blockDim.z;
  if (n == 0 || n > 1024 || gridDim.x == 0 || gridDim.y == 0 || gridDim.y > 65535) {
    std::fprintf(stderr, "emulation: a grid of %u x %u blocks of %u threads\n", gridDim.x, gridDim.y, n);
    std::abort();
  }
  shared_memory.assign(c.shared + 16, char(0x5A));
  kernel = &work;
  for (unsigned z = 0; z < c.grid.z; ++z) {
    for (unsigned y = 0; y < c.grid.y; ++y) {
      for (unsigned x = 0; x < c.grid.x; ++x) {
        blockIdx = {x, y, z};
        run_block();
      }
    }
  }
}
void* dynamic_shared() { return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(shared_memory.data()) + 15) & ~std::uintptr_t{15}); }
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
