// Small files that the slide tests write themselves: TIFFs of either byte order with any field wrong, and JPEG streams.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "slide/slide.hpp"

namespace morpho::test {

using Bytes = std::vector<u8>;

/// A folder of its own for each test, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("morphoscope-" + std::string(info->test_suite_name()) + "-" + info->name() + "-" +
             std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
             std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string write(const std::string& name, const Bytes& bytes) const {
    const std::string path = (path_ / name).string();
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline Bytes read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

/// Writes TIFF pieces in one byte order. Offsets are 4 bytes (classic) or 8 (BigTIFF).
class TiffWriter {
 public:
  TiffWriter(bool big_endian, bool big) : big_endian_(big_endian), big_(big) {
    put_text(big_endian ? "MM" : "II");
    put(big ? 43 : 42, 2);
    if (big) {
      put(8, 2);
      put(0, 2);
    }
    first_ = bytes.size();
    put(0, offset_bytes());
  }
  int offset_bytes() const { return big_ ? 8 : 4; }
  void put(u64 value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<u8>(value >> 8 * (big_endian_ ? count - 1 - i : i)));
  }
  void put_text(const std::string& s) { bytes.insert(bytes.end(), s.begin(), s.end()); }
  void patch(std::size_t at, u64 value, int count) {
    for (int i = 0; i < count; ++i)
      bytes[at + static_cast<std::size_t>(i)] = static_cast<u8>(value >> 8 * (big_endian_ ? count - 1 - i : i));
  }
  u64 append(const Bytes& data) {
    const u64 at = bytes.size();
    bytes.insert(bytes.end(), data.begin(), data.end());
    return at;
  }
  struct Entry {
    u16 tag, type;
    u64 count, value;  ///< the value itself, or an offset
  };
  /// Appends a directory and links the one before to it.
  void directory(const std::vector<Entry>& entries, u64 next = 0) {
    patch(first_, bytes.size(), offset_bytes());
    put(entries.size(), big_ ? 8 : 2);
    for (const Entry& e : entries) {
      put(e.tag, 2);
      put(e.type, 2);
      put(e.count, offset_bytes());
      // A value shorter than its field stands at the field's beginning.
      const int size = e.type == 3 ? 2 : e.type == 4 ? 4 : e.type == 16 ? 8 : 1;
      if (e.count == 1 && size < offset_bytes()) {
        put(e.value, size);
        put(0, offset_bytes() - size);
      } else {
        put(e.value, offset_bytes());
      }
    }
    first_ = bytes.size();
    put(next, offset_bytes());
  }
  Bytes bytes;

 private:
  bool big_endian_, big_;
  std::size_t first_ = 0;
};

/// The segments of a JPEG that no decoder would take, but with every marker in its place.
inline Bytes jpeg_segment(u8 marker, const Bytes& body) {
  Bytes out{0xFF, marker, static_cast<u8>((body.size() + 2) >> 8), static_cast<u8>(body.size() + 2)};
  out.insert(out.end(), body.begin(), body.end());
  return out;
}
inline void join(Bytes& to, const Bytes& from) { to.insert(to.end(), from.begin(), from.end()); }
inline Bytes jpeg_frame(u16 width, u16 height, u8 components, u8 marker = 0xC0) {
  Bytes body{
      8,         static_cast<u8>(height >> 8), static_cast<u8>(height), static_cast<u8>(width >> 8), static_cast<u8>(width),
      components};
  for (u8 c = 0; c < components; ++c) join(body, {static_cast<u8>(c + 1), 0x11, 0});
  return jpeg_segment(marker, body);
}
inline Bytes jpeg_tables() {
  Bytes out{0xFF, 0xD8};
  join(out, jpeg_segment(0xDB, Bytes(65, 1)));
  join(out, jpeg_segment(0xC4, Bytes(20, 0)));
  join(out, {0xFF, 0xD9});
  return out;
}
/// SOI, `extra` segments, frame, scan, EOI; needs jpeg_tables().
inline Bytes jpeg_tile(u16 width, u16 height, u8 components = 3, const Bytes& extra = {}) {
  Bytes out{0xFF, 0xD8};
  join(out, extra);
  join(out, jpeg_frame(width, height, components));
  join(out, jpeg_segment(0xDA, {1, 1, 0, 0, 63, 0}));
  join(out, {0x12, 0x34, 0xFF, 0x00, 0x56, 0xFF, 0xD9});
  return out;
}

}  // namespace morpho::test
