// Undoes the codecs from the last to the first, each into as much room as its bytes may take.
#include "unpack_chunk.hpp"

#include <array>
#include <algorithm>
#include <cstring>

#include "codec_libraries.hpp"

namespace morpho::slide {
namespace {

std::vector<u8> inflated(const std::vector<u8>& bytes, std::size_t room) {
  const ZlibLibrary& lib = *zlib_library();
  ZlibStream stream{};
  // Either header, as it says itself.
  constexpr int any_header = 15 + 32, no_flush = 0, ok = 0, ended = 1;
  if (lib.init(&stream, any_header, lib.version(), static_cast<int>(sizeof stream)) != ok)
    throw PieceError("zlib has no memory for it, or is of another kind");
  std::vector<u8> out(room);
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<unsigned>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<unsigned>(room);
  const int result = lib.inflate(&stream, no_flush);
  const bool full = stream.avail_out == 0;
  out.resize(room - stream.avail_out);
  lib.end(&stream);
  if (result == ended) return out;
  throw PieceError(full ? "it unpacks to more than the " + std::to_string(room) + " bytes of its shape"
                        : "zlib cannot unpack it (" + std::to_string(result) + ")");
}

std::vector<u8> unpacked_by_zstd(const std::vector<u8>& bytes, std::size_t room) {
  const ZstdLibrary& lib = *zstd_library();
  std::vector<u8> out(room);
  const std::size_t got = lib.decompress(out.data(), room, bytes.data(), bytes.size());
  if (lib.is_error(got) != 0)
    throw PieceError("Zstandard cannot unpack it to the " + std::to_string(room) + " bytes of its shape");
  out.resize(got);
  return out;
}

std::vector<u8> unpacked_by_blosc(const std::vector<u8>& bytes, std::size_t room) {
  const BloscLibrary& lib = *blosc_library();
  std::size_t stated = 0;
  if (lib.validate(bytes.data(), bytes.size(), &stated) < 0) throw PieceError("its header is none of Blosc's");
  if (stated > room)
    throw PieceError("it states " + std::to_string(stated) + " bytes, more than the " + std::to_string(room) + " of its shape");
  std::vector<u8> out(stated);
  const int got = stated == 0 ? 0 : lib.decompress(bytes.data(), out.data(), stated, 1);
  if (got < 0 || static_cast<std::size_t>(got) != stated)
    throw PieceError("Blosc cannot unpack it (" + std::to_string(got) + ")");
  return out;
}

std::vector<u8> without_sum(std::vector<u8> bytes) {
  if (bytes.size() < 4) throw PieceError("it is too short for its checksum");
  const std::size_t count = bytes.size() - 4;
  std::uint32_t stated = 0;
  for (int k = 3; k >= 0; --k) stated = stated << 8 | bytes[count + static_cast<std::size_t>(k)];
  if (stated != crc32c(bytes.data(), count)) throw PieceError("its checksum is wrong");
  bytes.resize(count);
  return bytes;
}

}  // namespace

std::uint32_t crc32c(const u8* bytes, std::size_t count) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t k = 0; k < 256; ++k) {
      std::uint32_t v = k;
      for (int bit = 0; bit < 8; ++bit) v = (v & 1) != 0 ? v >> 1 ^ 0x82F63B78u : v >> 1;
      made[k] = v;
    }
    return made;
  }();
  std::uint32_t sum = 0xFFFFFFFFu;
  for (std::size_t k = 0; k < count; ++k) sum = sum >> 8 ^ table[(sum ^ bytes[k]) & 255];
  return ~sum;
}

std::vector<u8> unpack_chunk(const ZarrArray& array, std::vector<u8> bytes) {
  const auto wanted = static_cast<std::size_t>(array.chunk_bytes());
  // The least codec made the samples smaller, if not, then by little.
  const std::size_t between = wanted + wanted / 8 + 65536;
  for (std::size_t k = array.codecs.size(); k-- > 0;) {
    const std::size_t room = k == 0 ? wanted : between;
    switch (array.codecs[k]) {
      case ZarrCodec::deflate: bytes = inflated(bytes, room); break;
      case ZarrCodec::zstd: bytes = unpacked_by_zstd(bytes, room); break;
      case ZarrCodec::blosc: bytes = unpacked_by_blosc(bytes, room); break;
      case ZarrCodec::crc32c: bytes = without_sum(std::move(bytes)); break;
    }
  }
  if (bytes.size() != wanted)
    throw PieceError("it holds " + std::to_string(bytes.size()) + " bytes, and its shape has " + std::to_string(wanted));
  to_machine_order(bytes, sample_bytes(array.type), array.big_endian);
  return bytes;
}

}  // namespace morpho::slide
