// Comparisons of the local operations: morphology, filters, pointwise maps, histogram, colours, resampling.
#include "cases.hpp"

namespace morpho::test {

void compare_local(Rig& rig, const TestImage& grey, bool thorough) {
  const OpTable& gpu = rig.gpu_table();
  const Picture& p = grey.picture;
  const Extent e = p.extent;
  const Picture out(p.type, e), gaps = with_gaps(p, 11, 5), out_gaps(p.type, e, 6, 3);
  if (gpu.morphology) {
    const std::vector<i32> radii = thorough ? std::vector<i32>{0, 1, 2, 3, 5, 9, 10, 40, 61, 113, 300, 1024}
                                            : std::vector<i32>{1, 4, 10, 27};
    for (i32 shape = 0; shape <= static_cast<i32>(Shape::cross); ++shape) {
      for (i32 kind = 0; kind <= static_cast<i32>(Morphology::close); ++kind) {
        for (const i32 r : radii) {
          if (r > 40 && kind != static_cast<i32>(shape % 4)) continue;  // the large radii are slow on the CPU
          const MorphologyParams q{static_cast<Morphology>(kind), static_cast<Shape>(shape), r};
          const std::string name = grey.name + " kind " + std::to_string(kind) + " shape " + std::to_string(shape) +
                                   " radius " + std::to_string(r);
          const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.morphology(ctx, in[0], o[0], q); };
          rig.compare("morphology", name, {p}, {out}, op);
          if (r < 10) rig.compare("morphology", name + " with gaps", {gaps}, {out_gaps}, op);
          if (r == 3) rig.compare("morphology", name + " in place", {gaps}, {gaps}, op, 0);
        }
      }
    }
  }
  if (gpu.gaussian) {
    for (const double sigma : thorough ? std::vector<double>{0, 0.3, 1, 2.5, 8, 64} : std::vector<double>{1.5}) {
      const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.gaussian(ctx, in[0], o[0], {sigma}); };
      rig.compare("gaussian", grey.name + " sigma " + std::to_string(sigma), {p}, {out}, op);
      rig.compare("gaussian", grey.name + " with gaps", {gaps}, {out_gaps}, op);
      rig.compare("gaussian", grey.name + " in place", {gaps}, {gaps}, op, 0);
    }
  }
  const auto by_radius = [&](const char* name, auto entry, const std::vector<i32>& radii) {
    for (const i32 r : radii) {
      const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { (t.*entry)(ctx, in[0], o[0], {r}); };
      rig.compare(name, grey.name + " radius " + std::to_string(r), {p}, {out}, op);
      rig.compare(name, grey.name + " with gaps, radius " + std::to_string(r), {gaps}, {out_gaps}, op);
    }
  };
  if (gpu.median)
    by_radius("median", &OpTable::median, thorough ? std::vector<i32>{0, 1, 2, 3, 4, 7, 20, 64} : std::vector<i32>{1, 2, 6});
  if (gpu.box_mean)
    by_radius("box_mean", &OpTable::box_mean,
              thorough ? std::vector<i32>{0, 1, 5, 31, 32, 200, 1024} : std::vector<i32>{2, 50});
  if (gpu.histogram && p.type != PixelType::i32) {
    const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto&, Extra& extra) {
      std::vector<u64> bins(in[0].type == PixelType::u8 ? 256 : 65536, 99);
      t.histogram(ctx, in[0], bins.data());
      add(extra, bins);
    };
    rig.compare("histogram", grey.name, {p}, {}, op);
    rig.compare("histogram", grey.name + " with gaps", {gaps}, {}, op);
  }
}

void compare_pointwise(Rig& rig, const TestImage& a, const Picture& b) {
  const OpTable& gpu = rig.gpu_table();
  const Picture& p = a.picture;
  const Extent e = p.extent;
  const Picture gaps = with_gaps(p, 5, 1), b_gaps = with_gaps(b, 24, 8);
  if (gpu.threshold) {
    for (const i32 above : {-5, 0, 100, 255, 300, 65535, 2147483647}) {
      const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.threshold(ctx, in[0], o[0], {above}); };
      rig.compare("threshold", a.name + " above " + std::to_string(above), {p}, {Picture(PixelType::u8, e)}, op);
      rig.compare("threshold", a.name + " with gaps", {gaps}, {Picture(PixelType::u8, e, 2, 7)}, op);
    }
  }
  if (gpu.combine) {
    for (i32 k = 0; k <= static_cast<i32>(Combine::either); ++k) {
      const CombineParams q{static_cast<Combine>(k)};
      const PixelType type = q.kind >= Combine::greater ? PixelType::u8 : p.type;
      const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.combine(ctx, in[0], in[1], o[0], q); };
      rig.compare("combine", a.name + " kind " + std::to_string(k), {p, b}, {Picture(type, e)}, op);
      rig.compare("combine", a.name + " with gaps, kind " + std::to_string(k), {gaps, b_gaps}, {Picture(type, e, 3, 1)}, op);
      if (type == p.type)
        rig.compare("combine", a.name + " in place, kind " + std::to_string(k), {gaps, b_gaps}, {b_gaps}, op, 1);
    }
  }
  if (gpu.scale) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::i32}) {
      for (const ScaleParams q : {ScaleParams{1, 0, 0},
                                  {-3, 700, 0},
                                  {65536, 32768, 16},
                                  {2147483647, -5, 31},
                                  {7, 1 - (i64{1} << 62), 3},
                                  {0, 9, 0}}) {
        const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.scale(ctx, in[0], o[0], q); };
        rig.compare("scale", a.name + " by " + std::to_string(q.multiply), {p}, {Picture(type, e)}, op);
        rig.compare("scale", a.name + " with gaps by " + std::to_string(q.multiply), {gaps}, {Picture(type, e, 1, 1)}, op);
      }
    }
  }
  if (gpu.root && p.type == PixelType::i32) {
    for (const PixelType type : {PixelType::u16, PixelType::i32}) {
      for (const i32 s : {0, 1, 256, 2147483647}) {
        rig.compare("root", a.name + " scale " + std::to_string(s), {p}, {Picture(type, e)},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.root(ctx, in[0], o[0], {s}); });
      }
    }
  }
}

void compare_colors(Rig& rig, const TestImage& rgb) {
  const OpTable& gpu = rig.gpu_table();
  const Picture& p = rgb.picture;
  const Extent e = p.extent;
  const Picture gaps = with_gaps(p, 5, 3), out(PixelType::u8, e), out_gaps(PixelType::u8, e, 3, 1);
  const auto both = [&](const char* name, const std::string& what, const Op& op) {
    rig.compare(name, rgb.name + what, {p}, {out}, op);
    rig.compare(name, rgb.name + what + " with gaps", {gaps}, {out_gaps}, op);
  };
  if (gpu.stain) {
    for (const StainParams q : {StainParams{}, StainParams{{101000, -40000, 3000}, 120, {240, 238, 250}},
                                StainParams{{-2147483647, 2147483647, 1}, 65536, {1, 255, 17}}}) {
      both("stain", " " + std::to_string(q.units_per_od),
           [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.stain(ctx, colors(in[0]), o[0], q); });
    }
  }
  if (gpu.weights) {
    for (const WeightsParams q : {WeightsParams{-299, -587, -114, 255499, 1000},
                                  {22000, 21000, 22536, 32768, 65536},
                                  {2147483647, -2147483647, 5, 7, 1 << 30},
                                  {1, 1, 1, 0, 3},
                                  {0, 0, 0, -1, 1}}) {
      both("weights", " " + std::to_string(q.divisor),
           [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.weights(ctx, colors(in[0]), o[0], q); });
    }
  }
  if (gpu.color_rule) {
    for (const ColorRuleParams q :
         {ColorRuleParams{{220, 220, 220}, 0, 1, 0, 1}, {{-1, -1, -1}, 5, 1, 1, 1}, {{3, -1, 9}, 4194304, 4194303, 0, 1}}) {
      both("color_rule", "",
           [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.color_rule(ctx, colors(in[0]), o[0], q); });
    }
  }
  if (gpu.resample) {
    const std::pair<ResampleParams, Extent> cases[] = {
        {{0, 0, 65536, 65536}, e},
        {{0, 0, 131072, 131072}, {(e.width + 1) / 2, (e.height + 1) / 2}},
        {{-70000, 12345, 100001, 77777}, {e.width / 2 + 3, e.height / 2 + 3}},
        {{5, 9, 30000, 20000}, {std::min(300, 2 * e.width), std::min(300, 2 * e.height)}},
        {{-1000000, 0, 1 << 27, 1 << 25}, {2, 3}}};
    for (const auto& [q, size] : cases) {
      const Op op = [q = q](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
        t.resample(ctx, colors(in[0]), mutable_colors(o[0]), q);
      };
      rig.compare("resample", rgb.name + " step " + std::to_string(q.step_x), {p}, {Picture(PixelType::i32, size)}, op);
      rig.compare("resample", rgb.name + " with gaps, step " + std::to_string(q.step_x), {gaps},
                  {Picture(PixelType::i32, size, 2, 1)}, op);
    }
  }
}

}  // namespace morpho::test
