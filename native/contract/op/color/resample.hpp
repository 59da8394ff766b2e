// resample: another scale, by area averaging in fixed point.
#pragma once
#include "../operation.hpp"

namespace morpho {

struct ResampleParams {
  /// Output pixel (i, j) averages input over [x0 + i*step, x0 + (i+1)*step) × likewise y, in 1/65536 input px, by area.
  i64 x0 = 0, y0 = 0;
  i64 step_x = 65536, step_y = 65536;
  static constexpr void visit(auto& p, auto&& v) {
    constexpr i64 most_step = i64{1} << 27, most_origin = i64{1} << 48;  // 2048 input px
    v(op::whole("step_x", "input px an output pixel, in 1/65536", 1, most_step), p.step_x);
    v(op::whole("step_y", "input px an output pixel, in 1/65536", 1, most_step), p.step_y);
    v(op::whole("x0", "left edge of the output, 1/65536 input px", -most_origin, most_origin), p.x0);
    v(op::whole("y0", "top edge of the output, 1/65536 input px", -most_origin, most_origin), p.y0);
  }
  bool operator==(const ResampleParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Area-averaging resample in fixed point, rounded to nearest (halves up), each of r, g, b, a by itself; input pixels outside
/// the image are ignored; an output pixel that covers none of the image is 0, 0, 0, 0.
struct resample : ArrayOperation<void(Context&, View<const Rgba>, View<Rgba>, const ResampleParams&)> {
  static void check(const View<const Rgba>& in, const View<Rgba>& out, const ResampleParams& p) {
    const ConstPlane i = as_plane(in), o = as_plane(View<const Rgba>(out));
    require_plane("in", i);
    require_plane("out", o);
    require_apart("out", i, o);
    check_params(p);
  }
  /// 16 bytes (32 for steps above 256 px) an input column and thread, and 48 an output column and thread (none for steps above
  /// 4 px; the image is the input).
  static i64 cpu_need(const need::Image& i, i64 step_y, i64 out_width) {
    return i.workers() * (i.width() * (step_y > (i64{256} << 16) ? 32 : 16) + 48 * out_width) + need::kSlack;
  }
};

}  // namespace op
}  // namespace morpho
