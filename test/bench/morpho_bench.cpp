// Times every operation and variant on real and worst-case images; says of every variant whether it is exact, or how far off.
//   morpho_bench --tile test/fixtures/oracle/tile_cmu.npy [--op label,erode] [--only reconstruct] [--variant automatic,queue]
// [--input tissue]
//                [--size 4096] [--connectivity 4|8] [--threads 1,2] [--device cpu|gpu] [--repeat 5] [--budget-ms 8000]
// [--jitter 2]
//                [--json | --format table|json] [--list] [--dump input.raw]
// --dump also writes what distance and label get, to input.raw.objects.
//   morpho_bench --recipe he-nuclei [--assets assets] --tile tile.npy [--size 4096] [--threads 1,2] [--device cpu|gpu]   a
// whole recipe, by stages --op and --variant name some, --only all whose names begin so; --list says which lines there would
// be. `npx morphoscope bench` runs it.
// Exit codes: 1 a wrong result, 2 usage, 69 no such device here, 73 cannot write the dump, 75 out of memory.
#include <cstdio>
#include <new>
#include <set>
#include <string>

#include "bench_geodesic.hpp"
#include "bench_local.hpp"
#include "bench_more.hpp"
#include "engine/device/devices.hpp"
#include "../gpu/gpu_cases.hpp"
#include "../gpu/gpu_recipe.hpp"

using namespace bench;

namespace {

/// The lines that these options ask for, found by a run that times nothing on a small picture.
std::vector<Job> lines_of(Options o) {
  o.size = 16;
  Report report(o, true);
  for (const std::string& name : kInputs) {
    Picture<u8> f({o.size, o.size});
    geodesic(report, name, f);
    local(report, name, f);
    more(report, name, f);
  }
  return report.jobs();
}

/// Names that nothing answers to are refused here, before minutes are spent.
void require_lines(const Options& o) {
  const auto refuse = [](const char* flag, const std::string& value, const std::vector<Job>& there, bool variants) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const Job& job : there) {
      const std::string& name = variants ? job.variant : job.op;
      if (!name.empty() && seen.insert(name).second) names.push_back(name);
    }
    if (names.empty()) reject(flag, "nothing (the operation has no variants)", value);
    reject(flag, one_of(names), value);
  };
  const std::vector<Job> all = lines_of({});
  for (const std::string& op : o.ops) {
    if (std::none_of(all.begin(), all.end(), [&](const Job& job) { return job.op == op; }))
      refuse("--op", op.empty() ? "nothing" : op, all, false);
  }
  Options named;
  named.ops = o.ops;
  const std::vector<Job> there = lines_of(named);
  if (std::none_of(there.begin(), there.end(), [&](const Job& job) { return job.op.starts_with(o.only); }))
    refuse("--only", o.only, there, false);
  Options any_variant = o;
  any_variant.variants.clear();
  const std::vector<Job> any = lines_of(any_variant);
  for (const std::string& variant : o.variants) {
    if (!any.empty() && std::none_of(any.begin(), any.end(), [&](const Job& job) { return job.variant == variant; }))
      refuse("--variant", variant, any, true);
  }
  if (!lines_of(o).empty()) return;
  reject("--input", "an input that the operation is timed on", o.input);
}

void print_list(const std::vector<Job>& lines, bool json) {
  bool first = true;
  if (json) std::printf("[");
  for (const Job& j : lines) {
    if (json) {
      std::printf("%s\n{\"op\": \"%s\", \"variant\": \"%s\", \"input\": \"%s\", \"connectivity\": %d}", first ? "" : ",",
                  j.op.c_str(), j.variant.c_str(), j.input.c_str(), j.connectivity);
    } else {
      std::printf("%-18s %-14s %-12s %2d\n", j.op.c_str(), j.variant.c_str(), j.input.c_str(), j.connectivity);
    }
    first = false;
  }
  if (json) std::printf("]\n");
}

/// The same on the first GPU: test/gpu/gpu_cases.hpp has its lines. Refuses where there is none, with the reason.
int on_gpu(const Options& o) {
  gpu_bench::Options g;
  g.tile = o.tile, g.ops = o.ops, g.only = o.only, g.variants = o.variants, g.input = o.input;
  g.sizes = {o.size};
  g.connectivity = o.connectivity, g.repeat = o.repeat, g.jitter = o.jitter, g.budget_ms = o.budget_ms, g.json = o.json,
  g.list = o.list;
  if (!o.list) engine::find_gpu(gpu::list_devices(), g.device);
  if (!o.list && o.tile.empty() && (o.input.empty() || o.input == "tissue"))
    reject("--tile", "an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy", "nothing");
  g.recipe = o.recipe, g.assets = o.assets;
  return o.recipe.empty() ? gpu_bench::run_all(g) : gpu_bench::run_recipe(g);
}

/// A whole recipe on the CPU, for each number of threads.
int recipe_on_cpu(const Options& o) {
  if (o.tile.empty()) reject("--tile", "an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy", "nothing");
  const RecipeJob job{o.recipe, o.assets, o.tile, o.size, o.jitter, o.repeat, 0.5, o.json};
  RecipeScene scene(job, 1);
  bool exact = true, first = true;
  if (o.json) std::printf("{\"results\": [");
  for (const int threads : o.threads) {
    Context ctx{scene.work(), threads, nullptr, nullptr};
    exact = time_recipe(
                scene, [&] { return std::make_unique<engine::CpuBackend>(cpu::table(), ctx); }, threads, [] { return u64{0}; },
                first) &&
            exact;
    first = false;
  }
  if (o.json) std::printf("]}\n");
  return exact ? 0 : 1;
}

void write_raw(const std::string& path, const Picture<u8>& p) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written = file && std::fwrite(p.data.data(), 1, p.data.size(), file) == p.data.size();
  if (!file || std::fclose(file) != 0 || !written) throw Error(ErrorCode::output_failed, "could not write " + path);
}

int run(const Options& o) {
  if (o.device == "gpu") return on_gpu(o);
  if (!o.recipe.empty() && !o.list) return recipe_on_cpu(o);
  require_lines(o);
  if (o.list) {
    print_list(lines_of(o), o.json);
    return 0;
  }
  if (o.tile.empty() && (o.input.empty() || o.input == "tissue")) {
    reject("--tile", "an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy", "nothing");
  }
  const Extent e{o.size, o.size};
  const auto picture = [&](const std::string& name) {
    if (name == "noise") return noise(e);
    if (name == "checkerboard") return checkerboard(e);
    if (name == "flat") return flat(e);
    if (name == "serpentine") return serpentine(e);
    if (name == "spiral") return spiral(e);
    try {
      return tissue(o.tile, e, o.jitter);
    } catch (const std::runtime_error& error) {
      reject("--tile", "a readable .npy image of integers", o.tile + " (" + error.what() + ")");
    }
  };
  std::string dump = o.dump;
  std::vector<std::string> inputs = o.input.empty() ? kInputs : std::vector<std::string>{o.input};
  Picture<u8> f = picture(inputs[0]);  // before the first line is printed: its file may be bad
  Report report(o);
  for (const std::string& name : inputs) {
    if (name != inputs[0]) f = picture(name);
    if (!dump.empty()) {  // the first input's pixels, for peers that run on the same
      write_raw(dump, f);
      write_raw(dump + ".objects", objects_of(name, f));
      dump.clear();
    }
    geodesic(report, name, f);
    local(report, name, f);
    more(report, name, f);
  }
  const int code = report.finish();
  if (report.jobs().empty())
    reject("--size", "512 or less (on a larger spiral this variant takes minutes)", std::to_string(o.size));
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(options_of(std::vector<std::string>(argv + 1, argv + argc)));
  } catch (const Error& e) {
    const bool usage = e.code() == ErrorCode::invalid_parameter;
    std::fprintf(stderr, "%s%s%s\n", usage ? "" : code_name(e.code()), usage ? "" : ": ", e.what());
    switch (e.code()) {
      case ErrorCode::invalid_parameter: return 2;
      case ErrorCode::gpu_unavailable: return 69;
      case ErrorCode::output_failed: return 73;
      case ErrorCode::out_of_memory: return 75;
      default: return 70;
    }
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "OUT_OF_MEMORY: the images do not fit; choose a smaller --size\n");
    return 75;
  }
}
