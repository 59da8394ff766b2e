// combine: two images of one type, pixel by pixel.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

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
template <>
struct Names<Combine> {
  using enum Combine;
  static constexpr Named<Combine> all[] = {
      {subtract, "subtract"}, {add, "add"},   {minimum, "minimum"}, {maximum, "maximum"}, {difference, "difference"},
      {greater, "greater"},   {both, "both"}, {without, "without"}, {either, "either"},
  };
};
struct CombineParams {
  Combine kind = Combine::subtract;
  static constexpr void visit(auto& p, auto&& v) { v(op::required(op::Spec{"kind", "what to compute"}), p.kind); }
  bool operator==(const CombineParams& o) const { return op::same(*this, o); }
};

namespace op {

/// `out` may be a or b; i32 saturates at both ends.
struct combine : PixelWise<combine, void(Context&, ConstPlane, ConstPlane, Plane, const CombineParams&)> {
  static constexpr const char* help = "two images of one type, pixel by pixel";
  static constexpr Slot in[] = {{"a", "a", "first image", any_type},
                                {"b", "b", "second image, of the first's type", any_type, 0}};
  static constexpr Slot out[] = {
      {"out", "out", "as the images; uint8 0 or 1 for greater, both, without, either", any_type, -1, false, 3}};
  static PixelType out_type(PixelType in, const Params& p) { return p.kind >= Combine::greater ? PixelType::u8 : in; }
  static void check_more(const ConstPlane& a, const ConstPlane&, const Plane& out, const Params& p) {
    require_type("out", out, {out_type(a.type, p)});
  }
  /// A certain value of one image may decide, whatever the other is: zeros of `both`, others of `either`.
  struct Certainty {
    struct Deciding {
      bool zero = false, other = false;
    };
    static constexpr Deciding deciding(Combine kind, int input, bool both_signless) {
      switch (kind) {
        case Combine::both: return {true, false};
        case Combine::minimum: return {both_signless, false};
        case Combine::without: return {input == 0, input == 1};
        case Combine::either: return {false, true};
        default: return {};
      }
    }
    static constexpr Frame frame(const StepFacts&, const CombineParams&) { return Frame::inputs; }
    static constexpr u8 looks(const StepFacts&, const CombineParams& p) {
      u8 bits = 0;
      for (int k = 0; k < 2; ++k) {
        const Deciding by = deciding(p.kind, k, true);
        if (by.zero || by.other) bits = static_cast<u8>(bits | 1 << k);
      }
      return bits;
    }
    static void flood(auto& d, const CombineParams& p) {
      for (int k = 0; k < 2; ++k) {
        const Deciding by = deciding(p.kind, k, d.signless(0) && d.signless(1));
        if (by.zero || by.other) d.drop_decided(k, by.zero, by.other);
      }
    }
  };
};

}  // namespace op
}  // namespace morpho
