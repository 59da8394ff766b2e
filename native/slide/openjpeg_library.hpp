// The few functions of OpenJPEG 2 that are used, found at run time: beside OpenSlide its own, else the system's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace morpho::slide {

/// What OpenJPEG 2 hands over of a component and of an image, field by field as its manual has them (2.1 to 2.5,
/// libopenjp2.so.7).
struct OpenJpegComponent {
  std::uint32_t dx, dy, width, height, x0, y0, precision, bpp, is_signed, resolutions_decoded, factor;
  std::int32_t* data;  ///< [height, width], or null
  std::uint16_t alpha;
};
struct OpenJpegImage {
  std::uint32_t x0, y0, x1, y1, components;
  int color_space;
  OpenJpegComponent* component;
  unsigned char* icc_profile;
  std::uint32_t icc_bytes;
};

/// Function pointers with OpenJPEG's own names. Its codec, stream and parameters stay behind void pointers; its bool is an int.
struct OpenJpegLibrary {
  void* (*create_decompress)(int format);
  void (*set_default_decoder_parameters)(void* parameters);
  int (*setup_decoder)(void* codec, void* parameters);
  int (*set_error_handler)(void* codec, void (*told)(const char*, void*), void* data);
  int (*set_warning_handler)(void* codec, void (*told)(const char*, void*), void* data);
  int (*read_header)(void* stream, void* codec, OpenJpegImage** image);
  int (*set_decoded_resolution_factor)(void* codec, std::uint32_t halvings);
  int (*decode)(void* codec, void* stream, OpenJpegImage* image);
  int (*end_decompress)(void* codec, void* stream);
  void (*destroy_codec)(void* codec);
  void (*image_destroy)(OpenJpegImage* image);
  void* (*stream_create)(std::size_t buffer_bytes, int is_input);
  void (*stream_destroy)(void* stream);
  void (*stream_set_read_function)(void* stream, std::size_t (*read)(void* to, std::size_t bytes, void* data));
  void (*stream_set_skip_function)(void* stream, std::int64_t (*skip)(std::int64_t bytes, void* data));
  void (*stream_set_seek_function)(void* stream, int (*seek)(std::int64_t at, void* data));
  void (*stream_set_user_data)(void* stream, void* data, void (*release)(void*));
  void (*stream_set_user_data_length)(void* stream, std::uint64_t bytes);
};

/// The library that OpenSlide brought into the process, which is the one whose pixels OpenSlide shows: another version need not
/// round as it does. Where there is no OpenSlide, the one that the system finds. Looked for on the first call and kept; null
/// where there is none, or MORPHOSCOPE_OPENJPEG is "off".
const OpenJpegLibrary* openjpeg_library();
/// Where it was found, or why it was not.
std::string openjpeg_status();

}  // namespace morpho::slide
