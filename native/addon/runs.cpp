// Recipes in JavaScript: what pipelines there are, and running one on a window of a slide.
#include "../export/pack_trust.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"
#include "pack_measured.hpp"

#include <chrono>
#include <cmath>

namespace morpho::addon {
namespace {

engine::WindowJob get_job(Napi::Value value) {
  const Napi::Object o = get_object(value, "request");
  engine::WindowJob job;
  job.slide = get_slide(o.Get("slide"), "slide");
  job.scale = get_number(o.Get("scale"), "scale", engine::kFinestScale, engine::kCoarsestScale);
  job.x = get_coordinate(o.Get("x"), "x");
  job.y = get_coordinate(o.Get("y"), "y");
  job.extent = get_extent(o.Get("width"), o.Get("height"), "");
  const Napi::Object core = get_object(o.Get("core"), "core");
  const double w = job.extent.width, h = job.extent.height;
  job.core.x = get_integer(core.Get("x"), "core.x", 0, w);
  job.core.y = get_integer(core.Get("y"), "core.y", 0, h);
  job.core.width = get_integer(core.Get("width"), "core.width", 0, w - static_cast<double>(job.core.x));
  job.core.height = get_integer(core.Get("height"), "core.height", 0, h - static_cast<double>(job.core.y));
  job.plan = get_plan(o.Get("plan"));
  job.ground = get_ground(o.Get("ground"));
  if (const Napi::Value planes = o.Get("wantPlanes"); is_given(planes)) job.want_planes = get_bool(planes, "wantPlanes");
  if (const Napi::Value overlapping = o.Get("wantOverlapping"); is_given(overlapping))
    job.want_overlapping = get_bool(overlapping, "wantOverlapping");
  if (const Napi::Value keep = o.Get("keepStages"); is_given(keep)) job.keep_stages = get_bool(keep, "keepStages");
  job.threads = get_threads(o.Get("threads"));
  if (const Napi::Value larger = o.Get("largerAtOnce"); is_given(larger))
    job.larger_at_once = static_cast<int>(get_integer(larger, "largerAtOnce", 1, 256));
  job.devices = get_devices(o.Get("device"));
  return job;
}

/// Where the window of `job` lies and the tiles that are asked for.
exports::WindowPlace get_place(Napi::Value value, const engine::WindowJob& job) {
  exports::WindowPlace place;
  place.x = job.x;
  place.y = job.y;
  place.extent = job.extent;
  if (!is_given(value)) return place;
  const Napi::Object o = get_object(value, "grid");
  // Places in the image and numbers of tiles are kept in 32 bits.
  constexpr double most = 1 << 30;
  for (const i64 at : {job.x, job.y})
    if (at < -most || at > most) reject("x and y", "at most 2^30 where there is a grid", std::to_string(at));
  place.image_width = get_integer(o.Get("widthPx"), "grid.widthPx", 0, most);
  place.image_height = get_integer(o.Get("heightPx"), "grid.heightPx", 0, most);
  place.tile_px = get_integer(o.Get("tileSizePx"), "grid.tileSizePx", 16, most);
  const Napi::Array tiles = get_array(o.Get("tiles"), "grid.tiles");
  if (tiles.Length() > 65536) reject("grid.tiles", "at most 65536 tiles", std::to_string(tiles.Length()));
  for (std::uint32_t i = 0; i < tiles.Length(); ++i) {
    const std::string name = "grid.tiles[" + std::to_string(i) + "]";
    const Napi::Object tile = get_object(tiles.Get(i), name);
    place.tiles.push_back(
        {get_integer(tile.Get("x"), name + ".x", -most, most), get_integer(tile.Get("y"), name + ".y", -most, most)});
  }
  return place;
}

struct WindowPacked {
  engine::WindowDone done;  ///< its objects are those in `objects`
  exports::PackedWindow objects{};
  std::vector<exports::TileTrust> trust{};
  double computed_ms = 0, packed_ms = 0;  ///< one after the other
  std::chrono::steady_clock::time_point ended{};
};

/// Of each tile of the grid, memory of JavaScript's for its part of every plane: filled by the thread that computes the window,
/// as there are many of those, and one of JavaScript.
struct PlaneMemory {
  Napi::Array js;
  std::vector<u8*> bytes;
  std::size_t planes = 0;
};

PlaneMemory plane_memory(Napi::Env env, const engine::WindowJob& job, const exports::WindowPlace& place) {
  PlaneMemory memory{Napi::Array::New(env), {}};
  if (!job.want_planes) return memory;
  for (const engine::PipelineInfo& p : engine::pipelines())
    if (p.id == job.plan->pipeline) memory.planes = p.planes.size();
  for (const exports::WindowPlace::Tile& tile : place.tiles) {
    const Rect part = exports::tile_in_core(place, job.core, tile);
    Napi::Uint8Array data = new_bytes(env, memory.planes * static_cast<std::size_t>(part.width * part.height));
    memory.bytes.push_back(data.Data());
    Napi::Object o = Napi::Object::New(env);
    o.Set("width", Napi::Number::New(env, static_cast<double>(part.width)));
    o.Set("height", Napi::Number::New(env, static_cast<double>(part.height)));
    o.Set("data", data);
    memory.js.Set(memory.js.Length(), o);
  }
  return memory;
}

/// To `bytes`, of each tile; what is left of `planes` is their names.
void pack_planes(std::vector<engine::NamedPlane>& planes, std::size_t room, const std::vector<i32>& numbers,
                 const exports::WindowPlace& place, const Rect& core, std::span<u8* const> bytes) {
  if (planes.size() > room)
    throw Error(ErrorCode::internal, "a recipe gave more planes than it says", std::to_string(planes.size()));
  std::vector<exports::CorePlane> views;
  views.reserve(planes.size());
  for (const engine::NamedPlane& p : planes) views.push_back({p.type, p.bytes.data()});
  exports::pack_planes(views, numbers, place, core, bytes);
  for (engine::NamedPlane& p : planes) p.bytes = {};
}

Napi::Value tile_planes_to_js(Napi::Env env, const std::vector<engine::NamedPlane>& planes, Napi::Array tiles) {
  Napi::Object o = Napi::Object::New(env);
  Napi::Array names = Napi::Array::New(env);
  for (const engine::NamedPlane& p : planes) {
    Napi::Object plane = Napi::Object::New(env);
    plane.Set("name", p.name);
    plane.Set("kind", p.type == PixelType::i32 ? "colored" : p.binary ? "binary" : "gray");
    names.Set(names.Length(), plane);
  }
  o.Set("planes", names);
  o.Set("tiles", tiles);
  return o;
}

double ms_since(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
}

/// null where nobody asked, or where the recipe lets nobody tell.
Napi::Value certainty_to_js(Napi::Env env, const engine::WindowDone& done) {
  const engine::Trust& c = done.output.trust;
  if (!c.known) return env.Null();
  Napi::Object o = Napi::Object::New(env);
  o.Set("certified", Napi::Boolean::New(env, c.certified));
  o.Set("corePixels", Napi::Number::New(env, static_cast<double>(c.core_pixels)));
  o.Set("certainPixels", Napi::Number::New(env, static_cast<double>(c.certain_pixels)));
  o.Set("grownWindows", Napi::Number::New(env, done.growth.windows));
  o.Set("grownPixels", Napi::Number::New(env, static_cast<double>(done.growth.pixels)));
  return o;
}

/// Parts of the file, level-0 px, in px of the analysed image.
std::vector<Rect> image_px(const std::vector<slide::Unreadable>& parts, double scale) {
  std::vector<Rect> rects;
  for (const slide::Unreadable& part : parts) {
    const auto first = [&](i64 at) { return static_cast<i64>(std::floor(static_cast<double>(at) / scale)); };
    const auto end = [&](i64 at) { return static_cast<i64>(std::ceil(static_cast<double>(at) / scale)); };
    const Rect& r = part.region;
    const i64 x0 = first(r.x), y0 = first(r.y);
    rects.push_back({x0, y0, end(r.x + r.width) - x0, end(r.y + r.height) - y0});
  }
  return rects;
}

Napi::Value trust_to_js(Napi::Env env, const engine::Trust& trust, const std::vector<exports::TileTrust>& by_tile) {
  Napi::Array tiles = Napi::Array::New(env);
  for (const exports::TileTrust& tile : by_tile) {
    if (tile.whole()) {
      tiles.Set(tiles.Length(), env.Null());
      continue;
    }
    Napi::Object o = Napi::Object::New(env);
    Napi::Array parts = Napi::Array::New(env);
    for (const std::uint32_t part : tile.parts) parts.Set(parts.Length(), Napi::Number::New(env, part));
    Napi::Array squares = Napi::Array::New(env);
    for (const Rect& r : tile.squares) squares.Set(squares.Length(), rect_to_js(env, r));
    o.Set("parts", parts);
    o.Set("squares", squares);
    tiles.Set(tiles.Length(), o);
  }
  Napi::Object o = Napi::Object::New(env);
  o.Set("parts", unreadable_to_js(env, trust.parts));
  o.Set("tiles", tiles);
  return o;
}

Napi::Value run_window(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto job = std::make_shared<engine::WindowJob>(get_job(info[0]));
    const Napi::Object request = info[0].As<Napi::Object>();
    auto place = std::make_shared<const exports::WindowPlace>(get_place(request.Get("grid"), *job));
    job->image = {static_cast<i32>(place->image_width), static_cast<i32>(place->image_height)};
    const CancelPtr cancel = get_cancel(info.Env(), request.Get("cancelToken"));
    auto resources = Instance::of(info.Env()).resources;
    const bool tiled = place->tile_px > 0, overlapping_asked = job->with_overlapping();
    const AskedCells asked = get_cells(request.Get("cells"));
    // Neighbours decide where a cell ends.
    if (asked.cells.on()) job->want_overlapping = true;
    PlaneMemory memory = plane_memory(info.Env(), *job, *place);
    return Work<WindowPacked>::start(
        info.Env(), cancel,
        [=, room = memory.planes, bytes = std::move(memory.bytes)] {
          const auto begun = std::chrono::steady_clock::now();
          WindowPacked packed{engine::run_window(*job, *resources, cancel.get())};
          packed.computed_ms = ms_since(begun);
          ObjectSet& found = packed.done.output.objects;
          packed.objects = pack_measured(packed.done, *job, *place, overlapping_asked, asked, *resources, cancel.get());
          if (tiled) pack_planes(packed.done.output.planes, room, packed.objects.numbers, *place, job->core, bytes);
          const engine::Trust& trust = packed.done.output.trust;
          // At a rim of the first window, of which it may have grown since.
          if (trust.known && trust.cut.empty() && trust.limit.empty()) packed.objects.owned.cut.clear();
          packed.trust = exports::pack_trust(trust.unreadable, image_px(trust.parts, job->scale), *place, job->core);
          found = {};
          packed.packed_ms = ms_since(begun) - packed.computed_ms;
          packed.ended = std::chrono::steady_clock::now();
          return packed;
        },
        [overlapping = overlapping_asked, looked_at = job->want_planes, tiled](Napi::Env env, WindowPacked& packed,
                                                                               Napi::Value kept) -> Napi::Value {
          const engine::WindowOutput& output = packed.done.output;
          Napi::Object o = Napi::Object::New(env);
          o.Set("objects", tile_rows_to_js(env, packed.objects.owned));
          o.Set("overlapping", overlapping ? tile_rows_to_js(env, packed.objects.overlapping) : env.Null());
          o.Set("planes", tiled ? Napi::Array::New(env) : planes_to_js(env, output.planes));
          o.Set("tilePlanes", looked_at && tiled ? tile_planes_to_js(env, output.planes, kept.As<Napi::Array>()) : env.Null());
          o.Set("timings", timings_to_js(env, output.timings));
          o.Set("trust", trust_to_js(env, output.trust, packed.trust));
          o.Set("certainty", certainty_to_js(env, packed.done));
          Napi::Array given_up = Napi::Array::New(env);
          for (const std::string& why : packed.done.given_up) given_up.Set(given_up.Length(), why);
          o.Set("givenUp", given_up);
          Napi::Object span = Napi::Object::New(env);
          span.Set("computedMs", Napi::Number::New(env, packed.computed_ms));
          span.Set("packedMs", Napi::Number::New(env, packed.packed_ms));
          span.Set("agoMs", Napi::Number::New(env, ms_since(packed.ended)));
          o.Set("span", span);
          return o;
        },
        memory.js);
  });
}

Napi::Value pipelines_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    Napi::Array list = Napi::Array::New(info.Env());
    for (const engine::PipelineInfo& p : engine::pipelines()) {
      Napi::Object o = Napi::Object::New(info.Env());
      o.Set("id", Napi::String::New(info.Env(), p.id));
      o.Set("planes", strings_to_js(info.Env(), p.planes));
      o.Set("bytesPerPixel", Napi::Number::New(info.Env(), static_cast<double>(p.bytes_per_pixel)));
      o.Set("deepBytesPerPixel", Napi::Number::New(info.Env(), static_cast<double>(p.deep_bytes_per_pixel)));
      o.Set("bytesPerThread", Napi::Number::New(info.Env(), static_cast<double>(p.bytes_per_thread)));
      o.Set("mostGrownPixels", Napi::Number::New(info.Env(), static_cast<double>(engine::kMostGrownPixels)));
      list.Set(list.Length(), o);
    }
    return list;
  });
}

Napi::Value halo_px_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string pipeline = get_string(info[0], "pipeline");
    return Napi::Number::New(info.Env(), engine::halo_px(pipeline, get_params(info[1], "params")));
  });
}

/// A copy of a Uint16Array of the extent, or nothing where none is given.
std::vector<u16> get_samples(Napi::Value value, const std::string& name, Extent extent) {
  if (!is_given(value)) return {};
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint16_array)
    reject(name, "a Uint16Array", describe(value));
  const auto samples = value.As<Napi::Uint16Array>();
  if (static_cast<i64>(samples.ElementLength()) != extent.area())
    reject(name, std::to_string(extent.area()) + " elements (width × height)", std::to_string(samples.ElementLength()));
  return {samples.Data(), samples.Data() + samples.ElementLength()};
}

Napi::Value overview_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string pipeline = get_string(info[0], "pipeline");
    const engine::Params params = get_params(info[1], "params");
    const Napi::Uint8Array rgba = get_u8_array(info[2], "rgba");
    const Extent extent = get_extent(info[3], info[4], "", true);
    const int threads = get_threads(info[5]);
    const CancelPtr cancel = get_cancel(info.Env(), info[6]);
    auto deep = std::make_shared<const std::vector<u16>>(get_samples(info[7], "deep", extent));
    const auto needed = static_cast<std::size_t>(extent.area()) * sizeof(Rgba);
    if (rgba.ByteLength() != needed)
      reject("rgba", std::to_string(needed) + " bytes (width × height × 4)", std::to_string(rgba.ByteLength()));
    // A copy: a script may change or transfer its buffer while the worker reads.
    const auto* first = reinterpret_cast<const Rgba*>(rgba.Data());
    auto sample = std::make_shared<const std::vector<Rgba>>(first, first + extent.area());
    auto resources = Instance::of(info.Env()).resources;
    return Work<engine::Params>::start(
        info.Env(), cancel,
        [=] {
          WorkspacePool::Lease workspace(resources->workspaces);
          Context ctx{*workspace, threads, cancel.get()};
          const View<const u16> samples = deep->empty() ? View<const u16>() : View<const u16>(deep->data(), extent);
          return engine::overview(cpu::table(), ctx, pipeline, params, View<const Rgba>(sample->data(), extent), samples);
        },
        [](Napi::Env env, engine::Params& result, Napi::Value) -> Napi::Value { return params_to_js(env, result); });
  });
}

struct StainResult {
  std::vector<slide::Unreadable> unreadable;
  engine::ReadReport report;
};

/// "h-e", or with red, green and blue of both stains in thousandths behind it: "h-e-650-700-290-70-990-110".
engine::StainSet get_stains(const std::string& word) {
  std::size_t end = word.size();
  double parts[6] = {};
  for (int k = 5; k >= 0; --k) {
    const std::size_t dash = end == 0 ? std::string::npos : word.rfind('-', end - 1);
    const bool ok = dash != std::string::npos && end - dash > 1 && end - dash <= 5 &&
                    word.find_first_not_of("0123456789", dash + 1) >= end;
    if (!ok) return engine::stain_set(word);
    parts[k] = std::stoi(word.substr(dash + 1, end - dash - 1)) / 1000.0;
    end = dash;
  }
  const engine::StainSet& usual = engine::stain_set(word.substr(0, end));
  engine::Params given;
  const char* channels[3] = {"Red", "Green", "Blue"};
  for (int k = 0; k < 6; ++k) given.set("stains." + usual.names[k / 3] + channels[k % 3], parts[k]);
  return engine::stain_set(usual.id, engine::stain_vectors(given, usual));
}

Napi::Value stain_channel_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto slide = get_slide(info[0], "slide");
    const engine::StainSet set = get_stains(get_string(info[1], "stainSet"));
    const StainParams stain = set.stains[get_integer(info[2], "channel", 0, 2)];
    const double scale = get_number(info[3], "scale", engine::kFinestScale, engine::kCoarsestScale);
    const i64 x = get_coordinate(info[4], "x"), y = get_coordinate(info[5], "y");
    const Extent extent = get_extent(info[6], info[7], "");
    Napi::Uint8Array gray = new_bytes(info.Env(), static_cast<std::size_t>(extent.area()));
    u8* data = gray.Data();
    auto resources = Instance::of(info.Env()).resources;
    const CancelPtr cancel = get_cancel(info.Env(), info[8]);
    const StatedLimits limits = get_limits(info[9]);
    return Work<StainResult>::start(
        info.Env(), cancel,
        [=] {
          WorkspacePool::Lease workspace(resources->workspaces);
          Context ctx{*workspace, 1, cancel.get()};
          StainResult result;
          result.unreadable = engine::read_stain(ctx, *slide, scale, x, y, stain, View<u8>(data, extent),
                                                 limits.begin(cancel.get()), &result.report);
          return result;
        },
        [extent](Napi::Env env, StainResult& result, Napi::Value kept) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          o.Set("gray", kept);
          o.Set("width", extent.width);
          o.Set("height", extent.height);
          report_to_js(o, result.unreadable, result.report);
          return o;
        },
        gray);
  });
}

}  // namespace

void define_runs(Napi::Env env, Napi::Object exports) {
  exports.Set("pipelines", Napi::Function::New(env, pipelines_call));
  exports.Set("haloPx", Napi::Function::New(env, halo_px_call));
  exports.Set("overview", Napi::Function::New(env, overview_call));
  exports.Set("runWindow", Napi::Function::New(env, run_window));
  exports.Set("stainChannel", Napi::Function::New(env, stain_channel_call));
}

}  // namespace morpho::addon
