// Declares the GPU implementation of every entry of the operation tables; contract/ops.hpp and tiled.hpp say what each one
// means.
#pragma once
#include "contract/tiled.hpp"

namespace morpho::gpu {

void reconstruct(Context&, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams&);
void geodesic_dilate(Context&, ConstPlane marker, ConstPlane mask, Plane out, const GeodesicParams&);
void h_extrema(Context&, ConstPlane f, Plane out, const ExtremaParams&);
void extended_extrema(Context&, ConstPlane f, Plane out, const ExtremaParams&);
void regional_extrema(Context&, ConstPlane f, Plane out, const ExtremaParams&);
void fill_holes(Context&, ConstPlane f, Plane out, const ConnectivityParams&);
void clear_border(Context&, ConstPlane f, Plane out, const ConnectivityParams&);

void distance(Context&, ConstPlane binary, Plane squared, const DistanceParams&);
void distance_strip(Context&, ConstPlane binary, const StripColumns& beyond, Plane squared, const DistanceParams&);

void max_tree(Context&, ConstPlane f, Plane parent, Plane order, const MaxTreeParams&);
void max_tree_nodes(Context&, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node, NodeTable& nodes);
void max_tree_sums(Context&, ConstPlane node, const NodeTable& nodes, NodeSums* sums, bool min_tree);
void attribute_filter(Context&, ConstPlane node, const NodeTable& nodes, Plane out, const AttributeFilterParams&);
void area_open(Context&, ConstPlane f, Plane out, const AreaOpenParams&);

i32 label(Context&, ConstPlane in, Plane labels, const ConnectivityParams&);
i32 watershed(Context&, ConstPlane f, ConstPlane markers, ConstPlane mask, Plane labels, const WatershedParams&);
void area_filter(Context&, ConstPlane binary, Plane out, const AreaFilterParams&);

void morphology(Context&, ConstPlane f, Plane out, const MorphologyParams&);
void gaussian(Context&, ConstPlane f, Plane out, const GaussianParams&);
void median(Context&, ConstPlane f, Plane out, const RadiusParams&);
void box_mean(Context&, ConstPlane f, Plane out, const RadiusParams&);
void threshold(Context&, ConstPlane f, Plane out, const ThresholdParams&);
void combine(Context&, ConstPlane a, ConstPlane b, Plane out, const CombineParams&);
void scale(Context&, ConstPlane a, Plane out, const ScaleParams&);
void root(Context&, ConstPlane a, Plane out, const RootParams&);

void histogram(Context&, ConstPlane f, u64* bins);
void stain(Context&, View<const Rgba> rgba, Plane out, const StainParams&);
void weights(Context&, View<const Rgba> rgba, Plane out, const WeightsParams&);
void color_rule(Context&, View<const Rgba> rgba, Plane out, const ColorRuleParams&);
void resample(Context&, View<const Rgba> in, View<Rgba> out, const ResampleParams&);
void measure(Context&, ConstPlane labels, View<const Rgba> rgba, ConstPlane value, ConstPlane below, ObjectSet& out,
             const MeasureParams&);

void label_sums(Context&, ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, LabelSums* sums);
void choose_labels(Context&, const LabelSums* sums, i32 count, i32* map, const LabelRule&);
void relabel(Context&, ConstPlane labels, Plane out, const i32* map, i32 count);
void choose_nodes(Context&, const NodeTable& nodes, const NodeSums* sums, i32* map, const NodeRule&);
void clear_rim(Context&, Plane image, const RimParams&);

}  // namespace morpho::gpu
