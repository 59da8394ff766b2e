// What is told of windows whose planes the host does not see: the same as of windows on the host, from whole planes and from
// rims.
#include "engine/certainty/rims.hpp"

#include "../made_slides/deep_slide.hpp"
#include "engine/recipe/recipe_steps.hpp"
#include "../support/plain_floods.hpp"
#include "../support/remote_backend.hpp"
#include "../support/same_output.hpp"

namespace morpho::test {
namespace {

using namespace engine;

void expect_same(const Trust& got, const Trust& want) {
  EXPECT_EQ(got.known, want.known);
  EXPECT_EQ(got.certified, want.certified);
  EXPECT_EQ(got.core_pixels, want.core_pixels);
  EXPECT_EQ(got.certain_pixels, want.certain_pixels);
  ASSERT_EQ(got.cut.size(), want.cut.size());
  for (std::size_t k = 0; k < want.cut.size(); ++k) {
    EXPECT_EQ(got.cut[k].y, want.cut[k].y);
    EXPECT_EQ(got.cut[k].x0, want.cut[k].x0);
    EXPECT_EQ(got.cut[k].x1, want.cut[k].x1);
  }
}

struct Seen {
  int told = 0, beyond = 0, shallow = 0, uncertain = 0;
  std::size_t rims = 0, whole = 0, objects = 0;  ///< bytes downloaded, of which results
};
/// One window on the host, elsewhere with whole planes, and elsewhere with rims.
void compare(const WindowJob& job, View<const Rgba> all, Seen& seen, View<const u16> deep = {}) {
  const i32 x = static_cast<i32>(job.x), y = static_cast<i32>(job.y);
  WindowPixels input{all.sub(x, y, job.extent)};
  if (deep.data) input.deep = deep.sub(x, y, job.extent);
  Workspace memory;
  Context ctx{memory, 1, nullptr, nullptr};
  const WindowOutput want = run(cpu::table(), ctx, job, input);
  seen.uncertain += !want.trust.certified;
  RemoteBackend whole;
  const WindowOutput at_once = run(whole, job, input);
  EXPECT_EQ(at_once.rims, nullptr);
  EXPECT_EQ(window_difference(at_once, want), "");
  expect_same(at_once.trust, want.trust);

  const Workspace::Scope scope(memory);
  WindowPixels later = input;
  later.rims = [&](std::size_t bytes) { return memory.take<u8>(bytes); };
  WindowOutput got;
  {
    RemoteBackend rims;
    got = run(rims, job, later);
    EXPECT_EQ(got.rims != nullptr, Rims::are_deep(job.plan->program));
    seen.rims += rims.downloaded;
    if (got.rims) seen.objects += rims.downloaded - got.rims->bytes();
  }
  EXPECT_EQ(window_difference(got, want), "");
  if (!got.rims) {
    ++seen.shallow;
    return expect_same(got.trust, want.trust);
  }
  EXPECT_FALSE(got.trust.known);
  if (const auto certainty = got.rims->certainty()) {
    ++seen.told;
    seen.whole += whole.downloaded;
    expect_same(*certainty, want.trust);
  } else {
    ++seen.beyond;
  }
}

TEST(Rims, TellOfAnyPlaceWhatTheHostTellsOfItself) {
  std::mt19937 rng(3);
  Seen seen;
  for (const std::string id : kRecipes) {
    for (const unsigned seed : {1u, 2u}) {
      Scene scene(620, 560, seed);
      scene.field(seed == 1 ? 18 : 26);
      scene.spindles(30);
      if (seed == 2) scene.box(250, 220, 500, 290);  // what is uncertain leads far in
      const Made m = made(scene);
      Params params = params_of(MORPHO_ASSETS, id, m.view());
      if (id == "he-nuclei" && seed == 2) params.set("mask.gapRadius", 1.0);
      if (id == "iwpp-nuclei") params.set("marker.openRadius", 5.0), params.set("marker.reach", 6.0);
      if (id == "cell-detection") params.set("detection.backgroundRadius", 5.0), params.set("detection.backgroundReach", 6.0);
      for (int k = 0; k < 3; ++k) {
        const i32 x = static_cast<i32>(rng() % 200) & -static_cast<i32>(k != 0), y = static_cast<i32>(rng() % 160);
        const Extent e{k == 1 ? 620 - x : 300 + static_cast<i32>(rng() % 120), 280 + static_cast<i32>(rng() % 120)};
        SCOPED_TRACE(id + ", seed " + std::to_string(seed) + ", window at " + std::to_string(x) + "," + std::to_string(y));
        const i32 margin = 30 + static_cast<i32>(rng() % 40);
        WindowJob job = job_alone(id, params, e, {margin, margin, e.width - 2 * margin, e.height - 2 * margin});
        job.x = x, job.y = y, job.image = m.extent;
        compare(job, m.view(), seen);
      }
    }
  }
  EXPECT_GT(seen.told, 12);
  EXPECT_GT(seen.beyond, 0);
  EXPECT_GT(seen.uncertain, 5);
}

TEST(Rims, AreFetchedInPlaceOfPlanes) {
  Scene scene(760, 760, 7);
  scene.field(30);
  const Made m = made(scene);
  for (const std::string id : kRecipes) {
    SCOPED_TRACE(id);
    Seen seen;
    const Params params = params_of(MORPHO_ASSETS, id, m.view());
    const i32 halo = halo_px(id, params);
    WindowJob job = job_alone(id, params, {700, 700}, {halo, halo, 700 - 2 * halo, 700 - 2 * halo});
    job.x = job.y = 30, job.image = m.extent;
    compare(job, m.view(), seen);
    // So many planes are looked at that their rims would tell nothing: they are fetched whole.
    if (id == "ihc-nuclei") {
      EXPECT_EQ(seen.shallow, 1);
      continue;
    }
    ASSERT_EQ(seen.told, 1);
    EXPECT_LT(seen.rims, seen.objects + std::size_t{4} * 700 * Rims::kBytes);
    EXPECT_LT(seen.rims, seen.whole);
    if (std::getenv("MORPHO_SHOW"))
      std::printf("%s: %zu bytes, whole %zu\n", id.c_str(), seen.rims - seen.objects, seen.whole - seen.objects);
  }
}

/// Planes of 16 bits have rims of as many bytes.
TEST(Rims, OfSamplesAtSixteenBitsTellWhatTheHostTells) {
  Scene scene(620, 560, 1);
  scene.field(18);
  scene.spindles(30);
  const DeepMade m = deep_made(scene, 300, 100, 40);
  const Params params = deep_params(MORPHO_ASSETS, m);
  Seen seen;
  for (const i32 at : {20, 60, 100}) {
    WindowJob job = job_alone("fluorescence-nuclei", params, {400, 360}, {50, 45, 300, 270});
    job.x = at, job.y = at / 2, job.image = m.extent;
    compare(job, m.view(), seen, m.deep());
  }
  EXPECT_EQ(seen.told, 3);
  EXPECT_GT(seen.uncertain, 0);
}

TEST(Rims, DivisorsDivide) {
  std::mt19937 rng(5);
  for (int k = 0; k < 3000; ++k) {
    const i32 by = k < 2000 ? k + 1 : std::max(1, static_cast<i32>(rng() >> 1 >> rng() % 31));
    const Divisor divisor(by);
    const i32 most = 2147483647, multiple = most / by * by;
    for (const i32 p : {0, by - 1, by, multiple - 1, multiple, most, static_cast<i32>(rng() >> 1 >> rng() % 31)})
      ASSERT_EQ(divisor.quotient(p), p / by) << p << " / " << by;
  }
}

/// What the floods reach of random images: what their definitions say, on whole planes and on rims that are deep enough.
class PlainScene : public UncertaintyFlood {
 public:
  using Set = PlainFloods::Set;

  explicit PlainScene(unsigned seed) : PlainScene(std::mt19937(seed)) {}
  bool differs_anywhere() {
    const i64 enough = 2 + static_cast<i64>(rng_() % 40), h = static_cast<i64>(rng_() % 4);
    const i32 level = static_cast<i32>(rng_() % 4), limit = static_cast<i32>(rng_() % 3) * 2;
    const bool lines = rng_() % 2;
    const auto of = [](const std::vector<i32>& v) { return [&v](i32 p) -> i64 { return v[static_cast<std::size_t>(p)]; }; };
    const std::vector<i32> grey = values(6), landscape = values(9), mask = values(2), marker = values(12, 11),
                           seeds = values(9, 7), squared = values(60);
    std::vector<i32> down = landscape;
    for (i32& v : down) v = 8 - v;
    const PlainFloods plain(extent_, cut_of_, start_, connectivity_);
    const auto mask_of = of(mask), marker_of = of(marker);
    bool same = true;
    const auto check = [&](const char* what, const Set& want, auto&& flood) {
      for (const bool rims : {false, true}) {
        planes_.clear();
        rims_ = rims;
        Uncertainty d = start_;
        open(d);
        try {
          flood();
        } catch (const BeyondRim&) {
          found_.clear();
          add_to(d);
          ++beyond;
          EXPECT_TRUE(rims);
          continue;
        }
        add_to(d);
        if (empty(d)) {  // what touches more than half of a window is not followed
          ++left_out;
          continue;
        }
        const Set got(d.list.begin() + static_cast<std::ptrdiff_t>(start_.list.size()), d.list.end());
        EXPECT_EQ(got, want) << what;
        same = same && got == want;
        compared += !want.empty();
      }
    };
    for (const bool background : {false, true}) {
      check("bytes", plain.area(of(grey), background, enough), [&] { area(bytes(grey), background, enough); });
      check("numbers", plain.area(of(seeds), background, enough), [&] { area(numbers(seeds), background, enough); });
    }
    check("marked", plain.marked_components(marker_of, mask_of), [&] { marked_components(bytes(marker), bytes(mask)); });
    check("better", plain.overlapping(of(seeds), of(grey)), [&] { overlapping(numbers(seeds), numbers(grey)); });
    check("distance", plain.distance(of(squared), limit), [&] { distance(numbers(squared), limit); });
    check("nodes", plain.nodes(of(grey), enough, level), [&] { nodes(bytes(grey), enough, level); });
    check("peaks", plain.caps(of(landscape), h, {}), [&] { caps(Heights<u16>{deep(landscape)}, h, {}); });
    check("basins of minima", plain.basins(of(landscape), {}, mask_of, 0, lines),
          [&] { basins(Heights<i32>{numbers(down), -1, 8}, {}, bytes(mask), 0, lines); });
    check("basins of markers", plain.basins(of(landscape), of(seeds), mask_of, h, lines),
          [&] { basins(Heights<u16>{deep(down), -1, 8}, numbers(seeds), bytes(mask), h, lines); });
    return !same;
  }
  int compared = 0, beyond = 0, left_out = 0;

 private:
  explicit PlainScene(std::mt19937 rng)
      : PlainScene(rng, {28 + static_cast<i32>(rng() % 9), 24 + static_cast<i32>(rng() % 9)},
                   {rng() % 3 > 0, rng() % 3 > 0, rng() % 3 > 0, rng() % 3 > 0}) {}
  PlainScene(std::mt19937 rng, Extent extent, const CutSides& sides)
      : UncertaintyFlood(extent, sides), rng_(rng), extent_(extent), cut_of_(sides) {
    connectivity_ = rng_() % 2 ? Connectivity::four : Connectivity::eight;
    start_ = fresh();
    shrink(start_, static_cast<i32>(rng_() % 4));
    for (unsigned k = rng_() % 7; k > 0; --k) {
      const i32 x = start_.x0 + static_cast<i32>(rng_() % 9) * 2, y = start_.y0 + static_cast<i32>(rng_() % 9) * 2;
      if (x < start_.x1 && y < start_.y1) start_.list.push_back(y * extent.width + x);
    }
    const i32 width = start_.x1 - start_.x0, height = start_.y1 - start_.y0;
    const auto depth = [&](bool is_cut, i32 size) {
      return is_cut ? static_cast<i32>(rng_() % static_cast<unsigned>(size / 2)) : 0;
    };
    layout_ = {start_.x0,
               start_.y0,
               width,
               height,
               depth(sides.left, width),
               depth(sides.top, height),
               depth(sides.right, width),
               depth(sides.bottom, height)};
  }
  /// Blocks of a few pixels, each of one of `n` values; those below `zeros` are 0.
  std::vector<i32> values(unsigned n, i32 zeros = 0) {
    const i32 block = 1 + static_cast<i32>(rng_() % 4);
    std::vector<i32> blocks, all;
    for (int k = 0; k < 40 * 40; ++k) blocks.push_back(static_cast<i32>(rng_() % n));
    for (i32 p = 0; p < extent_.area(); ++p) {
      const i32 v = blocks[static_cast<std::size_t>(p / extent_.width / block * 40 + p % extent_.width / block)];
      all.push_back(v < zeros ? 0 : v);
    }
    return all;
  }
  /// The plane whole, or its rims in the order that RimLayout gives.
  template <class T>
  Values<T> seen(const std::vector<i32>& v, PixelType type) {
    std::vector<T> of;
    const auto part = [&](i32 x0, i32 y0, i32 x1, i32 y1) {
      for (i32 y = y0; y < y1; ++y)
        for (i32 x = x0; x < x1; ++x) of.push_back(static_cast<T>(v[static_cast<std::size_t>(y * extent_.width + x)]));
    };
    const RimLayout& l = layout_;
    const i32 x1 = l.x0 + l.width, y1 = l.y0 + l.height;
    if (rims_) {
      part(l.x0, l.y0, x1, l.y0 + l.top);
      part(l.x0, y1 - l.bottom, x1, y1);
      part(l.x0, l.y0 + l.top, l.x0 + l.left, y1 - l.bottom);
      part(x1 - l.right, l.y0 + l.top, x1, y1 - l.bottom);
      EXPECT_EQ(of.size(), l.pixels());
    } else {
      part(0, 0, extent_.width, extent_.height);
    }
    of.emplace_back();  // rims of nothing are a plane that is there
    planes_.emplace_back(sizeof(T) * of.size());
    std::memcpy(planes_.back().data(), of.data(), sizeof(T) * of.size());
    return Values<T>(SeenPlane{planes_.back().data(), type, rims_ ? &layout_ : nullptr});
  }
  Values<u8> bytes(const std::vector<i32>& v) { return seen<u8>(v, PixelType::u8); }
  Values<u16> deep(const std::vector<i32>& v) { return seen<u16>(v, PixelType::u16); }
  Values<i32> numbers(const std::vector<i32>& v) { return seen<i32>(v, PixelType::i32); }

  std::mt19937 rng_;
  const Extent extent_;
  const CutSides cut_of_;
  Uncertainty start_;
  RimLayout layout_;
  bool rims_ = false;
  std::vector<std::vector<u8>> planes_;
};

TEST(Rims, FloodsFindWhatTheirDefinitionsSay) {
  const int images = random_images(60);
  int compared = 0, beyond = 0, left_out = 0;
  for (unsigned seed = 0; seed < static_cast<unsigned>(images); ++seed) {
    PlainScene scene(seed);
    ASSERT_FALSE(scene.differs_anywhere()) << "seed " << seed;
    compared += scene.compared, beyond += scene.beyond, left_out += scene.left_out;
  }
  if (std::getenv("MORPHO_SHOW")) std::printf("%d compared, %d beyond, %d left out\n", compared, beyond, left_out);
  EXPECT_GT(compared, 6 * images);
  EXPECT_GT(beyond, 2 * images);
  EXPECT_LT(left_out, 3 * images);
}

/// A window of which nothing is cut needs no rims and is certain.
TEST(Rims, OfAWholeImageAreNothing) {
  Scene scene(90, 80, 9);
  scene.field(26);
  const Made m = made(scene);
  Workspace memory;
  const Workspace::Scope scope(memory);
  RemoteBackend backend;
  const WindowJob job = job_alone("he-nuclei", params_of(MORPHO_ASSETS, "he-nuclei", m.view()), m.extent, {0, 0, 90, 80}, false,
                                  true);
  const WindowOutput got = run(backend, job, {m.view(), {}, [&](std::size_t bytes) { return memory.take<u8>(bytes); }});
  ASSERT_NE(got.rims, nullptr);
  EXPECT_EQ(got.rims->bytes(), 0u);
  const auto certainty = got.rims->certainty();
  ASSERT_TRUE(certainty);
  EXPECT_TRUE(certainty->known && certainty->certified);
}

}  // namespace
}  // namespace morpho::test
