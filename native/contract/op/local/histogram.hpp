// histogram: how often each grey value occurs.
#pragma once
#include "../operation.hpp"

namespace morpho::op {

/// Counts of each grey value: 256 bins for u8, 65536 for u16. `bins` is overwritten (host memory).
struct histogram : ArrayOperation<void(Context&, ConstPlane, u64*)> {
  static void check(const ConstPlane& f, const u64* bins) {
    require_plane("f", f);
    require_type("f", f, {PixelType::u8, PixelType::u16});
    if (!bins) reject("bins", "room for the counts", "a null pointer");
  }
  /// 256 KiB a thread (u8 below 2^19 pixels: 8 KiB).
  static i64 cpu_need(const need::Image& i) {
    return i.workers() * (i.bytes() == 1 && i.area() < (1 << 19) ? 8192 : 262144) + need::kSlack;
  }
};

}  // namespace morpho::op
