// The parameters of an operation's call: checked against its description, and read with their defaults.
#include <algorithm>
#include <cmath>

#include "op_entry.hpp"

namespace morpho::engine {

namespace {

std::string expected_of(const OpParam& p) {
  switch (p.kind) {
    case OpParam::Kind::number: return "a number from " + text_of(p.low) + " to " + text_of(p.high);
    case OpParam::Kind::integer: return "an integer from " + text_of(p.low) + " to " + text_of(p.high);
    case OpParam::Kind::choice: return joined(p.choices, [](const std::string& c) { return c; });
    case OpParam::Kind::toggle: return "true or false";
  }
  return {};
}

/// A choice may be given as a number (connectivity = 8): its text is what counts.
std::string choice_text(const ParamValue& v) {
  if (const double* d = std::get_if<double>(&v)) return text_of(*d);
  if (const std::string* s = std::get_if<std::string>(&v)) return *s;
  return {};
}

bool valid(const OpParam& p, const ParamValue& v) {
  if (p.kind == OpParam::Kind::toggle) return std::holds_alternative<bool>(v);
  if (p.kind == OpParam::Kind::choice) return std::find(p.choices.begin(), p.choices.end(), choice_text(v)) != p.choices.end();
  const double* d = std::get_if<double>(&v);
  return d && *d >= p.low && *d <= p.high && (p.kind == OpParam::Kind::number || *d == std::floor(*d));
}

}  // namespace

void OpParams::check(bool on_host, const std::string& device) const {
  for (const auto& [name, value] : given_.all()) {
    const auto p = std::find_if(info_.params.begin(), info_.params.end(),
                                [&, n = name](const OpParam& q) { return q.name == n; });
    if (p == info_.params.end()) {
      reject("parameter of " + info_.name,
             info_.params.empty() ? "none" : joined(info_.params, [](const OpParam& q) { return q.name; }), quoted(name));
    }
    if (!valid(*p, value)) reject(name, expected_of(*p), text_of(value));
    const std::vector<std::string>& absent = on_host ? p->not_on_cpu : p->not_on_gpu;
    if (std::find(absent.begin(), absent.end(), choice_text(value)) != absent.end()) {
      std::vector<std::string> has;
      for (const std::string& c : p->choices) {
        if (std::find(absent.begin(), absent.end(), c) == absent.end()) has.push_back(c);
      }
      reject(name + " of " + info_.name + " on " + device, joined(has, [](const std::string& c) { return c; }),
             quoted(choice_text(value)));
    }
  }
  for (const OpParam& p : info_.params) {
    if (p.required && !given_.has(p.name)) reject(p.name, expected_of(p), "nothing");
  }
}

const OpParam& OpParams::param(const std::string& name) const {
  for (const OpParam& p : info_.params) {
    if (p.name == name) return p;
  }
  throw Error(ErrorCode::internal, info_.name + " reads a parameter that it does not list: " + name);
}
double OpParams::number(const std::string& name) const {
  const OpParam& p = param(name);
  return std::get<double>(given_.has(name) ? given_.all().at(name) : p.fallback);
}
bool OpParams::toggle(const std::string& name) const {
  const OpParam& p = param(name);
  return std::get<bool>(given_.has(name) ? given_.all().at(name) : p.fallback);
}
std::string OpParams::choice(const std::string& name) const {
  const OpParam& p = param(name);
  return choice_text(given_.has(name) ? given_.all().at(name) : p.fallback);
}

}  // namespace morpho::engine
