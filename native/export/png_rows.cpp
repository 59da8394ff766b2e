// Filters rows, and frames what deflate_runs makes of them with the checksums that PNG and zlib ask for.
#include "png_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "deflate_runs.hpp"

namespace morpho::exports {
namespace {

using u32 = std::uint32_t;

constexpr std::size_t kChannels = 3;
constexpr u32 kAdlerBase = 65521;
constexpr u8 kPaeth = 4;

/// Eight bytes at a time: table k is what a byte does k bytes further on.
constexpr std::array<std::array<u32, 256>, 8> make_crc_tables() {
  std::array<std::array<u32, 256>, 8> tables{};
  for (u32 n = 0; n < 256; ++n) {
    u32 c = n;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xedb88320u ^ c >> 1 : c >> 1;
    tables[0][n] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t n = 0; n < 256; ++n) tables[k][n] = tables[k - 1][n] >> 8 ^ tables[0][tables[k - 1][n] & 255];
  return tables;
}
constexpr auto kCrc = make_crc_tables();

u32 crc_of(std::span<const u8> bytes) {
  u32 c = 0xffffffffu;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const u8* p = bytes.data() + i;
    const u32 low = c ^ (u32{p[0]} | u32{p[1]} << 8 | u32{p[2]} << 16 | u32{p[3]} << 24);
    c = kCrc[7][low & 255] ^ kCrc[6][low >> 8 & 255] ^ kCrc[5][low >> 16 & 255] ^ kCrc[4][low >> 24] ^ kCrc[3][p[4]] ^
        kCrc[2][p[5]] ^ kCrc[1][p[6]] ^ kCrc[0][p[7]];
  }
  for (; i < bytes.size(); ++i) c = c >> 8 ^ kCrc[0][(c ^ bytes[i]) & 255];
  return ~c;
}

u32 adler_of(std::span<const u8> bytes) {
  u32 a = 1, b = 0;
  // As many as b holds before it must be reduced.
  constexpr std::size_t most = 5552;
  for (std::size_t at = 0; at < bytes.size(); at += most) {
    const std::size_t n = std::min(most, bytes.size() - at);
    // Sums without a chain from byte to byte, which compilers widen: byte i is in b once for itself and each that follows it.
    u32 sum = 0, weighted = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const u32 byte = bytes[at + i];
      sum += byte;
      weighted += static_cast<u32>(n - i) * byte;
    }
    b = (b + static_cast<u32>(n) * a + weighted % kAdlerBase) % kAdlerBase;
    a = (a + sum) % kAdlerBase;
  }
  return b << 16 | a;
}

/// Of bytes behind others.
PngSum joined(const PngSum& first, const PngSum& second) {
  const u64 base = kAdlerBase, a1 = first.adler & 0xffff, b1 = first.adler >> 16, a2 = second.adler & 0xffff,
            b2 = second.adler >> 16, n = static_cast<u64>(second.bytes) % base;
  const u64 a = (a1 + a2 + base - 1) % base, b = (b1 + b2 + n * (a1 + base - 1)) % base;
  return {static_cast<u32>(b << 16 | a), first.bytes + second.bytes};
}

void append_number(std::vector<u8>& out, u32 value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<u8>(value >> shift));
}

/// A chunk whose length is known at its end.
class Chunk {
 public:
  Chunk(std::vector<u8>& out, const char (&type)[5]) : out_(out), begin_(out.size()) {
    append_number(out_, 0);
    out_.insert(out_.end(), type, type + 4);
  }
  void close() {
    const std::size_t bytes = out_.size() - begin_ - 8;
    for (std::size_t i = 0; i < 4; ++i) out_[begin_ + i] = static_cast<u8>(bytes >> (8 * (3 - i)));
    append_number(out_, crc_of({out_.data() + begin_ + 4, bytes + 4}));
  }

 private:
  std::vector<u8>& out_;
  const std::size_t begin_;
};

/// What is left of a row where each byte is told from those left of it, above it, and above those.
void filter(const u8* row, const u8* above, std::size_t bytes, u8* to) {
  for (std::size_t i = 0; i < std::min(bytes, kChannels); ++i) to[i] = static_cast<u8>(row[i] - above[i]);
  for (std::size_t i = kChannels; i < bytes; ++i) {
    const int left = row[i - kChannels], up = above[i], corner = above[i - kChannels];
    const int by_left = std::abs(up - corner), by_up = std::abs(left - corner), by_corner = std::abs(left + up - 2 * corner);
    const int nearer = by_left <= by_up ? left : up, nearest = std::min(by_left, by_up) <= by_corner ? nearer : corner;
    to[i] = static_cast<u8>(row[i] - nearest);
  }
}

}  // namespace

std::vector<u8> png_start(Extent extent) {
  std::vector<u8> out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Chunk head(out, "IHDR");
  append_number(out, static_cast<u32>(extent.width));
  append_number(out, static_cast<u32>(extent.height));
  out.insert(out.end(), {8, 2, 0, 0, 0});  // bits, red green blue, deflate, its filters, not interlaced
  head.close();
  // The two bytes that begin a zlib stream, in a chunk of their own: all bands are made alike.
  Chunk data(out, "IDAT");
  out.insert(out.end(), {0x78, 0x01});
  data.close();
  return out;
}

PngBand png_band(const u8* rgb, i32 width, i64 y, i64 rows) {
  const std::size_t bytes = static_cast<std::size_t>(width) * kChannels, each = bytes + 1;
  std::vector<u8> filtered(each * static_cast<std::size_t>(rows));
  const std::vector<u8> nothing(y == 0 ? bytes : 0);
  for (i64 j = 0; j < rows; ++j) {
    const u8* row = rgb + static_cast<std::size_t>(y + j) * bytes;
    u8* to = filtered.data() + static_cast<std::size_t>(j) * each;
    to[0] = kPaeth;
    filter(row, y + j == 0 ? nothing.data() : row - bytes, bytes, to + 1);
  }
  PngBand band;
  band.sum = {adler_of(filtered), static_cast<i64>(filtered.size())};
  Chunk data(band.chunk, "IDAT");
  append_deflated(band.chunk, filtered);
  data.close();
  return band;
}

std::vector<u8> png_end(std::span<const PngSum> bands) {
  PngSum sum;
  for (const PngSum& band : bands) sum = joined(sum, band);
  std::vector<u8> out;
  Chunk data(out, "IDAT");
  out.insert(out.end(), std::begin(kDeflateEnd), std::end(kDeflateEnd));
  append_number(out, sum.adler);
  data.close();
  Chunk(out, "IEND").close();
  return out;
}

}  // namespace morpho::exports
