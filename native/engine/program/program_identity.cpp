// See program_identity.hpp.
#include "program_identity.hpp"

#include <charconv>

namespace morpho::engine {
namespace {

void add_number(std::string& to, u64 value) {
  char buffer[24];
  to.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, 16).ptr);
  to += ' ';
}
void add_number(std::string& to, i32 value) { add_number(to, static_cast<u64>(static_cast<i64>(value))); }
/// With its length, so that no text runs into what follows.
void add_words(std::string& to, std::string_view text) {
  add_number(to, u64{text.size()});
  to.append(text);
  to += ' ';
}

void add_params(std::string& to, const StepParams& params) {
  add_number(to, u64{params.index()});
  std::visit(
      [&]<class P>(const P& p) {
        if constexpr (op::Visited<P>) {
          const op::Exact exact = op::exact_of(p);
          for (int k = 0; k < exact.count; ++k) add_number(to, exact.values[k]);
        } else if constexpr (std::is_same_v<P, GroundParams>) {
          add_words(to, p.of);
        } else {
          static_assert(std::is_same_v<P, std::monostate>, "parameters that no identity would hold");
        }
      },
      params);
}

void add_step(std::string& to, const Program& program, const Step& s) {
  to += name_of(s.op);
  to += ' ';
  const auto fields = [&](const std::vector<Field>& all) {
    add_number(to, u64{all.size()});
    for (const Field& f : all) add_number(to, f.number);
  };
  fields(s.in), fields(s.out);
  if (s.op == Op::take) add_number(to, static_cast<i32>(program.planes[static_cast<std::size_t>(s.out[0].number)]));
  add_params(to, s.params);
  add_number(to, static_cast<i32>(s.reach.kind)), add_number(to, s.reach.px);
  add_words(to, s.name);
  add_number(to, s.count.number), add_number(to, s.result.number);
  if (s.also.number >= 0) add_number(to, s.also.number);
  add_number(to, i32{s.binary}), add_number(to, s.rise), add_number(to, s.zero), add_number(to, s.limit);
  to += '\n';
}

}  // namespace

std::string identity_of(const Program& program) { return identity_of(program, program.steps.size()); }
std::string identity_of(const Program& program, std::size_t steps) {
  std::string identity;
  for (std::size_t k = 0; k < steps && k < program.steps.size(); ++k) add_step(identity, program, program.steps[k]);
  return identity;
}

u64 hash_of(std::string_view identity) {
  u64 hash = 0xCBF29CE484222325u;
  for (const char c : identity) hash = (hash ^ static_cast<u8>(c)) * 0x100000001B3u;
  return hash;
}

}  // namespace morpho::engine
