// Turns colours into grey values or rules: stain separation by optical density, weighted sums, colour rules.
#include "contract/stain_table.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

namespace {

/// out = clamp((t[R] + t[256+G] + t[512+B]) >> 26): the tables already hold row * OD * units_per_od, and half a unit of
/// rounding.
void stain_row(u8* __restrict out, const Rgba* __restrict in, i32 n, const i64* __restrict t) {
  for (i32 x = 0; x < n; ++x) {
    const i64 sum = (t[in[x].r] + t[256 + in[x].g] + t[512 + in[x].b]) >> 26;
    out[x] = static_cast<u8>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
  }
}

void weights_row(u8* out, const Rgba* in, i32 n, i32 wr, i32 wg, i32 wb, i32 offset) {
  widest([=](auto) MORPHO_INLINED {
    MORPHO_APART for (i32 x = 0; x < n; ++x) {
      const i32 sum = (wr * in[x].r + wg * in[x].g + wb * in[x].b + offset) >> 16;
      out[x] = static_cast<u8>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
  });
}

/// Any divisor, in i64. A negative sum is 0 whatever the divisor, so the division need not round towards minus infinity.
void weights_row_wide(u8* __restrict out, const Rgba* __restrict in, i32 n, const WeightsParams& p) {
  const i64 top = static_cast<i64>(p.divisor) * 256;
  for (i32 x = 0; x < n; ++x) {
    const i64 sum = static_cast<i64>(p.r) * in[x].r + static_cast<i64>(p.g) * in[x].g + static_cast<i64>(p.b) * in[x].b +
                    p.offset;
    out[x] = static_cast<u8>(sum < 0 ? 0 : sum >= top ? 255 : sum / p.divisor);
  }
}

/// The same for divisors and sums that stay below 2^31: the division is then four times as fast.
void weights_row_narrow(u8* __restrict out, const Rgba* __restrict in, i32 n, const WeightsParams& p) {
  const i32 top = p.divisor * 256;
  for (i32 x = 0; x < n; ++x) {
    const i32 sum = p.r * in[x].r + p.g * in[x].g + p.b * in[x].b + p.offset;
    out[x] = static_cast<u8>(sum < 0      ? 0
                             : sum >= top ? 255
                                          : static_cast<std::uint32_t>(sum) / static_cast<std::uint32_t>(p.divisor));
  }
}

void color_rule_row(u8* out, const Rgba* in, i32 n, const ColorRuleParams& p) {
  const i32 ar = p.above[0], ag = p.above[1], ab = p.above[2];
  // A rule that is off compares 1 > 0.
  const i32 gn = p.r_over_g_num, gd = gn ? p.r_over_g_den : 0, ge = gn ? 0 : 1;
  const i32 bn = p.r_over_b_num, bd = bn ? p.r_over_b_den : 0, be = bn ? 0 : 1;
  widest([=](auto) MORPHO_INLINED {
    MORPHO_APART for (i32 x = 0; x < n; ++x) {
      const i32 r = in[x].r, g = in[x].g, b = in[x].b;
      out[x] = static_cast<u8>((r > ar) & (g > ag) & (b > ab) & (r * gd + ge > g * gn) & (r * bd + be > b * bn));
    }
  });
}

template <class Fn>
void for_rows(const Context& ctx, const View<const Rgba>& in, const View<u8>& out, Fn&& fn) {
  parallel_for(ctx, in.height(), rows_per_piece(in.width()), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) fn(out.row(y), in.row(y), in.width());
  });
}

}  // namespace

// Memory: none. Cost: three table reads a pixel.
void stain(Context& ctx, View<const Rgba> rgba, Plane out, const StainParams& p) {
  op::stain::check(rgba, out, p);
  alignas(64) i64 tables[3 * 256];
  for (int c = 0; c < 3; ++c) {
    i32 od[256];
    stain_table(p, c, od);
    for (i32 v = 0; v < 256; ++v) tables[c * 256 + v] = static_cast<i64>(p.row[c]) * od[v] * p.units_per_od;
  }
  // concentration * units * 2^26 (16 bits of the row, 10 of the OD): half a unit once makes the shift round to nearest.
  for (i32 v = 0; v < 256; ++v) tables[v] += i64{1} << 25;
  for_rows(ctx, rgba, out.view<u8>(), [&](u8* o, const Rgba* i, i32 n) { stain_row(o, i, n, tables); });
}

// Memory: none. Cost: one pass.
void weights(Context& ctx, View<const Rgba> rgba, Plane out, const WeightsParams& p) {
  op::weights::check(rgba, out, p);
  const auto magnitude = [](i64 v) { return v < 0 ? -v : v; };
  const bool narrow = 255 * (magnitude(p.r) + magnitude(p.g) + magnitude(p.b)) + magnitude(p.offset) < (i64{1} << 31) &&
                      p.divisor < (1 << 23);
  for_rows(ctx, rgba, out.view<u8>(), [&](u8* o, const Rgba* i, i32 n) {
    if (narrow && p.divisor == 65536) weights_row(o, i, n, p.r, p.g, p.b, p.offset);
    else if (narrow) weights_row_narrow(o, i, n, p);
    else weights_row_wide(o, i, n, p);
  });
}

// Memory: none. Cost: one pass.
void color_rule(Context& ctx, View<const Rgba> rgba, Plane out, const ColorRuleParams& p) {
  op::color_rule::check(rgba, out, p);
  for_rows(ctx, rgba, out.view<u8>(), [&](u8* o, const Rgba* i, i32 n) { color_rule_row(o, i, n, p); });
}

}  // namespace morpho::cpu
