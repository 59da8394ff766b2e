// Small slides of scanners' TIFFs that tests write themselves: tiles of one colour each, so that a px says which tile it is of.
#pragma once
#include "slide_files.hpp"

namespace morpho::test {

struct ScannerPage {
  u64 width = 64, height = 48, subfile = 0;
  std::string description, software, xmp;
  u64 px_per_cm = 0;        ///< 0 = not stated
  u8 first = 10;            ///< tile k is (first + k, first + k, 200)
  std::size_t absent = 99;  ///< a tile that the file has no bytes for
};
inline constexpr u64 kScannerTile = 16;

inline void add_page(TiffWriter& w, const ScannerPage& p) {
  const u64 tiles = (p.width + kScannerTile - 1) / kScannerTile * ((p.height + kScannerTile - 1) / kScannerTile);
  std::vector<u64> at;
  for (u64 k = 0; k < tiles; ++k) {
    Bytes tile;
    for (u64 i = 0; i < kScannerTile * kScannerTile; ++i)
      join(tile, {static_cast<u8>(p.first + k), static_cast<u8>(p.first + k), 200});
    at.push_back(w.append(tile));
  }
  const u64 offsets = w.bytes.size();
  for (u64 k = 0; k < tiles; ++k) w.put(k == p.absent ? 0 : at[k], 4);
  const u64 counts = w.bytes.size();
  for (u64 k = 0; k < tiles; ++k) w.put(k == p.absent ? 0 : kScannerTile * kScannerTile * 3, 4);
  const u64 bits = w.bytes.size();
  for (int k = 0; k < 3; ++k) w.put(8, 2);
  const auto text = [&](const std::string& s) {
    Bytes bytes(s.begin(), s.end());
    bytes.push_back(0);
    return w.append(bytes);
  };
  const u64 description = text(p.description), software = text(p.software), xmp = text(p.xmp);
  std::vector<TiffWriter::Entry> e{{254, 4, 1, p.subfile}, {256, 4, 1, p.width}, {257, 4, 1, p.height},
                                   {258, 3, 3, bits},      {259, 3, 1, 1},       {262, 3, 1, 2}};
  if (!p.description.empty()) e.push_back({270, 2, p.description.size() + 1, description});
  e.push_back({277, 3, 1, 3});
  if (p.px_per_cm > 0) e.insert(e.end(), {{282, 4, 1, p.px_per_cm}, {283, 4, 1, p.px_per_cm}});
  e.push_back({284, 3, 1, 1});
  if (p.px_per_cm > 0) e.push_back({296, 3, 1, 3});
  if (!p.software.empty()) e.push_back({305, 2, p.software.size() + 1, software});
  e.insert(e.end(), {{322, 3, 1, kScannerTile},
                     {323, 3, 1, kScannerTile},
                     {324, 4, tiles, tiles == 1 ? at.front() : offsets},
                     {325, 4, tiles, tiles == 1 ? kScannerTile * kScannerTile * 3 : counts}});
  if (!p.xmp.empty()) e.push_back({700, 1, p.xmp.size() + 1, xmp});
  w.directory(e);
}

/// Two regions of 64 × 48 px, with a level of a quarter, on a canvas of 200 × 300 px of 1,000 nm.
inline Bytes leica_file(const std::string& light = "brightfield") {
  const auto image = [&](int x, int y, int first, const std::string& source) {
    const auto n = [](int v) { return std::to_string(v); };
    return "<image><creationDate>2026</creationDate><device model=\"SCN400\" version=\"1.4\"/><pixels>"
           "<dimension sizeX=\"64\" sizeY=\"48\" r=\"0\" ifd=\"" +
           n(first) + "\"/><dimension sizeX=\"16\" sizeY=\"12\" r=\"1\" ifd=\"" + n(first + 1) +
           "\"/></pixels><view sizeX=\"64000\" sizeY=\"48000\" offsetX=\"" + n(x * 1000) + "\" offsetY=\"" + n(y * 1000) +
           "\"/><scanSettings><objectiveSettings><objective>20</objective></objectiveSettings><illuminationSettings>"
           "<illuminationSource>" +
           source + "</illuminationSource></illuminationSettings></scanSettings></image>";
  };
  TiffWriter w(false, false);
  ScannerPage page;
  page.px_per_cm = 10000;
  page.description =
      "<?xml version=\"1.0\"?><scn xmlns=\"http://www.leica-microsystems.com/scn/2010/10/01\"><collection sizeX=\"200000\" "
      "sizeY=\"300000\"><barcode>U1lO</barcode>" +
      image(12, 20, 0, "brightfield") + image(100, 201, 2, light) + "</collection></scn>";
  for (int k = 0; k < 4; ++k) {
    page.width = k % 2 == 0 ? 64 : 16, page.height = k % 2 == 0 ? 48 : 12;
    page.first = static_cast<u8>(10 + 40 * k);
    add_page(w, page);
    page.description.clear();
  }
  return w.bytes;
}

/// Tiles over one another by 4 × 2 px, and a level without.
inline Bytes trestle_file(const std::string& overlaps = "4 2 0 0") {
  TiffWriter w(false, false);
  ScannerPage page;
  page.software = "MedScan";
  page.description = "Objective Power=20;Background Color=E0E1E2;OverlapsXY= " + overlaps;
  add_page(w, page);
  page.width = 26, page.height = 22, page.subfile = 1, page.first = 14;
  page.description = "second level";
  add_page(w, page);
  return w.bytes;
}

/// 64 × 48 px whose fifth tile is absent, and a level that is padded from 16 × 12 to a whole tile.
inline Bytes philips_file(const std::string& root = "<DataObject ObjectType=\"DPUfsImport\">") {
  const auto value = [](const std::string& name, const std::string& text) {
    return "<Attribute Name=\"" + name + "\">" + text + "</Attribute>";
  };
  const auto level = [&](const std::string& mm) {
    return "<DataObject ObjectType=\"PixelDataRepresentation\">" +
           value("DICOM_PIXEL_SPACING", "&quot;" + mm + "&quot; &quot;" + mm + "&quot;") + "</DataObject>";
  };
  TiffWriter w(false, false);
  ScannerPage page;
  page.software = "Philips DP v1.0";
  page.absent = 4;
  page.description = "<?xml version=\"1.0\"?>" + root + value("DICOM_MANUFACTURER", "PHILIPS") +
                     "<Attribute Name=\"PIM_DP_SCANNED_IMAGES\"><Array><DataObject>" +
                     value("DICOM_PIXEL_SPACING", "&quot;0.0005&quot; &quot;0.00025&quot;") +
                     value("PIM_DP_IMAGE_TYPE", "WSI") + "<Attribute Name=\"PIIM_PIXEL_DATA_REPRESENTATION_SEQUENCE\"><Array>" +
                     level("0.00025") + level("0.001") + "</Array></Attribute></DataObject><DataObject>" +
                     value("PIM_DP_IMAGE_TYPE", "LABELIMAGE") + value("PIM_DP_IMAGE_DATA", "/9j/AAAA") +
                     "</DataObject></Array></Attribute></DataObject>";
  add_page(w, page);
  page.width = page.height = 16, page.subfile = 1, page.absent = 99, page.first = 100;
  page.description = "level=1";
  add_page(w, page);
  return w.bytes;
}

/// An area of 3 × 2 fields that lie 2 × 4 px over one another, from the second column on, and a level of a half.
inline Bytes ventana_file(const std::string& direction = "RIGHT", const std::string& overlap = "2") {
  TiffWriter w(false, false);
  ScannerPage page;
  page.width = 16, page.height = 16;
  page.description = "Thumbnail";
  page.xmp = "<iScan Magnification=\"20\" ScanRes=\"0.5\"/>";
  add_page(w, page);
  page.width = 64, page.height = 32, page.first = 60;
  page.description = "level=0 mag=20 quality=90";
  page.xmp =
      "<EncodeInfo><SlideStitchInfo><ImageInfo AOIScanned=\"1\" NumRows=\"2\" NumCols=\"3\" Width=\"16\" Height=\"16\" "
      "Pos-X=\"5.0000\" "
      "Pos-Y=\"7\"><TileJointInfo Confidence=\"90\" Direction=\"" +
      direction + "\" Tile1=\"1\" Tile2=\"2\" OverlapX=\"" + overlap +
      "\" OverlapY=\"0\"/><TileJointInfo Confidence=\"90\" Direction=\"UP\" Tile1=\"1\" Tile2=\"6\" OverlapX=\"0\" "
      "OverlapY=\"4\"/>"
      "</ImageInfo></SlideStitchInfo><AoiOrigin><AOI0 OriginX=\"16\" OriginY=\"0\"/></AoiOrigin></EncodeInfo>";
  add_page(w, page);
  page.width = 32, page.height = 16, page.first = 120;
  page.description = "level=1 mag=10 quality=90";
  page.xmp.clear();
  add_page(w, page);
  return w.bytes;
}

}  // namespace morpho::test
