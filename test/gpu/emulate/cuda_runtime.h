// Stands for CUDA's own header where kernels are compiled for the CPU: enough of the language for cuda/*.cu; runtime.h has the
// calls. One block runs at a time, its threads as fibers that change over at barriers, warp votes and atomics, so that logic
// and indices are checked on machines without a GPU. It shows wrong results and reads outside of memory; races between threads
// it shows only in part.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <type_traits>

// ---------------------------------------------------------------- the language

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static
#define __grid_constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct uint4 {
  unsigned x, y, z, w;
};
struct int2 {
  int x, y;
};
struct int4 {
  int x, y, z, w;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

extern dim3 gridDim, blockDim;
extern uint3 threadIdx, blockIdx;

namespace emulate {
struct Config {
  dim3 grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
  Config(dim3 g, dim3 b, std::size_t s = 0, void* st = nullptr) : grid(g), block(b), shared(s), stream(st) {}
};
/// A kernel with its template arguments. translate.py puts one into each, and what follows of it: it tells what a GPU knows of
/// a kernel.
struct Kernel {
  const char *file, *name;
  std::size_t static_shared = 0, dynamic_allowed = 0;
  bool opted_in = false, told = false;
  Kernel(const char* file_, const char* name_);
  /// Bytes of shared memory that it holds for itself. Returns true, for the initializer that makes it be called once.
  bool holds(std::size_t bytes);
};
/// The calling thread begins with the kernel's work; false: it does not, as the launch is refused, or only the Kernel was asked
/// for.
bool enter(Kernel&);
/// Bytes of shared memory in a function that kernels call; called once, and counted for the kernel that comes there first.
bool shared_in_function(std::size_t bytes);
/// All kernels of a file, whether they are ever launched or not.
bool list_kernels(const char* file, std::initializer_list<const char*> names);
/// Runs the kernel, or leaves an error for cudaGetLastError as CUDA does.
void launch(const Config&, const std::function<void()>& kernel);
/// What `call`, which calls a kernel with any arguments, is a call of.
Kernel& kernel_of(const std::function<void()>& call);
void* dynamic_shared();
/// Lets another thread of the block go on: called where a real GPU's threads meet.
void yield();
void block_barrier();
/// Waits for the lanes of `mask` that have not ended; the exchange happens between two of these.
void warp_barrier(unsigned mask);
std::uint64_t& lane_slot(unsigned lane);
unsigned lane();
unsigned alive_lanes();
int& block_slot();

template <class T>
std::uint64_t to_slot(T v) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t s = 0;
  std::memcpy(&s, &v, sizeof v);
  return s;
}
template <class T>
T from_slot(std::uint64_t s) {
  T v;
  std::memcpy(&v, &s, sizeof v);
  return v;
}
/// Gives each lane what fn makes of the slots of all lanes.
template <class T, class Fn>
auto exchange(unsigned mask, T v, Fn fn) {
  lane_slot(lane()) = to_slot(v);
  warp_barrier(mask);
  auto r = fn();
  warp_barrier(mask);
  return r;
}
}  // namespace emulate

inline void __syncthreads() { emulate::block_barrier(); }
inline int __syncthreads_or(int v) {
  emulate::block_barrier();
  emulate::block_slot() = 0;
  emulate::block_barrier();
  if (v) emulate::block_slot() = 1;
  emulate::block_barrier();
  return emulate::block_slot();
}
inline int __syncthreads_and(int v) { return !__syncthreads_or(!v); }
inline int __syncthreads_count(int v) {
  emulate::block_barrier();
  emulate::block_slot() = 0;
  emulate::block_barrier();
  emulate::block_slot() += v != 0;
  emulate::block_barrier();
  return emulate::block_slot();
}
inline void __syncwarp(unsigned mask = ~0u) { emulate::warp_barrier(mask); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __nanosleep(unsigned) { emulate::yield(); }

inline unsigned __ballot_sync(unsigned mask, int on) {
  return emulate::exchange(mask, on, [=] {
    unsigned r = 0;
    for (unsigned k = 0; k < 32; ++k) {
      if ((mask & emulate::alive_lanes()) >> k & 1)
        r |= static_cast<unsigned>(emulate::from_slot<int>(emulate::lane_slot(k)) != 0) << k;
    }
    return r;
  });
}
inline int __any_sync(unsigned mask, int on) { return __ballot_sync(mask, on) != 0; }
inline int __all_sync(unsigned mask, int on) { return __ballot_sync(mask, !on) == 0; }
template <class T>
T __shfl_sync(unsigned mask, T v, int from, int width = 32) {
  return emulate::exchange(mask, v, [=] {
    const unsigned l = emulate::lane();
    return emulate::from_slot<T>(emulate::lane_slot((l & ~static_cast<unsigned>(width - 1)) |
                                                    (static_cast<unsigned>(from) & static_cast<unsigned>(width - 1))));
  });
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32) {
  return emulate::exchange(mask, v, [=] {
    const unsigned l = emulate::lane(), first = l & ~static_cast<unsigned>(width - 1);
    return emulate::from_slot<T>(emulate::lane_slot(l >= first + by ? l - by : l));
  });
}
template <class T>
T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32) {
  return emulate::exchange(mask, v, [=] {
    const unsigned l = emulate::lane(), end = (l & ~static_cast<unsigned>(width - 1)) + static_cast<unsigned>(width);
    return emulate::from_slot<T>(emulate::lane_slot(l + by < end ? l + by : l));
  });
}
template <class T>
T __shfl_xor_sync(unsigned mask, T v, int by, int = 32) {
  return emulate::exchange(
      mask, v, [=] { return emulate::from_slot<T>(emulate::lane_slot(emulate::lane() ^ static_cast<unsigned>(by))); });
}
template <class T>
unsigned __match_any_sync(unsigned mask, T v) {
  return emulate::exchange(mask, v, [=] {
    unsigned r = 0;
    for (unsigned k = 0; k < 32; ++k) {
      if ((mask & emulate::alive_lanes()) >> k & 1)
        r |= static_cast<unsigned>(emulate::lane_slot(k) == emulate::to_slot(v)) << k;
    }
    return r;
  });
}
template <class T, class Fn>
T reduce_lanes(unsigned mask, T v, Fn fn) {
  return emulate::exchange(mask, v, [=] {
    T r{};
    bool first = true;
    for (unsigned k = 0; k < 32; ++k) {
      if (!((mask & emulate::alive_lanes()) >> k & 1)) continue;
      const T o = emulate::from_slot<T>(emulate::lane_slot(k));
      r = first ? o : fn(r, o);
      first = false;
    }
    return r;
  });
}
template <class T>
T __reduce_min_sync(unsigned mask, T v) {
  return reduce_lanes(mask, v, [](T a, T b) { return a < b ? a : b; });
}
template <class T>
T __reduce_max_sync(unsigned mask, T v) {
  return reduce_lanes(mask, v, [](T a, T b) { return a > b ? a : b; });
}
template <class T>
T __reduce_add_sync(unsigned mask, T v) {
  return reduce_lanes(mask, v, [](T a, T b) { return static_cast<T>(a + b); });
}
template <class T>
T __reduce_or_sync(unsigned mask, T v) {
  return reduce_lanes(mask, v, [](T a, T b) { return static_cast<T>(a | b); });
}
inline unsigned __activemask() { return emulate::alive_lanes(); }

// ---------------------------------------------------------------- arithmetic

inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __clz(unsigned v) { return v ? __builtin_clz(v) : 32; }
inline int __clzll(unsigned long long v) { return v ? __builtin_clzll(v) : 64; }
inline int __ffs(unsigned v) { return __builtin_ffs(static_cast<int>(v)); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline unsigned __brev(unsigned v) {
  unsigned r = 0;
  for (int k = 0; k < 32; ++k) r |= (v >> k & 1) << (31 - k);
  return r;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long v = static_cast<unsigned long long>(b) << 32 | a;
  unsigned r = 0;
  for (int k = 0; k < 4; ++k) {
    const unsigned sel = s >> (4 * k) & 15;
    unsigned byte = static_cast<unsigned>(v >> (8 * (sel & 7))) & 255;
    if (sel & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * k);
  }
  return r;
}
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) << (s & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (s & 31));
}
inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? lo : __funnelshift_l(lo, hi, s); }
inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? hi : __funnelshift_r(lo, hi, s); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }
namespace emulate {
template <int Bits, class Fn>
unsigned by_parts(unsigned a, unsigned b, Fn fn) {
  constexpr unsigned mask = (1u << Bits) - 1;
  unsigned r = 0;
  for (int k = 0; k < 32; k += Bits) r |= (static_cast<unsigned>(fn(a >> k & mask, b >> k & mask)) & mask) << k;
  return r;
}
}  // namespace emulate
inline unsigned __vsetne4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x != y; });
}
inline unsigned __vseteq4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x == y; });
}
inline unsigned __vcmpne4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x != y ? 255 : 0; });
}
inline unsigned __vcmpeq4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x == y ? 255 : 0; });
}
inline unsigned __vcmpgtu4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x > y ? 255 : 0; });
}
inline unsigned __vminu4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x < y ? x : y; });
}
inline unsigned __vmaxu4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x > y ? x : y; });
}
inline unsigned __vminu2(unsigned a, unsigned b) {
  return emulate::by_parts<16>(a, b, [](unsigned x, unsigned y) { return x < y ? x : y; });
}
inline unsigned __vmaxu2(unsigned a, unsigned b) {
  return emulate::by_parts<16>(a, b, [](unsigned x, unsigned y) { return x > y ? x : y; });
}
inline unsigned __vsubus4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x > y ? x - y : 0; });
}
inline unsigned __vaddus4(unsigned a, unsigned b) {
  return emulate::by_parts<8>(a, b, [](unsigned x, unsigned y) { return x + y > 255 ? 255 : x + y; });
}
inline unsigned __vcmpgtu2(unsigned a, unsigned b) {
  return emulate::by_parts<16>(a, b, [](unsigned x, unsigned y) { return x > y ? 65535 : 0; });
}
inline unsigned __vcmpeq2(unsigned a, unsigned b) {
  return emulate::by_parts<16>(a, b, [](unsigned x, unsigned y) { return x == y ? 65535 : 0; });
}
inline unsigned __vcmpne2(unsigned a, unsigned b) {
  return emulate::by_parts<16>(a, b, [](unsigned x, unsigned y) { return x != y ? 65535 : 0; });
}
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  return __vminu2(emulate::by_parts<16>(a, b, [](unsigned x, unsigned y) { return x + y; }), c);
}
inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vmaxu2(a, b), c); }
inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vminu2(a, b), c); }
template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return static_cast<std::common_type_t<A, B>>(a) < static_cast<std::common_type_t<A, B>>(b) ? a : b;
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return static_cast<std::common_type_t<A, B>>(a) > static_cast<std::common_type_t<A, B>>(b) ? a : b;
}
using std::abs;
using std::sqrt;

// ---------------------------------------------------------------- atomics: each a place where the block's other threads may
// come first

namespace emulate {
template <class T, class Fn>
T atomic(T* p, Fn fn) {
  yield();
  const T old = *p;
  *p = fn(old);
  return old;
}
}  // namespace emulate
template <class T, class V>
T atomicAdd(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(o + static_cast<T>(v)); });
}
template <class T, class V>
T atomicSub(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(o - static_cast<T>(v)); });
}
template <class T, class V>
T atomicMin(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(v) < o ? static_cast<T>(v) : o; });
}
template <class T, class V>
T atomicMax(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(v) > o ? static_cast<T>(v) : o; });
}
template <class T, class V>
T atomicOr(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(o | static_cast<T>(v)); });
}
template <class T, class V>
T atomicAnd(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(o & static_cast<T>(v)); });
}
template <class T, class V>
T atomicXor(T* p, V v) {
  return emulate::atomic(p, [=](T o) { return static_cast<T>(o ^ static_cast<T>(v)); });
}
template <class T, class V>
T atomicExch(T* p, V v) {
  return emulate::atomic(p, [=](T) { return static_cast<T>(v); });
}
template <class T, class C, class V>
T atomicCAS(T* p, C c, V v) {
  return emulate::atomic(p, [=](T o) { return o == static_cast<T>(c) ? static_cast<T>(v) : o; });
}
template <class T>
T __ldg(const T* p) {
  return *p;
}
template <class T>
T __ldcg(const T* p) {
  return *p;
}
template <class T>
T __ldcs(const T* p) {
  return *p;
}
template <class T, class V>
void __stcs(T* p, V v) {
  *p = v;
}
template <class T, class V>
void __stcg(T* p, V v) {
  *p = v;
}

#include "runtime.h"
