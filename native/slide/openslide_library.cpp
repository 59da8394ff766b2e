// Finds and loads OpenSlide with the operating system's dynamic linker, and remembers why it could not.
#include "openslide_library.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace morpho::slide {
namespace {

#ifdef _WIN32
using Module = HMODULE;
Module load(const std::string& name, std::string& error) {
  Module m = LoadLibraryA(name.c_str());
  if (!m) error = "Windows error " + std::to_string(GetLastError());
  return m;
}
void* find(Module m, const char* name) { return reinterpret_cast<void*>(GetProcAddress(m, name)); }
void unload(Module m) { FreeLibrary(m); }
std::string location(Module m, void*) {
  char path[4096];
  const DWORD n = GetModuleFileNameA(m, path, sizeof path);
  return std::string(path, n);
}
const char* const kNames[] = {"libopenslide-1.dll", "libopenslide-0.dll"};
#else
using Module = void*;
Module load(const std::string& name, std::string& error) {
  // Local: OpenSlide's glib, libtiff and libjpeg must not answer for those that sharp brings along.
  Module m = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!m) {
    const char* text = dlerror();
    error = text ? text : "unknown error of the dynamic linker";
  }
  return m;
}
void* find(Module m, const char* name) { return dlsym(m, name); }
void unload(Module m) { dlclose(m); }
std::string location(Module, void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "";
}
#ifdef __APPLE__
const char* const kNames[] = {"libopenslide.1.dylib", "libopenslide.0.dylib", "/opt/homebrew/lib/libopenslide.1.dylib",
                              "/usr/local/lib/libopenslide.1.dylib"};
#else
const char* const kNames[] = {"libopenslide.so.1", "libopenslide.so.0"};
#endif
#endif

struct Loaded {
  OpenSlideLibrary functions{};
  OpenSlideStatus status;
};

template <class F>
void bind(Module m, const char* name, F*& function, std::string& missing) {
  void* p = find(m, name);
  if (!p) missing += (missing.empty() ? "" : ", ") + std::string(name);
  function = reinterpret_cast<F*>(p);
}

std::string bind_all(Module m, OpenSlideLibrary& f) {
  std::string missing;
  bind(m, "openslide_detect_vendor", f.detect_vendor, missing);
  bind(m, "openslide_open", f.open, missing);
  bind(m, "openslide_close", f.close, missing);
  bind(m, "openslide_get_level_count", f.get_level_count, missing);
  bind(m, "openslide_get_level_dimensions", f.get_level_dimensions, missing);
  bind(m, "openslide_get_level_downsample", f.get_level_downsample, missing);
  bind(m, "openslide_read_region", f.read_region, missing);
  bind(m, "openslide_get_error", f.get_error, missing);
  bind(m, "openslide_get_property_names", f.get_property_names, missing);
  bind(m, "openslide_get_property_value", f.get_property_value, missing);
  bind(m, "openslide_get_associated_image_names", f.get_associated_image_names, missing);
  bind(m, "openslide_get_associated_image_dimensions", f.get_associated_image_dimensions, missing);
  bind(m, "openslide_read_associated_image", f.read_associated_image, missing);
  bind(m, "openslide_get_version", f.get_version, missing);
  return missing;
}

Loaded load_library() {
  std::vector<std::string> names;
  const char* override_path = std::getenv("MORPHOSCOPE_OPENSLIDE");
  // An override that is wrong must be seen, not papered over by another copy.
  if (override_path && *override_path) names.emplace_back(override_path);
  else names.assign(std::begin(kNames), std::end(kNames));

  Loaded result;
  std::string tried;
  for (const std::string& name : names) {
    std::string error;
    Module m = load(name, error);
    if (m) {
      const std::string missing = bind_all(m, result.functions);
      if (missing.empty()) {
        result.status.available = true;
        result.status.version = result.functions.get_version();
        result.status.library = location(m, reinterpret_cast<void*>(result.functions.open));
        return result;
      }
      error = "it is no OpenSlide library: " + missing + " is missing";
      unload(m);
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
