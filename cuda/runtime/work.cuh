// What a tile queue has counted, for who asks what operations did (contract/work_log.hpp).
#pragma once
#include "contract/work_log.hpp"
#include "cuda/runtime/device.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {

/// Enqueues a copy of the queue's counters as they are when what was enqueued before is done: 16 bytes within the device.
/// `otherwise`: the variant where the queue has given up. Nothing waits.
inline void note_queue(Context& ctx, Work w, const char* otherwise, const TileQueue& queue) {
  static_assert(sizeof(WorkLog::Counters) == 4 * sizeof(u32));
  if (!ctx.work) return;
  if (WorkLog::Counters* slot = ctx.work->add_later(std::move(w), otherwise))
    MORPHO_CUDA(cudaMemcpyAsync(slot, queue.counters, sizeof(*slot), cudaMemcpyDeviceToDevice, stream_of(ctx)));
}

}  // namespace morpho::gpu
