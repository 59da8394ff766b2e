// Follows a program's uncertainty from the rims of a window inwards: which rule each step goes by.
#include "program_doubt.hpp"

#include <algorithm>

namespace morpho::engine {
namespace {

/// Which certain values of each input decide a combination whatever the other is.
struct Deciding {
  bool zero = false, other = false;
};
Deciding deciding(Combine kind, std::size_t input, bool both_signless) {
  switch (kind) {
    case Combine::both: return {true, false};
    case Combine::minimum: return {both_signless, false};
    case Combine::without: return {input == 0, input == 1};
    case Combine::either: return {false, true};
    default: return {};
  }
}

}  // namespace

Doubts::Doubts(const Program& program, Extent extent, const WindowCut& cut, Host host)
    : DoubtFlood(extent, cut.sides),
      program_(program),
      core_(cut.core),
      host_(std::move(host)),
      state_{std::vector<Doubt>(program.planes.size()),
             std::vector<bool>(program.planes.size(), true),
             Connectivity::eight,
             {},
             false,
             true},
      untouched_(fresh()),
      pixels_(of_rects(cut.unread.pixels)),
      background_(of_rects(cut.unread.background)) {
  for (Doubt& d : state_.fields) d = fresh();
}

Doubt Doubts::of_rects(const std::vector<Rect>& rects) const {
  Doubt d = fresh();
  const Rect read = read_part(rects, {width_, height_});
  d.x0 = static_cast<i32>(read.x), d.x1 = static_cast<i32>(read.x + read.width);
  d.y0 = static_cast<i32>(read.y), d.y1 = static_cast<i32>(read.y + read.height);
  if (empty(d)) return everything();
  for (const Rect& r : rects) {
    for (i64 y = std::max<i64>(r.y, d.y0); y < std::min<i64>(r.y + r.height, d.y1); ++y)
      for (i64 x = std::max<i64>(r.x, d.x0); x < std::min<i64>(r.x + r.width, d.x1); ++x)
        d.list.push_back(static_cast<i32>(y * width_ + x));
  }
  std::sort(d.list.begin(), d.list.end());
  d.list.erase(std::unique(d.list.begin(), d.list.end()), d.list.end());
  return d;
}

void Doubts::restore(const DoubtState& state) {
  state_ = state;
  // The program that goes on may have other planes later on.
  state_.fields.resize(program_.planes.size(), fresh());
  state_.signless.resize(program_.planes.size(), true);
}

Doubt Doubts::unknown(const Doubt& inputs) {
  const bool all_seen = inputs.list.empty() && inputs.x0 == 0 && inputs.y0 == 0 && inputs.x1 == width_ && inputs.y1 == height_;
  if (!cut_[0] && !cut_[1] && !cut_[2] && !cut_[3] && all_seen) return fresh();
  state_.known = false;
  return everything();
}

const Doubt& Doubts::given(Op op) const {
  switch (op) {
    case Op::stain:
    case Op::weights:
    case Op::color_rule:
    case Op::measure: return pixels_;
    case Op::ground: return background_;
    default: return untouched_;
  }
}

Doubt Doubts::together(const Step& step) const {
  Doubt d = given(step.op);
  for (const Field& f : step.in) {
    if (f.present()) intersect(d, state_.fields[static_cast<std::size_t>(f.number)]);
  }
  return d;
}

void Doubts::drop_certain_zeros(const Step& step, Doubt& d) {
  const Combine kind = std::get<CombineParams>(step.params).kind;
  const bool signless = state_.signless[static_cast<std::size_t>(step.in[0].number)] &&
                        state_.signless[static_cast<std::size_t>(step.in[1].number)];
  for (std::size_t k = 0; k < 2 && !d.list.empty() && !empty(d); ++k) {
    const Deciding by = deciding(kind, k, signless);
    if (by.zero || by.other) drop_decided(step.in[k], by.zero, by.other, d);
  }
}

void Doubts::drop_decided(Field by, bool on_zero, bool on_other, Doubt& d) {
  if (d.list.empty()) return;
  const SeenPlane plane = host_(by);
  const std::vector<i32> list = std::move(d.list);
  d.list.clear();
  open(state_.fields[static_cast<std::size_t>(by.number)]);
  for (const i32 p : list) {
    const i32 x = p % width_, y = p / width_;
    if (x < d.x0 || y < d.y0 || x >= d.x1 || y >= d.y1) continue;
    const auto decided = [&] {
      const bool zero = visit_pixel_type(plane.type, [&](auto t) { return Values<decltype(t)>(plane)[p] == 0; });
      return zero ? on_zero : on_other;
    };
    if (!certain(x, y) || !decided()) d.list.push_back(p);
  }
  Doubt nothing;
  add_to(nothing);
}

std::vector<Field> Doubts::looked_at(const Step& step, bool afterwards) {
  if (afterwards) return step.op == Op::distance ? step.out : std::vector<Field>{};
  std::vector<Field> fields;
  switch (step.op) {
    case Op::combine:
      for (std::size_t k = 0; k < 2; ++k) {
        const Deciding by = deciding(std::get<CombineParams>(step.params).kind, k, true);
        if (by.zero || by.other) fields.push_back(step.in[k]);
      }
      break;
    case Op::morphology: {
      const Morphology kind = std::get<MorphologyParams>(step.params).kind;
      if (kind == Morphology::open || kind == Morphology::erode) fields = step.in;
      break;
    }
    case Op::choose_labels:
    case Op::choose_nodes:
    case Op::measure: fields = {step.in[0]}; break;
    case Op::reconstruct:
      if (step.binary) fields = step.in;
      break;
    case Op::fill_small_holes:
    case Op::area_filter:
    case Op::h_extrema:
    case Op::extended_extrema:
    case Op::watershed: fields = step.in; break;
    default: break;
  }
  std::erase_if(fields, [](const Field& f) { return !f.present(); });
  return fields;
}

std::vector<Doubt> Doubts::frames(const Program& program, Extent extent, const WindowCut& cut,
                                  const std::vector<const Step*>& steps) {
  Doubts doubts(program, extent, cut, {});
  std::vector<Doubt> all;
  for (const Step* step : steps) {
    doubts.frame(*step);
    all.push_back(doubts.next_);
    for (const Field& f : step->out) doubts.state_.fields[static_cast<std::size_t>(f.number)] = doubts.next_;
  }
  return all;
}

void Doubts::before(const Step& step) {
  frame(step);
  if (!empty(next_)) flood(step);
  if (step.op == Op::measure) measured(step);
}

void Doubts::frame(const Step& step) {
  if (step.op == Op::take || step.op == Op::keep) {
    next_ = fresh();
    return;
  }
  next_ = together(step);
  if (empty(next_)) next_ = everything();
  switch (step.op) {
    case Op::clear_cut_rims: {
      Doubt rims = fresh();
      shrink(rims, std::get<CutRimParams>(step.params).reach);
      intersect(next_, rims);
      break;
    }
    case Op::reconstruct:
      if (!step.binary) next_ = unknown(next_);
      break;
    case Op::h_extrema:
    case Op::extended_extrema: {
      const auto& p = std::get<ExtremaParams>(step.params);
      if (p.kind != Extremum::maxima || p.connectivity != Connectivity::eight) next_ = unknown(next_);
      break;
    }
    case Op::watershed:
      if (std::get<WatershedParams>(step.params).connectivity != Connectivity::eight) next_ = unknown(next_);
      break;
    case Op::choose_nodes:
      if (program_.planes[static_cast<std::size_t>(step.in[0].number)] != PixelType::u8) next_ = unknown(next_);
      break;
    case Op::fill_holes:
    case Op::otsu: next_ = unknown(next_); break;
    case Op::max_tree: state_.tree_connectivity = std::get<MaxTreeParams>(step.params).connectivity; break;
    // These do not go by their reach: labels' numbers do not matter, and the others flood.
    case Op::label:
    case Op::distance:
    case Op::combine:
    case Op::fill_small_holes:
    case Op::area_filter:
    case Op::choose_labels:
    case Op::measure: break;
    default: next_ = dilated(std::move(next_), step.reach.px);
  }
}

void Doubts::flood(const Step& step) {
  connectivity_ = Connectivity::eight;
  const auto bytes = [&](std::size_t k) { return Values<u8>(host_(step.in[k])); };
  const auto numbers = [&](std::size_t k) { return Values<i32>(host_(step.in[k])); };
  const auto within = [&](auto&& fn) {
    open(next_);
    fn();
    add_to(next_);
  };
  switch (step.op) {
    case Op::combine: drop_certain_zeros(step, next_); break;
    case Op::morphology: {
      const Morphology kind = std::get<MorphologyParams>(step.params).kind;
      // Where there is nothing, openings and erosions leave nothing.
      if (kind == Morphology::open || kind == Morphology::erode) drop_decided(step.in[0], true, false, next_);
      break;
    }
    case Op::fill_small_holes: {
      const auto& p = std::get<AreaFilterParams>(step.params);
      within([&] {
        connectivity_ = p.connectivity;
        area(bytes(0), true, p.end_area);
      });
      break;
    }
    case Op::area_filter: {
      const auto& p = std::get<AreaFilterParams>(step.params);
      within([&] {
        connectivity_ = p.connectivity;
        area(bytes(0), false, p.end_area == 2147483647 ? p.min_area : p.end_area);
      });
      break;
    }
    case Op::choose_labels: within([&] { area(numbers(0), false, std::get<LabelRule>(step.params).end_area); }); break;
    case Op::reconstruct:
      // A component with a marker that is certain is in, whatever else belongs to it.
      within([&] { marked_components(bytes(0), bytes(1)); });
      break;
    case Op::h_extrema:
    case Op::extended_extrema:
      within([&] {
        const Heights z{host_(step.in[0]), 1};
        const i64 h = std::get<ExtremaParams>(step.params).h;
        caps(z, h, {});
        too_much_ = too_much_ || (!found_.empty() && !stands_out(z, h));
      });
      break;
    case Op::watershed:
      within([&] {
        const Values<i32> markers = step.in[1].present() ? numbers(1) : Values<i32>();
        const Values<u8> mask = step.in[2].present() ? bytes(2) : Values<u8>();
        basins({host_(step.in[0]), -1, step.zero}, markers, mask, markers.present() ? step.rise : 0,
               std::get<WatershedParams>(step.params).lines);
      });
      break;
    case Op::choose_nodes: {
      const auto& rule = std::get<NodeRule>(step.params);
      within([&] {
        connectivity_ = state_.tree_connectivity;
        nodes(bytes(0), rule.end_area, rule.level);
      });
      break;
    }
    default: break;
  }
}

void Doubts::after(const Step& step) {
  if (step.op == Op::distance && !empty(next_)) {
    open(next_);
    connectivity_ = Connectivity::eight;
    distance(Values<i32>(host_(step.out[0])), step.limit);
    add_to(next_);
  }
  for (const Field& f : step.out) {
    state_.fields[static_cast<std::size_t>(f.number)] = next_;
    state_.signless[static_cast<std::size_t>(f.number)] = signless(step);
  }
}

bool Doubts::signless(const Step& step) const {
  for (const Field& f : step.in) {
    if (f.present() && !state_.signless[static_cast<std::size_t>(f.number)]) return false;
  }
  if (step.op != Op::scale) return true;
  const auto& p = std::get<ScaleParams>(step.params);
  return (p.multiply >= 0 && p.add >= 0) || program_.planes[static_cast<std::size_t>(step.out[0].number)] != PixelType::i32;
}

void Doubts::measured(const Step& step) {
  // An object that touches the uncertain is uncertain as a whole.
  state_.measured = true;
  Doubt d = next_;
  if (!empty(d)) {
    open(d);
    connectivity_ = Connectivity::eight;
    area(Values<i32>(host_(step.in[0])), false, INT64_MAX);
    add_to(d);
  }
  state_.uncertain = in_core(d);
}

std::vector<Run> Doubts::in_core(const Doubt& d) {
  std::vector<Run> runs;
  open(d);
  const auto left = static_cast<i32>(core_.x), right = static_cast<i32>(core_.x + core_.width);
  const auto top = static_cast<i32>(core_.y), bottom = static_cast<i32>(core_.y + core_.height);
  const bool in_sure = !empty(d) && left >= now_.x0 && right <= now_.x1 && top >= now_.y0 && bottom <= now_.y1;
  const bool any = std::any_of(now_.list.begin(), now_.list.end(), [&](i32 p) {
    const i32 x = p % width_, y = p / width_;
    return x >= left && y >= top && x < right && y < bottom;
  });
  for (i32 y = top; y < bottom && (any || !in_sure); ++y) {
    for (i32 x = left; x < right; ++x) {
      if (certain(x, y)) continue;
      const i32 begin = x;
      while (x < right && !certain(x, y)) ++x;
      runs.push_back({y, begin, x});
    }
  }
  Doubt nothing;
  add_to(nothing);
  return runs;
}

Trust Doubts::certainty() {
  Trust trust;
  trust.known = state_.measured && (state_.known || state_.uncertain.empty());
  trust.core_pixels = core_.width * core_.height;
  trust.cut = std::move(state_.uncertain);
  trust.count();
  return trust;
}

}  // namespace morpho::engine
