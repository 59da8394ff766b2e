// Objects cut into pieces of a fixed size, which threads format and copy.
#include "format_objects.hpp"

#include <cstring>

#include "cpu/runtime/parallel.hpp"

namespace morpho::exports {
namespace {

/// Some 0.2 ms of a thread; what does not fit into the buffer is done again.
constexpr i64 kPiece = 64;

/// Objects [first, first + count) of `rows`, one after the other in `text`, to their places in the columns of all rows;
/// `outlines` is where theirs begin among the outlines.
void place_columns(const std::string& text, const ColumnFormat& format, i64 first, i64 count, i64 rows, i64 outlines, u8* out) {
  const i64 values = static_cast<i64>(format.values.size());
  u8 *const uuids = out + 8 * values * rows, *to = uuids + 16 * rows + outlines;
  const char* from = text.data();
  for (i64 row = first; row < first + count; ++row) {
    for (i64 k = 0; k < values; ++k, from += 8) std::memcpy(out + 8 * (k * rows + row), from, 8);
    std::memcpy(uuids + 16 * row, from, 16);
    from += 16;
    for (int outline = 0; outline < (format.cells ? 2 : 1); ++outline) {
      std::uint32_t length = 0;
      std::memcpy(&length, from, sizeof length);
      const std::size_t bytes = sizeof length + length;
      std::memcpy(to, from, bytes);
      from += bytes;
      to += bytes;
    }
  }
}

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
  const i64 rows = std::min(fitting * kPiece, end - begin);
  const auto* columns = std::get_if<ColumnFormat>(&format.as);
  const i64 fixed = columns ? 8 * static_cast<i64>(columns->values.size()) + 16 : 0;  // bytes of an object beside its outline
  cpu::parallel_for(ctx, fitting, 16, [&](i64 from, i64 to, int) {
    for (i64 k = from; k < to; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const i64 first = k * kPiece;
      if (columns)
        place_columns(text[at], *columns, first, std::min(kPiece, rows - first), rows, starts[at] - first * fixed, out);
      else std::memcpy(out + starts[at], text[at].data(), text[at].size());
    }
  });
  return {rows, starts[static_cast<std::size_t>(fitting)]};
}

}  // namespace morpho::exports
