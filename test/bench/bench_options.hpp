// What the benchmark's command line may say, and the message for what it may not.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "contract/view.hpp"

namespace bench {

using namespace morpho;

struct Options {
  i32 size = 4096, repeat = 5, jitter = 2, connectivity = 0;  ///< connectivity 0: both
  double budget_ms = 8000;  ///< a line's runs stop where the next one would end later than this
  std::vector<int> threads = {1};
  std::vector<std::string> ops, variants;  ///< none: all
  std::string tile, only, input, dump, device = "cpu", recipe, assets = "assets";
  bool json = false, list = false;
};

inline const std::vector<std::string> kInputs = {"tissue", "noise", "checkerboard", "flat", "serpentine", "spiral"};

inline std::string one_of(const std::vector<std::string>& names) {
  std::string text = "one of ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i ? ", " : "") + names[i];
  return text;
}
inline void require_one_of(const std::string& flag, const std::vector<std::string>& names, const std::string& value) {
  for (const std::string& name : names) {
    if (name == value) return;
  }
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

/// Throws INVALID_PARAMETER: "expected … for --flag but received …".
inline Options options_of(const std::vector<std::string>& args) {
  static const std::vector<std::string> flags = {
      "--op",     "--only",   "--variant",   "--size", "--input",  "--connectivity", "--threads", "--device",
      "--repeat", "--jitter", "--budget-ms", "--tile", "--format", "--dump",         "--recipe",  "--assets"};
  Options o;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& flag = args[i];
    if (flag == "--json") {
      o.json = true;
      continue;
    }
    if (flag == "--list") {
      o.list = true;
      continue;
    }
    bool known = false;
    for (const std::string& each : flags) known = known || each == flag;
    if (!known) reject("the option", one_of(flags) + ", --json, --list", flag);
    const std::string value = ++i < args.size() ? args[i] : "";
    if (value.empty() || value.starts_with("--")) reject(flag, "a value", value.empty() ? "nothing" : value);
    if (flag == "--op") o.ops = parts_of(value);
    else if (flag == "--only") o.only = value;
    else if (flag == "--variant") o.variants = parts_of(value);
    else if (flag == "--tile") o.tile = value;
    else if (flag == "--dump") o.dump = value;
    else if (flag == "--recipe") o.recipe = value;
    else if (flag == "--assets") o.assets = value;
    else if (flag == "--size") o.size = whole_number(flag, value, 16, 40000);
    else if (flag == "--repeat") o.repeat = whole_number(flag, value, 1, 1000);
    else if (flag == "--jitter") o.jitter = whole_number(flag, value, 0, 100);
    else if (flag == "--budget-ms") o.budget_ms = whole_number(flag, value, 1, 3600000);
    else if (flag == "--input") require_one_of(flag, kInputs, o.input = value);
    else if (flag == "--device") require_one_of(flag, {"cpu", "gpu"}, o.device = value);
    else if (flag == "--format") require_one_of(flag, {"table", "json"}, value), o.json = value == "json";
    else if (flag == "--connectivity") require_one_of(flag, {"4", "8"}, value), o.connectivity = value == "4" ? 4 : 8;
    else if (flag == "--threads") {
      o.threads.clear();
      for (const std::string& each : parts_of(value)) o.threads.push_back(whole_number(flag, each, 1, 256));
    }
  }
  return o;
}

}  // namespace bench
