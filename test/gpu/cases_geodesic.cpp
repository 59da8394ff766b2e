// Comparisons of the geodesic operations: reconstruction and what derives from it, watershed, max-tree and attribute filters.
#include "cases.hpp"
#include "contract/object_choice.hpp"
#include "cuda/for_tests.hpp"

namespace morpho::test {

namespace {

/// Reconstruction whose waves end after so many visits, so that what follows the worklist has something left to do.
void compare_early_end(Rig& rig, const TestImage& mask, const Picture& marker, By by, Connectivity c) {
  for (const i32 visits : {0, 1}) {
    gpu::limit_wave_depth(visits);
    rig.compare(
        "reconstruct ended early",
        mask.name + (by == By::erosion ? " by erosion" : "") + c_text(c) + " after " + std::to_string(visits),
        {with_gaps(marker, 3, 1), with_gaps(mask.picture, 8, 4)}, {Picture(mask.picture.type, mask.picture.extent, 5, 2)},
        [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.reconstruct(ctx, in[0], in[1], o[0], {by, c}); });
  }
  gpu::limit_wave_depth(-1);
}

void compare_reconstruct(Rig& rig, const TestImage& grey, Connectivity c) {
  const Picture& p = grey.picture;
  const Extent e = p.extent;
  Random r{static_cast<u64>(e.width) * 31 + static_cast<u64>(e.height)};
  const i32 most = p.type == PixelType::u8 ? 255 : 65535;
  const Picture lower = make(p.type, e, [&](i32 x, i32 y) { return std::max(0, p.get(x, y) - 40); });
  const Picture seeds = make(p.type, e, [&](i32 x, i32 y) { return r.next() % 997 == 0 ? p.get(x, y) : 0; });
  const Picture high = make(p.type, e, [&](i32 x, i32 y) { return r.next() % 997 == 0 ? p.get(x, y) : most; });
  const auto one = [&](const char* what, const Picture& marker, By by) {
    const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
      t.reconstruct(ctx, in[0], in[1], o[0], {by, c});
    };
    const std::string name = grey.name + " " + what + c_text(c);
    rig.compare("reconstruct", name, {marker, p}, {Picture(p.type, e)}, op);
    rig.compare("reconstruct", name + " with gaps", {with_gaps(marker, 3, 1), with_gaps(p, 8, 4)}, {Picture(p.type, e, 5, 2)},
                op);
    rig.compare("reconstruct", name + " in place", {with_gaps(marker, 3, 1), p}, {with_gaps(marker, 3, 1)}, op, 0);
  };
  if (e.area() < 40000) {
    // The papers' own algorithms, against the CPU's fastest: the result is unique.
    const auto variant = [&](ReconstructVariant v, const Picture& marker, By by) {
      rig.compare("reconstruct variants", grey.name + " variant " + std::to_string(static_cast<int>(v)) + c_text(c),
                  {marker, p}, {Picture(p.type, e)}, [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                    const ReconstructParams params{by, c, std::string(t.device) == "cpu" ? ReconstructVariant::automatic : v};
                    add(extra, tells_rounds(t, ctx, o[0], [&] { t.reconstruct(ctx, in[0], in[1], o[0], params); }));
                  });
    };
    for (const ReconstructVariant v :
         {ReconstructVariant::raster_sweeps, ReconstructVariant::fast_hybrid, ReconstructVariant::naive_queue,
          ReconstructVariant::prefix_queue, ReconstructVariant::parallel_heap}) {
      variant(v, seeds, By::dilation);
      variant(v, high, By::erosion);
    }
    variant(ReconstructVariant::parallel_heap, lower, By::dilation);  // more seeds than its lists have room for
  }
  one("minus 40", lower, By::dilation);
  one("seeds", seeds, By::dilation);
  one("by erosion", high, By::erosion);
  compare_early_end(rig, grey, seeds, By::dilation, c);
  compare_early_end(rig, grey, high, By::erosion, c);
}

/// Steps below and above what one launch takes, one that leaves a short launch, and one after which tiles are at rest. Sparse
/// seeds need all.
void compare_geodesic(Rig& rig, const TestImage& grey) {
  const Picture& p = grey.picture;
  const Extent e = p.extent;
  Random r{static_cast<u64>(e.width) * 37 + static_cast<u64>(e.height)};
  const Picture lower = make(p.type, e, [&](i32 x, i32 y) { return std::max(0, p.get(x, y) - 40); });
  const Picture seeds = make(p.type, e,
                             [&](i32, i32) { return r.next() % 3989 == 0 ? (p.type == PixelType::u8 ? 255 : 65535) : 0; });
  const Picture high = make(p.type, e,
                            [&](i32 x, i32 y) { return std::max(p.get(x, y), p.type == PixelType::u8 ? 200 : 60000); });
  const auto one = [&](const char* what, const Picture& marker, const Picture& mask, i32 steps) {
    const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
      t.geodesic_dilate(ctx, in[0], in[1], o[0], {steps});
    };
    const std::string name = grey.name + " " + what + " steps " + std::to_string(steps);
    rig.compare("geodesic_dilate", name, {marker, mask}, {Picture(p.type, e)}, op);
    rig.compare("geodesic_dilate", name + " with gaps", {with_gaps(marker, 3, 1), with_gaps(mask, 8, 4)},
                {Picture(p.type, e, 5, 2)}, op);
  };
  for (const i32 steps : {0, 1, 7, 16, 17, 40}) one("seeds", seeds, p, steps);
  one("far", seeds, high, 100);
  one("minus 40", lower, p, 33);
  one("minus 40", lower, p, 100);
}

/// Watershed whose plateaus' waves end after so many visits.
void compare_early_plateaus(Rig& rig, const std::string& name, const Picture& p, const Picture& markers, Connectivity c) {
  for (const i32 visits : {0, 1}) {
    gpu::limit_wave_depth(visits);
    rig.compare("watershed ended early", name + c_text(c) + " after " + std::to_string(visits), {p, markers},
                {Picture(PixelType::i32, p.extent)}, [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                  add(extra, t.watershed(ctx, in[0], in[1], ConstPlane(), o[0], {c}));
                });
  }
  gpu::limit_wave_depth(-1);
}

/// The papers' own watersheds, against the CPU's fastest: the result is unique.
void compare_watershed_variants(Rig& rig, const std::string& name, const Picture& p, const Picture& markers,
                                const Picture& mask, Connectivity c) {
  const Picture wide(PixelType::i32, p.extent);
  for (const WatershedVariant v : {WatershedVariant::drop_of_water, WatershedVariant::cellular_automaton}) {
    const auto one = [&](const char* what, std::vector<Picture> in, const Picture& out, bool lines) {
      rig.compare("watershed variants", name + " variant " + std::to_string(static_cast<int>(v)) + what, std::move(in), {out},
                  [=](const OpTable& t, Context& ctx, auto& i, auto& o, Extra& extra) {
                    const WatershedParams params{c, lines, std::string(t.device) == "cpu" ? WatershedVariant::automatic : v};
                    const auto run = [&] { add(extra, t.watershed(ctx, i[0], i[1], i[2], o[0], params)); };
                    add(extra, tells_rounds(t, ctx, o[0], run));
                  });
    };
    one("", {p, Picture(), Picture()}, wide, false);
    one(" lines, gaps", {with_gaps(p, 3, 1), Picture(), Picture()}, Picture(PixelType::i32, p.extent, 2, 1), true);
    if (markers.absent()) continue;
    one(" markers, gaps", {p, with_gaps(markers, 2, 1), Picture()}, Picture(PixelType::i32, p.extent, 1, 3), false);
    one(" mask", {p, Picture(), mask}, wide, false);
    one(" markers, mask, lines", {p, markers, mask}, wide, true);
  }
}

/// The paper's own trees, against the CPU's fastest: the tree is unique.
void compare_max_tree_variants(Rig& rig, const std::string& name, const Picture& p, Connectivity c, bool low) {
  for (const MaxTreeVariant v : {MaxTreeVariant::column_union_find, MaxTreeVariant::border_trees}) {
    rig.compare("max_tree variants", name + " variant " + std::to_string(static_cast<int>(v)), {with_gaps(p, 3, 1)},
                {Picture(PixelType::i32, p.extent), Picture(PixelType::i32, p.extent, 1, 2)},
                [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
                  t.max_tree(ctx, in[0], o[0], o[1], {c, low, std::string(t.device) == "cpu" ? MaxTreeVariant::automatic : v});
                });
  }
}

/// A corridor of one pixel that runs to and fro, or winds inwards, with walls of one pixel.
Picture serpentine(i32 n) {
  return make(PixelType::u8, {n, n}, [&](i32 x, i32 y) { return y % 2 == 0 || x == (y / 2 % 2 ? 0 : n - 1) ? 255 : 0; });
}
Picture spiral(i32 n) {
  Picture p(PixelType::u8, {n, n});
  const i32 turn[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const auto free_at = [&](i32 x, i32 y) { return x < 0 || y < 0 || x >= n || y >= n || p.get(x, y) == 0; };
  i32 x = 0, y = 0;
  p.set(x, y, 255);
  for (i32 d = 0, blocked = 0; blocked < 2; d = (d + 1) % 4) {
    const i32 dx = turn[d][0], dy = turn[d][1];
    i32 steps = 0;
    for (; x + dx >= 0 && y + dy >= 0 && x + dx < n && y + dy < n && free_at(x + dx, y + dy) && free_at(x + 2 * dx, y + 2 * dy);
         ++steps)
      p.set(x += dx, y += dy, 255);
    blocked = steps ? 0 : blocked + 1;
  }
  return p;
}

/// Grey corridors: the wave along one carries the least value so far, from which every bit has to come. For i32 with values of
/// both signs.
void compare_corridors(Rig& rig, const TestImage& corridor) {
  Random r{9};
  const Extent e = corridor.picture.extent;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::i32}) {
    const i32 most = type == PixelType::u8    ? 255
                     : type == PixelType::u16 ? 65535
                                              : 2000000000,
              least = type == PixelType::i32 ? -most : 0;
    const auto fall = [&](i32 x, i32 y) {
      return static_cast<i32>((static_cast<i64>(most) - least) / 2 * (static_cast<i64>(y) * e.width + x) / e.area()) +
             static_cast<i32>(r.next() % 3);
    };
    const Picture high = make(type, e, [&](i32 x, i32 y) {
      return corridor.picture.get(x, y) ? most - fall(x, y) : least + static_cast<i32>(r.next() % 3);
    });
    const Picture low = make(type, e, [&](i32 x, i32 y) { return least + (most - high.get(x, y)); });
    for (const Connectivity c : kBoth) {
      for (const By by : {By::dilation, By::erosion}) {
        const Picture& mask = by == By::dilation ? high : low;
        const Picture marker = make(type, e, [&](i32 x, i32 y) { return (x + y == 0) == (by == By::dilation) ? most : least; });
        const std::string name = size_text(e) + " grey " + corridor.name + " of " + std::to_string(pixel_bytes(type)) +
                                 " bytes" + (by == By::erosion ? " by erosion" : "") + c_text(c);
        rig.compare("reconstruct", name, {marker, mask}, {Picture(type, e)},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
                      t.reconstruct(ctx, in[0], in[1], o[0], {by, c});
                    });
      }
    }
  }
}

}  // namespace

void compare_sums(Rig& rig, const std::string& op_name, const TestImage& grey, Connectivity c, bool low, bool gaps) {
  const OpTable& gpu = rig.gpu_table();
  if (!gpu.max_tree || !gpu.max_tree_nodes || !gpu.max_tree_sums) return;
  const std::string name = grey.name + c_text(c) + (low ? " low" : "") + (gaps ? " with gaps" : "");
  rig.compare(op_name, name, {grey.picture}, {}, [=, &rig](const OpTable& t, Context& ctx, auto& in, auto&, Extra& extra) {
    const Workspace::Scope scope(ctx.workspace);
    const Extent e = in[0].extent;
    const std::size_t n = static_cast<std::size_t>(e.area());
    const i32 stride = e.width + (gaps ? 3 : 0);
    i32* memory = ctx.workspace.take<i32>(static_cast<std::size_t>(stride) * static_cast<std::size_t>(e.height));
    const Plane parent(ctx.workspace.take<i32>(n), PixelType::i32, e), order(ctx.workspace.take<i32>(n), PixelType::i32, e);
    const Plane node(memory, PixelType::i32, e, stride);
    NodeTable nodes = take_node_table(ctx.workspace, e);
    t.max_tree(ctx, in[0], parent, order, {c, low});
    t.max_tree_nodes(ctx, in[0], parent, order, node, nodes);
    const std::size_t count = static_cast<std::size_t>(nodes.count);
    NodeSums* d_sums = ctx.workspace.take<NodeSums>(count);
    t.max_tree_sums(ctx, node, nodes, d_sums, low);
    // Tables may number nodes otherwise: in the order of their canonical pixels.
    const std::vector<NodeSums> sums = rig.read(t, d_sums, count);
    const std::vector<i32> pixel = rig.read(t, nodes.pixel, count), above = rig.read(t, nodes.parent, count);
    // Whatever the numbers: every node comes after its children, and the root is the last.
    std::size_t misplaced = count > 0 && above[count - 1] != static_cast<i32>(count) - 1;
    for (std::size_t i = 0; i + 1 < count; ++i) misplaced += above[i] <= static_cast<i32>(i);
    add(extra, static_cast<i64>(misplaced));
    std::vector<i32> place(n, -1);
    for (std::size_t i = 0; i < count; ++i) place[static_cast<std::size_t>(pixel[i])] = static_cast<i32>(i);
    for (const i32 i : place) {
      if (i < 0) continue;
      const NodeSums& s = sums[static_cast<std::size_t>(i)];
      add(extra, pixel[static_cast<std::size_t>(i)]);
      for (const i64 v : {s.area, s.sum_value, s.sum_x, s.sum_y, s.sum_xx, s.sum_yy, s.sum_xy}) add(extra, v);
      for (const i32 v : {s.min_x, s.min_y, s.max_x, s.max_y, s.value, s.peak, s.parent_value}) add(extra, v);
    }
  });
}

/// Ramps of 81 pixels in cells of 10 x 10: four pixels of five have a child below them, more than the lists of a tile hold, and
/// at an area of 2 all of them begin a way up. Images that can be read by four pixels, and not.
void compare_area_open_cells(Rig& rig, Extent e) {
  for (const PixelType type : {PixelType::u8, PixelType::u16}) {
    const Picture cells = make(
        type, e, [](i32 x, i32 y) { return x % 10 == 9 || y % 10 == 9 ? 0 : 1 + y % 10 * 9 + x % 10 + x / 10 % 3 * 50; });
    for (const std::ptrdiff_t gap : {0, 3}) {
      const Picture out(type, e, gap, gap == 0 ? 0 : 1);
      for (const Connectivity c : kBoth) {
        for (const i32 area : {2, 50, 81, 82, 200}) {
          rig.compare(
              "area_open", size_text(e) + " cells " + std::to_string(area) + c_text(c), {with_gaps(cells, gap, 0)}, {out},
              [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.area_open(ctx, in[0], o[0], {area, c}); });
        }
      }
    }
  }
}

void compare_worst_geodesic(Rig& rig, i32 n) {
  const OpTable& gpu = rig.gpu_table();
  const Extent e{n, n};
  Random r{5};
  const TestImage inputs[] = {{"serpentine", serpentine(n)},
                              {"spiral", spiral(n)},
                              {"noise", make(PixelType::u8, e, [&](i32, i32) { return r.next() & 255; })},
                              {"checkerboard", make(PixelType::u8, e, [](i32 x, i32 y) { return (x + y) % 2 * 255; })},
                              {"flat", make(PixelType::u8, e, [](i32, i32) { return 200; })}};
  if (gpu.area_open) {
    compare_area_open_cells(rig, {n / 4 * 4, n / 2 + 1});
    compare_area_open_cells(rig, {n | 1, n / 3});
  }
  if (gpu.reconstruct) {
    compare_corridors(rig, inputs[0]);
    compare_corridors(rig, inputs[1]);
    const TestImage wide{size_text(e) + " i32 noise",
                         make(PixelType::i32, e, [&](i32, i32) { return static_cast<i32>(r.next() << 1 ^ r.next()); })};
    const Picture some = make(PixelType::i32, e,
                              [&](i32 x, i32 y) { return r.next() % 97 == 0 ? wide.picture.get(x, y) : -2147483647 - 1; });
    for (const Connectivity c : kBoth) compare_early_end(rig, wide, some, By::dilation, c);
  }
  for (const TestImage& f : inputs) {
    const Picture first = make(PixelType::u8, e, [&](i32 x, i32 y) { return x + y == 0 ? 255 : 0; }), byte(PixelType::u8, e),
                  wide(PixelType::i32, e);
    for (const Connectivity c : kBoth) {
      const std::string name = size_text(e) + " " + f.name + c_text(c);
      if (gpu.reconstruct)
        rig.compare("reconstruct", name, {first, f.picture}, {byte},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
                      t.reconstruct(ctx, in[0], in[1], o[0], {By::dilation, c});
                    });
      if (gpu.watershed)
        rig.compare("watershed", name, {f.picture}, {wide},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                      add(extra, t.watershed(ctx, in[0], ConstPlane(), ConstPlane(), o[0], {c}));
                    });
      if (gpu.reconstruct)
        rig.compare("reconstruct variants", name, {first, f.picture}, {byte},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
                      t.reconstruct(
                          ctx, in[0], in[1], o[0],
                          {By::dilation, c,
                           std::string(t.device) == "cpu" ? ReconstructVariant::automatic : ReconstructVariant::parallel_heap});
                    });
      if (gpu.watershed) {
        compare_early_plateaus(rig, name, f.picture, Picture(), c);
        compare_early_plateaus(rig, name + " markers", f.picture,
                               make(PixelType::i32, e, [&](i32 x, i32 y) { return x % 50 == 7 && y % 40 == 20; }), c);
      }
      if (gpu.watershed) compare_watershed_variants(rig, name, f.picture, Picture(), Picture(), c);
      if (gpu.max_tree) compare_max_tree_variants(rig, name, f.picture, c, false);
      if (gpu.max_tree)
        rig.compare(
            "max_tree", name, {f.picture}, {wide, wide},
            [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.max_tree(ctx, in[0], o[0], o[1], {c}); });
      for (const i32 area : {100, 20000}) {
        if (gpu.area_open)
          rig.compare("area_open", name, {f.picture}, {byte}, [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
            t.area_open(ctx, in[0], o[0], {area, c});
          });
      }
      for (const bool low : {false, true})
        compare_sums(rig, "max_tree_sums", {size_text(e) + " " + f.name, f.picture}, c, low, false);
    }
  }
}

void compare_geodesic(Rig& rig, const TestImage& grey, bool thorough) {
  const OpTable& gpu = rig.gpu_table();
  const Picture& p = grey.picture;
  const Extent e = p.extent;
  if (p.type == PixelType::i32) return;
  const Picture byte(PixelType::u8, e), same(p.type, e), wide(PixelType::i32, e);
  for (const Connectivity c : kBoth) {
    const std::string name = grey.name + c_text(c);
    if (gpu.reconstruct) compare_reconstruct(rig, grey, c);
    if (gpu.geodesic_dilate && c == Connectivity::eight) compare_geodesic(rig, grey);
    for (const Extremum kind : {Extremum::maxima, Extremum::minima}) {
      const std::string of = name + (kind == Extremum::maxima ? " maxima" : " minima");
      for (const i32 h : thorough ? std::vector<i32>{1, 7, 40, 70000} : std::vector<i32>{7}) {
        if (gpu.h_extrema)
          rig.compare("h_extrema", of, {p}, {same}, [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
            t.h_extrema(ctx, in[0], o[0], {kind, h, c});
          });
        if (gpu.extended_extrema)
          rig.compare("extended_extrema", of, {p}, {byte}, [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
            t.extended_extrema(ctx, in[0], o[0], {kind, h, c});
          });
      }
      if (gpu.regional_extrema)
        rig.compare("regional_extrema", of, {p}, {byte}, [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
          t.regional_extrema(ctx, in[0], o[0], {kind, 1, c});
        });
    }
    if (gpu.fill_holes)
      rig.compare("fill_holes", name, {p}, {same},
                  [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.fill_holes(ctx, in[0], o[0], {c}); });
    if (gpu.clear_border)
      rig.compare("clear_border", name, {p}, {same},
                  [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.clear_border(ctx, in[0], o[0], {c}); });
    if (gpu.watershed) {
      if (e.area() < 40000) {
        // Plateaus with outlets and without: few grey levels.
        const Picture steps = make(p.type, e,
                                   [&](i32 x, i32 y) { return p.get(x, y) / (p.type == PixelType::u8 ? 48 : 12000); });
        compare_early_plateaus(rig, name + " steps", steps, Picture(), c);
        Random r{79};
        const Picture markers = make(PixelType::i32, e,
                                     [&](i32, i32) { return r.next() % 301 == 0 ? static_cast<i32>(r.next() % 50) + 1 : 0; });
        const Picture mask = make(PixelType::u8, e, [&](i32 x, i32 y) { return p.get(x, y) % 7 != 0; });
        compare_watershed_variants(rig, name, p, markers, mask, c);
      }
      for (const bool lines : {false, true}) {
        rig.compare("watershed", name, {with_gaps(p, 3, 1)}, {Picture(PixelType::i32, e, 2, 1)},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                      add(extra, t.watershed(ctx, in[0], ConstPlane(), ConstPlane(), o[0], {c, lines}));
                    });
        Random r{77};
        const Picture markers = make(PixelType::i32, e,
                                     [&](i32, i32) { return r.next() % 503 == 0 ? static_cast<i32>(r.next() % 50) + 1 : 0; });
        const Picture mask = make(PixelType::u8, e, [&](i32 x, i32 y) { return p.get(x, y) % 7 != 0; });
        rig.compare("watershed with markers", name, {p, markers}, {wide},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                      add(extra, t.watershed(ctx, in[0], in[1], ConstPlane(), o[0], {c, lines}));
                    });
        rig.compare("watershed with mask", name, {p, markers, mask}, {wide},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                      add(extra, t.watershed(ctx, in[0], in[1], in[2], o[0], {c, lines}));
                    });
      }
    }
    for (const bool low : {false, true}) {
      if (gpu.max_tree) {
        compare_max_tree_variants(rig, name, p, c, low);
        const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
          t.max_tree(ctx, in[0], o[0], o[1], {c, low});
        };
        rig.compare("max_tree", name, {p}, {wide, wide}, op);
        rig.compare("max_tree", name + " with gaps", {with_gaps(p, 3, 1)},
                    {Picture(PixelType::i32, e, 3, 1), Picture(PixelType::i32, e, 1, 2)}, op);
      }
      if (gpu.max_tree && gpu.max_tree_nodes && gpu.attribute_filter) {
        for (i32 a = 0; a <= static_cast<i32>(Attribute::mean); ++a) {
          const AttributeFilterParams q{static_cast<Attribute>(a), static_cast<FilterRule>(a % 4), a % 3 ? 12.0 : 0.4, low};
          rig.compare("attribute_filter", name + " attribute " + std::to_string(a), {p}, {same, wide, wide},
                      [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra& extra) {
                        const Workspace::Scope scope(ctx.workspace);
                        const Plane node(ctx.workspace.take<i32>(static_cast<std::size_t>(in[0].extent.area())), PixelType::i32,
                                         in[0].extent);
                        NodeTable nodes = take_node_table(ctx.workspace, in[0].extent);
                        t.max_tree(ctx, in[0], o[1], o[2], {c, low});
                        t.max_tree_nodes(ctx, in[0], o[1], o[2], node, nodes);
                        t.attribute_filter(ctx, node, nodes, o[0], q);
                        add(extra, nodes.count);
                      });
        }
      }
      for (const bool gaps : {false, true}) compare_sums(rig, "max_tree_sums", grey, c, low, gaps);
      if (gpu.choose_nodes && !low) {
        NodeRule rules[2];
        rules[0].min_area = 2, rules[0].end_area = 4000, rules[0].elongation = objects::elongation_factor(4),
        rules[0].shape_power = 2;
        rules[1].end_area = 60000, rules[1].contrast = 500, rules[1].ellipticity = objects::ellipticity_factor(0.6);
        for (const NodeRule& rule : rules) {
          rig.compare("choose_nodes", name, {p}, {Picture(PixelType::u8, e, 2), wide, wide},
                      [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
                        const Workspace::Scope scope(ctx.workspace);
                        const std::size_t n = static_cast<std::size_t>(in[0].extent.area());
                        const Plane node(ctx.workspace.take<i32>(n), PixelType::i32, in[0].extent);
                        NodeTable nodes = take_node_table(ctx.workspace, in[0].extent);
                        NodeSums* sums = ctx.workspace.take<NodeSums>(n);
                        i32* map = ctx.workspace.take<i32>(n + 1);
                        t.max_tree(ctx, in[0], o[1], o[2], {c, low});
                        t.max_tree_nodes(ctx, in[0], o[1], o[2], node, nodes);
                        t.max_tree_sums(ctx, node, nodes, sums, low);
                        t.choose_nodes(ctx, nodes, sums, map,
                                       rule);  // tables may differ in the order of nodes: the image of the chosen ones may not
                        t.relabel(ctx, node, o[0], map, std::max(0, nodes.count - 1));
                      });
        }
      }
      if (gpu.area_open) {
        for (const i32 area : {1, 2, 10, 100, 257, 5000, 0x7FFFFFFF}) {  // u16 goes another way above 256
          rig.compare("area_open", name + " area " + std::to_string(area), {p}, {same},
                      [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) {
                        t.area_open(ctx, in[0], o[0], {area, c, low});
                      });
        }
      }
    }
  }
}

/// Trees of u16 whose branches are long, across many tiles and many bands of values, or end in the middle of some.
void compare_deep_trees(Rig& rig, Extent e) {
  if (!rig.gpu_table().max_tree) return;
  Random r{31};
  const auto picture = [&](auto&& value) {
    return make(PixelType::u16, e, [&](i32 x, i32 y) { return std::clamp(value(x, y), 0, 65535); });
  };
  const auto noise = [&](i32 of) { return static_cast<i32>(r.next() % static_cast<std::uint32_t>(of)); };
  const Picture smooth = blobs(e, 32);
  const auto slope = [&](i32 x, i32 y) { return (x * 2 + y * 3) * 60000 / (2 * e.width + 3 * e.height); };
  std::vector<TestImage> all;
  all.push_back({"slope", picture([&](i32 x, i32 y) { return slope(x, y) + noise(1500); })});
  all.push_back({"hills", picture([&](i32 x, i32 y) { return smooth.get(x, y) * 250 + noise(900); })});
  all.push_back({"noise", picture([&](i32, i32) { return noise(65536); })});
  all.push_back(
      {"valley", picture([&](i32 x, i32) { return std::abs(x - e.width / 2) * 65535 / (e.width / 2 + 1) + noise(200); })});
  all.push_back({"steps", picture([&](i32 x, i32 y) { return slope(x, y) / 9000 * 9000 + noise(3); })});
  all.push_back({"tiles apart",
                 picture([&](i32 x, i32 y) { return (x / 128 * 17 + y / 64 * 29) % 13 * 4500 + noise(300 + x % 128 * 60); })});
  all.push_back({"few", picture([&](i32, i32) { return 40000 + noise(5) * 100; })});
  for (const TestImage& f : all) {
    for (const Connectivity c : kBoth) {
      for (const bool low : {false, true}) {
        const std::string name = "deep " + f.name + " " + size_text(e) + c_text(c) + (low ? " low" : "");
        rig.compare(
            "max_tree", name, {f.picture}, {Picture(PixelType::i32, e), Picture()},
            [=](const OpTable& t, Context& ctx, auto& in, auto& o, Extra&) { t.max_tree(ctx, in[0], o[0], o[1], {c, low}); });
      }
    }
  }
}

}  // namespace morpho::test
