// A library that the operating system's dynamic linker finds while the program runs, or why it did not.
#pragma once
#include <string>
#include <utility>

#ifdef _WIN32
#include <filesystem>

#include "contract/windows.hpp"
#else
#include <dlfcn.h>
#endif

namespace morpho::slide {

/// Unloaded at the end of its life, unless keep() was called.
class SharedLibrary {
 public:
  enum class Wanted { yes, if_loaded, in_program };
  /// `if_loaded`: only where something else has brought it into the process. `in_program`: the program itself, whatever the
  /// name, with all that it offers to libraries.
  SharedLibrary(const std::string& name, std::string& error, Wanted wanted = Wanted::yes) {
#ifdef _WIN32
    // With its own separators: with others Windows does not look for what the library needs.
    const std::filesystem::path wide = std::filesystem::path(std::u8string(name.begin(), name.end())).make_preferred();
    HMODULE there = nullptr;
    if (wanted == Wanted::yes) {
      // With the DLLs that it needs from beside it: a path's own folder, else the addon's, else where Windows looks.
      const auto beside = [](const std::filesystem::path& path) {
        return LoadLibraryExW(path.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
      };
      if (wide.is_absolute()) handle_ = beside(wide);
      else if (!wide.has_parent_path()) handle_ = beside(own_folder() / wide);
      if (!handle_ && !wide.is_absolute()) handle_ = LoadLibraryW(wide.c_str());
    } else if (wanted == Wanted::if_loaded && GetModuleHandleExW(0, wide.c_str(), &there) != 0) {
      handle_ = there;
    }
    if (!handle_) error = "Windows error " + std::to_string(GetLastError());
#else
    // Local: its own libraries (glib, libtiff, libjpeg) must not answer for those that sharp brings along.
    handle_ = dlopen(wanted == Wanted::in_program ? nullptr : name.c_str(),
                     RTLD_NOW | RTLD_LOCAL | (wanted == Wanted::if_loaded ? RTLD_NOLOAD : 0));
    if (!handle_) {
      const char* text = dlerror();
      error = text ? text : "unknown error of the dynamic linker";
    }
#endif
  }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary() {
    if (!handle_) return;
#ifdef _WIN32
    FreeLibrary(handle_);
#else
    dlclose(handle_);
#endif
  }
  explicit operator bool() const { return handle_ != nullptr; }

  /// Sets `function`, or adds its name to the list `missing`.
  template <class F>
  void bind(const char* name, F*& function, std::string& missing) const {
#ifdef _WIN32
    void* p = reinterpret_cast<void*>(GetProcAddress(handle_, name));
#else
    void* p = dlsym(handle_, name);
#endif
    if (!p) missing += (missing.empty() ? "" : ", ") + std::string(name);
    function = reinterpret_cast<F*>(p);
  }
  /// The file that `symbol` came from; empty where that is not known.
  std::string location([[maybe_unused]] void* symbol) const {
#ifdef _WIN32
    const std::u8string path = file_of(handle_).u8string();
    return std::string(path.begin(), path.end());
#else
    Dl_info info{};
    return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "";
#endif
  }
  /// For the life of the program: its functions are in use.
  void keep() { handle_ = nullptr; }

 private:
#ifdef _WIN32
  static std::filesystem::path file_of(HMODULE module) {
    std::wstring path(32768, L'\0');
    path.resize(GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size())));
    return path;
  }
  /// Of the addon, or of the program that this is a part of.
  static std::filesystem::path own_folder() {
    HMODULE own = nullptr;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       reinterpret_cast<LPCWSTR>(&SharedLibrary::own_folder), &own);
    return file_of(own).parent_path();
  }
  HMODULE handle_ = nullptr;
#else
  void* handle_ = nullptr;
#endif
};

}  // namespace morpho::slide
