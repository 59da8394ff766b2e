// A program as text.
#include "program.hpp"

#include "../contract/op_names.hpp"
#include "../contract/text.hpp"

namespace morpho::engine {
namespace {

template <class E>
std::string named(E value) {
  return std::string(morpho::name_of(value));
}
std::string named(Morphology kind) {
  switch (kind) {
    case Morphology::erode: return "erode";
    case Morphology::dilate: return "dilate";
    case Morphology::open: return "open";
    default: return "close";
  }
}
std::string named(Extremum kind) { return kind == Extremum::maxima ? "maxima" : "minima"; }
std::string number(double v) { return morpho::text_of(v); }
std::string whole(i64 v) { return v == INT64_MAX || v == 2147483647 ? "max" : std::to_string(v); }
std::string text(const Field& f) { return f.present() ? "%" + std::to_string(f.number) : "-"; }
std::string text(const Register& r) { return "$" + std::to_string(r.number); }

/// The parameters that say what a step does, by visiting its variant.
struct ParamsText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const KeepParams& p) const { return p.binary ? "binary" : ""; }
  std::string operator()(const CutRimParams& p) const { return whole(p.reach) + " px"; }
  std::string operator()(const LevelParams& p) const { return "at least " + whole(p.least); }
  std::string operator()(const GroundParams&) const { return "of the whole image"; }
  std::string operator()(const StainParams& p) const {
    return "row " + whole(p.row[0]) + " " + whole(p.row[1]) + " " + whole(p.row[2]) + ", " + whole(p.units_per_od) +
           (p.intensity ? " of light" : " an OD");
  }
  std::string operator()(const WeightsParams& p) const {
    return "(" + whole(p.r) + " R + " + whole(p.g) + " G + " + whole(p.b) + " B + " + whole(p.offset) + ") / " +
           whole(p.divisor);
  }
  std::string operator()(const ColorRuleParams& p) const {
    return "above " + whole(p.above[0]) + " " + whole(p.above[1]) + " " + whole(p.above[2]) + ", R/G > " +
           ratio(p.r_over_g_num, p.r_over_g_den) + ", R/B > " + ratio(p.r_over_b_num, p.r_over_b_den);
  }
  std::string operator()(const ReconstructParams& p) const { return "by " + named(p.by) + ", " + named(p.connectivity); }
  std::string operator()(const GeodesicParams& p) const { return whole(p.steps) + " steps"; }
  std::string operator()(const ExtremaParams& p) const {
    return named(p.kind) + ", h " + whole(p.h) + ", " + named(p.connectivity);
  }
  std::string operator()(const ConnectivityParams& p) const { return named(p.connectivity); }
  std::string operator()(const DistanceParams&) const { return ""; }
  std::string operator()(const MaxTreeParams& p) const { return named(p.connectivity); }
  std::string operator()(const WatershedParams& p) const { return named(p.connectivity) + (p.lines ? ", lines" : ""); }
  std::string operator()(const AreaFilterParams& p) const {
    return "[" + whole(p.min_area) + ", " + whole(p.end_area) + "), " + named(p.connectivity);
  }
  std::string operator()(const MorphologyParams& p) const {
    return named(p.kind) + " by " + named(p.shape) + " " + whole(p.radius);
  }
  std::string operator()(const GaussianParams& p) const { return "sigma " + number(p.sigma); }
  std::string operator()(const RadiusParams& p) const { return "radius " + whole(p.radius); }
  std::string operator()(const ThresholdParams& p) const { return "> " + whole(p.above); }
  std::string operator()(const CombineParams& p) const { return named(p.kind); }
  std::string operator()(const ScaleParams& p) const {
    return "(v * " + whole(p.multiply) + " + " + whole(p.add) + ") >> " + whole(p.shift);
  }
  std::string operator()(const RootParams& p) const { return "of " + whole(p.scale) + " v"; }
  std::string operator()(const LabelRule& r) const {
    std::string s = "area [" + whole(r.min_area) + ", " + whole(r.end_area) + ")";
    if (r.ellipticity) s += ", ellipticity " + whole(r.ellipticity);
    if (r.contrast) s += ", contrast " + whole(r.contrast) + " at " + whole(r.contrast_area) + " px";
    if (r.mean_above != kAnyMean) s += ", mean > " + whole(r.mean_above) + "/1024";
    return s;
  }
  std::string operator()(const NodeRule& r) const {
    return "area [" + whole(r.min_area) + ", " + whole(r.end_area) + "), level " + whole(r.level) + ", contrast " +
           whole(r.contrast) + ", elongation " + whole(r.elongation) + ", ellipticity " + whole(r.ellipticity) + " ^ " +
           whole(r.shape_power);
  }
  std::string operator()(const MeasureParams& p) const {
    if (p == MeasureParams{.stains = {p.stains[0], p.stains[1], p.stains[2]}}) return "";
    return "contrast per " + whole(p.contrast_per) + " at " + whole(p.contrast_area) + " px" +
           (p.aspect == 1 ? "" : ", aspect " + number(p.aspect));
  }

 private:
  static std::string ratio(i32 num, i32 den) { return num ? whole(num) + "/" + whole(den) : "any"; }
};

std::string text(const Reach& r) {
  switch (r.kind) {
    case Reach::Kind::pointwise: return "pointwise";
    case Reach::Kind::halo: return "halo " + std::to_string(r.px);
    case Reach::Kind::component: return "component";
    default: return "global";
  }
}

std::string line_of(const Program& program, const Step& s) {
  std::string line = name_of(s.op);
  if (*s.name) line += std::string(" ") + s.name;
  if (s.op == Op::take)
    return line + " " + text(s.out[0]) + " " + pixel_type_name(program.planes[static_cast<std::size_t>(s.out[0].number)]);
  for (const Field& f : s.in) line += " " + text(f);
  if (s.count.number >= 0) line += " " + text(s.count);
  if (!s.out.empty() || s.result.number >= 0) line += " ->";
  for (const Field& f : s.out) line += " " + text(f);
  if (s.result.number >= 0) line += " " + text(s.result);
  const std::string params = std::visit(ParamsText{}, s.params);
  if (!params.empty()) line += ": " + params;
  if (s.binary) line += ", binary";
  if (s.rise) line += ", peaks of " + whole(s.rise);
  if (s.zero) line += " below " + whole(s.zero);
  return begins_block(s.op) || s.op == Op::keep ? line : line + " (" + text(s.reach) + ")";
}

}  // namespace

const char* name_of(Op op) {
  switch (op) {
    case Op::stage: return "stage";
    case Op::scope: return "scope";
    case Op::look: return "look";
    case Op::end: return "end";
    case Op::take: return "take";
    case Op::keep: return "keep";
    case Op::stain: return "stain";
    case Op::weights: return "weights";
    case Op::color_rule: return "color-rule";
    case Op::ground: return "ground";
    case Op::reconstruct: return "reconstruct";
    case Op::geodesic_dilate: return "geodesic-dilate";
    case Op::h_extrema: return "h-extrema";
    case Op::extended_extrema: return "extended-extrema";
    case Op::fill_holes: return "fill-holes";
    case Op::distance: return "distance";
    case Op::max_tree: return "max-tree";
    case Op::label: return "label";
    case Op::watershed: return "watershed";
    case Op::area_filter: return "area-filter";
    case Op::morphology: return "morphology";
    case Op::gaussian: return "gaussian";
    case Op::median: return "median";
    case Op::box_mean: return "box-mean";
    case Op::threshold: return "threshold";
    case Op::combine: return "combine";
    case Op::scale: return "scale";
    case Op::root: return "root";
    case Op::fill_small_holes: return "fill-small-holes";
    case Op::choose_labels: return "choose-labels";
    case Op::choose_nodes: return "choose-nodes";
    case Op::otsu: return "otsu";
    case Op::clear_cut_rims: return "clear-cut-rims";
    default: return "measure";
  }
}

std::string text_of(const Program& program) {
  std::string out;
  std::size_t depth = 0;
  for (const Step& s : program.steps) {
    if (s.op == Op::end) {
      --depth;
      continue;
    }
    out += std::string(2 * depth, ' ') + line_of(program, s) + "\n";
    depth += begins_block(s.op);
  }
  for (const auto& [name, value] : program.results) out += name + " = " + text(value) + "\n";
  return out;
}

}  // namespace morpho::engine
