// Rules of certainty by hand: images of a few pixels, cut where what lies beyond decides.
#include "../support/certain_windows.hpp"
#include "engine/recipe/recipe_steps.hpp"
#include "engine/certainty/certainty_analysis.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// One letter a pixel: '.' 0, 'o' 150, 'O' 250, by the red channel's darkness.
struct Letters {
  Extent extent;
  std::vector<Rgba> pixels;
  explicit Letters(const std::vector<std::string>& rows)
      : extent{static_cast<i32>(rows[0].size()), static_cast<i32>(rows.size())} {
    for (const std::string& row : rows) {
      for (const char c : row) {
        const u8 v = static_cast<u8>(255 - (c == 'O' ? 250 : c == 'o' ? 150 : 0));
        pixels.push_back({v, v, v, 255});
      }
    }
  }
  View<const Rgba> view() const { return {pixels.data(), extent}; }
};

/// The channel, and 1 where it is 'o' or 'O'; what `steps` leave of that is labelled and measured.
template <class Steps>
Program program_with(Steps&& steps) {
  const Params none;
  Stages s(none);
  const Field c = s.plane_u8(), b = s.plane_u8(), labels = s.plane_i32();
  s.weights(c, {-1, 0, 0, 255, 1});
  s.threshold(c, b, 100);
  steps(s, c, b, labels);
  s.measure(labels, stain_set("h-e"));
  return s.take_program();
}

/// The window from column `x` on, whose core begins `margin` columns later.
WindowOutput cut_at(const Program& program, const Letters& image, i32 x, i32 margin) {
  Workspace w;
  Context ctx = context(w, 1);
  CpuBackend backend(cpu::table(), ctx);
  WindowOutput out;
  const Extent e{image.extent.width - x, image.extent.height};
  const Rect core{margin, 0, e.width - margin, e.height};
  WindowJob job = engine::job_alone(nullptr, e, core);
  job.x = x, job.image = image.extent;
  run_program(backend, std::make_shared<Program>(program), job, {image.view().sub(x, 0, e)}, &out);
  return out;
}
bool is_uncertain(const WindowOutput& out, i32 x, i32 y) {
  if (!out.trust.known) return true;
  return std::any_of(out.trust.cut.begin(), out.trust.cut.end(),
                     [&](const morpho::Run& r) { return r.y == y && r.x0 <= x && x < r.x1; });
}

/// The upper bar has its marker beyond the cut; the lower one, which it touches at a corner alone, has its own.
TEST(CertaintyRules, AMarkerOfAFourConnectedReconstructionSpeaksForItsOwnPieceAlone) {
  const Letters image({"............",  //
                       "Oooooo......",  //
                       "......ooOo..",  //
                       "............"});
  for (const Connectivity c : {Connectivity::four, Connectivity::eight}) {
    const Program program = program_with([&](Stages& s, Field channel, Field b, Field labels) {
      const Field high = s.plane_u8(), out = s.plane_u8();
      s.threshold(channel, high, 200);
      s.components_with(high, b, out, c);
      s.label(out, labels, Connectivity::four);
    });
    const WindowOutput whole = cut_at(program, image, 0, 0), part = cut_at(program, image, 3, 2);
    EXPECT_EQ(whole.objects.objects.size(), 2u);
    // The window sees no marker of the upper bar. With eight neighbours the lower one's is the upper one's too.
    EXPECT_EQ(part.objects.objects.size(), c == Connectivity::four ? 1u : 2u);
    // With four it may be in, by that marker; with eight it is, and goes on beyond the cut.
    EXPECT_TRUE(is_uncertain(part, 2, 1));
  }
}

/// Labels 1 and 2 become one: the piece that the window does not see is half of the label's area.
TEST(CertaintyRules, ALabelOfSeveralPiecesIsNotCertainByThePieceThatIsSeen) {
  const Letters image({"............",  //
                       ".oooo...oo..",  //
                       "............"});
  const auto with = [&](bool joined) {
    return program_with([&](Stages& s, Field, Field b, Field labels) {
      const Register n = s.label(b, labels);
      if (joined) s.scale(labels, labels, 1, 1, 1);  // (v + 1) >> 1
      LabelRule rule;
      rule.end_area = 5;
      s.choose_labels(labels, n, {}, {}, labels, rule);
    });
  };
  EXPECT_EQ(cut_at(with(true), image, 0, 0).objects.objects.size(), 0u);
  const WindowOutput part = cut_at(with(true), image, 6, 1);
  EXPECT_EQ(part.objects.objects.size(), 1u);
  EXPECT_TRUE(is_uncertain(part, 2, 1));
  EXPECT_FALSE(part.trust.certified);
  // Labels as they were given are one piece each.
  EXPECT_FALSE(is_uncertain(cut_at(with(false), image, 6, 1), 2, 1));
}

TEST(CertaintyRules, AnOperationWithoutARuleLeavesNothingCertain) {
  const Letters image({"....", ".oO.", "...."});
  const Program program = program_with([](Stages& s, Field c, Field b, Field labels) {
    s.run<op::regional_extrema>({c}, {b}, {});
    s.label(b, labels);
  });
  EXPECT_FALSE(cut_at(program, image, 1, 1).trust.known);
  EXPECT_FALSE(cut_at(program, image, 1, 1).trust.certified);
  EXPECT_TRUE(cut_at(program, image, 0, 0).trust.certified) << "the whole image has no cut";
}

/// Two planes that are combined with each other again and again: each list once had all of both, twenty times over.
TEST(CertaintyRules, UncertainPixelsAreListedOnceHoweverOftenPlanesAreCombined) {
  constexpr i32 side = 24;
  const Params none;
  Stages s(none);
  const Field a = s.plane_u8(), b = s.plane_u8();
  s.area_filter(a, a, 1000, 2147483647);
  s.area_filter(b, b, 900, 2147483647, Connectivity::four);
  for (int k = 0; k < 20; ++k) {
    s.combine(a, b, a, Combine::maximum);
    s.combine(b, a, b, Combine::add);
  }
  const Program program = s.take_program();
  // Of `a` the left half is one component, of `b` the lower one.
  std::vector<u8> planes[2] = {std::vector<u8>(side * side), std::vector<u8>(side * side)};
  for (i32 y = 0; y < side; ++y) {
    for (i32 x = 0; x < side; ++x) {
      planes[0][static_cast<std::size_t>(y * side + x)] = x < side / 4;
      planes[1][static_cast<std::size_t>(y * side + x)] = y < side / 4;
    }
  }
  CertaintyAnalysis analysis(program, {side, side}, {0, 0, side, side}, {{true, true, false, false}, {}},
                             [&](Field f) { return SeenPlane{planes[f.number].data(), PixelType::u8}; });
  for (const Step& step : program.steps) {
    analysis.before(step);
    analysis.after(step);
    for (const Uncertainty& d : analysis.state().fields) ASSERT_LE(d.list.size(), std::size_t{side * side});
  }
  EXPECT_EQ(analysis.state().fields[0].list.size(), std::size_t{side * side / 4 * 2 - side * side / 16});
}

}  // namespace
}  // namespace morpho::test
