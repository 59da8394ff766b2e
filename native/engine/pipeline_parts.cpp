// The stage machinery that recipes share: layers to look at, compound operations, and the nuclear channel.
#include "pipeline_parts.hpp"

#include <algorithm>
#include <cstring>

namespace morpho::engine {

View<const Rgba> Stages::placed(View<const Rgba> host) {
  if (place_.on_host() || host.extent.empty()) return host;
  const std::size_t width = static_cast<std::size_t>(host.width());
  Rgba* to = place_.context().workspace.take<Rgba>(static_cast<std::size_t>(host.extent.area()));
  // sync: the window, once
  place_.upload_rows(to, host.data, static_cast<std::size_t>(host.stride) * sizeof(Rgba), width * sizeof(Rgba),
                     static_cast<std::size_t>(host.height()));
  return View<const Rgba>(to, host.extent);
}

void Stages::note_times() {
  if (!out_) return;
  for (const Span& s : spans_) {
    out_->timings.push_back({s.name, place_.name(), s.variant, place_.ms(s.from, s.to) - place_.copies_ms(s.from, s.to),
                             extent.area(), static_cast<int>(s.waits)});
  }
  if (place_.on_host()) return;
  out_->timings.push_back({"upload", place_.name(), "staged", place_.upload_ms(), extent.area(), 0});
  out_->timings.push_back({"download", place_.name(), "staged", place_.download_ms(), extent.area(), 0});
}

void Stages::keep(const char* name, ConstPlane p, bool binary) {
  if (!want_planes_ || !out_) return;
  NamedPlane kept{name, p.type, binary, {static_cast<i32>(core_.width), static_cast<i32>(core_.height)}, {}};
  Workspace::Scope temporary(place_.host_workspace());
  const std::size_t pixel = pixel_bytes(p.type), row = static_cast<std::size_t>(core_.width) * pixel;
  kept.bytes.resize(row * static_cast<std::size_t>(core_.height));
  const u8* from = read(static_cast<const u8*>(p.data),
                        static_cast<std::size_t>(p.extent.area()) * pixel);  // planes have no gaps
  for (i64 y = 0; y < core_.height; ++y) {
    const i64 start = (core_.y + y) * p.stride + core_.x;
    if (row)
      std::memcpy(kept.bytes.data() + static_cast<std::size_t>(y) * row, from + static_cast<std::size_t>(start) * pixel, row);
  }
  out_->planes.push_back(std::move(kept));
}

void Stages::keep_scaled(const char* name, ConstPlane p, i32 multiply, i32 shift) {
  if (!want_planes_ || !out_) return;
  Workspace::Scope temporary(ctx.workspace);
  Plane grey = plane_u8();
  scale(p, grey, multiply, 0, shift);
  keep(name, grey);
}

void Stages::fill_holes(ConstPlane binary, Plane out, Connectivity holes) {
  Workspace::Scope temporary(ctx.workspace);
  Plane filled = plane_u8();
  ops.fill_holes(ctx, binary, filled, {holes});
  scale(filled, out, 1);
}

void Stages::fill_small_holes(ConstPlane binary, Plane out, i32 end_area, Connectivity holes) {
  Workspace::Scope temporary(ctx.workspace);
  Plane filled = plane_u8(), large = plane_u8();
  ops.fill_holes(ctx, binary, filled, {holes});
  combine(filled, binary, large, Combine::without);
  area_filter(large, large, end_area, 2147483647, holes);
  combine(filled, large, out, Combine::without);
}

void Stages::reconstruct_within(ConstPlane marker, ConstPlane mask, Plane out, i32 reach) {
  if (reach == 0) return reconstruct(marker, mask, out);
  ops.geodesic_dilate(ctx, marker, mask, out, {reach});
}

void Stages::clear_cut_rims(Plane p, i32 reach) {
  const i32 width = p.extent.width, height = p.extent.height;
  const auto rim = [&](i64 margin, i32 size) { return margin >= halo_ ? std::min(reach, size) : 0; };
  const i32 left = rim(core_.x, width), right = rim(width - core_.x - core_.width, width);
  const i32 top = rim(core_.y, height), bottom = rim(height - core_.y - core_.height, height);
  if (left + right + top + bottom > 0) ops.clear_rim(ctx, p, {left, top, right, bottom});
}

void Stages::choose_labels(ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, Plane out, const LabelRule& rule) {
  Workspace::Scope temporary(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(count) + 1;
  LabelSums* sums = ctx.workspace.take<LabelSums>(n);
  i32* map = ctx.workspace.take<i32>(n);
  ops.label_sums(ctx, labels, count, value, below, sums);
  ops.choose_labels(ctx, sums, count, map, rule);
  ops.relabel(ctx, labels, out, map, count);
}

void Stages::depth(ConstPlane binary, Plane depth, i32 units) {
  Workspace::Scope temporary(ctx.workspace);
  Plane squared = plane_i32();
  ops.distance(ctx, binary, squared, {});
  ops.root(ctx, squared, depth, {units * units});
}

void Stages::measure(ConstPlane labels, const StainSet& stains) {
  if (!out_) return;
  MeasureParams p;
  for (int k = 0; k < 3; ++k) p.stains[k] = stains.stains[k];
  ops.measure(ctx, labels, rgba, out_->objects, p);
}

void nuclear_channel(Stages& s, Plane out, const std::string& image) {
  if (image == "hematoxylin") {
    // The hematoxylin row of the inverse of Ruifrok & Johnston's hematoxylin, eosin and DAB directions, times 65536. With a
    // residual orthogonal to hematoxylin and eosin in DAB's place, as in the stain sets, nuclei separate worse:
    // test/bench/results/quality.md.
    StainParams p;
    p.row[0] = 122866, p.row[1] = -4312, p.row[2] = -39379;
    p.units_per_od = kChannelUnits;
    s.ops.stain(s.ctx, s.rgba, out, p);
  } else if (image == "red") {
    s.ops.weights(s.ctx, s.rgba, out, {-1, 0, 0, 255, 1});
  } else {
    s.ops.weights(s.ctx, s.rgba, out, {-299, -587, -114, 255499, 1000});
  }
}

i32 level_of(Stages& s, ConstPlane channel) {
  u64 bins[256];
  s.ops.histogram(s.ctx, channel, bins);
  return std::max(otsu_level(bins, 256), kLeastLevel);
}

}  // namespace morpho::engine
