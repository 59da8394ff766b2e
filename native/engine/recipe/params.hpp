// A recipe's parameters as numbers, switches and words, and exactly what is wrong with a bad one.
#pragma once
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "../../contract/ops.hpp"
#include "../../contract/text.hpp"

namespace morpho::engine {

/// Parameters by "stage.key". Lengths and areas are in px of the analysed image: the caller has resolved µm already.
using ParamValue = std::variant<double, bool, std::string>;
/// A pixel's width over its height: not a recipe's own, but the slide's. Absent: 1.
inline constexpr const char* kPixelAspect = "pixel.aspect";
/// How many bits the samples are analysed at: 16, where the slide has as many and the recipe asks for them. Absent: 8.
inline constexpr const char* kPixelDepth = "pixel.depth";
/// As messages show it: texts in quotes.
std::string text_of(const ParamValue& value);
using morpho::text_of;
class Params {
 public:
  void set(const std::string& name, ParamValue value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  /// The named number; throws INVALID_PARAMETER where absent, not a number, NaN, or outside [low, high].
  double number(const std::string& name, double low, double high) const;
  bool toggle(const std::string& name) const;
  /// The named choice; throws INVALID_PARAMETER where it is none of `allowed`.
  std::string choice(const std::string& name, const std::vector<std::string>& allowed) const;
  const std::map<std::string, ParamValue>& all() const { return values_; }

 private:
  std::map<std::string, ParamValue> values_;
};
/// Throws INVALID_PARAMETER for the value of a parameter, with its place: what is not in the range or the list that number()
/// and choice() know.
[[noreturn]] void refuse(const std::string& name, const std::string& expected, const std::string& received);

}  // namespace morpho::engine
