// The pixels of a TIFF that is no slide in JavaScript: what it is, and its numbers a part at a time.
#include "../slide/tiff/tiff_numbers.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"
#include "work.hpp"

namespace morpho::addon {
namespace {

/// null where the file is no TIFF.
Napi::Value tiff_numbers_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string path = get_string(info[0], "path");
    using Found = std::unique_ptr<slide::TiffNumbers>;
    return Work<Found>::start(
        info.Env(), nullptr, [path] { return slide::TiffNumbers::open(path); },
        [](Napi::Env env, Found& found, Napi::Value) -> Napi::Value {
          if (!found) return env.Null();
          const slide::PieceImage& image = found->image();
          Napi::Object o = Napi::Object::New(env);
          o.Set("width", static_cast<double>(image.width()));
          o.Set("height", static_cast<double>(image.height()));
          o.Set("type", slide::sample_name(image.type()));
          o.Set("samples", found->samples());
          o.Set("pieceHeight", image.piece().height);
          o.Set("indexed", found->indexed());
          o.Set("others", static_cast<double>(found->others()));
          o.Set("description", found->description());
          return o;
        });
  });
}

/// Rows of it: path, the first one, how many.
Napi::Value tiff_rows_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string path = get_string(info[0], "path");
    const i64 y = get_integer(info[1], "y", 0, 2147483647), rows = get_integer(info[2], "rows", 1, 2147483647);
    const CancelPtr cancel = get_cancel(info.Env(), info[3]);
    return Work<slide::ChannelSamples>::start(
        info.Env(), cancel,
        [=] {
          const auto numbers = slide::TiffNumbers::open(path);
          if (!numbers) throw Error(ErrorCode::invalid_parameter, "is no TIFF any more");
          const i64 width = numbers->image().width();
          if (rows > numbers->image().height() - y || rows > kMostPixels / width)
            throw Error(ErrorCode::invalid_parameter, "has no such rows");
          return numbers->read({0, y, width, rows}, cancel.get());
        },
        [](Napi::Env env, slide::ChannelSamples& samples, Napi::Value) { return samples_to_js(env, samples); });
  });
}

}  // namespace

void define_tiff_numbers(Napi::Env env, Napi::Object exports) {
  exports.Set("tiffNumbers", Napi::Function::New(env, tiff_numbers_call));
  exports.Set("tiffRows", Napi::Function::New(env, tiff_rows_call));
}

}  // namespace morpho::addon
