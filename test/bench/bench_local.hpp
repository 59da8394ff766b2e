// The local operations under the benchmark.
#pragma once
#include <string>

#include "bench_images.hpp"
#include "bench_report.hpp"
#include "cpu/cpu_ops.hpp"

namespace bench {

inline void local(Report& report, const std::string& name, Picture<u8>& f) {
  const Extent e = f.extent;
  Picture<u8> out(e);
  const auto bytes = [&] { return std::vector<i32>(out.data.begin(), out.data.end()); };
  const auto run = [&](const std::string& op, const std::string& variant, double bytes_per_pixel,
                       const std::function<void(Context&)>& work) {
    if (report.wants(op, name)) report.time({op, variant, name, 0, bytes_per_pixel, true, true}, work, bytes);
  };
  const std::pair<const char*, Shape> shapes[] = {{"disk", Shape::disk},
                                                  {"square", Shape::square},
                                                  {"line_h", Shape::line_horizontal},
                                                  {"line_v", Shape::line_vertical},
                                                  {"line_diagonal", Shape::line_diagonal}};
  for (const auto& [shape, s] : shapes) {
    for (i32 radius : {2, 10, 50}) {
      run("erode", std::string(shape) + " r=" + std::to_string(radius), 2,
          [&, s = s](Context& ctx) { cpu::morphology(ctx, f.view(), out.view(), {Morphology::erode, s, radius}); });
    }
  }
  run("erode", "cross r=10", 2,
      [&](Context& ctx) { cpu::morphology(ctx, f.view(), out.view(), {Morphology::erode, Shape::cross, 10}); });
  run("dilate", "disk r=10", 2,
      [&](Context& ctx) { cpu::morphology(ctx, f.view(), out.view(), {Morphology::dilate, Shape::disk, 10}); });
  run("open", "square r=10", 2,
      [&](Context& ctx) { cpu::morphology(ctx, f.view(), out.view(), {Morphology::open, Shape::square, 10}); });
  run("open", "disk r=10", 2,
      [&](Context& ctx) { cpu::morphology(ctx, f.view(), out.view(), {Morphology::open, Shape::disk, 10}); });
  for (double sigma : {1.0, 2.0, 8.0}) {
    run("gaussian", "s=" + std::to_string(static_cast<int>(sigma)), 2,
        [&](Context& ctx) { cpu::gaussian(ctx, f.view(), out.view(), {sigma}); });
  }
  for (i32 radius : {1, 2, 10}) {
    run("median", "r=" + std::to_string(radius), 2, [&](Context& ctx) { cpu::median(ctx, f.view(), out.view(), {radius}); });
  }
  run("box_mean", "r=10", 2, [&](Context& ctx) { cpu::box_mean(ctx, f.view(), out.view(), {10}); });
  run("threshold", "", 2, [&](Context& ctx) { cpu::threshold(ctx, f.view(), out.view(), {100}); });
  run("combine", "subtract", 3, [&](Context& ctx) { cpu::combine(ctx, f.view(), f.view(), out.view(), {Combine::subtract}); });
  run("combine", "difference", 3,
      [&](Context& ctx) { cpu::combine(ctx, f.view(), f.view(), out.view(), {Combine::difference}); });
  run("otsu", "", 1, [&](Context& ctx) {
    u64 bins[256];
    cpu::histogram(ctx, f.view(), bins);
    out.data[0] = static_cast<u8>(otsu_level(bins, 256));
  });
  if (report.wants("box_mean", name)) {
    Picture<u16> deep(e), blurred(e);
    for (std::size_t i = 0; i < f.data.size(); ++i) deep.data[i] = static_cast<u16>(16 * f.data[i] + i % 16);
    report.time(
        {"box_mean", "u16 r=10", name, 0, 4, true, true},
        [&](Context& ctx) { cpu::box_mean(ctx, deep.view(), blurred.view(), {10}); },
        [&] { return std::vector<i32>(blurred.data.begin(), blurred.data.end()); });
  }
  if (report.wants("otsu", name)) {
    Picture<u16> deep(e);
    for (std::size_t i = 0; i < f.data.size(); ++i)
      deep.data[i] = static_cast<u16>(16 * f.data[i] + i % 16);  // as of a 12-bit camera
    std::vector<u64> bins(65536);
    run("otsu", "u16", 2, [&](Context& ctx) {
      cpu::histogram(ctx, deep.view(), bins.data());
      out.data[0] = static_cast<u8>(otsu_level(bins.data(), 65536) >> 4);
    });
  }
  if (!report.wants("stain", name) && !report.wants("resample", name)) return;
  Picture<Rgba> colors(e), smaller({(e.width + 1) / 2, (e.height + 1) / 2});
  for (std::size_t i = 0; i < f.data.size(); ++i) {
    const u8 v = static_cast<u8>(255 - f.data[i]);
    colors.data[i] = {v, static_cast<u8>(v - v / 8), v, 255};
  }
  run("stain", "", 5, [&](Context& ctx) { cpu::stain(ctx, colors.view(), out.view(), {}); });
  run("resample", "half", 5,
      [&](Context& ctx) { cpu::resample(ctx, colors.view(), smaller.view(), {0, 0, 2 << 16, 2 << 16}); });
}

}  // namespace bench
