// The few functions of OpenSlide that are used, found at run time: the program starts and says what is missing where it is
// absent.
#pragma once
#include <cstdint>
#include <string>

#include "slide.hpp"

struct _openslide;

namespace morpho::slide {

using OpenSlideHandle = struct _openslide;

/// Function pointers with OpenSlide's own names, prototypes as its manual gives them (the same in 3.4 and 4.0).
struct OpenSlideLibrary {
  const char* (*detect_vendor)(const char* filename);
  OpenSlideHandle* (*open)(const char* filename);
  void (*close)(OpenSlideHandle*);
  std::int32_t (*get_level_count)(OpenSlideHandle*);
  void (*get_level_dimensions)(OpenSlideHandle*, std::int32_t level, std::int64_t* w, std::int64_t* h);
  double (*get_level_downsample)(OpenSlideHandle*, std::int32_t level);
  void (*read_region)(OpenSlideHandle*, std::uint32_t* dest, std::int64_t x, std::int64_t y, std::int32_t level, std::int64_t w,
                      std::int64_t h);
  const char* (*get_error)(OpenSlideHandle*);
  const char* const* (*get_property_names)(OpenSlideHandle*);
  const char* (*get_property_value)(OpenSlideHandle*, const char* name);
  const char* const* (*get_associated_image_names)(OpenSlideHandle*);
  void (*get_associated_image_dimensions)(OpenSlideHandle*, const char* name, std::int64_t* w, std::int64_t* h);
  void (*read_associated_image)(OpenSlideHandle*, const char* name, std::uint32_t* dest);
  const char* (*get_version)();
};

/// The library, loaded on the first call and kept for the life of the program; null where there is none (see openslide_status).
const OpenSlideLibrary* openslide_library();

}  // namespace morpho::slide
