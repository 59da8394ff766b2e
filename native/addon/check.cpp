// Implements the checked getters of arguments from JavaScript.
#include "check.hpp"

#include <cmath>
#include <cstring>

#include "../contract/text.hpp"

namespace morpho::addon {

std::string describe(Napi::Value value) {
  switch (value.Type()) {
    case napi_undefined: return "undefined";
    case napi_null: return "null";
    case napi_boolean: return value.As<Napi::Boolean>().Value() ? "true" : "false";
    case napi_number: return text_of(value.As<Napi::Number>().DoubleValue());
    case napi_string: {
      const std::string s = value.As<Napi::String>().Utf8Value();
      return s.size() <= 60 ? "\"" + s + "\"" : "a text of " + std::to_string(s.size()) + " bytes";
    }
    case napi_symbol: return "a symbol";
    case napi_function: return "a function";
    case napi_bigint: return "a bigint";
    default: break;
  }
  if (value.IsArray()) return "an array";
  if (value.IsTypedArray()) return "another typed array";
  return "an object";
}

double get_number(Napi::Value value, const std::string& name, double low, double high) {
  const bool is_number = value.IsNumber();
  const double v = is_number ? value.As<Napi::Number>().DoubleValue() : 0;
  if (!is_number || !(v >= low && v <= high))
    reject(name, "a number between " + text_of(low) + " and " + text_of(high), describe(value));
  return v;
}

i64 get_integer(Napi::Value value, const std::string& name, double low, double high) {
  const bool is_number = value.IsNumber();
  const double v = is_number ? value.As<Napi::Number>().DoubleValue() : 0;
  if (!is_number || !(v >= low && v <= high) || v != std::floor(v))
    reject(name, "an integer between " + text_of(low) + " and " + text_of(high), describe(value));
  return static_cast<i64>(v);
}

bool get_bool(Napi::Value value, const std::string& name) {
  if (!value.IsBoolean()) reject(name, "true or false", describe(value));
  return value.As<Napi::Boolean>().Value();
}

std::string get_string(Napi::Value value, const std::string& name) {
  if (!value.IsString()) reject(name, "a text", describe(value));
  std::string s = value.As<Napi::String>().Utf8Value();
  if (s.size() > 32768) reject(name, "a text of at most 32768 bytes", describe(value));
  return s;
}

Napi::Object get_object(Napi::Value value, const std::string& name) {
  if (!value.IsObject() || value.IsArray() || value.IsTypedArray() || value.IsFunction())
    reject(name, "an object", describe(value));
  return value.As<Napi::Object>();
}

Napi::Array get_array(Napi::Value value, const std::string& name) {
  if (!value.IsArray()) reject(name, "an array", describe(value));
  return value.As<Napi::Array>();
}

Napi::Uint8Array get_u8_array(Napi::Value value, const std::string& name) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array)
    reject(name, "a Uint8Array", describe(value));
  return value.As<Napi::Uint8Array>();
}

Napi::Int32Array get_i32_array(Napi::Value value, const std::string& name) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_int32_array)
    reject(name, "an Int32Array", describe(value));
  return value.As<Napi::Int32Array>();
}

bool is_given(Napi::Value value) { return !value.IsUndefined() && !value.IsNull(); }

Extent get_extent(Napi::Value width, Napi::Value height, const std::string& what, bool empty) {
  constexpr double kMostSide = 1048576;
  const i64 w = get_integer(width, what + "width", empty ? 0 : 1, kMostSide);
  const i64 h = get_integer(height, what + "height", empty ? 0 : 1, kMostSide);
  if (w * h > kMostPixels)
    reject(what + "width × " + what + "height", "at most " + std::to_string(kMostPixels) + " px in one call",
           std::to_string(w) + " × " + std::to_string(h));
  return {static_cast<i32>(w), static_cast<i32>(h)};
}

i64 get_coordinate(Napi::Value value, const std::string& name) { return get_integer(value, name, -kFarthest, kFarthest); }

int get_threads(Napi::Value value) { return is_given(value) ? static_cast<int>(get_integer(value, "threads", 1, 256)) : 1; }

engine::Params get_params(Napi::Value value, const std::string& name) {
  const Napi::Object object = get_object(value, name);
  const Napi::Array keys = object.GetPropertyNames();
  if (keys.Length() > 1024) reject(name, "at most 1024 entries", std::to_string(keys.Length()));
  engine::Params params;
  for (std::uint32_t i = 0; i < keys.Length(); ++i) {
    const std::string key = keys.Get(i).ToString().Utf8Value();
    const Napi::Value entry = object.Get(key);
    const std::string full = name + "[\"" + key + "\"]";
    if (entry.IsNumber())
      params.set(key, get_number(entry, full, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max()));
    else if (entry.IsBoolean()) params.set(key, entry.As<Napi::Boolean>().Value());
    else if (entry.IsString()) params.set(key, get_string(entry, full));
    else reject(full, "a number, a boolean or a text", describe(entry));
  }
  return params;
}

GivenRuns get_runs(Napi::Value runs, Napi::Value offsets) {
  const Napi::Int32Array runs_js = get_i32_array(runs, "runs"), offsets_js = get_i32_array(offsets, "runOffsets");
  if (runs_js.ElementLength() % 3 != 0)
    reject("runs", "triples (y, x0, x1)", std::to_string(runs_js.ElementLength()) + " numbers");
  GivenRuns given;
  given.runs.resize(runs_js.ElementLength() / 3);
  if (!given.runs.empty()) std::memcpy(given.runs.data(), runs_js.Data(), given.runs.size() * sizeof(Run));
  given.offsets.assign(offsets_js.Data(), offsets_js.Data() + offsets_js.ElementLength());
  return given;
}

void check_runs(const std::vector<Run>& runs, const std::vector<i32>& offsets) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<i32>(runs.size()))
    reject("runOffsets", "offsets from 0 to the number of runs",
           offsets.empty() ? "none" : std::to_string(offsets.front()) + " to " + std::to_string(offsets.back()));
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    if (offsets[k] > offsets[k + 1]) reject("runOffsets", "ascending offsets", "a descent at entry " + std::to_string(k + 1));
    for (i32 i = offsets[k]; i < offsets[k + 1]; ++i) {
      const Run& r = runs[static_cast<std::size_t>(i)];
      const bool in_range = r.x0 < r.x1 && r.x0 > -(1 << 30) && r.x1 < (1 << 30) && r.y > -(1 << 30) && r.y < (1 << 30);
      const Run* before = i > offsets[k] ? &r - 1 : nullptr;
      if (!in_range || (before && (before->y > r.y || (before->y == r.y && before->x1 > r.x0))))
        reject("runs", "runs (y, x0, x1) in raster order with x0 < x1", "another at run " + std::to_string(i));
    }
  }
}

}  // namespace morpho::addon
