// Fills the operation tables with the CPU implementations.
#include "cpu/cpu_ops.hpp"

namespace morpho::cpu {

const OpTable& table() {
#define MORPHO_ENTRY(name) .name = name,
  static const OpTable t = {.device = "cpu", MORPHO_OPERATIONS(MORPHO_ENTRY)};
#undef MORPHO_ENTRY
  return t;
}

const TiledTable& tiled_table() {
  static const TiledTable t = {.distance_strip = distance_strip};
  return t;
}

}  // namespace morpho::cpu
