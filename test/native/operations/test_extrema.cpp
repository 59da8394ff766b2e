// h-extrema, extended and regional extrema, hole filling, border clearing.
#include "cpu/cpu_ops.hpp"
#include "cpu/reconstruct/peak_floods.hpp"
#include "../support/oracle.hpp"
#include "../support/plain_reconstruct.hpp"

namespace morpho::test {
namespace {

template <class To, class T, class Params>
Image<To> run(void (*op)(Context&, ConstPlane, Plane, const Params&), const Image<T>& f, const Params& params,
              int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<To> out(f.extent.width, f.extent.height, To{7}, 1);
  op(ctx, f.cplane(), out.plane(), params);
  return out;
}

/// The definition of regional extrema: a plateau with no higher (lower) neighbour.
template <class T>
Image<u8> plain_regional(const Image<T>& f, Extremum kind, Connectivity c) {
  Image<u8> out(f.extent.width, f.extent.height), seen(f.extent.width, f.extent.height);
  for (i64 s = 0; s < f.area(); ++s) {
    if (seen[s]) continue;
    std::vector<i64> plateau{s};
    seen[s] = 1;
    bool extreme = true;
    for (std::size_t i = 0; i < plateau.size(); ++i) {
      each_neighbour(f.extent, plateau[i], c, [&](i64 q) {
        if (f[q] == f[s] && !seen[q]) seen[q] = 1, plateau.push_back(q);
        if (kind == Extremum::maxima ? f[q] > f[s] : f[q] < f[s]) extreme = false;
      });
    }
    for (i64 p : plateau) out[p] = extreme;
  }
  return out;
}

template <class T>
Image<T> plain_h(const Image<T>& f, i32 h, Extremum kind, Connectivity c) {
  Image<T> marker = f;
  for (auto& v : marker.data) {
    v = static_cast<T>(std::clamp<i64>(static_cast<i64>(v) + (kind == Extremum::maxima ? -h : h), std::numeric_limits<T>::min(),
                                       std::numeric_limits<T>::max()));
  }
  return plain_reconstruct(marker, f, kind == Extremum::maxima ? By::dilation : By::erosion, c);
}

const auto kHill = image_of<u8>(4, 4, {5, 5, 1, 9, 5, 1, 1, 1, 1, 1, 7, 7, 3, 1, 7, 8});

TEST(Extrema, HandChecked) {
  const ExtremaParams maxima{Extremum::maxima, 3, Connectivity::four};
  EXPECT_EQ(run<u8>(cpu::regional_extrema, kHill, maxima).pixels(),
            (std::vector<u8>{1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(run<u8>(cpu::regional_extrema, kHill, {Extremum::minima, 1, Connectivity::four}).pixels(),
            (std::vector<u8>{0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(run<u8>(cpu::h_extrema, kHill, maxima).pixels(), (std::vector<u8>{2, 2, 1, 6, 2, 1, 1, 1, 1, 1, 5, 5, 1, 1, 5, 5}));
  EXPECT_EQ(run<u8>(cpu::extended_extrema, kHill, maxima).pixels(),
            (std::vector<u8>{1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(Extrema, FillHolesAndClearBorderHandChecked) {
  const auto ring = image_of<u8>(5, 5, {0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0});
  auto filled = ring.pixels();
  filled[7] = 1;
  EXPECT_EQ(run<u8>(cpu::fill_holes, ring, {Connectivity::four}).pixels(), filled);
  EXPECT_EQ(run<u8>(cpu::fill_holes, ring, {Connectivity::eight}).pixels(), ring.pixels());
  const auto dots = image_of<u8>(4, 4, {9, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(run<u8>(cpu::clear_border, dots, {Connectivity::four}).pixels(),
            (std::vector<u8>{0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(run<u8>(cpu::clear_border, dots, {Connectivity::eight}).pixels(), std::vector<u8>(16, 0));
}

template <class To>
void oracle_extrema(const std::string& op, void (*entry)(Context&, ConstPlane, Plane, const ExtremaParams&), Extremum kind) {
  each_case(op, [&](const Case& c) {
    const i32 h = c.params().has("h") ? c.params()["h"].integer() : 1;
    const ExtremaParams params{kind, h, c.connectivity()};
    const auto expected = c.output<To>("out").pixels();
    for (int threads : {1, 3}) {
      if (c.json["dtype"].text == "uint8") {
        EXPECT_EQ((run<To>(entry, c.input<u8>("image"), params, threads).pixels()), expected);
      } else {
        ASSERT_EQ(c.json["dtype"].text, "uint16");
        EXPECT_EQ((run<To>(entry, c.input<u16>("image"), params, threads).pixels()), expected);
      }
    }
  });
}
TEST(Extrema, OracleHMaxima) { oracle_extrema<u8>("h_maxima_image", cpu::h_extrema, Extremum::maxima); }
TEST(Extrema, OracleHMinima) { oracle_extrema<u8>("h_minima_image", cpu::h_extrema, Extremum::minima); }
TEST(Extrema, OracleExtendedMaxima) { oracle_extrema<u8>("extended_maxima", cpu::extended_extrema, Extremum::maxima); }
TEST(Extrema, OracleExtendedMinima) { oracle_extrema<u8>("extended_minima", cpu::extended_extrema, Extremum::minima); }
TEST(Extrema, OracleRegionalMinima) { oracle_extrema<u8>("regional_minima", cpu::regional_extrema, Extremum::minima); }
TEST(Extrema, OracleRegionalMaxima) {
  // Also holds the case of convention: a constant image is one plateau.
  oracle_extrema<u8>("regional_maxima", cpu::regional_extrema, Extremum::maxima);
}
TEST(Extrema, OracleLabelsOfRegionalExtrema) {
  for (const char* op : {"regional_maxima", "regional_minima"}) {
    each_case(op, [&](const Case& c) {
      if (!c.json["outputs"].has("labels")) return;
      const auto kind = std::string(op) == "regional_maxima" ? Extremum::maxima : Extremum::minima;
      Workspace w;
      Context ctx = context(w);
      const auto flags = c.json["dtype"].text == "uint8"
                             ? run<u8>(cpu::regional_extrema, c.input<u8>("image"), {kind, 1, c.connectivity()})
                             : run<u8>(cpu::regional_extrema, c.input<u16>("image"), {kind, 1, c.connectivity()});
      Image<i32> labels(flags.extent.width, flags.extent.height);
      EXPECT_EQ(cpu::label(ctx, flags.cplane(), labels.plane(), {c.connectivity()}), c.json["count"].integer());
      EXPECT_EQ(labels.pixels(), c.output<i32>("labels").pixels());
    });
  }
}
TEST(Extrema, OracleScikitHMaxima) {
  each_case("skimage_h_maxima", [](const Case& c) {
    const auto f = c.input<u8>("image");
    const i32 h = c.params()["h"].integer();
    const auto levelled = run<u8>(cpu::h_extrema, f, {Extremum::maxima, h, c.connectivity()});
    std::vector<u8> flags;
    for (i64 p = 0; p < f.area(); ++p) flags.push_back(f[p] - levelled[p] >= h);
    EXPECT_EQ(flags, c.output<u8>("out").pixels());
  });
}
TEST(Extrema, OracleFillHoles) {
  each_case("fill_holes", [](const Case& c) {
    EXPECT_EQ(run<u8>(cpu::fill_holes, c.input<u8>("image"), {c.connectivity()}).pixels(), c.output<u8>("out").pixels());
    EXPECT_EQ(run<u16>(cpu::fill_holes, c.input<u16>("image"), {c.connectivity()}, 3).pixels(), c.output<u16>("out").pixels());
  });
}
TEST(Extrema, OracleClearBorder) {
  each_case("clear_border", [](const Case& c) {
    EXPECT_EQ(run<u8>(cpu::clear_border, c.input<u8>("image"), {c.connectivity()}).pixels(), c.output<u8>("out").pixels());
    EXPECT_EQ(run<u16>(cpu::clear_border, c.input<u16>("image"), {c.connectivity()}, 3).pixels(),
              c.output<u16>("out").pixels());
  });
}

template <class T>
void random_case(std::mt19937& rng, int i) {
  const i32 w = 1 + static_cast<i32>(rng() % 12), h = 1 + static_cast<i32>(rng() % 12);
  auto f = random_image<T>(rng, w, h, 2 + static_cast<i32>(rng() % 6), 1 + static_cast<i32>(rng() % 40), i % 3);
  if (i % 4 == 0) {  // close to the type's end, where h saturates
    for (auto& v : f.data) v = static_cast<T>(std::numeric_limits<T>::max() - v);
  }
  if (i % 8 == 1 && std::is_same_v<T, i32>) {
    for (auto& v : f.data) v = static_cast<T>(std::numeric_limits<T>::min() + v);
  }
  const Connectivity c = rng() % 2 ? Connectivity::four : Connectivity::eight;
  const i32 step = i % 16 == 5 ? 100000 : 1 + static_cast<i32>(rng() % 60);
  const int threads = 1 + i % 2;
  for (Extremum kind : {Extremum::maxima, Extremum::minima}) {
    const ExtremaParams params{kind, step, c};
    const auto levelled = plain_h(f, step, kind, c);
    ASSERT_EQ(run<T>(cpu::h_extrema, f, params, threads).pixels(), levelled.pixels()) << i;
    ASSERT_EQ(run<u8>(cpu::regional_extrema, f, params, threads).pixels(), plain_regional(f, kind, c).pixels()) << i;
    ASSERT_EQ(run<u8>(cpu::extended_extrema, f, params, threads).pixels(), plain_regional(levelled, kind, c).pixels()) << i;
  }
}
TEST(Extrema, RandomAgainstDefinitions) {
  std::mt19937 rng(4);
  for (int i = 0; i < 1000; ++i) {
    random_case<u8>(rng, i);
    random_case<u16>(rng, i);
    random_case<i32>(rng, i);
    if (HasFatalFailure()) return;
  }
}

/// Where floods would cost more than their limits allow, reconstruction takes over; up to there, both must say the same.
TEST(Extrema, FloodsGiveUpWhereTheyWouldBeSlow) {
  std::mt19937 rng(11);
  Image<u16> noise(160, 150), hill(160, 150), bumps(160, 150), empty(160, 150, 40);
  for (i32 y = 120; y < 125; ++y) {
    for (i32 x = 120; x < 125; ++x) empty[y * 160 + x] = static_cast<u16>(400 - 10 * std::abs(x - 122));
  }
  for (i32 y = 0; y < 150; ++y) {
    for (i32 x = 0; x < 160; ++x) {
      noise[y * 160 + x] = static_cast<u16>(rng() % 1000);
      hill[y * 160 + x] = static_cast<u16>(1000 - 3 * std::abs(x - 70) - 2 * std::abs(y - 60));
      // Neighbouring bumps differ in height, so that some are another one's slope.
      bumps[y * 160 + x] = static_cast<u16>(100 * (4 - std::abs(x % 8 - 4)) * (4 - std::abs(y % 8 - 4)) +
                                            (x / 8 + 3 * (y / 8)) % 5 * 7);
    }
  }
  struct Expected {
    const Image<u16>* image;
    i32 h;
    bool quick;
  };
  for (const Expected& e : {Expected{&noise, 60, false}, Expected{&hill, 400, false}, Expected{&hill, 30, true},
                            Expected{&bumps, 50, true}, Expected{&empty, 50, true}}) {
    for (Extremum kind : {Extremum::maxima, Extremum::minima}) {
      for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
        const ExtremaParams params{kind, e.h, c};
        const Image<u16>& f = *e.image;
        Image<u16> turned = f;
        if (kind == Extremum::minima) {
          for (auto& v : turned.data) v = static_cast<u16>(65535 - v);
        }
        Workspace w;
        Context ctx = context(w, 2);
        Image<u8> out(160, 150);
        const cpu::FloodLimits limits{f.area() / 32, f.area() / 16};
        EXPECT_EQ(cpu::extended_by_floods<u16>(ctx, turned.cplane().view<u16>(), out.plane().view<u8>(), params, limits),
                  e.quick);
        const auto expected = plain_regional(plain_h(turned, e.h, kind, c), kind, c).pixels();
        EXPECT_EQ(run<u8>(cpu::extended_extrema, turned, params, 2).pixels(), expected);
        if (e.quick) EXPECT_EQ(out.pixels(), expected);
      }
    }
  }
}

TEST(Extrema, ConstantAndOddImages) {
  for (u8 v : {u8{0}, u8{9}, u8{255}}) {
    for (Extremum kind : {Extremum::maxima, Extremum::minima}) {
      EXPECT_EQ(run<u8>(cpu::regional_extrema, Image<u8>(20, 3, v), {kind, 1, Connectivity::four}).pixels(),
                std::vector<u8>(60, 1));
    }
  }
  for (Extent e : {Extent{0, 0}, Extent{0, 3}, Extent{3, 0}}) {
    const Image<u8> empty(e.width, e.height);
    run<u8>(cpu::regional_extrema, empty, ExtremaParams{});
    run<u8>(cpu::extended_extrema, empty, ExtremaParams{});
    run<u8>(cpu::h_extrema, empty, ExtremaParams{});
    run<u8>(cpu::fill_holes, empty, ConnectivityParams{});
    run<u8>(cpu::clear_border, empty, ConnectivityParams{});
  }
  EXPECT_EQ(
      run<u8>(cpu::regional_extrema, image_of<u8>(1, 5, {1, 2, 2, 0, 1}), {Extremum::maxima, 1, Connectivity::four}).pixels(),
      (std::vector<u8>{0, 1, 1, 0, 1}));
  EXPECT_EQ(run<u8>(cpu::fill_holes, image_of<u8>(5, 1, {1, 0, 1, 0, 1}), {Connectivity::four}).pixels(),
            (std::vector<u8>{1, 0, 1, 0, 1}));
}

TEST(Extrema, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> f(4, 4), out(4, 4), wide(5, 4);
  Image<u16> other(4, 4);
  Image<i32> deep(4, 4);
  for (auto* op : {cpu::h_extrema, cpu::extended_extrema, cpu::regional_extrema}) {
    expect_rejected("out", [&] { op(ctx, f.cplane(), wide.plane(), {}); });
    expect_rejected("out", [&] { op(ctx, f.cplane(), other.plane(), {}); });
    expect_rejected("out", [&] { op(ctx, f.cplane(), f.plane(), {}); });
    expect_rejected("connectivity",
                    [&] { op(ctx, f.cplane(), out.plane(), {Extremum::maxima, 1, static_cast<Connectivity>(5)}); });
    expect_rejected("kind", [&] { op(ctx, f.cplane(), out.plane(), {static_cast<Extremum>(2), 1, Connectivity::four}); });
    expect_rejected("f", [&] { op(ctx, ConstPlane(nullptr, PixelType::u8, {4, 4}), out.plane(), {}); });
  }
  expect_rejected("h", [&] { cpu::h_extrema(ctx, f.cplane(), out.plane(), {Extremum::maxima, 0, Connectivity::four}); });
  expect_rejected("h",
                  [&] { cpu::extended_extrema(ctx, f.cplane(), out.plane(), {Extremum::maxima, -1, Connectivity::four}); });
  cpu::regional_extrema(ctx, f.cplane(), out.plane(), {Extremum::maxima, 0, Connectivity::four});
  for (auto* op : {cpu::fill_holes, cpu::clear_border}) {
    expect_rejected("f", [&] { op(ctx, deep.cplane(), deep.plane(), {}); });
    expect_rejected("out", [&] { op(ctx, f.cplane(), other.plane(), {}); });
    expect_rejected("out", [&] { op(ctx, f.cplane(), wide.plane(), {}); });
    expect_rejected("out", [&] { op(ctx, f.cplane(), f.plane(), {}); });
    expect_rejected("connectivity", [&] { op(ctx, f.cplane(), out.plane(), {static_cast<Connectivity>(5)}); });
  }
}

}  // namespace
}  // namespace morpho::test
