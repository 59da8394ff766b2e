// distance: the squared Euclidean distance to the nearest zero pixel.
#pragma once
#include "../certainty.hpp"

namespace morpho {

enum class DistanceVariant : u8 {
  /// CPU and GPU: exact. Near zeros by a search along the row (64 and 128 px); beyond, on the CPU by the envelope of parabolas
  /// (distance_rows.hpp, reach), on the GPU by blocks of columns whose fewest rows are known (distance_rows.cu, kReach).
  automatic,
  exact,  ///< columns, then rows: separable (Meijster 2000)
  /// IWPP wavefront of nearest-zero pointers over 8 neighbours (Teodoro 2012 Algorithm 3). Never below the exact distance;
  /// equal to it where rounds are synchronous (the CPU's), within 0.09 px (Danielsson 1980) where the order of a queue decides.
  danielsson,
};
template <>
struct Names<DistanceVariant> {
  using enum DistanceVariant;
  static constexpr Named<DistanceVariant> all[] = {{automatic, "auto"}, {exact, "exact"}, {danielsson, "danielsson"}};
};

struct DistanceParams {
  i32 weight_x = 1, weight_y = 1;
  DistanceVariant variant = DistanceVariant::automatic;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::whole("weight_x", "squared pixel spacing along x", 1, 65536), p.weight_x);
    v(op::whole("weight_y", "squared pixel spacing along y", 1, 65536), p.weight_y);
    v(op::Spec{"variant", "algorithm: exact is separable, danielsson the wavefront of pointers; both give the same pixels"},
      p.variant);
  }
  bool operator==(const DistanceParams& o) const { return op::same(*this, o); }
};
/// What `distance` holds where no zero pixel exists.
inline constexpr i32 kNoBackground = 2147483647;

namespace op {

/// Exact squared Euclidean distance of each nonzero pixel to the nearest zero pixel (pixel centres), weight_x*dx² +
/// weight_y*dy²; zero pixels hold 0; no zero pixel anywhere: kNoBackground. binary u8 -> i32; values saturate at
/// kNoBackground - 1.
/// Reach: global. Source: Meijster 2000; Teodoro 2012 §2.2 for the wavefront it is compared with.
struct distance : Operation<distance, void(Context&, ConstPlane, Plane, const DistanceParams&)> {
  static constexpr const char* help = "squared Euclidean distance to the nearest zero pixel; 2147483647 where there is none";
  static constexpr Slot in[] = {{"binary", "image", "binary: 0 is background", u8_only}};
  static constexpr Slot out[] = {{"squared", "out", "squared px", i32_only}};
  static Reach reach(const Params&) { return kComponent; }
  /// 2 bytes a pixel (4 above 32766 rows), 22 (30) bytes a column and thread. danielsson: 16 (32) bytes a pixel and 64 (128)
  /// KiB a thread.
  static i64 cpu_need(const need::Image& i, const Params& p = {}) {
    const i64 t = i.workers();
    if (p.variant == DistanceVariant::danielsson) {
      const i64 pointer = i.width() > 65536 || i.height() > 32767 ? 8 : 4;
      return 4 * pointer * i.area() + t * 16384 * pointer + need::kSlack;
    }
    const i64 d = i.height() < 32767 ? 2 : 4;
    return d * i.area() + t * ((4 * d + 14) * i.width() + 1024) + need::kSlack;
  }
  /// Certain where it is shorter than the way to the uncertain. Of danielsson's, which other pixels may lengthen, nothing is
  /// said.
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const DistanceParams& p) {
      return p.variant == DistanceVariant::danielsson ? Frame::unknown : Frame::inputs;
    }
    static void after(auto& d, const DistanceParams&) {
      d.within(Connectivity::eight, [&] { d.distance(d.result(), d.limit()); });
    }
  };
};

}  // namespace op
}  // namespace morpho
