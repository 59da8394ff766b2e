// Follows a program's uncertainty from the rims of a window inwards: which rule each step goes by.
#include "certainty_analysis.hpp"

#include <algorithm>

namespace morpho::engine {
namespace {

/// The rule of a descriptor that has one. There is no other way to a rule: an operation without one is unknown. Its parts are
/// found by their names, so that one with other arguments is no part left out, but an error of the compiler's.
template <class O>
concept HasRule = requires { typename O::Certainty; };
template <class O>
concept Looks = HasRule<O> && requires { &O::Certainty::looks; };
template <class O>
concept HasFlood = HasRule<O> && requires { &O::Certainty::template flood<CertaintyAnalysis::Rule>; };
template <class O>
concept HasFloodAfter = HasRule<O> && requires { &O::Certainty::template after<CertaintyAnalysis::Rule>; };
template <class O>
concept Prepares = HasRule<O> && requires { &O::Certainty::template before<CertaintyAnalysis::Rule>; };
template <class O>
concept GivesLabels = HasRule<O> && requires { &O::Certainty::pieces; };
template <class O>
concept GivesSigns = HasRule<O> && requires { &O::Certainty::keeps_signless; };
template <class O>
const typename O::Params& params_of(const Step& step) {
  return std::get<typename O::Params>(step.params);
}

}  // namespace

class CertaintyAnalysis::Rule {
 public:
  Rule(CertaintyAnalysis& analysis, const Step& step) : d_(analysis), step_(step) {}

  SeenPlane plane(std::size_t k) const { return d_.host_(step_.in[k]); }
  Values<u8> bytes(std::size_t k) const { return Values<u8>(plane(k)); }
  Values<i32> numbers(std::size_t k) const { return Values<i32>(plane(k)); }
  Values<i32> result() const { return Values<i32>(d_.host_(step_.out[0])); }
  i32 limit() const { return step_.limit; }
  bool signless(std::size_t k) const { return d_.state_.signless[static_cast<std::size_t>(step_.in[k].number)]; }
  Connectivity tree_connectivity() const { return d_.state_.tree_connectivity; }
  void tree_of(Connectivity c) { d_.state_.tree_connectivity = c; }

  /// fn's floods, from what is uncertain of the step so far, by neighbours of this connectivity.
  template <class Fn>
  void within(Connectivity c, Fn&& fn) {
    d_.connectivity_ = c;
    d_.open(d_.next_);
    fn();
    d_.add_to(d_.next_);
  }
  template <class T>
  void area(const Values<T>& v, bool background, i64 enough) {
    d_.area(v, background, enough);
  }
  void overlapping(const Values<i32>& a, const Values<i32>& b) { d_.overlapping(a, b); }
  void marked_components(const Values<u8>& marker, const Values<u8>& mask) { d_.marked_components(marker, mask); }
  void distance(const Values<i32>& squared, i32 limit) { d_.distance(squared, limit); }
  void nodes(const Values<u8>& f, i64 enough, i32 level) { d_.nodes(f, enough, level); }
  void peaks(const SeenPlane& f, i64 h) {
    visit_pixel_type(f.type, [&]<class T>(T) {
      const Heights<T> z{Values<T>(f), 1};
      d_.caps(z, h, {});
      d_.too_much_ = d_.too_much_ || (!d_.found_.empty() && !d_.stands_out(z, h));
    });
  }
  /// Of the step's landscape, markers and mask; its markers hold every peak that stands out by `rise`.
  void basins_of(bool lines) {
    const bool marked = step_.in[1].present();
    const Values<i32> markers = marked ? numbers(1) : Values<i32>();
    const Values<u8> mask = step_.in[2].present() ? bytes(2) : Values<u8>();
    visit_pixel_type(plane(0).type, [&]<class T>(T) {
      d_.basins(Heights<T>{Values<T>(plane(0)), -1, step_.zero}, markers, mask, marked ? step_.rise : 0, lines);
    });
  }
  void drop_decided(int k, bool on_zero, bool on_other) {
    if (!d_.next_.list.empty() && !d_.empty(d_.next_))
      d_.drop_decided(step_.in[static_cast<std::size_t>(k)], on_zero, on_other, d_.next_);
  }
  void cut_rims(i32 reach) {
    Uncertainty rims = d_.fresh();
    d_.shrink(rims, reach);
    d_.intersect(d_.next_, rims);
  }

 private:
  CertaintyAnalysis& d_;
  const Step& step_;
};

CertaintyAnalysis::CertaintyAnalysis(const Program& program, Extent extent, const Rect& core, const Unseen& unseen, Host host)
    : UncertaintyFlood(extent, unseen.cut),
      program_(program),
      core_(core),
      host_(std::move(host)),
      state_{std::vector<Uncertainty>(program.planes.size()),
             std::vector<bool>(program.planes.size(), true),
             std::vector<bool>(program.planes.size(), false),
             Connectivity::eight,
             {},
             false,
             true},
      untouched_(fresh()),
      pixels_(of_rects(unseen.unread.pixels)),
      background_(of_rects(unseen.unread.background)) {
  for (Uncertainty& d : state_.fields) d = fresh();
}

Uncertainty CertaintyAnalysis::of_rects(const std::vector<Rect>& rects) const {
  Uncertainty d = fresh();
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

void CertaintyAnalysis::restore(const CertaintyState& state) {
  state_ = state;
  // The program that goes on may have other planes later on.
  state_.fields.resize(program_.planes.size(), fresh());
  state_.signless.resize(program_.planes.size(), true);
  state_.one_piece.resize(program_.planes.size(), false);
}

Uncertainty CertaintyAnalysis::unknown(const Uncertainty& inputs) {
  const bool all_seen = inputs.list.empty() && inputs.x0 == 0 && inputs.y0 == 0 && inputs.x1 == width_ && inputs.y1 == height_;
  if (!cut_[0] && !cut_[1] && !cut_[2] && !cut_[3] && all_seen) return fresh();
  state_.known = false;
  return everything();
}

const Uncertainty& CertaintyAnalysis::given(Op op) const {
  if (op == Op::ground) return background_;
  bool colours = op == Op::measure || op == Op::sample;
  visit_operation(op, [&]<class O>(O) {
    if constexpr (requires { O::in; }) {
      for (const op::Slot& slot : O::in) colours = colours || slot.types == op::rgba;
    }
  });
  return colours ? pixels_ : untouched_;
}

Uncertainty CertaintyAnalysis::together(const Step& step) {
  Uncertainty d = given(step.op);
  for (const Field& f : step.in) {
    if (f.present()) intersect(d, state_.fields[static_cast<std::size_t>(f.number)]);
  }
  return d;
}

op::StepFacts CertaintyAnalysis::facts(const Step& step) const {
  op::StepFacts facts;
  facts.binary = step.binary;
  for (std::size_t k = 0; k < step.in.size() && k < op::Images::most; ++k) {
    const Field& f = step.in[k];
    if (!f.present()) continue;
    if (k == 0) facts.type = type_of(f);
    facts.in[k] = {true, state_.one_piece[static_cast<std::size_t>(f.number)]};
  }
  return facts;
}

void CertaintyAnalysis::drop_decided(Field by, bool on_zero, bool on_other, Uncertainty& d) {
  if (d.list.empty()) return;
  const SeenPlane plane = host_(by);
  const std::vector<i32> list = std::move(d.list);
  d.list.clear();
  open(state_.fields[static_cast<std::size_t>(by.number)]);
  visit_pixel_type(plane.type, [&]<class T>(T) {
    const Values<T> values(plane);
    for (const i32 at : list) {
      const Pixel p = pixel(at);
      if (p.x < d.x0 || p.y < d.y0 || p.x >= d.x1 || p.y >= d.y1) continue;
      if (!certain(p) || !(values[p] == 0 ? on_zero : on_other)) d.list.push_back(at);
    }
  });
  Uncertainty nothing;
  add_to(nothing);
}

std::vector<Field> CertaintyAnalysis::looked_at(const Step& step, bool afterwards) {
  std::vector<Field> fields;
  visit_operation(step.op, [&]<class O>(O) {
    static_assert(!HasFlood<O> || Looks<O>, "a flood whose rule does not say what it looks at");
    if constexpr (HasFloodAfter<O>) {
      if (afterwards) fields.push_back(step.out[0]);
    }
    if constexpr (Looks<O>) {
      op::StepFacts facts;
      facts.binary = step.binary;
      const u8 bits = afterwards ? u8{0} : O::Certainty::looks(facts, params_of<O>(step));
      for (std::size_t k = 0; k < step.in.size(); ++k)
        if ((bits >> k & 1) && step.in[k].present()) fields.push_back(step.in[k]);
    }
  });
  return fields;
}

std::vector<Uncertainty> CertaintyAnalysis::frames(const Program& program, Extent extent, const Rect& core, const CutSides& cut,
                                                   const std::vector<const Step*>& steps) {
  CertaintyAnalysis analysis(program, extent, core, {cut, {}}, {});
  std::vector<Uncertainty> all;
  for (const Step* step : steps) {
    analysis.frame(*step);
    all.push_back(analysis.next_);
    for (const Field& f : step->out) {
      analysis.state_.fields[static_cast<std::size_t>(f.number)] = analysis.next_;
      analysis.state_.one_piece[static_cast<std::size_t>(f.number)] = analysis.gives_labels_in_one_piece(*step);
    }
  }
  return all;
}

void CertaintyAnalysis::before(const Step& step) {
  frame(step);
  if (!empty(next_)) flood(step);
  if (step.op == Op::measure) measured(step);
}

void CertaintyAnalysis::frame(const Step& step) {
  if (step.op == Op::take || step.op == Op::keep) {
    next_ = fresh();
    return;
  }
  next_ = together(step);
  if (empty(next_)) next_ = everything();
  op::Frame frame = op::Frame::unknown;
  visit_operation(step.op, [&]<class O>(O) {
    if constexpr (HasRule<O>) frame = O::Certainty::frame(facts(step), params_of<O>(step));
    if constexpr (Prepares<O>) {
      Rule rule(*this, step);
      O::Certainty::before(rule, params_of<O>(step));
    }
  });
  if (frame == op::Frame::unknown) next_ = unknown(next_);
  if (frame == op::Frame::reach) next_ = dilated(std::move(next_), step.reach.px);
}

void CertaintyAnalysis::flood(const Step& step) {
  visit_operation(step.op, [&]<class O>(O) {
    if constexpr (HasFlood<O>) {
      Rule rule(*this, step);
      O::Certainty::flood(rule, params_of<O>(step));
    }
  });
}

void CertaintyAnalysis::after(const Step& step) {
  if (!empty(next_)) {
    visit_operation(step.op, [&]<class O>(O) {
      if constexpr (HasFloodAfter<O>) {
        Rule rule(*this, step);
        O::Certainty::after(rule, params_of<O>(step));
      }
    });
  }
  const bool no_sign = signless(step), one_piece = gives_labels_in_one_piece(step);
  for (const Field& f : step.out) {
    const auto k = static_cast<std::size_t>(f.number);
    state_.fields[k] = next_;
    state_.signless[k] = no_sign;
    state_.one_piece[k] = one_piece;
  }
}

bool CertaintyAnalysis::gives_labels_in_one_piece(const Step& step) const {
  bool one = false;
  visit_operation(step.op, [&]<class O>(O) {
    if constexpr (GivesLabels<O>) {
      const op::StepFacts f = facts(step);
      const op::Pieces pieces = O::Certainty::pieces(f, params_of<O>(step));
      // Labels that are clamped to a byte share the largest.
      one = type_of(step.out[0]) == PixelType::i32 &&
            (pieces == op::Pieces::one || (pieces == op::Pieces::same && f.in[0].one_piece));
    }
  });
  return one;
}

bool CertaintyAnalysis::signless(const Step& step) const {
  for (const Field& f : step.in) {
    if (f.present() && !state_.signless[static_cast<std::size_t>(f.number)]) return false;
  }
  bool keeps = true;
  visit_operation(step.op, [&]<class O>(O) {
    if constexpr (GivesSigns<O>) keeps = O::Certainty::keeps_signless(params_of<O>(step), type_of(step.out[0]));
  });
  return keeps;
}

void CertaintyAnalysis::measured(const Step& step) {
  // An object that touches the uncertain is uncertain as a whole.
  state_.measured = true;
  Uncertainty d = next_;
  if (!empty(d)) {
    open(d);
    connectivity_ = Connectivity::eight;
    area(Values<i32>(host_(step.in[0])), false, INT64_MAX);
    add_to(d);
  }
  state_.uncertain = in_core(d);
}

std::vector<Run> CertaintyAnalysis::in_core(const Uncertainty& d) {
  std::vector<Run> runs;
  open(d);
  const auto left = static_cast<i32>(core_.x), right = static_cast<i32>(core_.x + core_.width);
  const auto top = static_cast<i32>(core_.y), bottom = static_cast<i32>(core_.y + core_.height);
  const bool in_sure = !empty(d) && left >= now_.x0 && right <= now_.x1 && top >= now_.y0 && bottom <= now_.y1;
  const bool any = std::any_of(now_.list.begin(), now_.list.end(), [&](i32 at) {
    const Pixel p = pixel(at);
    return p.x >= left && p.y >= top && p.x < right && p.y < bottom;
  });
  for (i32 y = top; y < bottom && (any || !in_sure); ++y) add_uncertain_runs(y, left, right, runs);
  Uncertainty nothing;
  add_to(nothing);
  return runs;
}

Trust CertaintyAnalysis::certainty() {
  Trust trust;
  trust.known = state_.measured && (state_.known || state_.uncertain.empty());
  trust.core_pixels = core_.width * core_.height;
  trust.cut = std::move(state_.uncertain);
  trust.count();
  return trust;
}

}  // namespace morpho::engine
