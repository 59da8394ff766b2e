// The operations that the benchmark times on a GPU, with the variants that a GPU has: shared by gpu_bench and `morpho_bench
// --device gpu`.
#pragma once
#include "gpu_report.hpp"

namespace gpu_bench {

inline void put(Extra& extra, const void* data, std::size_t bytes) {
  if (!extra.wanted) return;
  const u8* p = static_cast<const u8*>(data);
  extra.insert(extra.end(), p, p + bytes);
}

/// Calls visit(Family) for every operation; `corridor` pictures leave out what would take minutes.
template <class Visit>
void each_global(Connectivity k, Visit&& visit) {
  const int c = k == Connectivity::four ? 4 : 8;
  const auto reconstruct = [&](const char* op, Slot from) {
    Family f{op, c, 3, {from, grey}, {out8}, {}};
    for (const auto& [name, v] : {std::pair<const char*, ReconstructVariant>{"automatic", ReconstructVariant::automatic},
                                  {"fast_hybrid", ReconstructVariant::fast_hybrid},
                                  {"prefix_queue", ReconstructVariant::prefix_queue},
                                  {"naive_queue", ReconstructVariant::naive_queue},
                                  {"raster_sweeps", ReconstructVariant::raster_sweeps},
                                  {"parallel_heap", ReconstructVariant::parallel_heap}}) {
      f.variants.emplace_back(name, [k, from, v = v](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
        t.reconstruct(ctx, p[from], p[grey], p[out8], {By::dilation, k, v});
      });
    }
    visit(f);
  };
  const auto single = [&](const char* op, const char* setting, double bytes, std::vector<Slot> in, std::vector<Slot> out,
                          Work work) {
    visit(Family{op, c, bytes, std::move(in), std::move(out), {{setting, std::move(work)}}});
  };
  reconstruct("reconstruct", marker);
  reconstruct("reconstruct_eroded", eroded);
  if (k == Connectivity::eight) {
    single("geodesic_dilate", "steps=100", 3, {eroded, grey}, {out8},
           [](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
             t.geodesic_dilate(ctx, p[eroded], p[grey], p[out8], {100});
           });
  }
  single("h_maxima", "h=40", 2, {grey}, {out8}, [k](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
    t.h_extrema(ctx, p[grey], p[out8], {Extremum::maxima, 40, k});
  });
  single("regional_maxima", "", 2, {grey}, {out8}, [k](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
    t.regional_extrema(ctx, p[grey], p[out8], {Extremum::maxima, 1, k});
  });
  single("fill_holes", "", 2, {binary}, {out8},
         [k](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.fill_holes(ctx, p[binary], p[out8], {k}); });
  single("label", "", 5, {objects}, {wide}, [k](const OpTable& t, Context& ctx, const Planes& p, Extra& extra) {
    const i32 n = t.label(ctx, p[objects], p[wide], {k});
    put(extra, &n, sizeof n);
  });
  single("area_filter", "", 2, {binary}, {out8}, [k](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
    t.area_filter(ctx, p[binary], p[out8], {k, 30, 100000});
  });
  const auto watershed = [&](const char* op, Slot from, bool marked, double bytes) {
    Family f{op, c, bytes, marked ? std::vector<Slot>{from, markers} : std::vector<Slot>{from}, {wide}, {}};
    for (const auto& [name, v] : {std::pair<const char*, WatershedVariant>{"automatic", WatershedVariant::automatic},
                                  {"drop_of_water", WatershedVariant::drop_of_water},
                                  {"cellular_automaton", WatershedVariant::cellular_automaton}}) {
      f.variants.emplace_back(name, [=, v = v](const OpTable& t, Context& ctx, const Planes& p, Extra& extra) {
        const i32 n = t.watershed(ctx, p[from], marked ? ConstPlane(p[markers]) : ConstPlane(), {}, p[wide], {k, false, v});
        put(extra, &n, sizeof n);
      });
    }
    visit(f);
  };
  watershed("watershed", grey, false, 5);
  watershed("watershed_sobel", sobel, false, 5);
  watershed("watershed_markers", inverted, true, 9);
  const auto tree = [&](const char* op, Slot from, double bytes) {
    const bool ordered = std::strstr(op, "parents") == nullptr;
    Family f{op, c, bytes, {from}, ordered ? std::vector<Slot>{wide, other} : std::vector<Slot>{wide}, {}};
    for (const auto& [name, v] : {std::pair<const char*, MaxTreeVariant>{"automatic", MaxTreeVariant::automatic},
                                  {"tile_merge", MaxTreeVariant::tile_merge},
                                  {"union_find", MaxTreeVariant::union_find},
                                  {"column_union_find", MaxTreeVariant::column_union_find},
                                  {"border_trees", MaxTreeVariant::border_trees}}) {
      f.variants.emplace_back(name, [=, v = v](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
        t.max_tree(ctx, p[from], p[wide], ordered ? p[other] : Plane(), {k, false, v});
      });
    }
    visit(f);
  };
  tree("max_tree", grey, 9);
  tree("max_tree_u16", grey16, 10);
  // What the published codes give: the parents without the pixels' order.
  tree("max_tree_parents", grey, 5);
  tree("max_tree_parents_u16", grey16, 6);
  if (k == Connectivity::eight) {  // the scene's tree is 8-connected
    for (const auto& [name, a] : {std::pair<const char*, Attribute>{"area", Attribute::area},
                                  {"height", Attribute::height},
                                  {"volume", Attribute::volume},
                                  {"elongation", Attribute::elongation},
                                  {"contrast", Attribute::contrast}}) {
      single("attribute_filter", name, 5, {node, table_parent, table_pixel, table_own, table_altitude, table_first}, {out8},
             [a = a](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
               t.attribute_filter(ctx, p[node], table_of(p), p[out8], {a, FilterRule::direct, 100, false});
             });
    }
  }
  single("area_open", "area=100", 2, {grey}, {out8},
         [k](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.area_open(ctx, p[grey], p[out8], {100, k, false}); });
}

template <class Visit>
void each_local(Visit&& visit) {
  const auto single = [&](const char* op, const std::string& setting, double bytes, Slot in, Slot out, Work work) {
    visit(Family{op, 0, bytes, {in}, {out}, {{setting, std::move(work)}}});
  };
  Family distances{"distance", 0, 5, {objects}, {wide}, {}};
  for (const auto& [name, v] : {std::pair<const char*, DistanceVariant>{"exact", DistanceVariant::exact},
                                {"danielsson", DistanceVariant::danielsson}}) {
    distances.variants.emplace_back(name, [v = v](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
      t.distance(ctx, p[objects], p[wide], {1, 1, v});
    });
  }
  visit(distances);
  for (const auto& [name, s] : {std::pair<const char*, Shape>{"disk", Shape::disk},
                                {"square", Shape::square},
                                {"line_diagonal", Shape::line_diagonal}}) {
    for (const i32 radius : {2, 10, 50}) {
      single("erode", std::string(name) + " r=" + std::to_string(radius), 2, grey, out8,
             [s = s, radius](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
               t.morphology(ctx, p[grey], p[out8], {Morphology::erode, s, radius});
             });
    }
  }
  single("open", "disk r=10", 2, grey, out8, [](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
    t.morphology(ctx, p[grey], p[out8], {Morphology::open, Shape::disk, 10});
  });
  for (const double sigma : {1.0, 2.0, 8.0}) {
    single("gaussian", "s=" + std::to_string(static_cast<int>(sigma)), 2, grey, out8,
           [sigma](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.gaussian(ctx, p[grey], p[out8], {sigma}); });
  }
  for (const i32 radius : {1, 2, 10}) {
    single("median", "r=" + std::to_string(radius), 2, grey, out8,
           [radius](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.median(ctx, p[grey], p[out8], {radius}); });
  }
  single("median_u16", "r=2", 4, grey16, out16,
         [](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.median(ctx, p[grey16], p[out16], {2}); });
  single("box_mean", "r=10", 2, grey, out8,
         [](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.box_mean(ctx, p[grey], p[out8], {10}); });
  single("threshold", "", 2, grey, out8,
         [](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.threshold(ctx, p[grey], p[out8], {100}); });
  visit(Family{
      "combine", 0, 3, {grey, inverted}, {out8}, {{"subtract", [](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
                                                     t.combine(ctx, p[grey], p[inverted], p[out8], {Combine::subtract});
                                                   }}}});
  const auto histogram = [&](const char* op, Slot from, std::size_t bins, double bytes) {
    visit(Family{op, 0, bytes, {from}, {}, {{"", [=](const OpTable& t, Context& ctx, const Planes& p, Extra& extra) {
                                               std::vector<u64> counts(bins);
                                               t.histogram(ctx, p[from], counts.data());
                                               put(extra, counts.data(), bins * sizeof(u64));
                                             }}}});
  };
  histogram("histogram", grey, 256, 1);
  histogram("histogram_u16", grey16, 65536, 2);
  single("stain", "", 5, rgba, out8,
         [](const OpTable& t, Context& ctx, const Planes& p, Extra&) { t.stain(ctx, colors(p[rgba]), p[out8], {}); });
  single("resample", "half", 5, rgba, half, [](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
    t.resample(ctx, colors(p[rgba]), mutable_colors(p[half]), {0, 0, 2 << 16, 2 << 16});
  });
  visit(Family{"measure", 0, 8, {labels, rgba}, {}, {{"", [](const OpTable& t, Context& ctx, const Planes& p, Extra& extra) {
                                                        ObjectSet set;
                                                        t.measure(ctx, p[labels], colors(p[rgba]), {}, {}, set, {});
                                                        put(extra, set.runs.data(), set.runs.size() * sizeof(Run));
                                                        for (const ObjectMeasurement& m : set.objects)
                                                          put(extra, &m.perimeter, sizeof m.perimeter);
                                                        for (const ObjectMeasurement& m : set.objects)
                                                          put(extra, m.stain_std, sizeof m.stain_std);
                                                      }}}});
  // What recipes do to keep some labels: their sums, the choice, the image of those that stay.
  visit(Family{
      "choose_labels", 0, 9, {labels, grey}, {wide}, {{"", [](const OpTable& t, Context& ctx, const Planes& p, Extra&) {
                                                         const i32 count = static_cast<i32>(p[labels].extent.area() / 16);
                                                         const Workspace::Scope scope(ctx.workspace);
                                                         LabelSums* sums = ctx.workspace.take<LabelSums>(
                                                             static_cast<std::size_t>(count) + 1);
                                                         i32* map = ctx.workspace.take<i32>(static_cast<std::size_t>(count) +
                                                                                            1);
                                                         LabelRule rule;
                                                         rule.min_area = 20, rule.ellipticity = 5 * (1 << 20),
                                                         rule.contrast = 16 * 20, rule.contrast_area = 100;
                                                         t.label_sums(ctx, p[labels], count, p[grey], {}, sums);
                                                         t.choose_labels(ctx, sums, count, map, rule);
                                                         t.relabel(ctx, p[labels], p[wide], map, count);
                                                       }}}});
}

template <class Visit>
void each_family(Visit&& visit) {
  for (const Connectivity k : {Connectivity::eight, Connectivity::four}) each_global(k, visit);
  each_local(visit);
}

/// The lines that these options ask for; throws INVALID_PARAMETER where there are none.
inline std::vector<std::pair<const Family, std::string>> lines_of(const Options& o) {
  std::vector<std::pair<const Family, std::string>> lines;
  std::string names;
  each_family([&](const Family& f) {
    if (names.find(f.op + ",") == std::string::npos) names += f.op + ", ";
    for (const auto& [variant, work] : f.variants) {
      if (wants(o, f, variant)) lines.emplace_back(f, variant);
    }
  });
  if (lines.empty())
    reject("--op, --only, --variant and --connectivity",
           "what some line of a GPU answers to (" + names.substr(0, names.size() - 2) + ")", "what none does");
  return lines;
}
inline void print_list(const Options& o) {
  bool first = true;
  for (const auto& [f, variant] : lines_of(o)) {
    if (o.json)
      std::printf("%s\n{\"op\": \"%s\", \"variant\": \"%s\", \"connectivity\": %d}", first ? "[" : ",", f.op.c_str(),
                  variant.c_str(), f.connectivity);
    else std::printf("%-18s %-14s %2d\n", f.op.c_str(), variant.c_str(), f.connectivity);
    first = false;
  }
  if (o.json) std::printf("]\n");
}

/// The whole benchmark. Throws GPU_UNAVAILABLE with the reason where the device is not there. Returns 1 where a result was
/// wrong.
inline int run_all(const Options& o) {
  if (o.list) return print_list(o), 0;
  lines_of(o);
  gpu::Device device(o.device);
  Report report(device, o);
  for (const i32 n : o.sizes) {
    const Extent e{n, n};
    std::vector<std::string> inputs = {o.input.empty() ? "tissue" : o.input};
    if (o.input.empty() && n == o.sizes[0]) inputs.push_back("noise");
    for (const std::string& input : inputs) {
      bench::Picture<u8> f = input == "noise"          ? bench::noise(e)
                             : input == "checkerboard" ? bench::checkerboard(e)
                             : input == "flat"         ? bench::flat(e)
                             : input == "serpentine"   ? bench::serpentine(e)
                             : input == "spiral"       ? bench::spiral(e)
                                                       : bench::tissue(o.tile, e, o.jitter);
      Scene scene(device, input, f, input == "serpentine" || input == "spiral");
      if (!o.dump.empty()) {
        const std::string stem = o.dump + "/" + input + std::to_string(n) + "_";
        scene.dump(grey, stem + "grey.npy");
        scene.dump(objects, stem + "objects.npy");
      }
      each_family([&](const Family& family) { report.run(family, scene); });
    }
  }
  return report.finish();
}

}  // namespace gpu_bench
