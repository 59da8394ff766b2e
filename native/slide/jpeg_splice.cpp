// Walks the marker segments of a JPEG tile and its shared tables, checks them, and writes them as one stream.
#include "jpeg_splice.hpp"

#include <algorithm>

namespace morpho::slide {
namespace {

struct Segment {
  u8 marker;
  std::size_t begin, end;  // of the whole segment, with its FF and marker
};
struct Headers {
  std::vector<Segment> segments;
  std::size_t scan = 0;  // where SOS begins; 0 where the stream ended before one
};

/// The segments from SOI to SOS (or EOI), or nothing where a length leads astray.
std::optional<Headers> walk(const std::vector<u8>& s) {
  if (s.size() < 4 || s[0] != 0xFF || s[1] != 0xD8) return std::nullopt;
  Headers headers;
  std::size_t at = 2;
  while (at + 2 <= s.size()) {
    if (s[at] != 0xFF) return std::nullopt;
    while (at + 2 < s.size() && s[at + 1] == 0xFF) ++at;  // fill bytes are allowed before any marker
    const u8 marker = s[at + 1];
    if (marker == 0xD9) return headers;
    // Stand-alone markers have no place before a scan.
    if (marker == 0x00 || marker == 0x01 || marker == 0xFF || (marker >= 0xD0 && marker <= 0xD8)) return std::nullopt;
    if (at + 4 > s.size()) return std::nullopt;
    const std::size_t length = static_cast<std::size_t>(s[at + 2]) << 8 | s[at + 3];
    if (length < 2 || at + 2 + length > s.size()) return std::nullopt;
    if (marker == 0xDA) {
      headers.scan = at;
      return headers;
    }
    headers.segments.push_back({marker, at, at + 2 + length});
    at += 2 + length;
  }
  return std::nullopt;
}

bool is_frame(u8 marker) { return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC; }
bool is_dropped(u8 marker) { return (marker >= 0xE0 && marker <= 0xEF) || marker == 0xFE; }

/// The position after the last EOI, which may be followed by a little padding; 0 where the stream is cut short.
std::size_t end_of_image(const std::vector<u8>& s, std::size_t from) {
  const std::size_t low = std::max(from, s.size() > 64 ? s.size() - 64 : 0);
  for (std::size_t i = s.size(); i >= low + 2; --i)
    if (s[i - 2] == 0xFF && s[i - 1] == 0xD9) return i;
  return 0;
}

bool sane_frame(const std::vector<u8>& s, const Segment& frame, const JpegTile& expected, std::size_t& components) {
  // Baseline, extended or progressive Huffman: what every browser decodes.
  if (frame.marker > 0xC2) return false;
  const u8* p = s.data() + frame.begin + 4;
  const std::size_t bytes = frame.end - frame.begin - 4;
  if (bytes < 6 || p[0] != 8) return false;
  const u64 height = static_cast<u64>(p[1]) << 8 | p[2], width = static_cast<u64>(p[3]) << 8 | p[4];
  components = p[5];
  if (width != expected.width || height != expected.height || components != expected.samples) return false;
  if (bytes < 6 + 3 * components) return false;
  for (std::size_t i = 0; i < components; ++i) {
    const u8 sampling = p[6 + 3 * i + 1], across = sampling >> 4, down = sampling & 15;
    if (across < 1 || across > 4 || down < 1 || down > 4) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<u8>> splice_jpeg(const std::vector<u8>& tile, const std::vector<u8>& tables,
                                           const JpegTile& expected) {
  const bool color = expected.samples == 3 && (expected.photometric == 2 || expected.photometric == 6);
  const bool gray = expected.samples == 1 && expected.photometric == 1;
  if (!color && !gray) return std::nullopt;
  const auto own = walk(tile);
  if (!own || own->scan == 0) return std::nullopt;
  const std::size_t end = end_of_image(tile, own->scan);
  if (end == 0) return std::nullopt;
  Headers shared;
  if (!tables.empty()) {
    auto walked = walk(tables);
    if (!walked || walked->scan != 0) return std::nullopt;
    shared = std::move(*walked);
  }

  std::size_t frames = 0, components = 0;
  bool quantisation = false, huffman = false;
  const auto note = [&](const Segment& s) {
    quantisation |= s.marker == 0xDB;
    huffman |= s.marker == 0xC4;
  };
  for (const Segment& s : shared.segments) {
    if (is_frame(s.marker)) return std::nullopt;
    note(s);
  }
  for (const Segment& s : own->segments) {
    note(s);
    if (!is_frame(s.marker)) continue;
    if (++frames > 1 || !sane_frame(tile, s, expected, components)) return std::nullopt;
  }
  if (frames != 1 || !quantisation || !huffman) return std::nullopt;

  std::vector<u8> out;
  out.reserve(tables.size() + tile.size() + 16);
  out.insert(out.end(), {0xFF, 0xD8});
  if (color) {
    const u8 transform = expected.photometric == 6 ? 1 : 0;
    out.insert(out.end(), {0xFF, 0xEE, 0x00, 0x0E, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, transform});
  }
  const auto append = [&out](const std::vector<u8>& from, const Segment& s) {
    if (is_dropped(s.marker)) return;
    out.insert(out.end(), from.begin() + static_cast<std::ptrdiff_t>(s.begin),
               from.begin() + static_cast<std::ptrdiff_t>(s.end));
  };
  for (const Segment& s : shared.segments) append(tables, s);
  for (const Segment& s : own->segments) append(tile, s);
  out.insert(out.end(), tile.begin() + static_cast<std::ptrdiff_t>(own->scan), tile.begin() + static_cast<std::ptrdiff_t>(end));
  return out;
}

}  // namespace morpho::slide
