// Finds and loads TurboJPEG, remembers why it could not, and decodes with it.
#include "turbojpeg_library.hpp"

#include <cstdlib>
#include <vector>

#include "shared_library.hpp"

namespace morpho::slide {
namespace {

#ifdef _WIN32
const char* const kTurboJpegNames[] = {"libturbojpeg.dll", "turbojpeg.dll"};
#elif defined(__APPLE__)
const char* const kTurboJpegNames[] = {"libturbojpeg.0.dylib", "libturbojpeg.dylib", "/opt/homebrew/lib/libturbojpeg.0.dylib",
                                       "/usr/local/lib/libturbojpeg.0.dylib"};
#else
const char* const kTurboJpegNames[] = {"libturbojpeg.so.0"};
#endif

struct LoadedTurboJpeg {
  TurboJpegLibrary functions{};
  bool available = false;
  std::string status;
};

/// MORPHOSCOPE_TURBOJPEG names another file, or is "off": then OpenSlide decodes, as where there is none.
LoadedTurboJpeg load_turbojpeg() {
  LoadedTurboJpeg result;
  const char* named = std::getenv("MORPHOSCOPE_TURBOJPEG");
  if (named && std::string(named) == "off") {
    result.status = "switched off by MORPHOSCOPE_TURBOJPEG";
    return result;
  }
  std::vector<std::string> names(std::begin(kTurboJpegNames), std::end(kTurboJpegNames));
  if (named && *named) names.assign(1, named);
  for (const std::string& name : names) {
    std::string error;
    if (SharedLibrary m(name, error); m) {
      std::string missing;
      m.bind("tjInitDecompress", result.functions.init_decompress, missing);
      m.bind("tjDecompress2", result.functions.decompress, missing);
      m.bind("tjDestroy", result.functions.destroy, missing);
      if (missing.empty()) {
        result.available = true;
        result.status = m.location(reinterpret_cast<void*>(result.functions.decompress));
        m.keep();
        return result;
      }
      error = "it is no TurboJPEG library: " + missing + " is missing";
    }
    result.status += (result.status.empty() ? "tried " : "; ") + name + " (" + error + ")";
  }
  return result;
}

// TurboJPEG's own numbers.
constexpr int kRgb = 0, kRgba = 7;  // TJPF_RGB, TJPF_RGBA: opaque
constexpr int kAccurateDct = 4096;  // TJFLAG_ACCURATEDCT
constexpr int kLimitScans = 32768;  // TJFLAG_LIMITSCANS: progressive bombs end early (2.1 and later)

/// One decoder a thread: TurboJPEG's handles are not for several at once, and making one for each tile costs.
class Decoder {
 public:
  explicit Decoder(const TurboJpegLibrary& library) : library_(library), handle_(library.init_decompress()) {}
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() {
    if (handle_) library_.destroy(handle_);
  }
  void* handle() const { return handle_; }

 private:
  const TurboJpegLibrary& library_;
  void* handle_;
};

const LoadedTurboJpeg& loaded_turbojpeg() {
  static const LoadedTurboJpeg instance = load_turbojpeg();
  return instance;
}

}  // namespace

const TurboJpegLibrary* turbojpeg_library() { return loaded_turbojpeg().available ? &loaded_turbojpeg().functions : nullptr; }

std::string turbojpeg_status() { return loaded_turbojpeg().status; }

bool decode_by_turbojpeg(const TurboJpegLibrary& library, const std::vector<u8>& jpeg, Extent extent, u8* to, bool opaque) {
  static thread_local const Decoder decoder(library);
  const int format = opaque ? kRgba : kRgb;
  return decoder.handle() &&
         library.decompress(decoder.handle(), jpeg.data(), static_cast<unsigned long>(jpeg.size()), to, extent.width,
                            extent.width * (opaque ? 4 : 3), extent.height, format, kAccurateDct | kLimitScans) == 0;
}

}  // namespace morpho::slide
