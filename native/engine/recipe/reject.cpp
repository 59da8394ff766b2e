// What is no nucleus, by the light that comes through it: a rule each for pigment, red cells, mucin, keratin and folds.
#include "reject.hpp"

namespace morpho::engine {
namespace {

/// Folds: the lightest place around lets less than 255 - this of the light through, in the mean.
constexpr i32 kFoldDarkness = 60;
/// Keratin: bluer than what surrounds it by at most so many grey levels.
constexpr i32 kKeratinBlue = 6;

/// 1 where every one of `lines` is above 0. By light: optical densities would divide by what a dark pixel hardly has.
void coloured(Stages& s, const std::vector<WeightsParams>& lines, Field out) {
  s.scoped([&] {
    const Field grey = s.plane_u8(), above = s.plane_u8();
    for (std::size_t k = 0; k < lines.size(); ++k) {
      s.weights(grey, lines[k]);
      s.threshold(grey, k == 0 ? out : above, 0);
      if (k > 0) s.combine(out, above, out, Combine::both);
    }
  });
}

/// Keeps the objects more than half of whose pixels are 1 in `others`: those that are not what `param` leaves out.
void keep_mostly(Stages& s, Field others, Register count, Field labels, const char* param) {
  LabelRule rule;
  rule.mean_above = 512;
  s.choose_labels(labels, count, others, {}, labels, rule);
  s.decided({{Decides::excluded, param}});
}

void drop_coloured(Stages& s, Register count, Field labels, const char* param, const std::vector<WeightsParams>& lines) {
  s.scoped([&] {
    const Field others = s.plane_u8();
    coloured(s, lines, others);
    s.scale(others, others, -1, 1);
    keep_mostly(s, others, count, labels, param);
  });
}

/// The horny layer is dark by its thickness and of its surroundings' hue, where a nucleus is bluer than what surrounds it.
void drop_keratin(Stages& s, Register count, Field labels, i32 around) {
  s.scoped([&] {
    const Field blue = s.plane_u8(), others = s.plane_u8();
    s.weights(blue, {-1, 0, 1, 128, 1});
    s.box_mean(blue, others, around);
    s.combine(blue, others, blue, Combine::subtract);
    s.threshold(blue, others, kKeratinBlue);
    keep_mostly(s, others, count, labels, "reject.keratin");
  });
}

/// Where tissue lies double there is no light place around; redder than blue, so that crowded nuclei and purple epithelium,
/// which are as dark, stay.
void drop_folds(Stages& s, Register count, Field labels, i32 around) {
  s.scoped([&] {
    const Field dark = s.plane_u8(), others = s.plane_u8();
    s.weights(dark, {-299, -587, -114, 255499, 1000});
    s.morphology(dark, others, Morphology::erode, Shape::square, around);
    s.box_mean(others, dark, around);
    s.threshold(dark, others, kFoldDarkness);
    coloured(s, {{1, 0, -1, -10, 1}}, dark);
    s.combine(others, dark, others, Combine::both);
    s.scale(others, others, -1, 1);
    keep_mostly(s, others, count, labels, "reject.folds");
  });
}

}  // namespace

Rejections::Rejections(const Params& p)
    : pigment(p.toggle("reject.pigment")),
      red_cells(p.toggle("reject.redCells")),
      keratin(p.toggle("reject.keratin")),
      mucin(p.toggle("reject.mucin")),
      folds(p.toggle("reject.folds")) {}

void drop_what_is_no_nucleus(Stages& s, const Rejections& which, Register count, Field labels, i32 around) {
  // Brown to black: not bluer than red or green, and no red of blood (R at most 1.8 G).
  if (which.pigment) drop_coloured(s, count, labels, "reject.pigment", {{1, 0, -1, 5, 1}, {0, 1, -1, 5, 1}, {-5, 9, 0, 0, 1}});
  // The red of blood: R above 1.8 G and 1.5 B.
  if (which.red_cells) drop_coloured(s, count, labels, "reject.redCells", {{5, -9, 0, 0, 1}, {2, 0, -3, 0, 1}});
  // Pale (G above half of the light) and at least about as blue as red.
  if (which.mucin) drop_coloured(s, count, labels, "reject.mucin", {{-1, 0, 1, 6, 1}, {0, 1, 0, -130, 1}});
  if (which.folds) drop_folds(s, count, labels, around);
  if (which.keratin) drop_keratin(s, count, labels, around);
}

}  // namespace morpho::engine
