// The operations under the benchmark that none of the papers is about: what recipes need around the large ones.
#pragma once
#include <string>

#include "bench_images.hpp"
#include "bench_report.hpp"
#include "cpu/cpu_ops.hpp"

namespace bench {

inline void more(Report& report, const std::string& name, Picture<u8>& f) {
  const Extent e = f.extent;
  Workspace w;
  Context once{w, 1, nullptr, nullptr};
  const auto wants = [&](const char* op) { return report.wants(op, name); };
  const bool colors_wanted = wants("weights") || wants("color_rule") || wants("measure"), trees_wanted = wants("max_tree_sums");
  if (!colors_wanted && !trees_wanted && !wants("extended_maxima") && !wants("clear_border") && !wants("scale") &&
      !wants("root"))
    return;
  Picture<u8> out(e), binary(e);
  Picture<i32> wide(e);
  for (std::size_t i = 0; i < f.data.size(); ++i) binary.data[i] = f.data[i] > 100;
  const auto bytes = [&] { return std::vector<i32>(out.data.begin(), out.data.end()); };
  for (int c : {8, 4}) {
    if (!report.wants(c)) continue;
    const Connectivity connectivity = c == 4 ? Connectivity::four : Connectivity::eight;
    if (wants("extended_maxima")) {
      report.time(
          {"extended_maxima", "h=40", name, c, 2},
          [&](Context& ctx) { cpu::extended_extrema(ctx, f.view(), out.view(), {Extremum::maxima, 40, connectivity}); }, bytes);
    }
    if (wants("clear_border")) {
      report.time(
          {"clear_border", "", name, c, 2},
          [&](Context& ctx) { cpu::clear_border(ctx, binary.view(), out.view(), {connectivity}); }, bytes);
    }
  }
  if (trees_wanted) {
    Picture<i32> parent(e), order(e), node(e);
    cpu::max_tree(once, f.view(), parent.view(), order.view(), {});
    Workspace table_memory;
    NodeTable nodes = take_node_table(table_memory, e);
    cpu::max_tree_nodes(once, f.view(), parent.view(), order.view(), node.view(), nodes);
    std::vector<NodeSums> sums(static_cast<std::size_t>(nodes.count));
    report.time(
        {"max_tree_sums", "", name, 0,
         4 + static_cast<double>(sizeof(NodeSums)) * nodes.count / static_cast<double>(f.data.size())},
        [&](Context& ctx) { cpu::max_tree_sums(ctx, node.view(), nodes, sums.data(), false); },
        [&] {
          for (std::size_t p = 0; p < node.data.size(); ++p)
            wide.data[p] = static_cast<i32>(sums[static_cast<std::size_t>(node.data[p])].area);
          return wide.data;
        });
  }
  if (wants("scale"))
    report.time(
        {"scale", "to int32", name, 0, 5}, [&](Context& ctx) { cpu::scale(ctx, f.view(), wide.view(), {-3, 1000, 1}); },
        [&] { return wide.data; });
  if (wants("root")) {
    Picture<i32> squared(e);
    for (std::size_t i = 0; i < f.data.size(); ++i) squared.data[i] = f.data[i] * f.data[i];
    report.time(
        {"root", "", name, 0, 8}, [&](Context& ctx) { cpu::root(ctx, squared.view(), wide.view(), {16}); },
        [&] { return wide.data; });
  }
  if (!colors_wanted) return;
  Picture<Rgba> colors(e);
  for (std::size_t i = 0; i < f.data.size(); ++i) {
    const u8 v = static_cast<u8>(255 - f.data[i]);
    colors.data[i] = {v, static_cast<u8>(v - v / 8), v, 255};
  }
  if (wants("weights"))
    report.time(
        {"weights", "", name, 0, 5},
        [&](Context& ctx) { cpu::weights(ctx, colors.view(), out.view(), {-299, -587, -114, 255499, 1000}); }, bytes);
  if (wants("color_rule"))
    report.time(
        {"color_rule", "", name, 0, 5},
        [&](Context& ctx) { cpu::color_rule(ctx, colors.view(), out.view(), {{220, 220, 220}, 5, 1, 1, 1}); }, bytes);
  if (wants("measure")) {
    cpu::label(once, binary.view(), wide.view(), {});
    ObjectSet set;
    report.time(
        {"measure", "", name, 0, 8}, [&](Context& ctx) { cpu::measure(ctx, wide.view(), colors.view(), {}, {}, set, {}); },
        [&] {
          std::vector<i32> areas;
          for (const ObjectMeasurement& m : set.objects) areas.push_back(static_cast<i32>(m.area));
          return areas;
        });
  }
}

}  // namespace bench
