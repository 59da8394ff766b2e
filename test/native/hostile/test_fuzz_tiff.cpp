// Damaged TIFFs of every layout through our own reader: nothing but an Error may come out. Under sanitizers too.
#include "mutate.hpp"
#include "slide/plausible.hpp"
#include "slide/tiff/tiff_slide.hpp"

namespace morpho::test {
namespace {

enum class TiffKind { pages_with_children, planar_float_strips, packed_tiles, qptiff };

/// PackBits without runs.
Bytes literal(const Bytes& bytes) {
  Bytes out;
  for (std::size_t at = 0; at < bytes.size(); at += 128) {
    const std::size_t n = std::min<std::size_t>(128, bytes.size() - at);
    out.push_back(static_cast<u8>(n - 1));
    out.insert(out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(at + n));
  }
  return out;
}

struct Page {
  u64 width = 40, height = 24, bits = 16, samples = 1, planar = 1, format = 1, compression = 1;
  bool tiled = true;
  std::string description;
  std::vector<u64> children;
};

std::vector<TiffWriter::Entry> entries_of(TiffWriter& w, const Page& p) {
  const u64 across = p.tiled ? (p.width + 15) / 16 : 1, down = p.tiled ? (p.height + 15) / 16 : (p.height + 7) / 8;
  const u64 planes = p.planar == 2 ? p.samples : 1, pieces = across * down * planes;
  const u64 px = p.tiled ? 256 : p.width * 8;
  Bytes piece(static_cast<std::size_t>(px * p.bits / 8 * (p.samples / planes)));
  for (std::size_t k = 0; k < piece.size(); ++k) piece[k] = static_cast<u8>(k * 7);
  if (p.compression != 1) piece = literal(piece);
  const u64 piece_at = w.append(piece), offsets = w.bytes.size();
  for (u64 k = 0; k < pieces; ++k) w.put(piece_at, 4);
  const u64 counts = w.bytes.size();
  for (u64 k = 0; k < pieces; ++k) w.put(piece.size(), 4);
  const u64 bits_at = w.bytes.size();
  for (u64 k = 0; k < p.samples; ++k) w.put(p.bits, 2);
  const u64 format_at = w.bytes.size();
  for (u64 k = 0; k < p.samples; ++k) w.put(p.format, 2);
  const u64 text_at = w.append(Bytes(p.description.begin(), p.description.end()));
  const u64 children_at = w.bytes.size();
  for (const u64 child : p.children) w.put(child, 4);
  const auto list = [&](u16 tag, u64 value, u64 at) {
    return TiffWriter::Entry{tag, 3, p.samples, p.samples == 1 ? value : at};
  };
  std::vector<TiffWriter::Entry> e{
      {256, 4, 1, p.width}, {257, 4, 1, p.height}, list(258, p.bits, bits_at), {259, 3, 1, p.compression}, {262, 3, 1, 1}};
  if (!p.description.empty()) e.push_back({270, 2, p.description.size(), text_at});
  if (!p.tiled) e.push_back({273, 4, pieces, pieces == 1 ? piece_at : offsets});
  e.push_back({277, 3, 1, p.samples});
  if (!p.tiled) e.insert(e.end(), {{278, 4, 1, 8}, {279, 4, pieces, pieces == 1 ? piece.size() : counts}});
  e.push_back({284, 3, 1, p.planar});
  if (p.tiled)
    e.insert(e.end(), {{322, 3, 1, 16},
                       {323, 3, 1, 16},
                       {324, 4, pieces, pieces == 1 ? piece_at : offsets},
                       {325, 4, pieces, pieces == 1 ? piece.size() : counts}});
  if (!p.children.empty()) e.push_back({330, 4, p.children.size(), p.children.size() == 1 ? p.children.front() : children_at});
  e.push_back(list(339, p.format, format_at));
  return e;
}

/// A directory that no other links to.
u64 child_of(TiffWriter& w, const Page& page) {
  const auto entries = entries_of(w, page);
  TiffWriter alone = w;
  alone.directory(entries);
  const u64 at = w.bytes.size();
  w.bytes.insert(w.bytes.end(), alone.bytes.begin() + static_cast<std::ptrdiff_t>(at), alone.bytes.end());
  return at;
}

Bytes tiff_of(TiffKind kind, bool big_endian) {
  TiffWriter w(big_endian, false);
  const auto add = [&w](const Page& page) { w.directory(entries_of(w, page)); };
  Page page;
  switch (kind) {
    case TiffKind::pages_with_children:
      page.description =
          "<?xml version=\"1.0\"?><OME><Image Name=\"a\"><Pixels DimensionOrder=\"XYCZT\" SizeX=\"40\" SizeY=\"24\" "
          "SizeC=\"2\" "
          "SizeZ=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.5\"><Channel Name=\"DAPI\" Color=\"65535\"/><Channel Name=\"CD8\"/>"
          "<TiffData IFD=\"0\" FirstC=\"0\" PlaneCount=\"1\"/><TiffData IFD=\"1\" FirstC=\"1\" PlaneCount=\"1\"/></Pixels>"
          "</Image></OME>";
      for (int k = 0; k < 2; ++k) {
        Page small;
        small.width = 20, small.height = 12;
        page.children = {child_of(w, small)};
        add(page);
        page.description.clear();
      }
      break;
    case TiffKind::planar_float_strips:
      page.bits = 32, page.samples = 3, page.planar = 2, page.format = 3, page.tiled = false;
      page.description = "ImageJ=1.54p\nimages=1\nchannels=1\nunit=micron\n";
      add(page);
      break;
    case TiffKind::packed_tiles:
      page.samples = 5, page.compression = 32773;
      add(page);
      page.width = 20, page.height = 12;
      add(page);
      break;
    case TiffKind::qptiff:
      for (const char* name : {"DAPI", "CD8"}) {
        page.description =
            "<?xml version=\"1.0\"?><PerkinElmer-QPI-ImageDescription><ImageType>FullResolution</ImageType><Name>" +
            std::string(name) + "</Name><Color>0,0,255</Color></PerkinElmer-QPI-ImageDescription>";
        add(page);
      }
      break;
  }
  return w.bytes;
}

/// All that a window, a viewer and an export ask of a slide.
void use_all(slide::TiffSlide& slide) {
  std::vector<Rgba> out(64 * 48);
  for (int level = 0; level < static_cast<int>(slide.info().levels.size()); ++level) {
    slide.read(level, -3, -2, View<Rgba>(out.data(), {64, 48}), {});
    for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
    std::vector<slide::Unreadable> lost;
    for (std::size_t c = 0; c < std::min<std::size_t>(slide.info().channels.size(), 6); ++c)
      slide.samples(level, static_cast<int>(c), {1, 1, 30, 20}, lost, {});
  }
  Extent extent;
  for (const std::string& name : slide.info().associated) slide.associated(name, extent);
}

TEST(FuzzTiff, NothingButAnErrorComesOut) {
  TemporaryFolder folder;
  Mutator mutate(fuzz_seed());
  int opened = 0;
  for (const TiffKind kind :
       {TiffKind::pages_with_children, TiffKind::planar_float_strips, TiffKind::packed_tiles, TiffKind::qptiff})
    for (const bool big_endian : {false, true}) {
      const Bytes whole = tiff_of(kind, big_endian);
      const auto good = slide::open_tiff_alone(folder.write("whole.ome.tif", whole));
      ASSERT_TRUE(good) << static_cast<int>(kind) << big_endian;
      EXPECT_EQ(good->info().levels.size(), kind == TiffKind::pages_with_children || kind == TiffKind::packed_tiles ? 2u : 1u);
      EXPECT_TRUE(good->read(0, 0, 0, View<Rgba>(std::vector<Rgba>(64).data(), {8, 8}), {}).empty());
      for (int n = fuzz_times(60); n > 0; --n) {
        const std::string path = folder.write("a.ome.tif", mutate(whole));
        try {
          // What every opening judges first.
          slide::require_plausible(path);
          if (const auto slide = slide::open_tiff_alone(path)) {
            ++opened;
            use_all(*slide);
          }
        } catch (const Error&) {}
      }
    }
  EXPECT_GT(opened, fuzz_times(80));
}

TEST(FuzzTiff, SubIfdsThatFormALoopEndAndAreTold) {
  TemporaryFolder folder;
  TiffWriter w(false, false);
  Page page;
  page.children = {8, 8, 8};
  w.directory(entries_of(w, page));
  const auto slide = slide::open_tiff_alone(folder.write("loop.tif", w.bytes));
  ASSERT_TRUE(slide);
  EXPECT_EQ(slide->info().levels.size(), 1u);
  const auto& warnings = slide->info().warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                          [](const std::string& text) { return text.find("Smaller levels of the file") == 0; }));
}

TEST(FuzzTiff, OffsetsBeyondTheFileAreUnreadableParts) {
  TemporaryFolder folder;
  TiffWriter w(false, true);
  w.directory({{256, 4, 1, 16},
               {257, 4, 1, 16},
               {258, 3, 1, 16},
               {259, 3, 1, 1},
               {262, 3, 1, 1},
               {277, 3, 1, 1},
               {322, 3, 1, 16},
               {323, 3, 1, 16},
               {324, 16, 1, u64{5} << 32},
               {325, 4, 1, 512}});
  const auto slide = slide::open_tiff_alone(folder.write("far.tif", w.bytes));
  ASSERT_TRUE(slide);
  std::vector<Rgba> out(256);
  const auto lost = slide->read(0, 0, 0, View<Rgba>(out.data(), {16, 16}), {});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_THAT(lost.front().reason, testing::HasSubstr("21474836480"));
}

}  // namespace
}  // namespace morpho::test
