// Runs a recipe on RGB images and writes their label images, and what its objects measure: what test/bench/quality.py scores.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numbers>

#include "../native/support/npy.hpp"
#include "../native/support/recipe_defaults.hpp"

namespace {

using namespace morpho;

void write_npy(const std::string& path, const std::vector<i32>& labels, Extent e) {
  std::string head = "{'descr': '<i4', 'fortran_order': False, 'shape': (" + std::to_string(e.height) + ", " +
                     std::to_string(e.width) + "), }";
  while ((10 + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  std::ofstream out(path, std::ios::binary);
  const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
  const char size[2] = {static_cast<char>(head.size() & 255), static_cast<char>(head.size() >> 8)};
  out.write(magic, 8).write(size, 2).write(head.data(), static_cast<std::streamsize>(head.size()));
  out.write(reinterpret_cast<const char*>(labels.data()), static_cast<std::streamsize>(labels.size() * sizeof(i32)));
  if (!out) throw Error(ErrorCode::output_failed, "cannot write " + path);
}

/// Area over that of the ellipse with the same second moments.
double ellipse_fit(const ObjectMeasurement& m) {
  return static_cast<double>(m.area) / (std::numbers::pi / 4 * m.major_axis * m.minor_axis);
}

/// A line an object, in the order of its labels: what test/bench/quality_score.py orders them by.
void write_figures(const std::string& path, const ObjectSet& found) {
  std::ofstream out(path);
  out.precision(17);
  out << "area,contrast,ellipse_fit,solidity,circularity,score,second_stain,stained_area\n";
  for (const ObjectMeasurement& m : found.objects)
    out << m.area << ',' << m.contrast << ',' << ellipse_fit(m) << ',' << m.solidity << ',' << m.circularity << ',' << m.score
        << ',' << m.stain_mean[1] << ',' << m.stained_area << '\n';
  if (!out) throw Error(ErrorCode::output_failed, "cannot write " + path);
}

int score(int argc, char** argv) {
  const std::string file = argv[1], id = testing_json::read_file(file)["pipeline"].text;
  const double um_per_px = std::stod(argv[2]);
  std::vector<std::string> changes, images;
  for (int k = 3; k < argc; ++k) (std::strchr(argv[k], '=') ? changes : images).push_back(argv[k]);
  const engine::Params base = test::recipe_params(file, um_per_px, changes, false);
  Workspace workspace;
  Context ctx{workspace, 1, nullptr, nullptr};
  double ms = 0, pixels = 0;
  for (std::size_t k = 0; k + 1 < images.size(); k += 2) {
    const auto image = testing_npy::read(images[k]);
    if (image.dtype != "u1" || image.shape.size() != 3 || image.shape[2] != 3)
      throw Error(ErrorCode::invalid_parameter, images[k] + " is no RGB image of bytes");
    const Extent e{static_cast<i32>(image.shape[1]), static_cast<i32>(image.shape[0])};
    std::vector<Rgba> rgba(static_cast<std::size_t>(e.area()));
    for (std::size_t p = 0; p < rgba.size(); ++p)
      rgba[p] = {image.bytes[3 * p], image.bytes[3 * p + 1], image.bytes[3 * p + 2], 255};
    const View<const Rgba> view(rgba.data(), e);
    const engine::Params params = test::with_overview(cpu::table(), ctx, id, base, view);
    const auto start = std::chrono::steady_clock::now();
    const auto out = test::run_alone(cpu::table(), ctx, id, params, view, {0, 0, e.width, e.height});
    ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    pixels += static_cast<double>(e.area());
    std::vector<i32> labels(rgba.size(), 0);
    for (std::size_t o = 0; o < out.objects.objects.size(); ++o) {
      for (i64 r = out.objects.run_offsets[o]; r < out.objects.run_offsets[o + 1]; ++r) {
        const Run& run = out.objects.runs[static_cast<std::size_t>(r)];
        for (i32 x = run.x0; x < run.x1; ++x)
          labels[static_cast<std::size_t>(run.y) * static_cast<std::size_t>(e.width) +
                 static_cast<std::size_t>(x)] = static_cast<i32>(o + 1);
      }
    }
    write_npy(images[k + 1], labels, e);
    write_figures(images[k + 1] + ".csv", out.objects);
  }
  std::printf("%s: halo %d px, %.2f Mpx/s on one thread\n", id.c_str(), engine::halo_px(id, base), pixels / 1000 / ms);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: recipe_score RECIPE.json UM_PER_PX [stage.key=value]... (IMAGE.npy LABELS.npy)...\n");
    return 2;
  }
  try {
    return score(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "recipe_score: %s\n", e.what());
    return 70;
  }
}
