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
#include "../bench/bench_options.hpp"
#include "engine/devices.hpp"
#include "gpu_cases.hpp"
#include "gpu_recipe.hpp"

using namespace morpho;

namespace {

gpu_bench::Options options_of(int argc, char** argv) {
  gpu_bench::Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--list") {
      o.list = true;
      continue;
    }
    if (i + 1 >= argc) reject(flag, "a value", "nothing");
    const std::string value = argv[++i];
    if (flag == "--tile") o.tile = value;
    else if (flag == "--op") o.ops = bench::parts_of(value);
    else if (flag == "--only") o.only = value;
    else if (flag == "--variant") o.variants = bench::parts_of(value);
    else if (flag == "--input") o.input = value;
    else if (flag == "--dump") o.dump = value;
    else if (flag == "--recipe") o.recipe = value;
    else if (flag == "--assets") o.assets = value;
    else if (flag == "--repeat") o.repeat = bench::whole_number(flag, value, 1, 1000);
    else if (flag == "--again") o.again = bench::whole_number(flag, value, 1, 1000);
    else if (flag == "--jitter") o.jitter = bench::whole_number(flag, value, 0, 100);
    else if (flag == "--compare-up-to") o.compare_up_to = bench::whole_number(flag, value, 0, 46340);
    else if (flag == "--connectivity") o.connectivity = bench::whole_number(flag, value, 4, 8);
    else if (flag == "--budget-ms") o.budget_ms = bench::whole_number(flag, value, 1, 1000000);
    else if (flag == "--format" && (value == "table" || value == "json")) o.json = value == "json";
    else if (flag == "--device") {
      const engine::DeviceName name = engine::parse_device(value);
      if (!name.gpu) reject(flag, "gpu0, gpu1, … (morpho_bench times the CPU)", value);
      o.device = name.index;
    } else if (flag == "--sizes" || flag == "--size") {
      o.sizes.clear();
      for (const std::string& size : bench::parts_of(value)) o.sizes.push_back(bench::whole_number(flag, size, 1, 46340));
    } else {
      reject("the command line",
             "--tile, --sizes, --repeat, --op, --only, --variant, --connectivity, --input, --jitter, --device, "
             "--compare-up-to, --again, --budget-ms, --recipe, --assets, --format, --dump or --list",
             flag + " " + value);
    }
  }
  if (!o.list && o.tile.empty() && (o.input.empty() || o.input == "tissue"))
    reject("--tile", "an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy", "nothing");
  if (o.connectivity != 0 && o.connectivity != 4 && o.connectivity != 8)
    reject("--connectivity", "4 or 8", std::to_string(o.connectivity));
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const gpu_bench::Options o = options_of(argc, argv);
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
