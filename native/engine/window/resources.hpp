// What all calls share: memory, opened devices, their scheduler, and results that later calls may use.
#pragma once
#include "engine/device/device_scheduler.hpp"
#include "engine/device/exclusive.hpp"
#include "engine/device/workspace_pool.hpp"
#include "stage_memo.hpp"
#include "tree_memo.hpp"

namespace morpho::engine {

/// What windows are computed with, kept between them. Thread-safe.
struct Resources {
  struct LargerWindow {
    friend bool same(const LargerWindow&, const LargerWindow&) { return true; }
  };
  /// Held while a window is computed that has grown larger than the one it grew from, and than kFreelyGrownPixels: so many at a
  /// time as there is memory for (WindowJob::larger_at_once), each of kMostGrownPixels at most.
  Exclusive<LargerWindow> larger_windows;
  WorkspacePool workspaces;
  PinnedPool pinned;  ///< after the GPUs' last use of it
  OpenGpus gpus;
  DeviceScheduler scheduler;
  /// A field of 8 Mpx, as large as screens are.
  StageMemo stages{320u << 20};
  /// Some eight fields of 1 Mpx.
  TreeMemo trees{160u << 20};
};

}  // namespace morpho::engine
