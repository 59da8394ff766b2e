// The images of region_bench: larger than a tile, filled by all threads.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "engine/region/raster.hpp"

namespace morpho::bench {

/// fn(first row, end) on all threads.
template <class Fn>
void by_rows(i64 rows, int threads, Fn&& fn) {
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back([&, t] { fn(rows * t / threads, rows * (t + 1) / threads); });
  for (std::thread& t : all) t.join();
}

struct Picture {
  PixelType type;
  i64 side;
  std::unique_ptr<u8[]> data;
  Picture(PixelType t, i64 s) : type(t), side(s), data(new u8[static_cast<std::size_t>(s * s) * pixel_bytes(t)]) {}
  engine::region::MemoryRaster raster() const { return {type, side, side, data.get()}; }
};

/// `period` (n x n), mirrored until the picture is full.
inline void fill_mirrored(Picture& to, const std::vector<u8>& period, i64 n, int threads) {
  by_rows(to.side, threads, [&](i64 begin, i64 end) {
    for (i64 y = begin; y < end; ++y) {
      const i64 v = y % (2 * n) < n ? y % n : n - 1 - y % n;
      u8* row = to.data.get() + y * to.side;
      for (i64 x = 0; x < to.side; ++x)
        row[x] = period[static_cast<std::size_t>(v * n + (x % (2 * n) < n ? x % n : n - 1 - x % n))];
    }
  });
}

/// Leaves `share` percent of the picture's squares of 1024 px; the others become glass.
inline void clear_glass(Picture& to, int share, int threads) {
  by_rows(to.side, threads, [&](i64 begin, i64 end) {
    for (i64 y = begin; y < end; ++y) {
      for (i64 x = 0; x < to.side; x += 1024) {
        const u64 square = static_cast<u64>(y / 1024) * 2654435761u + static_cast<u64>(x / 1024) * 40503u;
        if (static_cast<int>((square ^ square >> 7) % 100) < share) continue;
        std::memset(to.data.get() + y * to.side + x, 0, static_cast<std::size_t>(std::min<i64>(1024, to.side - x)));
      }
    }
  });
}

}  // namespace morpho::bench
