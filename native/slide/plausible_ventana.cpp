// The judgement of Ventana's XML: how many tiles its areas have. OpenSlide before 4.0.2 believes any number (CVE-2026-48977).
#include <algorithm>
#include <map>
#include <utility>

#include "plausible.hpp"
#include "xml_reader.hpp"

namespace morpho::slide {
namespace {

constexpr u64 kMostAreaTiles = 1 << 22;
constexpr u64 kMostXmpBytes = u64{16} << 20;

/// Digits alone, from 1 on: what OpenSlide's own parser makes of anything else is not asked.
std::optional<u64> count(const std::string& text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  u64 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + static_cast<u64>(c - '0');
  }
  return value == 0 ? std::nullopt : std::optional(value);
}

std::string stated(const XmlAttribute* attribute) {
  if (!attribute) return "nothing";
  std::string text = "\"";
  text += attribute->value.substr(0, 40);
  return text += '"';
}

bool holds(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

}  // namespace

void require_plausible_ventana(const std::string& path, const TiffIndex& index) {
  bool ventana = false;
  u64 bytes = 0;
  std::map<std::pair<u64, u64>, TiffArray> packets;  // directories may share one
  for (const TiffDirectory& d : index.directories()) {
    // As OpenSlide has it, only bytes are a text.
    if (d.xmp.count == 0 || d.xmp.item_bytes != 1 || !packets.emplace(std::pair(d.xmp.offset, d.xmp.count), d.xmp).second)
      continue;
    bytes += d.xmp.count;
    if (bytes > kMostXmpBytes)
      refuse_damaged(path, "it states more than " + std::to_string(kMostXmpBytes >> 20) + " MiB of XMP");
    ventana |= holds(until_zero(index.text(d.xmp)), "iScan");
  }
  u64 tiles = 0;
  for (const auto& [place, packet] : packets) {
    const std::string whole = index.text(packet);
    const std::string_view text = until_zero(whole);
    // Other programs write any XMP; OpenSlide reads it of slides whose first one names an iScan. Names have no references.
    if (!ventana && !holds(text, "ImageInfo")) continue;
    const std::string problem = read_xml(text, [&](const XmlElement& e, const std::vector<std::string>& at) {
      if (at.back() != "ImageInfo") return;
      for (const char* name : {"AOIScanned", "NumCols", "NumRows"})
        if (std::count_if(e.attributes.begin(), e.attributes.end(),
                          [name](const XmlAttribute& a) { return local_name(a.name) == name; }) > 1)
          refuse_damaged(path, std::string("its ImageInfo states ") + name + " twice");
      const XmlAttribute *scanned = e.find("AOIScanned"), *columns = e.find("NumCols"), *rows = e.find("NumRows");
      // An area that was not scanned has no tiles. Without both counts OpenSlide refuses the slide itself.
      if ((scanned && scanned->value == "0") || (!columns && !rows)) return;
      const std::optional<u64> across = columns ? count(columns->value) : 1, down = rows ? count(rows->value) : 1;
      tiles += across.value_or(0) * down.value_or(0);
      if (!across || !down || *across > kMostAreaTiles || *down > kMostAreaTiles || tiles > kMostAreaTiles)
        refuse_damaged(path, "its ImageInfo states areas of " + stated(columns) + " × " + stated(rows) +
                                 " tiles (NumCols, NumRows), and counts from 1 to " + std::to_string(kMostAreaTiles) +
                                 " tiles in all were expected");
    });
    if (!problem.empty()) refuse_damaged(path, "its description of areas (XMP) " + problem);
  }
}

}  // namespace morpho::slide
