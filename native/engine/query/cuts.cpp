// Stops a program at the step that cuts by a parameter, and counts how many of its values each pixel is above.
#include "cuts.hpp"

#include <algorithm>
#include <cmath>

#include "engine/program/step_witness.hpp"

namespace morpho::engine {
namespace {

/// The decision by which a step cuts at the parameter; null where it does not.
const Decision* cut_by(const Step& step, const std::string& param) {
  if (step.op != Op::threshold && step.op != Op::combine) return nullptr;
  for (const Decision& d : step.decisions)
    if (d.what == Decides::above && d.param == param) return &d;
  return nullptr;
}

class Cutter final : public StepWitness {
 public:
  Cutter(const CutSteps& steps, const Rect& core) : steps_(steps), core_(core) {}

  void before(const Step& step, const PlaneOf& plane) override {
    const Decision* d = cut_by(step, steps_.param);
    if (!d) return;
    found_ = true;
    const ConstPlane a = plane(step.in[0]);
    // What the limit would be at the first step, and how far one step moves it, in units of what is compared.
    const double per_step = d->per * steps_.step, from_low = d->per * (d->now - steps_.low);
    out.steps.resize(static_cast<std::size_t>(core_.width * core_.height));
    const auto note = [&](const auto& above) {
      for (i64 y = 0; y < core_.height; ++y) {
        for (i64 x = 0; x < core_.width; ++x) {
          const i64 at = (core_.y + y) * a.extent.width + core_.x + x;
          const double k = std::ceil((above(at) + from_low) / per_step - 1e-9);
          out.steps[static_cast<std::size_t>(y * core_.width + x)] = static_cast<u8>(std::clamp(k, 0.0, 255.0));
        }
      }
    };
    visit_pixel_type(a.type, [&](auto t) {
      using T = decltype(t);
      const T* value = static_cast<const T*>(a.data);
      if (step.op == Op::threshold) {
        const double limit = std::get<ThresholdParams>(step.params).above;
        note([=](i64 at) { return static_cast<double>(value[at]) - limit; });
      } else {
        const T* limit = static_cast<const T*>(plane(step.in[1]).view<T>().data);
        note([=](i64 at) { return static_cast<double>(value[at]) - static_cast<double>(limit[at]); });
      }
    });
    for (const Field& f : step.in)
      if (f.present()) leave_out(plane.unread(f));
  }
  void after(const Step&, const PlaneOf&) override {}
  /// Nothing after its cut is asked for.
  bool has_enough() const override { return found_; }
  Cuts out;

 private:
  void leave_out(const std::vector<Run>& unread) {
    const i32 dx = static_cast<i32>(core_.x), dy = static_cast<i32>(core_.y);
    std::vector<Run> of_core;
    of_core.reserve(unread.size());
    for (const Run& r : unread) of_core.push_back({r.y - dy, r.x0 - dx, r.x1 - dx});
    for (const Run& r : beyond(of_core, out.unread)) {
      std::fill_n(out.steps.begin() + static_cast<std::ptrdiff_t>(r.y * core_.width + r.x0), r.x1 - r.x0, u8{0});
      out.unread.push_back(r);
    }
  }
  const CutSteps& steps_;
  const Rect core_;
  bool found_ = false;
};

}  // namespace

Cuts cuts(const WindowJob& job, const CutSteps& steps, Resources& resources, const CancelFlag* cancel) {
  const Program& program = job.plan->program;
  if (std::none_of(program.steps.begin(), program.steps.end(),
                   [&](const Step& s) { return cut_by(s, steps.param) != nullptr; }))
    return {};
  Cutter cutter(steps, job.core);
  WindowJob watched = job;
  watched.witness = &cutter;
  watched.image = {};
  watched.want_planes = watched.keep_stages = false;
  watched.devices = {DeviceName{}};
  run_window_once(watched, resources, cancel);
  return std::move(cutter.out);
}

}  // namespace morpho::engine
