// Times the GPU operations on resident tissue images by the GPU's clock, with the copy bandwidth of the same run as the floor.
//   gpu_bench --tile tile.npy [--sizes 4096,8192,16384] [--repeat 7] [--only label]
// A time is the median of `repeat` runs after one that is not counted; floor is the fewest bytes over the copy's bandwidth.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../native/npy.hpp"
#include "contract/ops.hpp"
#include "cuda/gpu.hpp"

using namespace morpho;

namespace {

struct Options {
  std::string tile, only;
  std::vector<i32> sizes = {4096, 8192, 16384};
  int repeat = 7;
};

class Bench {
 public:
  Bench(gpu::Device& device, Options o) : device_(device), o_(std::move(o)), watch_(device) {}

  double median_ms(const std::function<void(Context&)>& work) {
    std::vector<double> ms;
    for (int i = 0; i <= o_.repeat; ++i) {
      Context ctx = device_.context();
      watch_.start();
      work(ctx);
      watch_.stop();
      ms.push_back(watch_.ms());
    }
    ms.erase(ms.begin());  // the first run also takes memory
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }
  /// `bytes` a pixel: the fewest that must move.
  void time(const std::string& op, const std::string& input, Extent e, double bytes, const std::function<void(Context&)>& work) {
    if (!o_.only.empty() && op.find(o_.only) == std::string::npos) return;
    try {
      const double ms = median_ms(work), pixels = static_cast<double>(e.area()), floor_ms = pixels * bytes / (bandwidth_ * 1e6);
      std::printf("%-22s %-16s %6d %9.3f %9.2f %9.3f %7.1f\n", op.c_str(), input.c_str(), e.width, ms, pixels / ms / 1e6, floor_ms, ms / floor_ms);
    } catch (const Error& error) {
      std::printf("%-22s %-16s %6d failed: %s %s\n", op.c_str(), input.c_str(), e.width, code_name(error.code()), error.what());
      if (error.code() == ErrorCode::gpu_lost) throw;
    }
    std::fflush(stdout);
  }
  void measure_bandwidth() {
    const std::size_t n = std::size_t{1} << 30;
    void *a = device_.allocate(n), *b = device_.allocate(n);
    device_.fill(a, 1, n);
    bandwidth_ = 2.0 * static_cast<double>(n) / (median_ms([&](Context&) { device_.copy(b, a, n); }) * 1e6);  // GB/s
    device_.release(a);
    device_.release(b);
    std::printf("copy of 1 GiB on the device: %.0f GB/s read and written\n", bandwidth_);
  }
  int repeat() const { return o_.repeat; }

 private:
  gpu::Device& device_;
  Options o_;
  gpu::Stopwatch watch_;
  double bandwidth_ = 1;
};

std::vector<Rgba> tissue(const std::string& path, i32 n) {
  const testing_npy::Array a = testing_npy::read(path);
  const std::vector<i32> v = a.as<i32>();
  const i32 h = static_cast<i32>(a.shape[0]), w = static_cast<i32>(a.shape[1]);
  const auto mirror = [](i32 i, i32 m) { return i / m % 2 ? m - 1 - i % m : i % m; };
  std::vector<Rgba> out(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (i32 y = 0; y < n; ++y) {
    for (i32 x = 0; x < n; ++x) {
      const i32* c = &v[3 * (static_cast<std::size_t>(mirror(y, h)) * static_cast<std::size_t>(w) + static_cast<std::size_t>(mirror(x, w)))];
      out[static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x)] = {static_cast<u8>(c[0]), static_cast<u8>(c[1]), static_cast<u8>(c[2]), 255};
    }
  }
  return out;
}

void bench_size(Bench& bench, gpu::Device& device, const std::vector<Rgba>& colors, i32 n) {
  const OpTable& t = gpu::table();
  const Extent e{n, n};
  const std::size_t area = static_cast<std::size_t>(e.area());
  const auto take = [&](std::size_t bytes) { return static_cast<u8*>(device.allocate(bytes)); };
  u8 *d_rgba = take(4 * area), *d_grey = take(area), *d_smooth = take(area), *d_binary = take(area), *d_out = take(area), *d_noise = take(area),
     *d_marker = take(area), *d_far = take(area);
  i32 *d_wide = static_cast<i32*>(device.allocate(4 * area)), *d_other = static_cast<i32*>(device.allocate(4 * area));
  device.upload(d_rgba, colors.data(), 4 * area);
  {
    std::vector<u8> noise(area);
    std::uint32_t s = 1;
    for (u8& v : noise) v = static_cast<u8>(((s = s * 1664525u + 1013904223u) >> 24) > 128);
    device.upload(d_noise, noise.data(), area);
    for (std::size_t i = 0; i < area; ++i) noise[i] = i != 0;
    device.upload(d_far, noise.data(), area);
    device.synchronize();
  }
  const View<const Rgba> rgba(reinterpret_cast<const Rgba*>(d_rgba), e);
  const View<u8> grey(d_grey, e), smooth(d_smooth, e), binary(d_binary, e), out(d_out, e), noise(d_noise, e), marker(d_marker, e), far(d_far, e);
  const View<i32> wide(d_wide, e), other(d_other, e);
  Context ctx = device.context();
  const WeightsParams inverted{-299, -587, -114, 255499, 1000};
  std::vector<u64> bins(256);
  t.weights(ctx, rgba, grey, inverted);
  t.gaussian(ctx, grey, smooth, {2});
  t.histogram(ctx, smooth, bins.data());
  const i32 level = otsu_level(bins.data(), 256);
  t.threshold(ctx, smooth, binary, {level});
  i32 objects = 0;
  const auto both = [&](const char* op, const char* input, double bytes, auto work) {
    for (const Connectivity c : {Connectivity::eight, Connectivity::four}) {
      bench.time(std::string(op) + (c == Connectivity::eight ? " c8" : " c4"), input, e, bytes, [&](Context& x) { work(x, c); });
    }
  };
  if (t.label) {
    both("label", "smoothed Otsu", 5, [&](Context& c, Connectivity k) { objects = t.label(c, binary, wide, {k}); });
    both("label", "noise 50 %", 5, [&](Context& c, Connectivity k) { t.label(c, noise, wide, {k}); });
    both("label", "full", 5, [&](Context& c, Connectivity k) { t.label(c, far, wide, {k}); });
  }
  if (t.area_filter) both("area_filter", "smoothed Otsu", 2, [&](Context& c, Connectivity k) { t.area_filter(c, binary, out, {k, 30, 100000}); });
  if (t.distance) {
    bench.time("distance", "smoothed Otsu", e, 5, [&](Context& c) { t.distance(c, binary, wide, {}); });
    bench.time("distance", "noise 50 %", e, 5, [&](Context& c) { t.distance(c, noise, wide, {}); });
    bench.time("distance", "one zero", e, 5, [&](Context& c) { t.distance(c, far, wide, {}); });
  }
  bench.time("threshold", "tissue", e, 2, [&](Context& c) { t.threshold(c, smooth, out, {level}); });
  bench.time("combine", "tissue", e, 3, [&](Context& c) { t.combine(c, smooth, grey, out, {Combine::subtract}); });
  bench.time("histogram u8", "tissue", e, 1, [&](Context& c) { t.histogram(c, grey, bins.data()); });
  const StainParams stain{{101000, -40000, 3000}, 120, {240, 238, 250}};
  bench.time("stain", "tissue", e, 5, [&](Context& c) { t.stain(c, rgba, out, stain); });
  bench.time("weights", "tissue", e, 5, [&](Context& c) { t.weights(c, rgba, out, inverted); });
  bench.time("gaussian 1.5", "tissue", e, 2, [&](Context& c) { t.gaussian(c, grey, out, {1.5}); });
  bench.time("median 1", "tissue", e, 2, [&](Context& c) { t.median(c, grey, out, {1}); });
  bench.time("median 3", "tissue", e, 2, [&](Context& c) { t.median(c, grey, out, {3}); });
  bench.time("median 10", "tissue", e, 2, [&](Context& c) { t.median(c, grey, out, {10}); });
  bench.time("box_mean 50", "tissue", e, 2, [&](Context& c) { t.box_mean(c, grey, out, {50}); });
  bench.time("erode disk 10", "tissue", e, 2, [&](Context& c) { t.morphology(c, grey, out, {Morphology::erode, Shape::disk, 10}); });
  bench.time("open square 5", "tissue", e, 2, [&](Context& c) { t.morphology(c, grey, out, {Morphology::open, Shape::square, 5}); });
  const View<Rgba> half(reinterpret_cast<Rgba*>(d_wide), {n / 2, n / 2});
  bench.time("resample by 2", "tissue", e, 5, [&](Context& c) { t.resample(c, rgba, half, {0, 0, 131072, 131072}); });
  if (t.label && n <= 8192) {
    objects = t.label(ctx, binary, wide, {});
    const auto start = std::chrono::steady_clock::now();
    ObjectSet set;
    t.measure(ctx, wide, rgba, set, {});
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    std::printf("%-22s %-16s %6d %9.3f  wall clock, %zu objects, %zu runs\n", "measure", "smoothed Otsu", n, ms, set.objects.size(), set.runs.size());
  }
  if (t.reconstruct) {
    t.scale(ctx, grey, marker, {1, -40, 0});
    both("reconstruct h40", "tissue", 3, [&](Context& c, Connectivity k) { t.reconstruct(c, marker, grey, out, {By::dilation, k}); });
    t.morphology(ctx, grey, marker, {Morphology::erode, Shape::disk, 10});
    both("reconstruct r10", "tissue", 3, [&](Context& c, Connectivity k) { t.reconstruct(c, marker, grey, out, {By::dilation, k}); });
  }
  if (t.watershed) both("watershed", "tissue", 5, [&](Context& c, Connectivity k) { t.watershed(c, grey, ConstPlane(), ConstPlane(), wide, {k, false}); });
  if (t.max_tree) both("max_tree", "tissue", 9, [&](Context& c, Connectivity k) { t.max_tree(c, grey, wide, other, {k, false}); });
  if (t.area_open) both("area_open 100", "tissue", 2, [&](Context& c, Connectivity k) { t.area_open(c, grey, out, {100, k, false}); });
  std::printf("at %d: Otsu's level %d, %d labels, workspace peak %.0f MiB\n", n, level, objects, static_cast<double>(device.workspace().peak_bytes()) / 1048576);
  for (void* p : {static_cast<void*>(d_rgba), static_cast<void*>(d_grey), static_cast<void*>(d_smooth), static_cast<void*>(d_binary), static_cast<void*>(d_out),
                  static_cast<void*>(d_noise), static_cast<void*>(d_marker), static_cast<void*>(d_far), static_cast<void*>(d_wide), static_cast<void*>(d_other)}) {
    device.release(p);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    if (key == "--tile") o.tile = value;
    else if (key == "--only") o.only = value;
    else if (key == "--repeat") o.repeat = std::stoi(value);
    else if (key == "--sizes") {
      o.sizes.clear();
      for (std::size_t at = 0; at < value.size();) {
        std::size_t used = 0;
        o.sizes.push_back(std::stoi(value.substr(at), &used));
        at += used + 1;
      }
    } else {
      std::fprintf(stderr, "expected --tile, --only, --repeat or --sizes but received %s\n", key.c_str());
      return 2;
    }
  }
  if (o.tile.empty() || o.repeat < 1) {
    std::fprintf(stderr, "expected --tile with an .npy image, e.g. test/fixtures/oracle/tile_cmu.npy, and a repeat of at least 1\n");
    return 2;
  }
  const gpu::DeviceList list = gpu::list_devices();
  if (list.devices.empty()) {
    std::printf("skipped, 0 devices: %s\n", list.reason.c_str());
    return 0;
  }
  try {
    gpu::Device device;
    std::printf("%s\n", device.info().name.c_str());
    Bench bench(device, o);
    bench.measure_bandwidth();
    std::printf("%-22s %-16s %6s %9s %9s %9s %7s\n", "op", "input", "size", "ms", "Gpx/s", "floor ms", "x floor");
    for (const i32 n : o.sizes) bench_size(bench, device, tissue(o.tile, n), n);
    return 0;
  } catch (const Error& e) {
    std::printf("FAILED: %s: %s [%s]\n", code_name(e.code()), e.what(), e.detail().c_str());
    return 1;
  }
}
