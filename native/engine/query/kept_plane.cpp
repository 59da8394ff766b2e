// Stops a program behind the step that keeps an intermediate image.
#include "kept_plane.hpp"

#include <algorithm>

#include "engine/program/step_witness.hpp"

namespace morpho::engine {
namespace {

bool keeps(const Step& step, const std::string& name) { return step.op == Op::keep && name == step.name; }

class UntilKept final : public StepWitness {
 public:
  explicit UntilKept(const std::string& name) : name_(name) {}
  void before(const Step&, const PlaneOf&) override {}
  void after(const Step& step, const PlaneOf&) override { kept_ = kept_ || keeps(step, name_); }
  bool has_enough() const override { return kept_; }

 private:
  const std::string& name_;
  bool kept_ = false;
};

}  // namespace

std::optional<NamedPlane> kept_plane(const WindowJob& job, const std::string& name, Resources& resources,
                                     const CancelFlag* cancel) {
  const auto& steps = job.plan->program.steps;
  if (std::none_of(steps.begin(), steps.end(), [&](const Step& s) { return keeps(s, name); })) return std::nullopt;
  UntilKept until(name);
  WindowJob watched = job;
  watched.witness = &until;
  watched.image = {};
  watched.want_planes = true;
  watched.want_overlapping = watched.keep_stages = false;
  watched.devices = {DeviceName{}};
  auto planes = run_window_once(watched, resources, cancel).output.planes;
  const auto found = std::find_if(planes.begin(), planes.end(), [&](const NamedPlane& p) { return p.name == name; });
  return found == planes.end() ? std::nullopt : std::optional(std::move(*found));
}

}  // namespace morpho::engine
