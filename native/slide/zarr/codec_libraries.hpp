// The few functions of zlib, Zstandard and Blosc that unpack a chunk, found at run time.
#pragma once
#include <cstddef>
#include <string>

namespace morpho::slide {

/// Function pointers with prototypes as zlib's manual gives them; its stream is `ZlibStream`.
struct ZlibStream {
  const unsigned char* next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char* next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char* message;
  void* state;
  void* (*allocate)(void*, unsigned, unsigned);
  void (*release)(void*, void*);
  void* opaque;
  int data_type;
  unsigned long adler, reserved;
};
struct ZlibLibrary {
  const char* (*version)();
  int (*init)(ZlibStream*, int window_bits, const char* version, int bytes);
  int (*inflate)(ZlibStream*, int flush);
  int (*end)(ZlibStream*);
};
struct ZstdLibrary {
  const char* (*version)();
  std::size_t (*decompress)(void* to, std::size_t room, const void* from, std::size_t bytes);
  unsigned (*is_error)(std::size_t code);
};
/// Of 1.16 and later.
struct BloscLibrary {
  const char* (*version)();
  int (*validate)(const void* from, std::size_t bytes, std::size_t* unpacked);
  int (*decompress)(const void* from, void* to, std::size_t room, int threads);
};

/// Each is loaded on the first call and kept for the life of the program; null where there is none, or MORPHOSCOPE_ZLIB,
/// MORPHOSCOPE_ZSTD or MORPHOSCOPE_BLOSC is "off".
const ZlibLibrary* zlib_library();
const ZstdLibrary* zstd_library();
const BloscLibrary* blosc_library();
/// "1.21.3", or why there is none.
std::string zlib_status();
std::string zstd_status();
std::string blosc_status();

}  // namespace morpho::slide
