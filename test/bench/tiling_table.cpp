// One result whatever the tiling: every recipe and every operation on regions, for several tiles, threads and devices, hashed.
//   tiling_table [--side 4400] [--tiles 256,1000,4096] [--threads 1,2] [--devices cpu,gpu0,both] [--assets assets] [--only
//   he-nuclei,label]
// Prints a line a way: what, tile, threads, device, hash, objects or pixels, certified share, ms. Ends with 1 where two ways of
// one thing differ. Recipes run on made tissue with spindles over tiles' borders; those with a background of the whole slide
// (iwpp-nuclei, cell-detection) compute it by the same tiles and devices. Needs neither Node nor a test framework: GPU machines
// have none.
#include <chrono>
#include <cstring>
#include <iostream>

#include "../native/support/ground_scene.hpp"
#include "engine/operation/op_call.hpp"
#include "engine/region/region_call.hpp"

namespace {

using namespace morpho;
using namespace morpho::test;
namespace region = engine::region;
using Clock = std::chrono::steady_clock;

struct Options {
  i32 side = 4400;
  std::vector<i64> tiles{256, 1000, 4096};
  std::vector<int> threads{1, 2};
  std::vector<std::string> devices{"cpu"}, only;
  std::string assets = "assets";
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    if (to > from) parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}
std::vector<i64> numbers(const std::string& text) {
  std::vector<i64> all;
  for (const std::string& t : split(text)) all.push_back(std::stoll(t));
  return all;
}

struct Hash {
  u64 value = 0xcbf29ce484222325u;
  void add(const void* data, std::size_t n) {
    const u8* p = static_cast<const u8*>(data);
    for (; n >= 8; n -= 8, p += 8) {
      u64 word;
      std::memcpy(&word, p, 8);
      value = (value ^ word) * 0x9e3779b97f4a7c15u;
      value ^= value >> 29;
    }
    for (; n > 0; --n, ++p) value = (value ^ *p) * 0x100000001b3u;
  }
};

std::vector<engine::DeviceName> devices_of(const std::string& name) {
  engine::DeviceName cpu, gpu;
  gpu.gpu = true;
  if (name == "cpu") return {cpu};
  if (name == "gpu0") return {gpu};
  if (name == "both") return {gpu, cpu};
  std::cerr << "expected cpu, gpu0 or both for a device but received " << name << "\n";
  std::exit(2);
}

/// Of one thing in all ways.
class Table {
 public:
  explicit Table(const Options& o) : o_(o) {}
  bool wanted(const std::string& what) const {
    return o_.only.empty() || std::find(o_.only.begin(), o_.only.end(), what) != o_.only.end();
  }
  /// fn(tile, threads, devices, hash) -> the line's middle.
  template <class Fn>
  void each(const std::string& what, Fn&& fn) {
    if (!wanted(what)) return;
    std::set<u64> found;
    for (const std::string& device : o_.devices) {
      for (const i64 tile : o_.tiles) {
        for (const int threads : o_.threads) {
          const auto begin = Clock::now();
          Hash hash;
          const std::string told = fn(tile, threads, devices_of(device), hash);
          const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
          std::printf("%-20s %5lld %2d %-5s %016llx %s %.0f ms\n", what.c_str(), static_cast<long long>(tile), threads,
                      device.c_str(), static_cast<unsigned long long>(hash.value), told.c_str(), ms);
          std::fflush(stdout);
          found.insert(hash.value);
          ++ways_;
        }
      }
    }
    ++things_;
    differ_ += found.size() != 1;
    if (found.size() != 1) std::printf("%s: %zu results\n", what.c_str(), found.size());
  }
  int end() const {
    std::printf("%d things in %d ways, %d of them with more than one result\n", things_, ways_, differ_);
    return differ_ > 0;
  }

 private:
  const Options& o_;
  int things_ = 0, ways_ = 0, differ_ = 0;
};

void recipes(Table& table, const Options& o) {
  Scene scene(o.side, o.side, 5);
  scene.field(24);
  scene.spindles(o.side / 8);
  for (i32 y = 256; y < o.side; y += 256)
    for (i32 x = 256; x < o.side; x += 256) scene.ellipse(x, y, 9, 6, 0.4);
  const Made m = made(scene);
  for (const std::string id : kRecipes) {
    if (!table.wanted(id)) continue;
    const engine::Params params = params_of(o.assets, id, m.view());
    const bool grounded = std::find_if(std::begin(kGroundRecipes), std::end(kGroundRecipes),
                                       [&](const char* other) { return id == other; }) != std::end(kGroundRecipes);
    const engine::Params used = grounded ? unbounded(params) : params;
    table.each(id, [&](i64 tile, int threads, const std::vector<engine::DeviceName>& devices, Hash& hash) {
      engine::Resources resources;
      std::shared_ptr<const engine::Ground> ground;
      if (grounded) {
        region::GroundJob job = ground_job(m, id, used, std::max<i64>(tile, 512), threads);
        job.workers.devices = devices;
        ground = region::compute_ground(resources, job);
      }
      const TiledObjects got = objects_by_tiles(m, id, used, static_cast<i32>(tile), ground, {0, 0, o.side, o.side}, threads,
                                                devices);
      for (const std::string& text : got.objects) hash.add(text.data(), text.size());
      char told[120];
      std::snprintf(told, sizeof told, "%zu objects, %.2f %% of %d windows certified, %d grown", got.objects.size(),
                    100.0 * got.certified / got.windows, got.windows, got.grown);
      return std::string(told);
    });
  }
}

/// Values for what an operation must be given.
engine::Params params_of_op(const engine::OpInfo& info) {
  engine::Params params;
  for (const engine::OpParam& p : info.params) {
    if (p.required) params.set(p.name, p.name == "at-least" ? 1.3 : p.name == "area" ? 30.0 : std::max(p.low, 3.0));
    if (p.name == "attribute") params.set(p.name, std::string("elongation"));
  }
  return params;
}

void operations(Table& table, const Options& o) {
  const Extent e{o.side, o.side};
  std::mt19937 rng(7);
  // Grey tissue: blobs of several sizes over a slope, and the same as a binary image.
  std::vector<u8> grey(static_cast<std::size_t>(e.area())), binary(grey.size()), marker(grey.size());
  for (i32 y = 0; y < o.side; ++y) {
    for (i32 x = 0; x < o.side; ++x) {
      const std::size_t p = static_cast<std::size_t>(y) * static_cast<std::size_t>(o.side) + static_cast<std::size_t>(x);
      const double v = 120 + 60 * std::sin(x * 0.043) * std::cos(y * 0.037) + 30 * std::sin((x + y) * 0.011) +
                       static_cast<int>(rng() % 9);
      grey[p] = static_cast<u8>(v);
      binary[p] = v > 130;
      marker[p] = (static_cast<i64>(x) * 31 + static_cast<i64>(y) * 17) % 997 == 0 ? grey[p] : 0;
    }
  }
  const auto& names = region::region_op_names();
  for (const engine::OpInfo& info : engine::op_list()) {
    if (std::find(names.begin(), names.end(), info.name) == names.end() || !table.wanted(info.name)) continue;
    // What the table gives for the whole image says which type the output has.
    std::vector<engine::OwnedImage> small;
    for (const engine::OpSlot& s : info.inputs) {
      if (s.optional) continue;
      engine::OwnedImage image;
      image.name = s.name, image.type = PixelType::u8, image.extent = {16, 16}, image.bytes.assign(256, 1);
      small.push_back(image);
    }
    Workspace w;
    Context ctx{w, 1, nullptr, nullptr, nullptr};
    const engine::OwnedImage shape = engine::op_call(cpu::table(), ctx, info.name, small, params_of_op(info)).outputs.front();
    table.each(info.name, [&](i64 tile, int threads, const std::vector<engine::DeviceName>& devices, Hash& hash) {
      engine::Resources resources;
      std::vector<u8> got(static_cast<std::size_t>(e.area()) * pixel_bytes(shape.type), 99);
      std::vector<region::MemoryRaster> rasters;
      rasters.reserve(info.inputs.size() + 1);
      region::RegionCall call;
      call.name = info.name;
      for (const engine::OpSlot& s : info.inputs) {
        if (s.optional) continue;
        const bool is_binary = s.name == "binary" || info.name == "label" || info.name == "distance" ||
                               info.name == "area-filter";
        rasters.emplace_back(PixelType::u8, o.side, o.side, (s.name == "marker" ? marker : is_binary ? binary : grey).data());
        call.inputs.emplace_back(s.name, &rasters.back());
      }
      rasters.emplace_back(shape.type, o.side, o.side, got.data());
      call.output = {shape.name, &rasters.back()};
      call.params = params_of_op(info);
      call.tile = tile, call.scratch_folder = "/tmp";
      call.workers.devices = devices, call.workers.threads = threads;
      const region::RegionResult result = region::region_call(resources, call);
      hash.add(got.data(), got.size());
      std::string told;
      for (const auto& [name, value] : result.scalars) told += name + " " + std::to_string(value) + " ";
      for (const std::string& note : result.notes) told += "(" + note + ") ";
      return told;
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string name = argv[k], value = argv[k + 1];
    if (name == "--side") o.side = std::stoi(value);
    else if (name == "--tiles") o.tiles = numbers(value);
    else if (name == "--devices") o.devices = split(value);
    else if (name == "--assets") o.assets = value;
    else if (name == "--only") o.only = split(value);
    else if (name == "--threads") {
      o.threads.clear();
      for (const i64 n : numbers(value)) o.threads.push_back(static_cast<int>(n));
    } else {
      std::cerr << "unknown option " << name << "\n";
      return 2;
    }
  }
  try {
    Table table(o);
    recipes(table, o);
    operations(table, o);
    return table.end();
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
