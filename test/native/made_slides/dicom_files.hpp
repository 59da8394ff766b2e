// Writes small DICOM files of whole slides, as the standard has them, for the tests that read them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "slide_files.hpp"

namespace morpho::test {

inline constexpr const char *kExplicitLittle = "1.2.840.10008.1.2.1", *kImplicitLittle = "1.2.840.10008.1.2",
                            *kRunLength = "1.2.840.10008.1.2.5";

struct DicomPath {
  std::string identifier, description;
  Bytes profile{};  ///< ICC's
};
struct DicomFrame {
  int column = 1, row = 1;
  std::string path, depth;
};

struct DicomFile {
  std::string syntax = kExplicitLittle, kind = "1.2.840.10008.5.1.4.1.1.77.1.6", series = "1.2.3.4", flavor = "VOLUME",
              photometric = "RGB", organization = "TILED_FULL", spacing = "0.0005\\0.00025";
  int columns = 16, rows = 16, total_columns = 40, total_rows = 24, samples = 3, bits = 8, stored = 8, planar = 0;
  int first_frame = 0, planes = 1;
  std::vector<DicomPath> paths{{"1", ""}};
  std::vector<DicomFrame> places;
  std::vector<Bytes> frames;
  bool offset_table = false;
  /// What follows on the other elements, before the pixels.
  std::function<void(class DicomWriter&)> extra;
};

class DicomWriter {
 public:
  explicit DicomWriter(bool is_explicit) : is_explicit_(is_explicit) {}
  Bytes bytes;

  void number(u64 value, int count) {
    for (int k = 0; k < count; ++k) bytes.push_back(static_cast<u8>(value >> 8 * k));
  }
  void tag(std::uint32_t t) { number(t >> 16, 2), number(t & 0xFFFF, 2); }
  void element(std::uint32_t t, const char* vr, Bytes value) {
    if (value.size() % 2 != 0) value.push_back(std::string(vr) == "UI" || vr[0] == 'O' ? 0 : ' ');
    head(t, vr, value.size());
    bytes.insert(bytes.end(), value.begin(), value.end());
  }
  void text(std::uint32_t t, const char* vr, const std::string& value) { element(t, vr, Bytes(value.begin(), value.end())); }
  void integer(std::uint32_t t, const char* vr, u64 value) {
    DicomWriter w(true);
    w.number(value, vr[1] == 'L' ? 4 : 2);
    element(t, vr, w.bytes);
  }
  /// A sequence of items, of stated lengths or ended by delimiters.
  void sequence(std::uint32_t t, bool stated, const std::vector<std::function<void(DicomWriter&)>>& items) {
    DicomWriter within(is_explicit_);
    for (const auto& write : items) {
      DicomWriter item(is_explicit_);
      write(item);
      within.tag(0xFFFEE000);
      within.number(stated ? item.bytes.size() : 0xFFFFFFFFu, 4);
      within.bytes.insert(within.bytes.end(), item.bytes.begin(), item.bytes.end());
      if (!stated) within.tag(0xFFFEE00D), within.number(0, 4);
    }
    if (!stated) within.tag(0xFFFEE0DD), within.number(0, 4);
    head(t, "SQ", stated ? within.bytes.size() : 0xFFFFFFFFu);
    bytes.insert(bytes.end(), within.bytes.begin(), within.bytes.end());
  }
  void head(std::uint32_t t, const char* vr, u64 length) {
    tag(t);
    if (!is_explicit_) return number(length, 4);
    bytes.push_back(static_cast<u8>(vr[0])), bytes.push_back(static_cast<u8>(vr[1]));
    const std::string v = vr;
    if (v != "OB" && v != "OW" && v != "SQ" && v != "UN" && v != "OV") return number(length, 2);
    number(0, 2), number(length, 4);
  }

 private:
  bool is_explicit_;
};

inline Bytes dicom_bytes(const DicomFile& f) {
  const bool is_explicit = f.syntax != kImplicitLittle;
  DicomWriter meta(true);
  meta.bytes = Bytes(128, 0);
  for (const char c : {'D', 'I', 'C', 'M'}) meta.bytes.push_back(static_cast<u8>(c));
  meta.text(0x00020010, "UI", f.syntax);
  DicomWriter w(is_explicit);
  w.text(0x00080008, "CS", "ORIGINAL\\PRIMARY\\" + f.flavor + "\\NONE");
  w.text(0x00080016, "UI", f.kind);
  w.text(0x00100010, "PN", "Doe^Jane");
  w.text(0x0020000E, "UI", f.series);
  if (f.first_frame > 0) w.integer(0x00209228, "UL", static_cast<u64>(f.first_frame));
  if (!f.organization.empty()) w.text(0x00209311, "CS", f.organization);
  w.integer(0x00280002, "US", static_cast<u64>(f.samples));
  w.text(0x00280004, "CS", f.photometric);
  w.integer(0x00280006, "US", static_cast<u64>(f.planar));
  w.text(0x00280008, "IS", std::to_string(f.frames.size()));
  w.integer(0x00280010, "US", static_cast<u64>(f.rows));
  w.integer(0x00280011, "US", static_cast<u64>(f.columns));
  w.integer(0x00280100, "US", static_cast<u64>(f.bits));
  w.integer(0x00280101, "US", static_cast<u64>(f.stored));
  w.integer(0x00280102, "US", static_cast<u64>(f.stored - 1));
  w.integer(0x00280103, "US", 0);
  w.integer(0x00480006, "UL", static_cast<u64>(f.total_columns));
  w.integer(0x00480007, "UL", static_cast<u64>(f.total_rows));
  std::vector<std::function<void(DicomWriter&)>> items;
  for (const DicomPath& path : f.paths)
    items.emplace_back([&path](DicomWriter& item) {
      if (!path.profile.empty()) item.element(0x00282000, "OB", path.profile);
      item.text(0x00480106, "SH", path.identifier);
      item.text(0x00480107, "ST", path.description);
      item.text(0x00480112, "DS", "20");
    });
  w.sequence(0x00480105, false, items);
  if (f.planes > 1) w.integer(0x00480303, "UL", static_cast<u64>(f.planes));
  w.sequence(0x52009229, true, {[&f](DicomWriter& item) {
               item.sequence(0x00289110, false, {[&f](DicomWriter& measures) { measures.text(0x00280030, "DS", f.spacing); }});
             }});
  if (!f.places.empty()) {
    items.clear();
    for (const DicomFrame& place : f.places)
      items.emplace_back([&place](DicomWriter& item) {
        item.sequence(0x0048021A, true, {[&place](DicomWriter& position) {
                        position.text(0x0040074A, "DS", place.depth);
                        position.integer(0x0048021E, "SL", static_cast<u64>(static_cast<i64>(place.column)));
                        position.integer(0x0048021F, "SL", static_cast<u64>(static_cast<i64>(place.row)));
                      }});
        item.sequence(0x00480207, false, {[&place](DicomWriter& path) { path.text(0x00480106, "SH", place.path); }});
      });
    w.sequence(0x52009230, false, items);
  }
  if (f.extra) f.extra(w);
  const bool encapsulated = f.syntax != kExplicitLittle && f.syntax != kImplicitLittle;
  if (!encapsulated) {
    Bytes all;
    for (const Bytes& frame : f.frames) all.insert(all.end(), frame.begin(), frame.end());
    w.element(0x7FE00010, f.bits == 16 ? "OW" : "OB", all);
  } else {
    w.head(0x7FE00010, "OB", 0xFFFFFFFFu);
    w.tag(0xFFFEE000);
    w.number(f.offset_table ? 4 * f.frames.size() : 0, 4);
    u64 at = 0;
    for (const Bytes& frame : f.frames) {
      if (f.offset_table) w.number(at, 4);
      // With a table a frame may be in several fragments: here each is in two.
      at += frame.size() + (f.offset_table ? 16 : 8);
    }
    for (const Bytes& frame : f.frames) {
      const std::size_t half = f.offset_table ? frame.size() / 4 * 2 : 0;
      if (half > 0) {
        w.tag(0xFFFEE000), w.number(half, 4);
        w.bytes.insert(w.bytes.end(), frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(half));
      }
      w.tag(0xFFFEE000), w.number(frame.size() - half, 4);
      w.bytes.insert(w.bytes.end(), frame.begin() + static_cast<std::ptrdiff_t>(half), frame.end());
    }
    w.tag(0xFFFEE0DD), w.number(0, 4);
  }
  meta.bytes.insert(meta.bytes.end(), w.bytes.begin(), w.bytes.end());
  return meta.bytes;
}

/// A frame whose px all have these samples, of 8 or 16 bits; `planar`: all of the first sample come first.
inline Bytes flat_frame(const DicomFile& f, const std::vector<int>& values) {
  Bytes out;
  const int px = f.columns * f.rows;
  const auto put = [&](int v) {
    out.push_back(static_cast<u8>(v));
    if (f.bits == 16) out.push_back(static_cast<u8>(v >> 8));
  };
  if (f.planar)
    for (const int v : values)
      for (int i = 0; i < px; ++i) put(v);
  else
    for (int i = 0; i < px; ++i)
      for (const int v : values) put(v);
  return out;
}

/// Such a frame as DICOM's runs: a segment for each byte of each sample, the highest first. `odd`: padded to an even length.
inline Bytes run_frame(const DicomFile& f, const std::vector<int>& values) {
  std::vector<Bytes> segments;
  const int px = f.columns * f.rows;
  for (const int v : values)
    for (int byte = f.bits / 8 - 1; byte >= 0; --byte) {
      Bytes runs;
      for (int left = px; left > 0; left -= 128) {
        const int n = std::min(left, 128);
        runs.push_back(static_cast<u8>(n == 1 ? 0 : 257 - n));
        runs.push_back(static_cast<u8>(v >> 8 * byte));
      }
      segments.push_back(runs);
    }
  DicomWriter w(true);
  w.number(segments.size(), 4);
  u64 at = 64;
  for (std::size_t k = 0; k < 15; ++k) {
    w.number(k < segments.size() ? at : 0, 4);
    if (k < segments.size()) at += segments[k].size();
  }
  for (const Bytes& s : segments) w.bytes.insert(w.bytes.end(), s.begin(), s.end());
  return w.bytes;
}

}  // namespace morpho::test
