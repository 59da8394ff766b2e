// What decoding could cost: libjpeg-turbo alone on a slide's own tiles, for `morphoscope bench --slide`.
#include "engine/device/backend.hpp"
#include "../slide/turbojpeg_library.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"
#include "work.hpp"

namespace morpho::addon {
namespace {

struct Decoded {
  double ms = 0;
  i64 tiles = 0;
};

/// decodeJpegs(tiles, width, height): how long one thread takes to decode each once as the reader does (accurate transform,
/// smooth chroma), and how many it could. No tile is larger than width × height px: one that claims to be comes out scaled
/// down.
Napi::Value decode_jpegs_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    if (!info[0].IsArray()) reject("tiles", "an array of Uint8Array", "another value");
    const Napi::Array given = info[0].As<Napi::Array>();
    const Extent extent = get_extent(info[1], info[2], "");
    std::vector<std::vector<u8>> tiles;
    for (std::uint32_t i = 0; i < given.Length(); ++i) {
      const Napi::Uint8Array bytes = get_u8_array(given.Get(i), "tiles");
      tiles.emplace_back(bytes.Data(), bytes.Data() + bytes.ByteLength());
    }
    return Work<Decoded>::start(
        info.Env(), nullptr,
        [tiles = std::move(tiles), extent] {
          const slide::TurboJpegLibrary* library = slide::turbojpeg_library();
          if (!library) throw Error(ErrorCode::not_found, "TurboJPEG is not there: " + slide::turbojpeg_status());
          const std::unique_ptr<void, int (*)(void*)> handle(library->init_decompress(), library->destroy);
          if (!handle) throw Error(ErrorCode::out_of_memory, "TurboJPEG could not begin.");
          constexpr int kRgba = 7, kAccurate = 4096;  // TJPF_RGBA, TJFLAG_ACCURATEDCT
          std::vector<u8> to(static_cast<std::size_t>(extent.area()) * 4);
          Decoded done;
          const double begin = engine::now_ms();
          for (const std::vector<u8>& tile : tiles) {
            done.tiles += library->decompress(handle.get(), tile.data(), static_cast<unsigned long>(tile.size()), to.data(),
                                              extent.width, 0, extent.height, kRgba, kAccurate) == 0;
          }
          done.ms = engine::now_ms() - begin;
          return done;
        },
        [](Napi::Env env, Decoded& done, Napi::Value) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          o.Set("ms", done.ms);
          o.Set("tiles", static_cast<double>(done.tiles));
          return o;
        });
  });
}

}  // namespace

void define_floors(Napi::Env env, Napi::Object exports) {
  exports.Set("decodeJpegs", Napi::Function::New(env, decode_jpegs_call));
}

}  // namespace morpho::addon
