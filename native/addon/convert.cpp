// Builds the JavaScript values that native/types.ts describes.
#include "convert.hpp"

#include <cstring>
#include <limits>

namespace morpho::addon {
namespace {

struct Column {
  const char* name;
  double (*value)(const ObjectMeasurement&);
};

/// The order is that of MEASUREMENT_FIELDS in native/types.ts.
constexpr Column kColumns[] = {
    {"label", [](const ObjectMeasurement& m) { return static_cast<double>(m.label); }},
    {"firstX", [](const ObjectMeasurement& m) { return static_cast<double>(m.first_x); }},
    {"firstY", [](const ObjectMeasurement& m) { return static_cast<double>(m.first_y); }},
    {"minX", [](const ObjectMeasurement& m) { return static_cast<double>(m.min_x); }},
    {"minY", [](const ObjectMeasurement& m) { return static_cast<double>(m.min_y); }},
    {"maxX", [](const ObjectMeasurement& m) { return static_cast<double>(m.max_x); }},
    {"maxY", [](const ObjectMeasurement& m) { return static_cast<double>(m.max_y); }},
    {"area", [](const ObjectMeasurement& m) { return static_cast<double>(m.area); }},
    {"perimeter", [](const ObjectMeasurement& m) { return m.perimeter; }},
    {"centroidX", [](const ObjectMeasurement& m) { return m.centroid_x; }},
    {"centroidY", [](const ObjectMeasurement& m) { return m.centroid_y; }},
    {"majorAxis", [](const ObjectMeasurement& m) { return m.major_axis; }},
    {"minorAxis", [](const ObjectMeasurement& m) { return m.minor_axis; }},
    {"eccentricity", [](const ObjectMeasurement& m) { return m.eccentricity; }},
    {"orientation", [](const ObjectMeasurement& m) { return m.orientation; }},
    {"circularity", [](const ObjectMeasurement& m) { return m.circularity; }},
    {"solidity", [](const ObjectMeasurement& m) { return m.solidity; }},
    {"stain1Mean", [](const ObjectMeasurement& m) { return m.stain_mean[0]; }},
    {"stain2Mean", [](const ObjectMeasurement& m) { return m.stain_mean[1]; }},
    {"stain3Mean", [](const ObjectMeasurement& m) { return m.stain_mean[2]; }},
    {"stain1Std", [](const ObjectMeasurement& m) { return m.stain_std[0]; }},
    {"stain2Std", [](const ObjectMeasurement& m) { return m.stain_std[1]; }},
    {"stain3Std", [](const ObjectMeasurement& m) { return m.stain_std[2]; }},
    {"stain1Min", [](const ObjectMeasurement& m) { return m.stain_min[0]; }},
    {"stain2Min", [](const ObjectMeasurement& m) { return m.stain_min[1]; }},
    {"stain3Min", [](const ObjectMeasurement& m) { return m.stain_min[2]; }},
    {"stain1Max", [](const ObjectMeasurement& m) { return m.stain_max[0]; }},
    {"stain2Max", [](const ObjectMeasurement& m) { return m.stain_max[1]; }},
    {"stain3Max", [](const ObjectMeasurement& m) { return m.stain_max[2]; }},
};

Napi::Number number(Napi::Env env, double v) { return Napi::Number::New(env, v); }
Napi::Number number(Napi::Env env, i64 v) { return Napi::Number::New(env, static_cast<double>(v)); }
Napi::String text(Napi::Env env, const std::string& s) { return Napi::String::New(env, s); }

Napi::ArrayBuffer new_buffer(Napi::Env env, std::size_t bytes) {
  try {
    return Napi::ArrayBuffer::New(env, bytes);
  } catch (const Napi::Error&) {
    throw Error(ErrorCode::out_of_memory,
                "Node could not give a buffer of " + std::to_string(bytes >> 20) + " MiB; ask for a smaller region");
  }
}

}  // namespace

Napi::Array measurement_fields(Napi::Env env) {
  Napi::Array names = Napi::Array::New(env);
  for (const Column& c : kColumns) names.Set(names.Length(), text(env, c.name));
  return names;
}

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
  o.Set("associated", strings_to_js(env, info.associated));
  Napi::Object properties = Napi::Object::New(env);
  for (const auto& [key, value] : info.properties) {
    // A file must not reach the prototype of an object through the name of a property.
    if (key != "__proto__") properties.Set(key, text(env, value));
  }
  o.Set("properties", properties);
  o.Set("warnings", strings_to_js(env, info.warnings));
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

Napi::Object objects_to_js(Napi::Env env, const ObjectSet& set) {
  const std::size_t n = set.objects.size();
  constexpr std::size_t kMostRuns = std::numeric_limits<i32>::max() / 3;
  if (set.run_offsets.size() != n + 1 || set.runs.size() > kMostRuns)
    throw Error(ErrorCode::internal, "the objects of a window do not match their runs",
                std::to_string(n) + " objects, " + std::to_string(set.runs.size()) + " runs");
  Napi::Object o = Napi::Object::New(env);
  o.Set("count", number(env, static_cast<i64>(n)));
  Napi::Object columns = Napi::Object::New(env);
  for (const Column& c : kColumns) {
    Napi::Float64Array column = Napi::Float64Array::New(env, n, new_buffer(env, n * sizeof(double)), 0);
    double* data = column.Data();
    for (std::size_t i = 0; i < n; ++i) data[i] = c.value(set.objects[i]);
    columns.Set(c.name, column);
  }
  o.Set("columns", columns);
  static_assert(sizeof(Run) == 3 * sizeof(i32));
  Napi::ArrayBuffer runs = new_buffer(env, set.runs.size() * sizeof(Run));
  if (!set.runs.empty()) std::memcpy(runs.Data(), set.runs.data(), set.runs.size() * sizeof(Run));
  o.Set("runs", Napi::Int32Array::New(env, set.runs.size() * 3, runs, 0));
  Napi::Int32Array offsets = Napi::Int32Array::New(env, n + 1, new_buffer(env, (n + 1) * sizeof(i32)), 0);
  for (std::size_t i = 0; i <= n; ++i) offsets[i] = static_cast<i32>(set.run_offsets[i]);
  o.Set("runOffsets", offsets);
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
    a.Set(static_cast<std::uint32_t>(i), o);
  }
  return a;
}

}  // namespace morpho::addon
