// Times every operation and variant on real and worst-case images; says of every variant whether it is exact, or how far off.
//   morpho_bench --tile test/fixtures/oracle/tile_cmu.npy [--size 4096] [--threads 1,2] [--repeat 5] [--only reconstruct] [--input tissue]
//                [--variant automatic] [--jitter 2] [--format table|json] [--dump input.raw]
#include <cstdio>
#include <exception>
#include <string>

#include "bench_geodesic.hpp"
#include "bench_local.hpp"

using namespace bench;

namespace {

bool set(Options& o, const std::string& key, const std::string& value) {
  if (key == "--size") o.size = std::stoi(value);
  else if (key == "--repeat") o.repeat = std::stoi(value);
  else if (key == "--jitter") o.jitter = std::stoi(value);
  else if (key == "--tile") o.tile = value;
  else if (key == "--only") o.only = value;
  else if (key == "--input") o.input = value;
  else if (key == "--variant") o.variant = value;
  else if (key == "--dump") o.dump = value;
  else if (key == "--format" && (value == "table" || value == "json")) o.json = value == "json";
  else if (key == "--threads") {
    o.threads.clear();
    for (std::size_t at = 0; at < value.size();) {
      std::size_t n = 0;
      o.threads.push_back(std::stoi(value.substr(at), &n));
      at += n + 1;
    }
  } else {
    return false;
  }
  return o.size > 0 && o.repeat > 0 && o.jitter >= 0 && o.jitter <= 100 && !o.threads.empty() && o.threads[0] > 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; i += 2) {
    bool understood = false;
    try {
      understood = i + 1 < argc && set(o, argv[i], argv[i + 1]);
    } catch (const std::exception&) {
    }
    if (!understood) {
      std::fprintf(stderr, "expected --size, --repeat, --threads, --tile, --only, --input, --variant, --jitter, --format or --dump with a value but received %s %s\n",
                   argv[i], i + 1 < argc ? argv[i + 1] : "");
      return 2;
    }
  }
  if (o.tile.empty() && (o.input.empty() || o.input == "tissue")) {
    std::fprintf(stderr, "expected --tile with an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy\n");
    return 2;
  }
  const Extent e{o.size, o.size};
  const std::pair<const char*, std::function<Picture<u8>()>> inputs[] = {
      {"tissue", [&] { return tissue(o.tile, e, o.jitter); }}, {"noise", [&] { return noise(e); }},
      {"checkerboard", [&] { return checkerboard(e); }},       {"flat", [&] { return flat(e); }},
      {"serpentine", [&] { return serpentine(e); }},           {"spiral", [&] { return spiral(e); }}};
  Report report(o);
  for (const auto& [name, make] : inputs) {
    if (!o.input.empty() && o.input != name) continue;
    Picture<u8> f = make();
    if (!o.dump.empty()) {  // the first input's pixels, for peers that run on the same
      std::FILE* file = std::fopen(o.dump.c_str(), "wb");
      const bool written = file && std::fwrite(f.data.data(), 1, f.data.size(), file) == f.data.size();
      if (!file || std::fclose(file) != 0 || !written) {
        std::fprintf(stderr, "could not write %s\n", o.dump.c_str());
        return 73;
      }
      o.dump.clear();
    }
    geodesic(report, name, f);
    local(report, name, f);
  }
  return report.finish();
}
