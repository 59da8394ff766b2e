// Finds and loads the three libraries, and remembers why it could not.
#include "codec_libraries.hpp"

#include <cstdlib>
#include <vector>

#include "../shared_library.hpp"

namespace morpho::slide {
namespace {

#ifdef _WIN32
const std::vector<std::string> kZlibNames = {"zlib1.dll", "z.dll"}, kZstdNames = {"libzstd.dll", "zstd.dll"},
                               kBloscNames = {"blosc.dll", "libblosc.dll"};
#elif defined(__APPLE__)
const std::vector<std::string> kZlibNames = {"libz.1.dylib", "/usr/lib/libz.1.dylib"},
                               kZstdNames = {"libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib",
                                             "/usr/local/lib/libzstd.1.dylib"},
                               kBloscNames = {"libblosc.1.dylib", "/opt/homebrew/lib/libblosc.1.dylib",
                                              "/usr/local/lib/libblosc.1.dylib"};
#else
const std::vector<std::string> kZlibNames = {"libz.so.1"}, kZstdNames = {"libzstd.so.1"}, kBloscNames = {"libblosc.so.1"};
#endif

template <class Functions>
struct LoadedCodec {
  Functions functions{};
  bool available = false;
  std::string status;
};

void bind_codec(const SharedLibrary& m, ZlibLibrary& f, std::string& missing) {
  m.bind("zlibVersion", f.version, missing);
  m.bind("inflateInit2_", f.init, missing);
  m.bind("inflate", f.inflate, missing);
  m.bind("inflateEnd", f.end, missing);
}
void bind_codec(const SharedLibrary& m, ZstdLibrary& f, std::string& missing) {
  m.bind("ZSTD_versionString", f.version, missing);
  m.bind("ZSTD_decompress", f.decompress, missing);
  m.bind("ZSTD_isError", f.is_error, missing);
}
void bind_codec(const SharedLibrary& m, BloscLibrary& f, std::string& missing) {
  m.bind("blosc_get_version_string", f.version, missing);
  m.bind("blosc_cbuffer_validate", f.validate, missing);
  m.bind("blosc_decompress_ctx", f.decompress, missing);
}

template <class Functions>
LoadedCodec<Functions> load_codec(const char* variable, const std::vector<std::string>& names) {
  LoadedCodec<Functions> result;
  const char* setting = std::getenv(variable);
  if (setting && std::string(setting) == "off") {
    result.status = std::string("switched off by ") + variable;
    return result;
  }
  // Node offers a zlib of its own to all libraries, and newer ones a Zstandard: a system's zlib beside it would call itself for
  // one half and Node's for the other, whose state is laid out otherwise.
  using Wanted = SharedLibrary::Wanted;
  for (std::size_t k = 0; k <= names.size(); ++k) {
    const std::string name = k == 0 ? "the program itself" : names[k - 1];
    std::string error;
    if (SharedLibrary m(name, error, k == 0 ? Wanted::in_program : Wanted::yes); m) {
      std::string missing;
      bind_codec(m, result.functions, missing);
      if (missing.empty()) {
        result.available = true;
        result.status = result.functions.version();
        m.keep();
        return result;
      }
      error = missing + " is missing in it";
    }
    if (k > 0) result.status += (result.status.empty() ? "tried " : "; ") + name + " (" + error + ")";
  }
  return result;
}

const LoadedCodec<ZlibLibrary>& loaded_zlib() {
  static const auto loaded = load_codec<ZlibLibrary>("MORPHOSCOPE_ZLIB", kZlibNames);
  return loaded;
}
const LoadedCodec<ZstdLibrary>& loaded_zstd() {
  static const auto loaded = load_codec<ZstdLibrary>("MORPHOSCOPE_ZSTD", kZstdNames);
  return loaded;
}
const LoadedCodec<BloscLibrary>& loaded_blosc() {
  static const auto loaded = load_codec<BloscLibrary>("MORPHOSCOPE_BLOSC", kBloscNames);
  return loaded;
}

}  // namespace

const ZlibLibrary* zlib_library() { return loaded_zlib().available ? &loaded_zlib().functions : nullptr; }
const ZstdLibrary* zstd_library() { return loaded_zstd().available ? &loaded_zstd().functions : nullptr; }
const BloscLibrary* blosc_library() { return loaded_blosc().available ? &loaded_blosc().functions : nullptr; }
std::string zlib_status() { return loaded_zlib().status; }
std::string zstd_status() { return loaded_zstd().status; }
std::string blosc_status() { return loaded_blosc().status; }

}  // namespace morpho::slide
