// Times the GPU operations on resident images by the GPU's clock and with their copies, compares them with the CPU, and repeats
// them.
//   gpu_bench --tile tile.npy [--sizes 4096,8192,16384] [--repeat 7] [--op label,distance] [--only recon] [--variant automatic]
// [--connectivity 4|8]
//             [--input tissue] [--jitter 2] [--device gpu0] [--compare-up-to 4096] [--again 20] [--budget-ms 8000] [--format
// table|json] [--list]
//             [--dump folder]
//   gpu_bench --recipe he-nuclei [--assets assets] --tile tile.npy [--sizes 4096] [--repeat 7] [--format json]    a whole
// recipe, by stages
// Exit codes: 1 a wrong result, 2 usage, 69 no such device here.
#include "../bench/options.hpp"
#include "engine/device/devices.hpp"
#include "gpu_cases.hpp"
#include "gpu_recipe.hpp"

using namespace morpho;

namespace {

gpu_bench::Options options_of(const std::vector<std::string>& args) {
  gpu_bench::Options o;
  bench::OptionTable()
      .text("--tile", o.tile)
      .numbers("--sizes", 1, 46340, o.sizes)
      .numbers("--size", 1, 46340, o.sizes)
      .number("--repeat", 1, 1000, o.repeat)
      .texts("--op", o.ops)
      .text("--only", o.only)
      .texts("--variant", o.variants)
      .other("--connectivity",
             [&o](const std::string& value) {
               bench::require_one_of("--connectivity", {"4", "8"}, value);
               o.connectivity = value == "4" ? 4 : 8;
             })
      .text("--input", o.input)
      .number("--jitter", 0, 100, o.jitter)
      .other("--device",
             [&o](const std::string& value) {
               const engine::DeviceName name = engine::parse_device(value);
               if (!name.gpu) reject("--device", "gpu0, gpu1, … (morpho_bench times the CPU)", value);
               o.device = name.index;
             })
      .number("--compare-up-to", 0, 46340, o.compare_up_to)
      .number("--again", 1, 1000, o.again)
      .number("--budget-ms", 1, 1000000, o.budget_ms)
      .text("--recipe", o.recipe)
      .text("--assets", o.assets)
      .other("--format",
             [&o](const std::string& value) {
               bench::require_one_of("--format", {"table", "json"}, value);
               o.json = value == "json";
             })
      .text("--dump", o.dump)
      .toggle("--list", o.list)
      .read(args);
  if (!o.list && o.tile.empty() && (o.input.empty() || o.input == "tissue"))
    reject("--tile", "an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy", "nothing");
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const gpu_bench::Options o = options_of({argv + 1, argv + argc});
    if (!o.list) engine::find_gpu(gpu::list_devices(), o.device);
    return o.recipe.empty() ? gpu_bench::run_all(o) : gpu_bench::run_recipe(o);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s: %s%s%s%s\n", code_name(e.code()), e.what(), e.detail().empty() ? "" : " [", e.detail().c_str(),
                 e.detail().empty() ? "" : "]");
    return e.code() == ErrorCode::invalid_parameter ? 2 : e.code() == ErrorCode::gpu_unavailable ? 69 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
