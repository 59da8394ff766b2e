// Which programs are the same: exactly those whose steps have the same values, to the last bit.
#include "engine/program/program_identity.hpp"

#include <cmath>
#include <set>

#include "engine/recipe/recipe_steps.hpp"
#include "engine/program/program_split.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// A recipe that needs its whole slide's background, whose marker is made by `steps`.
template <class Steps>
Program on_a_ground(Steps&& steps) {
  const Params none;
  Stages s(none);
  const Field mask = s.plane_u8(), marker = s.plane_u8(), labels = s.plane_i32();
  steps(s, mask, marker);
  s.reconstruct(marker, mask, marker);
  s.label(marker, labels);
  s.measure(labels, stain_set("h-e"));
  return s.take_program();
}
Program by_stain(const StainParams& p) {
  return on_a_ground([&](Stages& s, Field mask, Field marker) {
    s.stain(mask, p);
    s.morphology(mask, marker, Morphology::open, Shape::disk, 2);
  });
}
Program by_blur(double sigma) {
  return on_a_ground([&](Stages& s, Field mask, Field marker) {
    s.weights(mask, {-1, 0, 0, 255, 1});
    s.gaussian(mask, marker, sigma);
  });
}

void expect_other(const Program& a, const Program& b, const char* what) {
  SCOPED_TRACE(what);
  EXPECT_NE(identity_of(a), identity_of(b));
  EXPECT_NE(hash_of(identity_of(a)), hash_of(identity_of(b)));
  const auto ground_a = split_at_ground(a), ground_b = split_at_ground(b);
  ASSERT_TRUE(ground_a && ground_b);
  EXPECT_NE(ground_a->key, ground_b->key) << "they would share a background";
}

TEST(ProgramIdentity, HasWhatTheTextOfAProgramLeavesOut) {
  StainParams dim;
  dim.white[1] = 240;
  expect_other(by_stain({}), by_stain(dim), "the intensity of no stain");
  expect_other(by_blur(2), by_blur(std::nextafter(2, 3)), "the last bit of a double");
  const Program a = by_stain({}), b = by_stain({});
  EXPECT_EQ(identity_of(a), identity_of(b));
  EXPECT_EQ(split_at_ground(a)->key, split_at_ground(b)->key);
}

TEST(ProgramIdentity, OfDistancesHasTheirWeights) {
  const auto program = [](DistanceParams p) {
    const Params none;
    Stages s(none);
    const Field b = s.plane_u8(), d = s.plane_i32();
    s.weights(b, {});
    s.run<op::distance>({b}, {d}, p);
    return s.take_program();
  };
  EXPECT_NE(identity_of(program({1, 1})), identity_of(program({1, 4})));
  EXPECT_NE(identity_of(program({1, 1})), identity_of(program({1, 1, DistanceVariant::danielsson})));
}

/// What comes after the background does not matter to it.
TEST(ProgramIdentity, OfABackgroundIsThatOfTheStepsBeforeIt) {
  const Program a = by_blur(2);
  Program b = a;
  b.planes.push_back(PixelType::u16);
  for (Step& step : b.steps)
    if (step.op == Op::label) step.params = ConnectivityParams{Connectivity::four};
  EXPECT_NE(identity_of(a), identity_of(b));
  EXPECT_EQ(split_at_ground(a)->key, split_at_ground(b)->key);
}

/// Each value of each operation's parameters, one after the other.
TEST(ProgramIdentity, ChangesWithEveryValueOfEveryOperation) {
  std::size_t values = 0;
  const auto check = [&]<class O>(O) {
    using P = typename O::Params;
    if constexpr (op::Visited<P>) {
      const op::Exact base = op::exact_of(P{});
      for (int at = 0;; ++at) {
        P changed;
        int k = 0;
        bool did = false;
        const auto change = [&](auto&& self, const auto& spec, auto& value) -> void {
          using T = std::remove_cvref_t<decltype(value)>;
          if constexpr (op::Visited<T>) {
            T::visit(value, [&](const auto& s, auto& v) { self(self, s, v); });
          } else if (k++ == at) {
            did = true;
            if constexpr (std::is_same_v<T, bool>) value = !value;
            else if constexpr (std::is_same_v<T, double>) value = std::nextafter(value, 1e9);
            else if constexpr (std::is_enum_v<T>) value = static_cast<T>(static_cast<int>(value) ^ 1);
            else value = static_cast<T>(value ^ 1);
          }
        };
        P::visit(changed, [&](const auto& s, auto& v) { change(change, s, v); });
        if (!did) break;
        ++values;
        EXPECT_FALSE(op::exact_of(changed) == base);
        EXPECT_FALSE(changed == P{});
      }
    }
  };
  std::size_t operations = 0;
  for (int k = 0; k < 256; ++k) operations += visit_operation(static_cast<Op>(k), check);
  EXPECT_EQ(operations, 24u + 9u);
  EXPECT_GT(values, 100u);
}

TEST(ProgramIdentity, TellsApartWhatDoublesCallEqual) {
  EXPECT_FALSE((GaussianParams{0.0} == GaussianParams{-0.0}));
  const double nan = std::nan("");
  EXPECT_TRUE((GaussianParams{nan} == GaussianParams{nan}));
}

TEST(ProgramText, NamesWhatIsNotAsByDefault) {
  EXPECT_EQ(op::text_of_params(AreaFilterParams{}), "");
  EXPECT_EQ(op::text_of_params(AreaFilterParams{Connectivity::four, 11, 1000}), "min-area 11, end-area 1000, connectivity 4");
  EXPECT_EQ(op::text_of_params(GaussianParams{0.1}), "sigma 0.1");
  StainParams dim;
  dim.white[2] = 250;
  EXPECT_EQ(op::text_of_params(dim), "white 250");
}

}  // namespace
}  // namespace morpho::test
