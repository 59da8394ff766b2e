// Describes morphology, smoothing, pointwise operations and histograms for the registry.
#include "op_entry.hpp"

namespace morpho::engine {

namespace {

template <Morphology Kind>
void morphology(OpRun& r) {
  const Plane out = r.out("out", r.in("image").type, r.extent());
  r.timed([&] { r.ops.morphology(r.ctx, r.in("image"), out, {Kind, r.choice_as<Shape>("shape"), r.integer("radius")}); });
}

void gaussian(OpRun& r) {
  const Plane out = r.out("out", r.in("image").type, r.extent());
  r.timed([&] { r.ops.gaussian(r.ctx, r.in("image"), out, {r.number("sigma")}); });
}

using RadiusOp = decltype(OpTable::median);
template <RadiusOp OpTable::* Op>
void with_radius(OpRun& r) {
  const Plane out = r.out("out", r.in("image").type, r.extent());
  r.timed([&] { (r.ops.*Op)(r.ctx, r.in("image"), out, {r.integer("radius")}); });
}

void threshold(OpRun& r) {
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed([&] { r.ops.threshold(r.ctx, r.in("image"), out, {r.integer("above")}); });
}

void combine(OpRun& r) {
  const Combine kind = r.choice_as<Combine>("kind");
  const Plane out = r.out("out", kind >= Combine::greater ? PixelType::u8 : r.in("a").type, r.extent());
  r.timed([&] { r.ops.combine(r.ctx, r.in("a"), r.in("b"), out, {kind}); });
}

PixelType type_named(const std::string& name, PixelType same) {
  for (PixelType t : {PixelType::u8, PixelType::u16, PixelType::i32}) {
    if (name == pixel_type_name(t)) return t;
  }
  return same;
}

void scale(OpRun& r) {
  const Plane out = r.out("out", type_named(r.choice("type"), r.in("image").type), r.extent());
  r.timed([&] { r.ops.scale(r.ctx, r.in("image"), out, {r.integer("multiply"), r.integer64("add"), r.integer("shift")}); });
}

void root(OpRun& r) {
  const Plane out = r.out("out", type_named(r.choice("type"), PixelType::i32), r.extent());
  r.timed([&] { r.ops.root(r.ctx, r.in("image"), out, {r.integer("scale")}); });
}

std::vector<u64> counted(OpRun& r) {
  std::vector<u64> bins(r.in("image").type == PixelType::u8 ? 256 : 65536);
  r.timed([&] { r.ops.histogram(r.ctx, r.in("image"), bins.data()); });
  return bins;
}

void histogram(OpRun& r) {
  const std::vector<u64> bins = counted(r);
  const i32 n = static_cast<i32>(bins.size());
  i32* out = r.host_out<i32>("bins", {n, 1});
  for (std::size_t v = 0; v < bins.size(); ++v) out[v] = static_cast<i32>(bins[v]);
  r.scalar("otsu", otsu_level(bins.data(), n));
}

void otsu(OpRun& r) {
  const Plane out = r.out("out", PixelType::u8, r.extent());
  const std::vector<u64> bins = counted(r);
  r.timed([&] {
    const i32 level = otsu_level(bins.data(), static_cast<i32>(bins.size()));
    r.ops.threshold(r.ctx, r.in("image"), out, {level});
    r.scalar("threshold", level);
  });
}

}  // namespace

std::vector<OpEntry> local_ops() {
  constexpr double low = -2147483648.0, high = 2147483647;
  const std::vector<OpSlot> grey = {slot("image", kU8U16, "grey or binary values")},
                            grey_out = {slot("out", kU8U16, "as the image")};
  const std::vector<OpSlot> any = {slot("image", kAnyType, "grey values or labels")}, binary_out = {slot("out", kU8, "0 or 1")};
  const std::vector<OpParam> element = {choice_of("shape", "structuring element", Shape::disk),
                                        required(integer_param("radius", "px; a disk holds dx² + dy² <= radius²", 0, 1024, 1))};
  return {
      {{"erode", "the least value under the structuring element", grey, grey_out, element}, morphology<Morphology::erode>},
      {{"dilate", "the greatest value under the structuring element", grey, grey_out, element}, morphology<Morphology::dilate>},
      {{"open", "erosion, then dilation", grey, grey_out, element}, morphology<Morphology::open>},
      {{"close", "dilation, then erosion", grey, grey_out, element}, morphology<Morphology::close>},
      {{"gaussian", "Gaussian smoothing", grey, grey_out, {required(number_param("sigma", "px", 0, 64, 1))}}, gaussian},
      {{"median",
        "median of a square window",
        grey,
        grey_out,
        {required(integer_param("radius", "px; the window has 2 radius + 1 a side", 0, 64, 1))}},
       with_radius<&OpTable::median>},
      {{"box-mean",
        "mean of a square window",
        grey,
        grey_out,
        {required(integer_param("radius", "px; the window has 2 radius + 1 a side", 0, 1024, 1))}},
       with_radius<&OpTable::box_mean>},
      {{"threshold",
        "1 where the value is above a level",
        any,
        binary_out,
        {required(integer_param("above", "level", low, high, 0))}},
       threshold},
      {{"combine",
        "two images of one type, pixel by pixel",
        {slot("a", kAnyType, "first image"), slot("b", kAnyType, "second image, of the first's type")},
        {slot("out", kAnyType, "as the images; uint8 0 or 1 for greater, both, without, either")},
        {required(choice_of("kind", "what to compute", Combine::subtract))}},
       combine},
      {{"scale",
        "clamp((value * multiply + add) >> shift)",
        any,
        {slot("out", kAnyType, "of the type asked for")},
        {integer_param("multiply", "factor", low, high, 1),
         integer_param("add", "summand", -9007199254740992.0, 9007199254740992.0, 0),
         integer_param("shift", "bits to drop", 0, 31, 0),
         choice_param("type", "of the output", {"same", "uint8", "uint16", "int32"}, "same")}},
       scale},
      {{"root",
        "floor(sqrt(scale * value))",
        {slot("image", kI32, "such as squared distances")},
        {slot("out", {PixelType::u16, PixelType::i32}, "of the type asked for")},
        {integer_param("scale", "factor under the root", 0, high, 1),
         choice_param("type", "of the output", {"uint16", "int32"}, "int32")}},
       root},
      {{"histogram",
        "counts of each grey value, and Otsu's level",
        grey,
        {slot("bins", kI32, "one row of 256 or 65536 counts")},
        {}},
       histogram},
      {{"otsu", "threshold at Otsu's level", grey, binary_out, {}}, otsu},
  };
}

}  // namespace morpho::engine
