// What an operation may take of Context::workspace: the image that its statement is a function of.
#pragma once
#include <algorithm>
#include <bit>

#include "../view.hpp"

/// `cpu_need` of a descriptor: bytes of Context::workspace that one call on the CPU takes at most, whatever the pixels are
/// (worst case: every pixel a run, a node, a plateau); test_workspace_need.cpp holds every operation to it. Views without gaps
/// between rows are meant; where rows have gaps, max_tree, max_tree_nodes and area_open copy them first (f's type and 4 bytes a
/// pixel more for each plane of indices). Beside the workspace an operation takes nothing that grows with the image but
/// `measure`'s result.
namespace morpho::need {

/// Every block is rounded up to 64 bytes and every loop has a few words of its own; counted here once for all.
inline constexpr i64 kSlack = 8192;

struct Image {
  PixelType type = PixelType::u8;  ///< of the (first) input
  Extent extent;
  i32 threads = 1;

  i64 bytes() const { return static_cast<i64>(pixel_bytes(type)); }
  i64 width() const { return extent.width; }
  i64 height() const { return extent.height; }
  i64 area() const { return extent.area(); }
  i64 padded() const { return (width() + 2) * (height() + 2); }
  i64 workers() const { return std::max(1, threads); }
  /// Entries of a table with one for each grey value.
  i64 levels() const { return i64{1} << (8 * std::min<i64>(2, bytes())); }
};

}  // namespace morpho::need
