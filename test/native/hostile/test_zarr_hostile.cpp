// OME-Zarr that is refused, damaged or hostile, and the JSON in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "slide/zarr/codec_libraries.hpp"
#include "slide/zarr/zarr_slide.hpp"
#include "../made_slides/zarr_files.hpp"

namespace morpho::test {
namespace {

using testing::HasSubstr;

TEST(Zarr, WhatIsNotReadIsRefusedInWords) {
  TemporaryFolder folder;
  const auto why = [&](int version, const std::string& from, const std::string& to) {
    ZarrFiles f;
    f.version = version;
    f.type = "uint16";
    const std::string path = folder.path() + "/a.ome.zarr";
    std::filesystem::remove_all(path);
    return refusal_of(
        write_zarr(folder, "a.ome.zarr", with_text(zarr_files(f), version == 2 ? "0/.zarray" : "0/zarr.json", from, to)));
  };
  EXPECT_THAT(why(2, R"("C")", R"("F")"), HasSubstr("in the order \"F\""));
  EXPECT_THAT(why(2, R"("<u2")", R"("<i8")"), HasSubstr("samples are \"<i8\""));
  EXPECT_THAT(why(2, R"("filters": null)", R"("filters": [{"id": "delta"}])"), HasSubstr("filters (\"delta\")"));
  EXPECT_THAT(why(2, R"("compressor": null)", R"("compressor": {"id": "lz4"})"), HasSubstr("packed by \"lz4\""));
  EXPECT_THAT(why(2, "[1, 16, 16]", "[1, 0, 16]"), HasSubstr("a side that is not from 1"));
  EXPECT_THAT(why(2, "[1, 16, 16]", "[16, 16]"), HasSubstr("has 2 axes, and its shape 3"));
  EXPECT_THAT(why(2, "[1, 24, 40]", "[1, 24, 99999999999]"), HasSubstr("a side that is not from 1"));
  EXPECT_THAT(why(2, "[1, 24, 40]", "[9999, 24, 40]"), HasSubstr("9999 channels"));
  EXPECT_THAT(why(2, "[1, 24, 40]", "[1, 67108864, 67108864]"), HasSubstr("too small for its size"));
  EXPECT_THAT(why(2, "[1, 16, 16]", "[1, 65536, 65536]"), HasSubstr("more than 512 MiB each"));
  EXPECT_THAT(why(2, R"("fill_value": 0)", R"("fill_value": 1.5)"), HasSubstr("fill value"));
  EXPECT_THAT(why(2, R"("zarr_format": 2)", R"("zarr_format": 9)"), HasSubstr("no Zarr format"));
  const std::string bytes = R"({"name": "bytes")", transpose = R"({"name": "transpose", "configuration": {"order": )";
  EXPECT_THAT(why(3, bytes, transpose + "[2, 1, 0]}}, " + bytes), HasSubstr("transposed"));
  EXPECT_EQ(why(3, bytes, transpose + "[0, 1, 2]}}, " + bytes), "opened");
  EXPECT_THAT(why(3, bytes, R"({"name": "vlen-utf8")"), HasSubstr("\"vlen-utf8\""));
  EXPECT_THAT(why(3, R"("regular")", R"("rectangular")"), HasSubstr("no regular grid"));
  EXPECT_THAT(why(3, R"("uint16")", R"("complex64")"), HasSubstr("samples are \"complex64\""));
}

TEST(Zarr, HostileFoldersAreRefusedOrUnreadable) {
  TemporaryFolder folder;
  const auto good = zarr_files(ZarrFiles{});
  const auto refused = [&](const std::map<std::string, Bytes>& files) {
    std::filesystem::remove_all(folder.path() + "/a.zarr");
    return refusal_of(write_zarr(folder, "a.zarr", files));
  };
  for (const char* path : {"../0", "/etc", "0/../../x", "", ".", "c:0", "0\\\\..", "0//1"})
    EXPECT_THAT(refused(with_text(good, ".zattrs", R"({"path": "0")", R"({"path": ")" + std::string(path) + "\"")),
                HasSubstr("no place in its folder"))
        << path;
  auto files = good;
  files[".zattrs"] = Bytes(1u << 20, '[');
  EXPECT_THAT(refused(files), HasSubstr("nests deeper"));
  std::string list = "[0";
  for (int k = 0; k < 600000; ++k) list += ",0";
  files[".zattrs"] = text_bytes(list + "]");
  EXPECT_THAT(refused(files), HasSubstr("more than 524288 values"));
  files[".zattrs"] = Bytes((16u << 20) + 1, ' ');
  EXPECT_THAT(refused(files), HasSubstr("no metadata has"));
  files[".zattrs"] = text_bytes(R"({"a": 1, "a": 2})");
  EXPECT_THAT(refused(files), HasSubstr("\"a\" twice"));
  files = good;
  std::erase_if(files, [](const auto& file) { return file.first.starts_with("0/0"); });
  EXPECT_THAT(refused(files), HasSubstr("holds no chunk"));
}

TEST(Zarr, ChunksThatLieAreUnreadableAlone) {
  TemporaryFolder folder;
  const auto reason = [&](ZarrFiles f, const std::function<void(Bytes&)>& damage) {
    auto files = zarr_files(f);
    damage(files.at(f.version == 2 ? "0/0/0/0" : "0/c/0/0/0"));
    std::filesystem::remove_all(folder.path() + "/a.zarr");
    const auto slide = slide::open_slide(write_zarr(folder, "a.zarr", files));
    std::string lost;
    samples_of(*slide, 0, 0, {0, 0, 1, 1}, &lost);
    EXPECT_EQ(f.per_shard == 0 ? samples_of(*slide, 0, 0, {17, 0, 1, 1}).front() : 17, 17);
    return lost;
  };
  ZarrFiles raw;
  EXPECT_THAT(reason(raw, [](Bytes& b) { b.push_back(0); }), HasSubstr("holds 257 bytes, and its shape has 256"));
  EXPECT_THAT(reason(raw, [](Bytes& b) { b.resize(3); }), HasSubstr("holds 3 bytes"));
  ZarrFiles packed;
  packed.codec = R"({"id": "zlib"})";
  packed.pack = deflated;
  const Bytes bomb(1u << 24, 0);
  EXPECT_THAT(reason(packed, [&](Bytes& b) { b = deflated(bomb); }), HasSubstr("more than the 256 bytes of its shape"));
  EXPECT_THAT(reason(packed, [](Bytes& b) { b.resize(b.size() / 2); }), HasSubstr("zlib cannot unpack"));
  packed.codec = R"({"id": "zstd"})";
  packed.pack = by_zstd;
  EXPECT_THAT(reason(packed, [&](Bytes& b) { b = by_zstd(bomb); }), HasSubstr("Zstandard cannot unpack it to the 256 bytes"));
  if (slide::blosc_library()) {
    packed.codec = R"({"id": "blosc"})";
    packed.pack = [](const Bytes& b) { return by_blosc(b, "lz4", 1, 1); };
    EXPECT_THAT(reason(packed, [&](Bytes& b) { b = by_blosc(bomb, "lz4", 1, 1); }),
                HasSubstr("16777216 bytes, more than the 256"));
    EXPECT_THAT(reason(packed, [](Bytes& b) { b.resize(b.size() - 1); }), HasSubstr("none of Blosc's"));
  }
  ZarrFiles sharded;
  sharded.version = 3;
  sharded.per_shard = 2;
  EXPECT_THAT(reason(sharded, [](Bytes& b) { b.back() ^= 1; }), HasSubstr("checksum of its shard's table"));
  EXPECT_THAT(reason(sharded, [](Bytes& b) { b.resize(10); }), HasSubstr("shorter than its table"));
  EXPECT_THAT(reason(sharded, [](Bytes& b) { b.erase(b.begin(), b.begin() + 900); }), HasSubstr("its shard ends before it"));
}

#ifndef _WIN32
TEST(Zarr, NoLinkOrPipeIsFollowedOutOfTheFolder) {
  TemporaryFolder folder;
  const auto files = zarr_files(ZarrFiles{});
  const std::filesystem::path outside = write_zarr(folder, "outside.zarr", files), inside = write_zarr(folder, "a.zarr", files);
  const auto slide = slide::open_slide(inside.string());
  std::string lost;
  const auto look = [&](const std::filesystem::path& replaced) {
    samples_of(*slide, 0, 0, {0, 0, 1, 1}, &lost);
    std::filesystem::remove_all(replaced);
    write_zarr(folder, "a.zarr", files);
    return lost;
  };
  std::filesystem::remove(inside / "0/0/0/0");
  std::filesystem::create_symlink(outside / "0/0/0/0", inside / "0/0/0/0");
  EXPECT_THAT(look(inside / "0/0/0/0"), HasSubstr("leads out of the folder"));
  std::filesystem::remove_all(inside / "0/0/0");
  std::filesystem::create_directory_symlink(outside / "0/0/0", inside / "0/0/0");
  EXPECT_THAT(look(inside / "0/0/0"), HasSubstr("leads out of the folder"));
  std::filesystem::remove(inside / "0/0/0/0");
  ASSERT_EQ(mkfifo((inside / "0/0/0/0").c_str(), 0600), 0);
  EXPECT_THAT(look(inside / "0/0/0/0"), HasSubstr("no regular file"));
  std::filesystem::remove(inside / "0/0/0/0");
  std::filesystem::create_symlink("1", inside / "0/0/0/0");
  EXPECT_EQ(look(inside / "0/0/0/0"), "");
  std::filesystem::remove_all(inside);
  samples_of(*slide, 0, 0, {0, 0, 1, 1}, &lost);
  EXPECT_THAT(lost, HasSubstr("folder is gone"));
}
#endif

TEST(Zarr, TheChecksumIsCastagnolis) {
  const Bytes known = text_bytes("123456789");
  EXPECT_EQ(slide::crc32c(known.data(), known.size()), 0xE3069283u);
}

TEST(Json, ReadsWhatIsJsonAndNothingElse) {
  const auto wrong = [](const std::string& text) {
    try {
      slide::read_json(text);
    } catch (const slide::JsonError&) {
      return true;
    }
    return false;
  };
  for (const char* text :
       {"",          "{",   "[1,]", "{\"a\" 1}", "{a: 1}", "01",      "1.", "1e",    "+1",  ".5",  "\"\n\"", "\"\\x\"",
        "\"\\u12\"", "nul", "tru",  "[1] 2",     "'a'",    "// a\n1", "-",  "[1 2]", "\"a", "--1", "0x10"})
    EXPECT_TRUE(wrong(text)) << text;
  const slide::Json json = slide::read_json(R"( {"a": [1, -2.5e1, true, false, null, "\u00e9\ud83d\ude00\ud800\n"], "": {}} )");
  const auto& items = json["a"].items;
  ASSERT_EQ(items.size(), 6u);
  EXPECT_EQ(items[1].number, -25);
  EXPECT_TRUE(items[2].boolean);
  EXPECT_FALSE(items[3].boolean);
  EXPECT_EQ(items[5].text, "\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD\n");
  EXPECT_EQ(json["b"]["c"].items.size(), 0u);
  EXPECT_EQ(items[0].count(), 1u);
  EXPECT_FALSE(items[1].count());
  EXPECT_TRUE(std::isinf(slide::read_json("1e999").number));
  EXPECT_TRUE(std::isnan(slide::read_json("[NaN]").items[0].number));
}

}  // namespace
}  // namespace morpho::test
