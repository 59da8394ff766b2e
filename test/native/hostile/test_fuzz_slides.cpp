// Ten thousand damaged files through our own readers of hostile bytes: nothing but an Error may come out. Under sanitizers too.
#include <array>
#include <cmath>
#include <limits>

#include "engine/window/read_scaled.hpp"
#include "mutate.hpp"
#include "slide/ini_text.hpp"
#include "slide/jpeg_splice.hpp"
#include "slide/openslide_reader.hpp"
#include "slide/plausible.hpp"
#include "slide/refusal.hpp"
#include "slide/slide_metadata.hpp"

namespace morpho::test {
namespace {

Bytes bytes_of(const std::string& s) { return Bytes(s.begin(), s.end()); }

Bytes jpeg_with_restarts() {
  Bytes out{0xFF, 0xD8};
  join(out, jpeg_frame(640, 480, 3));
  join(out, jpeg_segment(0xDB, Bytes(65, 1)));
  join(out, jpeg_segment(0xC4, Bytes(20, 0)));
  join(out, jpeg_segment(0xDD, {0, 8}));
  join(out, jpeg_segment(0xDA, {3, 1, 0, 2, 0, 3, 0, 0, 63, 0}));
  join(out, Bytes(800, 0x55));
  join(out, {0xFF, 0xD9});
  return out;
}

/// Two directories of 40×20 and 20×10 px in tiles of 16×16, with a text where each vendor keeps one.
Bytes tiff(bool big_endian, bool big, const std::string& description, const std::string& software, const std::string& xmp,
           bool ndpi) {
  TiffWriter w(big_endian, big);
  const Bytes tables = jpeg_tables(), tile = jpeg_tile(16, 16), strip = jpeg_with_restarts();
  const u64 tables_at = w.append(tables), tile_at = w.append(tile), strip_at = w.append(strip);
  const u64 description_at = w.append(bytes_of(description)), software_at = w.append(bytes_of(software));
  const u64 xmp_at = w.append(bytes_of(xmp));
  for (u64 level : {u64{1}, u64{2}}) {
    const u64 tiles = level == 1 ? 6 : 2, offsets = w.bytes.size();
    for (u64 k = 0; k < tiles; ++k) w.put(tile_at, 4);
    const u64 sizes = w.bytes.size();
    for (u64 k = 0; k < tiles; ++k) w.put(tile.size(), 4);
    std::vector<TiffWriter::Entry> e{{256, 4, 1, ndpi ? 640 / level : 40 / level},
                                     {257, 4, 1, ndpi ? 480 / level : 20 / level},
                                     {258, 3, 1, 8},
                                     {259, 3, 1, 7},
                                     {262, 3, 1, 6},
                                     {270, 2, description.size(), description_at}};
    if (ndpi) {
      e.insert(e.end(), {{273, 4, 1, strip_at},
                         {277, 3, 1, 3},
                         {278, 4, 1, 480 / level},
                         {279, 4, 1, strip.size()},
                         {65420, 4, 1, 1},
                         {65426, 4, 1, 200}});
    } else {
      e.insert(e.end(), {{277, 3, 1, 3},
                         {305, 2, software.size(), software_at},
                         {322, 3, 1, 16},
                         {323, 3, 1, 16},
                         {324, 4, tiles, offsets},
                         {325, 4, tiles, sizes},
                         {347, 7, tables.size(), tables_at}});
      if (!xmp.empty()) e.push_back({700, 1, xmp.size(), xmp_at});
    }
    w.directory(e);
    // NDPI links its directories with 8 bytes.
    if (ndpi) w.put(0, 4);
  }
  return w.bytes;
}

struct Seed {
  std::string name, file;
  Bytes bytes;
  std::vector<std::pair<std::string, Bytes>> beside;  ///< other files of the slide: one of them is damaged as often
};

std::vector<Seed> seeds() {
  const std::string ome =
      "<?xml version=\"1.0\"?><OME><Image><Pixels PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.5\" SizeX=\"40\" "
      "SizeY=\"20\"/></Image></OME>";
  const std::string philips =
      "<?xml?><DataObject ObjectType=\"DPUfsImport\"><Attribute Name=\"PIM_DP_UFS\">\"0.5\" \"0.5\"</Attribute></DataObject>";
  const std::string leica =
      "<?xml?><scn xmlns=\"http://www.leica-microsystems.com/scn/2010/10/01\"><collection sizeX=\"2004009\" "
      "sizeY=\"2004009\"><image><pixels><dimension sizeX=\"40\" sizeY=\"20\" r=\"0\" "
      "ifd=\"0\"/></pixels></image></collection></scn>";
  const std::string ventana =
      "<EncodeInfo Ver=\"2\"><SlideStitchInfo><ImageInfo AOIScanned=\"1\" NumRows=\"2\" NumCols=\"3\" Width=\"16\" "
      "Height=\"16\"><TileJointInfo OverlapX=\"4\" OverlapY=\"0\"/></ImageInfo></SlideStitchInfo></EncodeInfo>";
  const std::string vms =
      "[Virtual Microscope Specimen]\r\nNoLayers=1\r\nNoJpegColumns=2\r\nNoJpegRows=1\r\nImageFile=a.jpg\r\n"
      "ImageFile(1,0)=b.jpg\r\nMapFile=map.jpg\r\nMacroImage=map.jpg\r\nOptimisationFile=x.opt\r\n";
  const std::string
      vmu = "[Uncompressed Virtual Microscope Specimen]\nImageFile=a.ngr\nMapFile=a.ngr\nBitsPerPixel=36\nPixelOrder=RGB\n";
  const std::string slidedat =
      "[GENERAL]\nSLIDE_ID=X\nIMAGENUMBER_X=4\nIMAGENUMBER_Y=4\nCameraImageDivisionsPerSide=2\n[HIERARCHICAL]\nHIER_COUNT=1\n"
      "NONHIER_COUNT=1\nINDEXFILE=Index.dat\nHIER_0_COUNT=1\nHIER_0_VAL_0_SECTION=L0\nNONHIER_0_NAME=VIMSLIDE_POSITION_BUFFER\n"
      "NONHIER_0_COUNT=1\n[L0]\nIMAGE_CONCAT_FACTOR=0\nOVERLAP_X=8\nOVERLAP_Y=8\nDIGITIZER_WIDTH=64\nDIGITIZER_HEIGHT=64\n"
      "[DATAFILE]\nFILE_COUNT=1\nFILE_0=Data0000.dat\n";
  Bytes ngr{'G', 'N', 0, 0}, index{'0', '1', '.', '0', '2', 'X'};
  const auto words = [](Bytes& to, std::initializer_list<std::uint32_t> values) {
    for (std::uint32_t v : values)
      for (int i = 0; i < 4; ++i) to.push_back(static_cast<u8>(v >> 8 * i));
  };
  words(ngr, {64, 64, 64, 0, 0, 28, 0});
  // Two roots; the level's table, page and image; the layer's table, page and record of positions.
  words(index, {14, 54, 18, 0, 26, 1, 0, 0, 0, 100, 0, 0, 58, 0, 66, 1, 0, 0, 0, 0, 36, 0});
  const Bytes jpeg = jpeg_with_restarts();
  std::vector<Seed> all{
      {"classic TIFF", "a.tif", tiff(false, false, "Aperio Image Library |AppMag = 20|MPP = 0.499", "", "", false), {}},
      {"big-endian TIFF", "a.tif", tiff(true, false, ome, "", "", false), {}},
      {"BigTIFF", "a.tif", tiff(false, true, "level=0 mag=20", "", ventana, false), {}},
      {"big-endian BigTIFF", "a.tif", tiff(true, true, leica, "", "", false), {}},
      {"OME-TIFF", "a.ome.tif", tiff(false, false, ome, "", "", false), {}},
      {"Philips", "a.tiff", tiff(false, false, philips, "Philips DP v1.0", "", false), {}},
      {"Leica", "a.scn", tiff(false, true, leica, "", "", false), {}},
      {"Trestle",
       "a.tif",
       tiff(false, false, "Objective Power=20;OverlapsXY= 4 4 2 2;Background Color=e6e6e6", "MedScan", "", false),
       {}},
      {"Ventana", "a.bif", tiff(false, true, "level=0 mag=20", "", ventana, false), {}},
      {"NDPI", "a.ndpi", tiff(false, false, "x", "", "", true), {}},
      {"VMS", "a.vms", bytes_of(vms), {{"a.jpg", jpeg}, {"b.jpg", jpeg}, {"map.jpg", jpeg}}},
      {"VMU", "a.vmu", bytes_of(vmu), {{"a.ngr", ngr}}},
      {"MIRAX",
       "a.mrxs",
       Bytes{},
       {{"a/Slidedat.ini", bytes_of(slidedat)}, {"a/Index.dat", index}, {"a/Data0000.dat", Bytes(64, 0)}}},
      {"PNG",
       "a.png",
       Bytes{0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 1, 0, 0, 0, 1, 0, 8, 2, 0, 0, 0},
       {}},
      {"JPEG", "a.jpg", jpeg, {}},
  };
  Bytes dicom(200, 0);
  std::copy_n("DICM", 4, dicom.begin() + 128);
  all.push_back({"DICOM", "a.dcm", dicom, {}});
  return all;
}

/// Everything that reads the file before, beside and after OpenSlide.
void read_everything(const std::string& path) {
  std::string problem;
  if (const auto index = slide::TiffIndex::open(path, problem)) {
    for (const slide::TiffDirectory& d : index->directories()) {
      const Bytes tables = index->jpeg_tables(d);
      for (u64 k = 0; k < 8; ++k) {
        const auto tile = index->tile_bytes(d, k % 4, k / 4);
        index->tile_is_absent(d, k % 4, k / 4);
        if (tile) slide::splice_jpeg(*tile, tables, {d.tile_width, d.tile_height, d.photometric, d.samples});
      }
      slide::absurd_tiles(*index, d);
      index->text(d.description);
      slide::jpeg_header(index->file(), index->item(d.strip_offsets, 0).value_or(0));
    }
  }
  try {
    slide::require_plausible(path);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::slide_unreadable);
    EXPECT_EQ(slide::valid_utf8(e.what()), e.what());
  }
  for (const char* said : {"", "Can't read JPEG \xFF at 7."}) slide::refusal(path, said, "OpenSlide 3.4.1");
}

TEST(FuzzSlides, FilesOfEveryFormat) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() + "/a");
  Mutator mutate(fuzz_seed());
  int mutants = 0;
  for (const Seed& s : seeds()) {
    for (const auto& [name, bytes] : s.beside) folder.write(name, bytes);
    const std::string path = folder.write(s.file, s.bytes);
    EXPECT_NO_THROW(slide::require_plausible(path)) << s.name;
    const auto file = [&](std::size_t k) {
      return k == s.beside.size() ? std::pair{s.file, &s.bytes} : std::pair{s.beside[k].first, &s.beside[k].second};
    };
    std::size_t damaged = s.beside.size();
    for (int round = 0; round < fuzz_times(550); ++round, ++mutants) {
      const std::size_t which = mutate.below(s.beside.size() + 1);
      if (which != damaged) folder.write(file(damaged).first, *file(damaged).second);
      folder.write(file(which).first, mutate(*file(which).second));
      damaged = which;
      read_everything(path);
    }
  }
  EXPECT_GE(mutants, 8800);
}

TEST(FuzzSlides, TheBundledSample) {
  TemporaryFolder folder;
  Mutator mutate(fuzz_seed() + 1);
  const Bytes sample = read_all(std::string(MORPHO_ASSETS) + "/samples/CMU-1-Small-Region.svs");
  // What is read of it: the directories lie at 1.27 MB and behind, the tiles before.
  for (int round = 0; round < fuzz_times(60); ++round) read_everything(folder.write("a.svs", mutate(sample)));
}

TEST(FuzzSlides, JpegTiles) {
  Mutator mutate(fuzz_seed() + 2);
  for (int round = 0; round < fuzz_times(5000); ++round) {
    const Bytes tile = mutate(jpeg_tile(16, 16)), tables = mutate.chance(50) ? mutate(jpeg_tables()) : jpeg_tables();
    const auto out = slide::splice_jpeg(tile, tables, {16, 16, 6, 3});
    EXPECT_LE(out ? out->size() : 0, tile.size() + tables.size() + 16);
  }
}

TEST(FuzzSlides, PropertiesAndTexts) {
  Mutator mutate(fuzz_seed() + 3);
  const std::string ome = "<OME><Pixels PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"µm\" PhysicalSizeY=\"0.5\"/></OME>";
  for (int round = 0; round < fuzz_times(3000); ++round) {
    slide::SlideInfo info;
    info.levels = {{1000, 800, 1, 0, 0}};
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, std::string>>{{"openslide.mpp-x", "0.499"},
                                                                    {"openslide.mpp-y", "0.499"},
                                                                    {"tiff.XResolution", "20000.5"},
                                                                    {"tiff.YResolution", "20000.5"},
                                                                    {"tiff.ResolutionUnit", "centimeter"},
                                                                    {"tiff.ImageDescription", ome},
                                                                    {"openslide.objective-power", "20"},
                                                                    {"openslide.bounds-x", "10"},
                                                                    {"openslide.bounds-y", "10"},
                                                                    {"openslide.bounds-width", "500"},
                                                                    {"openslide.bounds-height", "500"},
                                                                    {"openslide.background-color", "F0E8A0"}}) {
      const Bytes text = mutate.chance(40) ? mutate(bytes_of(value)) : bytes_of(value);
      if (!mutate.chance(10)) info.properties[name] = slide::valid_utf8(std::string(text.begin(), text.end()));
    }
    slide::interpret_properties(info);
    EXPECT_TRUE(info.mpp_x == 0 || (info.mpp_x >= 0.01 && info.mpp_x <= 100));
    EXPECT_TRUE(std::isfinite(info.mpp_y) && std::isfinite(info.objective_power));
    EXPECT_GE(info.bounds.x, 0);
    EXPECT_LE(info.bounds.x + info.bounds.width, 1000);
    EXPECT_LE(info.bounds.y + info.bounds.height, 800);
    for (const std::string& w : info.warnings) EXPECT_EQ(slide::valid_utf8(w), w);
  }
}

// ---------------------------------------------------------------- an OpenSlide that says anything

struct Fake {
  Mutator random{1};
  std::vector<std::array<i64, 2>> sizes;
  std::vector<double> downsamples;
  std::map<std::string, std::string> properties;
  std::vector<const char*> names{nullptr};
  int failing_percent = 0;
  bool failed = false;
} fake;

slide::OpenSlideLibrary fake_library() {
  slide::OpenSlideLibrary f{};
  using Handle = slide::OpenSlideHandle;
  f.detect_vendor = [](const char*) -> const char* { return "aperio"; };
  f.open = [](const char*) {
    fake.failed = false;
    return fake.random.chance(fake.failing_percent / 4) ? nullptr : reinterpret_cast<Handle*>(&fake);
  };
  f.close = [](Handle*) {};
  f.get_level_count = [](Handle*) { return static_cast<std::int32_t>(fake.sizes.size()); };
  f.get_level_dimensions = [](Handle*, std::int32_t level, i64* w, i64* h) {
    *w = fake.sizes[static_cast<std::size_t>(level)][0];
    *h = fake.sizes[static_cast<std::size_t>(level)][1];
  };
  f.get_level_downsample = [](Handle*, std::int32_t level) { return fake.downsamples[static_cast<std::size_t>(level)]; };
  f.read_region = [](Handle*, std::uint32_t* dest, i64, i64, std::int32_t, i64 w, i64 h) {
    fake.failed |= fake.random.chance(fake.failing_percent);
    std::fill_n(dest, w * h, fake.failed ? 0u : fake.random.chance(50) ? 0x80402010u : 0xFF102030u);
  };
  f.get_error = [](Handle*) -> const char* { return fake.failed ? "damaged \xFF" : nullptr; };
  f.get_property_names = [](Handle*) -> const char* const* { return fake.names.data(); };
  f.get_property_value = [](Handle*, const char* name) -> const char* { return fake.properties[name].c_str(); };
  f.get_associated_image_names = [](Handle*) -> const char* const* {
    static const char* const names[] = {"label", "\xFF", nullptr};
    return names;
  };
  f.get_associated_image_dimensions = [](Handle*, const char*, i64* w, i64* h) {
    *w = static_cast<i64>(fake.random.chance(50) ? 20 : fake.random.awkward(100));
    *h = static_cast<i64>(fake.random.chance(50) ? 30 : fake.random.awkward(100));
  };
  f.read_associated_image = [](Handle*, const char*, std::uint32_t* dest) { dest[0] = 0; };
  f.get_version = []() -> const char* { return "0.0 fake"; };
  return f;
}

TEST(FuzzSlides, AnOpenSlideThatSaysAnything) {
  TemporaryFolder folder;
  Mutator mutate(fuzz_seed() + 4);
  const slide::OpenSlideLibrary library = fake_library();
  const Seed file = seeds().front();
  const std::string path = folder.write(file.file, file.bytes);
  int opened = 0;
  for (int round = 0; round < fuzz_times(1500); ++round) {
    fake.random = Mutator(fuzz_seed() + 5 + static_cast<std::uint32_t>(round));
    fake.failing_percent = mutate.chance(50) ? 0 : 20;
    fake.sizes = {{40, 20}, {20, 10}, {5, 3}};
    fake.downsamples = {1, 2, 7.5};
    for (std::size_t level = 0; level < 3; ++level) {
      if (mutate.chance(25)) fake.sizes[level][mutate.below(2)] = static_cast<i64>(mutate.awkward(100));
      if (mutate.chance(25)) {
        const double odd[] = {
            0, -1, 0.5, 1e-300, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 3};
        fake.downsamples[level] = odd[mutate.below(std::size(odd))];
      }
    }
    fake.properties.clear();
    for (const char* name : {"openslide.level[0].tile-width", "openslide.level[0].tile-height", "openslide.level[1].tile-width",
                             "openslide.level[1].tile-height", "openslide.mpp-x", "openslide.bounds-x"}) {
      const Bytes text = mutate.chance(30) ? mutate(bytes_of("16")) : bytes_of("16");
      fake.properties[name] = std::string(text.begin(), text.end());
    }
    fake.names.clear();
    for (const auto& [name, value] : fake.properties) fake.names.push_back(name.c_str());
    fake.names.push_back(nullptr);
    if (mutate.chance(30)) folder.write(file.file, mutate(file.bytes));
    try {
      slide::OpenSlideReader reader(library, path);
      ++opened;
      Workspace workspace;
      Context ctx{workspace};
      std::vector<Rgba> out(64 * 48);
      for (double s : {1.0, 2.0, 7.5, 3.3}) {
        const engine::ReadLimits limits{{}, mutate.chance(50) ? 4.0 : 0.0};
        (void)engine::read_scaled(cpu::table(), ctx, reader, s, -3, -2, View<Rgba>(out.data(), {64, 48}), limits);
        for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
      }
      for (int level = 0; level < static_cast<int>(reader.info().levels.size()); ++level) reader.tile_jpeg(level, 0, 0);
      Extent extent;
      // Up to 32 Mpx, several times.
      if (mutate.chance(4)) reader.associated("label", extent);
    } catch (const Error&) {}
    folder.write(file.file, file.bytes);
  }
  EXPECT_GT(opened, fuzz_times(300));
}

}  // namespace
}  // namespace morpho::test
