// Finds the OpenJPEG that OpenSlide decodes with, or the system's where there is no OpenSlide, and remembers why there is none.
#include "openjpeg_library.hpp"

#include <cstdlib>

#include "openslide_library.hpp"
#include "shared_library.hpp"

namespace morpho::slide {
namespace {

#ifdef _WIN32
const char* const kOpenJpegNames[] = {"libopenjp2.dll", "libopenjp2-7.dll", "openjp2.dll"};
#elif defined(__APPLE__)
const char* const kOpenJpegNames[] = {"libopenjp2.7.dylib", "/opt/homebrew/lib/libopenjp2.7.dylib",
                                      "/usr/local/lib/libopenjp2.7.dylib"};
#else
const char* const kOpenJpegNames[] = {"libopenjp2.so.7"};
#endif

struct LoadedOpenJpeg {
  OpenJpegLibrary functions{};
  bool available = false;
  std::string status;
};

bool bind_openjpeg(const SharedLibrary& m, OpenJpegLibrary& f, std::string& missing) {
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
  return missing.empty();
}

LoadedOpenJpeg load_openjpeg() {
  LoadedOpenJpeg result;
  const char* named = std::getenv("MORPHOSCOPE_OPENJPEG");
  if (named && std::string(named) == "off") {
    result.status = "switched off by MORPHOSCOPE_OPENJPEG";
    return result;
  }
  // Beside OpenSlide its own alone: another version need not round as it does.
  const bool beside = openslide_library() != nullptr;
  for (const std::string name : kOpenJpegNames) {
    std::string error, missing;
    SharedLibrary m(name, error, beside ? SharedLibrary::Wanted::if_loaded : SharedLibrary::Wanted::yes);
    if (m && bind_openjpeg(m, result.functions, missing)) {
      result.available = true;
      result.status = m.location(reinterpret_cast<void*>(result.functions.decode));
      m.keep();
      return result;
    }
    if (m) error = "it lacks " + missing;
    else if (beside) error = "OpenSlide has not loaded it";
    result.status += (result.status.empty() ? "tried " : "; ") + name + " (" + error + ")";
  }
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
