// The operations of global reach under the benchmark, with all their variants.
#pragma once
#include <string>

#include "bench_images.hpp"
#include "bench_report.hpp"
#include "cpu/cpu_ops.hpp"

namespace bench {

inline void geodesic(Report& report, const std::string& name, Picture<u8>& f) {
  const Extent e = f.extent;
  Picture<u8> out(e), marker(e), eroded(e), binary(e);
  Picture<i32> wide(e), other(e);
  const bool corridor = name == "serpentine" || name == "spiral";
  for (std::size_t i = 0; i < f.data.size(); ++i) {
    marker.data[i] = corridor ? 0 : static_cast<u8>(std::max(0, f.data[i] - 40));
    binary.data[i] = f.data[i] > 100;
  }
  if (corridor) marker.data[0] = 255;
  Workspace w;
  Context once{w, 1, nullptr, nullptr};
  const std::pair<const char*, ReconstructVariant> reconstructs[] = {{"fast_hybrid", ReconstructVariant::fast_hybrid},
                                                                     {"automatic", ReconstructVariant::automatic},
                                                                     {"queue", ReconstructVariant::queue},
                                                                     {"downhill", ReconstructVariant::downhill},
                                                                     {"priority_queue", ReconstructVariant::priority_queue},
                                                                     {"tiled_fh", ReconstructVariant::tiled_fast_hybrid},
                                                                     {"parallel_fh", ReconstructVariant::parallel_fast_hybrid},
                                                                     {"raster_sweeps", ReconstructVariant::raster_sweeps}};
  const std::pair<const char*, WatershedVariant> basins[] = {{"automatic", WatershedVariant::automatic},
                                                             {"drop_of_water", WatershedVariant::drop_of_water},
                                                             {"cellular_aut.", WatershedVariant::cellular_automaton}};
  const std::pair<const char*, MaxTreeVariant> trees[] = {{"automatic", MaxTreeVariant::automatic},
                                                          {"tile_merge", MaxTreeVariant::tile_merge},
                                                          {"flooding", MaxTreeVariant::flooding},
                                                          {"union_find", MaxTreeVariant::union_find}};
  // One pixel of a third value, so that no way for images of two values is taken; and the same in 16 bits.
  Picture<u8> grey = f;
  grey.at(e.width - 1, e.height - 1) = 128;
  Picture<u16> deep(e), deep_out(e);
  for (std::size_t i = 0; i < f.data.size(); ++i) deep.data[i] = static_cast<u16>(257 * grey.data[i]);
  const bool too_winding = name == "spiral" && e.width > 512;  // one turn of a spiral a sweep: minutes
  const auto bytes = [&] { return std::vector<i32>(out.data.begin(), out.data.end()); };
  const auto labels = [&] { return wide.data; };
  const auto deep_values = [&] { return std::vector<i32>(deep_out.data.begin(), deep_out.data.end()); };
  for (int c : {8, 4}) {
    if (!report.wants(c)) continue;
    const Connectivity connectivity = c == 4 ? Connectivity::four : Connectivity::eight;
    const auto reconstruct = [&](const char* op, Picture<u8>& from) {
      if (!report.wants(op, name)) return;
      for (const auto& [variant, v] : reconstructs) {
        if (too_winding && v == ReconstructVariant::raster_sweeps && !report.names(variant)) continue;
        report.time(
            {op, variant, name, c, 3},
            [&, v = v](Context& ctx) {
              cpu::reconstruct(ctx, from.view(), f.view(), out.view(), {By::dilation, connectivity, v});
            },
            bytes);
      }
    };
    reconstruct("reconstruct", marker);
    if (!corridor && report.wants("reconstruct_eroded", name)) {
      cpu::morphology(once, f.view(), eroded.view(), {Morphology::erode, Shape::disk, 10});
      reconstruct("reconstruct_eroded", eroded);
    }
    if (report.wants("h_maxima", name)) {
      report.time(
          {"h_maxima", "h=40", name, c, 2},
          [&](Context& ctx) { cpu::h_extrema(ctx, f.view(), out.view(), {Extremum::maxima, 40, connectivity}); }, bytes);
    }
    if (report.wants("regional_maxima", name)) {
      report.time(
          {"regional_maxima", "", name, c, 2},
          [&](Context& ctx) { cpu::regional_extrema(ctx, f.view(), out.view(), {Extremum::maxima, 1, connectivity}); }, bytes);
    }
    using Setting = void (*)(Context&, ConstPlane, Plane, const ExtremaParams&);
    const std::pair<const char*, Setting> levels[] = {
        {"h_maxima", cpu::h_extrema}, {"h_minima", cpu::h_extrema}, {"extended_maxima", cpu::extended_extrema}};
    for (const auto& [op, run] : levels) {
      const Extremum kind = std::string(op) == "h_minima" ? Extremum::minima : Extremum::maxima;
      if (!report.wants(op, name)) continue;
      if (run != cpu::h_extrema || kind == Extremum::minima) {
        report.time(
            {op, "h=40", name, c, 2, true, true},
            [&, run = run](Context& ctx) { run(ctx, f.view(), out.view(), {kind, 40, connectivity}); }, bytes);
      }
      if (run == cpu::h_extrema) {
        report.time(
            {op, "u16", name, c, 4, true, true},
            [&, run = run](Context& ctx) { run(ctx, deep.view(), deep_out.view(), {kind, 40 * 257, connectivity}); },
            deep_values);
      }
    }
    using Border = void (*)(Context&, ConstPlane, Plane, const ConnectivityParams&);
    const std::pair<const char*, Border> borders[] = {{"fill_holes", cpu::fill_holes}, {"clear_border", cpu::clear_border}};
    for (const auto& [op, run] : borders) {
      if (!report.wants(op, name)) continue;
      report.time(
          {op, "", name, c, 2, true, true},
          [&, run = run](Context& ctx) { run(ctx, binary.view(), out.view(), {connectivity}); }, bytes);
      report.time(
          {op, "grey", name, c, 2, true, true},
          [&, run = run](Context& ctx) { run(ctx, grey.view(), out.view(), {connectivity}); }, bytes);
      report.time(
          {op, "grey u16", name, c, 4, true, true},
          [&, run = run](Context& ctx) { run(ctx, deep.view(), deep_out.view(), {connectivity}); }, deep_values);
    }
    if (report.wants("label", name)) {
      Picture<u8> objects = objects_of(name, f);
      report.time(
          {"label", "", name, c, 5}, [&](Context& ctx) { cpu::label(ctx, objects.view(), wide.view(), {connectivity}); },
          labels);
    }
    if (report.wants("area_filter", name)) {
      report.time(
          {"area_filter", "", name, c, 2},
          [&](Context& ctx) { cpu::area_filter(ctx, binary.view(), out.view(), {connectivity, 30, 100000}); }, bytes);
    }
    if (report.wants("watershed", name)) {
      for (const auto& [variant, v] : basins) {
        if (too_winding && v == WatershedVariant::cellular_automaton && !report.names(variant)) continue;
        report.time(
            {"watershed", variant, name, c, 5},
            [&, v = v](Context& ctx) { cpu::watershed(ctx, f.view(), {}, {}, wide.view(), {connectivity, false, v}); }, labels);
      }
    }
    if (report.wants("watershed_markers", name)) {  // from the extended maxima of h = 20 on the inverted image
      Picture<u8> inverted(e);
      for (std::size_t i = 0; i < f.data.size(); ++i) inverted.data[i] = static_cast<u8>(255 - f.data[i]);
      cpu::extended_extrema(once, f.view(), out.view(), {Extremum::maxima, 20, connectivity});
      cpu::label(once, out.view(), other.view(), {connectivity});
      for (const auto& [variant, v] : basins) {
        if (too_winding && v == WatershedVariant::cellular_automaton && !report.names(variant)) continue;
        report.time(
            {"watershed_markers", variant, name, c, 9},
            [&, v = v](Context& ctx) {
              cpu::watershed(ctx, inverted.view(), other.view(), {}, wide.view(), {connectivity, false, v});
            },
            labels);
      }
    }
    if (report.wants("max_tree", name)) {
      for (const auto& [variant, v] : trees) {
        report.time(
            {"max_tree", variant, name, c, 9},
            [&, v = v](Context& ctx) { cpu::max_tree(ctx, f.view(), wide.view(), other.view(), {connectivity, false, v}); },
            labels);
      }
      Picture<u16> many(e);  // a grey level whose lower ones say how bright the neighbours are: branches of thousands of nodes
      for (i32 y = 0; y < e.height; ++y) {
        for (i32 x = 0; x < e.width; ++x) {
          const auto g = [&](i32 dx, i32 dy) {
            return i32{f.at(std::clamp(x + dx, 0, e.width - 1), std::clamp(y + dy, 0, e.height - 1))};
          };
          many.at(x, y) = static_cast<u16>(g(0, 0) << 8 | (g(-1, 0) + g(1, 0) + g(0, -1) + g(0, 1)) / 4);
        }
      }
      report.time(
          {"max_tree", "u16", name, c, 10, true, true},
          [&](Context& ctx) { cpu::max_tree(ctx, many.view(), wide.view(), other.view(), {connectivity, false}); }, labels);
    }
    if (report.wants("max_tree_nodes", name) || report.wants("attribute_filter", name)) {
      const Workspace::Scope scope(w);
      Picture<i32> parent(e);
      NodeTable nodes = take_node_table(w, e);
      cpu::max_tree(once, f.view(), parent.view(), other.view(), {connectivity, false});
      cpu::max_tree_nodes(once, f.view(), parent.view(), other.view(), wide.view(), nodes);
      if (report.wants("max_tree_nodes", name)) {
        report.time(
            {"max_tree_nodes", "", name, c, 9},
            [&](Context& ctx) { cpu::max_tree_nodes(ctx, f.view(), parent.view(), other.view(), wide.view(), nodes); }, labels);
      }
      const std::pair<const char*, Attribute> attributes[] = {
          {"area", Attribute::area},           {"height", Attribute::height},         {"volume", Attribute::volume},
          {"box_width", Attribute::box_width}, {"elongation", Attribute::elongation}, {"contrast", Attribute::contrast}};
      for (const auto& [attribute, a] : attributes) {
        if (!report.wants("attribute_filter", name)) continue;
        report.time(
            {std::string("attribute_filter"), attribute, name, c, 5, true, true},
            [&, a = a](Context& ctx) {
              cpu::attribute_filter(ctx, wide.view(), nodes, out.view(), {a, FilterRule::direct, 100, false});
            },
            bytes);
      }
    }
    if (report.wants("area_open", name)) {
      report.time(
          {"area_open", "area=100", name, c, 2},
          [&](Context& ctx) { cpu::area_open(ctx, f.view(), out.view(), {100, connectivity, false}); }, bytes);
    }
  }
  if (report.wants("distance", name)) {
    Picture<u8> objects = objects_of(name, f);
    report.time(
        {"distance", "exact", name, 0, 5},
        [&](Context& ctx) { cpu::distance(ctx, objects.view(), wide.view(), {1, 1, DistanceVariant::exact}); }, labels);
    report.time(
        {"distance", "danielsson", name, 0, 5, false},
        [&](Context& ctx) { cpu::distance(ctx, objects.view(), wide.view(), {1, 1, DistanceVariant::danielsson}); }, labels);
  }
}

}  // namespace bench
