// Damaged OME-Zarr folders of every kind: nothing but an Error may come out. Under sanitizers too.
#include "mutate.hpp"
#include "slide/zarr/codec_libraries.hpp"
#include "slide/zarr/zarr_slide.hpp"
#include "../made_slides/zarr_files.hpp"

namespace morpho::test {
namespace {

constexpr int kKinds = 6;

ZarrFiles zarr_of(int kind) {
  ZarrFiles f;
  f.levels = 2;
  f.type = kind % 2 == 0 ? "uint16" : "float32";
  f.version = kind < 2 ? 2 : 3;
  if (kind == 1) f.codec = R"({"id": "zlib", "level": 1})", f.pack = deflated;
  if (kind == 2) f.codec = R"({"name": "zstd", "configuration": {"level": 0}}, {"name": "crc32c"})";
  if (kind == 2)
    f.pack = [](const Bytes& bytes) {
      Bytes out = by_zstd(bytes);
      const std::uint32_t sum = slide::crc32c(out.data(), out.size());
      for (int k = 0; k < 4; ++k) out.push_back(static_cast<u8>(sum >> 8 * k));
      return out;
    };
  if (kind == 3) f.per_shard = 2, f.channels = f.chunk_channels = 3;
  if (kind == 4) f.per_shard = 2, f.table_at_end = false, f.codec = R"({"name": "gzip"})", f.pack = deflated;
  if (kind == 5 && slide::blosc_library())
    f.codec = R"({"name": "blosc"})", f.pack = [](const Bytes& b) { return by_blosc(b, "lz4", 1, 4); };
  f.omero = R"({"channels": [{"label": "DAPI", "color": "0000FF", "window": {"start": 0, "end": 100}}]})";
  return f;
}

TEST(FuzzZarr, NothingButAnErrorComesOut) {
  if (!slide::zlib_library() || !slide::zstd_library()) GTEST_SKIP() << slide::zlib_status() << slide::zstd_status();
  TemporaryFolder folder;
  Mutator mutate(fuzz_seed());
  int opened = 0;
  std::vector<Rgba> out(64 * 48);
  for (int kind = 0; kind < kKinds; ++kind) {
    const auto whole = zarr_files(zarr_of(kind));
    ASSERT_TRUE(slide::open_zarr(write_zarr(folder, "whole" + std::to_string(kind), whole))) << kind;
    for (int n = fuzz_times(120); n > 0; --n) {
      auto files = whole;
      for (std::size_t rounds = 1 + mutate.below(2); rounds > 0; --rounds) {
        auto file = std::next(files.begin(), static_cast<std::ptrdiff_t>(mutate.below(files.size())));
        // Metadata are few, and decide all.
        if (mutate.chance(60))
          while (!file->first.ends_with("json") && file->first.find(".z") == std::string::npos)
            file = std::next(files.begin(), static_cast<std::ptrdiff_t>(mutate.below(files.size())));
        if (mutate.chance(10)) files.erase(file);
        else file->second = mutate(file->second);
      }
      const std::string path = write_zarr(folder, "a", files);
      try {
        const auto slide = slide::open_zarr(path);
        if (slide) {
          ++opened;
          for (int level = 0; level < static_cast<int>(slide->info().levels.size()); ++level) {
            slide->read(level, -3, -2, View<Rgba>(out.data(), {64, 48}), {});
            for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
            std::vector<slide::Unreadable> lost;
            for (std::size_t c = 0; c < std::min<std::size_t>(4, slide->info().channels.size()); ++c)
              slide->samples(level, static_cast<int>(c), {1, 1, 10, 10}, lost, {});
          }
        }
      } catch (const Error&) {}
      std::filesystem::remove_all(path);
    }
  }
  EXPECT_GT(opened, fuzz_times(100));
}

}  // namespace
}  // namespace morpho::test
