// Builds the JavaScript values that native/types.ts and native/windows.ts describe.
#include "convert.hpp"

#include <cstring>

namespace morpho::addon {
namespace {

Napi::Number number(Napi::Env env, double v) { return Napi::Number::New(env, v); }
Napi::Number number(Napi::Env env, i64 v) { return Napi::Number::New(env, static_cast<double>(v)); }
Napi::String text(Napi::Env env, const std::string& s) { return Napi::String::New(env, s); }

std::string hex_color(const Rgba& c) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "#";
  for (const u8 v : {c.r, c.g, c.b}) out += {digits[v >> 4], digits[v & 15]};
  return out;
}

Napi::ArrayBuffer new_buffer(Napi::Env env, std::size_t bytes) {
  try {
    return Napi::ArrayBuffer::New(env, bytes);
  } catch (const Napi::Error&) {
    throw Error(ErrorCode::out_of_memory,
                "Node could not give a buffer of " + std::to_string(bytes >> 20) + " MiB; ask for a smaller region");
  }
}

}  // namespace

Napi::Uint8Array new_bytes(Napi::Env env, std::size_t bytes) {
  return Napi::Uint8Array::New(env, bytes, new_buffer(env, bytes), 0);
}

Napi::Object rect_to_js(Napi::Env env, const Rect& r) {
  Napi::Object o = Napi::Object::New(env);
  o.Set("x", number(env, r.x));
  o.Set("y", number(env, r.y));
  o.Set("width", number(env, r.width));
  o.Set("height", number(env, r.height));
  return o;
}

Napi::Array strings_to_js(Napi::Env env, const std::vector<std::string>& strings) {
  Napi::Array a = Napi::Array::New(env, strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) a.Set(static_cast<std::uint32_t>(i), text(env, strings[i]));
  return a;
}

Napi::Object tiff_page_to_js(Napi::Env env, const slide::LargestPage& page) {
  const auto whole = [env](u64 v) { return number(env, static_cast<double>(v)); };
  Napi::Object o = Napi::Object::New(env);
  o.Set("index", whole(page.index));
  o.Set("width", whole(page.width));
  o.Set("height", whole(page.height));
  o.Set("ofThatSize", whole(page.of_that_size));
  o.Set("mppX", number(env, page.size ? page.size->x : 0));
  o.Set("mppY", number(env, page.size ? page.size->y : 0));
  o.Set("mppSource", text(env, page.size ? page.size->source : "none"));
  o.Set("warnings", strings_to_js(env, page.warnings));
  Napi::Array entries = Napi::Array::New(env, page.resolution_entries.size());
  for (std::size_t i = 0; i < page.resolution_entries.size(); ++i)
    entries.Set(static_cast<std::uint32_t>(i), whole(page.resolution_entries[i]));
  o.Set("resolutionEntries", entries);
  o.Set("bigEndian", page.big_endian);
  o.Set("bigTiff", page.big_tiff);
  return o;
}

Napi::Object info_to_js(Napi::Env env, const slide::SlideInfo& info) {
  Napi::Object o = Napi::Object::New(env);
  o.Set("path", text(env, info.path));
  o.Set("vendor", text(env, info.vendor));
  o.Set("reader", text(env, info.reader));
  o.Set("readerVersion", text(env, info.reader_version));
  Napi::Array levels = Napi::Array::New(env, info.levels.size());
  for (std::size_t i = 0; i < info.levels.size(); ++i) {
    const slide::Level& l = info.levels[i];
    Napi::Object level = Napi::Object::New(env);
    level.Set("width", number(env, l.width));
    level.Set("height", number(env, l.height));
    level.Set("downsample", number(env, l.downsample));
    level.Set("tileWidth", number(env, l.tile_width));
    level.Set("tileHeight", number(env, l.tile_height));
    levels.Set(static_cast<std::uint32_t>(i), level);
  }
  o.Set("levels", levels);
  o.Set("mppX", number(env, info.mpp_x));
  o.Set("mppY", number(env, info.mpp_y));
  o.Set("mppSource", text(env, info.mpp_source));
  o.Set("objectivePower", number(env, info.objective_power));
  o.Set("bounds", rect_to_js(env, info.bounds));
  Napi::Object background = Napi::Object::New(env);
  background.Set("r", number(env, i64{info.background.r}));
  background.Set("g", number(env, i64{info.background.g}));
  background.Set("b", number(env, i64{info.background.b}));
  o.Set("background", background);
  Napi::Array channels = Napi::Array::New(env, info.channels.size());
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    const slide::Channel& c = info.channels[i];
    Napi::Object channel = Napi::Object::New(env);
    channel.Set("name", text(env, c.name));
    channel.Set("color", c.color ? Napi::Value(text(env, hex_color(*c.color))) : env.Null());
    channel.Set("type", text(env, slide::sample_name(c.type)));
    channel.Set("low", number(env, c.low));
    channel.Set("high", number(env, c.high));
    channel.Set("shown", text(env, slide::shown_name(c.shown)));
    channels.Set(static_cast<std::uint32_t>(i), channel);
  }
  o.Set("channels", channels);
  o.Set("depth", number(env, i64{info.depth}));
  o.Set("associated", strings_to_js(env, info.associated));
  Napi::Object properties = Napi::Object::New(env);
  for (const auto& [key, value] : info.properties) {
    // A file must not reach the prototype of an object through the name of a property.
    if (key != "__proto__") properties.Set(key, text(env, value));
  }
  o.Set("properties", properties);
  o.Set("warnings", strings_to_js(env, info.warnings));
  if (!info.uncertain_pixels.empty()) o.Set("uncertainPixels", text(env, info.uncertain_pixels));
  return o;
}

Napi::Array unreadable_to_js(Napi::Env env, const std::vector<slide::Unreadable>& parts) {
  Napi::Array a = Napi::Array::New(env, parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Napi::Object o = Napi::Object::New(env);
    o.Set("region", rect_to_js(env, parts[i].region));
    o.Set("reason", text(env, parts[i].reason));
    a.Set(static_cast<std::uint32_t>(i), o);
  }
  return a;
}

Napi::Value param_value_to_js(Napi::Env env, const engine::ParamValue& value) {
  if (const auto* d = std::get_if<double>(&value)) return number(env, *d);
  if (const auto* b = std::get_if<bool>(&value)) return Napi::Boolean::New(env, *b);
  return text(env, std::get<std::string>(value));
}

Napi::Object params_to_js(Napi::Env env, const engine::Params& params) {
  Napi::Object o = Napi::Object::New(env);
  for (const auto& [name, value] : params.all()) o.Set(name, param_value_to_js(env, value));
  return o;
}

namespace {

template <class T, class Array>
Napi::Value typed_copy(Napi::Env env, const std::vector<u8>& bytes) {
  Napi::ArrayBuffer buffer = new_buffer(env, bytes.size());
  if (!bytes.empty()) std::memcpy(buffer.Data(), bytes.data(), bytes.size());
  return Array::New(env, bytes.size() / sizeof(T), buffer, 0);
}

template <class T>
Napi::TypedArray copied(Napi::Env env, const std::vector<T>& from, napi_typedarray_type type) {
  Napi::ArrayBuffer buffer = new_buffer(env, from.size() * sizeof(T));
  if (!from.empty()) std::memcpy(buffer.Data(), from.data(), from.size() * sizeof(T));
  return Napi::TypedArrayOf<T>::New(env, from.size(), buffer, 0, type);
}

Napi::Value column_to_js(Napi::Env env, const exports::PackedRows::Column& c, std::size_t n, Napi::ArrayBuffer buffer) {
  switch (c.type) {
    case exports::Numbers::i16: return Napi::Int16Array::New(env, n, buffer, c.begin);
    case exports::Numbers::u16: return Napi::Uint16Array::New(env, n, buffer, c.begin);
    case exports::Numbers::i32: return Napi::Int32Array::New(env, n, buffer, c.begin);
    case exports::Numbers::f64: return Napi::Float64Array::New(env, n, buffer, c.begin);
    case exports::Numbers::none: break;
  }
  return env.Null();
}

}  // namespace

Napi::Value samples_to_js(Napi::Env env, const slide::ChannelSamples& samples) {
  const std::vector<u8>& b = samples.bytes;
  using slide::SampleType;
  switch (samples.type) {
    case SampleType::u8: return typed_copy<u8, Napi::Uint8Array>(env, b);
    case SampleType::i8: return typed_copy<std::int8_t, Napi::Int8Array>(env, b);
    case SampleType::u16: return typed_copy<u16, Napi::Uint16Array>(env, b);
    case SampleType::i16: return typed_copy<std::int16_t, Napi::Int16Array>(env, b);
    case SampleType::u32: return typed_copy<std::uint32_t, Napi::Uint32Array>(env, b);
    case SampleType::i32: return typed_copy<i32, Napi::Int32Array>(env, b);
    case SampleType::f32: return typed_copy<float, Napi::Float32Array>(env, b);
    case SampleType::f64: break;
  }
  return typed_copy<double, Napi::Float64Array>(env, b);
}

Napi::Object tile_rows_to_js(Napi::Env env, const exports::TileRows& tiles) {
  const exports::PackedRows& rows = tiles.rows;
  const auto n = static_cast<std::size_t>(rows.count);
  Napi::Object o = Napi::Object::New(env);
  o.Set("count", number(env, rows.count));
  Napi::ArrayBuffer buffer = new_buffer(env, rows.memory.size());
  if (!rows.memory.empty()) std::memcpy(buffer.Data(), rows.memory.data(), rows.memory.size());
  Napi::Array columns = Napi::Array::New(env, exports::kColumns);
  for (std::uint32_t i = 0; i < exports::kColumns; ++i) columns.Set(i, column_to_js(env, rows.columns[i], n, buffer));
  for (const auto& channel : rows.channels) columns.Set(columns.Length(), column_to_js(env, channel, n, buffer));
  o.Set("columns", columns);
  o.Set("ends", Napi::Uint32Array::New(env, n, buffer, rows.ends));
  o.Set("outlines", Napi::Uint8Array::New(env, rows.memory.size() - rows.outlines, buffer, rows.outlines));
  o.Set("starts", copied(env, tiles.starts, napi_uint32_array));
  o.Set("cut", copied(env, tiles.cut, napi_uint32_array));
  o.Set("crossings", copied(env, tiles.crossings, napi_int32_array));
  return o;
}

Napi::Value pixels_to_js(Napi::Env env, PixelType type, const std::vector<u8>& bytes) {
  Napi::ArrayBuffer buffer = new_buffer(env, bytes.size());
  if (!bytes.empty()) std::memcpy(buffer.Data(), bytes.data(), bytes.size());
  const std::size_t n = bytes.size() / pixel_bytes(type);
  switch (type) {
    case PixelType::u8: return Napi::Uint8Array::New(env, n, buffer, 0);
    case PixelType::u16: return Napi::Uint16Array::New(env, n, buffer, 0);
    default: return Napi::Int32Array::New(env, n, buffer, 0);
  }
}

Napi::Array planes_to_js(Napi::Env env, const std::vector<engine::NamedPlane>& planes) {
  Napi::Array a = Napi::Array::New(env, planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const engine::NamedPlane& p = planes[i];
    Napi::Object o = Napi::Object::New(env);
    o.Set("name", text(env, p.name));
    o.Set("kind", text(env, p.type == PixelType::i32 ? "labels" : p.binary ? "binary" : "gray"));
    o.Set("width", number(env, i64{p.extent.width}));
    o.Set("height", number(env, i64{p.extent.height}));
    o.Set("data", pixels_to_js(env, p.type, p.bytes));
    a.Set(static_cast<std::uint32_t>(i), o);
  }
  return a;
}

static Napi::Array work_to_js(Napi::Env env, const std::vector<morpho::Work>& work) {
  Napi::Array a = Napi::Array::New(env, work.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const morpho::Work& w = work[i];
    Napi::Object o = Napi::Object::New(env);
    o.Set("op", text(env, std::string(w.op)));
    o.Set("variant", text(env, w.variant));
    o.Set("calls", number(env, w.calls));
    o.Set("rounds", number(env, w.rounds));
    o.Set("queued", number(env, w.queued));
    o.Set("longest", number(env, w.longest));
    a.Set(static_cast<std::uint32_t>(i), o);
  }
  return a;
}

Napi::Array timings_to_js(Napi::Env env, const std::vector<engine::StageTiming>& timings) {
  Napi::Array a = Napi::Array::New(env, timings.size());
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const engine::StageTiming& t = timings[i];
    Napi::Object o = Napi::Object::New(env);
    o.Set("stage", text(env, t.stage));
    o.Set("device", text(env, t.device));
    o.Set("variant", text(env, t.variant));
    o.Set("ms", number(env, t.ms));
    o.Set("pixels", number(env, t.pixels));
    o.Set("work", work_to_js(env, t.work));
    for (const auto& [name, value] : {std::pair{"part", &t.part}, {"reader", &t.reader}, {"memory", &t.memory}})
      if (!value->empty()) o.Set(name, text(env, *value));
    if (t.kept) o.Set("kept", Napi::Boolean::New(env, true));
    a.Set(static_cast<std::uint32_t>(i), o);
  }
  return a;
}

}  // namespace morpho::addon
