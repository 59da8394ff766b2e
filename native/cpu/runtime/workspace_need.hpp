// How much working memory each operation takes at most: the one place where it is stated; test_workspace_need.cpp holds every
// operation to it.
#pragma once
#include <algorithm>
#include <bit>

#include "contract/ops.hpp"

/// Bytes of Context::workspace that one call takes at most, whatever the pixels are (worst case: every pixel a run, a node, a
/// plateau). Views without gaps between rows are meant; where rows have gaps, max_tree, max_tree_nodes and area_open copy them
/// first (f's type and 4 bytes a pixel more for each plane of indices). Beside the workspace an operation takes nothing that
/// grows with the image but `measure`'s result.
namespace morpho::cpu::need {

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

/// 0.5 byte a pixel and 2 a row for the bounded queue; twelve rows and 32 KiB a thread. Variants: downhill 8 bytes and two
/// images (i32: 32 bytes a pixel); priority_queue 16 bytes and two images; tiled 0.5 MiB and 4 rows of a tile a thread, and the
/// tiles' borders; parallel 1 byte a pixel and 3 rows and one of i32 a thread.
inline i64 reconstruct(const Image& i, ReconstructVariant v = ReconstructVariant::automatic) {
  const i64 s = i.bytes(), t = i.workers();
  switch (v) {
    case ReconstructVariant::downhill:
      return (s < 4 ? i.padded() * (8 + 2 * s) + 4 * i.levels() : i.padded() * 16 + 16 * i.area()) + kSlack;
    case ReconstructVariant::priority_queue: return i.padded() * 2 * s + 16 * i.area() + kSlack;
    case ReconstructVariant::tiled_fast_hybrid: {
      const i64 w = std::min<i64>(512, i.width()), h = std::min<i64>(512, i.height());
      const i64 tiles = (i.width() + 511) / 512 * ((i.height() + 511) / 512);
      return tiles * (2 * (w + h) * s + 6) + t * (std::max<i64>(8192, 2 * w * h) + 4 * s * (w + 64) + 2 * h + 512) + kSlack;
    }
    case ReconstructVariant::parallel_fast_hybrid:
      return std::max<i64>(32768, i.area() / 2) + std::max<i64>(8192 * t, i.area() / 2) + i.height() +
             t * (3 * s * (i.width() + 64) + 4 * i.width() + 256) + kSlack;
    default: return std::max<i64>(32768 * t, i.area() / 2) + 2 * i.height() + t * (12 * s * (i.width() + 64) + 512) + kSlack;
  }
}
/// That of reconstruct.
inline i64 h_extrema(const Image& i) { return reconstruct(i); }
/// That of reconstruct, and for u16 and i32 one image.
inline i64 regional_extrema(const Image& i) { return reconstruct(i) + (i.bytes() > 1 ? i.bytes() * i.area() : 0) + kSlack; }
/// One image more.
inline i64 extended_extrema(const Image& i) { return regional_extrema(i) + i.bytes() * i.area() + kSlack; }

/// 2 bytes a pixel (4 above 32766 rows), 22 (30) bytes a column and thread. danielsson: 16 (32) bytes a pixel and 64 (128) KiB
/// a thread.
inline i64 distance(const Image& i, DistanceVariant v = DistanceVariant::automatic) {
  const i64 t = i.workers();
  if (v == DistanceVariant::danielsson) {
    const i64 pointer = i.width() > 65536 || i.height() > 32767 ? 8 : 4;
    return 4 * pointer * i.area() + t * 16384 * pointer + kSlack;
  }
  const i64 d = i.height() < 32767 ? 2 : 4;
  return d * i.area() + t * ((4 * d + 14) * i.width() + 1024) + kSlack;
}

/// 1/8 byte a pixel and 0.5 MB a thread; union_find 8 bytes a pixel; flooding 9 bytes and one image. Then 4 bytes a grey level
/// and thread for the order.
inline i64 max_tree(const Image& i, MaxTreeVariant v = MaxTreeVariant::automatic) {
  const i64 order = 4 * i.levels() * i.workers();
  i64 tree = i.area() / 8 + 500'000 * i.workers();
  if (v == MaxTreeVariant::union_find) tree = 8 * i.area() + order;
  if (v == MaxTreeVariant::flooding) tree = i.padded() * (9 + i.bytes()) + 8 * i.levels();
  return std::max(tree, order) + kSlack;
}
/// `known` bytes for each node of one tile a thread, and for those that span tiles: never more threads than keep these below
/// one a pixel.
inline i64 component_sums(const Image& i, i64 known) {
  const i64 tile = kNodeTile.area();
  return known * (i.area() + std::min(tile, i.area()) * i.workers());
}
/// 1/8 byte a pixel and thread (1 at most) and 32 KiB a tile of 512x256; 4 bytes for the nodes of a tile and those that span
/// tiles a thread, 4 a grey level and thread.
inline i64 max_tree_nodes(const Image& i) {
  return (i.area() / 8 + 16) * std::min<i64>(8, i.workers()) + node_tiles(i.extent) * (kNodeTile.area() / 4 + 8) +
         component_sums(i, 4) + 4 * i.levels() * i.workers() + kSlack;
}
/// 72 bytes for the nodes of a tile and for those that span tiles, a thread.
inline i64 max_tree_sums(const Image& i) { return component_sums(i, 72) + kSlack; }
/// One image and 1 byte a node; for the nodes of a tile and those that span tiles, a thread: area 4 bytes, height 8, box,
/// volume, contrast and mean 16, elongation and inertia 64.
inline i64 attribute_filter(const Image& i, Attribute attribute) {
  const bool moments = attribute == Attribute::elongation || attribute == Attribute::inertia;
  const i64 known = attribute == Attribute::area ? 4 : attribute == Attribute::height ? 8 : moments ? 64 : 16;
  return i.area() * (i.bytes() + 1) + component_sums(i, known) + kSlack;
}
/// 22 bytes a pixel, and the largest need of max_tree, max_tree_nodes and attribute_filter by area.
inline i64 area_open(const Image& i) {
  return 22 * i.area() + 4 * (node_tiles(i.extent) + 1) +
         std::max({max_tree(i), max_tree_nodes(i), attribute_filter(i, Attribute::area)}) + kSlack;
}

/// 4 bytes a row and 12 a run: at most 6 bytes a pixel for binary images, 12 for values.
inline i64 label(const Image& i) {
  return (i.type == PixelType::u8 ? 12 * ((i.width() + 1) / 2) : 12 * i.width()) * i.height() + 4 * i.height() + kSlack;
}
/// 5 bytes a run more: at most 8.5 a pixel.
inline i64 area_filter(const Image& i) { return label(i) + 5 * ((i.width() + 1) / 2) * i.height() + kSlack; }
/// For the flood 4 bytes a pixel, and 8 a grey level, 8 a column and 5 rows a thread; or that of reconstruct; u8 of two values:
/// that of label, and one byte a run, where that is more. Where rows have gaps, two images more for the flood.
inline i64 fill_holes(const Image& i) {
  const i64 bands = std::clamp<i64>(i.height() / 64, 1, i.workers());
  const i64 flood = 4 * i.area() + bands * (8 * i.levels() + (8 + 5 * i.bytes()) * i.width() + 1024) + kSlack;
  return std::max(std::max(reconstruct(i), flood),
                  i.type == PixelType::u8 ? label(i) + (i.width() + 1) / 2 * i.height() + kSlack : 0);
}
inline i64 clear_border(const Image& i) { return fill_holes(i); }

/// One image and one byte a pixel, 8 bytes a plateau pixel (4 with markers); with markers at least the need of reconstruct, and
/// one image more where there is a mask too. drop_of_water: one image and 12 bytes a pixel, and with markers all of that.
/// cellular: one image and 9 bytes a pixel, 5 bytes a row, 16 bytes a column and thread. Lines: two rows of i32 for each 131072
/// px (or for each row, where rows are longer) and two a thread, after the rest was given back.
inline i64 watershed(const Image& i, bool markers, bool mask, bool lines, WatershedVariant v = WatershedVariant::automatic) {
  const i64 s = i.bytes(), t = i.workers(), padded = i.padded() + 64;
  const i64 flood = markers ? reconstruct(i) + (mask ? s * i.area() : 0) : 0;
  const i64 rows = std::max<i64>(1, 131072 / std::max<i64>(1, i.width())), pieces = (i.height() + rows - 1) / rows;
  const i64 cut = lines ? 8 * i.width() * pieces + t * 8 * (i.width() + 2) + 4 * i.width() : 0;
  i64 need = padded * (s + 1) + std::max(flood, (markers ? 4 : 8) * i.area() + 64 * pieces);
  if (v == WatershedVariant::drop_of_water) need = i.padded() * (s + 8) + 4 * i.area() + flood;
  if (v == WatershedVariant::cellular_automaton) {
    need = padded * (s + 1) + std::max(flood, padded * 8 + 5 * i.height() + t * (16 * (i.width() + 2) + 64));
  }
  return std::max(need, cut) + kSlack;
}

/// A tile's rows for each thread: (2 radius + 3; 3 for a horizontal line) of 512 to 4096 columns, and log2(2 radius + 1) + 1
/// longer ones; one image for opening, closing and in place, one for a cross.
inline i64 morphology(const Image& i, Morphology kind, Shape shape, i32 radius, bool in_place = false) {
  const i64 s = i.bytes(), rows = shape == Shape::line_horizontal ? 3 : 2 * i64{radius} + 3;
  const bool diagonal = shape == Shape::line_diagonal || shape == Shape::line_antidiagonal;
  const i64 across = diagonal ? i.width() + i.height() : i.width();
  const i64 columns = std::min<i64>(across,
                                    std::min<i64>(4096, std::max<i64>({131072 / (s * rows) + 64, 512, 4 * i64{radius}}))) +
                      64;
  const i64 levels = std::bit_width(2 * static_cast<u64>(radius) + 1);
  const i64 tile = columns * rows + levels * (columns + 2 * radius + 64) + 64;
  const i64 images = (kind == Morphology::open || kind == Morphology::close || in_place ? 1 : 0) +
                     (shape == Shape::cross ? 1 : 0);
  return i.workers() * s * tile + images * s * i.area() + kSlack;
}
/// One image with rows padded by up to 127 bytes, 8 bytes a column and thread.
inline i64 gaussian(const Image& i) {
  return i.height() * (i.width() * i.bytes() + 128) + 8 * i.width() * i.workers() + kSlack;
}
/// Radius 1 to 3: nothing. Larger: u8 544 bytes for each of a tile's columns (the larger of 256 and 4 radius, and 2 radius
/// more) and thread; u16 129 KiB a thread.
inline i64 median(const Image& i, i32 radius) {
  if (radius <= 3) return kSlack;
  if (i.bytes() > 1) return i.workers() * 2 * (65536 + 256) + kSlack;
  return i.workers() * (544 * std::min<i64>(i.width(), std::max<i64>(256, 4 * i64{radius}) + 2 * radius) + 64) + kSlack;
}
/// 4 bytes (u8 up to a radius of 63: 2; u16 above 90: 12) a column and thread, and one row.
inline i64 box_mean(const Image& i, i32 radius) {
  return i.workers() * i.width() *
             (i.bytes() > 1 ? (radius > 90 ? 12 : 4)
              : radius > 63 ? 4
                            : 2) +
         i.bytes() * i.width() + kSlack;
}
/// That of a dilation in place.
inline i64 geodesic_dilate(const Image& i) { return morphology(i, Morphology::dilate, Shape::square, 1, true); }
/// threshold, combine, scale, root, stain, weights, color_rule: nothing.
inline i64 pointwise(const Image&) { return kSlack; }
/// 256 KiB a thread (u8 below 2^19 pixels: 8 KiB).
inline i64 histogram(const Image& i) { return i.workers() * (i.bytes() == 1 && i.area() < (1 << 19) ? 8192 : 262144) + kSlack; }
/// 16 bytes (32 for steps above 256 px) an input column and thread, and 48 an output column and thread (none for steps above 4
/// px; the image is the input).
inline i64 resample(const Image& i, i64 step_y, i64 out_width) {
  return i.workers() * (i.width() * (step_y > (i64{256} << 16) ? 32 : 16) + 48 * out_width) + kSlack;
}
/// 20 bytes a run (at most one a pixel), 16 KiB for each 32768 runs (512 KiB at most), 8 a row; or 64 a row and thread where
/// that is more; the result's vectors (12 bytes a run, 232 an object) come on top.
inline i64 measure(const Image& i) {
  const i64 sort = 20 * i.area() + 16384 * std::clamp<i64>(i.area() >> 15, 1, 32);
  return std::max(sort, 64 * i.height() * i.workers()) + 8 * i.height() + kSlack;
}
/// 64 bytes a label and thread, one thread where that were more than a byte a pixel.
inline i64 label_sums(const Image& i, i64 count) {
  const i64 bytes = 64 * (count + 1);
  return bytes * (bytes > i.area() ? 1 : i.workers()) + kSlack;
}
/// choose_labels, relabel, clear_rim: nothing. choose_nodes: 8 bytes a node.
inline i64 choose_nodes(i64 nodes) { return 8 * nodes + kSlack; }

}  // namespace morpho::cpu::need
