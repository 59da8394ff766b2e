// The texts of chosen variants as enums, checked against the program.
#include "program_variants.hpp"

#include <algorithm>

namespace morpho::engine {
namespace {

constexpr std::string_view kPrefix = "variant.";

template <class E>
void choose(E& to, const std::string& place, const ParamValue& value) {
  const std::string* asked = std::get_if<std::string>(&value);
  std::string known;
  for (const Named<E>& each : Names<E>::all) {
    if (asked && *asked == each.name) {
      to = each.value;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  refuse(place, "one of " + known, text_of(value));
}

}  // namespace

std::vector<std::pair<std::string, Choices>> choices_of(const Params& params, const Program& program) {
  std::vector<std::pair<std::string, Choices>> all;
  for (auto at = params.all().lower_bound(std::string(kPrefix)); at != params.all().end(); ++at) {
    const auto& [name, value] = *at;
    if (!name.starts_with(kPrefix)) break;
    const std::size_t dot = name.find('.', kPrefix.size());
    const std::string stage = name.substr(kPrefix.size(), dot - kPrefix.size());
    const std::string op = dot == std::string::npos ? "" : name.substr(dot + 1), place = stage + ".variant";
    const auto is_stage = [&](const Step& s) { return s.op == Op::stage && s.name == stage; };
    if (std::none_of(program.steps.begin(), program.steps.end(), is_stage))
      refuse(place, "a stage of the recipe that is computed with these values", "\"" + stage + "\"");
    auto own = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == stage; });
    if (own == all.end()) own = all.insert(own, {stage, Choices{}});
    if (op == "reconstruct") choose(own->second.reconstruct, place, value);
    else if (op == "max-tree") choose(own->second.max_tree, place, value);
    else if (op == "watershed") choose(own->second.watershed, place, value);
    else refuse(place, "reconstruct, max-tree or watershed as the operation", "\"" + op + "\"");
  }
  return all;
}

}  // namespace morpho::engine
