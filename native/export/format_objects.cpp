// Objects cut into pieces of a fixed size, which threads format and copy.
#include "format_objects.hpp"

#include <cstring>

#include "cpu/runtime/parallel.hpp"

namespace morpho::exports {
namespace {

/// Some 0.2 ms of a thread; what does not fit into the buffer is done again.
constexpr i64 kPiece = 64;

}  // namespace

Formatted format_objects(const Context& ctx, const ObjectTable& objects, i64 begin, i64 end, const ObjectFormat& format,
                         u8* out, i64 size) {
  const i64 pieces = (end - begin + kPiece - 1) / kPiece;
  std::vector<std::string> text(static_cast<std::size_t>(pieces));
  cpu::parallel_for(ctx, pieces, 1, [&](i64 from, i64 to, int) {
    for (i64 k = from; k < to; ++k) {
      const i64 first = begin + k * kPiece;
      append_objects(text[static_cast<std::size_t>(k)], objects, first, std::min(first + kPiece, end), format);
    }
  });
  std::vector<i64> starts(static_cast<std::size_t>(pieces) + 1, 0);
  i64 fitting = 0;
  for (i64 k = 0; k < pieces; ++k) {
    const auto at = static_cast<std::size_t>(k);
    starts[at + 1] = starts[at] + static_cast<i64>(text[at].size());
    if (starts[at + 1] <= size) fitting = k + 1;
  }
  if (fitting == 0) return {0, pieces > 0 ? starts[1] : 0};
  cpu::parallel_for(ctx, fitting, 16, [&](i64 from, i64 to, int) {
    for (i64 k = from; k < to; ++k) {
      const auto at = static_cast<std::size_t>(k);
      std::memcpy(out + starts[at], text[at].data(), text[at].size());
    }
  });
  return {std::min(fitting * kPiece, end - begin), starts[static_cast<std::size_t>(fitting)]};
}

}  // namespace morpho::exports
