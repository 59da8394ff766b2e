// The names of operations' choices against the enumerators' own spelling, and that a call by name reaches the value of that
// name.
#include "engine/operation/op_call.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// An enumerator as the compiler spells it, with the signs of a name; empty where the enum has none of that value.
template <auto V>
std::string spelled() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t at = text.find("V = ") + 4;
  std::string value(text.substr(at, text.find_first_of(";]", at) - at));
  if (value[0] == '(') return {};  // a number with a cast
  value.erase(0, value.rfind(':') + 1);
  std::replace(value.begin(), value.end(), '_', '-');
  return value == "automatic" ? "auto" : value;
}

template <class E>
class OpNames : public testing::Test {};
using NamedEnums = testing::Types<By, ReconstructVariant, DistanceVariant, MaxTreeVariant, WatershedVariant, Attribute,
                                  FilterRule, Shape, Combine>;
TYPED_TEST_SUITE(OpNames, NamedEnums);

TYPED_TEST(OpNames, EveryValueHasOneNameAndItIsTheEnumerators) {
  std::size_t enumerators = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (
        [&] {
          const std::string spelling = spelled<static_cast<TypeParam>(I)>();
          enumerators += !spelling.empty();
          EXPECT_EQ(name_of(static_cast<TypeParam>(I)), spelling) << I;
        }(),
        ...);
  }(std::make_integer_sequence<int, 64>());
  EXPECT_GE(enumerators, 2u);
  EXPECT_EQ(std::size(Names<TypeParam>::all), enumerators);
  for (const Named<TypeParam>& each : Names<TypeParam>::all) EXPECT_EQ(value_named<TypeParam>(each.name), each.value);
}

TEST(OpNames, OfConnectivitiesAreTheirNumbers) {
  ASSERT_EQ(std::size(Names<Connectivity>::all), 2u);
  for (const auto& each : Names<Connectivity>::all) EXPECT_EQ(each.name, std::to_string(static_cast<int>(each.value)));
}

// ---------------------------------------------------------------- calls

/// What an operation was asked for last, by the names of its values.
std::map<std::string, std::string> asked;
template <class E>
void note(const char* param, E value) {
  asked[param] = name_of(value);
}

/// The CPU's table, whose operations note their choices before they compute.
OpTable noting() {
  OpTable t = cpu::table();
  t.reconstruct = [](Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& p) {
    note("by", p.by), note("variant", p.variant), note("connectivity", p.connectivity);
    cpu::table().reconstruct(ctx, marker, mask, out, p);
  };
  t.distance = [](Context& ctx, ConstPlane binary, Plane out, const DistanceParams& p) {
    note("variant", p.variant);
    cpu::table().distance(ctx, binary, out, p);
  };
  t.max_tree = [](Context& ctx, ConstPlane f, Plane parent, Plane order, const MaxTreeParams& p) {
    note("variant", p.variant), note("connectivity", p.connectivity);
    cpu::table().max_tree(ctx, f, parent, order, p);
  };
  t.watershed = [](Context& ctx, ConstPlane f, ConstPlane markers, ConstPlane mask, Plane out, const WatershedParams& p) {
    note("variant", p.variant), note("connectivity", p.connectivity);
    return cpu::table().watershed(ctx, f, markers, mask, out, p);
  };
  t.attribute_filter = [](Context& ctx, ConstPlane node, const NodeTable& nodes, Plane out, const AttributeFilterParams& p) {
    note("attribute", p.attribute), note("rule", p.rule);
    cpu::table().attribute_filter(ctx, node, nodes, out, p);
  };
  t.morphology = [](Context& ctx, ConstPlane f, Plane out, const MorphologyParams& p) {
    note("shape", p.shape);
    cpu::table().morphology(ctx, f, out, p);
  };
  t.combine = [](Context& ctx, ConstPlane a, ConstPlane b, Plane out, const CombineParams& p) {
    note("kind", p.kind);
    cpu::table().combine(ctx, a, b, out, p);
  };
  return t;
}

TEST(OpNames, ACallByNameComputesWithTheValueOfThatName) {
  const OpTable table = noting();
  int calls = 0;
  for (const char* op :
       {"reconstruct", "distance", "max-tree", "watershed", "attribute-filter", "erode", "open-by-reconstruction", "combine"}) {
    const auto info = std::find_if(op_list().begin(), op_list().end(), [&](const OpInfo& each) { return each.name == op; });
    ASSERT_NE(info, op_list().end()) << op;
    std::vector<OwnedImage> inputs;
    for (const OpSlot& s : info->inputs) {
      if (!s.optional) inputs.push_back({s.name, PixelType::u8, 1, {3, 2}, {0, 3, 1, 2, 0, 3}});
    }
    for (const OpParam& choice : info->params) {
      if (choice.kind != OpParam::Kind::choice) continue;
      for (const std::string& name : choice.choices) {
        if (std::find(choice.not_on_cpu.begin(), choice.not_on_cpu.end(), name) != choice.not_on_cpu.end()) continue;
        Params params;
        for (const OpParam& p : info->params) {
          if (p.required) params.set(p.name, p.fallback);
        }
        params.set(choice.name, name);
        Workspace w;
        Context ctx = context(w);
        asked.clear();
        op_call(table, ctx, op, inputs, params);
        EXPECT_EQ(asked[choice.name], name) << op << " " << choice.name;
        ++calls;
      }
    }
  }
  EXPECT_EQ(calls, 2 + 2 + 8 + 3 + 2 + 4 + 2 + 3 + 10 + 4 + 2 + 7 + 7 + 2 + 9);
}

}  // namespace
}  // namespace morpho::test
