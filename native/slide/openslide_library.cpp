// Finds and loads OpenSlide with the operating system's dynamic linker, and remembers why it could not.
#include "openslide_library.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include "shared_library.hpp"

namespace morpho::slide {
namespace {

#ifdef _WIN32
const char* const kNames[] = {"libopenslide-1.dll", "libopenslide-0.dll"};
#elif defined(__APPLE__)
const char* const kNames[] = {"libopenslide.1.dylib", "libopenslide.0.dylib", "/opt/homebrew/lib/libopenslide.1.dylib",
                              "/usr/local/lib/libopenslide.1.dylib"};
#else
const char* const kNames[] = {"libopenslide.so.1", "libopenslide.so.0"};
#endif

struct Loaded {
  OpenSlideLibrary functions{};
  OpenSlideStatus status;
};

std::string bind_all(const SharedLibrary& m, OpenSlideLibrary& f) {
  std::string missing;
  m.bind("openslide_detect_vendor", f.detect_vendor, missing);
  m.bind("openslide_open", f.open, missing);
  m.bind("openslide_close", f.close, missing);
  m.bind("openslide_get_level_count", f.get_level_count, missing);
  m.bind("openslide_get_level_dimensions", f.get_level_dimensions, missing);
  m.bind("openslide_get_level_downsample", f.get_level_downsample, missing);
  m.bind("openslide_read_region", f.read_region, missing);
  m.bind("openslide_get_error", f.get_error, missing);
  m.bind("openslide_get_property_names", f.get_property_names, missing);
  m.bind("openslide_get_property_value", f.get_property_value, missing);
  m.bind("openslide_get_associated_image_names", f.get_associated_image_names, missing);
  m.bind("openslide_get_associated_image_dimensions", f.get_associated_image_dimensions, missing);
  m.bind("openslide_read_associated_image", f.read_associated_image, missing);
  m.bind("openslide_get_version", f.get_version, missing);
  return missing;
}

Loaded load_library() {
  std::vector<std::string> names;
  const char* override_path = std::getenv("MORPHOSCOPE_OPENSLIDE");
  if (override_path && std::string(override_path) == "off") {
    Loaded none;
    none.status.reason = "OpenSlide is switched off by MORPHOSCOPE_OPENSLIDE";
    return none;
  }
  // An override that is wrong must be seen, not papered over by another copy.
  if (override_path && *override_path) names.emplace_back(override_path);
  else names.assign(std::begin(kNames), std::end(kNames));

  Loaded result;
  std::string tried;
  for (const std::string& name : names) {
    std::string error;
    if (SharedLibrary m(name, error); m) {
      const std::string missing = bind_all(m, result.functions);
      if (missing.empty()) {
        result.status.available = true;
        result.status.version = result.functions.get_version();
        result.status.library = m.location(reinterpret_cast<void*>(result.functions.open));
        m.keep();
        return result;
      }
      error = "it is no OpenSlide library: " + missing + " is missing";
    }
    tried += (tried.empty() ? "" : "; ") + name + " (" + error + ")";
  }
  result.status.reason = "OpenSlide could not be loaded. Tried " + tried +
                         ". Install it (Debian and Ubuntu: libopenslide0 or libopenslide1; macOS: brew install openslide; "
                         "Windows: openslide.org), or set MORPHOSCOPE_OPENSLIDE to the path of the library";
  return result;
}

const Loaded& loaded() {
  static const Loaded instance = load_library();
  return instance;
}

}  // namespace

const OpenSlideLibrary* openslide_library() { return loaded().status.available ? &loaded().functions : nullptr; }

OpenSlideStatus openslide_status() { return loaded().status; }

}  // namespace morpho::slide
