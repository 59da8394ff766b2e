// Finds the OpenJPEG that OpenSlide decodes with, and remembers why there is none.
#include "openjpeg_library.hpp"

#include <cstdlib>

#include "openslide_library.hpp"
#include "shared_library.hpp"

namespace morpho::slide {
namespace {

#ifdef _WIN32
const char* const kName = "libopenjp2.dll";
#elif defined(__APPLE__)
const char* const kName = "libopenjp2.7.dylib";
#else
const char* const kName = "libopenjp2.so.7";
#endif

struct LoadedOpenJpeg {
  OpenJpegLibrary functions{};
  bool available = false;
  std::string status;
};

LoadedOpenJpeg load_openjpeg() {
  LoadedOpenJpeg result;
  const char* named = std::getenv("MORPHOSCOPE_OPENJPEG");
  if (named && std::string(named) == "off") {
    result.status = "switched off by MORPHOSCOPE_OPENJPEG";
    return result;
  }
  openslide_library();
  std::string error;
  SharedLibrary m(kName, error, SharedLibrary::Wanted::if_loaded);
  if (!m) {
    result.status = std::string("OpenSlide has not loaded ") + kName;
    return result;
  }
  std::string missing;
  OpenJpegLibrary& f = result.functions;
  m.bind("opj_create_decompress", f.create_decompress, missing);
  m.bind("opj_set_default_decoder_parameters", f.set_default_decoder_parameters, missing);
  m.bind("opj_setup_decoder", f.setup_decoder, missing);
  m.bind("opj_set_error_handler", f.set_error_handler, missing);
  m.bind("opj_set_warning_handler", f.set_warning_handler, missing);
  m.bind("opj_read_header", f.read_header, missing);
  m.bind("opj_set_decoded_resolution_factor", f.set_decoded_resolution_factor, missing);
  m.bind("opj_decode", f.decode, missing);
  m.bind("opj_end_decompress", f.end_decompress, missing);
  m.bind("opj_destroy_codec", f.destroy_codec, missing);
  m.bind("opj_image_destroy", f.image_destroy, missing);
  m.bind("opj_stream_create", f.stream_create, missing);
  m.bind("opj_stream_destroy", f.stream_destroy, missing);
  m.bind("opj_stream_set_read_function", f.stream_set_read_function, missing);
  m.bind("opj_stream_set_skip_function", f.stream_set_skip_function, missing);
  m.bind("opj_stream_set_seek_function", f.stream_set_seek_function, missing);
  m.bind("opj_stream_set_user_data", f.stream_set_user_data, missing);
  m.bind("opj_stream_set_user_data_length", f.stream_set_user_data_length, missing);
  if (!missing.empty()) {
    result.status = std::string(kName) + " lacks " + missing;
    return result;
  }
  result.available = true;
  result.status = m.location(reinterpret_cast<void*>(f.decode));
  m.keep();
  return result;
}

const LoadedOpenJpeg& loaded_openjpeg() {
  static const LoadedOpenJpeg instance = load_openjpeg();
  return instance;
}

}  // namespace

const OpenJpegLibrary* openjpeg_library() { return loaded_openjpeg().available ? &loaded_openjpeg().functions : nullptr; }

std::string openjpeg_status() { return loaded_openjpeg().status; }

}  // namespace morpho::slide
