// What a channel's value counts for in a stain, on the CPU and on the GPU alike.
#pragma once
#include "ops.hpp"
#include "tables.hpp"

namespace morpho {

/// In 1/1024 (kOdUnit): optical density, or the value itself as a share of 256.
inline void stain_table(const StainParams& p, int channel, i32 table[256]) {
  if (!p.intensity) return od_table(p.white[channel], table);
  for (i32 v = 0; v < 256; ++v) table[v] = v * (kOdUnit / 256);
}

}  // namespace morpho
