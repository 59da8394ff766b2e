// Seeded damage to small files, for the tests that read them: bytes, words, lengths, directory entries, numbers in texts.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include "../made_slides/slide_files.hpp"

namespace morpho::test {

/// Another seed, or more of them: MORPHO_FUZZ_SEED, MORPHO_FUZZ_TIMES (1 = what `npm test` runs).
inline std::uint32_t fuzz_setting(const char* name, std::uint32_t usual) {
  const char* text = std::getenv(name);
  return text ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : usual;
}
inline std::uint32_t fuzz_seed() { return fuzz_setting("MORPHO_FUZZ_SEED", 20260731); }
inline int fuzz_times(int usual) { return usual * static_cast<int>(fuzz_setting("MORPHO_FUZZ_TIMES", 1)); }

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  /// In [0, n).
  std::size_t below(std::size_t n) { return n == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  u64 awkward(u64 file_bytes) {
    static const u64 kValues[] = {0,
                                  1,
                                  2,
                                  7,
                                  16,
                                  255,
                                  256,
                                  65500,
                                  65535,
                                  65536,
                                  1u << 20,
                                  1u << 26,
                                  1u << 28,
                                  1u << 31,
                                  (1u << 31) - 1,
                                  0xFFFFFFFFu,
                                  ~u64{0},
                                  ~u64{0} - 7,
                                  u64{1} << 32,
                                  u64{1} << 40,
                                  u64{1} << 62};
    switch (below(4)) {
      case 0: return file_bytes - below(16);
      case 1: return below(static_cast<std::size_t>(file_bytes) + 1);
      default: return kValues[below(std::size(kValues))];
    }
  }

  Bytes operator()(const Bytes& original) {
    Bytes bytes = original;
    for (std::size_t rounds = 1 + below(3); rounds > 0 && !bytes.empty(); --rounds) damage(bytes);
    return bytes;
  }

 private:
  void damage(Bytes& b) {
    switch (below(8)) {
      case 0:
        for (std::size_t n = 1 + below(16); n > 0; --n) b[below(b.size())] = static_cast<u8>(below(256));
        break;
      case 1:
      case 2: {  // a length or an offset, of any width and either order
        const std::size_t width = std::size_t{1} << below(4), at = below(b.size());
        const u64 value = awkward(b.size());
        const bool big = chance(50);
        for (std::size_t i = 0; i < width && at + i < b.size(); ++i)
          b[at + i] = static_cast<u8>(value >> 8 * (big ? width - 1 - i : i));
        break;
      }
      case 3: b.resize(below(b.size() + 1)); break;
      case 4: {  // a part once more: directories, segments, entries
        const std::size_t from = below(b.size()), count = std::min(b.size() - from, 1 + below(64)), to = below(b.size());
        const Bytes part(b.begin() + static_cast<std::ptrdiff_t>(from), b.begin() + static_cast<std::ptrdiff_t>(from + count));
        if (chance(50)) b.insert(b.begin() + static_cast<std::ptrdiff_t>(to), part.begin(), part.end());
        else std::copy_n(part.begin(), std::min(part.size(), b.size() - to), b.begin() + static_cast<std::ptrdiff_t>(to));
        break;
      }
      case 5:
      case 6:
        if (number_in_text(b)) break;
        [[fallthrough]];
      default: b[below(std::min<std::size_t>(b.size(), 64))] = static_cast<u8>(below(256));
    }
  }

  bool number_in_text(Bytes& b) {
    static const char* const kTexts[] = {"0",
                                         "-1",
                                         "1",
                                         "2147483647",
                                         "-2147483648",
                                         "4294967296",
                                         "9223372036854775807",
                                         "1e308",
                                         "-0.",
                                         "nan",
                                         "inf",
                                         "",
                                         "../x",
                                         "/etc/x",
                                         "\\\\s",
                                         "1,5",
                                         "\xFF",
                                         "\xC3",
                                         "16",
                                         "99999999999999999999999999"};
    const auto digit = [&](std::size_t i) { return b[i] >= '0' && b[i] <= '9'; };
    const auto printable = [&](std::size_t i) { return b[i] >= 32 && b[i] < 127; };
    std::size_t at = below(b.size());
    while (at < b.size() && !(digit(at) && at > 1 && printable(at - 1) && printable(at - 2))) ++at;
    if (at >= b.size()) return false;
    std::size_t end = at;
    while (end < b.size() && digit(end)) ++end;
    const std::string text = kTexts[below(std::size(kTexts))];
    b.erase(b.begin() + static_cast<std::ptrdiff_t>(at), b.begin() + static_cast<std::ptrdiff_t>(end));
    b.insert(b.begin() + static_cast<std::ptrdiff_t>(at), text.begin(), text.end());
    return true;
  }

  std::mt19937 random_;
};

}  // namespace morpho::test
