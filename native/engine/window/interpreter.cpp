// Interprets a program on one window: each step is a call of the backend's table, in the order in which it was recorded.
#include "interpreter.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "../../contract/choices.hpp"
#include "../../contract/op/call.hpp"
#include "ground.hpp"
#include "kept_stages.hpp"
#include "stage_clock.hpp"
#include "engine/certainty/rims.hpp"
#include "window_trust.hpp"
#include "engine/program/step_witness.hpp"

namespace morpho::engine {
namespace {

class Interpreter {
 public:
  Interpreter(Backend& backend, const ProgramPtr& program, const WindowJob& job, const WindowPixels& pixels, WindowOutput* out)
      : backend_(backend),
        scope_(backend.context().workspace),
        host_scope_(backend.host_workspace()),
        ops_(backend.ops()),
        ctx_(backend.context()),
        held_program_(program),
        program_(*program),
        job_(job),
        pixels_(pixels),
        extent_(pixels.rgba.extent),
        rgba_(uploaded(pixels.rgba)),
        unseen_(unseen_of(job, pixels)),
        looking_(job.want_planes && out != nullptr),
        out_(out),
        planes_(program->planes.size()),
        registers_(static_cast<std::size_t>(program->registers)),
        clock_(backend) {
    if (!out || extent_.empty()) return;
    // Unread pixels lie anywhere, and rims at the cut sides.
    if (!backend.on_host() && pixels.rims && job.certify() && unseen_.unread.empty() && Rims::are_deep(*program)) {
      rims_ = std::make_shared<Rims>(backend, program, extent_, job.core, unseen_.cut);
      return;
    }
    trust_.emplace(program_, extent_, job.core, job.certify(), unseen_,
                   [this](Field f) -> SeenPlane { return {seen(at(f)), at(f).type}; });
    if (!trust_->follows()) trust_.reset();
  }

  void run() {
    std::size_t at = begin();
    try {
      while (at < program_.steps.size()) {
        if (keeping_ && program_.steps[at].op == Op::stage) note(at);
        at = one(at);
      }
    } catch (const Cancelled&) {
      // A slider that moves on cancels one window after the other: each begins where the one before it ended.
      if (stages_) stages_->after = std::move(keeping_);
      throw;
    }
    if (stages_) stages_->after = std::move(keeping_);
    if (rims_) rims_->fetch(backend_, pixels_.rims);
    if (out_) clock_.tell(extent_.area(), out_->timings);
    if (trust_) out_->trust = trust_->trust();
    if (rims_) out_->rims = std::move(rims_);
  }
  i32 value(Register r) const { return registers_[static_cast<std::size_t>(r.number)]; }

 private:
  /// The steps from `at` to the end of the block that they are in; returns the place after that.
  std::size_t block(std::size_t at) {
    while (at < program_.steps.size()) {
      if (program_.steps[at].op == Op::end) return at + 1;
      at = one(at);
    }
    return at;
  }
  /// The step at `at`, or the block that it begins; returns the place after that.
  std::size_t one(std::size_t at) {
    const Step& step = program_.steps[at];
    switch (step.op) {
      case Op::stage: return stage(step.name, at + 1);
      case Op::look:
        if (!looking_) return after_block(program_, at + 1);
        [[fallthrough]];
      case Op::scope: {
        const Workspace::Scope temporary(ctx_.workspace);
        const int look = step.op == Op::look;
        looks_ += look;
        at = block(at + 1);
        looks_ -= look;
        return at;
      }
      default: followed(step); return ended_ ? program_.steps.size() : at + 1;
    }
  }

  /// Where to begin: after what an earlier run of this window left, as far as its program was the same.
  std::size_t begin() {
    // What could not be read may be readable the next time.
    if (!pixels_.stages || !out_ || !backend_.on_host() || !unseen_.unread.empty()) return 0;
    stages_ = pixels_.stages;
    keeping_ = std::make_shared<KeptStages>();
    keeping_->program = held_program_;
    keeping_->looking = looking_;
    held_.resize(program_.planes.size());
    const KeptStages* before = stages_->before.get();
    const StageState* state = before ? before->state_for(program_, looking_, trust_.has_value()) : nullptr;
    if (!state) return 0;
    keeping_->states = before->states_before(*state, looking_);
    int depth = 0;
    for (std::size_t k = 0; k < state->at; ++k) {
      const Step& step = program_.steps[k];
      depth += step.op == Op::end ? -1 : begins_block(step.op);
      if (step.op == Op::take && depth == 0) take(step.out[0]);
      if (step.op == Op::stage) clock_.skipped(step.name);
    }
    for (const auto& [field, bytes] : state->planes) {
      std::memcpy(planes_[field].data, bytes->data(), bytes->size());
      held_[field] = bytes;
    }
    std::copy_n(state->registers.begin(), std::min(state->registers.size(), registers_.size()), registers_.begin());
    if (trust_) trust_->restore(*state->analysis);
    if (looking_) looked_at_ = state->looked_at;
    for (const auto& plane : looked_at_) out_->planes.push_back(*plane);
    return state->at;
  }
  /// Keeps what the steps from `at` on look at.
  void note(std::size_t at) {
    try {
      StageState state;
      state.at = at;
      for (const std::size_t field : needed_from(program_, at)) {
        if (!held_[field]) {
          const Plane& p = planes_[field];
          const u8* from = static_cast<const u8*>(p.data);
          held_[field] = std::make_shared<const std::vector<u8>>(
              from, from + static_cast<std::size_t>(extent_.area()) * pixel_bytes(p.type));
        }
        state.planes.emplace_back(field, held_[field]);
      }
      state.registers = registers_;
      for (std::size_t k = looked_at_.size(); k < out_->planes.size(); ++k)
        looked_at_.push_back(std::make_shared<const NamedPlane>(out_->planes[k]));
      state.looked_at = looked_at_;
      if (trust_) state.analysis = trust_->state();
      keeping_->states.push_back(std::move(state));
    } catch (const std::bad_alloc&) {
      // The window itself is what was asked for.
      keeping_.reset();
      held_.assign(held_.size(), nullptr);
    }
  }
  /// Refuses to start once cancelled, and notes what it cost but for its transfers. What it took goes when it ends: what is
  /// enqueued later comes later. The host does not wait for its end.
  std::size_t stage(const char* name, std::size_t at) {
    ctx_.check_cancelled();
    StageClock::Span span = clock_.begun(name);
    {
      const Workspace::Scope temporary(ctx_.workspace), host_temporary(backend_.host_workspace());
      const HeldChoices chosen(ctx_, program_.choices_of(name));
      at = block(at);
    }
    clock_.ended(span);
    return at;
  }

  Plane at(Field f) const { return f.present() ? planes_[static_cast<std::size_t>(f.number)] : Plane{}; }
  template <class P>
  static const P& params(const Step& s) {
    return std::get<P>(s.params);
  }

  void followed(const Step& step) {
    if (keeping_) {
      for (const Field& f : step.out) held_[static_cast<std::size_t>(f.number)].reset();
    }
    const auto plane = [this](Field f) -> ConstPlane { return at(f); };
    if (!job_.witness) return computed(step, plane);
    const PlaneOf watched(plane, [this](Field f) { return trust_ ? trust_->unread(f) : std::vector<Run>{}; });
    job_.witness->before(step, watched);
    ended_ = job_.witness->has_enough();
    if (ended_) return;
    computed(step, plane);
    job_.witness->after(step, watched);
  }
  template <class PlaneAt>
  void computed(const Step& step, const PlaneAt& plane) {
    // Who watches a window for a plane may watch what is for looking at alone.
    if (looks_ > 0 && (!job_.witness || job_.certify())) compute(step);
    else followed(step, plane);
  }
  template <class PlaneAt>
  void followed(const Step& step, const PlaneAt& plane) {
    if (rims_) rims_->before(backend_, plane);
    if (trust_) trust_->before(step, backend_.host_workspace());
    compute(step);
    if (rims_) rims_->after(backend_, plane);
    if (trust_) trust_->after(step, backend_.host_workspace());
  }
  /// What a step gives an entry of the table, in the order of its arguments.
  struct Arguments {
    const Interpreter& run;
    const Step& step;
    std::size_t inputs = 0, outputs = 0;
    ConstPlane in() { return run.at(step.in[inputs++]); }
    Plane out() { return run.at(step.out[outputs++]); }
    View<const Rgba> rgba() const { return run.rgba_; }
    template <class P>
    const P& params() const {
      return std::get<P>(step.params);
    }
  };
  template <class R, class... A>
  void call(const Step& s, R (*entry)(Context&, A...)) {
    if constexpr (std::is_void_v<R>) {
      op::call(entry, ctx_, Arguments{*this, s});
    } else {
      const R value = op::call(entry, ctx_, Arguments{*this, s});
      if (s.result.number >= 0) set(s.result, value);
    }
  }
  void compute(const Step& s) {
    const auto in = [&](std::size_t k) -> ConstPlane { return at(s.in[k]); };
    const auto out = [&](std::size_t k = 0) { return at(s.out[k]); };
    switch (s.op) {
      case Op::stage:
      case Op::scope:
      case Op::look:
      case Op::end: return;
      case Op::take: return take(s.out[0]);
      case Op::keep: return keep(s.name, in(0), params<KeepParams>(s).binary);
#define MORPHO_OP(name) \
  case Op::name: return call(s, op::EntryOf<op::name>::of(ops_));
        MORPHO_IMAGE_OPERATIONS(MORPHO_OP)
#undef MORPHO_OP
      case Op::ground: return take_ground(out());
      case Op::sample: return take_samples(out());
      case Op::fill_small_holes: return step::fill_small_holes::run(ops_, ctx_, in(0), out(), params<AreaFilterParams>(s));
      case Op::choose_labels:
        return step::choose_labels::run(ops_, ctx_, in(0), value(s.count), in(1), in(2), out(), params<LabelRule>(s));
      case Op::better_labels:
        return step::better_labels::run(ops_, ctx_, in(0), value(s.count), in(1), value(s.also), in(2), out(),
                                        params<PreferenceRule>(s));
      case Op::choose_nodes:
        return step::choose_nodes::run(ops_, ctx_, in(0), in(1), in(2), out(0), out(1), params<NodeRule>(s));
      case Op::otsu: return set(s.result, step::otsu::run(ops_, ctx_, in(0), params<LevelParams>(s)));
      case Op::clear_cut_rims: return clear_cut_rims(out(), params<CutRimParams>(s).reach);
      case Op::measure:
        if (out_) ops_.measure(ctx_, in(0), rgba_, in(1), in(2), out_->objects, params<MeasureParams>(s));
        return;
    }
  }

  void take(Field f) {
    const auto k = static_cast<std::size_t>(f.number);
    const PixelType type = program_.planes[k];
    planes_[k] = Plane(ctx_.workspace.take<u8>(static_cast<std::size_t>(extent_.area()) * pixel_bytes(type)), type, extent_);
  }
  void take_ground(Plane out) {
    const std::size_t row = static_cast<std::size_t>(extent_.width) * pixel_bytes(out.type);
    const std::size_t bytes = row * static_cast<std::size_t>(extent_.height);
    void* to = backend_.on_host() ? out.data : backend_.host_workspace().take<u8>(bytes);
    job_.ground->read({job_.x, job_.y, extent_.width, extent_.height}, to, row);
    if (!backend_.on_host()) backend_.upload(out.data, to, bytes);  // sync: the window's part of it, once
  }
  void take_samples(Plane out) {
    const View<const u16>& from = pixels_.deep;
    if (!(from.extent == extent_)) throw Error(ErrorCode::internal, "a recipe at 16 bits came without its samples");
    if (extent_.empty()) return;
    const auto height = static_cast<std::size_t>(extent_.height);
    const std::size_t row = static_cast<std::size_t>(extent_.width) * sizeof(u16);
    const std::size_t pitch = static_cast<std::size_t>(from.stride) * sizeof(u16);
    if (!backend_.on_host()) return backend_.upload_rows(out.data, from.data, pitch, row, height);  // sync: the window, once
    for (i32 y = 0; y < extent_.height; ++y) std::memcpy(out.view<u16>().row(y), from.row(y), row);
  }
  void set(Register r, i32 value) { registers_[static_cast<std::size_t>(r.number)] = value; }
  void clear_cut_rims(Plane p, i32 reach) {
    const auto rim = [&](bool is_cut, i32 size) { return is_cut ? std::min(reach, size) : 0; };
    const i32 left = rim(unseen_.cut.left, extent_.width), right = rim(unseen_.cut.right, extent_.width);
    const i32 top = rim(unseen_.cut.top, extent_.height), bottom = rim(unseen_.cut.bottom, extent_.height);
    if (left + right + top + bottom > 0) ops_.clear_rim(ctx_, p, {left, top, right, bottom});
  }

  void keep(const char* name, ConstPlane p, bool binary) {
    if (!looking_) return;
    if (pixels_.planes) {
      const std::size_t bytes = static_cast<std::size_t>(p.extent.area()) * pixel_bytes(p.type);
      u8* to = pixels_.planes(bytes);
      if (backend_.on_host()) std::memcpy(to, p.data, bytes);
      else backend_.download(to, p.data, bytes);  // sync: who asked has the plane next
      return;
    }
    const Rect& core = job_.core;
    NamedPlane kept{name, p.type, binary, {static_cast<i32>(core.width), static_cast<i32>(core.height)}, {}};
    const Workspace::Scope temporary(backend_.host_workspace());
    const std::size_t pixel = pixel_bytes(p.type), row = static_cast<std::size_t>(core.width) * pixel;
    kept.bytes.resize(row * static_cast<std::size_t>(core.height));
    const u8* from = seen(p);
    for (i64 y = 0; y < core.height; ++y) {
      const i64 start = (core.y + y) * p.stride + core.x;
      if (row)
        std::memcpy(kept.bytes.data() + static_cast<std::size_t>(y) * row, from + static_cast<std::size_t>(start) * pixel, row);
    }
    out_->planes.push_back(std::move(kept));
  }
  const u8* seen(ConstPlane p) {
    return read(static_cast<const u8*>(p.data), static_cast<std::size_t>(p.extent.area()) * pixel_bytes(p.type));  // no gaps
  }
  /// n elements in the backend's memory as the host sees them. sync: nothing moves on the CPU; a GPU's are downloaded, valid as
  /// long as the backend's host workspace keeps them.
  const u8* read(const u8* from, std::size_t n) {
    if (backend_.on_host() || n == 0) return from;
    u8* copy = backend_.host_workspace().take<u8>(n);
    backend_.download(copy, from, n);  // sync: the caller looks at them
    return copy;
  }
  View<const Rgba> uploaded(View<const Rgba> host) {
    if (backend_.on_host() || host.extent.empty()) return host;
    const std::size_t width = static_cast<std::size_t>(host.width());
    Rgba* to = ctx_.workspace.take<Rgba>(static_cast<std::size_t>(host.extent.area()));
    // sync: the window, once
    backend_.upload_rows(to, host.data, static_cast<std::size_t>(host.stride) * sizeof(Rgba), width * sizeof(Rgba),
                         static_cast<std::size_t>(host.height()));
    return View<const Rgba>(to, host.extent);
  }
  Backend& backend_;
  Workspace::Scope scope_, host_scope_;  // before all that takes memory
  const OpTable& ops_;
  Context& ctx_;
  const ProgramPtr& held_program_;
  const Program& program_;
  const WindowJob& job_;
  const WindowPixels& pixels_;
  const Extent extent_;
  const View<const Rgba> rgba_;
  const Unseen unseen_;
  const bool looking_;
  WindowOutput* const out_;
  std::vector<Plane> planes_;  ///< by field
  std::vector<i32> registers_;
  StageClock clock_;
  std::optional<WindowTrust> trust_;  ///< where anything is to be followed, on whole planes
  std::shared_ptr<Rims> rims_;        ///< where it will be told from these
  bool ended_ = false;                ///< a witness had enough
  int looks_ = 0;                     ///< blocks for who looks, one in the other
  StageMemory* stages_ = nullptr;
  std::shared_ptr<KeptStages> keeping_;  ///< null: nothing is kept, or memory was short
  std::vector<StageState::Bytes> held_;  ///< by field: its values as they are now, where they were copied
  std::vector<std::shared_ptr<const NamedPlane>> looked_at_;
};

}  // namespace

std::map<std::string, i32> run_program(Backend& backend, const ProgramPtr& program, const WindowJob& job,
                                       const WindowPixels& pixels, WindowOutput* out) {
  Interpreter window(backend, program, job, pixels, out);
  window.run();
  std::map<std::string, i32> results;
  for (const auto& [name, value] : program->results) results[name] = window.value(value);
  return results;
}

}  // namespace morpho::engine
