// Finds and loads libtiff, and remembers why it could not.
#include "libtiff_library.hpp"

#include <cstdlib>
#include <vector>

#include "../shared_library.hpp"

namespace morpho::slide {
namespace {

#ifdef _WIN32
const char* const kLibTiffNames[] = {"libtiff-6.dll", "tiff.dll", "libtiff-5.dll"};
#elif defined(__APPLE__)
const char* const kLibTiffNames[] = {"libtiff.6.dylib", "/opt/homebrew/lib/libtiff.6.dylib", "/usr/local/lib/libtiff.6.dylib",
                                     "libtiff.5.dylib"};
#else
const char* const kLibTiffNames[] = {"libtiff.so.6", "libtiff.so.5"};
#endif

struct LoadedLibTiff {
  LibTiff functions{};
  bool available = false;
  std::string status;
};

/// "LIBTIFF, Version 4.5.0" and lines of copyright.
std::string number_of(const std::string& version) {
  const std::size_t from = version.find_first_of("0123456789");
  return from == std::string::npos ? "of unknown version" : version.substr(from, version.find('\n') - from);
}

bool bind_libtiff(const SharedLibrary& m, LibTiff& f, std::string& missing) {
  m.bind("TIFFGetVersion", f.version, missing);
  m.bind("TIFFClientOpen", f.open, missing);
  m.bind("TIFFClose", f.close, missing);
  m.bind("TIFFSetField", f.set_field, missing);
  m.bind("TIFFStripSize", f.strip_size, missing);
  m.bind("TIFFReadEncodedStrip", f.read_encoded_strip, missing);
  m.bind("TIFFIsCODECConfigured", f.is_codec_configured, missing);
  std::string since_4_5;
  m.bind("TIFFClientOpenExt", f.open_with, since_4_5);
  m.bind("TIFFOpenOptionsAlloc", f.options_alloc, since_4_5);
  m.bind("TIFFOpenOptionsFree", f.options_free, since_4_5);
  m.bind("TIFFOpenOptionsSetMaxSingleMemAlloc", f.options_set_most_memory, since_4_5);
  m.bind("TIFFOpenOptionsSetErrorHandlerExtR", f.options_set_error_handler, since_4_5);
  m.bind("TIFFOpenOptionsSetWarningHandlerExtR", f.options_set_warning_handler, since_4_5);
  if (!since_4_5.empty()) f.open_with = nullptr;
  return missing.empty();
}

LoadedLibTiff load_libtiff() {
  LoadedLibTiff result;
  const char* named = std::getenv("MORPHOSCOPE_LIBTIFF");
  if (named && std::string(named) == "off") {
    result.status = "switched off by MORPHOSCOPE_LIBTIFF";
    return result;
  }
  std::vector<std::string> names(std::begin(kLibTiffNames), std::end(kLibTiffNames));
  if (named && *named) names.assign(1, named);
  for (const std::string& name : names) {
    std::string error;
    if (SharedLibrary m(name, error); m) {
      std::string missing;
      if (bind_libtiff(m, result.functions, missing)) {
        result.available = true;
        result.status = number_of(result.functions.version());
        m.keep();
        return result;
      }
      error = "it is no libtiff: " + missing + " is missing";
    }
    result.status += (result.status.empty() ? "tried " : "; ") + name + " (" + error + ")";
  }
  return result;
}

const LoadedLibTiff& loaded_libtiff() {
  static const LoadedLibTiff instance = load_libtiff();
  return instance;
}

}  // namespace

const LibTiff* libtiff_library() { return loaded_libtiff().available ? &loaded_libtiff().functions : nullptr; }

std::string libtiff_status() { return loaded_libtiff().status; }

}  // namespace morpho::slide
