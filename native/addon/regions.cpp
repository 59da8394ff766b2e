// Operations on images that may be larger than memory, in JavaScript: files by their place, or typed arrays.
#include <atomic>

#include "engine/region/region_call.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

namespace region = engine::region;

/// Where an image is: in a file behind an offset, or in memory that JavaScript keeps.
struct Place {
  std::string slot, path;
  u64 offset = 0;
  void* data = nullptr;
  PixelType type = PixelType::u8;
  i64 width = 0, height = 0;
};

PixelType get_type(Napi::Value value, const std::string& name) {
  const std::string text = get_string(value, name);
  for (const PixelType t : {PixelType::u8, PixelType::u16, PixelType::i32}) {
    if (text == pixel_type_name(t)) return t;
  }
  reject(name, "uint8, uint16 or int32", "\"" + text + "\"");
}

Place get_place(Napi::Value value, const std::string& name, Napi::Array keep) {
  const Napi::Object o = get_object(value, name);
  Place place;
  place.slot = get_string(o.Get("slot"), name + ".slot");
  constexpr double most = 2147483647;
  place.width = get_integer(o.Get("width"), name + ".width", 0, most);
  place.height = get_integer(o.Get("height"), name + ".height", 0, most);
  if (is_given(o.Get("path"))) {
    place.path = get_string(o.Get("path"), name + ".path");
    place.offset = static_cast<u64>(get_integer(o.Get("offset"), name + ".offset", 0, kFarthest));
    place.type = get_type(o.Get("type"), name + ".type");
    return place;
  }
  const Napi::Value data = o.Get("data");
  if (!data.IsTypedArray()) reject(name + ".data", "a Uint8Array, Uint16Array or Int32Array, or a path", describe(data));
  const Napi::TypedArray array = data.As<Napi::TypedArray>();
  switch (array.TypedArrayType()) {
    case napi_uint8_array: place.type = PixelType::u8; break;
    case napi_uint16_array: place.type = PixelType::u16; break;
    case napi_int32_array: place.type = PixelType::i32; break;
    default: reject(name + ".data", "a Uint8Array, Uint16Array or Int32Array", "another typed array");
  }
  if (static_cast<i64>(array.ElementLength()) != place.width * place.height)
    reject(name + ".data", std::to_string(place.width * place.height) + " elements (width × height)",
           std::to_string(array.ElementLength()));
  place.data = static_cast<u8*>(array.ArrayBuffer().Data()) + array.ByteOffset();
  keep.Set(keep.Length(), data);
  return place;
}

std::unique_ptr<region::Raster> open_raster(const Place& p, bool to_write) {
  if (p.path.empty()) return std::make_unique<region::MemoryRaster>(p.type, p.width, p.height, p.data);
  if (to_write) return region::FileRaster::extend(p.path, p.offset, p.type, p.width, p.height);
  return region::FileRaster::open(p.path, p.offset, p.type, p.width, p.height);
}

struct Request {
  std::string name, scratch;
  std::vector<Place> inputs;
  Place output;
  engine::Params params;
  i64 tile = 0;
  std::size_t memory = 0;
  region::WorkerOptions workers;
};

Napi::Value visits_to_js(Napi::Env env, const std::vector<region::Visit>& visits) {
  Napi::Array list = Napi::Array::New(env, visits.size());
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const region::Visit& v = visits[i];
    Napi::Object o = Napi::Object::New(env);
    o.Set("tile", static_cast<double>(v.tile));
    o.Set("device", v.device);
    o.Set("worker", v.worker);
    o.Set("step", v.step);
    o.Set("fromMs", v.from_ms);
    o.Set("readMs", v.read_ms);
    o.Set("computedMs", v.computed_ms);
    o.Set("toMs", v.to_ms);
    list.Set(static_cast<std::uint32_t>(i), o);
  }
  return list;
}

Napi::Value call_region_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Env env = info.Env();
    const Napi::Object given = get_object(info[0], "request");
    const Napi::Array keep = Napi::Array::New(env);
    auto request = std::make_shared<Request>();
    request->name = get_string(given.Get("name"), "name");
    const Napi::Array inputs = get_array(given.Get("inputs"), "inputs");
    if (inputs.Length() < 1 || inputs.Length() > 16) reject("inputs", "1 to 16 images", std::to_string(inputs.Length()));
    for (std::uint32_t i = 0; i < inputs.Length(); ++i)
      request->inputs.push_back(get_place(inputs.Get(i), "inputs[" + std::to_string(i) + "]", keep));
    request->output = get_place(given.Get("output"), "output", keep);
    request->params = get_params(given.Get("params"), "params");
    request->tile = get_integer(given.Get("tile"), "tile", 1, kFarthest);
    request->memory = static_cast<std::size_t>(get_integer(given.Get("memoryBytes"), "memoryBytes", 0, 4 * kFarthest));
    request->scratch = get_string(given.Get("scratchFolder"), "scratchFolder");
    request->workers.threads = get_threads(given.Get("threads"));
    const std::string cpu = get_string(given.Get("cpu"), "cpu");
    if (cpu != "cores" && cpu != "group") reject("cpu", "cores or group", "\"" + cpu + "\"");
    request->workers.cpu = cpu == "cores" ? region::CpuWorkers::cores : region::CpuWorkers::group;
    const Napi::Array devices = get_array(given.Get("devices"), "devices");
    if (devices.Length() < 1 || devices.Length() > 64) reject("devices", "1 to 64", std::to_string(devices.Length()));
    request->workers.devices.clear();
    for (std::uint32_t i = 0; i < devices.Length(); ++i) request->workers.devices.push_back(get_device(devices.Get(i)));
    if (is_given(given.Get("progress"))) {
      Napi::Int32Array progress = get_i32_array(given.Get("progress"), "progress");
      if (progress.ElementLength() != 2) reject("progress", "2 elements", std::to_string(progress.ElementLength()));
      keep.Set(keep.Length(), progress);
      // JavaScript looks when it likes: two whole words, each as it was last.
      i32* counts = progress.Data();
      request->workers.progress = [counts](const char*, i64 done, i64 left) {
        std::atomic_ref<i32>(counts[0]).store(static_cast<i32>(done), std::memory_order_relaxed);
        std::atomic_ref<i32>(counts[1]).store(static_cast<i32>(left), std::memory_order_relaxed);
      };
    }
    const CancelPtr cancel = get_cancel(env, info[1]);
    auto resources = Instance::of(env).resources;
    return Work<region::RegionResult>::start(
        env, cancel,
        [=] {
          region::RegionCall call;
          call.name = request->name;
          std::vector<std::unique_ptr<region::Raster>> rasters;
          for (const Place& p : request->inputs) {
            rasters.push_back(open_raster(p, false));
            call.inputs.emplace_back(p.slot, rasters.back().get());
          }
          rasters.push_back(open_raster(request->output, true));
          call.output = {request->output.slot, rasters.back().get()};
          call.params = request->params;
          call.tile = request->tile;
          call.memory_bytes = request->memory;
          call.scratch_folder = request->scratch;
          call.workers = request->workers;
          call.workers.cancel = cancel.get();
          return region_call(*resources, call);
        },
        [](Napi::Env env, region::RegionResult& result, Napi::Value) -> Napi::Value {
          Napi::Object scalars = Napi::Object::New(env);
          for (const auto& [key, value] : result.scalars) scalars.Set(key, value);
          Napi::Object o = Napi::Object::New(env);
          o.Set("scalars", scalars);
          o.Set("ms", result.ms);
          o.Set("workers", result.workers);
          o.Set("notes", strings_to_js(env, result.notes));
          o.Set("visits", visits_to_js(env, result.visits));
          return o;
        },
        keep);
  });
}

Napi::Value region_ops_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return strings_to_js(info.Env(), region::region_op_names()); });
}

}  // namespace

void define_regions(Napi::Env env, Napi::Object exports) {
  exports.Set("regionOps", Napi::Function::New(env, region_ops_call));
  exports.Set("callRegion", Napi::Function::New(env, call_region_call));
}

}  // namespace morpho::addon
