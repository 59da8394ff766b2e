// The registry of operations on regions: names and parameters of op_list(), rasters instead of images.
#include "region_call.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/operation/op_entry.hpp"
#include "engine/region/max_tree/max_tree_ops.hpp"
#include "region_ops.hpp"
#include "watershed_ops.hpp"

namespace morpho::engine::region {
namespace {

/// What an entry works with.
struct RegionInvocation {
  const RegionCall& call;
  Workers& workers;
  const OpParams& params;
  RegionResult& result;
  Scratch scratch;  ///< for images that the operation itself needs: what tiles leave of the memory

  const Raster* find(const char* slot) const {
    for (const auto& [name, raster] : call.inputs) {
      if (name == slot) return raster;
    }
    return nullptr;
  }
  const Raster& in(const char* slot) const { return *find(slot); }
  Raster& out() const { return *call.output.second; }
};

struct Entry {
  const char* name;
  void (*run)(RegionInvocation&);
  /// Bytes of host memory that a worker takes for a tile of this extent and (first) input type, its rim included.
  i64 (*need)(const morpho::need::Image& tile);
};

i64 settle_need(const need::Image& t) { return 2 * t.area() * t.bytes() + op::reconstruct::cpu_need(t); }
i64 label_need(const need::Image& t) { return t.area() * (t.bytes() + 8) + op::label::cpu_need(t); }

template <Extremum Kind>
void h_extrema_of(RegionInvocation& r) {
  h_extrema(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read(ExtremaParams{Kind}));
}

i64 tree_need(const need::Image& t) {
  return (22 + t.bytes()) * t.area() + std::max(op::max_tree::cpu_need(t), op::max_tree_nodes::cpu_need(t));
}
template <bool Closing>
void area_open_of(RegionInvocation& r) {
  area_open(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read(AreaOpenParams{1, Connectivity::eight, Closing}));
}

/// Labels of any type as i32.
class IntegerLabels final : public Raster {
 public:
  explicit IntegerLabels(const Raster& of) : Raster(PixelType::i32, of.width(), of.height()), of_(of) {}
  void read(const Rect& r, void* to, std::size_t pitch) const override {
    std::vector<u8> line(static_cast<std::size_t>(r.width) * of_.pixel());
    for (i64 y = 0; y < r.height; ++y) {
      of_.read({r.x, r.y + y, r.width, 1}, line.data(), line.size());
      i32* row = reinterpret_cast<i32*>(static_cast<u8*>(to) + static_cast<std::size_t>(y) * pitch);
      visit_pixel_type(of_.type(),
                       [&](auto zero) { std::copy_n(reinterpret_cast<decltype(zero)*>(line.data()), r.width, row); });
    }
  }
  void write(const Rect&, const void*, std::size_t) override {
    throw Error(ErrorCode::internal, "labels that are read as integers were to be written");
  }

 private:
  const Raster& of_;
};

void watershed_of(RegionInvocation& r) {
  std::optional<IntegerLabels> markers;
  if (const Raster* given = r.find("markers")) markers.emplace(*given);
  const auto params = r.params.read<WatershedParams>();
  const i64 largest = watershed(r.workers, r.in("image"), markers ? &*markers : nullptr, r.find("mask"), r.out(), r.call.tile,
                                params, r.scratch);
  r.result.scalars.emplace_back("largest", static_cast<double>(largest));
}
i64 watershed_need(const need::Image& t) {
  return std::max({settle_need(t), label_need({PixelType::u8, t.extent, t.threads}), (10 + t.bytes()) * t.area()});
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"area-close", area_open_of<true>, tree_need},
      {"area-filter",
       [](RegionInvocation& r) {
         area_filter(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read<AreaFilterParams>());
       },
       [](const need::Image& t) { return label_need(t) + 8 * t.area(); }},
      {"area-open", area_open_of<false>, tree_need},
      {"attribute-filter",
       [](RegionInvocation& r) {
         attribute_filter(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read<AttributeFilterParams>(),
                          r.params.read<ConnectivityParams>().connectivity);
       },
       [](const need::Image& t) { return tree_need(t) + 88 * t.area(); }},
      {"clear-border",
       [](RegionInvocation& r) {
         clear_border(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read<ConnectivityParams>());
       },
       settle_need},
      {"distance",
       [](RegionInvocation& r) { distance(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read<DistanceParams>()); },
       [](const need::Image& t) { return 5 * t.area() + op::distance::cpu_need(t); }},
      {"fill-holes",
       [](RegionInvocation& r) {
         fill_holes(r.workers, r.in("image"), r.out(), r.call.tile, r.params.read<ConnectivityParams>());
       },
       settle_need},
      {"h-maxima", h_extrema_of<Extremum::maxima>, settle_need},
      {"h-minima", h_extrema_of<Extremum::minima>, settle_need},
      {"label",
       [](RegionInvocation& r) {
         r.result.scalars.emplace_back("count", static_cast<double>(label(r.workers, r.in("image"), r.out(), r.call.tile,
                                                                          r.params.read<ConnectivityParams>())));
       },
       label_need},
      {"reconstruct",
       [](RegionInvocation& r) {
         reconstruct(r.workers, r.in("marker"), r.in("mask"), r.out(), r.call.tile, r.params.read<ReconstructParams>());
       },
       settle_need},
      {"watershed", watershed_of, watershed_need},
  };
  return all;
}

std::string extent_text_of(const Raster& r) { return std::to_string(r.width()) + "x" + std::to_string(r.height()); }

void check_slot(const OpSlot& slot, const Raster& raster) {
  if (std::find(slot.types.begin(), slot.types.end(), raster.type()) != slot.types.end()) return;
  reject(slot.name, "pixels of type " + joined(slot.types, [](PixelType t) { return std::string(pixel_type_name(t)); }),
         pixel_type_name(raster.type()));
}

void check_images(const OpInfo& info, const RegionCall& call) {
  const auto name_of = [](const OpSlot& s) { return s.name; };
  for (const auto& [name, raster] : call.inputs) {
    const auto slot = std::find_if(info.inputs.begin(), info.inputs.end(),
                                   [&, n = name](const OpSlot& s) { return s.name == n; });
    if (slot == info.inputs.end()) reject("input of " + info.name, joined(info.inputs, name_of), quoted(name));
    check_slot(*slot, *raster);
    if (extent_text_of(*raster) != extent_text_of(*call.inputs.front().second))
      reject(name, "the extent " + extent_text_of(*call.inputs.front().second) + " of " + call.inputs.front().first,
             extent_text_of(*raster));
  }
  for (const OpSlot& s : info.inputs) {
    const auto given = std::count_if(call.inputs.begin(), call.inputs.end(),
                                     [&](const auto& in) { return in.first == s.name; });
    if (given > 1) reject(s.name, "one image", "two");
    if (!s.optional && given == 0) reject(s.name, "an image", "nothing");
  }
  if (call.output.first != info.outputs.front().name || !call.output.second)
    reject("output of " + info.name, info.outputs.front().name, quoted(call.output.first));
  check_slot(info.outputs.front(), *call.output.second);
}

/// What one worker takes.
std::size_t need_of_one(const Entry& entry, const RegionCall& call) {
  const Raster& image = *call.inputs.front().second;
  const i64 side = call.tile + 2;
  const Extent tile{static_cast<i32>(std::min(side, image.width())), static_cast<i32>(std::min(side, image.height()))};
  return static_cast<std::size_t>(
      entry.need({image.type(), tile, call.workers.cpu == CpuWorkers::group ? call.workers.threads : 1}));
}

/// Fewer workers where the memory does not do for all.
WorkerOptions fitting(const Entry& entry, const RegionCall& call) {
  WorkerOptions options = call.workers;
  if (call.memory_bytes == 0) return options;
  const std::size_t one = need_of_one(entry, call);
  if (one > call.memory_bytes)
    reject("memory",
           "at least " + std::to_string((one >> 20) + 1) + " MiB, which a tile of " + std::to_string(call.tile) + " px needs",
           std::to_string(call.memory_bytes >> 20) + " MiB");
  const int most = static_cast<int>(std::min<std::size_t>(call.memory_bytes / one, 1024));
  const int gpus = static_cast<int>(
      std::count_if(options.devices.begin(), options.devices.end(), [](const DeviceName& d) { return d.gpu; }));
  const bool cpu = gpus < static_cast<int>(options.devices.size());
  const int cpu_workers = !cpu ? 0 : options.cpu == CpuWorkers::group ? 1 : options.threads;
  if (gpus > 0) options.workers_per_gpu = std::clamp((most - (cpu ? 1 : 0)) / gpus, 1, options.workers_per_gpu);
  if (options.cpu == CpuWorkers::cores && cpu)
    options.threads = std::clamp(most - gpus * (gpus > 0 ? options.workers_per_gpu : 0), 1, std::max(1, cpu_workers));
  return options;
}

}  // namespace

const std::vector<std::string>& region_op_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Entry& e : entries()) list.emplace_back(e.name);
    return list;
  }();
  return names;
}

RegionResult region_call(Resources& resources, const RegionCall& call) {
  const auto entry = std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.name == call.name; });
  if (entry == entries().end())
    reject("operation on tiles", joined(region_op_names(), [](const std::string& n) { return n; }), quoted(call.name));
  const auto info = std::find_if(op_list().begin(), op_list().end(), [&](const OpInfo& i) { return i.name == call.name; });
  require_tile(call.tile);
  if (call.workers.devices.empty()) reject("devices", "at least one", "none");
  check_images(*info, call);
  const OpParams params(*info, call.params);
  for (const DeviceName& d : call.workers.devices) params.check(!d.gpu, name_of(d));
  Workers workers(resources, fitting(*entry, call));
  RegionResult result;
  const std::size_t tiles = need_of_one(*entry, call) * static_cast<std::size_t>(workers.workers());
  const std::size_t budget = call.memory_bytes == 0 ? SIZE_MAX : call.memory_bytes - std::min(call.memory_bytes, tiles);
  RegionInvocation run{call, workers, params, result, {budget, call.scratch_folder}};
  const double begin = now_ms();
  entry->run(run);
  result.ms = now_ms() - begin;
  result.visits = workers.visits();
  result.notes = workers.notes();
  result.workers = workers.workers();
  return result;
}

}  // namespace morpho::engine::region
