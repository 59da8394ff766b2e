// Hands a codestream to OpenJPEG from memory and takes its components together.
#include "jpeg2000.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>

namespace morpho::slide {
namespace {

using u32 = std::uint32_t;

// OpenJPEG's own numbers.
constexpr int kCodestream = 0;  // OPJ_CODEC_J2K: no JP2 boxes around it
/// Its parameters are 8.3 KiB with every version; it clears and fills its own part.
constexpr std::size_t kParameterBytes = 1 << 15;

/// A codestream as OpenJPEG's stream.
struct Source {
  const std::vector<u8>& bytes;
  std::size_t at = 0;
  bool quiet = true;  ///< nothing was said about it
};

std::size_t read(void* to, std::size_t bytes, void* data) {
  Source& s = *static_cast<Source*>(data);
  const std::size_t n = std::min(bytes, s.bytes.size() - s.at);
  if (n == 0) return static_cast<std::size_t>(-1);  // its end of the stream
  std::memcpy(to, s.bytes.data() + s.at, n);
  s.at += n;
  return n;
}
int seek(std::int64_t at, void* data) {
  Source& s = *static_cast<Source*>(data);
  if (at < 0 || static_cast<u64>(at) > s.bytes.size()) return 0;
  s.at = static_cast<std::size_t>(at);
  return 1;
}
std::int64_t skip(std::int64_t bytes, void* data) {
  Source& s = *static_cast<Source*>(data);
  if (bytes < 0) return -1;
  const u64 n = std::min(static_cast<u64>(bytes), static_cast<u64>(s.bytes.size() - s.at));
  s.at += static_cast<std::size_t>(n);
  return n == 0 && bytes > 0 ? -1 : static_cast<std::int64_t>(n);
}
void told(const char*, void* data) { static_cast<Source*>(data)->quiet = false; }

u32 integer(const u8* p, int bytes) {
  u32 value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | p[i];
  return value;
}

bool is_plane(const OpenJpegComponent& c, Extent e) {
  return c.data && c.width == static_cast<u32>(e.width) && c.height == static_cast<u32>(e.height) && c.precision == 8 &&
         c.is_signed == 0;
}

/// Whether it is such a tile, with chroma of every `step`th px along x.
bool is_tile(const std::vector<u8>& codestream, Extent extent, u32 step) {
  constexpr std::size_t head = 42, each = 3, components = 3;
  if (codestream.size() < head + each * components || extent.empty()) return false;
  const u8* p = codestream.data();
  const u32 width = static_cast<u32>(extent.width), height = static_cast<u32>(extent.height);
  // SOC, SIZ, its length; capabilities (2 bytes); the size, the origin, a tile's size and the first tile's origin; components.
  if (integer(p, 4) != 0xFF4FFF51u || integer(p + 4, 2) != 38 + each * components) return false;
  if (integer(p + 8, 4) != width || integer(p + 12, 4) != height || integer(p + 16, 4) != 0 || integer(p + 20, 4) != 0)
    return false;
  if (integer(p + 24, 4) != width || integer(p + 28, 4) != height || integer(p + 32, 4) != 0 || integer(p + 36, 4) != 0)
    return false;
  if (integer(p + 40, 2) != components) return false;
  for (u32 k = 0; k < components; ++k)
    if (integer(p + head + each * k, 3) != (k == 0 ? 0x070101 : 0x070001 | step << 8)) return false;
  return true;
}

constexpr std::size_t kSizHead = 42, kSizOfComponent = 3;
/// OpenJPEG has some kB for each tile within a codestream, before it reads one.
constexpr u64 kMostTilesOfCodestream = 1024;

/// Why a codestream is not one of such samples; empty: it is.
std::string not_of(const std::vector<u8>& codestream, Extent extent, u32 components, bool is_signed, u32 most_bits) {
  const u8* p = codestream.data();
  if (codestream.size() < kSizHead || extent.empty() || integer(p, 4) != 0xFF4FFF51u)
    return "begins with no codestream’s header";
  const auto at = [&](std::size_t word) { return integer(p + 8 + 4 * word, 4); };
  const u32 width = static_cast<u32>(extent.width), height = static_cast<u32>(extent.height);
  const u32 stated = integer(p + 40, 2);
  if (integer(p + 4, 2) != 38 + kSizOfComponent * stated || codestream.size() < kSizHead + kSizOfComponent * stated)
    return "has a damaged header";
  if (at(0) != width || at(1) != height || at(2) != 0 || at(3) != 0)
    return "is of " + std::to_string(at(0)) + " × " + std::to_string(at(1)) + " px, and " + std::to_string(width) + " × " +
           std::to_string(height) + " were expected";
  const u64 across = at(4), down = at(5);
  if (across == 0 || down == 0 || at(6) != 0 || at(7) != 0 ||
      ((width + across - 1) / across) * ((height + down - 1) / down) > kMostTilesOfCodestream)
    return "is cut into tiles in a way that is not read";
  if (stated != components)
    return "has " + std::to_string(stated) + " components, and " + std::to_string(components) + " were expected";
  for (u32 k = 0; k < components; ++k) {
    const u8* c = p + kSizHead + kSizOfComponent * k;
    const u32 bits = (c[0] & 127u) + 1;
    if (c[1] != 1 || c[2] != 1) return "has components of fewer px than the picture";
    if ((c[0] >= 128) != is_signed)
      return is_signed ? "has no signs, and they were expected" : "has signs, and none were expected";
    if (bits > most_bits)
      return "has " + std::to_string(bits) + " bits a sample, and at most " + std::to_string(most_bits) + " were expected";
  }
  return {};
}

/// Calls `use` with what OpenJPEG made of it; false where it has anything to say.
bool decode(const OpenJpegLibrary& library, const std::vector<u8>& codestream, int halvings,
            const std::function<bool(const OpenJpegImage&)>& use) {
  Source source{codestream};
  const std::unique_ptr<void, void (*)(void*)> stream(library.stream_create(codestream.size(), 1), library.stream_destroy);
  const std::unique_ptr<void, void (*)(void*)> codec(library.create_decompress(kCodestream), library.destroy_codec);
  if (!stream || !codec) return false;
  library.stream_set_read_function(stream.get(), read);
  library.stream_set_skip_function(stream.get(), skip);
  library.stream_set_seek_function(stream.get(), seek);
  library.stream_set_user_data(stream.get(), &source, nullptr);
  library.stream_set_user_data_length(stream.get(), codestream.size());
  library.set_error_handler(codec.get(), told, &source);
  library.set_warning_handler(codec.get(), told, &source);
  alignas(16) unsigned char parameters[kParameterBytes];
  library.set_default_decoder_parameters(parameters);
  if (!library.setup_decoder(codec.get(), parameters)) return false;
  OpenJpegImage* read_image = nullptr;
  const bool known = library.read_header(stream.get(), codec.get(), &read_image) != 0;
  const std::unique_ptr<OpenJpegImage, void (*)(OpenJpegImage*)> image(read_image, library.image_destroy);
  if (!known || !image || (halvings > 0 && !library.set_decoded_resolution_factor(codec.get(), static_cast<u32>(halvings))) ||
      !library.decode(codec.get(), stream.get(), image.get()) || !library.end_decompress(codec.get(), stream.get()) ||
      !source.quiet)
    return false;
  return use(*image);
}

u8 as_byte(int v) { return static_cast<u8>(std::clamp(v, 0, 255)); }

/// What one chroma sample adds to red and blue, and to green in parts of 65,536: JFIF's numbers, rounded.
struct Chroma {
  std::array<int, 256> red{}, blue{}, green_of_blue{}, green_of_red{};
  Chroma() {
    for (int i = 0; i < 256; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double v = i - 128;
      red[at] = static_cast<int>(std::round(1.402 * v));
      blue[at] = static_cast<int>(std::round(1.772 * v));
      green_of_blue[at] = static_cast<int>(std::round(65536 * (0.5 - 0.34414 * v)));
      green_of_red[at] = static_cast<int>(std::round(65536 * -0.71414 * v));
    }
  }
};

}  // namespace

bool is_rgb_tile(const std::vector<u8>& codestream, Extent extent) { return is_tile(codestream, extent, 1); }
bool is_ycc_tile(const std::vector<u8>& codestream, Extent extent) {
  return is_tile(codestream, extent, 1) || is_tile(codestream, extent, 2);
}

bool turns_colors(const std::vector<u8>& codestream) {
  constexpr u32 cod = 0xFF52, tile_part = 0xFF90;
  for (std::size_t at = 2; at + 9 < codestream.size();) {
    const u32 marker = integer(codestream.data() + at, 2), length = integer(codestream.data() + at + 2, 2);
    // The segment's length, its style, order of progression, layers, and then this.
    if (marker == cod) return codestream[at + 8] == 1;
    if (marker == tile_part || marker < 0xFF00 || length < 2) break;
    at += 2 + length;
  }
  return false;
}

std::string decode_components(const OpenJpegLibrary& library, const std::vector<u8>& codestream, Extent extent, u32 components,
                              SampleType type, u32 most_bits, u8* out) {
  const bool is_signed = type == SampleType::i8 || type == SampleType::i16;
  if (std::string why = not_of(codestream, extent, components, is_signed, most_bits); !why.empty()) return why;
  const bool decoded = decode(library, codestream, 0, [&](const OpenJpegImage& image) {
    if (image.components != components) return false;
    for (u32 k = 0; k < components; ++k) {
      const OpenJpegComponent& c = image.component[k];
      if (!c.data || c.width != static_cast<u32>(extent.width) || c.height != static_cast<u32>(extent.height) ||
          c.precision > most_bits || (c.is_signed != 0) != is_signed)
        return false;
    }
    const auto write = [&](auto zero) {
      using T = decltype(zero);
      for (i64 i = 0; i < extent.area(); ++i)
        for (u32 k = 0; k < components; ++k, out += sizeof(T)) {
          // What a lossy codec overshoots it has cut off already.
          const T value = static_cast<T>(image.component[k].data[i]);
          std::memcpy(out, &value, sizeof(T));
        }
    };
    switch (type) {
      case SampleType::u8: write(u8{}); return true;
      case SampleType::i8: write(std::int8_t{}); return true;
      case SampleType::u16: write(u16{}); return true;
      case SampleType::i16: write(std::int16_t{}); return true;
      default: return false;
    }
  });
  return decoded ? "" : "cannot be decoded by OpenJPEG";
}

bool decode_rgb_tile(const OpenJpegLibrary& library, const std::vector<u8>& codestream, Extent extent, Rgba* to, int halvings) {
  if (!is_rgb_tile(codestream, extent)) return false;
  const Extent left{static_cast<i32>(halved(extent.width, halvings)), static_cast<i32>(halved(extent.height, halvings))};
  return decode(library, codestream, halvings, [&](const OpenJpegImage& image) {
    if (image.components != 3 ||
        !std::all_of(image.component, image.component + 3, [&](const OpenJpegComponent& c) { return is_plane(c, left); }))
      return false;
    const std::int32_t *r = image.component[0].data, *g = image.component[1].data, *b = image.component[2].data;
    for (i64 i = 0; i < left.area(); ++i) to[i] = {static_cast<u8>(r[i]), static_cast<u8>(g[i]), static_cast<u8>(b[i]), 255};
    return true;
  });
}

bool decode_ycc_tile(const OpenJpegLibrary& library, const std::vector<u8>& codestream, Extent extent, Rgba* to) {
  if (!is_ycc_tile(codestream, extent)) return false;
  const int step = is_tile(codestream, extent, 1) ? 1 : 2;
  const Extent chroma_extent{(extent.width + step - 1) / step, extent.height};
  static const Chroma chroma;
  return decode(library, codestream, 0, [&](const OpenJpegImage& image) {
    const OpenJpegComponent* c = image.component;
    if (image.components != 3 || !is_plane(c[0], extent) || !is_plane(c[1], chroma_extent) || !is_plane(c[2], chroma_extent))
      return false;
    for (i32 y = 0; y < extent.height; ++y)
      for (i32 x = 0; x < extent.width; ++x) {
        const i64 at = i64{y} * chroma_extent.width + x / step;
        const int luma = static_cast<u8>(c[0].data[i64{y} * extent.width + x]);
        const u8 cb = static_cast<u8>(c[1].data[at]), cr = static_cast<u8>(c[2].data[at]);
        *to++ = {as_byte(luma + chroma.red[cr]), as_byte(luma + ((chroma.green_of_blue[cb] + chroma.green_of_red[cr]) >> 16)),
                 as_byte(luma + chroma.blue[cb]), 255};
      }
    return true;
  });
}

}  // namespace morpho::slide
