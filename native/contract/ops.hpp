// The operation table: every operation's signature and exact meaning. native/cpu and cuda each fill one table.
//
// Read an entry as: shape, requires, result (the definition), ties, reach (pointwise, halo n, or global), cost, source.
// Common to all:
// * images are row-major; index(p) = y*width + x; outside the image there is nothing;
// * input and output extents are equal unless stated; an input may not overlap an output unless stated ("in place");
// * binary images are u8: zero is background, anything else foreground; results that are binary hold 0 or 1;
// * every extent is legal, including empty, 1×n, n×1; pixel counts must be below 2^31;
// * violations throw Error(INVALID_PARAMETER) naming the argument; a set Context::cancel throws Cancelled;
// * results are a function of the pixels and the parameters alone: never of threads, tiles or device;
// * memory: temporary memory comes from Context::workspace only; each implementation states its need in its docstring (the
// CPU's, as
//   a bound in bytes that a test holds it to, in cpu/workspace_need.hpp);
// * sync: CPU entries return when done; GPU entries enqueue on Context::stream, and return host scalars only after a
//   synchronisation that carries a `// sync:` comment.
#pragma once
#include <limits>
#include <vector>

#include "context.hpp"
#include "node_table.hpp"
#include "object_rules.hpp"
#include "unfilled.hpp"
#include "view.hpp"

namespace morpho {

// ---------------------------------------------------------------- reconstruction and what derives from it

enum class By : u8 { dilation, erosion };
enum class Extremum : u8 { maxima, minima };

/// Selectable algorithms; `automatic` is the fastest exact one. A table that lacks a variant throws INVALID_PARAMETER.
enum class ReconstructVariant : std::uint8_t {
  /// CPU: sweeps while most rows move, then a queue, in turns with sweeps past 9/16 moves a pixel (reconstruct.cpp, plan_of).
  /// GPU: tiles on a worklist; waves that wind too long are ended bit by bit, by union-find (reconstruct.cu, kMostTurns).
  automatic,
  raster_sweeps,         ///< SR: raster and anti-raster sweeps to stability (Vincent 1993)
  queue,                 ///< QB: a FIFO queue from the regional maxima of the marker (Vincent 1993)
  fast_hybrid,           ///< FH: one sweep each way, then the queue (Vincent 1993; Teodoro 2012 Algorithm 2)
  downhill,              ///< DH: grey levels from the highest down (Robinson & Whelan 2004)
  priority_queue,        ///< a heap ordered by grey value, sequential (He 2016 §2)
  tiled_fast_hybrid,     ///< FH in tiles, then border propagation until nothing changes (Teodoro 2012 §4, §5.1)
  parallel_fast_hybrid,  ///< FH on the whole image by all threads at once, the non-tiled comparison (Teodoro 2012 §5.1)
  naive_queue,           ///< FH_GPU with one atomic a queued pixel, GPU only (Teodoro 2012 §5.2.1)
  prefix_queue,          ///< FH_GPU with prefix sums, without the per-thread queues of the GPU's fast_hybrid, GPU only (ibid.)
  parallel_heap,         ///< PH_GPU: a heap of many pixels a node for each block, GPU only (He 2016 §2)
};

struct ReconstructParams {
  By by = By::dilation;
  Connectivity connectivity = Connectivity::eight;
  ReconstructVariant variant = ReconstructVariant::automatic;
  bool operator==(const ReconstructParams&) const = default;
};
struct GeodesicParams {
  i32 steps = 1;  ///< 0..2^20
  bool operator==(const GeodesicParams&) const = default;
};
struct ExtremaParams {
  Extremum kind = Extremum::maxima;
  i32 h = 1;  ///< >= 1 (h_extrema, extended_extrema); ignored by regional_extrema
  Connectivity connectivity = Connectivity::eight;
  bool operator==(const ExtremaParams&) const = default;
};
struct ConnectivityParams {
  Connectivity connectivity = Connectivity::eight;
  bool operator==(const ConnectivityParams&) const = default;
};

// ---------------------------------------------------------------- distance

enum class DistanceVariant : u8 {
  /// CPU and GPU: exact. Near zeros by a search along the row (64 and 128 px); beyond, on the CPU by the envelope of parabolas
  /// (distance_rows.hpp, reach), on the GPU by blocks of columns whose fewest rows are known (distance_rows.cu, kReach).
  automatic,
  exact,  ///< columns, then rows: separable (Meijster 2000)
  /// IWPP wavefront of nearest-zero pointers over 8 neighbours (Teodoro 2012 Algorithm 3). Never below the exact distance;
  /// equal to it where rounds are synchronous (the CPU's), within 0.09 px (Danielsson 1980) where the order of a queue decides.
  danielsson,
};
struct DistanceParams {
  i32 weight_x = 1;  ///< squared pixel spacing along x, 1..65536
  i32 weight_y = 1;  ///< squared pixel spacing along y, 1..65536
  DistanceVariant variant = DistanceVariant::automatic;
  bool operator==(const DistanceParams&) const = default;
};
/// What `distance` holds where no zero pixel exists.
inline constexpr i32 kNoBackground = 2147483647;

// ---------------------------------------------------------------- max-tree

enum class MaxTreeVariant : std::uint8_t {
  /// CPU: tile_merge, always (max_tree.cpp, max_tree_parent). GPU: trees of tiles joined along their borders, u16 by bands of
  /// values first; union_find and tile_merge are the same there (max_tree.cu, build; max_tree_parent.cuh, kBandShift).
  automatic,
  union_find,         ///< pixels sorted by value, joined from the highest down (Berger 2007)
  flooding,           ///< one flood with a stack of levels (Salembier 1998, Wilkinson 2011)
  tile_merge,         ///< trees of tiles in parallel, joined along their borders (Blin 2021 §3)
  column_union_find,  ///< trees of columns, joined by a concurrent union-find, GPU only (Blin 2021 §4)
  border_trees,       ///< the same; tiles meet through the trees of their borders alone, GPU only (Blin 2021 §6)
};
struct MaxTreeParams {
  Connectivity connectivity = Connectivity::eight;
  bool min_tree = false;  ///< the same on the inverted image
  MaxTreeVariant variant = MaxTreeVariant::automatic;
  bool operator==(const MaxTreeParams&) const = default;
};

/// Integer sums over the pixels of one node's component (the node and all its descendants).
/// Coordinates are those of the image. From these every attribute follows without another pass over the pixels.
struct NodeSums {
  i64 area;                        ///< pixels
  i64 sum_value;                   ///< of grey values
  i64 sum_x, sum_y;                ///< first moments
  i64 sum_xx, sum_yy, sum_xy;      ///< second moments, modulo 2^64 (they fit for images up to 46340 squared)
  i32 min_x, min_y, max_x, max_y;  ///< bounding box, inclusive
  i32 value;                       ///< the node's own altitude
  i32 peak;                        ///< highest grey value in the component (lowest, for a min-tree)
  i32 parent_value;                ///< altitude of the parent node (root: its own)
};

/// Attributes of a node's component, all from its NodeSums (p: the parent's altitude; the root's parent is itself):
/// * area: px; volume: sum |value - p|; box_width, box_height, box_diagonal: px, inclusive;
/// * height: |peak - p|; contrast: |mean - p|; mean: of the grey values;
/// * elongation: sqrt(l1 / l2) >= 1, the ratio of the axes; l1 >= l2 are the eigenvalues of the pixels' covariance with each
/// pixel a
///   unit square (1/12 added to both variances);
/// * inertia: (mu20 + mu02) / area² of the pixel centres (Hu's first moment: 1/2π for a disk, more for any other shape).
/// Doubles from exact integer sums by + - * / sqrt alone, so the same on every IEEE machine that does not contract.
enum class Attribute : u8 { area, height, volume, box_width, box_height, box_diagonal, elongation, inertia, contrast, mean };
enum class FilterRule : u8 { direct, min, max, subtractive };

struct AttributeFilterParams {
  Attribute attribute = Attribute::area;
  FilterRule rule = FilterRule::direct;
  double at_least = 0;  ///< a node is kept where its attribute >= this
  bool min_tree = false;
};
struct AreaOpenParams {
  i32 area = 1;  ///< components of an upper (lower) level set with fewer pixels go; the root is always kept
  Connectivity connectivity = Connectivity::eight;
  bool closing = false;
};

// ---------------------------------------------------------------- watershed, labels, components

enum class WatershedVariant : std::uint8_t {
  /// CPU: a graph of directions, plateaus breadth first, one walk (watershed.cpp, follow_graph). GPU: the same graph, plateaus
  /// by waves through tiles, past a depth of 8 by union-find (watershed.cu, flow_down; watershed_plateau.cu, kMostDepth).
  automatic,
  drop_of_water,       ///< each pixel's path of steepest descent, sequential (Körbes 2011 §2)
  cellular_automaton,  ///< Ford-Bellman iterations to stability (Körbes 2011 §4)
};
struct WatershedParams {
  Connectivity connectivity = Connectivity::eight;
  bool lines = false;  ///< a pixel with a 4-neighbour of a larger label becomes 0
  WatershedVariant variant = WatershedVariant::automatic;
  bool operator==(const WatershedParams&) const = default;
};
struct AreaFilterParams {
  Connectivity connectivity = Connectivity::eight;
  i32 min_area = 0;  ///< components with area in [min_area, end_area) are kept
  i32 end_area = 2147483647;
  bool operator==(const AreaFilterParams&) const = default;
};

// ---------------------------------------------------------------- local operations

enum class Shape : u8 { disk, square, line_horizontal, line_vertical, line_diagonal, line_antidiagonal, cross };
enum class Morphology : u8 { erode, dilate, open, close };

struct MorphologyParams {
  Morphology kind = Morphology::erode;
  Shape shape = Shape::disk;
  i32 radius = 1;  ///< 0..1024; disk: dx*dx + dy*dy <= radius*radius; others: 2*radius+1 pixels a side
  bool operator==(const MorphologyParams&) const = default;
};
struct GaussianParams {
  double sigma = 1.0;  ///< 0 (copy) .. 64 px
  bool operator==(const GaussianParams&) const = default;
};
struct RadiusParams {
  i32 radius = 1;  ///< window of 2*radius+1 a side; median: 0..64, box_mean: 0..1024
  bool operator==(const RadiusParams&) const = default;
};
struct ThresholdParams {
  i32 above = 0;  ///< out = value > above
  bool operator==(const ThresholdParams&) const = default;
};

/// Pointwise combinations of two equal-typed images (binary ones where noted).
enum class Combine : u8 {
  subtract,  ///< max(a - b, 0)
  add,       ///< min(a + b, type's maximum)
  minimum,
  maximum,
  difference,  ///< |a - b|
  greater,     ///< 1 where a > b, else 0; out is u8
  both,        ///< 1 where a and b are nonzero; out is u8
  without,     ///< 1 where a is nonzero and b is zero; out is u8
  either       ///< 1 where a or b is nonzero; out is u8
};
struct CombineParams {
  Combine kind = Combine::subtract;
  bool operator==(const CombineParams&) const = default;
};

/// An affine map of one image with saturation: out = clamp((a * multiply + add) >> shift) to out's type. i64 arithmetic.
struct ScaleParams {
  i32 multiply = 1;
  i64 add = 0;
  i32 shift = 0;  ///< 0..31, arithmetic shift (rounds towards minus infinity)
  bool operator==(const ScaleParams&) const = default;
};
struct RootParams {
  i32 scale = 1;  ///< out = floor(sqrt(scale * a)); scale * a must fit an i64; kNoBackground is taken as 2^31-1
  bool operator==(const RootParams&) const = default;
};

/// One output channel of a colour deconvolution in fixed point.
struct StainParams {
  /// One row of the inverse stain matrix, times 65536: concentration = sum_i row[i] * OD_i, OD in 1/1024 from od_table() of
  /// tables.hpp.
  i32 row[3] = {65536, 0, 0};
  i32 units_per_od = 100;          ///< 1..65536; out = clamp(floor(concentration * units_per_od + 1/2), 0, 255), exact in i64
  i32 white[3] = {255, 255, 255};  ///< the intensity of OD 0 for each channel, 1..255
  bool intensity = false;          ///< of light that shines, not of light that is missing: v/256 in place of OD, white unused
  bool operator==(const StainParams&) const = default;
};
/// out = clamp(floor((r*R + g*G + b*B + offset) / divisor), 0, 255) in i64; the default divisor makes the weights Q16.
/// Inverted luminance 255 - floor((299R + 587G + 114B + 500) / 1000) is exactly {-299, -587, -114, 255499, 1000}.
struct WeightsParams {
  i32 r = 0, g = 0, b = 0;
  i32 offset = 0;
  i32 divisor = 65536;  ///< >= 1
  bool operator==(const WeightsParams&) const = default;
};
/// 1 where a colour rule holds, all in integers: used for background and red blood cells.
struct ColorRuleParams {
  i32 above[3] = {-1, -1, -1};  ///< requires R > above[0], G > above[1], B > above[2]
  /// Requires R*den > G*num (and R*den > B*num): ratios without division. num = 0 switches a rule off. num 0..2^22, den
  /// 1..2^22.
  i32 r_over_g_num = 0, r_over_g_den = 1;
  i32 r_over_b_num = 0, r_over_b_den = 1;
  bool operator==(const ColorRuleParams&) const = default;
};
struct ResampleParams {
  /// Output pixel (i, j) averages input over [x0 + i*step, x0 + (i+1)*step) × likewise y, in 1/65536 input px, by area.
  /// |x0|, |y0| <= 2^48; steps 1..2^27 (2048 input px).
  i64 x0 = 0, y0 = 0;
  i64 step_x = 65536, step_y = 65536;
};

// ---------------------------------------------------------------- objects

/// One object as its labels and the pixels beneath give it. Units: px of the analysed image; OD where said. Lengths (perimeter,
/// axes) are in sides of a square of a pixel's area, which are px where pixels are square.
struct ObjectMeasurement {
  i32 label;
  i32 first_x, first_y;            ///< first pixel in raster order: it decides which tile owns the object
  i32 min_x, min_y, max_x, max_y;  ///< inclusive bounding box
  i64 area;                        ///< pixels
  double perimeter;                ///< px, see measure
  double centroid_x, centroid_y;   ///< px, pixel centres at integer + 0.5; multiples of 2^-20, see measure
  /// Px: full axes of the ellipse with the same second moments (pixels are unit squares: +1/12)
  double major_axis, minor_axis;
  double eccentricity;  ///< 0 circle .. 1 line
  double orientation;   ///< degrees in (-90, 90], counter-clockwise from the x axis as seen on screen
  double circularity;   ///< 4π area / perimeter², at most 1
  double solidity;      ///< area / area of the convex hull of the pixels' corners
  /// Concentration of each of three stains over the object's pixels, in OD, not clamped at 0, from values rounded to 1/1024;
  /// std is that of the whole population. All 0 where `measure` is given no colours.
  double stain_mean[3], stain_std[3], stain_min[3], stain_max[3];
  double contrast;  ///< objects::contrast of the pixels; kNotMeasured where `measure` is given no values
  double score;     ///< objects::score_of of that and the shape, a whole number 0..100; kNotMeasured as contrast is
};
/// So many times as wide as high, or as high as wide, a pixel may be: more than any two pixel sizes that a file is believed.
inline constexpr double kMostAspect = 1e6;
/// In place of a measurement that nothing gives; never 0, which says something.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
/// A horizontal run of one object's pixels: x in [x0, x1).
struct Run {
  i32 y, x0, x1;
};
struct MeasureParams {
  StainParams stains[3];  ///< the channels that the OD statistics are taken of, with their own units_per_od
  i32 contrast_per = 1;   ///< grey levels that are a contrast of 1, >= 1
  i64 contrast_area = 1;  ///< px, >= 1: from objects::contrast_area()
  double aspect = 1;      ///< a pixel's width over its height, from 1 / kMostAspect to kMostAspect
  bool operator==(const MeasureParams&) const = default;
};
struct ObjectSet {
  ResultVector<ObjectMeasurement> objects;  ///< ascending label
  ResultVector<Run> runs;                   ///< object after object, raster order inside each
  ResultVector<i64> run_offsets;            ///< objects.size() + 1 offsets into runs
};
/// A closed ring of pixel corners, first point not repeated; x and y are integers (corner coordinates).
struct Ring {
  std::vector<i32> xy;
  bool hole = false;
};

// ---------------------------------------------------------------- the table

/// `const Plane` outputs are written; ConstPlane inputs are read. Rgba inputs are views of 4-byte pixels.
struct OpTable {
  const char* device;  ///< "cpu" or the GPU's name, for timings

  /// Morphological reconstruction of `mask` from `marker` (u8, u16, i32; all three planes of one type).
  /// by dilation: the largest image <= mask reachable from min(marker, mask) by geodesic dilation to stability; by erosion: the
  /// dual. Unique. Reach: global. Source: Vincent 1993; Teodoro 2012 §2, §3 (SR, QB, FH). `out` may be `marker`.
  void (*reconstruct)(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
  /// Reconstruction by dilation, 8-connected, that ends after so many steps: min(marker, mask), then `steps` times the maximum
  /// over 3 × 3 pixels, nowhere above mask. u8, u16; all three planes of one type, `out` apart from the others. Reach: steps.
  void (*geodesic_dilate)(Context&, ConstPlane marker, ConstPlane mask, Plane out, const GeodesicParams&);

  /// HMAX_h(f) = reconstruction by dilation of max(f - h, type's minimum) under f; HMIN_h the dual with saturation. Types u8,
  /// u16, i32.
  void (*h_extrema)(Context&, ConstPlane f, Plane out, const ExtremaParams&);
  /// 1 on the regional maxima (minima) of HMAX_h(f) (HMIN_h(f)), whole plateaus; out is u8. Soille 2003 §6.3.
  void (*extended_extrema)(Context&, ConstPlane f, Plane out, const ExtremaParams&);
  /// 1 on pixels of plateaus with no higher (lower) neighbour; out is u8. A constant image is one such plateau.
  void (*regional_extrema)(Context&, ConstPlane f, Plane out, const ExtremaParams&);
  /// Reconstruction by erosion of f from f on the image border and the type's maximum inside. Binary or grey (u8, u16).
  /// `connectivity` is that of the reconstruction (4 keeps diagonal leaks closed).
  void (*fill_holes)(Context&, ConstPlane f, Plane out, const ConnectivityParams&);
  /// f minus the reconstruction under f of its border pixels. u8, u16.
  void (*clear_border)(Context&, ConstPlane f, Plane out, const ConnectivityParams&);

  /// Exact squared Euclidean distance of each nonzero pixel to the nearest zero pixel (pixel centres), weight_x*dx² +
  /// weight_y*dy²; zero pixels hold 0; no zero pixel anywhere: kNoBackground. binary u8 -> i32; values saturate at
  /// kNoBackground - 1.
  /// Reach: global. Source: Meijster 2000; Teodoro 2012 §2.2 for the wavefront it is compared with.
  void (*distance)(Context&, ConstPlane binary, Plane squared, const DistanceParams&);

  /// Max-tree (min-tree) of f (u8, u16). `parent` i32: canonical pixel of a node = smallest index among its own-level pixels;
  /// canonical: index of the parent node's canonical pixel (root: itself); others: their node's canonical pixel. Unique.
  /// `order` i32, a permutation of all pixels in which every parent comes before its children (roots first): ascending
  /// altitude, then index; may be absent (default-constructed) where nobody needs it. Source: Berger 2007, Blin 2021 §3.
  void (*max_tree)(Context&, ConstPlane f, Plane parent, Plane order, const MaxTreeParams&);
  /// The tree's nodes as a table (node_table.hpp), made once for any number of filters. `node` i32: each pixel's node, by its
  /// place in the table. f, parent, order as max_tree took and gave them. Fills the arrays of `nodes` and sets nodes.count
  /// (host value: the GPU's waits for it). Reach: global. Source: none, the same tree written another way.
  void (*max_tree_nodes)(Context&, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node, NodeTable& nodes);
  /// Sums of every node, nodes.count elements in the table's order, from what max_tree_nodes gave.
  void (*max_tree_sums)(Context&, ConstPlane node, const NodeTable& nodes, NodeSums* sums, bool min_tree);
  /// Filters by one attribute, from what max_tree_nodes gave; `out` has the type of the image the tree is of. Rules: direct (a
  /// removed node takes its nearest kept ancestor's altitude), min (a node is kept where it and all its ancestors pass), max
  /// (kept where it or a descendant passes), subtractive (removed contrast is subtracted from the descendants too). The root is
  /// always kept.
  /// Source: Salembier 1998, Urbach 2007.
  void (*attribute_filter)(Context&, ConstPlane node, const NodeTable& nodes, Plane out, const AttributeFilterParams&);
  /// Area opening (closing): attribute_filter by area, from the image alone.
  void (*area_open)(Context&, ConstPlane f, Plane out, const AreaOpenParams&);

  /// Connected components of the nonzero pixels of `in` (u8 binary), or of equal nonzero values (u16, i32): labels 1..n in
  /// raster order of each component's first pixel; returns n.
  i32 (*label)(Context&, ConstPlane in, Plane labels, const ConnectivityParams&);
  /// Watershed as design.md §3 / README defines it: `markers` i32 and `mask` u8 may be absent (default-constructed planes).
  /// f is u8, u16 or i32. Returns the largest label. Ties: smallest index at every choice. Source: Körbes 2011 §2 (drop of
  /// water).
  i32 (*watershed)(Context&, ConstPlane f, ConstPlane markers, ConstPlane mask, Plane labels, const WatershedParams&);
  /// Keeps components of a binary u8 whose area is in [min_area, end_area). In place allowed.
  void (*area_filter)(Context&, ConstPlane binary, Plane out, const AreaFilterParams&);

  /// Flat erosion, dilation, opening, closing of u8 or u16; pixels outside the image are ignored. In place allowed.
  /// line_diagonal holds (t, t), line_antidiagonal (t, -t) in (dx, dy), |t| <= radius; cross is both axis-parallel lines.
  /// Reach: halo radius (2 radius for opening and closing).
  void (*morphology)(Context&, ConstPlane f, Plane out, const MorphologyParams&);
  /// Separable Gaussian, u8 or u16: the Q16 weights of gaussian_weights() (tables.hpp), first along rows, then along columns;
  /// each pass gives floor((2 Σ w v + W) / (2 W)) in f's type, over the taps inside the image, W the sum of their weights
  /// (65536 inside). In place allowed. Reach: halo ceil(3 sigma).
  void (*gaussian)(Context&, ConstPlane f, Plane out, const GaussianParams&);
  /// Median over the part of the square window that lies inside the image (lower median for even counts). u8, u16. Reach: halo
  /// radius.
  void (*median)(Context&, ConstPlane f, Plane out, const RadiusParams&);
  /// Mean over the part of the square window inside the image, rounded to nearest (halves up). u8, u16. Reach: halo radius.
  void (*box_mean)(Context&, ConstPlane f, Plane out, const RadiusParams&);
  void (*threshold)(Context&, ConstPlane f, Plane out, const ThresholdParams&);  ///< u8, u16, i32 -> u8
  void (*combine)(Context&, ConstPlane a, ConstPlane b, Plane out,
                  const CombineParams&);                                 ///< `out` may be a or b; i32 saturates at both ends
  void (*scale)(Context&, ConstPlane a, Plane out, const ScaleParams&);  ///< types may differ; |add| < 2^62; in place allowed
  void (*root)(Context&, ConstPlane a, Plane out,
               const RootParams&);  ///< i32 -> u16 or i32, saturating; a < 0 gives 0; scale >= 0

  /// Counts of each grey value: 256 bins for u8, 65536 for u16. `bins` is overwritten (host memory).
  void (*histogram)(Context&, ConstPlane f, u64* bins);

  void (*stain)(Context&, View<const Rgba> rgba, Plane out, const StainParams&);           ///< out u8
  void (*weights)(Context&, View<const Rgba> rgba, Plane out, const WeightsParams&);       ///< out u8
  void (*color_rule)(Context&, View<const Rgba> rgba, Plane out, const ColorRuleParams&);  ///< out u8 binary
  /// Area-averaging resample in fixed point, rounded to nearest (halves up), each of r, g, b, a by itself; input pixels outside
  /// the image are ignored; an output pixel that covers none of the image is 0, 0, 0, 0.
  void (*resample)(Context&, View<const Rgba> in, View<Rgba> out, const ResampleParams&);

  /// Measures every label > 0 of `labels` i32 (labels need not be dense; other values are background); `rgba` may be absent,
  /// and so may `value` and `below` u8 (below only where value is): contrast is that of value - below, summed exactly.
  /// perimeter: Crofton's formula in 4 directions, π/4 (n0 + n90 + (n45 + n135) / √2), where n_d counts the pixels of the
  /// object whose next pixel in direction d is not of the object: the length of all its borders, those of holes included. It is
  /// what scikit-image's perimeter_crofton(directions=4) gives; on disks of radius 5 and more it is off by 0.1 % on average and
  /// by 3 % at most, whatever their centre. Of pixels w wide and h high, with w h = 1 and w / h the aspect, it is
  /// π/4 (2 (h³ n0 + w³ n90) / (w² + h²) + (n45 + n135) / √(w² + h²)), where 45° is a pixel's diagonal: lines in each direction
  /// by their own distance, and with the weights that are exact for a circle and for the second harmonic of any outline. With
  /// an aspect of 2 or 1/2 it is off by 1.3 % at most on large ellipses twice as long as wide. centroid: the mean of the
  /// pixels' centres, rounded to the nearest multiple of 2^-20 px (about 1e-6) about the corner of the object's box. So whole
  /// pixels add to it exactly: an object moved by whole pixels, or found in another window, has its centroid moved by just
  /// these. circularity: 4π area / perimeter², at most 1. axes, eccentricity, orientation: from exact integer second moments
  /// about the centroid plus the 1/12 px² of each pixel's own square on both axes (scikit-image leaves that out: its axis² is
  /// ours - 4/3); orientation is 0 where no direction stands out. With an aspect x counts w times and y h times, and a pixel's
  /// own square is its rectangle. solidity: exact hull of the corners of the pixels.
  void (*measure)(Context&, ConstPlane labels, View<const Rgba> rgba, ConstPlane value, ConstPlane below, ObjectSet& out,
                  const MeasureParams&);

  // What recipes decide by. Arrays (sums, map) are the caller's, in the memory of the table of operations; no entry below
  // returns anything to the host, so none of the GPU's waits.

  /// Sums of each label 1..count of `labels` i32, other values being background; sums: count + 1 elements, [0] zeros. `value`
  /// and `below` u8 may be absent (below only where value is): sums[l].value adds value - below. Sums are exact as long as they
  /// fit an i64.
  /// Reach: global.
  void (*label_sums)(Context&, ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, LabelSums* sums);
  /// map[l] = 1, 2, … for the labels l in [1, count] that the rule keeps, in ascending order, and 0 for the others and for l =
  /// 0.
  void (*choose_labels)(Context&, const LabelSums* sums, i32 count, i32* map, const LabelRule&);
  /// out = map[v] for values v of `labels` i32 in [0, count], 0 for others; `out` i32, or u8 (clamped to 0..255). In place
  /// allowed.
  void (*relabel)(Context&, ConstPlane labels, Plane out, const i32* map, i32 count);
  /// The set of acceptable nodes, none inside another, with the largest total score (objects::node_score); a node wins a tie
  /// over its descendants. map[i] = 1 for those nodes and all their descendants, else 0; nodes.count elements. From what
  /// max_tree_nodes and max_tree_sums gave. Source: none; one pass up the tree decides, one down spreads.
  void (*choose_nodes)(Context&, const NodeTable& nodes, const NodeSums* sums, i32* map, const NodeRule&);
  /// Sets the pixels at the image's sides to 0. Any type.
  void (*clear_rim)(Context&, Plane image, const RimParams&);
};

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
