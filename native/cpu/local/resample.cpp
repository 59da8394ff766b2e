// Area-averaging change of scale in fixed point.
#include <algorithm>
#include <deque>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "resample_rows.hpp"

namespace morpho::cpu {

namespace {

class ViewRows final : public RowSource {
 public:
  explicit ViewRows(View<const Rgba> image) : image_(image) {}
  void row(i32 y, std::vector<RowPiece>& pieces) override { pieces.assign(1, {image_.row(y), image_.width()}); }

 private:
  const View<const Rgba> image_;
};

}  // namespace

// Memory: a RowResampler's for each thread. Cost: one product for each input value and output row that it touches, and one for
// each column and output pixel.
void resample(Context& ctx, View<const Rgba> in, View<Rgba> out, const ResampleParams& p) {
  op::resample::check(in, out, p);
  if (out.extent.empty()) return;
  Workspace::Scope scope(ctx.workspace);
  const i64 cost = out.width() + in.width() * (p.step_y / 65536 + 1);  // of an output row, in pixels
  const i64 grain = std::max<i64>(1, (1 << 17) / cost);
  const i64 workers = std::clamp<i64>((out.height() + grain - 1) / grain, 1, std::max(1, ctx.threads));
  std::deque<RowResampler> resamplers;
  for (i64 k = 0; k < workers; ++k) resamplers.emplace_back(ctx.workspace, in.extent, out.width(), p);
  ViewRows rows(in);
  parallel_for(ctx, out.height(), grain, [&](i64 begin, i64 end, int worker) {
    resamplers[static_cast<std::size_t>(worker)].run(rows, out, begin, end);
  });
}

}  // namespace morpho::cpu
