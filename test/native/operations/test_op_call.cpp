// Operations by name: the registry is complete and well-formed, every entry gives what the table gives, and every misuse is
// refused.
#include <cmath>
#include <cstring>

#include "cpu/cpu_ops.hpp"
#include "engine/operation/op_call.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;
using Inputs = std::vector<OwnedImage>;

template <class T>
OwnedImage owned(const std::string& name, const Image<T>& image) {
  OwnedImage out;
  out.name = name;
  out.extent = image.extent;
  if constexpr (std::is_same_v<T, Rgba>) out.channels = 4;
  else out.type = pixel_type_of<T>();
  const auto v = image.pixels();
  out.bytes.resize(v.size() * sizeof(T));
  if (!v.empty()) std::memcpy(out.bytes.data(), v.data(), out.bytes.size());
  return out;
}
template <class T>
std::vector<T> values(const OpResult& r, const std::string& name) {
  for (const auto& o : r.outputs) {
    if (o.name != name) continue;
    if constexpr (!std::is_same_v<T, Rgba>) {
      EXPECT_EQ(o.type, pixel_type_of<T>()) << name;
    }
    std::vector<T> v(static_cast<std::size_t>(o.extent.area()));
    EXPECT_EQ(o.bytes.size(), v.size() * sizeof(T));
    if (!v.empty()) std::memcpy(v.data(), o.bytes.data(), o.bytes.size());
    return v;
  }
  ADD_FAILURE() << "no output " << name;
  return {};
}
Params params(const std::map<std::string, ParamValue>& v) {
  Params p;
  for (const auto& [name, value] : v) p.set(name, value);
  return p;
}
OpResult call(const std::string& name, const Inputs& inputs, const std::map<std::string, ParamValue>& p = {}, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  return op_call(cpu::table(), ctx, name, inputs, params(p));
}
std::string text(const char* s) { return s; }  // a char pointer alone would become a bool

// ---------------------------------------------------------------- the registry

TEST(OpList, HoldsEveryOperationByItsTerm) {
  std::vector<std::string> names;
  for (const auto& info : op_list()) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"area-close",
                                             "area-filter",
                                             "area-open",
                                             "attribute-filter",
                                             "box-mean",
                                             "clear-border",
                                             "close",
                                             "close-by-reconstruction",
                                             "color-rule",
                                             "combine",
                                             "dilate",
                                             "distance",
                                             "erode",
                                             "extended-maxima",
                                             "extended-minima",
                                             "fill-holes",
                                             "gaussian",
                                             "h-maxima",
                                             "h-minima",
                                             "histogram",
                                             "label",
                                             "max-tree",
                                             "median",
                                             "open",
                                             "open-by-reconstruction",
                                             "otsu",
                                             "reconstruct",
                                             "regional-maxima",
                                             "regional-minima",
                                             "resample",
                                             "root",
                                             "scale",
                                             "stain",
                                             "threshold",
                                             "watershed",
                                             "weights"}));
}

TEST(OpList, IsWellFormed) {
  for (const auto& info : op_list()) {
    SCOPED_TRACE(info.name);
    EXPECT_FALSE(info.help.empty());
    EXPECT_FALSE(info.inputs.empty());
    EXPECT_FALSE(info.outputs.empty());
    for (const auto* slots : {&info.inputs, &info.outputs}) {
      for (const auto& s : *slots) EXPECT_TRUE(!s.name.empty() && !s.help.empty() && !s.types.empty()) << s.name;
    }
    for (const auto& p : info.params) {
      SCOPED_TRACE(p.name);
      EXPECT_FALSE(p.help.empty());
      switch (p.kind) {
        case OpParam::Kind::number:
        case OpParam::Kind::integer:
          EXPECT_LE(p.low, std::get<double>(p.fallback));
          EXPECT_GE(p.high, std::get<double>(p.fallback));
          break;
        case OpParam::Kind::choice:
          EXPECT_NE(std::find(p.choices.begin(), p.choices.end(), std::get<std::string>(p.fallback)), p.choices.end());
          break;
        case OpParam::Kind::toggle: EXPECT_FALSE(std::get<bool>(p.fallback)); break;
      }
    }
  }
}

/// An input of the slot's first type for a smoke run.
OwnedImage any_input(const OpSlot& s, Extent e, std::mt19937& rng) {
  if (s.channels == 4) {
    Image<Rgba> image(e.width, e.height);
    for (auto& c : image.data) c = Rgba{static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), 255};
    return owned(s.name, image);
  }
  if (s.types[0] == PixelType::i32) return owned(s.name, random_image<i32>(rng, e.width, e.height, 1000));
  return owned(s.name, random_image<u8>(rng, e.width, e.height, 3));
}

TEST(OpCall, EveryOperationRunsWithItsRequiredArgumentsAlone) {
  std::mt19937 rng(100);
  for (Extent e : {Extent{0, 0}, Extent{1, 1}, Extent{1, 7}, Extent{13, 9}}) {
    for (const auto& info : op_list()) {
      SCOPED_TRACE(testing::Message() << info.name << " " << e.width << "x" << e.height);
      Inputs inputs;
      for (const auto& s : info.inputs) {
        if (!s.optional) inputs.push_back(any_input(s, e, rng));
      }
      std::map<std::string, ParamValue> p;
      for (const auto& q : info.params) {
        if (q.required) p[q.name] = q.fallback;
      }
      const auto one = call(info.name, inputs, p), three = call(info.name, inputs, p, 3);
      ASSERT_EQ(one.outputs.size(), info.outputs.size());
      EXPECT_GE(one.ms, 0);
      for (std::size_t i = 0; i < one.outputs.size(); ++i) {
        EXPECT_EQ(one.outputs[i].name, info.outputs[i].name);
        EXPECT_EQ(one.outputs[i].channels, info.outputs[i].channels);
        EXPECT_EQ(one.outputs[i].bytes, three.outputs[i].bytes);
      }
      EXPECT_EQ(one.scalars, three.scalars);
    }
  }
}

// ---------------------------------------------------------------- the oracle, through the registry

TEST(OpCall, Oracle) {
  const auto image_of_case = [](const Case& c) {
    return c.file("inputs", "image").dtype == "u2" ? owned("image", c.input<u16>("image"))
                                                   : owned("image", c.input<u8>("image"));
  };
  const auto image_ops = [&](const std::string& oracle_op, const std::string& name,
                             const std::function<std::map<std::string, ParamValue>(const Case&)>& extra = nullptr) {
    each_case(oracle_op, [&](const Case& c) {
      std::map<std::string, ParamValue> p;
      if (c.params().has("connectivity")) p["connectivity"] = static_cast<double>(c.params()["connectivity"].integer());
      if (extra) p.merge(extra(c));
      const auto r = call(name, {image_of_case(c)}, p, 2);
      std::vector<i32> got;
      visit_pixel_type(r.outputs[0].type, [&](auto zero) {
        using T = decltype(zero);
        for (T v : values<T>(r, r.outputs[0].name)) got.push_back(v);
      });
      EXPECT_EQ(got, c.output<i32>("out").pixels());
    });
  };
  const auto with = [](const char* key) {
    return [key](const Case& c) {
      return std::map<std::string, ParamValue>{{key, static_cast<double>(c.params()[key].integer())}};
    };
  };
  image_ops("erode", "erode", [](const Case& c) {
    return std::map<std::string, ParamValue>{{"radius", static_cast<double>(c.params()["radius"].integer())}};
  });
  image_ops("h_maxima_image", "h-maxima", with("h"));
  image_ops("h_minima_image", "h-minima", with("h"));
  image_ops("extended_maxima", "extended-maxima", with("h"));
  image_ops("extended_minima", "extended-minima", with("h"));
  image_ops("regional_maxima", "regional-maxima");
  image_ops("regional_minima", "regional-minima");
  image_ops("area_opening", "area-open", with("area"));
  image_ops("area_closing", "area-close", with("area"));
  each_case("max_tree", [&](const Case& c) {
    const auto r = call("max-tree", {image_of_case(c)},
                        {{"connectivity", static_cast<double>(c.params()["connectivity"].integer())}});
    EXPECT_EQ(values<i32>(r, "parent"), c.output<i32>("parent").pixels());
    EXPECT_EQ(values<i32>(r, "area"), c.output<i32>("area").pixels());
    if (c.json.has("nodes")) {
      EXPECT_EQ(r.scalars.at(0).second, static_cast<double>(c.json["nodes"].integer()));
    }
  });
  each_case("otsu", [](const Case& c) {
    const auto r = call("otsu", {owned("image", c.input<u8>("image"))});
    i64 foreground = 0;
    for (u8 v : values<u8>(r, "out")) foreground += v;
    EXPECT_EQ(foreground, c.json["foreground"].integer());
  });
}

// ---------------------------------------------------------------- by hand

/// Areas need no more working memory than the tree itself: they come from a table of 88 bytes a node no longer.
TEST(OpCall, MaxTreeAddsItsAreasUpInPlace) {
  const Extent e{300, 200};
  Image<u8> f(e.width, e.height);
  for (i64 p = 0; p < f.area(); ++p) f[p] = static_cast<u8>((p * 2654435761u) >> 13);
  for (bool min_tree : {false, true}) {
    Workspace w;
    Context ctx = context(w);
    const auto r = op_call(cpu::table(), ctx, "max-tree", {owned("image", f)}, params({{"min-tree", min_tree}}));
    EXPECT_LE(static_cast<i64>(w.peak_bytes()), 4 * e.area() + op::max_tree::cpu_need({PixelType::u8, e, 1}) + need::kSlack);
    Image<i32> parent(e.width, e.height), order(e.width, e.height), node(e.width, e.height);
    cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {Connectivity::eight, min_tree});
    NodeTable nodes = take_node_table(w, e);
    cpu::max_tree_nodes(ctx, f.cplane(), parent.cplane(), order.cplane(), node.plane(), nodes);
    std::vector<NodeSums> sums(static_cast<std::size_t>(nodes.count));
    cpu::max_tree_sums(ctx, node.cplane(), nodes, sums.data(), min_tree);
    std::vector<i32> areas;
    for (i64 p = 0; p < f.area(); ++p) areas.push_back(static_cast<i32>(sums[static_cast<std::size_t>(node[p])].area));
    EXPECT_EQ(values<i32>(r, "area"), areas);
    EXPECT_EQ(values<i32>(r, "parent"), parent.pixels());
    EXPECT_EQ(r.scalars.at(0).second, nodes.count);
  }
}

TEST(OpCall, NamedInputsAndScalars) {
  const auto f = image_of<u8>(4, 1, {1, 1, 9, 9});
  auto r = call("histogram", {owned("image", f)});
  const auto bins = values<i32>(r, "bins");
  ASSERT_EQ(bins.size(), 256u);
  EXPECT_EQ(bins[1], 2);
  EXPECT_EQ(bins[9], 2);
  EXPECT_EQ(r.scalars, (std::vector<std::pair<std::string, double>>{{"otsu", 1}}));
  r = call("otsu", {owned("image", f)});
  EXPECT_EQ(values<u8>(r, "out"), (std::vector<u8>{0, 0, 1, 1}));
  EXPECT_EQ(r.scalars, (std::vector<std::pair<std::string, double>>{{"threshold", 1}}));
  r = call("label", {owned("image", image_of<u8>(4, 1, {1, 0, 1, 1}))}, {{"connectivity", text("4")}});
  EXPECT_EQ(values<i32>(r, "labels"), (std::vector<i32>{1, 0, 2, 2}));
  EXPECT_EQ(r.scalars, (std::vector<std::pair<std::string, double>>{{"count", 2}}));
  EXPECT_EQ(
      values<u8>(call("combine", {owned("b", f), owned("a", image_of<u8>(4, 1, {5, 5, 5, 5}))}, {{"kind", text("subtract")}}),
                 "out"),
      (std::vector<u8>{4, 4, 0, 0}));
  EXPECT_EQ(values<u16>(call("scale", {owned("image", f)},
                             {{"multiply", 1000.0}, {"add", -500.0}, {"shift", 1.0}, {"type", text("uint16")}}),
                        "out"),
            (std::vector<u16>{250, 250, 4250, 4250}));
  EXPECT_EQ(values<u8>(call("scale", {owned("image", f)}), "out"), f.pixels());
  EXPECT_EQ(values<u16>(call("root", {owned("image", image_of<i32>(3, 1, {0, 24, 25}))}, {{"type", text("uint16")}}), "out"),
            (std::vector<u16>{0, 4, 5}));
}

TEST(OpCall, EveryVariantByNameGivesThePixelsOfAuto) {
  std::mt19937 rng(101);
  std::map<std::string, std::size_t> variants;
  for (const auto& info : op_list()) {
    for (const auto& q : info.params) {
      if (q.name != "variant") continue;
      SCOPED_TRACE(info.name);
      variants[info.name] = q.choices.size() - q.not_on_cpu.size();
      EXPECT_EQ(q.choices.at(0), "auto");
      Inputs inputs;
      for (const auto& s : info.inputs) {
        if (!s.optional) inputs.push_back(any_input(s, {61, 83}, rng));
      }
      const auto expected = call(info.name, inputs);
      for (const auto& choice : q.choices) {
        if (std::find(q.not_on_cpu.begin(), q.not_on_cpu.end(), choice) != q.not_on_cpu.end()) continue;
        const auto got = call(info.name, inputs, {{"variant", choice}}, 2);
        for (std::size_t i = 0; i < got.outputs.size(); ++i)
          EXPECT_EQ(got.outputs[i].bytes, expected.outputs[i].bytes) << choice;
        EXPECT_EQ(got.scalars, expected.scalars) << choice;
      }
    }
  }
  EXPECT_EQ(variants["reconstruct"], 8u);
  EXPECT_EQ(variants["distance"], 3u);
  EXPECT_EQ(variants["max-tree"], 4u);
  EXPECT_EQ(variants["watershed"], 3u);
}

TEST(OpCall, OpeningAndClosingByReconstruction) {
  const auto f = image_of<u8>(9, 1, {0, 9, 9, 9, 7, 0, 5, 0, 0});
  // The run of three survives the erosion and grows back whole; the single pixel goes.
  EXPECT_EQ(
      values<u8>(call("open-by-reconstruction", {owned("image", f)}, {{"shape", text("line-horizontal")}, {"radius", 1.0}}),
                 "out"),
      (std::vector<u8>{0, 9, 9, 9, 7, 0, 0, 0, 0}));
  std::mt19937 rng(101);
  const auto g = random_image<u8>(rng, 40, 30, 256);
  Image<u8> inverted = g;
  for (auto& v : inverted.data) v = static_cast<u8>(255 - v);
  const std::map<std::string, ParamValue> p = {{"radius", 2.0}};
  auto dual = values<u8>(call("open-by-reconstruction", {owned("image", inverted)}, p), "out");
  for (auto& v : dual) v = static_cast<u8>(255 - v);
  EXPECT_EQ(values<u8>(call("close-by-reconstruction", {owned("image", g)}, p), "out"), dual);
}

TEST(OpCall, WatershedTakesMarkersOfAnyType) {
  const auto f = image_of<u8>(7, 1, {3, 1, 4, 9, 5, 2, 6});
  const auto narrow = image_of<u8>(7, 1, {0, 4, 0, 0, 0, 7, 0});
  const std::vector<i32> expected = {4, 4, 4, 4, 7, 7, 7};
  EXPECT_EQ(values<i32>(call("watershed", {owned("image", f), owned("markers", narrow)}), "labels"), expected);
  EXPECT_EQ(values<i32>(call("watershed", {owned("image", f), owned("markers", narrow.to<i32>())}), "labels"), expected);
  const auto masked = call(
      "watershed", {owned("image", f), owned("markers", narrow), owned("mask", image_of<u8>(7, 1, {1, 1, 1, 0, 1, 1, 0}))});
  EXPECT_EQ(values<i32>(masked, "labels"), (std::vector<i32>{4, 4, 4, 0, 7, 7, 0}));
  EXPECT_EQ(masked.scalars, (std::vector<std::pair<std::string, double>>{{"largest", 7}}));
}

TEST(OpCall, Colors) {
  Image<Rgba> image(2, 1);
  image.at(0, 0) = {100, 150, 200, 255};
  image.at(1, 0) = {255, 10, 20, 255};
  const Inputs in = {owned("image", image)};
  const auto gray = [](int r, int g, int b) { return static_cast<u8>(255 - (299 * r + 587 * g + 114 * b + 500) / 1000); };
  const std::vector<u8> expected = {gray(100, 150, 200), gray(255, 10, 20)};
  EXPECT_EQ(values<u8>(call("weights", in, {{"preset", text("gray")}}), "out"), expected);
  EXPECT_EQ(values<u8>(call("weights", in, {{"preset", text("inverted-luminance")}}), "out"), expected);
  EXPECT_EQ(values<u8>(call("weights", in, {{"preset", text("inverted-red")}}), "out"), (std::vector<u8>{155, 0}));
  EXPECT_EQ(values<u8>(call("weights", in, {{"g", 65536.0}}), "out"), (std::vector<u8>{150, 10}));
  EXPECT_EQ(values<u8>(call("color-rule", in, {{"above-r", 99.0}, {"r-over-g-num", 4.0}}), "out"), (std::vector<u8>{0, 1}));
  const auto eosin = values<u8>(call("stain", in, {{"channel", text("eosin")}}), "out");
  EXPECT_EQ(values<u8>(call("stain", in, {{"channel", 1.0}}), "out"), eosin);
  EXPECT_GT(eosin[1], 100);  // green is absorbed
  const auto half = call("resample", in, {{"step-x", 2.0}});
  ASSERT_EQ(half.outputs[0].extent, (Extent{1, 1}));
  EXPECT_EQ(half.outputs[0].bytes, (std::vector<u8>{178, 80, 110, 255}));
  EXPECT_EQ(call("resample", in, {{"width", 5.0}, {"height", 3.0}}).outputs[0].extent, (Extent{5, 3}));
}

// ---------------------------------------------------------------- misuse

TEST(OpCall, MisuseNamesTheValue) {
  const Image<u8> f(4, 4, 1);
  const Inputs in = {owned("image", f)};
  const std::map<std::string, ParamValue> r1 = {{"radius", 1.0}};
  expect_rejected("operation", [&] { call("erosion", in, r1); });
  expect_rejected("image", [&] { call("erode", {}, r1); });
  expect_rejected("input of erode", [&] { call("erode", {owned("picture", f)}, r1); });
  expect_rejected("image", [&] { call("erode", {owned("image", f), owned("image", f)}, r1); });
  expect_rejected("image", [&] { call("erode", {owned("image", Image<i32>(4, 4))}, r1); });
  expect_rejected("image", [&] { call("erode", {owned("image", Image<Rgba>(4, 4))}, r1); });
  expect_rejected("image", [&] { call("stain", in); });
  expect_rejected("mask", [&] { call("reconstruct", {owned("marker", f)}); });
  expect_rejected("mask", [&] { call("reconstruct", {owned("marker", f), owned("mask", Image<u8>(4, 3))}); });
  auto cut = owned("image", f);
  cut.bytes.pop_back();
  expect_rejected("image", [&] { call("erode", {cut}, r1); });
  auto negative = owned("image", f);
  negative.extent.width = -4;
  expect_rejected("image", [&] { call("erode", {negative}, r1); });

  expect_rejected("radius", [&] { call("erode", in); });
  expect_rejected("parameter of erode", [&] { call("erode", in, {{"radius", 1.0}, {"size", 1.0}}); });
  expect_rejected("parameter of otsu", [&] { call("otsu", in, {{"size", 1.0}}); });
  for (const ParamValue& bad : {ParamValue(1.5), ParamValue(-1.0), ParamValue(1025.0), ParamValue(std::nan("")),
                                ParamValue(true), ParamValue(text("1"))}) {
    expect_rejected("radius", [&] { call("erode", in, {{"radius", bad}}); });
  }
  for (const ParamValue& bad : {ParamValue(text("circle")), ParamValue(1.0), ParamValue(true)}) {
    expect_rejected("shape", [&] { call("erode", in, {{"radius", 1.0}, {"shape", bad}}); });
  }
  for (const ParamValue& bad : {ParamValue(6.0), ParamValue(text("eight"))})
    expect_rejected("connectivity", [&] { call("label", in, {{"connectivity", bad}}); });
  for (const ParamValue& bad : {ParamValue(65.0), ParamValue(std::nan(""))})
    expect_rejected("sigma", [&] { call("gaussian", in, {{"sigma", bad}}); });
  expect_rejected("lines", [&] { call("watershed", in, {{"lines", text("yes")}}); });
  const Inputs color = {owned("image", Image<Rgba>(4, 4))};
  expect_rejected("channel", [&] { call("stain", color, {{"stains", text("h-dab")}, {"channel", text("eosin")}}); });
  expect_rejected("step-x and step-y", [&] { call("resample", color, {{"step-x", 1.0 / 65536}, {"step-y", 1.0 / 65536}}); });
}

TEST(OpCall, ParametersExactlyAtTheirLimits) {
  const Inputs in = {owned("image", Image<u8>(4, 4, 1))};
  for (double radius : {0.0, 1024.0}) EXPECT_NO_THROW(call("erode", in, {{"radius", radius}}));
  for (double sigma : {0.0, 64.0}) EXPECT_NO_THROW(call("gaussian", in, {{"sigma", sigma}}));
  EXPECT_NO_THROW(call("threshold", in, {{"above", -2147483648.0}}));
}

TEST(OpCall, CancelledIsPassedOn) {
  Workspace w;
  Context ctx = context(w);
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(op_call(cpu::table(), ctx, "erode", {owned("image", Image<u8>(4, 4, 1))}, params({{"radius", 1.0}})), Cancelled);
}

// ---------------------------------------------------------------- Params

TEST(Params, NumbersTogglesAndChoices) {
  const auto p = params({{"n", 2.5}, {"b", true}, {"s", text("disk")}, {"nan", std::nan("")}});
  EXPECT_EQ(p.number("n", 2.5, 2.5), 2.5);
  EXPECT_TRUE(p.toggle("b"));
  EXPECT_EQ(p.choice("s", {"square", "disk"}), "disk");
  expect_rejected("n", [&] { p.number("n", 0, 2); });
  expect_rejected("n", [&] { p.number("n", 3, 4); });
  expect_rejected("nan", [&] { p.number("nan", -1e300, 1e300); });
  expect_rejected("b", [&] { p.number("b", 0, 1); });
  expect_rejected("none", [&] { p.number("none", 0, 1); });
  expect_rejected("n", [&] { p.toggle("n"); });
  expect_rejected("none", [&] { p.toggle("none"); });
  expect_rejected("s", [&] { p.choice("s", {"square", "cross"}); });
  expect_rejected("n", [&] { p.choice("n", {"2.5"}); });
  expect_rejected("none", [&] { p.choice("none", {"a"}); });
  try {
    p.choice("s", {"square", "cross", "line"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "expected square, cross or line for s but received \"disk\"");
    EXPECT_EQ(e.where().stage, "");
  }
}

TEST(Params, WhatIsWrongWithARecipeSaysInWhichStageAndParameter) {
  const auto p = params({{"channel.image", text("blue")}, {"threshold.level", 300.0}, {"areas.min.um2", true}});
  const auto backend = [](const std::function<void()>& fn) -> std::string {
    try {
      fn();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::invalid_parameter);
      return e.where().stage + " / " + e.where().param;
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(backend([&] { p.choice("channel.image", {"red"}); }), "channel / image");
  EXPECT_EQ(backend([&] { p.number("threshold.level", 0, 255); }), "threshold / level");
  EXPECT_EQ(backend([&] { p.number("threshold.offset", 0, 255); }), "threshold / offset");
  EXPECT_EQ(backend([&] { p.number("areas.min.um2", 0, 1); }), "areas / min.um2");
  EXPECT_EQ(backend([&] { p.toggle("threshold.level"); }), "threshold / level");
  EXPECT_EQ(backend([] { refuse("split.height", "less", "more"); }), "split / height");
}

}  // namespace
}  // namespace morpho::test
