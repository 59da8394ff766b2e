// Fills the operation tables with the GPU implementations.
#include "cuda/gpu.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

/// An entry: the operation, on the context's own GPU.
template <auto op>
struct On;
template <class R, class... A, R (*op)(Context&, A...)>
struct On<op> {
  static R entry(Context& ctx, A... arguments) {
    enter(ctx);
    return op(ctx, arguments...);
  }
};

}  // namespace

const OpTable& table() {
#define MORPHO_ENTRY(name) .name = On<name>::entry,
  static const OpTable t = {.device = "gpu", MORPHO_OPERATIONS(MORPHO_ENTRY)};
#undef MORPHO_ENTRY
  return t;
}

const TiledTable& tiled_table() {
  static const TiledTable t = {.distance_strip = On<distance_strip>::entry};
  return t;
}

}  // namespace morpho::gpu
