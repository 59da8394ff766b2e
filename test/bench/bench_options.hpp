// What the benchmark's command line may say.
#pragma once
#include "options.hpp"

namespace bench {

struct Options {
  i32 size = 4096, repeat = 5, jitter = 2, connectivity = 0;  ///< connectivity 0: both
  double budget_ms = 8000;  ///< a line's runs stop where the next one would end later than this
  std::vector<int> threads = {1};
  std::vector<std::string> ops, variants;  ///< none: all
  std::string tile, only, input, dump, device = "cpu", recipe, assets = "assets";
  bool json = false, list = false;
};

inline const std::vector<std::string> kInputs = {"tissue", "noise", "checkerboard", "flat", "serpentine", "spiral"};

/// Throws INVALID_PARAMETER: "expected … for --flag but received …".
inline Options options_of(const std::vector<std::string>& args) {
  Options o;
  OptionTable()
      .texts("--op", o.ops)
      .text("--only", o.only)
      .texts("--variant", o.variants)
      .number("--size", 16, 40000, o.size)
      .choice("--input", kInputs, o.input)
      .other("--connectivity",
             [&o](const std::string& value) {
               require_one_of("--connectivity", {"4", "8"}, value);
               o.connectivity = value == "4" ? 4 : 8;
             })
      .numbers("--threads", 1, 256, o.threads)
      .choice("--device", {"cpu", "gpu"}, o.device)
      .number("--repeat", 1, 1000, o.repeat)
      .number("--jitter", 0, 100, o.jitter)
      .number("--budget-ms", 1, 3600000, o.budget_ms)
      .text("--tile", o.tile)
      .other("--format",
             [&o](const std::string& value) {
               require_one_of("--format", {"table", "json"}, value);
               o.json = value == "json";
             })
      .text("--dump", o.dump)
      .text("--recipe", o.recipe)
      .text("--assets", o.assets)
      .toggle("--json", o.json)
      .toggle("--list", o.list)
      .read(args);
  return o;
}

}  // namespace bench
