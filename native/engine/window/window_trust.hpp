// What may be believed of a window, followed beside its interpreter: certainty beyond its cuts, and what unread pixels change.
#pragma once
#include <optional>
#include <vector>

#include "ground.hpp"
#include "engine/certainty/certainty_analysis.hpp"
#include "window_job.hpp"

namespace morpho::engine {

/// With what is unknown of the background that the window stands on.
inline Unseen unseen_of(const WindowJob& job, const WindowPixels& pixels) {
  Unseen unseen{job.cut(), pixels.unread};
  if (job.ground) unseen.unread.background = job.ground->unknown({job.x, job.y, job.extent.width, job.extent.height});
  return unseen;
}

/// Sees whole planes. Nothing is followed where nobody asked what is certain and everything was read. Where both are asked the
/// program is followed twice: once with all that is uncertain, and once as if everything had been read, which tells what a
/// larger window may settle.
class WindowTrust {
 public:
  using Host = CertaintyAnalysis::Host;
  WindowTrust(const Program& program, Extent extent, const Rect& core, bool certify, const Unseen& unseen, const Host& host)
      : core_(core) {
    const bool all_read = unseen.unread.empty();
    if (!certify && all_read) return;
    const CutSides cut = certify ? unseen.cut : CutSides{};
    Unseen all{cut, unseen.unread};
    // Where nothing was read along a side the window ends there, as where it is cut.
    for (const auto* rects : {&unseen.unread.pixels, &unseen.unread.background}) {
      const Rect read = read_part(*rects, extent);
      CutSides& s = all.cut;
      s = {s.left || read.x > 0, s.top || read.y > 0, s.right || read.x + read.width < extent.width,
           s.bottom || read.y + read.height < extent.height};
    }
    all_.emplace(program, extent, core, all, host);
    if (certify && !all_read) by_cut_.emplace(program, extent, core, Unseen{cut, {}}, host);
    reads_ = !all_read;
  }
  bool follows() const { return all_.has_value(); }
  /// Around each step, whose planes are as they are then; what is brought to the host for it goes again.
  void before(const Step& step, Workspace& host) {
    const Workspace::Scope temporary(host);
    if (all_) all_->before(step);
    if (by_cut_) by_cut_->before(step);
  }
  void after(const Step& step, Workspace& host) {
    const Workspace::Scope temporary(host);
    if (all_) all_->after(step);
    if (by_cut_) by_cut_->after(step);
  }
  /// Those of a plane's pixels in the core that unread pixels could change.
  std::vector<Run> unread(Field f) {
    if (!reads_) return {};
    std::vector<Run> all = all_->uncertain(f);
    return by_cut_ ? beyond(all, by_cut_->uncertain(f)) : all;
  }
  /// After the last step.
  Trust trust() {
    if (!all_) return {};
    Trust all = all_->certainty();
    if (!reads_) return all;
    if (by_cut_) return by_reason(all, by_cut_->certainty(), core_);
    Trust unasked = untold(core_);
    if (all.known) unasked.unreadable = std::move(all.cut);
    return unasked;
  }

  /// Of a window of which all was read: between two steps, to go on from there in another run of it.
  std::optional<CertaintyState> state() const { return all_ ? std::optional(all_->state()) : std::nullopt; }
  void restore(const CertaintyState& state) { all_->restore(state); }

 private:
  const Rect core_;
  bool reads_ = false;  ///< something was not read
  std::optional<CertaintyAnalysis> all_, by_cut_;
};

}  // namespace morpho::engine
