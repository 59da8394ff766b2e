// SHA-256: the standard's rounds, and the processor's own where it has them.
#include "sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define MORPHO_SHA_NI 1
#endif

namespace morpho::exports {
namespace {

constexpr std::uint32_t kRounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void add_block_plainly(State& h, const u8* block) {
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    const u8* p = block + 4 * i;
    w[i] = std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
  }
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  State v = h;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
    const std::uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + kRounds[i] + w[i];
    const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
    const std::uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    v = {t1 + t2, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
}

#ifdef MORPHO_SHA_NI
bool has_sha_ni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 29))) return false;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 19)) && (c & (1u << 9));  // SSE4.1 and SSSE3
}

/// The processor's rounds, two at a time: it wants the state as (A, B, E, F) and (C, D, G, H), high word first.
__attribute__((target("sha,sse4.1,ssse3"))) void add_block_by_processor(State& h, const u8* block) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const auto load = [](const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); };
  const __m128i abcd = _mm_shuffle_epi32(load(&h[0]), 0xb1), efgh = _mm_shuffle_epi32(load(&h[4]), 0x1b);
  const __m128i first = _mm_alignr_epi8(abcd, efgh, 8), second = _mm_blend_epi16(efgh, abcd, 0xf0);
  __m128i abef = first, cdgh = second;
  __m128i w[4];
  for (int i = 0; i < 16; ++i) {
    __m128i& now = w[i & 3];
    if (i < 4) {
      now = _mm_shuffle_epi8(load(block + 16 * i), swap);
    } else {
      const __m128i before = w[(i + 3) & 3];
      const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) & 3]), _mm_alignr_epi8(before, w[(i + 2) & 3], 4));
      now = _mm_sha256msg2_epu32(sum, before);
    }
    const __m128i keyed = _mm_add_epi32(now, load(kRounds + 4 * i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, 0x0e));
  }
  abef = _mm_add_epi32(abef, first);
  cdgh = _mm_add_epi32(cdgh, second);
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&h[0]), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&h[4]), _mm_alignr_epi8(dchg, feba, 8));
}
#endif

void add_block(State& h, const u8* block) {
#ifdef MORPHO_SHA_NI
  static const bool by_processor = has_sha_ni();
  if (by_processor) return add_block_by_processor(h, block);
#endif
  add_block_plainly(h, block);
}

}  // namespace

void Sha256::update(std::span<const u8> bytes) {
  while (!bytes.empty()) {
    const std::size_t held = bytes_ % 64;
    if (held == 0 && bytes.size() >= 64) {
      add_block(state_, bytes.data());
      bytes_ += 64;
      bytes = bytes.subspan(64);
      continue;
    }
    const std::size_t n = std::min(bytes.size(), 64 - held);
    std::memcpy(block_.data() + held, bytes.data(), n);
    bytes_ += n;
    bytes = bytes.subspan(n);
    if (bytes_ % 64 == 0) add_block(state_, block_.data());
  }
}

std::array<u8, 32> Sha256::digest() {
  const std::uint64_t bits = bytes_ * 8;
  u8 tail[72] = {0x80};
  const std::size_t zeros = (119 - bytes_ % 64) % 64;
  for (std::size_t i = 0; i < 8; ++i) tail[1 + zeros + i] = static_cast<u8>(bits >> (56 - 8 * i));
  update({tail, zeros + 9});
  std::array<u8, 32> out;
  for (std::size_t i = 0; i < 32; ++i) out[i] = static_cast<u8>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

}  // namespace morpho::exports
