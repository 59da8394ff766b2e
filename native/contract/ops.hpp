// The operation table. What each entry means, takes and checks is in its descriptor (op/); native/cpu and cuda each fill one
// table.
//
// Read a descriptor as: definition, requires, ties, reach, cost, source; then images, parameters, memory and certainty.
// Common to all:
// * images are row-major; index(p) = y*width + x; outside the image there is nothing;
// * input and output extents are equal unless stated; an input may not overlap an output unless stated ("in place");
// * binary images are u8: zero is background, anything else foreground; results that are binary hold 0 or 1;
// * every extent is legal, including empty, 1×n, n×1; pixel counts must be below 2^31;
// * violations throw Error(INVALID_PARAMETER) naming the argument; a set Context::cancel throws Cancelled;
// * results are a function of the pixels and the parameters alone: never of threads, tiles or device;
// * memory: temporary memory comes from Context::workspace only; `cpu_need` states the CPU's, as a bound in bytes that a test
//   holds it to; a GPU implementation states its own in its docstring;
// * sync: CPU entries return when done; GPU entries enqueue on Context::stream, and return host scalars only after a
//   synchronisation that carries a `// sync:` comment.
#pragma once
#include <limits>
#include <vector>

#include "op/list.hpp"

namespace morpho {

/// A closed ring of pixel corners, first point not repeated; x and y are integers (corner coordinates).
struct Ring {
  std::vector<i32> xy;
  bool hole = false;
};

/// An entry for each operation of the lists, by its name. `Plane` arguments are written; ConstPlane inputs are read. Rgba
/// inputs are views of 4-byte pixels. Arrays and tables are the caller's, in the memory of the table of operations.
struct OpTable {
  const char* device;  ///< "cpu" or the GPU's name, for timings
#define MORPHO_ENTRY(name) op::name::Call* name;
  MORPHO_OPERATIONS(MORPHO_ENTRY)
#undef MORPHO_ENTRY
};

namespace op {
/// entry_of<op::label>(table) is table.label.
template <class O>
struct EntryOf;
#define MORPHO_ENTRY(name)                                             \
  template <>                                                          \
  struct EntryOf<name> {                                               \
    static constexpr const char* text = #name;                         \
    static name::Call* of(const OpTable& table) { return table.name; } \
  };
MORPHO_OPERATIONS(MORPHO_ENTRY)
#undef MORPHO_ENTRY
}  // namespace op

/// Otsu's threshold of a histogram in exact integer arithmetic: the level t that maximises the between-class variance of
/// {<= t} and {> t}; ties: the smallest. A histogram with fewer than two used bins gives its only used bin (empty: 0).
i32 otsu_level(const u64* bins, i32 count);

namespace cpu {
/// The table of the CPU variants; valid for the life of the program.
const OpTable& table();
/// Exact outlines of one object given by its runs: rings of pixel corners, outer rings counter-clockwise on screen, then holes
/// clockwise; 4-connected foreground tracing (two pixels that touch at a corner only are separate rings). simplify_px > 0
/// applies Douglas-Peucker with that tolerance afterwards. Cost: linear in the border length.
std::vector<Ring> trace_outline(const Run* runs, std::size_t count, double simplify_px);
}  // namespace cpu

}  // namespace morpho
