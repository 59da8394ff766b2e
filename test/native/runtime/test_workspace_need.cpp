// Holds every operation and variant to the working memory that its descriptor states, and shows that nothing is
// taken beside it.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <set>

#include "../../bench/bench_images.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/new_fails.hpp"

// Sanitizers count allocations themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MORPHO_COUNTS_HEAP 0
#else
#define MORPHO_COUNTS_HEAP 1
#endif

namespace {
/// Bytes got by `new` and not given back yet, in the whole program, and the most since it was last set to `live`.
std::atomic<long> live{0}, most{0};
}  // namespace

#if MORPHO_COUNTS_HEAP
// The size is kept in front of each block.
void* operator new(std::size_t n) {
  constexpr std::size_t head = 2 * alignof(std::max_align_t) > 16 ? alignof(std::max_align_t) : 16;
  const auto fails = morpho::test::new_fails.load(std::memory_order_relaxed);
  auto* block = fails && fails() ? nullptr : static_cast<char*>(std::malloc(n + head));
  if (!block) throw std::bad_alloc();
  *reinterpret_cast<std::size_t*>(block) = n;
  const long now = live += static_cast<long>(n);
  for (long seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {}
  return block + head;
}
void operator delete(void* p) noexcept {
  if (!p) return;
  constexpr std::size_t head = 2 * alignof(std::max_align_t) > 16 ? alignof(std::max_align_t) : 16;
  char* block = static_cast<char*>(p) - head;
  live -= static_cast<long>(*reinterpret_cast<std::size_t*>(block));
  std::free(block);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
#endif

namespace morpho::test {
namespace {

using bench::Picture;
using need::Image;

/// One image and what the operations need beside it, all of one extent. Values of wider types are spread over their range.
struct Planes {
  Extent extent;
  Picture<u8> u8s, binary, out8, mask;
  Picture<u16> u16s, out16;
  Picture<i32> i32s, out32, parent, order, node, markers, labels, squared;
  std::vector<u8> raised;  // the marker of reconstruct, in the type of the image
  std::vector<u16> raised16;
  std::vector<i32> raised32;
  std::vector<Rgba> rgba, rgba_out;
  std::vector<NodeSums> sums;
  std::vector<LabelSums> label_sums;
  Workspace table_memory;
  NodeTable nodes;

  explicit Planes(const Picture<u8>& f)
      : extent(f.extent),
        u8s(f),
        binary(f.extent),
        out8(f.extent),
        mask(f.extent),
        u16s(f.extent),
        out16(f.extent),
        i32s(f.extent),
        out32(f.extent),
        parent(f.extent),
        order(f.extent),
        node(f.extent),
        markers(f.extent),
        labels(f.extent),
        squared(f.extent) {
    for (std::size_t p = 0; p < f.data.size(); ++p) {
      const i32 v = f.data[p];
      u16s.data[p] = static_cast<u16>(v * 257 - v % 3);
      i32s.data[p] = v * 1'000'003 - 100'000'000;
      binary.data[p] = v > 100;
      mask.data[p] = p % 97 != 0;
      markers.data[p] = p % 1009 == 0 ? static_cast<i32>(p / 1009 + 1) : 0;
      squared.data[p] = v * v;
      raised.push_back(static_cast<u8>(std::max(0, v - 40)));
      raised16.push_back(static_cast<u16>(std::max(0, u16s.data[p] - 40 * 257)));
      raised32.push_back(i32s.data[p] - 40'000'000);
      rgba.push_back({f.data[p], static_cast<u8>(v / 2), static_cast<u8>(255 - v), 255});
    }
    rgba_out.resize(rgba.size());
    sums.resize(rgba.size());
    nodes = take_node_table(table_memory, extent);
    Workspace w;
    Context ctx{w, 1, nullptr, nullptr};
    cpu::label(ctx, binary.view(), labels.view(), {});
  }
  Plane in(PixelType t) {
    return t == PixelType::u8 ? Plane(u8s.view()) : t == PixelType::u16 ? Plane(u16s.view()) : Plane(i32s.view());
  }
  Plane out(PixelType t) {
    return t == PixelType::u8 ? Plane(out8.view()) : t == PixelType::u16 ? Plane(out16.view()) : Plane(out32.view());
  }
  Plane marker(PixelType t) {
    return t == PixelType::u8    ? Plane(raised.data(), t, extent)
           : t == PixelType::u16 ? Plane(raised16.data(), t, extent)
                                 : Plane(raised32.data(), t, extent);
  }
  View<const Rgba> color() const { return {rgba.data(), extent}; }
};

/// What an operation states whose parameters do not matter.
template <class O>
i64 needs(const Image& i) {
  return O::cpu_need(i);
}
constexpr auto kNothing = needs<op::threshold>;

/// One way to call one entry of the table, and what it may take.
struct Call {
  std::string op, variant;
  PixelType type;
  std::function<void(Context&, Planes&, Connectivity)> run;
  std::function<i64(const Image&)> need;
  bool grows = false;   ///< its result is in vectors, beside the workspace
  double uses = 0;      ///< 0: it takes next to nothing; otherwise some image here must take this share of what is stated
  bool local() const {  ///< what it takes depends on the extent alone, and it has no connectivity
    static const std::set<std::string> names = {"morphology", "geodesic_dilate", "gaussian",   "median",   "box_mean",
                                                "histogram",  "threshold",       "combine",    "scale",    "root",
                                                "stain",      "weights",         "color_rule", "resample", "choose_labels",
                                                "relabel",    "clear_rim"};
    return names.contains(op);
  }
};

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::i32};

void geodesic(std::vector<Call>& all, PixelType t) {
  for (int v = 0; v <= static_cast<int>(ReconstructVariant::parallel_fast_hybrid); ++v) {
    const auto variant = static_cast<ReconstructVariant>(v);
    // The heap's need depends on how many pixels move; the others' hardly.
    const double uses = variant == ReconstructVariant::priority_queue ? 0.2 : 0.5;
    for (By by : {By::dilation, By::erosion}) {
      all.push_back(
          {"reconstruct", std::to_string(v) + (by == By::erosion ? " by erosion" : ""), t,
           [=](Context& ctx, Planes& p, Connectivity c) {
             const bool up = by == By::dilation;
             cpu::reconstruct(ctx, up ? p.marker(t) : p.in(t), up ? p.in(t) : p.marker(t), p.out(t), {by, c, variant});
           },
           [=](const Image& i) { return op::reconstruct::cpu_need(i, {by, Connectivity::eight, variant}); }, false, uses});
    }
  }
  for (Extremum kind : {Extremum::maxima, Extremum::minima}) {
    const std::string name = kind == Extremum::maxima ? "maxima" : "minima";
    const i32 h = t == PixelType::u8 ? 20 : t == PixelType::u16 ? 5000 : 20'000'000;
    all.push_back({"h_extrema", name, t,
                   [=](Context& ctx, Planes& p, Connectivity c) { cpu::h_extrema(ctx, p.in(t), p.out(t), {kind, h, c}); },
                   needs<op::h_extrema>, false, 0.5});
    all.push_back(
        {"extended_extrema", name, t,
         [=](Context& ctx, Planes& p, Connectivity c) { cpu::extended_extrema(ctx, p.in(t), p.out8.view(), {kind, h, c}); },
         needs<op::extended_extrema>, false, 0.5});
    all.push_back(
        {"regional_extrema", name, t,
         [=](Context& ctx, Planes& p, Connectivity c) { cpu::regional_extrema(ctx, p.in(t), p.out8.view(), {kind, 1, c}); },
         needs<op::regional_extrema>, false, 0.5});
  }
  for (int v = 0; v <= static_cast<int>(WatershedVariant::cellular_automaton); ++v) {
    const auto variant = static_cast<WatershedVariant>(v);
    for (int with = 0; with < 8; ++with) {
      if (v > 0 && with != 0 && with != 3 && with != 7) continue;  // the automaton is slow on noise
      const bool markers = with & 1, mask = with & 2, lines = with & 4;
      all.push_back(
          {"watershed", std::to_string(v) + (markers ? " markers" : "") + (mask ? " mask" : "") + (lines ? " lines" : ""), t,
           [=](Context& ctx, Planes& p, Connectivity c) {
             cpu::watershed(ctx, p.in(t), markers ? ConstPlane(p.markers.view()) : ConstPlane(),
                            mask ? ConstPlane(p.mask.view()) : ConstPlane(), p.out32.view(), {c, lines, variant});
           },
           [=](const Image& i) { return op::watershed::cpu_need(i, {Connectivity::eight, lines, variant}, markers, mask); },
           false, 0.5});
    }
  }
  all.push_back({"label", "", t,
                 [=](Context& ctx, Planes& p, Connectivity c) {
                   cpu::label(ctx, t == PixelType::u8 ? Plane(p.binary.view()) : p.in(t), p.out32.view(), {c});
                 },
                 needs<op::label>, false, t == PixelType::u8 ? 0.3 : 0.8});
}

/// Operations on u8 and u16 alone.
void grey(std::vector<Call>& all, PixelType t) {
  all.push_back({"fill_holes", "", t,
                 [=](Context& ctx, Planes& p, Connectivity c) { cpu::fill_holes(ctx, p.in(t), p.out(t), {c}); },
                 needs<op::fill_holes>, false, t == PixelType::u8 ? 0.3 : 0.5});
  all.push_back({"clear_border", "", t,
                 [=](Context& ctx, Planes& p, Connectivity c) { cpu::clear_border(ctx, p.in(t), p.out(t), {c}); },
                 needs<op::clear_border>, false, t == PixelType::u8 ? 0.3 : 0.5});
  for (int v = 0; v <= static_cast<int>(MaxTreeVariant::tile_merge); ++v) {
    const auto variant = static_cast<MaxTreeVariant>(v);
    all.push_back({"max_tree", std::to_string(v), t,
                   [=](Context& ctx, Planes& p, Connectivity c) {
                     cpu::max_tree(ctx, p.in(t), p.parent.view(), p.order.view(), {c, v % 2 == 1, variant});
                   },
                   [=](const Image& i) { return op::max_tree::cpu_need(i, {Connectivity::eight, false, variant}); }, false,
                   0.5});
  }
  // The tree, and the table of its nodes where `with_table`, in a workspace of their own.
  const auto tree = [=](Planes& p, Connectivity c, bool with_table) {
    Context ctx{p.table_memory, 1, nullptr, nullptr};
    cpu::max_tree(ctx, p.in(t), p.parent.view(), p.order.view(), {c, false});
    if (with_table) cpu::max_tree_nodes(ctx, p.in(t), p.parent.view(), p.order.view(), p.node.view(), p.nodes);
  };
  all.push_back({"max_tree_nodes", "", t,
                 [=](Context& ctx, Planes& p, Connectivity c) {
                   tree(p, c, false);
                   cpu::max_tree_nodes(ctx, p.in(t), p.parent.view(), p.order.view(), p.node.view(), p.nodes);
                 },
                 needs<op::max_tree_nodes>, false, 0.2});
  all.push_back({"max_tree_sums", "", t,
                 [=](Context& ctx, Planes& p, Connectivity c) {
                   tree(p, c, true);
                   cpu::max_tree_sums(ctx, p.node.view(), p.nodes, p.sums.data(), false);
                 },
                 needs<op::max_tree_sums>, false, 0.1});
  for (int a = 0; a <= static_cast<int>(Attribute::mean); ++a) {
    for (double least : {10.0, 40000.0}) {
      const auto attribute = static_cast<Attribute>(a);
      all.push_back({"attribute_filter", std::to_string(a) + " at least " + std::to_string(least), t,
                     [=](Context& ctx, Planes& p, Connectivity c) {
                       tree(p, c, true);
                       cpu::attribute_filter(ctx, p.node.view(), p.nodes, p.out(t),
                                             {attribute, static_cast<FilterRule>(a % 4), least, false});
                     },
                     [=](const Image& i) { return op::attribute_filter::cpu_need(i, attribute); }, false, 0.1});
    }
  }
  for (i32 area : {10, 40000}) {
    all.push_back(
        {"area_open", std::to_string(area), t,
         [=](Context& ctx, Planes& p, Connectivity c) { cpu::area_open(ctx, p.in(t), p.out(t), {area, c, area > 10}); },
         needs<op::area_open>, false, 0.5});
  }
  for (int kind = 0; kind < 4; ++kind) {
    for (int shape = 0; shape <= static_cast<int>(Shape::cross); ++shape) {
      for (i32 radius : {0, 1, 10, 70}) {
        const MorphologyParams params{static_cast<Morphology>(kind), static_cast<Shape>(shape), radius};
        const bool in_place = kind == 1;
        all.push_back({"morphology",
                       std::to_string(kind) + " shape " + std::to_string(shape) + " radius " + std::to_string(radius), t,
                       [=](Context& ctx, Planes& p, Connectivity) {
                         if (in_place)
                           std::memcpy(p.out(t).data, p.in(t).data, static_cast<std::size_t>(p.extent.area()) * pixel_bytes(t));
                         cpu::morphology(ctx, in_place ? p.out(t) : p.in(t), p.out(t), params);
                       },
                       [=](const Image& i) { return op::morphology::cpu_need(i, params, in_place); }, false, radius ? 0.4 : 0});
      }
    }
  }
  all.push_back({"geodesic_dilate", "2", t,
                 [=](Context& ctx, Planes& p, Connectivity) { cpu::geodesic_dilate(ctx, p.marker(t), p.in(t), p.out(t), {2}); },
                 needs<op::geodesic_dilate>, false, 0.4});
  for (double sigma : {0.0, 2.0, 20.0}) {
    all.push_back({"gaussian", std::to_string(sigma), t,
                   [=](Context& ctx, Planes& p, Connectivity) { cpu::gaussian(ctx, p.in(t), p.out(t), {sigma}); },
                   needs<op::gaussian>, false, sigma > 0 ? 0.5 : 0.0});
  }
  for (i32 radius : {1, 3, 4, 30}) {
    all.push_back({"median", std::to_string(radius), t,
                   [=](Context& ctx, Planes& p, Connectivity) { cpu::median(ctx, p.in(t), p.out(t), {radius}); },
                   [=](const Image& i) { return op::median::cpu_need(i, {radius}); }, false, radius > 3 ? 0.5 : 0});
  }
  for (i32 radius : {1, 30, 100}) {
    all.push_back({"box_mean", std::to_string(radius), t,
                   [=](Context& ctx, Planes& p, Connectivity) { cpu::box_mean(ctx, p.in(t), p.out(t), {radius}); },
                   [=](const Image& i) { return op::box_mean::cpu_need(i, {radius}); }, false, 0.3});
  }
  all.push_back({"histogram", "", t,
                 [=](Context& ctx, Planes& p, Connectivity) {
                   static u64 bins[65536];
                   cpu::histogram(ctx, p.in(t), bins);
                 },
                 needs<op::histogram>, false, 0.4});
}

void pointwise(std::vector<Call>& all, PixelType t) {
  all.push_back({"threshold", "", t,
                 [=](Context& ctx, Planes& p, Connectivity) { cpu::threshold(ctx, p.in(t), p.out8.view(), {100}); }, kNothing});
  for (int kind = 0; kind <= static_cast<int>(Combine::either); ++kind) {
    all.push_back({"combine", std::to_string(kind), t,
                   [=](Context& ctx, Planes& p, Connectivity) {
                     const auto k = static_cast<Combine>(kind);
                     cpu::combine(ctx, p.in(t), p.marker(t), k >= Combine::greater ? Plane(p.out8.view()) : p.out(t), {k});
                   },
                   kNothing});
  }
  for (PixelType to : kTypes) {
    all.push_back({"scale", pixel_type_name(to), t,
                   [=](Context& ctx, Planes& p, Connectivity) { cpu::scale(ctx, p.in(t), p.out(to), {3, 5, 1}); }, kNothing});
  }
}

std::vector<Call> cases() {
  std::vector<Call> all;
  for (PixelType t : kTypes) {
    geodesic(all, t);
    if (t != PixelType::i32) grey(all, t);
    pointwise(all, t);
  }
  constexpr PixelType u = PixelType::u8;
  for (int v = 0; v <= static_cast<int>(DistanceVariant::danielsson); ++v) {
    const auto variant = static_cast<DistanceVariant>(v);
    all.push_back(
        {"distance", std::to_string(v), u,
         [=](Context& ctx, Planes& p, Connectivity) { cpu::distance(ctx, p.binary.view(), p.out32.view(), {1, 1, variant}); },
         [=](const Image& i) { return op::distance::cpu_need(i, {1, 1, variant}); }, false, 0.8});
  }
  all.push_back(
      {"area_filter", "", u,
       [](Context& ctx, Planes& p, Connectivity c) { cpu::area_filter(ctx, p.binary.view(), p.out8.view(), {c, 10, 1000}); },
       needs<op::area_filter>, false, 0.3});
  all.push_back({"root", "", PixelType::i32,
                 [](Context& ctx, Planes& p, Connectivity) { cpu::root(ctx, p.squared.view(), p.out16.view(), {16}); },
                 kNothing});
  all.push_back(
      {"stain", "", u, [](Context& ctx, Planes& p, Connectivity) { cpu::stain(ctx, p.color(), p.out8.view(), {}); }, kNothing});
  all.push_back({"weights", "", u,
                 [](Context& ctx, Planes& p, Connectivity) { cpu::weights(ctx, p.color(), p.out8.view(), {1, 2, 3, 0, 6}); },
                 kNothing});
  all.push_back({"color_rule", "", u,
                 [](Context& ctx, Planes& p, Connectivity) { cpu::color_rule(ctx, p.color(), p.out8.view(), {}); }, kNothing});
  for (i64 step : {i64{2}, i64{300}}) {
    all.push_back({"resample", std::to_string(step), u,
                   [=](Context& ctx, Planes& p, Connectivity) {
                     const i32 k = static_cast<i32>(step);
                     cpu::resample(ctx, p.color(),
                                   View<Rgba>(p.rgba_out.data(), {(p.extent.width + k - 1) / k, (p.extent.height + k - 1) / k}),
                                   {0, 0, step << 16, step << 16});
                   },
                   [=](const Image& i) { return op::resample::cpu_need(i, step << 16, (i.width() + step - 1) / step); }, false,
                   0.5});
  }
  for (bool colored : {false, true}) {
    all.push_back({"measure", colored ? "with colours" : "", u,
                   [=](Context& ctx, Planes& p, Connectivity) {
                     ObjectSet set;
                     cpu::measure(ctx, p.labels.view(), colored ? p.color() : View<const Rgba>(), {}, {}, set, {});
                   },
                   needs<op::measure>, true, 0.2});
  }
  for (i32 count : {40, 30000}) {
    all.push_back({"label_sums", std::to_string(count), u,
                   [=](Context& ctx, Planes& p, Connectivity) {
                     p.label_sums.resize(static_cast<std::size_t>(count) + 1);
                     cpu::label_sums(ctx, p.labels.view(), count, p.u8s.view(), {}, p.label_sums.data());
                   },
                   [=](const Image& i) { return op::label_sums::cpu_need(i, count); }, true, count > 40 ? 0.9 : 0});
  }
  all.push_back({"choose_labels", "", u,
                 [](Context& ctx, Planes& p, Connectivity) {
                   p.label_sums.resize(100);
                   cpu::choose_labels(ctx, p.label_sums.data(), 99, p.out32.data.data(), {});
                 },
                 kNothing, true});
  all.push_back({"relabel", "", u,
                 [](Context& ctx, Planes& p, Connectivity) {
                   cpu::relabel(ctx, p.labels.view(), p.out8.view(), p.i32s.data.data(), 900);
                 },
                 kNothing});
  for (i32 count : {40, 30000}) {
    all.push_back({"better_labels", std::to_string(count), u,
                   [=](Context& ctx, Planes& p, Connectivity) {
                     p.label_sums.resize(static_cast<std::size_t>(count) + 1);
                     Context own{p.table_memory, 1, nullptr, nullptr};
                     cpu::label_sums(own, p.labels.view(), count, {}, {}, p.label_sums.data());
                     const op::Segmentation s{ConstPlane(Plane(p.labels.view())), count, p.label_sums.data()};
                     cpu::better_labels(ctx, s, s, p.u8s.view(), p.out8.view(), {});
                   },
                   [=](const Image& i) { return op::better_labels::cpu_need(i, count, count); }, true, count > 40 ? 0.7 : 0});
  }
  all.push_back({"clear_rim", "", u,
                 [](Context& ctx, Planes& p, Connectivity) { cpu::clear_rim(ctx, p.out8.view(), {3, 4, 5, 6}); }, kNothing});
  all.push_back({"choose_nodes", "", u,
                 [](Context& ctx, Planes& p, Connectivity c) {
                   Context own{p.table_memory, 1, nullptr, nullptr};
                   cpu::max_tree(own, p.in(PixelType::u8), p.parent.view(), p.order.view(), {c, false});
                   cpu::max_tree_nodes(own, p.in(PixelType::u8), p.parent.view(), p.order.view(), p.node.view(), p.nodes);
                   cpu::max_tree_sums(own, p.node.view(), p.nodes, p.sums.data(), false);
                   cpu::choose_nodes(ctx, p.nodes, p.sums.data(), p.out32.data.data(), {});
                 },
                 [](const Image& i) { return op::choose_nodes::cpu_need(i.area()); }, false, 0.1});
  return all;
}

/// Not square, no multiple of a tile or a vector, and large enough that what is stated a pixel outweighs what is stated a
/// thread.
constexpr Extent kExtent{419, 283};

std::vector<std::pair<std::string, Picture<u8>>> pictures() {
  return {{"tissue", bench::tissue(MORPHO_FIXTURES "/oracle/tile_cmu.npy", kExtent, 2)},
          {"noise", bench::noise(kExtent)},
          {"flat", bench::flat(kExtent)},
          {"spiral", bench::spiral({203, 151})}};  // a turn of it costs some variants a sweep
}

TEST(WorkspaceNeed, EveryOperationAndVariantKeepsToWhatIsStated) {
  const std::vector<Call> all = cases();
  std::map<std::string, double> share;  // by case and number of threads: the largest over the images
  for (auto& [name, picture] : pictures()) {
    Planes planes(picture);
    for (const Call& c : all) {
      for (int threads : {1, 2, 5}) {
        // Two are between one and five: on one picture.
        if (threads == 2 && name != "tissue") continue;
        const i64 stated = c.need({c.type, planes.extent, threads});
        for (Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
          if (c.local() && (name != "tissue" || connectivity == Connectivity::four)) continue;
          Workspace w;
          Context ctx{w, threads, nullptr, nullptr};
          c.run(ctx, planes, connectivity);
          const std::string where = c.op + " " + c.variant + " " + pixel_type_name(c.type);
          ASSERT_LE(static_cast<i64>(w.peak_bytes()), stated)
              << where << " on " << name << ", " << static_cast<int>(connectivity) << " neighbours, " << threads << " threads";
          double& most_used = share[where];
          most_used = std::max(most_used, static_cast<double>(w.peak_bytes()) / static_cast<double>(stated));
        }
      }
    }
  }
  // A statement far above what is ever taken would say nothing.
  for (const Call& c : all) {
    const std::string where = c.op + " " + c.variant + " " + pixel_type_name(c.type);
    EXPECT_GE(share[where], c.uses) << where;
  }
}

TEST(WorkspaceNeed, NothingIsTakenBesideTheWorkspace) {
  if (!MORPHO_COUNTS_HEAP) GTEST_SKIP() << "the sanitizer counts allocations itself";
  for (auto& [name, picture] : pictures()) {
    if (name != "tissue") continue;
    Planes planes(picture);
    for (const Call& c : cases()) {
      if (c.grows) continue;
      for (int threads : {1, 5}) {
        Workspace w;
        Context ctx{w, threads, nullptr, nullptr};
        // What works on a tree builds it in a workspace of its own, by other memory than `new`.
        const long before = live;
        most = before;
        c.run(ctx, planes, Connectivity::eight);
        // Threads and their bookkeeping, and the workspace's list of blocks.
        ASSERT_LE(most - before, 2048) << c.op << " " << c.variant << " " << pixel_type_name(c.type) << " on " << name << ", "
                                       << threads << " threads";
      }
    }
  }
}

TEST(WorkspaceNeed, EveryEntryOfTheTableIsHere) {
  std::set<std::string> ops;
  for (const Call& c : cases()) ops.insert(c.op);
  // The table is a name and one pointer an operation.
  EXPECT_EQ(ops.size(), sizeof(OpTable) / sizeof(void*) - 1);
}

}  // namespace
}  // namespace morpho::test
