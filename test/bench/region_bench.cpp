// Times operations on regions, host to host, and hashes what comes out: what "one result on every device" and the papers'
// experiments are measured with.
//   region_bench --tissue test/fixtures/oracle/tile_cmu.npy --op reconstruct --side 98304 --tile 16384 --devices gpu0,cpu
//                [--threads 16] [--workers 6] [--cpu cores|group] [--set name=value]… [--image tissue|noise|serpentine|sparse]
//                [--share 100] [--markers] [--repeat 2] [--floors] [--hash] [--timeline PREFIX] [--order fcfs|suited|both]
// Each run prints one line of JSON. --devices may be given several times: the sets take turns, `repeat` times each, so that
// their times compare; each set's first result is hashed, and a result that differs from the first set's ends the program
// with 3.
// --floors measures what binds them: memory to memory, and each GPU's copies, alone and with all GPUs at once.
// --timeline keeps every visit of each set's last call in PREFIX-SET.csv. --markers gives a watershed one in each square of 64
// px. `tissue` is the tile, mirrored until the region is full; the marker of a reconstruction is its opening by a disk of 19 px
// across, as the IWPP paper's recipe has it; binary images are where it exceeds its mean.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "../native/support/npy.hpp"
#include "cuda/gpu.hpp"
#include "engine/region/region_call.hpp"
#include "export/sha256.hpp"
#include "region_images.hpp"

using namespace morpho;
using namespace morpho::bench;
namespace region = morpho::engine::region;

namespace {

struct Options {
  std::string tissue, op = "reconstruct", image = "tissue", timeline;
  i64 side = 4096, tile = 4096;
  std::vector<std::string> sets;  ///< of devices, as they were written
  std::vector<region::TileOrder> orders{region::WorkerOptions{}.order};
  int threads = 1, workers = 12, repeat = 1, share = 100;
  region::CpuWorkers cpu = region::CpuWorkers::cores;
  engine::Params params;
  bool floors = false, hash = false, markers = false;
};

[[noreturn]] void usage(const std::string& why) {
  std::fprintf(stderr, "region_bench: %s; the head of test/bench/region_bench.cpp lists the options\n", why.c_str());
  std::exit(2);
}

/// A text as the value of a parameter: true, false, a number, or a choice.
engine::ParamValue value_of(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end == 0 && !text.empty()) return number;
  return text;
}

/// "gpu0,gpu1,cpu" as devices.
std::vector<engine::DeviceName> devices_of(const std::string& text) {
  std::vector<engine::DeviceName> devices;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    devices.push_back(engine::parse_device(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return devices;
}

/// "fcfs", "suited", or "both".
std::vector<region::TileOrder> orders_of(const std::string& text) {
  if (text == "fcfs") return {region::TileOrder::fcfs};
  if (text == "suited") return {region::TileOrder::suited};
  if (text != "both") usage("--order is fcfs, suited or both, not " + text);
  return {region::TileOrder::fcfs, region::TileOrder::suited};
}
const char* name_of(region::TileOrder order) { return order == region::TileOrder::fcfs ? "fcfs" : "suited"; }

Options parse(int count, char** words) {
  Options o;
  for (int i = 1; i < count; ++i) {
    const std::string name = words[i];
    if (name == "--floors") o.floors = true;
    else if (name == "--hash") o.hash = true;
    else if (name == "--markers") o.markers = true;
    else if (i + 1 == count) usage("expected a value after " + name);
    else {
      const std::string value = words[++i];
      if (name == "--tissue") o.tissue = value;
      else if (name == "--op") o.op = value;
      else if (name == "--image") o.image = value;
      else if (name == "--side") o.side = std::atoll(value.c_str());
      else if (name == "--tile") o.tile = std::atoll(value.c_str());
      else if (name == "--threads") o.threads = std::atoi(value.c_str());
      else if (name == "--workers") o.workers = std::atoi(value.c_str());
      else if (name == "--share") o.share = std::atoi(value.c_str());
      else if (name == "--repeat") o.repeat = std::atoi(value.c_str());
      else if (name == "--timeline") o.timeline = value;
      else if (name == "--order") o.orders = orders_of(value);
      else if (name == "--cpu") o.cpu = value == "group" ? region::CpuWorkers::group : region::CpuWorkers::cores;
      else if (name == "--set") {
        const std::size_t is = value.find('=');
        if (is == std::string::npos) usage("expected name=value after --set");
        o.params.set(value.substr(0, is), value_of(value.substr(is + 1)));
      } else if (name == "--devices") {
        devices_of(value);
        o.sets.push_back(value);
      } else usage("unknown option " + name);
    }
  }
  if (o.sets.empty()) o.sets.emplace_back("cpu");
  return o;
}

/// Rows of noise that no thread count changes.
u64 next(u64& s) { return s = s * 6364136223846793005ULL + 1442695040888963407ULL, s >> 33; }

void fill(Picture& to, const Options& o, const std::vector<u8>& period, i64 n) {
  if (o.image == "tissue") {
    fill_mirrored(to, period, n, o.threads);
    if (o.share < 100) clear_glass(to, o.share, o.threads);
    return;
  }
  by_rows(to.side, o.threads, [&](i64 begin, i64 end) {
    for (i64 y = begin; y < end; ++y) {
      u8* row = to.data.get() + y * to.side;
      u64 seed = static_cast<u64>(y) * 977 + 5;
      const i64 lane = y / 64;
      for (i64 x = 0; x < to.side; ++x) {
        if (o.image == "noise") row[x] = static_cast<u8>(next(seed));
        else if (o.image == "serpentine") row[x] = lane % 2 == 0 || (lane % 4 == 1 ? x >= to.side - 64 : x < 64) ? 200 : 0;
        else row[x] = y == 0 && x == 0 ? 0 : 255;  // sparse: one zero
      }
    }
  });
}

std::string text_of(const std::array<u8, 32>& digest) {
  std::string text;
  for (const u8 b : digest) text += "0123456789abcdef"[b >> 4], text += "0123456789abcdef"[b & 15];
  return text;
}

/// SHA-256 of the SHA-256 of 256 bands of rows, on all threads.
std::string hash_of(const Picture& p, int threads) {
  const i64 bands = 256;
  std::vector<std::string> parts(bands);
  std::atomic<i64> next_band{0};
  std::vector<std::thread> all;
  const std::size_t row = static_cast<std::size_t>(p.side) * pixel_bytes(p.type);
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      for (i64 b = next_band++; b < bands; b = next_band++) {
        const std::size_t begin = static_cast<std::size_t>(p.side * b / bands) * row,
                          end = static_cast<std::size_t>(p.side * (b + 1) / bands) * row;
        exports::Sha256 sum;
        sum.update({p.data.get() + begin, end - begin});
        parts[static_cast<std::size_t>(b)] = text_of(sum.digest());
      }
    });
  }
  for (std::thread& t : all) t.join();
  exports::Sha256 sum;
  for (const std::string& part : parts) sum.update({reinterpret_cast<const u8*>(part.data()), part.size()});
  return text_of(sum.digest());
}

/// GB/s that each of these GPUs copies from page-locked memory to its own (or back) while the others do the same: 4 GiB each.
void print_copies(const std::vector<i32>& gpus, bool up) {
  const std::size_t block = std::size_t{256} << 20;
  std::vector<double> rates(gpus.size());
  std::barrier begun(static_cast<std::ptrdiff_t>(gpus.size()));
  std::vector<std::thread> all;
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    all.emplace_back([&, g] {
      gpu::Device device(gpus[g]);
      void* host = gpu::allocate_pinned(gpus[g], block);
      void* there = device.allocate(block);
      device.upload(there, host, block);
      device.synchronize();
      begun.arrive_and_wait();
      const double begin = engine::now_ms();
      for (int k = 0; k < 16; ++k) {
        if (up) device.upload(there, host, block);
        else device.download(host, there, block);
      }
      device.synchronize();
      rates[g] = 16 * static_cast<double>(block) / 1e6 / (engine::now_ms() - begin);
      begun.arrive_and_wait();
      device.release(there);
      gpu::release_pinned(host);
    });
  }
  for (std::thread& t : all) t.join();
  std::string names, each;
  double sum = 0;
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    names += (g ? ",gpu" : "gpu") + std::to_string(gpus[g]);
    each += (g ? "," : "") + std::to_string(std::lround(rates[g]));
    sum += rates[g];
  }
  std::printf("{\"floor\":\"%s\",\"devices\":\"%s\",\"gb_per_s\":%.1f,\"each\":[%s]}\n", up ? "upload" : "download",
              names.c_str(), sum, each.c_str());
}

/// GB/s of memory to memory on all threads (counted once, though read and written), and of page-locked memory to and from each
/// GPU alone and all at once.
void print_floors(const Options& o) {
  const std::size_t bytes = std::size_t{4} << 30;
  std::unique_ptr<u8[]> a(new u8[bytes]), b(new u8[bytes]);
  by_rows(4096, o.threads, [&](i64 from, i64 to) {
    std::memset(a.get() + from * (1 << 20), 1, static_cast<std::size_t>(to - from) << 20),
        std::memset(b.get() + from * (1 << 20), 2, static_cast<std::size_t>(to - from) << 20);
  });
  const double begin = engine::now_ms();
  by_rows(4096, o.threads, [&](i64 from, i64 to) {
    std::memcpy(b.get() + from * (1 << 20), a.get() + from * (1 << 20), static_cast<std::size_t>(to - from) << 20);
  });
  std::printf("{\"floor\":\"memcpy\",\"threads\":%d,\"gb_per_s\":%.1f}\n", o.threads,
              static_cast<double>(bytes) / 1e6 / (engine::now_ms() - begin));
  std::vector<i32> gpus;
  for (const std::string& set : o.sets)
    for (const engine::DeviceName& d : devices_of(set))
      if (d.gpu && std::find(gpus.begin(), gpus.end(), d.index) == gpus.end()) gpus.push_back(d.index);
  for (const bool up : {true, false}) {
    for (const i32 g : gpus) print_copies({g}, up);
    if (gpus.size() > 1) print_copies(gpus, up);
  }
  std::fflush(stdout);
}

bool is_binary(const std::string& op) { return op == "distance" || op == "label" || op == "area-filter"; }

void write_timeline(const std::string& path, const std::vector<region::Visit>& visits) {
  std::ofstream out(path);
  out << "tile,device,worker,step,from_ms,read_ms,computed_ms,to_ms\n";
  for (const region::Visit& v : visits)
    out << v.tile << ',' << v.device << ',' << v.worker << ',' << v.step << ',' << v.from_ms << ',' << v.read_ms << ','
        << v.computed_ms << ',' << v.to_ms << '\n';
}

void print_result(const Options& o, const std::string& set, const char* order, const region::RegionResult& result,
                  const std::string& hash) {
  std::map<std::string, i64> visits;
  for (const region::Visit& v : result.visits) ++visits[v.step + " " + v.device];
  std::string counts, notes;
  for (const auto& [what, count] : visits) counts += (counts.empty() ? "\"" : ",\"") + what + "\":" + std::to_string(count);
  for (const std::string& note : result.notes) notes += (notes.empty() ? "\"" : ",\"") + note + "\"";
  std::printf(
      "{\"op\":\"%s\",\"image\":\"%s\",\"share\":%d,\"variant\":\"%s\",\"side\":%lld,\"tile\":%lld,\"devices\":\"%s\","
      "\"threads\":%d,\"workers\":%d,\"cpu\":\"%s\",\"order\":\"%s\",\"ms\":%.1f,\"mpx_per_s\":%.1f,\"visits\":{%s},\"notes\":["
      "%"
      "s],\"hash\":\"%"
      "s\"}\n",
      o.op.c_str(), o.image.c_str(), o.share,
      o.params.has("variant") ? std::get<std::string>(o.params.all().at("variant")).c_str() : "auto",
      static_cast<long long>(o.side), static_cast<long long>(o.tile), set.c_str(), o.threads, result.workers,
      o.cpu == region::CpuWorkers::group ? "group" : "cores", order, result.ms,
      static_cast<double>(o.side) * static_cast<double>(o.side) / 1e3 / result.ms, counts.c_str(), notes.c_str(), hash.c_str());
  std::fflush(stdout);
}

int run(const Options& o) {
  if (o.floors) print_floors(o);
  std::vector<u8> period, opened;
  i64 n = 0;
  {
    const auto file = testing_npy::read(o.tissue);
    n = std::min<i64>(file.shape.at(0), file.shape.at(1));
    const i64 samples = file.shape.size() > 2 ? file.shape.at(2) : 1;
    period.resize(static_cast<std::size_t>(n * n));
    for (i64 p = 0; p < n * n; ++p) {
      // Dark nuclei are bright, as in the recipes' channels.
      const unsigned char* v = file.bytes.data() + (p / n * file.shape.at(1) + p % n) * samples;
      period[static_cast<std::size_t>(p)] = samples < 3
                                                ? v[0]
                                                : static_cast<u8>(255 - (299 * v[0] + 587 * v[1] + 114 * v[2] + 500) / 1000);
    }
  }
  Workspace w;
  Context ctx{w, o.threads, nullptr, nullptr, nullptr};
  const Extent extent{static_cast<i32>(n), static_cast<i32>(n)};
  opened.resize(period.size());
  if (is_binary(o.op)) {
    u64 sum = 0;
    for (const u8 v : period) sum += v;
    const u64 mean = sum / period.size();
    for (u8& v : period) v = v > mean;
  }
  cpu::table().morphology(ctx, Plane(period.data(), PixelType::u8, extent), Plane(opened.data(), PixelType::u8, extent),
                          {Morphology::open, Shape::disk, 9});

  const bool labels = o.op == "label" || o.op == "distance" || o.op == "watershed";
  Picture image(PixelType::u8, o.side), out(labels ? PixelType::i32 : PixelType::u8, o.side);
  fill(image, o, period, n);
  region::MemoryRaster image_raster = image.raster(), out_raster = out.raster();
  std::unique_ptr<Picture> marker;
  std::unique_ptr<region::MemoryRaster> marker_raster;
  region::RegionCall call;
  call.name = o.op;
  if (o.op == "reconstruct") {
    marker = std::make_unique<Picture>(PixelType::u8, o.side);
    if (o.image == "tissue") fill_mirrored(*marker, opened, n, o.threads);
    else {
      std::memset(marker->data.get(), 0, static_cast<std::size_t>(o.side * o.side));
      marker->data[0] = 255;
    }
    marker_raster = std::make_unique<region::MemoryRaster>(marker->raster());
    // What lies below its mask is raised to it, and what lies above is lowered.
    const bool lowers = o.params.has("by") && std::get<std::string>(o.params.all().at("by")) == "erosion";
    call.inputs = {{lowers ? "mask" : "marker", marker_raster.get()}, {lowers ? "marker" : "mask", &image_raster}};
  } else {
    call.inputs = {{"image", &image_raster}};
  }
  std::unique_ptr<Picture> seeds;
  std::unique_ptr<region::MemoryRaster> seeds_raster;
  if (o.markers) {
    seeds = std::make_unique<Picture>(PixelType::i32, o.side);
    by_rows(o.side, o.threads, [&](i64 begin, i64 end) {
      const i64 across = (o.side + 63) / 64;
      i32* at = reinterpret_cast<i32*>(seeds->data.get());
      for (i64 y = begin; y < end; ++y)
        for (i64 x = 0; x < o.side; ++x)
          at[y * o.side + x] = y % 64 == 32 && x % 64 == 32 ? static_cast<i32>(y / 64 * across + x / 64 + 1) : 0;
    });
    seeds_raster = std::make_unique<region::MemoryRaster>(seeds->raster());
    call.inputs.emplace_back("markers", seeds_raster.get());
  }
  by_rows(o.side, o.threads, [&](i64 begin, i64 end) {  // its pages are there before the clock runs
    const std::size_t row = static_cast<std::size_t>(o.side) * pixel_bytes(out.type);
    std::memset(out.data.get() + static_cast<std::size_t>(begin) * row, 7, static_cast<std::size_t>(end - begin) * row);
  });
  call.output = {labels && o.op != "distance" ? "labels" : "out", &out_raster};
  call.params = o.params;
  call.tile = o.tile;
  call.workers.threads = o.threads;
  call.workers.cpu = o.cpu;
  call.workers.workers_per_gpu = o.workers;
  call.scratch_folder = "/tmp";
  engine::Resources resources;
  std::string first_hash;
  bool same = true;
  const std::size_t turns = o.sets.size() * o.orders.size();
  for (std::size_t k = 0; k < static_cast<std::size_t>(o.repeat) * turns; ++k) {
    const std::string& set = o.sets[k % turns / o.orders.size()];
    call.workers.order = o.orders[k % o.orders.size()];
    call.workers.devices = devices_of(set);
    const region::RegionResult result = region::region_call(resources, call);
    const std::string hash = o.hash && k < turns ? hash_of(out, o.threads) : "";
    if (first_hash.empty()) first_hash = hash;
    same = same && (hash.empty() || hash == first_hash);
    const char* order = name_of(call.workers.order);
    print_result(o, set, order, result, hash);
    if (!o.timeline.empty())
      write_timeline(o.timeline + "-" + set + (o.orders.size() > 1 ? std::string("-") + order : "") + ".csv", result.visits);
  }
  if (!same) std::fprintf(stderr, "region_bench: %s differs between devices\n", o.op.c_str());
  return same ? 0 : 3;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parse(count, words));
  } catch (const Error& e) {
    std::fprintf(stderr, "region_bench: %s: %s\n", code_name(e.code()), e.what());
    return 1;
  }
}
