// Describes the operations on colour images for the registry.
#include <algorithm>
#include <cmath>

#include "op_entry.hpp"

namespace morpho::engine {

namespace {

void stain(OpRun& r) {
  const StainSet& set = stain_set(r.choice("stains"));
  const std::string channel = r.choice("channel");
  int index = -1;
  for (int i = 0; i < 3; ++i) {
    if (channel == set.names[i] || channel == std::to_string(i)) index = i;
  }
  if (index < 0)
    reject("channel", set.names[0] + ", " + set.names[1] + " or " + set.names[2] + " (a stain of " + set.id + ")",
           "\"" + channel + "\"");
  StainParams p = set.stains[index];
  p.units_per_od = r.integer("units-per-od");
  for (i32& w : p.white) w = r.integer("white");
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed([&] { r.ops.stain(r.ctx, r.rgba("image"), out, p); });
}

void weights(OpRun& r) {
  const std::string preset = r.choice("preset");
  WeightsParams p{r.integer("r"), r.integer("g"), r.integer("b"), r.integer("offset"), r.integer("divisor")};
  if (preset == "gray" || preset == "inverted-luminance") p = {-299, -587, -114, 255499, 1000};
  if (preset == "luminance") p = {299, 587, 114, 500, 1000};
  if (preset == "inverted-red") p = {-1, 0, 0, 255, 1};
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed([&] { r.ops.weights(r.ctx, r.rgba("image"), out, p); });
}

void color_rule(OpRun& r) {
  ColorRuleParams p;
  p.above[0] = r.integer("above-r");
  p.above[1] = r.integer("above-g");
  p.above[2] = r.integer("above-b");
  p.r_over_g_num = r.integer("r-over-g-num");
  p.r_over_g_den = r.integer("r-over-g-den");
  p.r_over_b_num = r.integer("r-over-b-num");
  p.r_over_b_den = r.integer("r-over-b-den");
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed([&] { r.ops.color_rule(r.ctx, r.rgba("image"), out, p); });
}

void resample(OpRun& r) {
  const auto fixed = [](double px) { return static_cast<i64>(std::llround(px * 65536)); };
  const ResampleParams p{fixed(r.number("x0")), fixed(r.number("y0")), std::max<i64>(1, fixed(r.number("step-x"))),
                         std::max<i64>(1, fixed(r.number("step-y")))};
  // As many output pixels as begin inside the image, unless told.
  const auto count = [](i32 asked, i32 size, i64 origin, i64 step) {
    const i64 fit = (static_cast<i64>(size) * 65536 - origin + step - 1) / step;
    return asked > 0 ? i64{asked} : std::max<i64>(0, fit);
  };
  const i64 width = count(r.integer("width"), r.extent().width, p.x0, p.step_x),
            height = count(r.integer("height"), r.extent().height, p.y0, p.step_y);
  if (width > 2147483647 || height > 2147483647 || width * height > 2147483647) {
    reject("step-x and step-y", "an output of fewer than 2147483648 pixels",
           std::to_string(width) + "x" + std::to_string(height));
  }
  const View<Rgba> out = r.out_rgba("out", {static_cast<i32>(width), static_cast<i32>(height)});
  r.timed([&] { r.ops.resample(r.ctx, r.rgba("image"), out, p); });
}

}  // namespace

std::vector<OpEntry> color_ops() {
  constexpr double low = -2147483648.0, high = 2147483647, ratio = 1 << 22;
  const std::vector<OpSlot> image = {rgba_slot("image", "RGBA; alpha is not looked at")};
  const auto above = [](const char* name) {
    return integer_param(name, "the channel must be above this; -1 allows all", -1, 255, -1);
  };
  const auto num = [](const char* name) {
    return integer_param(name, "R * den > other * num must hold; 0 switches the rule off", 0, ratio, 0);
  };
  const auto den = [](const char* name) { return integer_param(name, "see num", 1, ratio, 1); };
  return {
      {{"stain",
        "one stain's concentration by colour deconvolution",
        image,
        {slot("out", kU8, "concentration in units of 1/units-per-od")},
        {choice_param("stains", "stain vectors", {"h-e", "h-dab"}, "h-e"),
         choice_param("channel", "stain, by name or number", {"hematoxylin", "eosin", "dab", "residual", "0", "1", "2"},
                      "hematoxylin"),
         integer_param("units-per-od", "grey values an OD", 1, 65536, 100),
         integer_param("white", "the intensity of OD 0", 1, 255, 255)}},
       stain},
      {{"weights",
        "clamp(floor((r R + g G + b B + offset) / divisor)); gray and inverted-luminance are 255 - (299 R + 587 G + 114 B + "
        "500) // 1000",
        image,
        {slot("out", kU8, "grey values")},
        {choice_param("preset", "named weights", {"custom", "gray", "inverted-luminance", "luminance", "inverted-red"},
                      "custom"),
         integer_param("r", "weight of red", low, high, 0), integer_param("g", "weight of green", low, high, 0),
         integer_param("b", "weight of blue", low, high, 0), integer_param("offset", "summand", low, high, 0),
         integer_param("divisor", "divides the sum", 1, high, 65536)}},
       weights},
      {{"color-rule",
        "1 where all rules on a colour hold",
        image,
        {slot("out", kU8, "0 or 1")},
        {above("above-r"), above("above-g"), above("above-b"), num("r-over-g-num"), den("r-over-g-den"), num("r-over-b-num"),
         den("r-over-b-den")}},
       color_rule},
      {{"resample",
        "another scale, by area averaging",
        image,
        {rgba_slot("out", "RGBA")},
        {number_param("x0", "left edge of the output, input px", -1e6, 1e6, 0),
         number_param("y0", "top edge of the output, input px", -1e6, 1e6, 0),
         number_param("step-x", "input px an output pixel", 1.0 / 65536, 2048, 1),
         number_param("step-y", "input px an output pixel", 1.0 / 65536, 2048, 1),
         integer_param("width", "of the output, px; 0: to the right edge", 0, high, 0),
         integer_param("height", "of the output, px; 0: to the bottom", 0, high, 0)}},
       resample},
  };
}

}  // namespace morpho::engine
