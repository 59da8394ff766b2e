// Calls one operation so many times on a small image that costs little to make: for count_arm64.sh, which counts a whole
// program.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "contract/ops.hpp"
#include "cpu/cpu_ops.hpp"

using namespace morpho;

namespace {

constexpr i32 kSize = 128;

/// Blobs with noise: sums of far and near hashes.
std::vector<u8> image() {
  std::vector<u8> pixels(kSize * kSize);
  for (i32 y = 0; y < kSize; ++y) {
    for (i32 x = 0; x < kSize; ++x) {
      const auto hash = [&](i32 a, i32 b) {
        return ((static_cast<unsigned>(a) * 73856093u ^ static_cast<unsigned>(b) * 19349663u) * 2654435761u) >> 24;
      };
      const unsigned v = (3 * hash(x / 12, y / 12) + hash(x, y)) / 4;
      pixels[static_cast<std::size_t>(y) * kSize + static_cast<std::size_t>(x)] = static_cast<u8>(v);
    }
  }
  return pixels;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::puts("op_calls OPERATION TIMES"), 2;
  const std::string op = argv[1];
  const Extent extent{kSize, kSize};
  auto f = image(), g = f, out = f;
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = static_cast<u8>(f[i] > 40 ? f[i] - 40 : 0);
  std::vector<i32> numbers(kSize * kSize);
  const Plane to = View<u8>(out.data(), extent);
  const ConstPlane from = View<const u8>(f.data(), extent), low = View<const u8>(g.data(), extent);
  Workspace workspace;
  Context ctx{workspace};
  ctx.threads = 1;
  const OpTable& table = cpu::table();
  for (int i = std::atoi(argv[2]); i > 0; --i) {
    if (op == "threshold") table.threshold(ctx, from, to, {130});
    else if (op == "subtract") table.combine(ctx, from, low, to, {Combine::subtract});
    else if (op == "gaussian") table.gaussian(ctx, from, to, {2.0});
    else if (op == "box_mean") table.box_mean(ctx, from, to, {7});
    else if (op == "median_1") table.median(ctx, from, to, {1});
    else if (op == "median_10") table.median(ctx, from, to, {10});
    else if (op == "fill_holes") table.fill_holes(ctx, from, to, {});
    else if (op == "reconstruct") table.reconstruct(ctx, low, from, to, {});
    else if (op == "distance") table.distance(ctx, from, View<i32>(numbers.data(), extent), {});
    else if (op == "watershed") table.watershed(ctx, from, {}, {}, View<i32>(numbers.data(), extent), {Connectivity::eight});
    else return std::puts("no such operation"), 2;
  }
  return 0;
}
