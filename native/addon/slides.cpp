// Slides in JavaScript: opening, reading, compressed tiles, associated images, closing.
#include <cmath>
#include <cstring>

#include "check.hpp"
#include "convert.hpp"
#include "engine/window/read_deep.hpp"
#include "instance.hpp"
#include "slide/pieces/memory_samples.hpp"

namespace morpho::addon {
namespace {

constexpr napi_type_tag kSlideTag = {0x6d6f7270686f7363, 0x736c69646568646c};

struct ReadResult {
  std::vector<slide::Unreadable> unreadable;
  engine::ReadReport report;
};
struct SamplesRead {
  slide::ChannelSamples samples;
  std::vector<slide::Unreadable> unreadable;
};
struct Associated {
  std::vector<Rgba> pixels;
  Extent extent;
};

/// Holds a share of the slide: reads under way keep it alive after close().
class SlideHandle final : public Napi::ObjectWrap<SlideHandle> {
 public:
  explicit SlideHandle(const Napi::CallbackInfo& info) : ObjectWrap(info) {
    guarded(info.Env(), [&] {
      slide_ = std::move(Instance::of(info.Env()).pending_slide);
      if (!slide_) reject("the constructor", "no call (use openSlide or memorySlide)", "a call");
    });
    info.This().As<Napi::Object>().TypeTag(&kSlideTag);
  }
  static Napi::Value create(Napi::Env env, std::shared_ptr<slide::Slide> slide) {
    Instance& instance = Instance::of(env);
    instance.pending_slide = std::move(slide);
    return instance.slide_class.New({});
  }
  std::shared_ptr<slide::Slide> open_slide(const std::string& name) const {
    if (!slide_) reject(name, "an open slide", "one that was closed");
    return slide_;
  }

  Napi::Value info(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] { return info_to_js(info.Env(), open_slide("slide")->info()); });
  }
  Napi::Value read_scaled(const Napi::CallbackInfo& info);
  Napi::Value read_channel(const Napi::CallbackInfo& info);
  Napi::Value tile_jpeg(const Napi::CallbackInfo& info);
  Napi::Value associated(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo&) { slide_.reset(); }

 private:
  std::shared_ptr<slide::Slide> slide_;
};

Napi::Value SlideHandle::read_scaled(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto slide = open_slide("slide");
    const double scale = get_number(info[0], "scale", engine::kFinestScale, engine::kCoarsestScale);
    const i64 x = get_coordinate(info[1], "x"), y = get_coordinate(info[2], "y");
    const Extent extent = get_extent(info[3], info[4], "");
    const CancelPtr cancel = get_cancel(info.Env(), info[5]);
    const StatedLimits limits = get_limits(info[6]);
    Napi::Uint8Array rgba = new_bytes(info.Env(), static_cast<std::size_t>(extent.area()) * sizeof(Rgba));
    auto* pixels = reinterpret_cast<Rgba*>(rgba.Data());
    Napi::Object memory = Napi::Object::New(info.Env());
    memory.Set("rgba", rgba);
    u16* samples = nullptr;
    if (limits.deep) {
      if (slide->info().depth < 16) reject("limits.deep", "false for a slide of 8 bits", "true");
      Napi::Uint8Array bytes = new_bytes(info.Env(), static_cast<std::size_t>(extent.area()) * sizeof(u16));
      samples = reinterpret_cast<u16*>(bytes.Data());
      memory.Set("deep", Napi::Uint16Array::New(info.Env(), static_cast<std::size_t>(extent.area()), bytes.ArrayBuffer(), 0));
    }
    auto resources = Instance::of(info.Env()).resources;
    return Work<ReadResult>::start(
        info.Env(), cancel,
        [=] {
          WorkspacePool::Lease workspace(resources->workspaces);
          Context ctx{*workspace, limits.threads, cancel.get()};
          ReadResult result;
          if (const auto rough = limits.rough ? slide->rough(scale) : nullptr) {
            result.unreadable = engine::read_scaled(cpu::table(), ctx, *rough, scale, x, y, View<Rgba>(pixels, extent),
                                                    limits.begin(cancel.get()), &result.report);
            if (result.unreadable.empty()) return result;
          }
          const engine::ReadLimits within = limits.begin(cancel.get());
          result.unreadable = engine::read_scaled(cpu::table(), ctx, *slide, scale, x, y, View<Rgba>(pixels, extent), within,
                                                  &result.report);
          if (samples)
            engine::add_parts(result.unreadable,
                              engine::read_deep(ctx, *slide, scale, x, y, View<u16>(samples, extent), within));
          return result;
        },
        [extent](Napi::Env env, ReadResult& result, Napi::Value kept) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          const Napi::Object memory = kept.As<Napi::Object>();
          o.Set("rgba", memory.Get("rgba"));
          if (memory.Has("deep")) o.Set("deep", memory.Get("deep"));
          o.Set("width", extent.width);
          o.Set("height", extent.height);
          report_to_js(o, result.unreadable, result.report);
          return o;
        },
        memory);
  });
}

Napi::Value SlideHandle::read_channel(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto slide = open_slide("slide");
    const slide::SlideInfo& about = slide->info();
    if (about.channels.empty()) reject("channel", "none (this slide has no channels but its colours)", describe(info[1]));
    const int level = static_cast<int>(get_integer(info[0], "level", 0, static_cast<double>(about.levels.size() - 1)));
    const int channel = static_cast<int>(get_integer(info[1], "channel", 0, static_cast<double>(about.channels.size() - 1)));
    const i64 x = get_coordinate(info[2], "x"), y = get_coordinate(info[3], "y");
    const Extent extent = get_extent(info[4], info[5], "");
    const slide::Level& whole = about.levels[static_cast<std::size_t>(level)];
    if (x < 0 || y < 0 || x > whole.width - extent.width || y > whole.height - extent.height)
      reject("the rectangle",
             "one inside the level (" + std::to_string(whole.width) + " × " + std::to_string(whole.height) + " px)",
             std::to_string(x) + ", " + std::to_string(y));
    const CancelPtr cancel = get_cancel(info.Env(), info[6]);
    return Work<SamplesRead>::start(
        info.Env(), cancel,
        [=] {
          SamplesRead read;
          read.samples = slide->samples(level, channel, {x, y, extent.width, extent.height}, read.unreadable,
                                        slide::ReadControl(cancel.get(), {}));
          return read;
        },
        [](Napi::Env env, SamplesRead& read, Napi::Value) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          o.Set("samples", samples_to_js(env, read.samples));
          o.Set("width", read.samples.extent.width);
          o.Set("height", read.samples.extent.height);
          o.Set("unreadable", unreadable_to_js(env, read.unreadable));
          return o;
        });
  });
}

Napi::Value SlideHandle::tile_jpeg(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto slide = open_slide("slide");
    const int level = static_cast<int>(get_integer(info[0], "level", 0, static_cast<double>(slide->info().levels.size() - 1)));
    const i64 tx = get_integer(info[1], "tx", 0, 2147483647), ty = get_integer(info[2], "ty", 0, 2147483647);
    const CancelPtr cancel = get_cancel(info.Env(), info[3]);
    using Bytes = std::optional<std::vector<u8>>;
    return Work<Bytes>::start(
        info.Env(), cancel, [=]() -> Bytes { return slide->tile_jpeg(level, tx, ty); },
        [](Napi::Env env, Bytes& bytes, Napi::Value) -> Napi::Value {
          if (!bytes) return env.Null();
          return pixels_to_js(env, PixelType::u8, *bytes);
        });
  });
}

Napi::Value SlideHandle::associated(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto slide = open_slide("slide");
    const std::string name = get_string(info[0], "name");
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    return Work<Associated>::start(
        info.Env(), cancel,
        [=] {
          Associated result;
          result.pixels = slide->associated(name, result.extent);
          return result;
        },
        [](Napi::Env env, Associated& result, Napi::Value) -> Napi::Value {
          Napi::Uint8Array rgba = new_bytes(env, result.pixels.size() * sizeof(Rgba));
          if (!result.pixels.empty()) std::memcpy(rgba.Data(), result.pixels.data(), result.pixels.size() * sizeof(Rgba));
          Napi::Object o = Napi::Object::New(env);
          o.Set("rgba", rgba);
          o.Set("width", result.extent.width);
          o.Set("height", result.extent.height);
          return o;
        });
  });
}

Napi::Value open_slide_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string path = get_string(info[0], "path");
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    const std::string channel = is_given(info[2]) ? get_string(info[2], "channel") : std::string();
    using Opened = std::shared_ptr<slide::Slide>;
    return Work<Opened>::start(
        info.Env(), cancel, [path, channel] { return slide::open_slide(path, channel); },
        [](Napi::Env env, Opened& slide, Napi::Value) -> Napi::Value { return SlideHandle::create(env, std::move(slide)); });
  });
}

/// null where the file is no TIFF.
Napi::Value largest_tiff_page_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string path = get_string(info[0], "path");
    const double most = get_number(info[1], "largestMpp", slide::kSmallestMpp, slide::kLargestMpp);
    using Page = std::optional<slide::LargestPage>;
    return Work<Page>::start(
        info.Env(), get_cancel(info.Env(), info[2]), [path, most] { return slide::largest_page(path, most); },
        [](Napi::Env env, Page& page, Napi::Value) -> Napi::Value {
          return page ? Napi::Value(tiff_page_to_js(env, *page)) : env.Null();
        });
  });
}

std::string optional_text(Napi::Object o, const char* key) {
  const Napi::Value v = o.Get(key);
  return is_given(v) ? get_string(v, std::string("info.") + key) : std::string();
}
double optional_number(Napi::Object o, const char* key, double high) {
  const Napi::Value v = o.Get(key);
  return is_given(v) ? get_number(v, std::string("info.") + key, 0, high) : 0;
}

slide::SlideInfo get_memory_info(Napi::Value value) {
  const Napi::Object o = get_object(value, "info");
  slide::SlideInfo info;
  info.path = get_string(o.Get("path"), "info.path");
  info.vendor = optional_text(o, "vendor");
  info.reader = optional_text(o, "reader");
  info.reader_version = optional_text(o, "readerVersion");
  info.mpp_x = optional_number(o, "mppX", 1e6);
  info.mpp_y = optional_number(o, "mppY", 1e6);
  if (info.mpp_x == 0) info.mpp_x = info.mpp_y;
  if (info.mpp_y == 0) info.mpp_y = info.mpp_x;
  info.objective_power = optional_number(o, "objectivePower", 1000);
  info.mpp_source = optional_text(o, "mppSource");
  const std::string& s = info.mpp_source;
  if (!s.empty() && s != "vendor" && s != "tiff-resolution" && s != "ome-xml" && s != "given" && s != "none")
    reject("info.mppSource", "vendor, tiff-resolution, ome-xml, given or none", "\"" + s + "\"");
  if (const Napi::Value background = o.Get("background"); is_given(background)) {
    const Napi::Object b = get_object(background, "info.background");
    const auto channel = [&b](const char* key) {
      return static_cast<u8>(get_integer(b.Get(key), std::string("info.background.") + key, 0, 255));
    };
    info.background = {channel("r"), channel("g"), channel("b"), 255};
  }
  if (const Napi::Value properties = o.Get("properties"); is_given(properties)) {
    const Napi::Object p = get_object(properties, "info.properties");
    const Napi::Array keys = p.GetPropertyNames();
    for (std::uint32_t i = 0; i < keys.Length(); ++i) {
      const std::string key = keys.Get(i).ToString().Utf8Value();
      info.properties[key] = get_string(p.Get(key), "info.properties[\"" + key + "\"]");
    }
  }
  if (const Napi::Value warnings = o.Get("warnings"); is_given(warnings)) {
    const Napi::Array w = get_array(warnings, "info.warnings");
    for (std::uint32_t i = 0; i < w.Length(); ++i)
      info.warnings.push_back(get_string(w.Get(i), "info.warnings[" + std::to_string(i) + "]"));
  }
  info.uncertain_pixels = optional_text(o, "uncertainPixels");
  return info;
}

Napi::Value memory_slide_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    slide::SlideInfo slide_info = get_memory_info(info[0]);
    const Napi::Uint8Array rgba = get_u8_array(info[1], "rgba");
    const Extent extent = get_extent(info[2], info[3], "");
    const auto needed = static_cast<std::size_t>(extent.area()) * sizeof(Rgba);
    if (rgba.ByteLength() != needed)
      reject("rgba", std::to_string(needed) + " bytes (width × height × 4)", std::to_string(rgba.ByteLength()));
    const View<const Rgba> view(reinterpret_cast<const Rgba*>(rgba.Data()), extent);
    return SlideHandle::create(info.Env(), slide::memory_slide(std::move(slide_info), view));
  });
}

/// The samples are read from another thread: who gives them leaves them alone until it is answered.
Napi::Value memory_samples_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    slide::SlideInfo about = get_memory_info(info[0]);
    const Extent extent = get_extent(info[2], info[3], "");
    const auto each = static_cast<std::uint32_t>(get_integer(info[4], "samplesPerPx", 1, 4));
    if (!info[1].IsTypedArray() || info[1].As<Napi::TypedArray>().TypedArrayType() != napi_uint16_array)
      reject("samples", "a Uint16Array", describe(info[1]));
    const Napi::Uint16Array samples = info[1].As<Napi::Uint16Array>();
    const auto needed = static_cast<std::size_t>(extent.area()) * each;
    if (samples.ElementLength() != needed)
      reject("samples", std::to_string(needed) + " numbers (width × height × samplesPerPx)",
             std::to_string(samples.ElementLength()));
    const u16* data = samples.Data();
    using Opened = std::shared_ptr<slide::Slide>;
    return Work<Opened>::start(
        info.Env(), nullptr, [about, data, extent, each] { return slide::memory_samples(about, data, extent, each); },
        [](Napi::Env env, Opened& slide, Napi::Value) -> Napi::Value { return SlideHandle::create(env, std::move(slide)); },
        samples);
  });
}

}  // namespace

void define_slides(Napi::Env env, Napi::Object exports) {
  const Napi::Function handle = SlideHandle::DefineClass(
      env, "SlideHandle",
      {SlideHandle::InstanceMethod<&SlideHandle::info>("info"),
       SlideHandle::InstanceMethod<&SlideHandle::read_scaled>("readScaled"),
       SlideHandle::InstanceMethod<&SlideHandle::read_channel>("readChannel"),
       SlideHandle::InstanceMethod<&SlideHandle::tile_jpeg>("tileJpeg"),
       SlideHandle::InstanceMethod<&SlideHandle::associated>("associated"),
       SlideHandle::InstanceMethod<&SlideHandle::close>("close")});
  Instance::of(env).slide_class = Napi::Persistent(handle);
  exports.Set("openSlide", Napi::Function::New(env, open_slide_call));
  exports.Set("largestTiffPage", Napi::Function::New(env, largest_tiff_page_call));
  exports.Set("memorySlide", Napi::Function::New(env, memory_slide_call));
  exports.Set("memorySamples", Napi::Function::New(env, memory_samples_call));
}

StatedLimits get_limits(Napi::Value value) {
  StatedLimits limits;
  if (!is_given(value)) return limits;
  const Napi::Object o = get_object(value, "limits");
  if (const Napi::Value v = o.Get("deadlineMs"); is_given(v))
    limits.deadline = std::chrono::milliseconds(static_cast<i64>(get_number(v, "limits.deadlineMs", 1, 1e9)));
  if (const Napi::Value v = o.Get("mostLevelPxPerPx"); is_given(v))
    limits.most_level_px_per_px = get_number(v, "limits.mostLevelPxPerPx", 1, 1e12);
  limits.threads = get_threads(o.Get("threads"));
  // A deadline is counted in one thread's computing time.
  if (limits.threads > 1 && limits.deadline.count() > 0)
    reject("limits.threads", "1 where there is a deadline", std::to_string(limits.threads));
  if (const Napi::Value v = o.Get("rough"); is_given(v)) limits.rough = get_bool(v, "limits.rough");
  if (const Napi::Value v = o.Get("whole"); is_given(v)) limits.whole = get_bool(v, "limits.whole");
  if (const Napi::Value v = o.Get("deep"); is_given(v)) limits.deep = get_bool(v, "limits.deep");
  return limits;
}

engine::ReadLimits StatedLimits::begin(const CancelFlag* cancel) const {
  const slide::ReadControl control(cancel, deadline);
  return {whole ? control.all_or_nothing() : control, most_level_px_per_px};
}

void report_to_js(Napi::Object o, const std::vector<slide::Unreadable>& unreadable, const engine::ReadReport& report) {
  o.Set("unreadable", unreadable_to_js(o.Env(), unreadable));
  o.Set("sampledEvery", report.sampled_every);
  o.Set("timedOut", report.timed_out);
}

std::shared_ptr<slide::Slide> get_slide(Napi::Value value, const std::string& name) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kSlideTag))
    reject(name, "a slide from openSlide or memorySlide", describe(value));
  return SlideHandle::Unwrap(value.As<Napi::Object>())->open_slide(name);
}

}  // namespace morpho::addon
