// reconstruct: morphological reconstruction of a mask from a marker.
#pragma once
#include "../certainty.hpp"

namespace morpho {

enum class By : u8 { dilation, erosion };
template <>
struct Names<By> {
  using enum By;
  static constexpr Named<By> all[] = {{dilation, "dilation"}, {erosion, "erosion"}};
};

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
template <>
struct Names<ReconstructVariant> {
  using enum ReconstructVariant;
  static constexpr Named<ReconstructVariant> all[] = {
      {automatic, "auto"},
      {raster_sweeps, "raster-sweeps"},
      {queue, "queue"},
      {fast_hybrid, "fast-hybrid"},
      {downhill, "downhill"},
      {priority_queue, "priority-queue"},
      {tiled_fast_hybrid, "tiled-fast-hybrid"},
      {parallel_fast_hybrid, "parallel-fast-hybrid"},
      {naive_queue, "naive-queue"},
      {prefix_queue, "prefix-queue"},
      {parallel_heap, "parallel-heap"},
  };
};
template <>
struct Absent<ReconstructVariant> {
  using enum ReconstructVariant;
  static constexpr ReconstructVariant cpu[] = {naive_queue, prefix_queue, parallel_heap},
                                      gpu[] = {queue, downhill, priority_queue, tiled_fast_hybrid, parallel_fast_hybrid};
  static constexpr int on_cpu = 3, on_gpu = 5;
};

struct ReconstructParams {
  By by = By::dilation;
  Connectivity connectivity = Connectivity::eight;
  ReconstructVariant variant = ReconstructVariant::automatic;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::Spec{"by", "dilation grows below the mask, erosion shrinks above it"}, p.by);
    v(op::kConnectivity, p.connectivity);
    v(op::Spec{"variant", "algorithm; every one gives the same pixels"}, p.variant);
  }
  bool operator==(const ReconstructParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Morphological reconstruction of `mask` from `marker` (u8, u16, i32; all three planes of one type).
/// by dilation: the largest image <= mask reachable from min(marker, mask) by geodesic dilation to stability; by erosion: the
/// dual. Unique. Reach: global. Source: Vincent 1993; Teodoro 2012 §2, §3 (SR, QB, FH). `out` may be `marker`.
struct reconstruct : Operation<reconstruct, void(Context&, ConstPlane, ConstPlane, Plane, const ReconstructParams&)> {
  static constexpr const char* help = "morphological reconstruction of a mask from a marker";
  static constexpr Slot in[] = {{"marker", "marker", "where the reconstruction starts; of the mask's type", any_type},
                                {"mask", "mask", "what bounds it", any_type, 0}};
  static constexpr Slot out[] = {{"out", "out", "as the mask", any_type, 0, false, 1}};
  static Reach reach(const Params&) { return kGlobal; }

  /// 0.5 byte a pixel and 2 a row for the bounded queue; twelve rows and 32 KiB a thread. Variants: downhill 8 bytes and two
  /// images (i32: 32 bytes a pixel); priority_queue 16 bytes and two images; tiled 0.5 MiB and 4 rows of a tile a thread, and
  /// the tiles' borders; parallel 1 byte a pixel and 3 rows and one of i32 a thread.
  static i64 cpu_need(const need::Image& i, const Params& p = {}) {
    const i64 s = i.bytes(), t = i.workers();
    switch (p.variant) {
      case ReconstructVariant::downhill:
        return (s < 4 ? i.padded() * (8 + 2 * s) + 4 * i.levels() : i.padded() * 16 + 16 * i.area()) + need::kSlack;
      case ReconstructVariant::priority_queue: return i.padded() * 2 * s + 16 * i.area() + need::kSlack;
      case ReconstructVariant::tiled_fast_hybrid: {
        const i64 w = std::min<i64>(512, i.width()), h = std::min<i64>(512, i.height());
        const i64 tiles = (i.width() + 511) / 512 * ((i.height() + 511) / 512);
        return tiles * (2 * (w + h) * s + 6) + t * (std::max<i64>(8192, 2 * w * h) + 4 * s * (w + 64) + 2 * h + 512) +
               need::kSlack;
      }
      case ReconstructVariant::parallel_fast_hybrid:
        return std::max<i64>(32768, i.area() / 2) + std::max<i64>(8192 * t, i.area() / 2) + i.height() +
               t * (3 * s * (i.width() + 64) + 4 * i.width() + 256) + need::kSlack;
      default:
        return std::max<i64>(32768 * t, i.area() / 2) + 2 * i.height() + t * (12 * s * (i.width() + 64) + 512) + need::kSlack;
    }
  }

  /// Of two-valued images, by dilation: a component with a marker that is certain is in, whatever else belongs to it; another
  /// that touches the uncertain is uncertain. Components are those of the reconstruction's own connectivity: with 8 where the
  /// reconstruction has 4, a marker would speak for pieces that it does not reach. Grey ones tell too little.
  struct Certainty {
    static constexpr Frame frame(const StepFacts& s, const ReconstructParams& p) {
      return s.binary && p.by == By::dilation ? Frame::inputs : Frame::unknown;
    }
    static constexpr u8 looks(const StepFacts& s, const ReconstructParams&) { return s.binary ? 3 : 0; }
    static void flood(auto& d, const ReconstructParams& p) {
      d.within(p.connectivity, [&] { d.marked_components(d.bytes(0), d.bytes(1)); });
    }
  };
};

}  // namespace op
}  // namespace morpho
