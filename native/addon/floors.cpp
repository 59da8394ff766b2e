// What decoding could cost: libjpeg-turbo alone on tiles, and a TIFF's tiles for zlib, for `morphoscope bench --slide`.
#include <cstring>

#include "engine/device/backend.hpp"
#include "../slide/tiff_index.hpp"
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

struct Tiles {
  std::optional<slide::TiffDirectory> of;
  std::vector<std::vector<u8>> bytes;
};

/// tiffTiles(path): the first directory's tiles as they are stored, 256 MiB of them at most; null where it has none.
Napi::Value tiff_tiles_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string path = get_string(info[0], "path");
    return Work<Tiles>::start(
        info.Env(), nullptr,
        [path] {
          constexpr std::size_t most = std::size_t{256} << 20;
          Tiles tiles;
          std::string problem;
          const auto index = slide::TiffIndex::open(path, problem);
          if (!index || index->directories().empty() || index->directories().front().tile_width == 0) return tiles;
          const slide::TiffDirectory& first = *(tiles.of = index->directories().front());
          std::size_t held = 0;
          for (u64 y = 0; y < first.tiles_down() && held < most; ++y)
            for (u64 x = 0; x < first.tiles_across() && held < most; ++x)
              if (auto tile = index->tile_bytes(first, x, y)) {
                held += tile->size();
                tiles.bytes.push_back(std::move(*tile));
              }
          return tiles;
        },
        [](Napi::Env env, Tiles& tiles, Napi::Value) -> Napi::Value {
          if (!tiles.of) return env.Null();
          Napi::Object o = Napi::Object::New(env);
          o.Set("compression", static_cast<double>(tiles.of->compression));
          o.Set("tileWidth", static_cast<double>(tiles.of->tile_width));
          o.Set("tileHeight", static_cast<double>(tiles.of->tile_height));
          Napi::Array list = Napi::Array::New(env);
          for (const std::vector<u8>& tile : tiles.bytes) {
            Napi::Uint8Array bytes = new_bytes(env, tile.size());
            std::memcpy(bytes.Data(), tile.data(), tile.size());
            list.Set(list.Length(), bytes);
          }
          o.Set("tiles", list);
          return o;
        });
  });
}

}  // namespace

void define_floors(Napi::Env env, Napi::Object exports) {
  exports.Set("decodeJpegs", Napi::Function::New(env, decode_jpegs_call));
  exports.Set("tiffTiles", Napi::Function::New(env, tiff_tiles_call));
}

}  // namespace morpho::addon
