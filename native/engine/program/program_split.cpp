// Splits programs by following which steps read what others have written.
#include "program_split.hpp"

#include <algorithm>

#include "program_identity.hpp"

namespace morpho::engine {
namespace {

/// Fields of a program that are in a set.
class Fields {
 public:
  explicit Fields(const Program& program) : in_(program.planes.size(), 0) {}
  bool has(const Field& f) const { return f.present() && in_[static_cast<std::size_t>(f.number)] != 0; }
  bool has_any(const std::vector<Field>& fields) const {
    return std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return has(f); });
  }
  void set(const std::vector<Field>& fields, bool in) {
    for (const Field& f : fields)
      if (f.present()) in_[static_cast<std::size_t>(f.number)] = in;
  }

 private:
  std::vector<u8> in_;
};

bool is_structure(const Step& s) { return begins_block(s.op) || s.op == Op::end; }
bool is_ground(const Step& s) { return s.op == Op::reconstruct && !s.binary && s.reach.kind == Reach::Kind::global; }
/// It looks no farther than a halo, and at pixels alone.
bool is_local(const Step& s) {
  const bool near = s.reach.kind == Reach::Kind::pointwise || s.reach.kind == Reach::Kind::halo;
  return near && s.count.number < 0 && s.result.number < 0;
}

/// Of each step whether it lies in a block for who looks.
std::vector<bool> looks_of(const Program& program) {
  std::vector<bool> all, blocks;
  for (const Step& s : program.steps) {
    if (s.op == Op::end && !blocks.empty()) blocks.pop_back();
    if (begins_block(s.op)) blocks.push_back(s.op == Op::look || (!blocks.empty() && blocks.back()));
    all.push_back(!blocks.empty() && blocks.back());
  }
  return all;
}

/// The steps that `kept` says, without blocks that have nothing in them.
std::vector<Step> only(const std::vector<Step>& steps, const std::vector<bool>& kept) {
  std::vector<Step> out;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!kept[k]) continue;
    const bool empty = steps[k].op == Op::end && !out.empty() && begins_block(out.back().op);
    if (empty) out.pop_back();
    else out.push_back(steps[k]);
  }
  return out;
}

/// Forgets the memory of planes that no step works on.
void keep_used_planes(const Program& program, const std::vector<Step>& steps, std::vector<bool>& kept) {
  Fields used(program);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!kept[k] || steps[k].op == Op::take) continue;
    used.set(steps[k].in, true), used.set(steps[k].out, true);
  }
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (steps[k].op == Op::take) kept[k] = used.has_any(steps[k].out);
}

/// What the step `at` needs. Nothing where a step of it is not local.
std::optional<std::vector<Step>> needed_before(const Program& program, std::size_t at, i32& halo) {
  const std::vector<bool> looks = looks_of(program);
  std::vector<Step> steps(program.steps.begin(), program.steps.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<bool> kept(steps.size(), false);
  Fields needed(program);
  needed.set(program.steps[at].in, true);
  for (std::size_t k = steps.size(); k-- > 0;) {
    const Step& s = steps[k];
    if (is_structure(s)) kept[k] = true;
    if (is_structure(s) || s.op == Op::take || looks[k] || !needed.has_any(s.out)) continue;
    // The whole image has no cut rims.
    if (s.op == Op::clear_cut_rims) continue;
    if (!is_local(s)) return std::nullopt;
    kept[k] = true;
    needed.set(s.out, false), needed.set(s.in, true);
  }
  std::vector<i32> reach(program.planes.size(), 0);
  const auto reach_of = [&](const std::vector<Field>& fields) {
    i32 most = 0;
    for (const Field& f : fields)
      if (f.present()) most = std::max(most, reach[static_cast<std::size_t>(f.number)]);
    return most;
  };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!kept[k] || is_structure(steps[k])) continue;
    const i32 far = reach_of(steps[k].in) + steps[k].reach.px;
    for (const Field& f : steps[k].out) reach[static_cast<std::size_t>(f.number)] = far;
  }
  halo = reach_of(program.steps[at].in);
  const char* names[] = {"marker", "mask"};
  for (std::size_t i = 0; i < 2; ++i) {
    Step keep;
    keep.op = Op::keep, keep.in = {program.steps[at].in[i]}, keep.params = KeepParams{}, keep.name = names[i];
    steps.push_back(std::move(keep));
    kept.push_back(true);
  }
  keep_used_planes(program, steps, kept);
  std::size_t open = 0;
  for (const Step& s : steps) open += s.op == Op::end ? std::size_t(-1) : begins_block(s.op);
  for (; open > 0; --open) {
    steps.emplace_back();
    kept.push_back(true);
  }
  return only(steps, kept);
}

/// The program's steps without those whose results nobody reads.
std::vector<Step> without_unread(const Program& program) {
  const std::vector<bool> looks = looks_of(program);
  std::vector<bool> kept(program.steps.size(), false);
  std::vector<bool> asked(static_cast<std::size_t>(program.registers), false);
  for (const auto& result : program.results) asked[static_cast<std::size_t>(result.second.number)] = true;
  Fields read(program);
  for (std::size_t k = program.steps.size(); k-- > 0;) {
    const Step& s = program.steps[k];
    const bool tells = s.result.number >= 0 && asked[static_cast<std::size_t>(s.result.number)];
    kept[k] = is_structure(s) || s.op == Op::keep || s.op == Op::measure || tells || read.has_any(s.out);
    if (!kept[k] || is_structure(s) || s.op == Op::take) continue;
    for (const Register& read : {s.count, s.also})
      if (read.number >= 0) asked[static_cast<std::size_t>(read.number)] = true;
    // Blocks for who looks are left out where nobody does: what was there before is read then.
    if (!looks[k]) read.set(s.out, false);
    read.set(s.in, true);
    read.set({s.seen}, true);
  }
  keep_used_planes(program, program.steps, kept);
  return only(program.steps, kept);
}

/// Of the block that a step is in.
Choices choices_at(const Program& program, std::size_t at) {
  std::vector<const char*> names;
  for (std::size_t k = 0; k < at; ++k) {
    if (begins_block(program.steps[k].op)) names.push_back(program.steps[k].name);
    else if (program.steps[k].op == Op::end) names.pop_back();
  }
  for (std::size_t k = names.size(); k-- > 0;)
    if (*names[k]) return program.choices_of(names[k]);
  return {};
}

}  // namespace

std::optional<SplitProgram> split_at_ground(const Program& program) {
  const auto found = std::find_if(program.steps.begin(), program.steps.end(), is_ground);
  if (found == program.steps.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(found - program.steps.begin());
  SplitProgram split;
  auto before = needed_before(program, at, split.halo);
  if (!before) return std::nullopt;
  split.before = {std::move(*before), program.planes, program.registers, {}, program.choices};
  split.how = std::get<ReconstructParams>(found->params);
  split.how.variant = choices_at(program, at).reconstruct;
  split.type = program.planes[static_cast<std::size_t>(found->in[0].number)];
  // The variant does not matter: all of them are exact.
  ReconstructParams how = split.how;
  how.variant = ReconstructVariant::automatic;
  split.key = identity_of(split.before) + "reconstruct: " + op::text_of_params(how) + "\n";
  split.after = program;
  Step& step = split.after.steps[at];
  step.op = Op::ground, step.in.clear(), step.params = GroundParams{split.key}, step.reach = {};
  split.after.steps = without_unread(split.after);
  return split;
}

}  // namespace morpho::engine
