// What belongs to one loaded instance of the addon (a Node thread): its classes, its running calls, its working memory.
#pragma once
#include <napi.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "../contract/context.hpp"
#include "engine/region/ground.hpp"
#include "engine/window/window.hpp"
#include "../export/packed_objects.hpp"
#include "work.hpp"

namespace morpho::addon {

using engine::WorkspacePool;

struct Instance {
  Napi::FunctionReference slide_class, cancel_class, ground_class, plan_class;
  /// What the next constructed SlideHandle takes; null where a script calls the constructor itself.
  std::shared_ptr<slide::Slide> pending_slide;
  bool pending_token = false;
  /// What the next constructed ground takes; null where a script calls the constructor itself.
  std::shared_ptr<const engine::region::WholeGround> pending_ground;
  engine::PlanPtr pending_plan;  ///< as pending_ground
  /// Shared with workers, which may outlive the instance.
  std::shared_ptr<engine::Resources> resources = std::make_shared<engine::Resources>();
  std::optional<gpu::DeviceList> gpus;  ///< once somebody has asked

  /// Remembers a flag, so that cancel_all() stops the call that looks at it.
  void track(const CancelPtr& flag);
  void cancel_all();
  static Instance& of(Napi::Env env) { return *env.GetInstanceData<Instance>(); }

 private:
  std::vector<std::weak_ptr<CancelFlag>> flags_;
};

/// The token class: createCancelToken() -> { cancel(), cancelled }.
void define_cancel_token(Napi::Env env, Napi::Object exports);
/// The flag of a token, or a fresh one where none is given; either way it is tracked. Throws INVALID_PARAMETER for anything
/// else.
CancelPtr get_cancel(Napi::Env env, Napi::Value value);

/// "cpu" where not given. Throws INVALID_PARAMETER for what names no device; one that is not there shows when it is used.
engine::DeviceName get_device(Napi::Value value);
/// One or several: engine::parse_devices.
std::vector<engine::DeviceName> get_devices(Napi::Value value);

/// The slide classes and functions: openSlide, memorySlide.
void define_slides(Napi::Env env, Napi::Object exports);
/// The open slide behind a handle. Throws INVALID_PARAMETER for anything else and for a closed one.
std::shared_ptr<slide::Slide> get_slide(Napi::Value value, const std::string& name);

/// What JavaScript says a read may cost.
struct StatedLimits {
  std::chrono::milliseconds deadline{0};
  double most_level_px_per_px = 0;
  int threads = 1;
  bool rough = false;
  bool whole = false;
  bool deep = false;
  /// Call on the thread that reads: its clock runs from here.
  engine::ReadLimits begin(const CancelFlag* cancel) const;
};
/// { deadlineMs, mostLevelPxPerPx, threads, rough, whole, deep }, all optional, or undefined. Throws INVALID_PARAMETER.
StatedLimits get_limits(Napi::Value value);
/// Sets unreadable, sampledEvery and timedOut.
void report_to_js(Napi::Object o, const std::vector<slide::Unreadable>& unreadable, const engine::ReadReport& report);

/// pipelines, haloPx, overview, runWindow, stainChannel.
void define_runs(Napi::Env env, Napi::Object exports);
void define_explain(Napi::Env env, Napi::Object exports);
/// The plan class and planOf.
void define_plan(Napi::Env env, Napi::Object exports);
/// The plan behind a handle. Throws INVALID_PARAMETER for anything else.
engine::PlanPtr get_plan(Napi::Value value);
/// The ground class and computeGround.
void define_ground(Napi::Env env, Napi::Object exports);
/// null where none is given. Throws INVALID_PARAMETER for anything else.
std::shared_ptr<const engine::Ground> get_ground(Napi::Value value);
/// ops, callOp.
void define_ops(Napi::Env env, Napi::Object exports);
/// regionOps, callRegion.
void define_regions(Napi::Env env, Napi::Object exports);
/// traceOutlines.
void define_outlines(Napi::Env env, Napi::Object exports);
/// paintIds, paintTile.
void define_paint(Napi::Env env, Napi::Object exports);
/// paintOutlines, paintRims, dropAlpha.
void define_pictures(Napi::Env env, Napi::Object exports);
/// colorProfile.
void define_profiles(Napi::Env env, Napi::Object exports);
/// tiffNumbers, tiffRows.
void define_tiff_numbers(Napi::Env env, Napi::Object exports);
/// The table behind what objectTable gave, which keeps its memory. Throws INVALID_PARAMETER for anything else.
const exports::ObjectTable& get_table(Napi::Value value);
/// packedColumns, scoreTable, objectTable, formatObjects.
void define_exports(Napi::Env env, Napi::Object exports);
/// decodeJpegs, tiffTiles.
void define_floors(Napi::Env env, Napi::Object exports);

}  // namespace morpho::addon
