// Reads a recipe's parameters and says exactly what is wrong with a bad one.
#include "params.hpp"

#include <algorithm>

namespace morpho::engine {

std::string text_of(const ParamValue& v) {
  if (const double* d = std::get_if<double>(&v)) return text_of(*d);
  if (const bool* b = std::get_if<bool>(&v)) return *b ? "true" : "false";
  return "\"" + std::get<std::string>(v) + "\"";
}

void refuse(const std::string& name, const std::string& expected, const std::string& received) {
  const std::size_t dot = name.find('.');
  reject(name, expected, received,
         dot == std::string::npos ? RecipePlace{} : RecipePlace{name.substr(0, dot), name.substr(dot + 1)});
}

namespace {

const ParamValue* find(const std::map<std::string, ParamValue>& values, const std::string& name) {
  const auto it = values.find(name);
  return it == values.end() ? nullptr : &it->second;
}

}  // namespace

double Params::number(const std::string& name, double low, double high) const {
  const std::string expected = "a number from " + text_of(low) + " to " + text_of(high);
  const ParamValue* v = find(values_, name);
  if (!v) refuse(name, expected, "nothing");
  const double* d = std::get_if<double>(v);
  // Written so that NaN fails.
  if (!d || !(*d >= low && *d <= high)) refuse(name, expected, text_of(*v));
  return *d;
}

bool Params::toggle(const std::string& name) const {
  const ParamValue* v = find(values_, name);
  if (!v) refuse(name, "true or false", "nothing");
  const bool* b = std::get_if<bool>(v);
  if (!b) refuse(name, "true or false", text_of(*v));
  return *b;
}

std::string Params::choice(const std::string& name, const std::vector<std::string>& allowed) const {
  std::string expected;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    expected += (i == 0 ? "" : i + 1 == allowed.size() ? " or " : ", ") + allowed[i];
  }
  const ParamValue* v = find(values_, name);
  if (!v) refuse(name, expected, "nothing");
  const std::string* s = std::get_if<std::string>(v);
  if (!s || std::find(allowed.begin(), allowed.end(), *s) == allowed.end()) refuse(name, expected, text_of(*v));
  return *s;
}

}  // namespace morpho::engine
