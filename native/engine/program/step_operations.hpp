// What programs have beside the operations of the table: steps that are several of its entries, or that only windows know.
#pragma once
#include <string>

#include "../../contract/ops.hpp"

namespace morpho::engine {

struct KeepParams {
  bool binary = false;
  static constexpr void visit(auto& p, auto&& v) { v(op::Spec{"binary"}, p.binary); }
  bool operator==(const KeepParams& o) const { return op::same(*this, o); }
};
struct CutRimParams {
  i32 reach = 0;  ///< px
  static constexpr void visit(auto& p, auto&& v) { v(op::Spec{"reach", "px"}, p.reach); }
  bool operator==(const CutRimParams& o) const { return op::same(*this, o); }
};
struct LevelParams {
  i32 least = 0;  ///< lower levels are raised to it
  /// The brightest do not decide where they are fewer than so many in a thousand and the others fall into two parts clearly.
  i32 spare = 0;
  static constexpr void visit(auto& p, auto&& v) { v(op::Spec{"least"}, p.least), v(op::Spec{"spare"}, p.spare); }
  bool operator==(const LevelParams& o) const { return op::same(*this, o); }
};
/// Of a window's samples: nothing to say.
struct SampleParams {
  static constexpr void visit(auto&, auto&&) {}
  bool operator==(const SampleParams&) const = default;
};
struct GroundParams {
  std::string of;  ///< the identity of the steps that made it (program_identity.hpp)
  bool operator==(const GroundParams&) const = default;
};

/// As descriptors of the table's operations (contract/op/operation.hpp): parameters, and the rule of certainty.
namespace step {

using op::Frame, op::Pieces, op::StepFacts;

/// The window's part of what is known of the whole image (program_split.hpp), certain everywhere.
struct ground {
  using Params = GroundParams;
  using Certainty = op::ByReach;
};

/// The window's samples at 16 bits, copied into a plane of u16: a GPU's are uploaded there. Certain where they were read.
struct sample {
  using Params = SampleParams;
  using Certainty = op::ByReach;
};

/// fill_holes of those of fewer than end_area px: what area_filter keeps of what was filled is emptied again.
struct fill_small_holes {
  using Params = AreaFilterParams;
  static void run(const OpTable& ops, Context& ctx, ConstPlane binary, Plane out, const Params& p);
  /// Background that touches the uncertain, of which less is seen than is too large for a hole, is uncertain.
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const Params&) { return Frame::inputs; }
    static constexpr u8 looks(const StepFacts&, const Params&) { return 1; }
    static void flood(auto& d, const Params& p) {
      d.within(p.connectivity, [&] { d.area(d.bytes(0), true, p.end_area); });
    }
  };
};

/// Of the rule on labels, and of what is measured: a label that touches the uncertain is uncertain, unless as much of it is
/// seen as decides. That is so where each label is one component. Where a label may have several, none of a cut window is
/// certain: another piece of it may lie beyond.
template <class P>
struct LabelCertainty {
  static constexpr Frame frame(const StepFacts& s, const P&) { return s.in[0].one_piece ? Frame::inputs : Frame::unknown; }
  static constexpr u8 looks(const StepFacts&, const P&) { return 1; }
};

/// labels, value, below (both may be absent); `count` labels: label_sums, choose_labels, relabel.
struct choose_labels {
  using Params = LabelRule;
  static void run(const OpTable& ops, Context& ctx, ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, Plane out,
                  const Params& rule);
  struct Certainty : LabelCertainty<Params> {
    /// Eight neighbours find all of a component of either connectivity.
    static void flood(auto& d, const Params& r) {
      d.within(Connectivity::eight, [&] { d.area(d.numbers(0), false, r.end_area); });
    }
    static constexpr Pieces pieces(const StepFacts&, const Params&) { return Pieces::same; }
  };
};

/// kept, candidates, edge -> the better ones (u8): `count` labels are kept, `also` are candidates. label_sums, better_labels.
struct better_labels {
  using Params = PreferenceRule;
  static void run(const OpTable& ops, Context& ctx, ConstPlane kept, i32 count, ConstPlane candidates, i32 also,
                  ConstPlane edge, Plane out, const Params& rule);
  /// A label that touches the uncertain is uncertain. So is a candidate over a kept one that is, and what belongs to it.
  struct Certainty {
    static constexpr Frame frame(const StepFacts& s, const Params&) {
      return s.in[0].one_piece && s.in[1].one_piece ? Frame::inputs : Frame::unknown;
    }
    static constexpr u8 looks(const StepFacts&, const Params&) { return 3; }
    static void flood(auto& d, const Params&) {
      d.within(Connectivity::eight, [&] { d.overlapping(d.numbers(0), d.numbers(1)); });
    }
  };
};

/// f, parent, order -> node (i32, scratch), the chosen ones (u8): max_tree_nodes, its sums, choice, relabel.
struct choose_nodes {
  using Params = NodeRule;
  static void run(const OpTable& ops, Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node, Plane out,
                  const Params& rule);
  /// A node of fewer than end_area pixels that touches the uncertain is uncertain, and so is all inside it.
  struct Certainty {
    static constexpr Frame frame(const StepFacts& s, const Params&) {
      return s.type == PixelType::u8 ? Frame::inputs : Frame::unknown;
    }
    static constexpr u8 looks(const StepFacts&, const Params&) { return 1; }
    static void flood(auto& d, const Params& r) {
      d.within(d.tree_connectivity(), [&] { d.nodes(d.bytes(0), r.end_area, r.level); });
    }
  };
};

/// The level of in[0] goes to `result`. Any pixel may change it: no rule of certainty.
struct otsu {
  using Params = LevelParams;
  static i32 run(const OpTable& ops, Context& ctx, ConstPlane f, const Params& p);
};

/// In place: zeroes what lies near a rim at which a window was cut out of the slide.
struct clear_cut_rims {
  using Params = CutRimParams;
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const Params&) { return Frame::inputs; }
    static void before(auto& d, const Params& p) { d.cut_rims(p.reach); }
  };
};

/// labels, value, below (both may be absent), to the output's objects. What it makes of certainty is CertaintyAnalysis' answer.
struct measure {
  using Params = MeasureParams;
  using Certainty = LabelCertainty<Params>;
};

}  // namespace step

#define MORPHO_COMPOUND_STEPS(X) \
  X(ground) X(fill_small_holes) X(choose_labels) X(better_labels) X(choose_nodes) X(otsu) X(clear_cut_rims) X(measure) X(sample)

}  // namespace morpho::engine
