// Follows a program's uncertainty from the rims of a window inwards: which rule each step goes by.
#include "program_doubt.hpp"

#include <algorithm>

namespace morpho::engine {
namespace {

template <class T>
const T* data_of(const ConstPlane& p) {
  return static_cast<const T*>(p.data);
}

}  // namespace

Doubts::Doubts(const Program& program, Extent extent, const WindowCut& cut, Host host)
    : DoubtFlood(extent, cut.sides),
      program_(program),
      core_(cut.core),
      host_(std::move(host)),
      fields_(program.planes.size()),
      signless_(program.planes.size(), true) {
  for (Doubt& d : fields_) d = fresh();
}

Doubt Doubts::unknown() {
  if (!cut_[0] && !cut_[1] && !cut_[2] && !cut_[3]) return fresh();
  known_ = false;
  return everything();
}

Doubt Doubts::together(const Step& step) const {
  Doubt d = fresh();
  for (const Field& f : step.in) {
    if (f.present()) intersect(d, fields_[static_cast<std::size_t>(f.number)]);
  }
  return d;
}

void Doubts::drop_certain_zeros(const Step& step, Doubt& d) {
  const Combine kind = std::get<CombineParams>(step.params).kind;
  if (d.list.empty() || empty(d)) return;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto field = static_cast<std::size_t>(step.in[k].number);
    const auto other = static_cast<std::size_t>(step.in[1 - k].number);
    bool on_zero = false, on_other = false;  // what a certain value there makes the result certain
    switch (kind) {
      case Combine::both: on_zero = true; break;
      case Combine::minimum: on_zero = signless_[field] && signless_[other]; break;
      case Combine::without: (k == 0 ? on_zero : on_other) = true; break;
      case Combine::either: on_other = true; break;
      default: break;
    }
    if (on_zero || on_other) drop_decided(step.in[k], on_zero, on_other, d);
  }
}

void Doubts::drop_decided(Field by, bool on_zero, bool on_other, Doubt& d) {
  const ConstPlane plane = host_(by);
  const std::vector<i32> list = std::move(d.list);
  d.list.clear();
  open(fields_[static_cast<std::size_t>(by.number)]);
  for (const i32 p : list) {
    const bool zero = visit_pixel_type(plane.type, [&](auto t) { return data_of<decltype(t)>(plane)[p] == 0; });
    if (!certain(p % width_, p / width_) || !(zero ? on_zero : on_other)) d.list.push_back(p);
  }
  Doubt nothing;
  add_to(nothing);
}

void Doubts::before(const Step& step) {
  connectivity_ = Connectivity::eight;
  if (step.op == Op::take || step.op == Op::keep) {
    next_ = fresh();
    return;
  }
  next_ = together(step);
  if (empty(next_)) next_ = everything();
  const auto plane = [&](std::size_t k) { return host_(step.in[k]); };
  const auto within = [&](auto&& flood) {
    if (empty(next_)) return;
    open(next_);
    flood();
    add_to(next_);
  };
  switch (step.op) {
    case Op::clear_cut_rims: {
      Doubt rims = fresh();
      shrink(rims, std::get<CutRimParams>(step.params).reach);
      intersect(next_, rims);
      break;
    }
    case Op::combine: drop_certain_zeros(step, next_); break;
    case Op::morphology: {
      next_ = dilated(std::move(next_), step.reach.px);
      const Morphology kind = std::get<MorphologyParams>(step.params).kind;
      // Where there is nothing, openings and erosions leave nothing.
      if (!empty(next_) && (kind == Morphology::open || kind == Morphology::erode))
        drop_decided(step.in[0], true, false, next_);
      break;
    }
    case Op::fill_small_holes: {
      const auto& p = std::get<AreaFilterParams>(step.params);
      within([&] {
        connectivity_ = p.connectivity;
        area(data_of<u8>(plane(0)), true, p.end_area);
      });
      break;
    }
    case Op::area_filter: {
      const auto& p = std::get<AreaFilterParams>(step.params);
      within([&] {
        connectivity_ = p.connectivity;
        area(data_of<u8>(plane(0)), false, p.end_area == 2147483647 ? p.min_area : p.end_area);
      });
      break;
    }
    case Op::choose_labels:
      within([&] { area(data_of<i32>(plane(0)), false, std::get<LabelRule>(step.params).end_area); });
      break;
    case Op::reconstruct:
      if (!step.binary) next_ = unknown();
      within([&] {
        const u8 *marker = data_of<u8>(plane(0)), *mask = data_of<u8>(plane(1));
        // A component with a marker that is certain is in, whatever else belongs to it.
        marked_components(marker, mask);
      });
      break;
    case Op::h_extrema:
    case Op::extended_extrema: {
      const auto& p = std::get<ExtremaParams>(step.params);
      if (p.kind != Extremum::maxima || p.connectivity != Connectivity::eight) next_ = unknown();
      within([&] {
        const ConstPlane f = plane(0);
        const Heights z{f.data, f.type, 1};
        caps(z, p.h, nullptr);
        too_much_ = too_much_ || (!found_.empty() && !stands_out(z, p.h));
      });
      break;
    }
    case Op::watershed:
      if (std::get<WatershedParams>(step.params).connectivity != Connectivity::eight) next_ = unknown();
      within([&] {
        const ConstPlane f = plane(0);
        const i32* markers = step.in[1].present() ? data_of<i32>(plane(1)) : nullptr;
        const u8* mask = step.in[2].present() ? data_of<u8>(plane(2)) : nullptr;
        basins({f.data, f.type, -1}, markers, mask, markers ? step.rise : 0, std::get<WatershedParams>(step.params).lines);
      });
      break;
    case Op::max_tree: tree_connectivity_ = std::get<MaxTreeParams>(step.params).connectivity; break;
    case Op::choose_nodes: {
      const auto& rule = std::get<NodeRule>(step.params);
      if (plane(0).type != PixelType::u8) next_ = unknown();
      within([&] {
        connectivity_ = tree_connectivity_;
        nodes(data_of<u8>(plane(0)), rule.end_area, rule.level);
      });
      break;
    }
    case Op::measure: measured(step); break;
    case Op::fill_holes:
    case Op::otsu: next_ = unknown(); break;
    case Op::label:
    case Op::distance: break;  // labels' numbers do not matter; distances: after
    default: next_ = dilated(std::move(next_), step.reach.px);
  }
}

void Doubts::after(const Step& step) {
  if (step.op == Op::distance && !empty(next_)) {
    open(next_);
    distance(data_of<i32>(host_(step.out[0])), step.limit);
    add_to(next_);
  }
  for (const Field& f : step.out) {
    fields_[static_cast<std::size_t>(f.number)] = next_;
    signless_[static_cast<std::size_t>(f.number)] = signless(step);
  }
}

bool Doubts::signless(const Step& step) const {
  for (const Field& f : step.in) {
    if (f.present() && !signless_[static_cast<std::size_t>(f.number)]) return false;
  }
  if (step.op != Op::scale) return true;
  const auto& p = std::get<ScaleParams>(step.params);
  return (p.multiply >= 0 && p.add >= 0) || program_.planes[static_cast<std::size_t>(step.out[0].number)] != PixelType::i32;
}

void Doubts::measured(const Step& step) {
  // An object that touches the uncertain is uncertain as a whole.
  measured_ = true;
  Doubt d = next_;
  if (!empty(d)) {
    open(d);
    area(data_of<i32>(host_(step.in[0])), false, INT64_MAX);
    add_to(d);
  }
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
      uncertain_.push_back({y, begin, x});
    }
  }
  Doubt nothing;
  add_to(nothing);
}

Certainty Doubts::certainty() {
  Certainty c;
  c.known = measured_ && (known_ || uncertain_.empty());
  c.certified = measured_ && uncertain_.empty();
  c.certain_pixels = c.core_pixels = core_.width * core_.height;
  for (const Run& r : uncertain_) c.certain_pixels -= r.x1 - r.x0;
  c.uncertain = std::move(uncertain_);
  return c;
}

}  // namespace morpho::engine
