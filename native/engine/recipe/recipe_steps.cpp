// What recipes share as steps: layers to look at, compound operations, and the nuclear channel.
#include "recipe_steps.hpp"

#include <cmath>

#include "../../contract/tables.hpp"

namespace morpho::engine {

Step& Stages::add(Op op, std::vector<Field> in, std::vector<Field> out, const StepParams& params, Reach reach) {
  program_.steps.push_back({op, std::move(in), std::move(out), params, reach, "", {}, {}, {}});
  return program_.steps.back();
}

Field Stages::plane(PixelType type) {
  const Field field{static_cast<i32>(program_.planes.size())};
  program_.planes.push_back(type);
  add(Op::take, {}, {field}, {});
  return field;
}

void Stages::keep(const char* name, Field p, bool binary) { add(Op::keep, {p}, {}, KeepParams{binary}).name = name; }

void Stages::keep_scaled(const char* name, Field p, i32 multiply, i32 shift) {
  look([&] {
    const Field grey = plane_u8();
    scale(p, grey, multiply, 0, shift);
    keep(name, grey);
  });
}

void Stages::fill_holes(Field binary, Field out, Connectivity holes) {
  scoped([&] {
    const Field filled = plane_u8();
    run<op::fill_holes>({binary}, {filled}, {holes});
    scale(filled, out, 1);
  });
}

void Stages::reconstruct_within(Field marker, Field mask, Field out, i32 reach) {
  if (reach == 0) return reconstruct(marker, mask, out);
  run<op::geodesic_dilate>({marker, mask}, {out}, {reach});
}

Register Stages::label(Field f, Field out, Connectivity c) {
  const Register count{program_.registers++};
  run<op::label>({f}, {out}, {c}).result = count;
  return count;
}

void Stages::choose_labels(Field labels, Register count, Field value, Field below, Field out, const LabelRule& rule) {
  add(Op::choose_labels, {labels, value, below}, {out}, rule, kComponent).count = count;
}

void Stages::better_labels(Field kept, Register count, Field candidates, Register also, Field edge, Field out,
                           const PreferenceRule& rule) {
  Step& step = add(Op::better_labels, {kept, candidates, edge}, {out}, rule, kComponent);
  step.count = count;
  step.also = also;
}

void Stages::depth(Field binary, Field depth, i32 units) {
  scoped([&] {
    const Field squared = plane_i32();
    distance(binary, squared);
    run<op::root>({squared}, {depth}, {units * units});
  });
}

Register Stages::otsu(Field f, i32 least, i32 spare) {
  const Register level{program_.registers++};
  add(Op::otsu, {f}, {}, LevelParams{least, spare}, kGlobal).result = level;
  return level;
}

void Stages::measure(Field labels, const StainSet& stains, Field value, Field below, i32 level, double typical_area,
                     StainedPixels stained) {
  MeasureParams p;
  if (params.has(kPixelAspect)) p.aspect = params.number(kPixelAspect, 1 / kMostAspect, kMostAspect);
  p.contrast_per = level > 0 ? level : 1;
  p.contrast_area = objects::contrast_area(typical_area);
  p.stained = stained.stain;
  p.stained_above = static_cast<i32>(std::floor(stained.above * kOdUnit));
  for (int k = 0; k < 3; ++k) p.stains[k] = stains.stains[k];
  add(Op::measure, {labels, value, below}, {}, p, kComponent);
}

void nuclear_channel(Stages& s, Field out, const std::string& image, const StainParams& hematoxylin) {
  if (image == "hematoxylin") {
    StainParams p = hematoxylin;
    p.units_per_od = kChannelUnits;
    s.stain(out, p);
  } else if (image == "red") {
    s.weights(out, {-1, 0, 0, 255, 1});
  } else {
    s.weights(out, {-299, -587, -114, 255499, 1000});
  }
}

void nuclear_channel(Stages& s, Field out, const std::string& image) {
  // What hematoxylin_beside_dab() gives of Ruifrok & Johnston's directions.
  StainParams p;
  p.row[0] = 122866, p.row[1] = -4312, p.row[2] = -39379;
  nuclear_channel(s, out, image, p);
}

}  // namespace morpho::engine
