// Blocks with codes of their own: counted, made no longer than the format allows, and written 64 bits at a time.
#include "deflate_runs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace morpho::exports {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

/// Bytes that share codes: long enough to pay for these, short enough to follow the picture.
constexpr std::size_t kBlockBytes = 1 << 16;
constexpr int kLiterals = 286, kEndOfBlock = 256, kLengthCodes = 19;
constexpr int kLongestCode = 15, kLongestLengthCode = 7;
constexpr std::size_t kShortestRun = 3, kLongestRun = 258;
/// Shorter ones go as literals: in noise one byte in ten is like the one before it, and a processor would guess wrong each
/// time.
constexpr std::size_t kWantedRun = 8;
/// Written between two looks for a run, and two flushes.
constexpr std::size_t kLiteralsAtOnce = 3;

/// Of each length of a run its symbol, and what follows that: so many bits of so much.
struct RunSymbol {
  u16 symbol;
  u8 bits, extra;
};
constexpr std::array<RunSymbol, kLongestRun + 1> make_run_symbols() {
  std::array<RunSymbol, kLongestRun + 1> symbols{};
  std::size_t length = kShortestRun;
  for (u16 symbol = 257; symbol < 285; ++symbol) {
    const int bits = symbol < 265 ? 0 : (symbol - 261) / 4;
    for (int extra = 0; extra < 1 << bits; ++extra) symbols[length++] = {symbol, static_cast<u8>(bits), static_cast<u8>(extra)};
  }
  symbols[kLongestRun] = {285, 0, 0};
  return symbols;
}
constexpr auto kRunSymbols = make_run_symbols();

/// How many bytes from `at` on repeat the one before it; 0 where fewer than a run is wanted for.
std::size_t run_at(const u8* bytes, std::size_t at, std::size_t end) {
  if (at == 0 || end - at < kWantedRun) return 0;
  const u8 before = bytes[at - 1];
  u64 next = 0;
  std::memcpy(&next, bytes + at, sizeof next);
  if (next != before * 0x0101010101010101u) return 0;
  const std::size_t most = std::min(end - at, kLongestRun);
  std::size_t n = kWantedRun;
  while (n < most && bytes[at + n] == before) ++n;
  return n;
}

struct Code {
  u16 bits = 0;  ///< as they are written: the first is the lowest
  u8 length = 0;
};

/// Huffman's lengths for symbols that occur, none longer than `longest`; at least two symbols have one, as decoders ask.
template <std::size_t N>
std::array<u8, N> code_lengths(std::array<u32, N> counts, int longest) {
  for (std::size_t i = 0,
                   used = static_cast<std::size_t>(std::count_if(counts.begin(), counts.end(), [](u32 n) { return n > 0; }));
       used < 2 && i < N; ++i)
    if (counts[i] == 0) counts[i] = 1, ++used;
  // The rarest first; of equals the one with the smaller number, so that the result is one.
  std::array<u16, N> order{};
  std::size_t used = 0;
  for (std::size_t i = 0; i < N; ++i)
    if (counts[i] > 0) order[used++] = static_cast<u16>(i);
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(used),
                   [&](u16 a, u16 b) { return counts[a] < counts[b]; });
  // Two queues, both rising: leaves, and nodes in the order in which they are made. A node's depth is known from its parent's.
  std::array<u32, N> weight{};
  std::array<u16, N> parent_of_leaf{}, parent_of_node{};
  std::size_t leaf = 0, node = 0;
  for (std::size_t made = 0; made + 1 < used; ++made) {
    for (int child = 0; child < 2; ++child) {
      const bool take_leaf = leaf < used && (node >= made || counts[order[leaf]] <= weight[node]);
      weight[made] += take_leaf ? counts[order[leaf]] : weight[node];
      (take_leaf ? parent_of_leaf[leaf++] : parent_of_node[node++]) = static_cast<u16>(made);
    }
  }
  std::array<u8, N> node_depth{};
  std::array<u32, N + 1> of_length{};
  for (std::size_t i = used - 1; i-- > 0;)
    if (i + 2 < used) node_depth[i] = static_cast<u8>(node_depth[parent_of_node[i]] + 1);
  for (std::size_t i = 0; i < used; ++i) ++of_length[std::min<std::size_t>(node_depth[parent_of_leaf[i]] + std::size_t{1}, N)];
  // Longer ones become the longest; then codes are lengthened until all fit (Kraft's sum is 1 again).
  const auto most = static_cast<std::size_t>(longest);
  for (std::size_t i = most + 1; i <= N; ++i) of_length[most] += std::exchange(of_length[i], 0);
  u32 sum = 0;
  for (std::size_t i = 1; i <= most; ++i) sum += of_length[i] << (most - i);
  for (; sum > u32{1} << most; --sum) {
    --of_length[most];
    std::size_t i = most - 1;
    while (of_length[i] == 0) --i;
    --of_length[i];
    of_length[i + 1] += 2;
  }
  std::array<u8, N> lengths{};
  std::size_t at = 0;
  for (std::size_t length = most; length > 0; --length)
    for (u32 n = of_length[length]; n > 0; --n) lengths[order[at++]] = static_cast<u8>(length);
  return lengths;
}

/// RFC 1951, 3.2.2.
template <std::size_t N>
std::array<Code, N> codes_of(const std::array<u8, N>& lengths) {
  std::array<u32, kLongestCode + 2> next{};
  for (const u8 length : lengths)
    if (length > 0) ++next[length + std::size_t{1}];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] = (next[i] + next[i - 1]) << 1;
  // next[n + 1] counts codes of n bits: the first code of n + 1 bits is twice the sum so far; so next[n] holds the first of n.
  std::array<Code, N> codes{};
  for (std::size_t i = 0; i < N; ++i) {
    if (lengths[i] == 0) continue;
    u32 code = next[lengths[i]]++, reversed = 0;
    for (int bit = 0; bit < lengths[i]; ++bit, code >>= 1) reversed = reversed << 1 | (code & 1);
    codes[i] = {static_cast<u16>(reversed), lengths[i]};
  }
  return codes;
}

class BitWriter {
 public:
  explicit BitWriter(u8* to) : at_(to) {}
  /// At most 48 bits between two calls of flush().
  void put(u64 bits, int count) {
    held_ |= bits << count_;
    count_ += count;
  }
  void put(Code code) { put(code.bits, code.length); }
  /// Writes whole bytes; up to eight beyond what it holds.
  void flush() {
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(at_, &held_, sizeof held_);
    } else {
      for (int i = 0; i < 8; ++i) at_[i] = static_cast<u8>(held_ >> (8 * i));
    }
    const int whole = count_ >> 3;
    at_ += whole;
    held_ >>= 8 * whole;
    count_ &= 7;
  }
  u8* end() const { return at_; }
  u64 held() const { return held_; }
  int count() const { return count_; }

 private:
  u8* at_;
  u64 held_ = 0;
  int count_ = 0;
};

/// The lengths of a block's codes as they stand before it: runs of zeros (17, 18) and repeats (16) shortened.
struct LengthText {
  struct Item {
    u8 symbol, bits, extra;
  };
  std::vector<Item> items;
  std::array<u32, kLengthCodes> counts{};

  void add(u8 symbol, u8 bits, u8 extra) {
    items.push_back({symbol, bits, extra});
    ++counts[symbol];
  }
  void take(std::span<const u8> lengths) {
    for (std::size_t i = 0; i < lengths.size();) {
      const u8 length = lengths[i];
      std::size_t n = 1;
      while (i + n < lengths.size() && lengths[i + n] == length) ++n;
      i += n;
      if (length > 0) add(length, 0, 0), --n;
      while (n >= 3) {
        const std::size_t most = length > 0 ? 6 : 138, part = std::min(n, most);
        if (length > 0) add(16, 2, static_cast<u8>(part - 3));
        else if (part <= 10) add(17, 3, static_cast<u8>(part - 3));
        else add(18, 7, static_cast<u8>(part - 11));
        n -= part;
      }
      for (; n > 0; --n) add(length, 0, 0);
    }
  }
};

using Counts = std::array<u32, kLiterals>;

Counts counted(const u8* bytes, std::size_t begin, std::size_t end) {
  Counts counts{};
  for (std::size_t i = begin; i < end;) {
    if (const std::size_t run = run_at(bytes, i, end); run > 0) {
      ++counts[kRunSymbols[run].symbol];
      i += run;
    } else {
      for (const std::size_t stop = std::min(end, i + kLiteralsAtOnce); i < stop;) ++counts[bytes[i++]];
    }
  }
  counts[kEndOfBlock] = 1;
  return counts;
}

}  // namespace

void append_deflated(std::vector<u8>& out, std::span<const u8> bytes) {
  // Of a block's codes, and what flush() writes beyond.
  constexpr std::size_t beside = 1024;
  std::size_t length = out.size();
  u64 held = 0;
  int held_bits = 0;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kBlockBytes) {
    const std::size_t end = std::min(bytes.size(), begin + kBlockBytes);
    const Counts counts = counted(bytes.data(), begin, end);
    const auto lengths = code_lengths(counts, kLongestCode);
    const auto codes = codes_of(lengths);
    std::size_t last = kLiterals;
    while (lengths[last - 1] == 0) --last;
    LengthText text;
    // One distance, of one bit, whether there are runs or not.
    constexpr u8 distance = 1;
    text.take({lengths.data(), last});
    text.take({&distance, 1});
    const auto of_lengths = code_lengths(text.counts, kLongestLengthCode);
    const auto length_codes = codes_of(of_lengths);
    constexpr std::array<u8, kLengthCodes> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::size_t told = kLengthCodes;
    while (told > 4 && of_lengths[order[told - 1]] == 0) --told;

    std::size_t bits = 0;
    for (std::size_t i = 0; i < kLiterals; ++i) bits += counts[i] * (lengths[i] + (i > kEndOfBlock ? std::size_t{6} : 0));
    out.resize(length + bits / 8 + beside);
    BitWriter to(out.data() + length);
    to.put(held, held_bits);
    to.put(0b100, 3);  // not the last; codes of its own
    to.put(last - 257, 5);
    to.put(0, 5);
    to.put(told - 4, 4);
    to.flush();
    for (std::size_t i = 0; i < told; ++i) to.put(of_lengths[order[i]], 3), to.flush();
    for (const auto& [symbol, bits, extra] : text.items) {
      to.put(length_codes[symbol]);
      to.put(extra, bits);
      to.flush();
    }
    const u8* const data = bytes.data();
    for (std::size_t i = begin; i < end;) {
      if (const std::size_t run = run_at(data, i, end); run > 0) {
        const RunSymbol& symbol = kRunSymbols[run];
        to.put(codes[symbol.symbol]);
        to.put(symbol.extra, symbol.bits);
        to.put(0, 1);
        i += run;
      } else {
        for (const std::size_t stop = std::min(end, i + kLiteralsAtOnce); i < stop;) to.put(codes[data[i++]]);
      }
      to.flush();
    }
    to.put(codes[kEndOfBlock]);
    to.flush();
    length = static_cast<std::size_t>(to.end() - out.data());
    held = to.held();
    held_bits = to.count();
  }
  // An empty block of plain bytes begins at a whole byte.
  out.resize(length + 16);
  BitWriter to(out.data() + length);
  to.put(held, held_bits);
  to.put(0, 3);
  if ((held_bits + 3) % 8 != 0) to.put(0, 8 - (held_bits + 3) % 8);
  to.flush();
  to.put(0xffff0000, 32);
  to.flush();
  out.resize(static_cast<std::size_t>(to.end() - out.data()));
}

}  // namespace morpho::exports
