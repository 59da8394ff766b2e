// Damaged DICOM slides of every kind: nothing but an Error may come out. Under sanitizers too.
#include "../made_slides/dicom_files.hpp"
#include "mutate.hpp"
#include "slide/dicom/dicom_slide.hpp"
#include "slide/pieces/libtiff_library.hpp"
#include "slide/plausible.hpp"

namespace morpho::test {
namespace {

Bytes dicom_of(int kind) {
  DicomFile f;
  if (kind == 1) f.syntax = kImplicitLittle, f.organization = "TILED_SPARSE";
  if (kind == 2) f.syntax = kRunLength, f.offset_table = true;
  if (kind == 3) f.syntax = kRunLength, f.samples = 1, f.bits = 16, f.stored = 12, f.photometric = "MONOCHROME2";
  if (kind == 3) f.paths = {{"a", "DAPI"}, {"b", "CD8"}};
  if (kind == 4) f.planar = 1, f.planes = 2;
  const std::vector<int> values(static_cast<std::size_t>(f.samples), 100);
  for (int k = 0; k < (kind >= 3 ? 12 : 6); ++k) {
    f.frames.push_back(f.syntax == kRunLength ? run_frame(f, values) : flat_frame(f, values));
    if (kind == 1) f.places.push_back({k % 3 * 16 + 1, k / 3 * 16 + 1, "1", "0"});
  }
  return dicom_bytes(f);
}

TEST(FuzzDicom, NothingButAnErrorComesOut) {
  if (!slide::libtiff_library()) GTEST_SKIP() << slide::libtiff_status();
  TemporaryFolder folder;
  Mutator mutate(fuzz_seed());
  int opened = 0;
  std::vector<Rgba> out(64 * 48);
  for (int kind = 0; kind < 5; ++kind) {
    const Bytes whole = dicom_of(kind);
    ASSERT_TRUE(slide::open_dicom(folder.write("whole.dcm", whole))) << kind;
    for (int n = fuzz_times(150); n > 0; --n) {
      const std::string path = folder.write("a.dcm", mutate(whole));
      try {
        slide::require_plausible(path);
        const auto slide = slide::open_dicom(path);
        if (!slide) continue;
        ++opened;
        for (int level = 0; level < static_cast<int>(slide->info().levels.size()); ++level) {
          slide->read(level, -3, -2, View<Rgba>(out.data(), {64, 48}), {});
          for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
          std::vector<slide::Unreadable> lost;
          for (std::size_t c = 0; c < slide->info().channels.size(); ++c)
            slide->samples(level, static_cast<int>(c), {1, 1, 10, 10}, lost, {});
        }
        Extent extent;
        for (const std::string& name : slide->info().associated) slide->associated(name, extent);
      } catch (const Error&) {}
    }
  }
  EXPECT_GT(opened, fuzz_times(100));
}

}  // namespace
}  // namespace morpho::test
