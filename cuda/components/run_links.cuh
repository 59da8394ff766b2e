// What connects the runs of words, the numbers of the runs that a link leads to, and the union-find that joins them.
#pragma once
#include "cuda/components/components.cuh"

namespace morpho::gpu {

// ---- what connects the runs

/// A word's pixels and what connects them to the word to the left and to the row above.
struct WordLinks {
  u32 fg = 0, starts = 0, up = 0, up_left = 0, up_right = 0;
  bool left = false;    ///< bit 0 to the word before
  bool square = false;  ///< … which a way over the row above does too
};
template <bool Valued>
__device__ WordLinks links_of(const LinkWords& m, i32 y, i32 w) {
  const i64 i = static_cast<i64>(y) * m.words + w, above = i - m.words;
  WordLinks k;
  k.fg = m.fg[i];
  if (k.fg == 0) return k;
  if constexpr (Valued) {
    k.starts = starts_of<Valued>(m, i);
    k.up = m.up[i];
    k.up_left = m.up_left[i];
    k.up_right = m.up_right[i];
    k.left = m.left[i] & 1;
    k.square = k.left && k.up & 1 && m.left[above] & 1 && m.up[i - 1] >> 31;
  } else {
    const bool more = w + 1 < m.words;
    const u32 before = w > 0 ? m.fg[i - 1] : 0;
    const u32 a = y > 0 ? m.fg[above] : 0, a_before = y > 0 && w > 0 ? m.fg[above - 1] : 0;
    k.starts = k.fg & ~(k.fg << 1);
    k.left = k.fg & before >> 31;
    k.up = k.fg & a;
    k.square = k.left && k.up & 1 && a_before >> 31;
    if (m.eight) {
      const u32 after = more ? m.fg[i + 1] : 0, a_after = y > 0 && more ? m.fg[above + 1] : 0;
      k.up_left = k.fg & ~a & (a << 1 | a_before >> 31) & ~(k.fg << 1 | before >> 31);
      k.up_right = k.fg & ~a & (a >> 1 | a_after << 31) & ~(k.fg >> 1 | after << 31);
    }
  }
  return k;
}

// Numbers of the runs that a link leads to, from those of a word's `first` run. Runs of neighbouring words follow each other,
// so that first - 1 is the last run of the word before, and first + all the first of the word after.

/// The run of pixel `bit`.
__device__ inline i32 run_at(i32 first, u32 starts, i32 bit) { return first + __popc(starts & (kFullWarp >> (31 - bit))) - 1; }
/// The run that ends left of `bit`; of bit 0 in the word before.
__device__ inline i32 run_before(i32 first, u32 starts, i32 bit) { return first + __popc(starts & ((1u << bit) - 1)) - 1; }
/// The run that begins right of `bit`; of bit 31 in the word after.
__device__ inline i32 run_after(i32 first, u32 starts, i32 bit) { return first + __popc(starts & (kFullWarp >> (31 - bit))); }

/// The pixels of `up` that must be told: of several that connect the same two runs side by side only the first.
__device__ inline u32 first_of(u32 up, u32 starts) { return up & ~(up << 1 & ~starts); }

// ---- union-find with atomicMin: parents only ever decrease, so a lost race is seen in the value that atomicMin returns

__device__ inline i32 load_parent(const i32* p) { return *static_cast<const volatile i32*>(p); }
__device__ inline void store_parent(i32* p, i32 v) { *static_cast<volatile i32*>(p) = v; }

__device__ inline i32 find_root(const i32* parent, i32 a) {
  for (i32 next = load_parent(parent + a); next != a; next = load_parent(parent + a)) a = next;
  return a;
}
/// The same, and what it passes then leads to its parent's parent. Where another thread has joined a run meanwhile, that thread
/// still has to join the run's former parent, and joins with it all that leads there: a shorter way that comes last loses
/// nothing.
__device__ inline i32 find_and_shorten(i32* parent, i32 a) {
  for (i32 next = load_parent(parent + a); next != a; next = load_parent(parent + a)) {
    const i32 over = load_parent(parent + next);
    if (over == next) return next;
    atomicMin(parent + a, over);
    a = over;
  }
  return a;
}
/// Joins two components. If another thread has given `a` a smaller parent meanwhile, that one must be joined with b too.
template <bool Shorten>
__device__ void unite(i32* parent, i32 a, i32 b) {
  for (;;) {
    a = Shorten ? find_and_shorten(parent, a) : find_root(parent, a);
    b = Shorten ? find_and_shorten(parent, b) : find_root(parent, b);
    if (a == b) return;
    if (a < b) {
      const i32 t = a;
      a = b;
      b = t;
    }
    const i32 old = atomicMin(parent + a, b);
    if (old == a) return;
    a = old;
  }
}

}  // namespace morpho::gpu
