// Marks the neighbours that come before each pixel in descending order.
#include "cpu/max_tree/higher_neighbours.hpp"

#include <bit>

#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

template <class T>
MORPHO_INLINE void mark_any_row(const T* f, u8* out, i32 width, i32 pitch) {
  const T *above = f - pitch, *below = f + pitch;
  MORPHO_APART for (i32 x = 0; x < width; ++x) {
    const T v = f[x];
    u8 m = above[x - 1] >= v;
    m = static_cast<u8>(m | (above[x] >= v) << 1);
    m = static_cast<u8>(m | (above[x + 1] >= v) << 2);
    m = static_cast<u8>(m | (f[x + 1] > v) << 3);
    m = static_cast<u8>(m | (below[x + 1] > v) << 4);
    m = static_cast<u8>(m | (below[x] > v) << 5);
    m = static_cast<u8>(m | (below[x - 1] > v) << 6);
    out[x] = static_cast<u8>(m | (f[x - 1] >= v) << 7);
  }
}
template <class T>
void mark_row(const T* f, u8* out, i32 width, i32 pitch) {
  widest([=](auto) MORPHO_INLINED { mark_any_row(f, out, width, pitch); });
}

}  // namespace

HigherNeighbours::HigherNeighbours(Connectivity connectivity, i32 pitch) {
  const i32 steps[8] = {-pitch - 1, -pitch, -pitch + 1, 1, pitch + 1, pitch, pitch - 1, -1};
  const bool eight = connectivity == Connectivity::eight;
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    std::uint32_t left = eight ? mask : mask & 0b10101010u;  // odd places are the 4-neighbours
    while (left) {
      std::uint32_t group = left & -left;
      for (std::uint32_t before = 0; before != group;) {
        before = group;
        // Neighbours in the ring touch; with 8-connectivity the 4-neighbours on both sides of a corner touch too.
        std::uint32_t next = std::rotl(static_cast<u8>(group), 1) | std::rotr(static_cast<u8>(group), 1);
        if (eight) {
          const u8 sides = static_cast<u8>(group & 0b10101010u);
          next |= std::rotl(sides, 2) | std::rotr(sides, 2);
        }
        group |= next & mask;
      }
      Ways& w = ways[mask];
      w.step[w.count++] = static_cast<std::int16_t>(steps[std::countr_zero(left & group)]);
      left &= ~group;
    }
  }
}

template <class T>
void HigherNeighbours::mark(const T* f, u8* higher, i32 width, i32 height, i32 pitch) const {
  constexpr u8 west = 0b11000001, east = 0b00011100, north = 0b00000111, south = 0b01110000;
  for (i32 y = 0; y < height; ++y) {
    u8* row = higher + static_cast<i64>(y) * pitch;
    mark_row(f + static_cast<i64>(y) * pitch, row, width, pitch);
    row[0] &= static_cast<u8>(~west);
    row[width - 1] &= static_cast<u8>(~east);
  }
  for (i32 x = 0; x < width; ++x) {
    higher[x] &= static_cast<u8>(~north);
    higher[static_cast<i64>(height - 1) * pitch + x] &= static_cast<u8>(~south);
  }
}
template void HigherNeighbours::mark<u8>(const u8*, u8*, i32, i32, i32) const;
template void HigherNeighbours::mark<u16>(const u16*, u8*, i32, i32, i32) const;

}  // namespace morpho::cpu
