// SHA-256 (FIPS 180-4) for tests that compare a large result with its digest.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace testing_sha256 {

/// The first 32 bits of the fractional part of the n-th root (2 or 3) of each prime: the standard's constants, from their
/// definition.
template <std::size_t N>
std::array<std::uint32_t, N> prime_roots(int n) {
  std::array<std::uint32_t, N> out{};
  std::size_t found = 0;
  for (int p = 2; found < N; ++p) {
    bool prime = true;
    for (int d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
    if (!prime) continue;
    // The roots of primes are irrational and below 21: a double holds their first 32 fractional bits with 16 to spare.
    const double root = n == 2 ? std::sqrt(static_cast<double>(p)) : std::cbrt(static_cast<double>(p));
    out[found++] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(root * 4294967296.0));
  }
  return out;
}

inline std::string hex(const void* data, std::size_t size) {
  static const auto k = prime_roots<64>(3);
  static const auto start = prime_roots<8>(2);
  auto h = start;
  std::vector<unsigned char> m(static_cast<const unsigned char*>(data), static_cast<const unsigned char*>(data) + size);
  m.push_back(0x80);
  while (m.size() % 64 != 56) m.push_back(0);
  for (int i = 7; i >= 0; --i) m.push_back(static_cast<unsigned char>(static_cast<std::uint64_t>(size) * 8 >> (8 * i)));
  for (std::size_t block = 0; block < m.size(); block += 64) {
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i) {
      const unsigned char* p = &m[block + 4 * static_cast<std::size_t>(i)];
      w[i] = std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
    }
    for (int i = 16; i < 64; ++i) {
      const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
      const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    auto v = h;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
      const std::uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
      const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
      const std::uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      v = {t1 + t2, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
  }
  std::string out;
  for (std::uint32_t word : h) {
    for (int i = 28; i >= 0; i -= 4) out += "0123456789abcdef"[word >> i & 15];
  }
  return out;
}

}  // namespace testing_sha256
