// See kept_stages.hpp.
#include "kept_stages.hpp"

#include <cstring>
#include <set>

namespace morpho::engine {
namespace {

bool same(const Field& a, const Field& b) { return a.number == b.number; }
bool same(const std::vector<Field>& a, const std::vector<Field>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& x, const Field& y) { return same(x, y); });
}

bool same(const Step& a, const Step& b) {
  return a.op == b.op && same(a.in, b.in) && same(a.out, b.out) && a.params == b.params && a.reach.kind == b.reach.kind &&
         a.reach.px == b.reach.px && std::strcmp(a.name, b.name) == 0 && a.count.number == b.count.number &&
         a.also.number == b.also.number && a.result.number == b.result.number && a.binary == b.binary && a.rise == b.rise &&
         a.zero == b.zero && a.limit == b.limit;
}

}  // namespace

std::size_t after_block(const Program& program, std::size_t at) {
  for (int depth = 1; depth > 0; ++at) {
    const Op op = program.steps[at].op;
    depth += op == Op::end ? -1 : begins_block(op);
  }
  return at;
}

std::size_t common_steps(const Program& a, const Program& b) {
  std::size_t n = 0;
  for (; n < a.steps.size() && n < b.steps.size() && same(a.steps[n], b.steps[n]); ++n) {
    if (a.steps[n].op != Op::take) continue;
    const auto k = static_cast<std::size_t>(a.steps[n].out[0].number);
    if (a.planes[k] != b.planes[k]) break;
  }
  return n;
}

std::vector<std::size_t> needed_from(const Program& program, std::size_t at) {
  enum Fate : u8 { unknown, read, written };
  std::vector<Fate> fate(program.planes.size(), unknown);
  for (std::size_t k = at; k < program.steps.size(); ++k) {
    const auto note = [&](const std::vector<Field>& fields, Fate how) {
      for (const Field& f : fields) {
        Fate& known = f.present() ? fate[static_cast<std::size_t>(f.number)] : fate[0];
        if (f.present() && known == unknown) known = how;
      }
    };
    note(program.steps[k].in, read);
    // Every operation writes all of what it gives.
    note(program.steps[k].out, written);
  }
  std::vector<std::size_t> needed;
  int depth = 0;
  for (std::size_t k = 0; k < at; ++k) {
    const Step& step = program.steps[k];
    depth += step.op == Op::end ? -1 : begins_block(step.op);
    if (step.op != Op::take || depth > 0) continue;
    const auto field = static_cast<std::size_t>(step.out[0].number);
    if (fate[field] == read) needed.push_back(field);
  }
  return needed;
}

std::size_t KeptStages::bytes() const {
  std::set<const void*> seen;
  std::size_t sum = 0;
  for (const StageState& state : states) {
    for (const auto& plane : state.planes)
      if (seen.insert(plane.second.get()).second) sum += plane.second->size();
    for (const auto& plane : state.looked_at)
      if (seen.insert(plane.get()).second) sum += plane->bytes.size();
  }
  return sum;
}

const StageState* KeptStages::state_for(const Program& next, bool looks, bool analysis) const {
  if (looks && !looking) return nullptr;
  const std::size_t alike = common_steps(*program, next);
  const StageState* best = nullptr;
  for (const StageState& state : states)
    if (state.at <= alike && state.analysis.has_value() == analysis) best = &state;
  return best;
}

std::vector<StageState> KeptStages::states_before(const StageState& state, bool looks) const {
  std::vector<StageState> earlier;
  for (const StageState& s : states) {
    if (s.at >= state.at) break;
    earlier.push_back(s);
    if (!looks) earlier.back().looked_at.clear();
  }
  return earlier;
}

}  // namespace morpho::engine
