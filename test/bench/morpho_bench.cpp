// Times the global operations on real and worst-case images; says of every variant whether it is exact, or how far off.
//   morpho_bench --tile test/fixtures/oracle/tile_cmu.npy [--size 4096] [--threads 1,2] [--repeat 5] [--only reconstruct] [--input tissue]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "../native/npy.hpp"
#include "contract/ops.hpp"
#include "cpu/cpu_ops.hpp"

using namespace morpho;

namespace {

struct Options {
  i32 size = 4096, repeat = 5;
  std::vector<int> threads = {1};
  std::string tile, only, input;
};

template <class T>
struct Picture {
  Extent extent;
  std::vector<T> data;
  explicit Picture(Extent e) : extent(e), data(static_cast<std::size_t>(e.area())) {}
  View<T> view() { return View<T>(data.data(), extent); }
  T& at(i32 x, i32 y) { return data[static_cast<std::size_t>(y) * static_cast<std::size_t>(extent.width) + static_cast<std::size_t>(x)]; }
};

/// The inverted luminance of a tile, mirrored until it fills the image.
Picture<u8> tissue(const std::string& file, Extent e) {
  const auto tile = testing_npy::read(file);
  const auto v = tile.as<i32>();
  const i32 h = static_cast<i32>(tile.shape[0]), w = static_cast<i32>(tile.shape[1]);
  const std::size_t channels = tile.shape.size() == 3 ? static_cast<std::size_t>(tile.shape[2]) : 1;
  const auto mirror = [](i32 i, i32 n) { return i / n % 2 ? n - 1 - i % n : i % n; };
  Picture<u8> out(e);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) {
      const std::size_t p = (static_cast<std::size_t>(mirror(y, h)) * static_cast<std::size_t>(w) + static_cast<std::size_t>(mirror(x, w))) * channels;
      out.at(x, y) = static_cast<u8>(channels == 1 ? v[p] : 255 - (299 * v[p] + 587 * v[p + 1] + 114 * v[p + 2] + 500) / 1000);
    }
  }
  return out;
}
Picture<u8> noise(Extent e) {
  Picture<u8> out(e);
  std::uint32_t s = 1;
  for (auto& v : out.data) v = static_cast<u8>((s = s * 1664525u + 1013904223u) >> 24);
  return out;
}
Picture<u8> checkerboard(Extent e) {
  Picture<u8> out(e);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) out.at(x, y) = (x + y) % 2 ? 255 : 0;
  }
  return out;
}
Picture<u8> flat(Extent e) {
  Picture<u8> out(e);
  std::fill(out.data.begin(), out.data.end(), u8{200});
  return out;
}
Picture<u8> serpentine(Extent e) {
  Picture<u8> out(e);
  for (i32 y = 0; y < e.height; ++y) {
    if (y % 2 == 0) std::fill_n(&out.at(0, y), e.width, u8{255});
    else out.at(y / 2 % 2 == 0 ? e.width - 1 : 0, y) = 255;
  }
  return out;
}
/// A one-pixel corridor winding inwards, with one-pixel walls.
Picture<u8> spiral(Extent e) {
  Picture<u8> out(e);
  i32 x0 = 0, y0 = 0, x1 = e.width - 1, y1 = e.height - 1, x = 0;
  while (x0 <= x1 && y0 <= y1) {
    for (; x <= x1; ++x) out.at(x, y0) = 255;
    for (i32 y = y0; y <= y1; ++y) out.at(x1, y) = 255;
    for (i32 i = x1; i >= x0; --i) out.at(i, y1) = 255;
    for (i32 y = y1; y >= y0 + 2; --y) out.at(x0, y) = 255;
    if (y0 + 2 <= y1 && x0 + 1 <= x1) out.at(x0 + 1, y0 + 2) = 255;
    x = x0 + 2;
    x0 += 2, y0 += 2, x1 -= 2, y1 -= 2;
  }
  return out;
}

class Bench {
 public:
  explicit Bench(Options o) : o_(std::move(o)) {
    std::printf("%-18s %-14s %-12s %5s %2s %3s %9s %9s %9s %9s  %s\n", "op", "variant", "input", "size", "c", "thr", "ms", "Mpx/s", "cpu ms",
                "Mpx/cpus", "result");
  }
  bool wants(const std::string& op, const std::string& input) const {
    return (o_.only.empty() || op.find(o_.only) != std::string::npos) && (o_.input.empty() || input == o_.input);
  }
  /// Runs `work` repeat times for each thread count; `output` is what it wrote, to be held against the reference: the output of the
  /// first variant of the same operation on the same input.
  void time(const std::string& op, const std::string& variant, const std::string& input, int connectivity,
            const std::function<void(Context&)>& work, const std::function<std::vector<i32>()>& output) {
    for (int threads : o_.threads) {
      Context ctx{workspace_, threads, nullptr, nullptr};
      std::vector<double> ms, cpu;  // cpu: of all threads together, which a busy machine stretches less
      for (int i = 0; i < o_.repeat + 1; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpu_start = std::clock();
        work(ctx);
        cpu.push_back(1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
        ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        if (ms[0] > 4000) break;  // one run says enough
      }
      const auto median_of = [](std::vector<double> v) {
        if (v.size() > 1) v.erase(v.begin());  // the first run also pays for memory
        std::sort(v.begin(), v.end());
        return v[v.size() / 2];
      };
      const double median = median_of(ms), median_cpu = median_of(cpu), mpx = static_cast<double>(o_.size) * o_.size / 1e3;
      std::printf("%-18s %-14s %-12s %5d %2d %3d %9.2f %9.1f %9.2f %9.1f  %s\n", op.c_str(), variant.c_str(), input.c_str(), o_.size,
                  connectivity, threads, median, mpx / median, median_cpu, mpx / median_cpu, verdict(op + input + std::to_string(connectivity), output()).c_str());
      std::fflush(stdout);
    }
  }
  int status() const { return failed_ ? 1 : 0; }

 private:
  /// "exact", or by how much and where the output differs from the reference. Only the last key's reference is kept: variants follow
  /// one another.
  std::string verdict(const std::string& key, std::vector<i32> output) {
    if (key != key_) {
      key_ = key;
      reference_ = std::move(output);
      return "reference";
    }
    i64 off = 0, most = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      const i64 by = std::abs(static_cast<i64>(output[i]) - reference_[i]);
      off += by > 0;
      most = std::max(most, by);
    }
    if (off == 0) return "exact";
    failed_ = true;
    return "OFF: " + std::to_string(off) + " pixels, by " + std::to_string(most) + " at most";
  }

  Options o_;
  Workspace workspace_;
  std::string key_;
  std::vector<i32> reference_;
  bool failed_ = false;
};

void bench_input(Bench& bench, const std::string& name, Picture<u8>& f, Options o) {
  const Extent e = f.extent;
  Picture<u8> out(e), marker(e), binary(e);
  Picture<i32> wide(e), other(e);
  const bool corridor = name == "serpentine" || name == "spiral";
  for (std::size_t i = 0; i < f.data.size(); ++i) {
    marker.data[i] = corridor ? 0 : static_cast<u8>(std::max(0, f.data[i] - 40));
    binary.data[i] = f.data[i] > 100;
  }
  if (corridor) marker.data[0] = 255;
  const std::pair<const char*, ReconstructVariant> variants[] = {{"fast_hybrid", ReconstructVariant::fast_hybrid},
                                                                 {"automatic", ReconstructVariant::automatic},
                                                                 {"queue", ReconstructVariant::queue},
                                                                 {"downhill", ReconstructVariant::downhill},
                                                                 {"priority_queue", ReconstructVariant::priority_queue},
                                                                 {"tiled_fh", ReconstructVariant::tiled_fast_hybrid},
                                                                 {"parallel_fh", ReconstructVariant::parallel_fast_hybrid},
                                                                 {"raster_sweeps", ReconstructVariant::raster_sweeps}};
  const std::pair<const char*, WatershedVariant> basins[] = {{"automatic", WatershedVariant::automatic},
                                                             {"drop_of_water", WatershedVariant::drop_of_water},
                                                             {"cellular_aut.", WatershedVariant::cellular_automaton}};
  const std::pair<const char*, DistanceVariant> distances[] = {{"exact", DistanceVariant::exact}, {"danielsson", DistanceVariant::danielsson}};
  // One turn of a spiral a sweep: minutes.
  const bool too_winding = name == "spiral" && o.size > 512;
  const auto bytes = [&] { return std::vector<i32>(out.data.begin(), out.data.end()); };
  const auto labels = [&] { return wide.data; };
  for (int c : {8, 4}) {
    const Connectivity connectivity = c == 4 ? Connectivity::four : Connectivity::eight;
    if (bench.wants("reconstruct", name)) {
      for (const auto& [variant, v] : variants) {
        if (too_winding && v == ReconstructVariant::raster_sweeps) continue;
        bench.time("reconstruct", variant, name, c,
                   [&, v = v](Context& ctx) { cpu::reconstruct(ctx, marker.view(), f.view(), out.view(), {By::dilation, connectivity, v}); }, bytes);
      }
    }
    if (bench.wants("regional_maxima", name)) {
      bench.time("regional_maxima", "", name, c, [&](Context& ctx) { cpu::regional_extrema(ctx, f.view(), out.view(), {Extremum::maxima, 1, connectivity}); }, bytes);
    }
    if (bench.wants("fill_holes", name)) {
      bench.time("fill_holes", "", name, c, [&](Context& ctx) { cpu::fill_holes(ctx, binary.view(), out.view(), {connectivity}); }, bytes);
    }
    if (bench.wants("label", name)) {
      bench.time("label", "", name, c, [&](Context& ctx) { cpu::label(ctx, binary.view(), wide.view(), {connectivity}); }, labels);
    }
    if (bench.wants("area_filter", name)) {
      bench.time("area_filter", "", name, c, [&](Context& ctx) { cpu::area_filter(ctx, binary.view(), out.view(), {connectivity, 30, 100000}); }, bytes);
    }
    if (bench.wants("watershed", name)) {
      for (const auto& [variant, v] : basins) {
        if (too_winding && v == WatershedVariant::cellular_automaton) continue;
        bench.time("watershed", variant, name, c,
                   [&, v = v](Context& ctx) { cpu::watershed(ctx, f.view(), {}, {}, wide.view(), {connectivity, false, v}); }, labels);
      }
    }
    if (bench.wants("watershed_markers", name)) {
      Workspace w;
      Context once{w, 1, nullptr, nullptr};
      Picture<u8> inverted(e);
      for (std::size_t i = 0; i < f.data.size(); ++i) inverted.data[i] = static_cast<u8>(255 - f.data[i]);
      cpu::extended_extrema(once, f.view(), out.view(), {Extremum::maxima, 20, connectivity});
      cpu::label(once, out.view(), other.view(), {connectivity});
      for (const auto& [variant, v] : basins) {  // markers: the extended maxima of h = 20
        if (too_winding && v == WatershedVariant::cellular_automaton) continue;
        bench.time("watershed_markers", variant, name, c,
                   [&, v = v](Context& ctx) { cpu::watershed(ctx, inverted.view(), other.view(), {}, wide.view(), {connectivity, false, v}); }, labels);
      }
    }
    if (bench.wants("max_tree", name)) {
      bench.time("max_tree", "", name, c, [&](Context& ctx) { cpu::max_tree(ctx, f.view(), wide.view(), other.view(), {connectivity, false}); }, labels);
    }
    if (bench.wants("area_open", name)) {
      bench.time("area_open", "area=100", name, c, [&](Context& ctx) { cpu::area_open(ctx, f.view(), out.view(), {100, connectivity, false}); }, bytes);
    }
  }
  if (bench.wants("distance", name)) {
    for (const auto& [variant, v] : distances) {
      bench.time("distance", variant, name, 0, [&, v = v](Context& ctx) { cpu::distance(ctx, binary.view(), wide.view(), {1, 1, v}); }, labels);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    if (key == "--size") o.size = std::stoi(value);
    else if (key == "--repeat") o.repeat = std::stoi(value);
    else if (key == "--tile") o.tile = value;
    else if (key == "--only") o.only = value;
    else if (key == "--input") o.input = value;
    else if (key == "--threads") {
      o.threads.clear();
      for (std::size_t at = 0; at < value.size();) {
        std::size_t n = 0;
        o.threads.push_back(std::stoi(value.substr(at), &n));
        at += n + 1;
      }
    } else {
      std::fprintf(stderr, "expected --size, --repeat, --tile, --only, --input or --threads but received %s\n", key.c_str());
      return 2;
    }
  }
  if (o.tile.empty() && (o.input.empty() || o.input == "tissue")) {
    std::fprintf(stderr, "expected --tile with an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy\n");
    return 2;
  }
  Bench bench(o);
  const Extent e{o.size, o.size};
  const std::pair<const char*, std::function<Picture<u8>()>> inputs[] = {
      {"tissue", [&] { return tissue(o.tile, e); }}, {"noise", [&] { return noise(e); }},           {"checkerboard", [&] { return checkerboard(e); }},
      {"flat", [&] { return flat(e); }},             {"serpentine", [&] { return serpentine(e); }}, {"spiral", [&] { return spiral(e); }}};
  for (const auto& [name, make] : inputs) {
    if (!o.input.empty() && o.input != name) continue;
    Picture<u8> f = make();
    bench_input(bench, name, f, o);
  }
  return bench.status();
}
