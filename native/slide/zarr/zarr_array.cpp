// Holds each statement against what is read here, in the words of either version.
#include "zarr_array.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "../calibration/pixel_size.hpp"
#include "../plausible.hpp"
#include "../slide_metadata.hpp"
#include "codec_libraries.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostAxes = 8, kMostCodecs = 8;
/// A table of 16 MiB; writers make shards of some thousand chunks.
constexpr u64 kMostChunksOfShard = u64{1} << 20;

[[noreturn]] void lacks(const std::string& what) { throw PieceError(what); }

std::string stated_text(const Json& value) {
  if (value.is(Json::Kind::text)) return "\"" + shortened(valid_utf8(value.text, 100)) + "\"";
  return value.is(Json::Kind::null) ? "nothing" : "something else";
}

std::vector<u64> sides_of(const Json& list, const std::string& name, std::size_t axes) {
  if (!list.is(Json::Kind::list) || list.items.empty() || list.items.size() > kMostAxes)
    lacks("it states no " + name + " of 1 to " + std::to_string(kMostAxes) + " axes");
  if (axes != 0 && list.items.size() != axes)
    lacks("its " + name + " has " + std::to_string(list.items.size()) + " axes, and its shape " + std::to_string(axes));
  std::vector<u64> sides;
  for (const Json& item : list.items) {
    const auto side = item.count();
    if (!side || *side == 0 || *side > kLargestSide) lacks("its " + name + " has a side that is not from 1 to 2^26");
    sides.push_back(*side);
  }
  return sides;
}

/// Of sides up to 2^26: nothing beyond `most`.
std::optional<u64> product_of(const std::vector<u64>& sides, u64 most) {
  u64 product = 1;
  for (const u64 side : sides) {
    if (side > most / product) return std::nullopt;
    product *= side;
  }
  return product;
}

/// Of version 2: "<u2"; of version 3: "uint16".
SampleType sample_type_of(const Json& stated, int version, bool& big_endian) {
  constexpr SampleType all[] = {SampleType::u8,  SampleType::i8,  SampleType::u16, SampleType::i16,
                                SampleType::u32, SampleType::i32, SampleType::f32, SampleType::f64};
  constexpr const char* short_names[] = {"u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"};
  const std::string& name = stated.words();
  for (std::size_t k = 0; k < std::size(all); ++k) {
    if (version == 3 && name == sample_name(all[k])) return all[k];
    if (version != 2 || name.size() != 3 || name.substr(1) != short_names[k]) continue;
    if (name[0] != '<' && name[0] != '>' && (name[0] != '|' || sample_bytes(all[k]) > 1)) continue;
    big_endian = name[0] == '>';
    return all[k];
  }
  lacks("its samples are " + stated_text(stated) + ", and not of 8 to 32 bits or float");
}

double fill_number(const Json& stated, SampleType type) {
  if (stated.is(Json::Kind::number)) return stated.number;
  if (stated.is(Json::Kind::null)) return 0;
  const std::string& text = stated.words();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (text.starts_with("0x") && text.size() == 2 + 2 * sample_bytes(type)) {
    u64 bits = 0;
    const char *from = text.data() + 2, *end = text.data() + text.size();
    if (std::from_chars(from, end, bits, 16).ptr == end && (type == SampleType::f32 || type == SampleType::f64)) {
      double value = 0;
      const std::uint32_t half = static_cast<std::uint32_t>(bits);
      float narrow = 0;
      std::memcpy(&value, &bits, sizeof value);
      std::memcpy(&narrow, &half, sizeof narrow);
      return type == SampleType::f32 ? static_cast<double>(narrow) : value;
    }
  }
  lacks("its fill value is " + stated_text(stated) + ", which is no number");
}

std::array<u8, 8> fill_of(const Json& stated, SampleType type) {
  std::array<u8, 8> bytes{};
  const double number = fill_number(stated, type);
  with_type(type, [&](auto example) {
    using T = decltype(example);
    if constexpr (std::is_integral_v<T>)
      if (!(number >= static_cast<double>(std::numeric_limits<T>::min()) &&
            number <= static_cast<double>(std::numeric_limits<T>::max())) ||
          number != std::floor(number))
        lacks("its fill value is no " + std::string(sample_name(type)));
    const T value = static_cast<T>(number);
    std::memcpy(bytes.data(), &value, sizeof value);
  });
  return bytes;
}

ZarrCodec codec_named(const Json& stated) {
  const std::string& name = stated.words();
  if (name == "gzip" || name == "zlib" || name == "numcodecs.zlib") {
    if (!zlib_library()) lacks("its chunks are packed by " + name + ", for which zlib is needed (" + zlib_status() + ")");
    return ZarrCodec::deflate;
  }
  if (name == "zstd" || name == "numcodecs.zstd") {
    if (!zstd_library())
      lacks("its chunks are packed by Zstandard, for which its library is needed (Debian: libzstd1; " + zstd_status() + ")");
    return ZarrCodec::zstd;
  }
  if (name == "blosc" || name == "numcodecs.blosc") {
    if (!blosc_library())
      lacks(
          "its chunks are packed by Blosc, for which its library is needed (Debian: sudo apt install libblosc1; macOS: brew "
          "install c-blosc; " +
          blosc_status() + ")");
    return ZarrCodec::blosc;
  }
  if (name == "crc32c") return ZarrCodec::crc32c;
  lacks("its chunks are packed by " + stated_text(stated) + ", for which there is no decoder here");
}

bool is_big_endian(const Json& codec) {
  const std::string& endian = codec["configuration"]["endian"].words();
  if (!endian.empty() && endian != "little" && endian != "big") lacks("its byte order is neither little nor big");
  return endian == "big";
}

/// The codecs of version 3 from "bytes" on. What turns axes is refused, but for what turns none.
std::vector<ZarrCodec> codecs_of(const Json& list, bool& big_endian) {
  if (!list.is(Json::Kind::list) || list.items.size() > kMostCodecs) lacks("it states no list of codecs");
  std::vector<ZarrCodec> codecs;
  bool in_bytes = false;
  for (const Json& codec : list.items) {
    const std::string& name = codec["name"].words();
    if (in_bytes) {
      codecs.push_back(codec_named(codec["name"]));
    } else if (name == "bytes") {
      in_bytes = true;
      big_endian = is_big_endian(codec);
    } else if (name == "transpose") {
      const Json& order = codec["configuration"]["order"];
      bool turned = !order.is(Json::Kind::list);
      for (std::size_t k = 0; k < order.items.size(); ++k) turned = turned || order.items[k].count() != k;
      if (turned) lacks("its chunks are transposed, and only those in C order are read");
    } else {
      lacks("its chunks begin with the codec " + stated_text(codec["name"]) + ", for which there is no decoder here");
    }
  }
  if (!in_bytes) lacks("it states no byte order of its samples (codec \"bytes\")");
  return codecs;
}

void read_shard(const Json& configuration, ZarrArray& array) {
  const std::vector<u64> whole = array.chunk;
  array.chunk = sides_of(configuration["chunk_shape"], "shape of chunks in a shard", whole.size());
  ZarrShard shard;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    if (whole[k] % array.chunk[k] != 0) lacks("its shards are no whole number of chunks");
    shard.per_shard.push_back(whole[k] / array.chunk[k]);
  }
  if (!product_of(shard.per_shard, kMostChunksOfShard))
    lacks("its shards have more than " + std::to_string(kMostChunksOfShard) + " chunks each");
  array.codecs = codecs_of(configuration["codecs"], array.big_endian);
  for (const ZarrCodec codec : codecs_of(configuration["index_codecs"], shard.index_big_endian)) {
    if (codec != ZarrCodec::crc32c || shard.index_has_sum) lacks("the tables of its shards are packed");
    shard.index_has_sum = true;
  }
  const std::string& location = configuration["index_location"].words();
  if (!location.empty() && location != "start" && location != "end") lacks("the tables of its shards are in no known place");
  shard.index_at_end = location != "start";
  array.shard = std::move(shard);
}

void read_version_2(const Json& m, ZarrArray& array) {
  array.shape = sides_of(m["shape"], "shape", 0);
  array.chunk = sides_of(m["chunks"], "shape of chunks", array.shape.size());
  array.type = sample_type_of(m["dtype"], 2, array.big_endian);
  if (const std::string& order = m["order"].words(); order != "C")
    lacks("its chunks are in the order " + stated_text(m["order"]) + ", and only those in C order are read");
  if (m["filters"].is(Json::Kind::list) ? !m["filters"].items.empty() : !m["filters"].is(Json::Kind::null))
    lacks("its samples went through filters (" +
          stated_text(m["filters"].items.empty() ? m["filters"] : m["filters"].items[0]["id"]) +
          "), for which there is no decoder here");
  if (!m["compressor"].is(Json::Kind::null)) array.codecs.push_back(codec_named(m["compressor"]["id"]));
  const std::string& separator = m["dimension_separator"].words();
  if (!separator.empty() && separator != "." && separator != "/") lacks("its keys are separated by neither . nor /");
  array.separator = separator == "/" ? '/' : '.';
}

void read_version_3(const Json& m, ZarrArray& array) {
  if (m["node_type"].words() != "array") lacks("it is no array");
  array.shape = sides_of(m["shape"], "shape", 0);
  if (m["chunk_grid"]["name"].words() != "regular") lacks("its chunks are no regular grid");
  array.chunk = sides_of(m["chunk_grid"]["configuration"]["chunk_shape"], "shape of chunks", array.shape.size());
  array.type = sample_type_of(m["data_type"], 3, array.big_endian);
  const Json& encoding = m["chunk_key_encoding"];
  const std::string &kind = encoding["name"].words(), &separator = encoding["configuration"]["separator"].words();
  if ((kind != "default" && kind != "v2") || (!separator.empty() && separator != "." && separator != "/"))
    lacks("its chunks have names of a kind that is not known here");
  array.prefix = kind == "default" ? "c" : "";
  array.separator = separator.empty() ? (kind == "default" ? '/' : '.') : separator[0];
  if (m["storage_transformers"].is(Json::Kind::list) && !m["storage_transformers"].items.empty())
    lacks("its chunks are stored by a transformer, and none is known here");
  const Json& codecs = m["codecs"];
  if (codecs.items.size() == 1 && codecs.items[0]["name"].words() == "sharding_indexed")
    read_shard(codecs.items[0]["configuration"], array);
  else array.codecs = codecs_of(codecs, array.big_endian);
  for (const Json& name : m["dimension_names"].items) array.axes.push_back(name.words());
}

}  // namespace

u64 ZarrShard::chunks() const { return product_of(per_shard, kMostChunksOfShard).value_or(0); }

u64 ZarrArray::chunk_samples() const { return product_of(chunk, kMostDecodedBytes).value_or(kMostDecodedBytes + 1); }

std::string ZarrArray::key(const std::vector<u64>& place) const {
  std::string key = prefix;
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (!key.empty()) key += separator;
    key += std::to_string(shard ? place[k] / shard->per_shard[k] : place[k]);
  }
  return key;
}

ZarrArray read_zarr_array(const Json& metadata, int version) {
  ZarrArray array;
  if (metadata["zarr_format"].count() != static_cast<u64>(version))
    lacks("it is of no Zarr format that is known here (2 or 3)");
  if (version == 2) read_version_2(metadata, array);
  else read_version_3(metadata, array);
  if (array.chunk_bytes() > kMostDecodedBytes)
    lacks("its chunks have more than " + std::to_string(kMostDecodedBytes >> 20) +
          " MiB each. Write it anew in chunks of some hundred px");
  array.fill = fill_of(metadata["fill_value"], array.type);
  return array;
}

std::string codec_names(const std::vector<ZarrCodec>& codecs) {
  constexpr const char* names[] = {"deflate", "zstd", "blosc", "crc32c"};
  std::string out;
  for (const ZarrCodec codec : codecs) out += (out.empty() ? "" : ", ") + std::string(names[static_cast<int>(codec)]);
  return out.empty() ? "no compression" : out;
}

}  // namespace morpho::slide
