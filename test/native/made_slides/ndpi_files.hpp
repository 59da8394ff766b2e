// Hamamatsu slides that tests write themselves: seeded JPEGs of any size and sampling, with restart markers or without.
#pragma once
#include <array>
#include <bit>
#include <optional>
#include <random>

#include "slide_files.hpp"

namespace morpho::test {

/// What a JPEG is to be; its blocks are random, a few coefficients each.
struct MadeJpeg {
  u64 width = 0, height = 0;
  u64 across = 1, down = 1;  ///< samples of luma for one of chroma
  u64 restart_interval = 0;
  std::optional<std::pair<u64, u64>> stated;  ///< sides in its header, where they are others
};
struct MadeStrip {
  Bytes bytes;
  std::vector<u64> starts;  ///< of its intervals, from its beginning
};

class BitWriter {
 public:
  void put(u64 value, int bits) {
    for (int k = bits - 1; k >= 0; --k) {
      held_ = static_cast<u8>(held_ << 1 | (value >> k & 1));
      if (++count_ < 8) continue;
      bytes.push_back(held_);
      if (held_ == 0xFF) bytes.push_back(0);
      held_ = 0, count_ = 0;
    }
  }
  /// As JPEG fills the last byte: with ones.
  void flush() {
    while (count_ > 0) put(1, 1);
  }
  Bytes bytes;

 private:
  u8 held_ = 0;
  int count_ = 0;
};

/// All codes have four bits: differences of up to 11 bits, and of other coefficients a few kinds.
inline MadeStrip made_jpeg(const MadeJpeg& m, std::mt19937& random) {
  const Bytes kinds{0x00, 0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x21};
  const auto below = [&](u64 n) { return static_cast<u64>(random() % n); };
  MadeStrip strip;
  Bytes& out = strip.bytes;
  join(out, {0xFF, 0xD8});
  Bytes table{0};
  for (int k = 0; k < 64; ++k) table.push_back(static_cast<u8>(4 + below(17)));
  join(out, jpeg_segment(0xDB, table));
  const auto [width, height] = m.stated.value_or(std::pair(m.width, m.height));
  join(out,
       jpeg_segment(0xC0, {8, static_cast<u8>(height >> 8), static_cast<u8>(height), static_cast<u8>(width >> 8),
                           static_cast<u8>(width), 3, 1, static_cast<u8>(m.across << 4 | m.down), 0, 2, 0x11, 0, 3, 0x11, 0}));
  for (const bool other : {false, true}) {
    Bytes codes{static_cast<u8>(other ? 0x10 : 0), 0, 0, 0, static_cast<u8>(other ? kinds.size() : 12)};
    codes.resize(17, 0);
    if (other) join(codes, kinds);
    else
      for (u8 size = 0; size < 12; ++size) codes.push_back(size);
    join(out, jpeg_segment(0xC4, codes));
  }
  if (m.restart_interval > 0)
    join(out, jpeg_segment(0xDD, {static_cast<u8>(m.restart_interval >> 8), static_cast<u8>(m.restart_interval)}));
  join(out, jpeg_segment(0xDA, {3, 1, 0, 2, 0, 3, 0, 0, 63, 0}));
  strip.starts.push_back(out.size());
  const u64 mcu_w = 8 * m.across, mcu_h = 8 * m.down;
  const u64 count = (m.width + mcu_w - 1) / mcu_w * ((m.height + mcu_h - 1) / mcu_h);
  BitWriter bits;
  std::array<int, 3> last{};
  const auto put_number = [&](int v) {
    const auto size = static_cast<int>(std::bit_width(static_cast<unsigned>(std::abs(v))));
    bits.put(static_cast<u64>(v > 0 ? v : v + (1 << size) - 1), size);
  };
  for (u64 k = 0; k < count; ++k) {
    if (m.restart_interval > 0 && k > 0 && k % m.restart_interval == 0) {
      bits.flush();
      join(out, bits.bytes);
      bits = {};
      last = {};
      join(out, {0xFF, static_cast<u8>(0xD0 + (k / m.restart_interval - 1) % 8)});
      strip.starts.push_back(out.size());
    }
    for (u64 block = 0; block < m.across * m.down + 2; ++block) {
      const std::size_t c = block < m.across * m.down ? 0 : static_cast<std::size_t>(block - m.across * m.down + 1);
      const int v = static_cast<int>(below(121)) - 60, difference = v - last[c];
      last[c] = v;
      bits.put(static_cast<u64>(std::bit_width(static_cast<unsigned>(std::abs(difference)))), 4);
      put_number(difference);
      for (u64 n = below(4); n > 0; --n) {
        const u64 kind = 1 + below(kinds.size() - 1);
        bits.put(kind, 4);
        const int low = 1 << ((kinds[kind] & 15) - 1), number = low + static_cast<int>(below(static_cast<u64>(low)));
        put_number(below(2) == 0 ? number : -number);
      }
      bits.put(0, 4);
    }
  }
  bits.flush();
  join(out, bits.bytes);
  join(out, {0xFF, 0xD9});
  return strip;
}

struct NdpiPage {
  MadeJpeg jpeg;
  float lens = 20;
  std::int32_t focus = 0;
  bool tells_starts = true;
  std::optional<std::pair<u64, u64>> stated;  ///< ImageWidth, ImageLength, where the JPEG's are others
  Bytes strip = {};                           ///< in place of a made JPEG
};

/// Directories with their values' high words behind them. From the second page on all lies `hole` bytes farther.
class NdpiWriter {
 public:
  explicit NdpiWriter(u64 base = 0) : base_(base) {
    if (base == 0) bytes = {'I', 'I', 42, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  }
  /// Of `bytes`, where the link to the next directory is.
  std::size_t link = 4;
  Bytes bytes;
  u64 at() const { return base_ + bytes.size(); }

  void put(u64 value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<u8>(value >> 8 * i));
  }
  void page(const NdpiPage& p, std::mt19937& random, bool links = true) {
    MadeStrip strip = p.strip.empty() ? made_jpeg(p.jpeg, random) : MadeStrip{p.strip, {}};
    const u64 strip_at = put_all(strip.bytes), starts_at = at();
    for (const u64 start : strip.starts) put(start, 4);
    const u64 bits = at();
    for (int k = 0; k < 3; ++k) put(8, 2);
    const u64 resolution = at();
    put(43826, 4), put(1, 4);
    const u64 make = put_all({'H', 'a', 'm', 'a', 0});
    const std::string said = "Created=2026/11/27\r\nNDP.S/N=7\r\n";
    const u64 map = put_all(Bytes(said.begin(), said.end()));
    const auto [width, height] = p.stated.value_or(std::pair(p.jpeg.width, p.jpeg.height));
    struct Entry {
      u16 tag, type;
      u64 count, value;
    };
    std::vector<Entry> e{{256, 4, 1, width},
                         {257, 4, 1, height},
                         {258, 3, 3, bits},
                         {259, 3, 1, 7},
                         {262, 3, 1, 6},
                         {271, 2, 5, make},
                         {273, 4, 1, strip_at},
                         {277, 3, 1, 3},
                         {278, 4, 1, height},
                         {279, 4, 1, strip.bytes.size()},
                         {282, 5, 1, resolution},
                         {283, 5, 1, resolution},
                         {296, 3, 1, 3},
                         {65420, 3, 1, 1},
                         {65421, 11, 1, std::bit_cast<std::uint32_t>(p.lens)},
                         {65422, 9, 1, 1250},
                         {65423, 9, 1, static_cast<std::uint32_t>(-960)},
                         {65424, 9, 1, static_cast<std::uint32_t>(p.focus)},
                         {65449, 2, said.size(), map}};
    const u64 starts = strip.starts.size();
    if (p.tells_starts && p.jpeg.restart_interval > 0)
      e.insert(e.end() - 1, {65426, 4, starts, starts == 1 ? strip.starts.front() : starts_at});
    if (links)
      for (int k = 0; k < 8; ++k) bytes[link + static_cast<std::size_t>(k)] = static_cast<u8>(at() >> 8 * k);
    directory = at();
    put(e.size(), 2);
    for (const Entry& one : e) put(one.tag, 2), put(one.type, 2), put(one.count, 4), put(one.value, 4);
    link = bytes.size();
    put(0, 8);
    for (const Entry& one : e) put(one.value >> 32, 4);
  }
  u64 directory = 0;  ///< the last one's place

 private:
  u64 put_all(const Bytes& data) {
    const u64 there = at();
    join(bytes, data);
    return there;
  }
  u64 base_;
};

inline Bytes ndpi_file(const std::vector<NdpiPage>& pages, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  NdpiWriter w;
  for (const NdpiPage& p : pages) w.page(p, random);
  return w.bytes;
}

}  // namespace morpho::test
