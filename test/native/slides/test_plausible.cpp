// What a slide file claims is judged before OpenSlide sees it: each absurd claim has an error that names the field and the
// value.
#ifndef _WIN32
#include <sys/stat.h>
#endif

#include <algorithm>
#include <filesystem>

#include "slide/plausible.hpp"
#include "../made_slides/slide_files.hpp"

namespace morpho::test {
namespace {

using slide::require_plausible;

/// What judging says, without the path; empty where the file passes.
std::string judgement(const std::string& path) {
  try {
    require_plausible(path);
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::slide_unreadable);
    const std::string text = e.what();
    EXPECT_EQ(text.rfind(path, 0), 0u) << text;
    return e.detail() + ":" + text.substr(path.size());
  }
}

struct Claims {
  u64 width = 40, height = 20, tile_width = 16, tile_height = 16, tiles = 6, samples = 3, bits = 8;
};
Bytes tiff(const Claims& c, bool big = false, std::vector<TiffWriter::Entry> more = {}) {
  TiffWriter w(false, big);
  const u64 offsets = w.bytes.size();
  for (u64 k = 0; k < c.tiles; ++k) w.put(8, 4);
  const u64 sizes = w.bytes.size();
  for (u64 k = 0; k < c.tiles; ++k) w.put(4, 4);
  std::vector<TiffWriter::Entry> entries{{256, 4, 1, c.width},
                                         {257, 4, 1, c.height},
                                         {258, 3, 1, c.bits},
                                         {259, 3, 1, 7},
                                         {262, 3, 1, 6},
                                         {277, 3, 1, c.samples},
                                         {322, 4, 1, c.tile_width},
                                         {323, 4, 1, c.tile_height},
                                         {324, 4, c.tiles, offsets},
                                         {325, 4, c.tiles, sizes}};
  entries.insert(entries.end(), more.begin(), more.end());
  w.directory(entries);
  return w.bytes;
}

TEST(Plausible, PassesWhatAFileCanHold) {
  TemporaryFolder folder;
  for (bool big : {false, true}) EXPECT_EQ(judgement(folder.write("good.tif", tiff({}, big))), "");
  // A few tiles that the table lacks are absent, and cost nothing.
  Claims few;
  few.width = 400;
  EXPECT_EQ(judgement(folder.write("few.tif", tiff(few))), "");
  // What libtiff does not take by itself costs a level, not the slide.
  for (u64 Claims::* field : {&Claims::tile_width, &Claims::tile_height}) {
    Claims none;
    none.*field = 0;
    EXPECT_EQ(judgement(folder.write("none.tif", tiff(none))), "");
  }
  EXPECT_EQ(judgement(folder.write("text.txt", Bytes(500, 'x'))), "");
  EXPECT_EQ(judgement(folder.write("empty", {})), "");
  EXPECT_EQ(judgement(std::string(MORPHO_ASSETS) + "/samples/CMU-1-Small-Region.svs"), "");
}

TEST(Plausible, NamesTheFieldAndItsValue) {
  TemporaryFolder folder;
  const auto says = [&](const Claims& c, const std::string& part) {
    const std::string text = judgement(folder.write("bad.tif", tiff(c)));
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.rfind("damaged:", 0), 0u) << text;
  };
  Claims c;
  c.tile_height = 2147483647;
  says(c, "tiles of 16 × 2147483647 px (TileWidth, TileLength)");
  c = {};
  c.tile_width = 1629610493;
  says(c, "1629610493 × 16");
  c = {};
  c.tile_width = c.tile_height = 8192 + 16;
  says(c, "64 megapixels");
  c = {};
  c.width = c.height = 1000000;
  says(c, "in 62500 × 62500 tiles, and the file lists 6 (TileOffsets, TileByteCounts)");
  c = {};
  c.width = 4294967295u;
  says(c, "claims 4294967295 × 20 px (ImageWidth, ImageLength)");
  c = {};
  c.tile_width = c.tile_height = 4096;
  c.samples = 65535;
  says(c, "65535 samples of 8 bits");
}

/// Mutant 4951 of seed 2 ended the engine in libtiff (SIGFPE).
TEST(Plausible, RefusesStripsWithOneSideOfATile) {
  TemporaryFolder folder;
  for (const u16 side : {322, 323}) {
    TiffWriter w(false, false);
    w.directory({{256, 4, 1, 10}, {257, 4, 1, 10}, {273, 4, 1, 8}, {279, 4, 1, 4}, {side, 3, 1, 1}});
    const std::string text = judgement(folder.write("side.tif", w.bytes));
    EXPECT_EQ(text.rfind("damaged:", 0), 0u) << text;
    EXPECT_NE(text.find(side == 322 ? "tiles of 1 × 0 px" : "tiles of 0 × 1 px"), std::string::npos) << text;
  }
}

/// Mutant 8435 of seed 2: a coarse tile took minutes in one call, as OpenSlide drew it from 122,880 tiles of level 0.
TEST(Plausible, BoundsWhatAnAperiosReducedLevelsLack) {
  TemporaryFolder folder;
  const auto aperio = [&](u64 tiles, u64 listed, const char* description) {
    TiffWriter w(false, false);
    const std::string text = description;
    const u64 at = w.append(Bytes(text.begin(), text.end()));
    w.directory({{256, 4, 1, 16}, {257, 4, 1, 16}, {270, 2, text.size(), at}, {322, 4, 1, 16}, {323, 4, 1, 16}});
    const u64 offsets = w.bytes.size();
    for (u64 k = 0; k < tiles; ++k) w.put(8, 4);
    const u64 sizes = w.bytes.size();
    for (u64 k = 0; k < listed; ++k) w.put(k % 2 == 0 ? 4 : 0, 4);
    w.directory({{256, 4, 1, 16 * tiles},
                 {257, 4, 1, 16},
                 {322, 4, 1, 16},
                 {323, 4, 1, 16},
                 {324, 4, tiles, offsets},
                 {325, 4, listed, sizes}});
    return judgement(folder.write("aperio.svs", w.bytes));
  };
  EXPECT_EQ(aperio(256, 256, "Aperio Image Library"), "");  // every other one: 128
  EXPECT_NE(aperio(258, 258, "Aperio Image Library").find("no data for 129 of its 258 tiles"), std::string::npos);
  EXPECT_NE(aperio(500, 2, "Aperio Image Library").find("no data for 499 of its 500 tiles"), std::string::npos);
  // In other files such tiles are glass.
  EXPECT_EQ(aperio(500, 2, "something else"), "");
}

TEST(Plausible, JudgesTheLargestOfWhatIsStatedTwice) {
  TemporaryFolder folder;
  // libtiff takes the first of two entries, OpenSlide's own reader the last.
  EXPECT_NE(judgement(folder.write("twice.tif", tiff({}, false, {{322, 4, 1, 1u << 31}}))).find("2147483648"),
            std::string::npos);
  Claims c;
  c.tile_width = 1u << 31;
  EXPECT_NE(judgement(folder.write("twice.tif", tiff(c, false, {{322, 4, 1, 16}}))).find("2147483648"), std::string::npos);
}

TEST(Plausible, RefusesLoopsAndCutFiles) {
  TemporaryFolder folder;
  TiffWriter w(false, false);
  const u64 here = w.bytes.size();
  w.directory({{256, 4, 1, 10}, {257, 4, 1, 10}}, here);
  EXPECT_NE(judgement(folder.write("loop.tif", w.bytes)).find("loop"), std::string::npos);
  const Bytes whole = tiff({});
  EXPECT_NE(judgement(folder.write("cut.tif", Bytes(whole.begin(), whole.end() - 20))).find("cut short"), std::string::npos);
}

/// A TIFF of as many directories as there are texts, each with its text as XMP.
Bytes with_xmp(const std::vector<std::string>& texts, bool twice = false) {
  TiffWriter w(false, false);
  for (const std::string& xml : texts) {
    const u64 text = w.append(Bytes(xml.begin(), xml.end()));
    std::vector<TiffWriter::Entry> entries{{256, 4, 1, 10}, {257, 4, 1, 10}, {700, 1, xml.size(), text}};
    if (twice) entries.push_back(entries.back());
    w.directory(entries);
  }
  return w.bytes;
}

TEST(Plausible, BoundsVentanasAreas) {
  TemporaryFolder folder;
  const auto judged = [&folder](const std::string& attributes, const std::string& before = "") {
    return judgement(folder.write("ventana.bif", with_xmp({"<iScan/>", before + "<EncodeInfo><SlideStitchInfo><ImageInfo " +
                                                                           attributes + "/></SlideStitchInfo></EncodeInfo>"})));
  };
  EXPECT_EQ(judged("AOIScanned=\"1\" NumRows=\"3\" NumCols=\"4\""), "");
  EXPECT_EQ(judged("AOIScanned=\"0\" NumRows=\"0\" NumCols=\"0\""), "");
  EXPECT_EQ(judged("n=\">\" NumRows='3' NumCols = \"&#52;\""), "");
  for (const char* count : {"2000000000", "-3", "1e300", "0", "", "+5", " 5", "5 ", "0x5", "5.0", "99999999999999999999",
                            "&#45;5", "&#x2d;5", "4194305"}) {
    EXPECT_NE(judged(std::string("NumRows=\"") + count + "\" NumCols=\"3\"").find("NumCols, NumRows"), std::string::npos)
        << count;
    EXPECT_NE(judged(std::string("NumRows=\"3\" NumCols=\"") + count + "\"").find("NumCols, NumRows"), std::string::npos)
        << count;
  }
  // Each of these reached OpenSlide, some of them as another number than was judged.
  for (const char* attributes :
       {"xNumRows=\"1\" NumRows=\"-5\" NumCols=\"1\"", "n=\">\" NumRows=\"-5\" NumCols=\"1\"",
        "n='NumRows=\"1\"' NumRows=\"-5\" NumCols=\"1\"", "v:NumRows=\"-5\" NumRows=\"1\" NumCols=\"1\"",
        "NumRows=\"1\" v:NumRows=\"-5\" NumCols=\"1\"", "NumRows=\"1\" NumRows=\"-5\" NumCols=\"1\"",
        "NumRows=\"&m;5\" NumCols=\"1\"", "NumRows=\"-5\"", "NumCols=\"-5\"", "AOIScanned=\"00\" NumRows=\"-5\" NumCols=\"1\"",
        "AOIScanned=\"0\" v:AOIScanned=\"1\" NumRows=\"-5\" NumCols=\"1\"", "NumRows=-5 NumCols=\"1\""})
    EXPECT_NE(judged(attributes), "") << attributes;
  EXPECT_NE(judged("NumCols=\"1\"", "<!DOCTYPE EncodeInfo [<!ATTLIST ImageInfo NumRows CDATA \"-5\">]>"), "");
  EXPECT_NE(judged("NumRows=\"1\" NumCols=\"1\"", "<?xml version=\"1.0\" encoding=\"UTF-7\"?>"), "");
  // Areas are judged together, also those of a second packet; a comment's are none.
  EXPECT_NE(judged("NumRows=\"2000\" NumCols=\"2000\"/><v:ImageInfo NumRows=\"2000\" NumCols=\"2000\""), "");
  EXPECT_EQ(judged("NumRows=\"1\" NumCols=\"1\"/><!-- <ImageInfo NumRows=\"-5\"/> --><a b=\"\""), "");
  const std::string bad = "<EncodeInfo><ImageInfo NumRows=\"-5\" NumCols=\"1\"/></EncodeInfo>";
  EXPECT_NE(judgement(folder.write("cut.bif", with_xmp({"<iScan/>", std::string(bad + '\0') + "<x/>"}))), "");
  EXPECT_NE(judgement(folder.write("twice.bif", with_xmp({"<iScan/>"}, true))).find("XMP twice"), std::string::npos);
  // Other programs' XMP is nobody's business.
  EXPECT_EQ(judgement(folder.write("other.tif", with_xmp({"<x:xmpmeta & no XML"}))), "");
}

TEST(Plausible, RefusesAnNdpiThatWouldReadBeyondItsBuffer) {
  TemporaryFolder folder;
  Bytes jpeg{0xFF, 0xD8};
  join(jpeg, jpeg_frame(640, 480, 3));
  join(jpeg, jpeg_segment(0xDD, {0, 8}));
  join(jpeg, jpeg_segment(0xDA, {3, 1, 0, 2, 0, 3, 0, 0, 63, 0}));
  const auto ndpi = [&](u64 bytes, u64 mcu_start, u64 width) {
    TiffWriter w(false, false);
    const u64 at = w.append(jpeg);
    w.append(Bytes(4000, 0));
    w.directory({{256, 4, 1, width},
                 {257, 4, 1, 480},
                 {273, 4, 1, at},
                 {278, 4, 1, 480},
                 {279, 4, 1, bytes},
                 {65420, 4, 1, 1},
                 {65426, 4, 1, mcu_start}});
    return judgement(folder.write("slide.ndpi", w.bytes));
  };
  EXPECT_EQ(ndpi(3000, 100, 640), "");
  EXPECT_NE(ndpi(3000, 3001, 640).find("begins at byte 3001 of 3000 (McuStarts)"), std::string::npos);
  EXPECT_NE(ndpi(10, 5, 640).find("states 10 bytes (StripByteCounts)"), std::string::npos);
  EXPECT_NE(ndpi(3000, 100, 1u << 25).find("more restart intervals than the file has bytes"), std::string::npos);
}

/// A VMS of two JPEGs and a map, with `line` in place of the entry of the same key.
class Vms {
 public:
  explicit Vms(const TemporaryFolder& folder) : folder_(folder) {
    Bytes jpeg{0xFF, 0xD8};
    join(jpeg, jpeg_frame(64, 64, 3));
    join(jpeg, jpeg_segment(0xDD, {0, 8}));
    join(jpeg, jpeg_segment(0xDA, {3, 1, 0, 2, 0, 3, 0, 0, 63, 0}));
    join(jpeg, Bytes(600, 0));
    for (const char* name : {"a.jpg", "b.jpg", "map.jpg"}) folder.write(name, jpeg);
  }
  std::string with(const std::string& line) const {
    const std::string key = line.substr(0, line.find('='));
    std::string text = "[Virtual Microscope Specimen]\r\n";
    bool replaced = false;
    for (const std::string usual : {"NoLayers=1", "NoJpegColumns=2", "NoJpegRows=1", "ImageFile=a.jpg", "ImageFile(1,0)=b.jpg",
                                    "MapFile=map.jpg", "OptimisationFile=x.opt", "MacroImage=map.jpg"}) {
      const bool same = std::string(usual).rfind(key + "=", 0) == 0;
      text += (same ? line : std::string(usual)) + "\r\n";
      replaced |= same;
    }
    if (!replaced) text += line + "\r\n";
    return judgement(folder_.write("slide.vms", Bytes(text.begin(), text.end())));
  }

 private:
  const TemporaryFolder& folder_;
};

TEST(Plausible, KeepsVmsToItsFolder) {
  TemporaryFolder folder;
  const Vms vms(folder);
  EXPECT_EQ(vms.with("NoLayers=1"), "");
  std::filesystem::create_directories(folder.path() + "/below");
  std::filesystem::copy_file(folder.path() + "/a.jpg", folder.path() + "/below/a.jpg");
  EXPECT_EQ(vms.with("ImageFile=below/a.jpg"), "") << "folders below are the slide's own";
  for (const char* key : {"ImageFile", "ImageFile(1,0)", "ImageFile(1)", "MapFile", "MacroImage", "OptimisationFile"})
    for (const char* value :
         {"/etc/hostname", "../x.jpg", "below/../../x.jpg", "..\\\\x.jpg", "C:\\\\x.jpg", "\\\\\\\\host\\\\x.jpg"}) {
      const std::string text = vms.with(std::string(key) + "=" + value);
      EXPECT_EQ(text.rfind("outside:", 0), 0u) << key << "=" << value << ": " << text;
      EXPECT_NE(text.find(std::string("(") + key + ")"), std::string::npos) << text;
    }
  TemporaryFolder elsewhere;
  const std::string secret = elsewhere.write("secret.jpg", read_all(folder.path() + "/a.jpg"));
  std::filesystem::create_symlink(secret, folder.path() + "/link.jpg");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() + "/away");
  std::filesystem::create_symlink("a.jpg", folder.path() + "/same.jpg");
  EXPECT_NE(vms.with("ImageFile=link.jpg").find("a link that leads out"), std::string::npos);
  EXPECT_NE(vms.with("ImageFile=away/secret.jpg").find("a link that leads out"), std::string::npos);
  EXPECT_EQ(vms.with("ImageFile=same.jpg"), "");
#ifndef _WIN32
  ASSERT_EQ(mkfifo((folder.path() + "/pipe.jpg").c_str(), 0600), 0);
  EXPECT_NE(vms.with("MapFile=pipe.jpg").find("no regular file"), std::string::npos) << "opening a pipe would wait for ever";
#endif
}

TEST(Plausible, BoundsVmsCounts) {
  TemporaryFolder folder;
  const Vms vms(folder);
  EXPECT_NE(vms.with("NoJpegColumns=2147483647").find("2147483647 × 1 images (NoJpegColumns, NoJpegRows)"), std::string::npos);
  folder.write("a.jpg", Bytes(100, 0));
  EXPECT_NE(vms.with("NoLayers=1").find("a.jpg beside it is no JPEG"), std::string::npos);
  const std::string vmu = "[Uncompressed Virtual Microscope Specimen]\nMapFile=map.ngr\nImageFile=full.ngr\n";
  Bytes ngr{'G', 'N', 0, 0};
  for (u64 v : {u64{1000}, u64{1000}, u64{0x7FFFFFFF}, u64{0}, u64{0}, u64{28}, u64{0}})
    for (int i = 0; i < 4; ++i) ngr.push_back(static_cast<u8>(v >> 8 * i));
  folder.write("full.ngr", ngr);
  EXPECT_NE(judgement(folder.write("slide.vmu", Bytes(vmu.begin(), vmu.end()))).find("1000 × 1000 px in columns of 2147483647"),
            std::string::npos);
}

/// A MIRAX slide of 4×4 images, without data, whose description has `line` in place of the entry of the same key.
std::string mirax(const TemporaryFolder& folder, const std::string& line, const std::string& group = "") {
  const std::string key = line.substr(0, line.find('='));
  std::filesystem::create_directories(folder.path() + "/slide");
  std::string text, current;
  for (const std::string usual : {"[GENERAL]",
                                  "SLIDE_ID=X",
                                  "IMAGENUMBER_X=4",
                                  "IMAGENUMBER_Y=4",
                                  "CameraImageDivisionsPerSide=2",
                                  "[HIERARCHICAL]",
                                  "HIER_COUNT=1",
                                  "NONHIER_COUNT=1",
                                  "INDEXFILE=Index.dat",
                                  "HIER_0_COUNT=1",
                                  "HIER_0_VAL_0_SECTION=L0",
                                  "NONHIER_0_NAME=other",
                                  "NONHIER_0_COUNT=1",
                                  "[L0]",
                                  "IMAGE_CONCAT_FACTOR=0",
                                  "OVERLAP_X=8",
                                  "OVERLAP_Y=8",
                                  "DIGITIZER_WIDTH=64",
                                  "DIGITIZER_HEIGHT=64",
                                  "[DATAFILE]",
                                  "FILE_COUNT=1",
                                  "FILE_0=Data0000.dat"}) {
    const std::string entry = usual;
    if (entry[0] == '[') current = entry;
    text += (!line.empty() && entry.rfind(key + "=", 0) == 0 && (group.empty() || group == current) ? line : entry) + "\n";
  }
  folder.write("slide/Slidedat.ini", Bytes(text.begin(), text.end()));
  folder.write("slide/Index.dat", Bytes{'0', '1', '.', '0', '2', 'X', 14, 0, 0, 0, 0, 0, 0, 0});
  return judgement(folder.write("slide.mrxs", {}));
}

TEST(Plausible, JudgesMirax) {
  TemporaryFolder folder;
  EXPECT_EQ(mirax(folder, ""), "");
  const auto says = [&](const std::string& line, const std::string& part) {
    const std::string text = mirax(folder, line);
    EXPECT_NE(text.find(part), std::string::npos) << line << ": " << text;
  };
  says("IMAGENUMBER_X=2147483647", "2147483647 × 4 images");
  says("HIER_0_COUNT=2000000000", "2000000000 levels");
  says("FILE_COUNT=2000000000", "2000000000 data files");
  says("NONHIER_0_COUNT=-5", "-5 layers (NONHIER_0_COUNT)");
  says("DIGITIZER_WIDTH=1000000000", "images of 1000000000 × 64 px");
  says("OVERLAP_X=128", "overlaps of 128 and 8 px");
  says("IMAGE_CONCAT_FACTOR=31", "2^31");
  for (const char* line : {"INDEXFILE=../Index.dat", "FILE_0=/etc/hostname", "FILE_0=../../x"}) {
    const std::string text = mirax(folder, line);
    EXPECT_EQ(text.rfind("outside:", 0), 0u) << line << ": " << text;
    EXPECT_NE(text.find(" in Slidedat.ini"), std::string::npos) << text;
  }
  TemporaryFolder elsewhere;
  std::filesystem::rename(folder.path() + "/slide", elsewhere.path() + "/moved");
  std::filesystem::create_directory_symlink(elsewhere.path() + "/moved", folder.path() + "/slide");
  EXPECT_NE(judgement(folder.path() + "/slide.mrxs").find("a link that leads out"), std::string::npos);
}

TEST(Plausible, FindsTilesOfAbsurdLength) {
  TemporaryFolder folder;
  Bytes bytes = tiff({});
  std::string problem;
  const std::string path = folder.write("tile.tif", bytes);
  const u64 sizes = slide::TiffIndex::open(path, problem)->directories()[0].tile_bytes.offset;
  for (int i = 0; i < 4; ++i) bytes[sizes + 4 * 3 + static_cast<u64>(i)] = 0xFF;
  folder.write("tile.tif", bytes);
  const auto index = slide::TiffIndex::open(path, problem);
  EXPECT_EQ(slide::absurd_tiles(*index, index->directories()[0]), std::vector<u64>{3});
  EXPECT_EQ(judgement(path), "") << "one bad tile must not stop a slide";
}

}  // namespace
}  // namespace morpho::test
