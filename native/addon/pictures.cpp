// Pictures of the slide in JavaScript's memory: outlines painted on them.
#include "../export/outlined_picture.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

constexpr double kWidestPicture = 1 << 16;

Napi::Uint8Array get_bytes(Napi::Value value, const std::string& name, i64 least) {
  const Napi::Uint8Array bytes = get_u8_array(value, name);
  if (static_cast<i64>(bytes.ByteLength()) < least)
    reject(name, std::to_string(least) + " bytes or more", std::to_string(bytes.ByteLength()));
  return bytes;
}

struct HeldPicture {
  exports::Picture picture;
  Napi::Array memory;  ///< what keeps it
};

HeldPicture get_picture(Napi::Value value) {
  const Napi::Object o = get_object(value, "picture");
  HeldPicture held{{}, Napi::Array::New(value.Env())};
  exports::Picture& picture = held.picture;
  picture.extent = {static_cast<i32>(get_integer(o.Get("width"), "picture.width", 1, kWidestPicture)),
                    static_cast<i32>(get_integer(o.Get("height"), "picture.height", 1, kWidestPicture))};
  Napi::Uint8Array rgb = get_bytes(o.Get("rgb"), "picture.rgb", 3 * picture.extent.area());
  Napi::Uint8Array drawn = get_bytes(o.Get("drawn"), "picture.drawn", picture.extent.area());
  picture.rgb = rgb.Data();
  picture.drawn = drawn.Data();
  picture.x0 = get_number(o.Get("x0"), "picture.x0", -kFarthest, kFarthest);
  picture.y0 = get_number(o.Get("y0"), "picture.y0", -kFarthest, kFarthest);
  picture.scale = get_number(o.Get("toPicture"), "picture.toPicture", 1e-9, 1e9);
  picture.cell_reach = static_cast<i32>(get_integer(o.Get("cellReach"), "picture.cellReach", 0, 1 << 16));
  held.memory.Set(0u, rgb);
  held.memory.Set(1u, drawn);
  return held;
}

Napi::Value nothing(Napi::Env env, bool&, Napi::Value) { return env.Undefined(); }

Napi::Value paint_outlines_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const exports::ObjectTable& table = get_table(info[0]);
    const Napi::Uint8Array colors = get_bytes(info[1], "colors", 3 * table.size());
    HeldPicture held = get_picture(info[2]);
    const int threads = get_threads(info[3]);
    const CancelPtr cancel = get_cancel(info.Env(), info[4]);
    held.memory.Set(2u, info[0]);
    held.memory.Set(3u, colors);
    const std::span<const u8> bytes(colors.Data(), colors.ByteLength());
    return Work<bool>::start(
        info.Env(), cancel,
        [=, &table, picture = held.picture] {
          Workspace workspace;
          exports::paint_outlines({workspace, threads, cancel.get()}, table, bytes, picture);
          return true;
        },
        nothing, held.memory);
  });
}

Napi::Value paint_rims_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const HeldPicture held = get_picture(info[0]);
    const int threads = get_threads(info[1]);
    const CancelPtr cancel = get_cancel(info.Env(), info[2]);
    return Work<bool>::start(
        info.Env(), cancel,
        [=, picture = held.picture] {
          Workspace workspace;
          exports::paint_rims({workspace, threads, cancel.get()}, picture);
          return true;
        },
        nothing, held.memory);
  });
}

/// At once: a strip of a picture takes a millisecond or two.
Napi::Value drop_alpha_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Uint8Array rgba = get_u8_array(info[0], "rgba");
    const i64 pixels = static_cast<i64>(rgba.ByteLength() / sizeof(Rgba));
    Napi::Uint8Array rgb = get_u8_array(info[1], "rgb");
    const i64 at = get_integer(info[2], "at", 0, static_cast<double>(rgb.ByteLength()));
    if (at + 3 * pixels > static_cast<i64>(rgb.ByteLength()))
      reject("rgb", std::to_string(at + 3 * pixels) + " bytes or more", std::to_string(rgb.ByteLength()));
    exports::drop_alpha(rgba.Data(), pixels, rgb.Data() + at);
    return info.Env().Undefined();
  });
}

}  // namespace

void define_pictures(Napi::Env env, Napi::Object exports) {
  exports.Set("paintOutlines", Napi::Function::New(env, paint_outlines_call));
  exports.Set("paintRims", Napi::Function::New(env, paint_rims_call));
  exports.Set("dropAlpha", Napi::Function::New(env, drop_alpha_call));
}

}  // namespace morpho::addon
