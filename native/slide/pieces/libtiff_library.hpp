// The few functions of libtiff that are used, found at run time: it is there wherever OpenSlide is.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <string>

namespace morpho::slide {

/// Function pointers with libtiff's own names, prototypes as its manual gives them (4.0 to 4.7). Handles and options stay
/// behind void pointers; its tmsize_t is a ptrdiff_t. What is null is not there: it came with 4.5.
struct LibTiff {
  using Transfer = std::ptrdiff_t (*)(void* client, void* buffer, std::ptrdiff_t bytes);
  using Seek = std::uint64_t (*)(void* client, std::uint64_t offset, int whence);
  using Close = int (*)(void* client);
  using Size = std::uint64_t (*)(void* client);
  using Map = int (*)(void* client, void** base, std::uint64_t* bytes);
  using Unmap = void (*)(void* client, void* base, std::uint64_t bytes);
  using Told = int (*)(void* tiff, void* data, const char* module, const char* format, va_list);

  const char* (*version)();
  void* (*open)(const char* name, const char* mode, void* client, Transfer, Transfer, Seek, Close, Size, Map, Unmap);
  void* (*open_with)(const char* name, const char* mode, void* client, Transfer, Transfer, Seek, Close, Size, Map, Unmap,
                     void* options);
  void* (*options_alloc)();
  void (*options_free)(void* options);
  void (*options_set_most_memory)(void* options, std::ptrdiff_t bytes);
  void (*options_set_error_handler)(void* options, Told, void* data);
  void (*options_set_warning_handler)(void* options, Told, void* data);
  void (*close)(void* tiff);
  int (*set_field)(void* tiff, std::uint32_t tag, ...);
  std::ptrdiff_t (*strip_size)(void* tiff);
  std::ptrdiff_t (*read_encoded_strip)(void* tiff, std::uint32_t strip, void* buffer, std::ptrdiff_t bytes);
  int (*is_codec_configured)(std::uint16_t compression);
};

/// The library, loaded on the first call and kept for the life of the program; null where there is none, or MORPHOSCOPE_LIBTIFF
/// is "off". That may also name another file.
const LibTiff* libtiff_library();
/// "4.5.0", or why there is none.
std::string libtiff_status();

}  // namespace morpho::slide
