// PNG in bands, read back by a decoder written after the standards: the pixels, every checksum, whatever the bands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "export/deflate_runs.hpp"
#include "export/png_rows.hpp"

namespace morpho::exports {
namespace {

using Bytes = std::vector<u8>;
using Number = std::uint32_t;

/// RFC 1951, a bit at a time.
class Inflater {
 public:
  explicit Inflater(const Bytes& in) : in_(in) {}
  Bytes all() {
    for (bool last = false; !last;) {
      last = bits(1) != 0;
      const Number kind = bits(2);
      if (kind == 0) plain();
      else if (kind == 2) coded();
      else throw std::runtime_error("a kind of block that nobody writes");
    }
    return out_;
  }
  std::size_t used() const { return at_; }

 private:
  struct Tree {
    std::vector<u8> lengths;
    std::vector<Number> first = std::vector<Number>(17), count = std::vector<Number>(17);
    std::vector<Number> symbols;
  };
  static Tree tree_of(const std::vector<u8>& lengths) {
    Tree tree{lengths};
    double kraft = 0;
    for (const u8 n : lengths)
      if (n > 0) ++tree.count[n], kraft += 1.0 / (1 << n);
    EXPECT_TRUE(kraft == 1 || std::count_if(lengths.begin(), lengths.end(), [](u8 n) { return n > 0; }) == 1) << kraft;
    Number code = 0;
    for (Number n = 1; n <= 15; ++n) {
      tree.first[n] = code = (code + tree.count[n - 1]) << 1;
      for (Number i = 0; i < lengths.size(); ++i)
        if (lengths[i] == n) tree.symbols.push_back(i);
    }
    return tree;
  }
  Number bits(int n) {
    Number value = 0;
    for (int i = 0; i < n; ++i) {
      if (bit_ == 8) bit_ = 0, ++at_;
      value |= static_cast<Number>(in_.at(at_) >> bit_++ & 1) << i;
    }
    return value;
  }
  Number symbol(const Tree& tree) {
    Number code = 0, index = 0;
    for (Number n = 1; n <= 15; ++n) {
      code = code << 1 | bits(1);
      if (code - tree.first[n] < tree.count[n]) return tree.symbols.at(index + code - tree.first[n]);
      index += tree.count[n];
    }
    throw std::runtime_error("no such code");
  }
  void plain() {
    at_ += 1, bit_ = 0;
    const std::size_t n = in_.at(at_) | in_.at(at_ + 1) << 8;
    EXPECT_EQ(n ^ 0xffff, static_cast<std::size_t>(in_.at(at_ + 2) | in_.at(at_ + 3) << 8));
    at_ += 4;
    for (std::size_t i = 0; i < n; ++i) out_.push_back(in_.at(at_++));
  }
  void coded() {
    const Number literals = bits(5) + 257, distances = bits(5) + 1, told = bits(4) + 4;
    constexpr int order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::vector<u8> lengths(19);
    for (Number i = 0; i < told; ++i) lengths[static_cast<std::size_t>(order[i])] = static_cast<u8>(bits(3));
    const Tree of_lengths = tree_of(lengths);
    std::vector<u8> all;
    while (all.size() < literals + distances) {
      const Number s = symbol(of_lengths);
      if (s < 16) all.push_back(static_cast<u8>(s));
      else if (s == 16) all.insert(all.end(), 3 + bits(2), u8{all.back()});
      else all.insert(all.end(), s == 17 ? 3 + bits(3) : 11 + bits(7), u8{0});
    }
    EXPECT_EQ(all.size(), literals + distances);
    const Tree text = tree_of({all.begin(), all.begin() + literals}), back = tree_of({all.begin() + literals, all.end()});
    for (Number s; (s = symbol(text)) != 256;) {
      if (s < 256) {
        out_.push_back(static_cast<u8>(s));
        continue;
      }
      Number length = 258;
      if (s < 285) {
        const Number k = s - 257, extra = k < 8 ? 0 : k / 4 - 1;
        length = k < 8 ? k + 3 : ((4 + k % 4) << extra) + 3;
        length += bits(static_cast<int>(extra));
      }
      EXPECT_EQ(symbol(back), 0u);  // one byte back, as nothing else is written
      for (; length > 0; --length) out_.push_back(u8{out_.back()});
    }
  }

  const Bytes& in_;
  std::size_t at_ = 0;
  int bit_ = 0;
  Bytes out_;
};

Bytes inflated(Bytes stream) {
  stream.insert(stream.end(), std::begin(kDeflateEnd), std::end(kDeflateEnd));
  return Inflater(stream).all();
}
Bytes deflated(const Bytes& bytes) {
  Bytes out;
  append_deflated(out, bytes);
  return out;
}

/// Bytes of which `flat` of 256 are like the one before, the others anything, or as rarely as a filter leaves them.
Bytes noise(std::size_t n, unsigned seed, int flat, double rare) {
  std::mt19937 random(seed);
  std::geometric_distribution<int> small(rare);
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i)
    bytes[i] = i > 0 && static_cast<int>(random() & 255) < flat
                   ? bytes[i - 1]
                   : static_cast<u8>(rare < 1 ? small(random) : static_cast<int>(random()));
  return bytes;
}

TEST(DeflateRuns, WhatIsReadBackIsWhatWasWritten) {
  for (const std::size_t n : {0, 1, 2, 7, 8, 9, 257, 258, 259, 300, 65535, 65536, 65537, 200000})
    for (const int flat : {0, 128, 250, 256})
      for (const double rare : {0.01, 0.2, 0.9, 1.0}) {
        const Bytes bytes = noise(n, static_cast<unsigned>(n) + 7u, flat, rare);
        ASSERT_EQ(inflated(deflated(bytes)), bytes) << n << " " << flat << " " << rare;
      }
}

TEST(DeflateRuns, PartsMayStandOneBehindTheOther) {
  Bytes stream, bytes;
  for (unsigned part = 0; part < 20; ++part) {
    const Bytes more = noise(part * 997, part, 200, 0.3);
    append_deflated(stream, more);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  EXPECT_EQ(inflated(stream), bytes);
}

TEST(DeflateRuns, TheRarestBytesHaveNoCodeThatIsTooLong) {
  // Counts that grow as Fibonacci's numbers make the deepest tree: 22 levels here, where 15 are allowed.
  Bytes bytes;
  std::size_t a = 1, b = 1;
  for (u8 value = 0; bytes.size() + a < 65536; value = static_cast<u8>(value + 2)) {
    for (std::size_t i = 0; i < a; ++i) bytes.push_back(value);
    b += std::exchange(a, b);
  }
  std::shuffle(bytes.begin(), bytes.end(), std::mt19937(5));
  EXPECT_EQ(inflated(deflated(bytes)), bytes);
}

TEST(DeflateRuns, FlatBytesTakeNextToNothing) {
  EXPECT_LT(deflated(Bytes(1 << 20, 200)).size(), 4000u);
  EXPECT_EQ(inflated(deflated(Bytes(1 << 20, 200))), Bytes(1 << 20, 200));
}

Number number_at(const Bytes& bytes, std::size_t at) {
  return Number{bytes.at(at)} << 24 | Number{bytes.at(at + 1)} << 16 | Number{bytes.at(at + 2)} << 8 | bytes.at(at + 3);
}
Number slow_crc(const Bytes& bytes, std::size_t begin, std::size_t end) {
  Number c = 0xffffffffu;
  for (std::size_t i = begin; i < end; ++i) {
    c ^= bytes.at(i);
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xedb88320u ^ c >> 1 : c >> 1;
  }
  return ~c;
}
Number slow_adler(const Bytes& bytes) {
  Number a = 1, b = 0;
  for (const u8 byte : bytes) a = (a + byte) % 65521, b = (b + a) % 65521;
  return b << 16 | a;
}

/// The pixels of a PNG of red, green and blue, with everything that it says of itself checked.
Bytes pixels_of(const Bytes& png, i32 width, i32 height) {
  const Bytes signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  EXPECT_TRUE(std::equal(signature.begin(), signature.end(), png.begin()));
  Bytes data;
  std::string types;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t n = number_at(png, at);
    const std::string type(png.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                           png.begin() + static_cast<std::ptrdiff_t>(at) + 8);
    EXPECT_EQ(number_at(png, at + 8 + n), slow_crc(png, at + 4, at + 8 + n)) << type;
    if (type == "IHDR")
      EXPECT_EQ(std::make_pair(number_at(png, at + 8), number_at(png, at + 12)), std::make_pair(Number(width), Number(height)));
    if (type == "IDAT")
      data.insert(data.end(), png.begin() + static_cast<std::ptrdiff_t>(at) + 8,
                  png.begin() + static_cast<std::ptrdiff_t>(at + 8 + n));
    types += type.substr(1, 1);
    at += 12 + n;
  }
  EXPECT_EQ(types.front(), 'H');
  EXPECT_EQ(types.back(), 'E');
  EXPECT_EQ((data.at(0) << 8 | data.at(1)) % 31, 0);
  const Bytes stream(data.begin() + 2, data.end());
  Inflater inflater(stream);
  const Bytes rows = inflater.all();
  EXPECT_EQ(inflater.used() + 4, stream.size());
  EXPECT_EQ(number_at(stream, inflater.used()), slow_adler(rows));
  const std::size_t bytes = static_cast<std::size_t>(width) * 3;
  EXPECT_EQ(rows.size(), (bytes + 1) * static_cast<std::size_t>(height));
  Bytes pixels(bytes * static_cast<std::size_t>(height));
  const auto at = [&](i64 y, i64 x) {
    return y < 0 || x < 0 ? 0 : int{pixels[static_cast<std::size_t>(y) * bytes + static_cast<std::size_t>(x)]};
  };
  for (i64 y = 0; y < height; ++y) {
    EXPECT_EQ(rows[static_cast<std::size_t>(y) * (bytes + 1)], 4);
    for (i64 x = 0; x < static_cast<i64>(bytes); ++x) {
      const int a = at(y, x - 3), b = at(y - 1, x), c = at(y - 1, x - 3), p = a + b - c;
      const int pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
      const int told = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      pixels[static_cast<std::size_t>(y) * bytes + static_cast<std::size_t>(x)] = static_cast<u8>(
          rows[static_cast<std::size_t>(y) * (bytes + 1) + 1 + static_cast<std::size_t>(x)] + told);
    }
  }
  return pixels;
}

Bytes png_of(const Bytes& rgb, i32 width, i32 height, i32 band_rows) {
  Bytes png = png_start({width, height});
  std::vector<PngSum> sums;
  for (i32 y = 0; y < height; y += band_rows) {
    const PngBand band = png_band(rgb.data(), width, y, std::min(band_rows, height - y));
    png.insert(png.end(), band.chunk.begin(), band.chunk.end());
    sums.push_back(band.sum);
  }
  const Bytes end = png_end(sums);
  png.insert(png.end(), end.begin(), end.end());
  return png;
}

TEST(PngRows, HoldThePictureWhateverTheBands) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {2, 3}, {5, 1}, {37, 41}, {400, 90}})
    for (const i32 band_rows : {1, 2, 7, 64}) {
      const Bytes rgb = noise(static_cast<std::size_t>(3 * width * height), static_cast<unsigned>(width), 100, 1.0);
      EXPECT_EQ(pixels_of(png_of(rgb, width, height, band_rows), width, height), rgb)
          << width << " " << height << " " << band_rows;
    }
}

TEST(PngRows, AFlatPictureIsSmall) {
  const Bytes rgb(3 * 1000 * 1000, 231);
  const Bytes png = png_of(rgb, 1000, 1000, 256);
  EXPECT_LT(png.size(), 30000u);
  EXPECT_EQ(pixels_of(png, 1000, 1000), rgb);
}

}  // namespace
}  // namespace morpho::exports
