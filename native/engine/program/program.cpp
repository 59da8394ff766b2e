// A program as text.
#include "program.hpp"

namespace morpho::engine {
namespace {

std::string text(const Field& f) { return f.present() ? "%" + std::to_string(f.number) : "-"; }
std::string text(const Register& r) { return "$" + std::to_string(r.number); }

std::string text(const StepParams& params) {
  return std::visit(
      []<class P>(const P& p) -> std::string {
        if constexpr (op::Visited<P>) return op::text_of_params(p);
        else return {};
      },
      params);
}

std::string text(const Reach& r) {
  switch (r.kind) {
    case Reach::Kind::pointwise: return "pointwise";
    case Reach::Kind::halo: return "halo " + std::to_string(r.px);
    case Reach::Kind::component: return "component";
    default: return "global";
  }
}

std::string line_of(const Program& program, const Step& s) {
  std::string line = name_of(s.op);
  if (*s.name) line += std::string(" ") + s.name;
  if (s.op == Op::take)
    return line + " " + text(s.out[0]) + " " + pixel_type_name(program.planes[static_cast<std::size_t>(s.out[0].number)]);
  for (const Field& f : s.in) line += " " + text(f);
  for (const Register& read : {s.count, s.also})
    if (read.number >= 0) line += " " + text(read);
  if (!s.out.empty() || s.result.number >= 0) line += " ->";
  for (const Field& f : s.out) line += " " + text(f);
  if (s.result.number >= 0) line += " " + text(s.result);
  const std::string params = text(s.params);
  if (!params.empty()) line += ": " + params;
  if (s.binary) line += ", binary";
  if (s.rise) line += ", peaks of " + std::to_string(s.rise);
  if (s.zero) line += " below " + std::to_string(s.zero);
  return begins_block(s.op) || s.op == Op::keep ? line : line + " (" + text(s.reach) + ")";
}

}  // namespace

const char* name_of(Op op) {
  switch (op) {
    case Op::stage: return "stage";
    case Op::scope: return "scope";
    case Op::look: return "look";
    case Op::end: return "end";
    case Op::take: return "take";
    case Op::keep: return "keep";
#define MORPHO_OP(name)                                     \
  case Op::name: {                                          \
    static const std::string shown = op::shown_name(#name); \
    return shown.c_str();                                   \
  }
      MORPHO_IMAGE_OPERATIONS(MORPHO_OP)
      MORPHO_COMPOUND_STEPS(MORPHO_OP)
#undef MORPHO_OP
  }
  return "";
}

std::string text_of(const Program& program) {
  std::string out;
  std::size_t depth = 0;
  for (const Step& s : program.steps) {
    if (s.op == Op::end) {
      --depth;
      continue;
    }
    out += std::string(2 * depth, ' ') + line_of(program, s) + "\n";
    depth += begins_block(s.op);
  }
  for (const auto& [name, value] : program.results) out += name + " = " + text(value) + "\n";
  return out;
}

}  // namespace morpho::engine
