// The few functions of libjpeg-turbo's TurboJPEG interface that are used, found at run time: without it OpenSlide decodes
// tiles.
#pragma once
#include <string>

namespace morpho::slide {

/// Function pointers with TurboJPEG's own names, prototypes as its manual gives them (the same from 1.4 to 3).
struct TurboJpegLibrary {
  void* (*init_decompress)();
  int (*decompress)(void* handle, const unsigned char* jpeg, unsigned long bytes, unsigned char* to, int width, int pitch,
                    int height, int pixel_format, int flags);
  int (*destroy)(void* handle);
};

/// The library, loaded on the first call and kept for the life of the program; null where there is none.
const TurboJpegLibrary* turbojpeg_library();
/// Where it was found, or why it was not.
std::string turbojpeg_status();

}  // namespace morpho::slide
