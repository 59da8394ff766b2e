// Comparisons of what makes and measures objects: labels, area filter, distance, measurements.
#include "cases.hpp"

namespace morpho::test {

void compare_objects(Rig& rig, const TestImage& binary) {
  const Picture& p = binary.picture;
  const Extent e = p.extent;
  for (const Connectivity c : kBoth) {
    if (rig.gpu_table().label) {
      rig.compare("label", binary.name + c_text(c), {p}, {Picture(PixelType::i32, e)},
                  [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
                    add(extra, t.label(ctx, in[0], out[0], {c}));
                  });
      rig.compare("label", binary.name + c_text(c) + " with gaps", {with_gaps(p, 13, 3)}, {Picture(PixelType::i32, e, 5, 1)},
                  [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
                    add(extra, t.label(ctx, in[0], out[0], {c}));
                  });
    }
    if (rig.gpu_table().label) {  // rows of whole 16 bytes whose pixels end between
      const std::ptrdiff_t gap = 4 - e.width % 4;
      rig.compare("label", binary.name + c_text(c) + " in aligned rows", {p}, {Picture(PixelType::i32, e, gap, 4)},
                  [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
                    add(extra, t.label(ctx, in[0], out[0], {c}));
                  });
    }
    if (rig.gpu_table().area_filter) {
      for (const auto& [low, high] : {std::pair{0, 2147483647}, {5, 100}, {30, 1000}}) {
        rig.compare("area_filter", binary.name + c_text(c), {p}, {Picture(PixelType::u8, e)},
                    [=, low = low, high = high](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                      t.area_filter(ctx, in[0], out[0], {c, low, high});
                    });
      }
      rig.compare(
          "area_filter", binary.name + c_text(c) + " in place", {with_gaps(p, 16, 16)}, {Picture(PixelType::u8, e, 16, 16)},
          [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.area_filter(ctx, in[0], out[0], {c, 10, 500}); },
          0);
    }
  }
  if (rig.gpu_table().distance) {
    for (const auto& [wx, wy] : {std::pair{1, 1}, {1, 4}, {9, 2}, {300, 1}, {65536, 65536}, {20000, 7}}) {
      rig.compare("distance", binary.name + " weights " + std::to_string(wx) + " " + std::to_string(wy), {p},
                  {Picture(PixelType::i32, e)},
                  [=, wx = wx, wy = wy](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                    DistanceParams q;
                    q.weight_x = wx;
                    q.weight_y = wy;
                    t.distance(ctx, in[0], out[0], q);
                  });
    }
    if (e.area() < 40000) {
      for (const auto& [wx, wy] : {std::pair{1, 1}, {9, 2}, {65536, 65536}, {1, 20000}}) {
        rig.compare("distance danielsson", binary.name + " weights " + std::to_string(wx) + " " + std::to_string(wy),
                    {with_gaps(p, 3, 1)}, {Picture(PixelType::i32, e, 7, 2)},
                    [=, wx = wx, wy = wy](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
                      const DistanceParams params{wx, wy, DistanceVariant::danielsson};
                      add(extra, tells_rounds(t, ctx, out[0], [&] { t.distance(ctx, in[0], out[0], params); }));
                    });
      }
      if (e.width == 1 && binary.name.find("checker") != std::string::npos) {  // wider than a pointer of 32 bits takes
        const Picture wide = make(PixelType::u8, {65537, 1}, [&](i32 x, i32) { return x % 401 != 17; });
        rig.compare("distance danielsson", binary.name + " in wide words", {wide}, {Picture(PixelType::i32, wide.extent)},
                    [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                      t.distance(ctx, in[0], out[0], {1, 3, DistanceVariant::danielsson});
                    });
      }
    }
    if (e.width == 1 &&
        binary.name.find("checker") != std::string::npos) {  // sites so far apart that whole groups of columns lie between them
      const Picture wide = make(PixelType::u8, {5000, 3},
                                [](i32 x, i32 y) { return !(y == 2 && (x == 4400 || x == 1023 || x == 1025)); });
      const Picture last = make(PixelType::u8, {3500, 40}, [](i32 x, i32 y) { return !(y == 39 && x == 3499); });
      for (const auto& [wx, wy] : {std::pair{1, 1}, {1, 65536}, {300, 2}}) {
        const Op op = [=, wx = wx, wy = wy](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
          t.distance(ctx, in[0], out[0], {wx, wy, DistanceVariant::automatic});
        };
        rig.compare("distance", "few zeros far apart", {wide}, {Picture(PixelType::i32, wide.extent)}, op);
        rig.compare("distance", "a zero in the last corner", {last}, {Picture(PixelType::i32, last.extent)}, op);
      }
    }
    rig.compare("distance", binary.name + " with gaps", {with_gaps(p, 3, 1)}, {Picture(PixelType::i32, e, 7, 2)},
                [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.distance(ctx, in[0], out[0], {}); });
  }
}

void compare_values(Rig& rig, const TestImage& values) {
  if (!rig.gpu_table().label) return;
  const Extent e = values.picture.extent;
  for (const Connectivity c : kBoth) {
    const Op op = [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
      add(extra, t.label(ctx, in[0], out[0], {c}));
    };
    rig.compare("label of values", values.name + c_text(c), {values.picture}, {Picture(PixelType::i32, e)}, op);
    rig.compare("label of values", values.name + c_text(c) + " with gaps", {with_gaps(values.picture, 9, 5)},
                {Picture(PixelType::i32, e, 1, 3)}, op);
  }
}

namespace {

void add_objects(Extra& extra, const ObjectSet& set) {
  add(extra, set.run_offsets);
  for (const Run& r : set.runs) {
    add(extra, r.y);
    add(extra, r.x0);
    add(extra, r.x1);
  }
  for (const ObjectMeasurement& m : set.objects) {
    for (i32 v : {m.label, m.first_x, m.first_y, m.min_x, m.min_y, m.max_x, m.max_y}) add(extra, v);
    add(extra, m.area);
    for (double v : {m.perimeter, m.centroid_x, m.centroid_y, m.major_axis, m.minor_axis, m.eccentricity, m.orientation,
                     m.circularity, m.solidity})
      add(extra, v);
    for (int s = 0; s < 3; ++s) {
      for (double v : {m.stain_mean[s], m.stain_std[s], m.stain_min[s], m.stain_max[s]}) add(extra, v);
    }
    add(extra, m.contrast);
    add(extra, m.score);
    add(extra, m.stained_area);
  }
}

/// Two segmentations of squares, of which the second's are larger and others' neighbours: some belong, some win, some overlap.
void compare_better(Rig& rig, const std::string& name, const Picture& sparse, const Picture& grey) {
  if (!rig.gpu_table().better_labels) return;
  const Extent e = sparse.extent;
  const auto squares = [&](i32 side, i32 gap, i32 shift) {
    const i32 across = e.width / side + 2;
    return make(PixelType::i32, e, [=](i32 x, i32 y) {
      const i32 u = x + shift, v = y + shift;
      return u % side < gap || v % side < gap || (u / side * 7 + v / side * 3) % 5 == 0 ? 0 : v / side * across + u / side + 1;
    });
  };
  PreferenceRule rules[2];
  rules[0].fit_none = 800, rules[0].edge_full = 100 * 256, rules[0].area_full = 90;
  rules[1] = rules[0], rules[1].area_full = 400, rules[1].least = 300000;
  const std::pair<Picture, Picture> pairs[] = {
      {squares(5, 1, 0), squares(11, 2, 1)}, {squares(13, 1, 3), squares(9, 1, 0)}, {squares(7, 1, 2), squares(7, 1, 2)}};
  for (const auto& [kept, candidates] : pairs) {
    for (const PreferenceRule& rule : rules) {
      for (const i32 count : {1, 60, 200000}) {
        rig.compare("better_labels", name + " of " + std::to_string(count),
                    {with_gaps(kept, 3, 1), with_gaps(candidates, 1, 2), with_gaps(grey, 5, 2)}, {Picture(PixelType::u8, e, 3)},
                    [=](const OpTable& t, Context& c, auto& in, auto& out, Extra&) {
                      const Workspace::Scope scope(c.workspace);
                      LabelSums* sums[2];
                      for (std::size_t k = 0; k < 2; ++k) {
                        sums[k] = c.workspace.template take<LabelSums>(static_cast<std::size_t>(count) + 1);
                        t.label_sums(c, in[k], count, {}, {}, sums[k]);
                      }
                      t.better_labels(c, {in[0], count, sums[0]}, {in[1], count, sums[1]}, in[2], out[0], rule);
                    });
      }
    }
  }
}

/// Sums of labels, which labels stay, and the image of those: dense labels, labels that are left out, one that fills most of
/// the image.
void compare_choice(Rig& rig, const std::string& name, const Picture& sparse, const Picture& rgb) {
  const Extent e = sparse.extent;
  const Picture grey = luminance(rgb),
                lower = make(PixelType::u8, e, [&](i32 x, i32 y) { return (grey.get(x, y) * 3 + x) % 200; });
  const Picture deep = make(PixelType::u16, e, [&](i32 x, i32 y) { return 257 * grey.get(x, y); }),
                deep_lower = make(PixelType::u16, e, [&](i32 x, i32 y) { return 300 * lower.get(x, y) + y % 7; });
  const Picture few = make(PixelType::i32, e, [&](i32 x, i32 y) { return sparse.get(x, y) % 40; });
  const Picture flat = make(PixelType::i32, e, [&](i32 x, i32 y) { return (x + 2 * y) % 17 ? 5 : 0; });
  constexpr i32 count = 31, words = sizeof(LabelSums) / 4 * (count + 1);
  LabelRule rules[4];
  rules[0].min_area = 4, rules[0].end_area = 300;
  rules[1].ellipticity = 80 * (1 << 16), rules[1].mean_above = 5000;
  rules[2].contrast = 300, rules[2].contrast_area = 100;
  rules[3] = rules[2], rules[3].contrast_per = 3;
  for (const Picture* labels : {&few, &flat}) {
    const std::string input = name + (labels == &flat ? " one label" : "");
    for (const int images : {0, 1, 2, -2}) {
      const Picture& over = images < 0 ? deep : grey;
      rig.compare("label_sums", input + " " + std::to_string(images) + " images",
                  {with_gaps(*labels, 3, 1), with_gaps(over, 5, 2), images < 0 ? deep_lower : lower},
                  {Picture(PixelType::i32, {words, 1})}, [=](const OpTable& t, Context& c, auto& in, auto& out, Extra&) {
                    t.label_sums(c, in[0], count, images != 0 ? ConstPlane(in[1]) : ConstPlane(),
                                 images * images > 1 ? ConstPlane(in[2]) : ConstPlane(), static_cast<LabelSums*>(out[0].data));
                  });
    }
    for (const LabelRule& rule : rules) {
      rig.compare("choose_labels", input, {*labels, grey},
                  {Picture(PixelType::i32, {count + 1, 1}), Picture(PixelType::i32, e, 2), Picture(PixelType::u8, e)},
                  [=](const OpTable& t, Context& c, auto& in, auto& out, Extra&) {
                    const Workspace::Scope scope(c.workspace);
                    LabelSums* sums = c.workspace.template take<LabelSums>(count + 1);
                    t.label_sums(c, in[0], count, in[1], {}, sums);
                    t.choose_labels(c, sums, count, static_cast<i32*>(out[0].data), rule);
                    t.relabel(c, in[0], out[1], static_cast<const i32*>(out[0].data), count);
                    t.relabel(c, in[0], out[2], static_cast<const i32*>(out[0].data), count);
                  });
    }
  }
  rig.compare("choose_labels", name + " of 100000", {sparse},
              {Picture(PixelType::i32, {100001, 1}), Picture(PixelType::i32, e)},
              [=](const OpTable& t, Context& c, auto& in, auto& out, Extra&) {
                const Workspace::Scope scope(c.workspace);
                LabelSums* sums = c.workspace.template take<LabelSums>(100001);
                t.label_sums(c, in[0], 100000, {}, {}, sums);
                t.choose_labels(c, sums, 100000, static_cast<i32*>(out[0].data), {});
                t.relabel(c, in[0], out[1], static_cast<const i32*>(out[0].data), 100000);
              });
  compare_better(rig, name, sparse, grey);
  for (const RimParams& rim : {RimParams{3, 0, 0, 2}, {0, 1, 900, 0}, {2, 2, 2, 2}}) {
    rig.compare(
        "clear_rim", name, {with_gaps(few, 3, 1)}, {Picture(PixelType::i32, e, 3, 1)},
        [=](const OpTable& t, Context& c, auto&, auto& out, Extra&) { t.clear_rim(c, out[0], rim); }, 0);
  }
}

}  // namespace

void compare_measure(Rig& rig, const TestImage& binary, const Picture& rgb) {
  if (!rig.gpu_table().measure) return;
  MeasureParams p;
  p.stains[0].row[0] = 101000;
  p.stains[0].row[1] = -40000;
  p.stains[1].row[1] = 65536;
  p.stains[2].row[2] = 70000;
  p.stains[2].white[0] = 240;
  p.stained = 1, p.stained_above = 300;
  // Labels from the CPU, so that this comparison stands alone; some labels are made sparse and negative.
  Picture labels(PixelType::i32, binary.picture.extent);
  Picture copy = binary.picture;
  Workspace work;
  Context ctx{work, 1, nullptr, nullptr};
  cpu::table().label(ctx, copy.plane(), labels.plane(), {Connectivity::eight});
  for (i32 y = 0; y < labels.extent.height; ++y) {
    for (i32 x = 0; x < labels.extent.width; ++x) {
      const i32 v = labels.get(x, y);
      labels.set(x, y, v == 0 ? 0 : v % 11 == 3 ? -v : v * 5 % 1000003);
    }
  }
  compare_choice(rig, binary.name, labels, rgb);
  rig.compare("measure", binary.name, {labels, rgb}, {}, [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
    ObjectSet set;
    t.measure(c, in[0], colors(in[1]), {}, {}, set, p);
    add_objects(extra, set);
  });
  // What lies under objects above a lower envelope, and above nothing; with colours, and without.
  const Picture grey = luminance(rgb),
                lower = make(PixelType::u8, grey.extent, [&](i32 x, i32 y) { return (grey.get(x, y) * 3 + x) % 200; });
  p.contrast_per = 43, p.contrast_area = 190;
  for (const bool above : {true, false}) {
    p.aspect = above ? 0.5 : 3.7;
    rig.compare("measure", binary.name + (above ? " above a plane" : " of a plane"),
                {labels, rgb, with_gaps(grey, 5, 2), with_gaps(lower, 1, 3)}, {},
                [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
                  ObjectSet set;
                  t.measure(c, in[0], above ? colors(in[1]) : View<const Rgba>(), in[2],
                            above ? ConstPlane(in[3]) : ConstPlane(), set, p);
                  add_objects(extra, set);
                });
  }
  const auto deepened = [&](const Picture& p) {
    return make(PixelType::u16, p.extent, [&](i32 x, i32 y) { return 256 * p.get(x, y) + (x + y) % 256; }, 1, 1);
  };
  rig.compare("measure", binary.name + " at 16 bits", {labels, rgb, deepened(grey), deepened(lower)}, {},
              [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
                ObjectSet set;
                t.measure(c, in[0], colors(in[1]), in[2], in[3], set, p);
                add_objects(extra, set);
              });
  if (labels.extent.width == 1 &&
      binary.name.find("checker") != std::string::npos) {  // squares of columns that pass 64 bits when summed
    const Picture wide = make(PixelType::i32, {3000000, 2},
                              [](i32 x, i32 y) { return y == 0 || x % 1000 != 3 ? 1 + x / 1400000 : 0; });
    rig.compare("measure", "a wide image", {wide}, {}, [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
      ObjectSet set;
      t.measure(c, in[0], View<const Rgba>(), {}, {}, set, p);
      add_objects(extra, set);
    });
  }
  if (labels.extent.width == 1 && binary.name.find("checker") != std::string::npos) {
    // Objects that a block's threads share: a lens with many corners, ragged ones, one with missing rows, and heights about the
    // limit.
    Random r{91};
    std::vector<i32> noise(3000);
    for (i32& v : noise) v = static_cast<i32>(r.next() % 17);
    const Picture tall = make(PixelType::i32, {200, 1500}, [&](i32 x, i32 y) {
      const i32 band = x / 40, u = x % 40, bulge = static_cast<i32>(i64{y} * (1499 - y) * 19 / (750 * 749));
      if (band == 0) return u >= 20 - bulge && u < 20 + bulge ? 7 : 0;
      if (band == 1)
        return u >= noise[static_cast<std::size_t>(y)] && u < 38 - noise[static_cast<std::size_t>(y + 1500)] ? 3 : 0;
      if (band == 2) return u >= y / 50 && u < y / 50 + 4 && y % 97 < 60 ? 12 : 0;
      if (band == 3)
        return u < 20 ? (y >= 10 && y < 138 ? 20 : 0)
                      : (y >= 10 && y < 139 && u < 39 - noise[static_cast<std::size_t>(y)] ? 21 : 0);
      return u > 10 && u < 30 ? 100 + y / 191 : 0;
    });
    const Picture values = luminance(color_picture(tall.extent, 5));
    rig.compare("measure", "a tall image", {tall, values}, {},
                [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
                  ObjectSet set;
                  t.measure(c, in[0], View<const Rgba>(), in[1], {}, set, p);
                  add_objects(extra, set);
                });
  }
  if (labels.extent.width == 1 && binary.name.find("checker") != std::string::npos) {
    // More results than copies of a few chunks hold: every pixel its own object, and every second one.
    const Extent many{170, 160};
    for (const i32 step : {1, 2}) {
      const Picture single = make(PixelType::i32, many, [&](i32 x, i32 y) { return x % step ? 0 : 1 + y * many.width + x; });
      rig.compare("measure", "objects of a pixel, every " + std::to_string(step), {single, color_picture(many, 17)}, {},
                  [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
                    ObjectSet set;
                    t.measure(c, in[0], step == 1 ? colors(in[1]) : View<const Rgba>(), {}, {}, set, p);
                    add_objects(extra, set);
                  });
    }
    const Picture runs = make(PixelType::i32, {1400, 600}, [](i32 x, i32 y) { return x % 2 ? 0 : 1 + (x * 7 + y) % 5; });
    rig.compare("measure", "five objects of many runs", {runs, luminance(color_picture(runs.extent, 3))}, {},
                [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
                  ObjectSet set;
                  set.objects.resize(9);
                  t.measure(c, in[0], View<const Rgba>(), in[1], {}, set, p);
                  add_objects(extra, set);
                });
  }
  rig.compare("measure", binary.name + " without colours", {with_gaps(labels, 3, 1)}, {},
              [=](const OpTable& t, Context& c, auto& in, auto&, Extra& extra) {
                ObjectSet set;
                t.measure(c, in[0], View<const Rgba>(), {}, {}, set, p);
                add_objects(extra, set);
              });
}

}  // namespace morpho::test
