// watershed: catchment basins of the image's minima, or of markers.
#pragma once
#include "../geodesic/reconstruct.hpp"

namespace morpho {

enum class WatershedVariant : std::uint8_t {
  /// CPU: a graph of directions, plateaus breadth first, one walk (watershed.cpp, follow_graph). GPU: the same graph, plateaus
  /// by waves through tiles, past a depth of 8 by union-find (watershed.cu, flow_down; watershed_plateau.cu, kMostDepth).
  automatic,
  drop_of_water,       ///< each pixel's path of steepest descent, sequential (Körbes 2011 §2)
  cellular_automaton,  ///< Ford-Bellman iterations to stability (Körbes 2011 §4)
};
template <>
struct Names<WatershedVariant> {
  using enum WatershedVariant;
  static constexpr Named<WatershedVariant> all[] = {
      {automatic, "auto"}, {drop_of_water, "drop-of-water"}, {cellular_automaton, "cellular-automaton"}};
};

struct WatershedParams {
  Connectivity connectivity = Connectivity::eight;
  bool lines = false;
  WatershedVariant variant = WatershedVariant::automatic;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::kConnectivity, p.connectivity);
    v(op::Spec{"lines", "0 on pixels with a 4-neighbour of a larger label"}, p.lines);
    v(op::Spec{"variant", "algorithm; every one gives the same labels"}, p.variant);
  }
  bool operator==(const WatershedParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Watershed as design.md §3 / README defines it: `markers` i32 and `mask` u8 may be absent (default-constructed planes).
/// f is u8, u16 or i32. Returns the largest label. Ties: smallest index at every choice. Source: Körbes 2011 §2 (drop of
/// water).
struct watershed : Operation<watershed, i32(Context&, ConstPlane, ConstPlane, ConstPlane, Plane, const WatershedParams&)> {
  static constexpr const char* help = "catchment basins of the image's minima, or of markers";
  static constexpr const char* result = "largest";
  static constexpr Slot in[] = {{"f", "image", "grey values, low inside a basin", any_type},
                                {"markers", "markers", "labels to grow", i32_only, -1, true, 0, any_type},
                                {"mask", "mask", "binary: where to grow", u8_only, -1, true}};
  static constexpr Slot out[] = {{"labels", "labels", "0 where nothing reaches", i32_only}};
  /// But for the markers' values.
  static void check_more(const ConstPlane& f, const ConstPlane&, const ConstPlane&, const Plane&, const Params&) {
    require_room_for_padding("f", f.extent);
  }
  static Reach reach(const Params&) { return kGlobal; }
  /// One image and one byte a pixel, 8 bytes a plateau pixel (4 with markers); with markers at least the need of reconstruct,
  /// and one image more where there is a mask too. drop_of_water: one image and 12 bytes a pixel, and with markers all of that.
  /// cellular: one image and 9 bytes a pixel, 5 bytes a row, 16 bytes a column and thread. Lines: two rows of i32 for each
  /// 131072 px (or for each row, where rows are longer) and two a thread, after the rest was given back.
  static i64 cpu_need(const need::Image& i, const Params& p, bool markers, bool mask) {
    const i64 s = i.bytes(), t = i.workers(), padded = i.padded() + 64;
    const i64 flood = markers ? reconstruct::cpu_need(i) + (mask ? s * i.area() : 0) : 0;
    const i64 rows = std::max<i64>(1, 131072 / std::max<i64>(1, i.width())), pieces = (i.height() + rows - 1) / rows;
    const i64 cut = p.lines ? 8 * i.width() * pieces + t * 8 * (i.width() + 2) + 4 * i.width() : 0;
    i64 need = padded * (s + 1) + std::max(flood, (markers ? 4 : 8) * i.area() + 64 * pieces);
    if (p.variant == WatershedVariant::drop_of_water) need = i.padded() * (s + 8) + 4 * i.area() + flood;
    if (p.variant == WatershedVariant::cellular_automaton)
      need = padded * (s + 1) + std::max(flood, padded * 8 + 5 * i.height() + t * (16 * (i.width() + 2) + 64));
    return std::max(need, cut) + need::kSlack;
  }
  /// A pixel's basin is certain unless its way up leads to the uncertain. A basin is one component: its pixels' ways lead to
  /// one sink. Lines may part it, and so may a marker of several components.
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const WatershedParams& p) {
      return p.connectivity == Connectivity::eight ? Frame::inputs : Frame::unknown;
    }
    static constexpr u8 looks(const StepFacts&, const WatershedParams&) { return 7; }
    static void flood(auto& d, const WatershedParams& p) {
      d.within(p.connectivity, [&] { d.basins_of(p.lines); });
    }
    static constexpr Pieces pieces(const StepFacts& s, const WatershedParams& p) {
      return p.lines || (s.in[1].present && !s.in[1].one_piece) ? Pieces::many : Pieces::one;
    }
  };
};

}  // namespace op
}  // namespace morpho
