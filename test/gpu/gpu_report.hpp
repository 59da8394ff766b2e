// Times operations on a GPU by its own clock, holds their outputs against the CPU's, repeats them, and prints a table or JSON
// with the columns of morpho_bench. A time is the median of `repeat` runs on images that are already there, after one that is
// not counted.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu_scene.hpp"

namespace gpu_bench {

struct Options {
  std::string tile, only, input, dump;  ///< dump: a folder that the grey pictures and the objects are written to
  std::string recipe, assets = "assets";
  std::vector<std::string> variants;
  std::vector<std::string> ops;  ///< empty: all
  std::vector<i32> sizes = {4096};
  i32 device = 0, connectivity = 0, repeat = 7, jitter = 2;  ///< connectivity 0: both
  i32 compare_up_to = 4096;                                  ///< px a side: larger images are timed, not compared
  i32 again = 20;                                            ///< runs whose outputs must all be the same
  double budget_ms = 8000;  ///< a line's runs stop where the next one would end later than this
  bool json = false, list = false;
};

/// What an operation gives beside its images, as bytes, for who compares it; not wanted while the clock runs, as copying it
/// takes time.
struct Extra : std::vector<u8> {
  bool wanted = true;
};
using Work = std::function<void(const OpTable&, Context&, const Planes&, Extra&)>;

/// One operation on one input: its variants all give the output of the first one, which both tables have.
struct Family {
  std::string op;
  int connectivity = 0;        ///< 0: has none
  double bytes_per_pixel = 0;  ///< of all inputs and outputs, once each: what no implementation can save
  std::vector<Slot> inputs, outputs;
  std::vector<std::pair<std::string, Work>> variants;
};

inline bool wants(const Options& o, const Family& f, const std::string& variant) {
  return (o.ops.empty() || std::find(o.ops.begin(), o.ops.end(), f.op) != o.ops.end()) &&
         f.op.compare(0, o.only.size(), o.only) == 0 &&
         (f.connectivity == 0 || o.connectivity == 0 || f.connectivity == o.connectivity) &&
         (o.variants.empty() || std::find(o.variants.begin(), o.variants.end(), variant) != o.variants.end());
}

inline double since_ms(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

class Report {
 public:
  Report(gpu::Device& device, Options o) : device_(device), o_(std::move(o)), watch_(device) {
    name_ = "gpu" + std::to_string(device.info().index);
    measure_bandwidth();
    if (o_.json) {
      std::printf(
          "{\"device\": \"%s\", \"name\": \"%s\", \"repeat\": %d, \"jitter\": %d, \"copy_gb_per_s\": {\"%s\": %.2f}, "
          "\"results\": [",
          name_.c_str(), device.info().name.c_str(), o_.repeat, o_.jitter, name_.c_str(), bandwidth_);
      return;
    }
    std::printf("%s: %s, %d multiprocessors; copy of 1 GiB there: %.0f GB/s read and written\n", name_.c_str(),
                device.info().name.c_str(), device.info().multiprocessors, bandwidth_);
    std::printf("%-18s %-14s %-12s %5s %2s %-5s %4s %9s %9s %6s %6s %9s  %s\n", "op", "variant", "input", "size", "c", "dev",
                "runs", "ms", "Gpx/s", "B/px", "of bw", "w. copies", "result");
  }
  /// Times, compares and prints every variant that is wanted. Nothing is uploaded or computed for the others.
  void run(const Family& f, Scene& scene) {
    const bool compares = scene.size() <= o_.compare_up_to;
    bool have_reference = false;
    for (const auto& [variant, work] : f.variants) {
      if (!wants(o_, f, variant)) continue;
      if (compares && !have_reference) take_reference(f, scene);
      have_reference = true;
      try {
        time(f, variant, work, scene, compares);
      } catch (const Error& e) {
        failed_ = true;
        print(f, variant, scene, {}, std::string("FAILED: ") + code_name(e.code()) + " " + e.what());
        if (e.code() == ErrorCode::gpu_lost) throw;
      }
    }
  }
  /// 1 where a result was not what it should be.
  int finish() {
    if (o_.json) std::printf("]}\n");
    return failed_ ? 1 : 0;
  }

 private:
  struct Times {
    int runs = 0;
    double ms = 0, with_copies_ms = 0;
  };

  static double median(std::vector<double> v) {
    if (v.size() > 1) v.erase(v.begin());  // the first run also takes memory and loads the code
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  }
  double gpu_ms(const std::function<void(Context&)>& work) {
    Context ctx = device_.context();
    watch_.start();
    work(ctx);
    watch_.stop();
    return watch_.ms();  // sync: for the time
  }
  void measure_bandwidth() {
    const std::size_t n = std::size_t{1} << 30;
    void *a = device_.allocate(n), *b = device_.allocate(n);
    device_.fill(a, 1, n);
    std::vector<double> ms;
    for (int i = 0; i < 6; ++i) ms.push_back(gpu_ms([&](Context&) { device_.copy(b, a, n); }));
    bandwidth_ = 2e-6 * static_cast<double>(n) / median(ms);
    device_.release(a);
    device_.release(b);
  }

  void take_reference(const Family& f, Scene& scene) {
    reference_.clear();
    reference_extra_.clear();
    Context ctx{cpu_work_, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())), nullptr, nullptr};
    f.variants[0].second(cpu::table(), ctx, scene.host(), reference_extra_);
    for (const Slot s : f.outputs) reference_.push_back(scene.host_bytes(s));
  }

  void time(const Family& f, const std::string& variant, const Work& work, Scene& scene, bool compares) {
    for (const Slot s : f.inputs) scene.upload(s);  // sync: before the clock starts
    for (const Slot s : f.outputs) scene.poison(s);
    Times t;
    std::vector<double> ms;
    double spent = 0;
    for (int i = 0; i <= o_.repeat && (i < 2 || spent + ms.back() <= o_.budget_ms); ++i) {
      Extra extra;
      extra.wanted = false;
      ms.push_back(gpu_ms([&](Context& ctx) { work(gpu::table(), ctx, scene.device(), extra); }));
      spent += ms.back();
    }
    t.runs = static_cast<int>(ms.size()) - 1;
    t.ms = median(ms);
    std::vector<double> whole;
    for (int i = 0; i < 3; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      Context ctx = device_.context();
      Extra extra;
      extra.wanted = false;
      for (const Slot s : f.inputs) scene.upload(s);  // sync: pageable memory, as users have it
      work(gpu::table(), ctx, scene.device(), extra);
      for (const Slot s : f.outputs) scene.fetch(s);  // sync: waits
      device_.synchronize();                          // sync: where there is no output image
      whole.push_back(since_ms(begin));
    }
    t.with_copies_ms = median(whole);
    print(f, variant, scene, t, compares ? verdict(f, work, scene) : "not compared");
  }

  /// "exact, 20 runs alike", or how many pixels differ from the CPU's output, or which run differs from the first.
  std::string verdict(const Family& f, const Work& work, Scene& scene) {
    for (int run = 0; run < o_.again; ++run) {
      for (const Slot s : f.outputs) scene.poison(s);
      Extra extra;
      Context ctx = device_.context();
      work(gpu::table(), ctx, scene.device(), extra);
      device_.synchronize();  // sync: what the run met shows here
      std::string wrong = extra == reference_extra_ ? "" : "what it returned differs";
      for (std::size_t k = 0; k < f.outputs.size() && wrong.empty(); ++k) {
        const std::vector<u8>& got = scene.fetch(f.outputs[k]);  // sync: to compare
        if (std::memcmp(got.data(), reference_[k].data(), got.size()) != 0)
          wrong = different(got, reference_[k], scene.pixel_bytes(f.outputs[k]));
      }
      if (wrong.empty()) continue;
      failed_ = true;
      return "WRONG in run " + std::to_string(run + 1) + ": " + wrong;
    }
    return "exact, " + std::to_string(o_.again) + " runs alike";
  }
  static std::string different(const std::vector<u8>& got, const std::vector<u8>& want, std::size_t bytes) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i + bytes <= got.size(); i += bytes) {
      if (std::memcmp(&got[i], &want[i], bytes) != 0 && count++ == 0) first = i / bytes;
    }
    return std::to_string(count) + " pixels, first at index " + std::to_string(first);
  }

  void print(const Family& f, const std::string& variant, const Scene& scene, const Times& t, const std::string& result) {
    const double gpx = static_cast<double>(scene.size()) * scene.size() * 1e-9,
                 share = t.ms > 0 ? f.bytes_per_pixel * gpx * 1e3 / t.ms / bandwidth_ : 0;
    const double rate = t.ms > 0 ? gpx * 1e3 / t.ms : 0;
    if (o_.json) {
      std::string text;
      for (const char c : result) text += c == '"' || c == '\\' ? '\'' : c;
      std::printf(
          "%s\n{\"op\": \"%s\", \"variant\": \"%s\", \"input\": \"%s\", \"size\": %d, \"connectivity\": %d, \"device\": "
          "\"%s\", \"runs\": %d, \"ms\": %.4f, "
          "\"mpx_per_s\": %.2f, \"bytes_per_pixel\": %.2f, \"bandwidth_share\": %.4f, \"with_copies_ms\": %.3f, \"result\": "
          "\"%s\"}",
          first_ ? "" : ",", f.op.c_str(), variant.c_str(), scene.input().c_str(), scene.size(), f.connectivity, name_.c_str(),
          t.runs, t.ms, 1e3 * rate, f.bytes_per_pixel, share, t.with_copies_ms, text.c_str());
    } else {
      std::printf("%-18s %-14s %-12s %5d %2d %-5s %4d %9.3f %9.3f %6.1f %5.1f%% %9.2f  %s\n", f.op.c_str(), variant.c_str(),
                  scene.input().c_str(), scene.size(), f.connectivity, name_.c_str(), t.runs, t.ms, rate, f.bytes_per_pixel,
                  100 * share, t.with_copies_ms, result.c_str());
    }
    first_ = false;
    std::fflush(stdout);
  }

  gpu::Device& device_;
  Options o_;
  gpu::Stopwatch watch_;
  std::string name_;
  double bandwidth_ = 1;
  Workspace cpu_work_;
  std::vector<std::vector<u8>> reference_;
  Extra reference_extra_;
  bool failed_ = false, first_ = true;
};

}  // namespace gpu_bench
