// The few functions of libjpeg-turbo's TurboJPEG interface that are used, found at run time: without it OpenSlide decodes
// tiles.
#pragma once
#include <string>
#include <vector>

#include "../contract/view.hpp"

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

/// Decodes a JPEG as libjpeg does by default, which OpenSlide and libtiff leave so: accurate transform, smooth chroma. `extent`
/// is its own, or that divided by 2, 4 or 8, which is decoded at that size. `to`: rows without gaps, of 4 bytes a px (opaque)
/// or 3. False also where the decoder has only warned: its pixels need not be another decoder's then. Thread-safe.
bool decode_by_turbojpeg(const TurboJpegLibrary& library, const std::vector<u8>& jpeg, Extent extent, u8* to, bool opaque);

}  // namespace morpho::slide
