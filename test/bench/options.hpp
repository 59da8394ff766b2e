// How the C++ tools (morpho_bench, gpu_bench, gpu_tests) read their command lines: a table of options, and one message each for
// an unknown option, a missing value and a bad one.
// Not CLI11 or cxxopts: these tools are built on GPU machines from the checkout by CMake alone, without a network, and neither
// library comes with npm; the forty lines below are what a copy of theirs would be here for.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "contract/view.hpp"

namespace bench {

using namespace morpho;

inline std::string one_of(const std::vector<std::string>& names) {
  std::string text = "one of ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i ? ", " : "") + names[i];
  return text;
}
inline void require_one_of(const std::string& flag, const std::vector<std::string>& names, const std::string& value) {
  if (std::find(names.begin(), names.end(), value) == names.end())
    reject(flag, one_of(names), value.empty() ? "nothing" : value);
}

/// The parts between commas, empty ones too.
inline std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

/// The whole of `text` as a number from low to high.
inline i32 whole_number(const std::string& flag, const std::string& text, i32 low, i32 high) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < low || value > high) {
    reject(flag, "a whole number from " + std::to_string(low) + " to " + std::to_string(high), text.empty() ? "nothing" : text);
  }
  return static_cast<i32>(value);
}

/// Options and where their values go. Everything that is wrong is INVALID_PARAMETER: "expected … for --flag but received …".
class OptionTable {
 public:
  using Take = std::function<void(const std::string& value)>;

  OptionTable& toggle(const std::string& flag, bool& to) {
    return add(flag, false, [&to](const std::string&) { to = true; });
  }
  OptionTable& text(const std::string& flag, std::string& to) {
    return add(flag, true, [&to](const std::string& value) { to = value; });
  }
  OptionTable& texts(const std::string& flag, std::vector<std::string>& to) {
    return add(flag, true, [&to](const std::string& value) { to = parts_of(value); });
  }
  OptionTable& choice(const std::string& flag, const std::vector<std::string>& names, std::string& to) {
    return add(flag, true, [&to, flag, names](const std::string& value) { require_one_of(flag, names, to = value); });
  }
  template <class N>
  OptionTable& number(const std::string& flag, i32 low, i32 high, N& to) {
    return add(flag, true, [&to, flag, low, high](const std::string& value) { to = whole_number(flag, value, low, high); });
  }
  template <class N>
  OptionTable& numbers(const std::string& flag, i32 low, i32 high, std::vector<N>& to) {
    return add(flag, true, [&to, flag, low, high](const std::string& value) {
      to.clear();
      for (const std::string& each : parts_of(value)) to.push_back(whole_number(flag, each, low, high));
    });
  }
  /// What none of these is.
  OptionTable& other(const std::string& flag, Take take) { return add(flag, true, std::move(take)); }

  void read(const std::vector<std::string>& args) const {
    for (std::size_t i = 0; i < args.size(); ++i) {
      const std::string& flag = args[i];
      const auto option = std::find_if(all_.begin(), all_.end(), [&](const Option& o) { return o.flag == flag; });
      if (option == all_.end()) {
        std::vector<std::string> flags;
        for (const Option& o : all_) flags.push_back(o.flag);
        reject("the option", one_of(flags), flag);
      }
      std::string value;
      if (option->has_value) {
        if (++i < args.size()) value = args[i];
        if (value.empty() || value.starts_with("--")) reject(flag, "a value", value.empty() ? "nothing" : value);
      }
      option->take(value);
    }
  }

 private:
  struct Option {
    std::string flag;
    bool has_value;
    Take take;
  };
  OptionTable& add(const std::string& flag, bool has_value, Take take) {
    all_.push_back({flag, has_value, std::move(take)});
    return *this;
  }
  std::vector<Option> all_;
};

}  // namespace bench
