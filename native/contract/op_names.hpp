// What users call the choices of operations: each value of an enum beside its name, so that neither depends on the other's
// place in a list. A test holds every name against the enumerator's own spelling.
#pragma once
#include <string_view>

#include "ops.hpp"

namespace morpho {

template <class E>
struct Named {
  E value;
  std::string_view name;
};

/// Names<E>::all: every value of E once, in the order in which users see them.
template <class E>
struct Names;

template <>
struct Names<By> {
  using enum By;
  static constexpr Named<By> all[] = {{dilation, "dilation"}, {erosion, "erosion"}};
};
template <>
struct Names<Connectivity> {
  using enum Connectivity;
  static constexpr Named<Connectivity> all[] = {{four, "4"}, {eight, "8"}};
};
template <>
struct Names<ReconstructVariant> {
  using enum ReconstructVariant;
  static constexpr Named<ReconstructVariant> all[] = {
      {automatic, "auto"},
      {raster_sweeps, "raster-sweeps"},
      {queue, "queue"},
      {fast_hybrid, "fast-hybrid"},
      {downhill, "downhill"},
      {priority_queue, "priority-queue"},
      {tiled_fast_hybrid, "tiled-fast-hybrid"},
      {parallel_fast_hybrid, "parallel-fast-hybrid"},
      {naive_queue, "naive-queue"},
      {prefix_queue, "prefix-queue"},
      {parallel_heap, "parallel-heap"},
  };
};
template <>
struct Names<DistanceVariant> {
  using enum DistanceVariant;
  static constexpr Named<DistanceVariant> all[] = {{automatic, "auto"}, {exact, "exact"}, {danielsson, "danielsson"}};
};
template <>
struct Names<MaxTreeVariant> {
  using enum MaxTreeVariant;
  static constexpr Named<MaxTreeVariant> all[] = {
      {automatic, "auto"},
      {union_find, "union-find"},
      {flooding, "flooding"},
      {tile_merge, "tile-merge"},
      {column_union_find, "column-union-find"},
      {border_trees, "border-trees"},
  };
};
template <>
struct Names<WatershedVariant> {
  using enum WatershedVariant;
  static constexpr Named<WatershedVariant> all[] = {
      {automatic, "auto"}, {drop_of_water, "drop-of-water"}, {cellular_automaton, "cellular-automaton"}};
};
template <>
struct Names<Attribute> {
  using enum Attribute;
  static constexpr Named<Attribute> all[] = {
      {area, "area"},
      {height, "height"},
      {volume, "volume"},
      {box_width, "box-width"},
      {box_height, "box-height"},
      {box_diagonal, "box-diagonal"},
      {elongation, "elongation"},
      {inertia, "inertia"},
      {contrast, "contrast"},
      {mean, "mean"},
  };
};
template <>
struct Names<FilterRule> {
  using enum FilterRule;
  static constexpr Named<FilterRule> all[] = {
      {direct, "direct"},
      {min, "min"},
      {max, "max"},
      {subtractive, "subtractive"},
  };
};
template <>
struct Names<Shape> {
  using enum Shape;
  static constexpr Named<Shape> all[] = {
      {disk, "disk"},
      {square, "square"},
      {line_horizontal, "line-horizontal"},
      {line_vertical, "line-vertical"},
      {line_diagonal, "line-diagonal"},
      {line_antidiagonal, "line-antidiagonal"},
      {cross, "cross"},
  };
};
template <>
struct Names<Combine> {
  using enum Combine;
  static constexpr Named<Combine> all[] = {
      {subtract, "subtract"}, {add, "add"},   {minimum, "minimum"}, {maximum, "maximum"}, {difference, "difference"},
      {greater, "greater"},   {both, "both"}, {without, "without"}, {either, "either"},
  };
};

/// The name of a value; empty for what is none of E's.
template <class E>
constexpr std::string_view name_of(E value) {
  for (const Named<E>& each : Names<E>::all) {
    if (each.value == value) return each.name;
  }
  return {};
}
/// The value of a name; throws INTERNAL for another text, as callers check what users say.
template <class E>
E value_named(std::string_view name) {
  for (const Named<E>& each : Names<E>::all) {
    if (each.name == name) return each.value;
  }
  throw Error(ErrorCode::internal, "a choice without a value: " + std::string(name));
}

}  // namespace morpho
