// Writes small OME-Zarr images of version 2 and 3, as the specifications have them, for the tests that read them.
#pragma once
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "slide/shared_library.hpp"
#include "slide/slide.hpp"
#include "slide/zarr/unpack_chunk.hpp"
#include "slide_files.hpp"

namespace morpho::test {

/// Packs by the library that unpacks; empty where it is not there.
inline Bytes deflated(const Bytes& bytes) {
  std::string error, missing;
#ifdef _WIN32
  const slide::SharedLibrary zlib("zlib1.dll", error);
#else
  const slide::SharedLibrary zlib("libz.so.1", error);
#endif
  int (*compress)(u8*, unsigned long*, const u8*, unsigned long) = nullptr;
  if (!zlib) return {};
  zlib.bind("compress", compress, missing);
  unsigned long count = bytes.size() + bytes.size() / 8 + 64;
  Bytes out(count);
  compress(out.data(), &count, bytes.data(), bytes.size());
  out.resize(count);
  return out;
}
inline Bytes by_zstd(const Bytes& bytes) {
  std::string error, missing;
  const slide::SharedLibrary zstd("libzstd.so.1", error);
  std::size_t (*compress)(void*, std::size_t, const void*, std::size_t, int) = nullptr;
  if (!zstd) return {};
  zstd.bind("ZSTD_compress", compress, missing);
  Bytes out(bytes.size() + bytes.size() / 8 + 512);
  out.resize(compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}
/// `shuffle`: 0 none, 1 bytes, 2 bits.
inline Bytes by_blosc(const Bytes& bytes, const char* codec, int shuffle, std::size_t each) {
  std::string error, missing;
  const slide::SharedLibrary blosc("libblosc.so.1", error);
  int (*compress)(int, int, std::size_t, std::size_t, const void*, void*, std::size_t, const char*, std::size_t, int) = nullptr;
  if (!blosc) return {};
  blosc.bind("blosc_compress_ctx", compress, missing);
  Bytes out(bytes.size() + 64);
  out.resize(
      static_cast<std::size_t>(compress(5, shuffle, each, bytes.size(), bytes.data(), out.data(), out.size(), codec, 0, 1)));
  return out;
}

/// An image of axes c, y, x. Chunk (c, ty, tx) of a level is what `sample` says of its px.
struct ZarrFiles {
  int version = 2;
  u64 channels = 1, width = 40, height = 24;
  u64 chunk_channels = 1, chunk_width = 16, chunk_height = 16;
  std::string type = "uint8";
  bool big_endian = false, slashes = true;
  /// JSON of version 2's compressor, or of version 3's codecs that follow on "bytes", and what they do.
  std::string codec;
  std::function<Bytes(const Bytes&)> pack = [](const Bytes& bytes) { return bytes; };
  std::string fill = "0", omero, units = R"("micrometer")", scale = "[1, 0.25, 0.5]";
  int levels = 1;
  std::function<double(u64 c, u64 y, u64 x)> sample = [](u64 c, u64 y, u64 x) { return double(100 * c + y + x); };
  /// Whether a chunk is written.
  std::function<bool(u64 c, u64 ty, u64 tx)> present = [](u64, u64, u64) { return true; };
  /// 0 = no shards; else chunks along y and x of one.
  u64 per_shard = 0;
  bool table_at_end = true;
};

inline std::size_t zarr_bytes(const std::string& type) {
  return type.ends_with("8") ? 1 : type.ends_with("16") ? 2 : type.ends_with("32") ? 4 : 8;
}

inline void put_zarr_sample(Bytes& bytes, const ZarrFiles& f, double value) {
  const auto put = [&](auto v) {
    u8 raw[sizeof v];
    std::memcpy(raw, &v, sizeof v);
    if (f.big_endian) std::reverse(raw, raw + sizeof v);
    bytes.insert(bytes.end(), raw, raw + sizeof v);
  };
  if (f.type == "uint8") put(static_cast<u8>(value));
  if (f.type == "int8") put(static_cast<std::int8_t>(value));
  if (f.type == "uint16") put(static_cast<u16>(value));
  if (f.type == "int16") put(static_cast<std::int16_t>(value));
  if (f.type == "uint32") put(static_cast<std::uint32_t>(value));
  if (f.type == "int32") put(static_cast<i32>(value));
  if (f.type == "float32") put(static_cast<float>(value));
  if (f.type == "float64") put(value);
}

inline Bytes zarr_chunk(const ZarrFiles& f, u64 c0, u64 ty, u64 tx, u64 step) {
  Bytes bytes;
  for (u64 c = 0; c < f.chunk_channels; ++c)
    for (u64 y = 0; y < f.chunk_height; ++y)
      for (u64 x = 0; x < f.chunk_width; ++x)
        put_zarr_sample(bytes, f,
                        f.sample(c0 * f.chunk_channels + c, (ty * f.chunk_height + y) * step, (tx * f.chunk_width + x) * step));
  return f.pack(bytes);
}

inline std::string zarr_list(std::initializer_list<u64> values) {
  std::string out;
  for (const u64 v : values) out += (out.empty() ? "" : ", ") + std::to_string(v);
  return "[" + out + "]";
}

inline std::string zarr_metadata(const ZarrFiles& f, u64 width, u64 height) {
  const std::string shape = zarr_list({f.channels, height, width}),
                    chunk = zarr_list({f.chunk_channels, f.chunk_height, f.chunk_width}), quote = "\"";
  if (f.version == 2) {
    const std::size_t each = zarr_bytes(f.type);
    const std::string kind = std::string(each == 1 ? "|" : f.big_endian ? ">" : "<") + f.type[0] + std::to_string(each);
    return R"({"zarr_format": 2, "shape": )" + shape + R"(, "chunks": )" + chunk + R"(, "dtype": ")" + kind +
           R"(", "order": "C", "filters": null, "compressor": )" + (f.codec.empty() ? "null" : f.codec) +
           R"(, "fill_value": )" + f.fill + R"(, "dimension_separator": ")" + (f.slashes ? "/" : ".") + "\"}";
  }
  const std::string inner = R"([{"name": "bytes", "configuration": {"endian": ")" +
                            std::string(f.big_endian ? "big" : "little") + "\"}}" + (f.codec.empty() ? "" : ", " + f.codec) +
                            "]";
  const std::string outer = zarr_list({f.chunk_channels, f.chunk_height * f.per_shard, f.chunk_width * f.per_shard});
  const std::string codecs =
      f.per_shard == 0
          ? inner
          : R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": )" + chunk + R"(, "codecs": )" + inner +
                R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}], )" +
                R"("index_location": ")" + (f.table_at_end ? "end" : "start") + "\"}}]";
  return R"({"zarr_format": 3, "node_type": "array", "shape": )" + shape + R"(, "data_type": ")" + f.type +
         R"(", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": )" + (f.per_shard == 0 ? chunk : outer) +
         R"(}}, "chunk_key_encoding": {"name": "default", "configuration": {"separator": ")" + (f.slashes ? "/" : ".") +
         R"("}}, "fill_value": )" + f.fill + R"(, "codecs": )" + codecs + "}";
}

/// Chunks with a table before or after them.
inline Bytes zarr_shard(const ZarrFiles& f, u64 c, u64 sy, u64 sx, u64 step) {
  Bytes body, table;
  const auto number = [&table](u64 v, int count) {
    for (int k = 0; k < count; ++k) table.push_back(static_cast<u8>(v >> 8 * k));
  };
  const u64 before = f.table_at_end ? 0 : f.per_shard * f.per_shard * 16 + 4;
  for (u64 y = 0; y < f.per_shard; ++y)
    for (u64 x = 0; x < f.per_shard; ++x) {
      const u64 ty = sy * f.per_shard + y, tx = sx * f.per_shard + x;
      const bool there = f.present(c, ty, tx);
      const Bytes chunk = there ? zarr_chunk(f, c, ty, tx, step) : Bytes{};
      number(there ? before + body.size() : ~u64{0}, 8);
      number(there ? chunk.size() : ~u64{0}, 8);
      body.insert(body.end(), chunk.begin(), chunk.end());
    }
  number(slide::crc32c(table.data(), table.size()), 4);
  Bytes& first = f.table_at_end ? body : table;
  const Bytes& second = f.table_at_end ? table : body;
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline Bytes text_bytes(const std::string& text) { return Bytes(text.begin(), text.end()); }

/// All files by their names in the folder. Each level is half as large as the one before.
inline std::map<std::string, Bytes> zarr_files(const ZarrFiles& f) {
  std::map<std::string, Bytes> files;
  std::string datasets;
  for (int level = 0; level < f.levels; ++level) {
    const u64 step = u64{1} << level, width = (f.width + step - 1) / step, height = (f.height + step - 1) / step;
    const std::string key = std::to_string(level);
    datasets += (level == 0 ? "" : ", ") + std::string(R"({"path": ")") + key +
                R"(", "coordinateTransformations": [{"type": "scale", "scale": )" + f.scale + "}]}";
    files[key + (f.version == 2 ? "/.zarray" : "/zarr.json")] = text_bytes(zarr_metadata(f, width, height));
    const u64 side = std::max<u64>(1, f.per_shard), across = (width + f.chunk_width * side - 1) / (f.chunk_width * side),
              down = (height + f.chunk_height * side - 1) / (f.chunk_height * side);
    for (u64 c = 0; c < (f.channels + f.chunk_channels - 1) / f.chunk_channels; ++c)
      for (u64 ty = 0; ty < down; ++ty)
        for (u64 tx = 0; tx < across; ++tx) {
          if (f.per_shard == 0 && !f.present(c, ty, tx)) continue;
          const std::string between = f.slashes ? "/" : ".";
          const std::string name = (f.version == 3 ? "c" + between : "") + std::to_string(c) + between + std::to_string(ty) +
                                   between + std::to_string(tx);
          files[key + "/" + name] = f.per_shard == 0 ? zarr_chunk(f, c, ty, tx, step) : zarr_shard(f, c, ty, tx, step);
        }
  }
  const std::string unit = f.units.empty() ? "" : R"(, "unit": )" + f.units;
  const std::string axes = R"([{"name": "c", "type": "channel"}, {"name": "y", "type": "space")" + unit +
                           R"(}, {"name": "x", "type": "space")" + unit + "}]";
  const std::string ome = R"({"version": ")" + std::string(f.version == 2 ? "0.4" : "0.5") +
                          R"(", "multiscales": [{"version": ")" + (f.version == 2 ? "0.4" : "0.5") + R"(", "axes": )" + axes +
                          R"(, "datasets": [)" + datasets + "]}]" + (f.omero.empty() ? "" : R"(, "omero": )" + f.omero) + "}";
  if (f.version == 2) {
    files[".zgroup"] = text_bytes(R"({"zarr_format": 2})");
    files[".zattrs"] = text_bytes(ome);
  } else {
    files["zarr.json"] = text_bytes(R"({"zarr_format": 3, "node_type": "group", "attributes": {"ome": )" + ome + "}}");
  }
  return files;
}

/// The path of a folder of that name with these files.
inline std::string write_zarr(const TemporaryFolder& folder, const std::string& name,
                              const std::map<std::string, Bytes>& files) {
  const auto root = std::filesystem::path(folder.path()) / name;
  for (const auto& [key, bytes] : files) {
    std::filesystem::create_directories((root / key).parent_path());
    folder.write(name + "/" + key, bytes);
  }
  return root.string();
}

inline std::string refusal_of(const std::string& path) {
  try {
    slide::open_slide(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "opened";
}

/// The samples of a channel as numbers, and what of them could not be read.
inline std::vector<double> samples_of(slide::Slide& slide, int level, int channel, const Rect& part,
                                      std::string* lost = nullptr) {
  std::vector<slide::Unreadable> unreadable;
  const slide::ChannelSamples read = slide.samples(level, channel, part, unreadable, {});
  if (lost) *lost = unreadable.empty() ? "" : unreadable.front().reason;
  EXPECT_TRUE(lost || unreadable.empty()) << unreadable.front().reason;
  std::vector<double> values;
  slide::with_type(read.type, [&](auto v) {
    for (std::size_t at = 0; at < read.bytes.size(); at += sizeof v) {
      std::memcpy(&v, read.bytes.data() + at, sizeof v);
      values.push_back(static_cast<double>(v));
    }
  });
  return values;
}

/// `files` with the text `from` in one of them changed to `to`.
inline std::map<std::string, Bytes> with_text(std::map<std::string, Bytes> files, const std::string& name,
                                              const std::string& from, const std::string& to) {
  std::string text(files.at(name).begin(), files.at(name).end());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << text;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  files[name] = text_bytes(text);
  return files;
}

}  // namespace morpho::test
