// Writes the directory of the one strip, and serves libtiff's reads from memory.
#include "strip_tiff.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "libtiff_library.hpp"

namespace morpho::slide {
namespace {

/// Header and directory, then the tables, then the strip: two blocks that follow each other.
struct StripTiff {
  std::vector<u8> head;
  const std::vector<u8>& strip;
  u64 at = 0;
  std::string said;  ///< libtiff's first error

  u64 size() const { return head.size() + strip.size(); }
};

class DirectoryWriter {
 public:
  explicit DirectoryWriter(bool big_endian) : big_endian_(big_endian) {}
  void put(u64 value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<u8>(value >> 8 * (big_endian_ ? bytes - 1 - i : i)));
  }
  void entry(u16 tag, u16 type, u64 count, u64 value) {
    put(tag, 2);
    put(type, 2);
    put(count, 4);
    const int bytes = type == 3 ? 2 : 4;
    put(value, bytes);
    put(0, 4 - bytes);
  }
  std::vector<u8> out;

 private:
  bool big_endian_;
};

std::vector<u8> head_of(const Packing& p, Extent extent, std::size_t strip_bytes) {
  constexpr u64 kHeader = 8, kEntry = 12;
  constexpr u16 kShort = 3, kLong = 4, kUndefined = 7;
  const bool jpeg = p.compression == 7 && p.jpeg_tables.size() > 4;
  const u64 entries = jpeg ? 14 : 13, samples = p.samples;
  // Samples of one pixel have their bits in common: the list of them follows on the directory.
  const u64 bits_at = kHeader + 2 + entries * kEntry + 4, format_at = bits_at + 2 * samples,
            tables_at = format_at + 2 * samples;
  const u64 strip_at = tables_at + (jpeg ? p.jpeg_tables.size() : 0);
  DirectoryWriter w(p.big_endian);
  w.out = {static_cast<u8>(p.big_endian ? 'M' : 'I'), static_cast<u8>(p.big_endian ? 'M' : 'I')};
  w.put(42, 2);
  w.put(kHeader, 4);
  w.put(entries, 2);
  // Up to two SHORTs stand in the entry itself.
  const auto list = [&](u16 tag, u64 value, u64 at) {
    w.put(tag, 2);
    w.put(kShort, 2);
    w.put(samples, 4);
    if (samples > 2) return w.put(at, 4);
    w.put(value, 2);
    w.put(samples == 2 ? value : 0, 2);
  };
  w.entry(256, kLong, 1, static_cast<u64>(extent.width));
  w.entry(257, kLong, 1, static_cast<u64>(extent.height));
  list(258, p.bits, bits_at);
  w.entry(259, kShort, 1, p.compression);
  w.entry(262, kShort, 1, p.photometric);
  w.entry(266, kShort, 1, p.fill_order);
  w.entry(273, kLong, 1, strip_at);
  w.entry(277, kShort, 1, samples);
  w.entry(278, kLong, 1, static_cast<u64>(extent.height));
  w.entry(279, kLong, 1, strip_bytes);
  w.entry(284, kShort, 1, 1);
  w.entry(317, kShort, 1, p.predictor);
  list(339, p.sample_format, format_at);
  if (jpeg) w.entry(347, kUndefined, p.jpeg_tables.size(), tables_at);
  w.put(0, 4);
  for (u64 k = 0; k < samples; ++k) w.put(p.bits, 2);
  for (u64 k = 0; k < samples; ++k) w.put(p.sample_format, 2);
  if (jpeg) w.out.insert(w.out.end(), p.jpeg_tables.begin(), p.jpeg_tables.end());
  return std::move(w.out);
}

std::ptrdiff_t read_client(void* client, void* buffer, std::ptrdiff_t bytes) {
  StripTiff& t = *static_cast<StripTiff*>(client);
  auto* to = static_cast<u8*>(buffer);
  std::ptrdiff_t done = 0;
  while (done < bytes && t.at < t.size()) {
    const bool in_head = t.at < t.head.size();
    const std::vector<u8>& from = in_head ? t.head : t.strip;
    const u64 offset = in_head ? t.at : t.at - t.head.size();
    const u64 n = std::min(static_cast<u64>(bytes - done), from.size() - offset);
    std::memcpy(to + done, from.data() + offset, static_cast<std::size_t>(n));
    done += static_cast<std::ptrdiff_t>(n);
    t.at += n;
  }
  return done;
}
std::ptrdiff_t write_client(void*, void*, std::ptrdiff_t) { return -1; }
std::uint64_t seek_client(void* client, std::uint64_t offset, int whence) {
  StripTiff& t = *static_cast<StripTiff*>(client);
  t.at = whence == SEEK_CUR ? t.at + offset : whence == SEEK_END ? t.size() + offset : offset;
  return t.at;
}
int close_client(void*) { return 0; }
std::uint64_t size_client(void* client) { return static_cast<StripTiff*>(client)->size(); }
int map_client(void*, void**, std::uint64_t*) { return 0; }
void unmap_client(void*, void*, std::uint64_t) {}

int told_error(void*, void* data, const char*, const char* format, va_list arguments) {
  std::string& said = static_cast<StripTiff*>(data)->said;
  char text[200];
  if (said.empty() && std::vsnprintf(text, sizeof text, format, arguments) > 0) said = text;
  return 1;
}
int told_warning(void*, void*, const char*, const char*, va_list) { return 1; }

void* open_client(const LibTiff& lib, StripTiff& tiff, std::size_t most_memory) {
  // Neither memory mapping nor strips cut into smaller ones.
  constexpr const char* kMode = "rmc";
  if (!lib.open_with)
    return lib.open("tile", kMode, &tiff, read_client, write_client, seek_client, close_client, size_client, map_client,
                    unmap_client);
  const std::unique_ptr<void, void (*)(void*)> options(lib.options_alloc(), lib.options_free);
  if (!options) throw std::bad_alloc();
  lib.options_set_most_memory(options.get(), static_cast<std::ptrdiff_t>(most_memory));
  lib.options_set_error_handler(options.get(), told_error, &tiff);
  lib.options_set_warning_handler(options.get(), told_warning, nullptr);
  return lib.open_with("tile", kMode, &tiff, read_client, write_client, seek_client, close_client, size_client, map_client,
                       unmap_client, options.get());
}

}  // namespace

std::vector<u8> unpack_by_libtiff(const Packing& p, Extent extent, const std::vector<u8>& bytes) {
  const LibTiff* lib = libtiff_library();
  if (!lib) throw PieceError("libtiff could not be loaded (" + libtiff_status() + ")");
  StripTiff tiff{head_of(p, extent, bytes.size()), bytes, 0, {}};
  const std::size_t wanted = packed_row_bytes(p, extent.width) * static_cast<std::size_t>(extent.height);
  // Codecs hold rows and tables beside the piece.
  const std::size_t most_memory = 2 * (wanted + bytes.size()) + (std::size_t{64} << 20);
  const std::unique_ptr<void, void (*)(void*)> handle(open_client(*lib, tiff, most_memory), lib->close);
  const auto fail = [&]() -> PieceError {
    return PieceError("libtiff says \"" + (tiff.said.empty() ? "it cannot be unpacked" : tiff.said) + "\"");
  };
  if (!handle) throw fail();
  constexpr std::uint32_t kYCbCr = 6, kJpegColorMode = 65538;
  if (p.compression == 7 && p.photometric == kYCbCr) lib->set_field(handle.get(), kJpegColorMode, 1);
  if (lib->strip_size(handle.get()) != static_cast<std::ptrdiff_t>(wanted))
    throw PieceError("its compressed bytes are of another shape than the file states");
  std::vector<u8> out(wanted);
  const auto got = lib->read_encoded_strip(handle.get(), 0, out.data(), static_cast<std::ptrdiff_t>(wanted));
  if (got != static_cast<std::ptrdiff_t>(wanted) || !tiff.said.empty()) throw fail();
  return out;
}

}  // namespace morpho::slide
