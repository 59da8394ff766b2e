// Computes a field of made tissue by tiles, each window with cut sides and grown until it is certified, as a run does:
//   cut_windows ASSETS RECIPE TILE SIDE TIMES
// Prints CPU seconds of all TIMES, objects, windows, certified and grown ones. count_against.py counts its instructions.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "../native/support/ground_scene.hpp"

int main(int argc, char** argv) {
  using namespace morpho;
  if (argc != 6) {
    std::fprintf(stderr, "cut_windows ASSETS RECIPE TILE SIDE TIMES\n");
    return 2;
  }
  const i32 tile = std::atoi(argv[3]), side = std::atoi(argv[4]), times = std::atoi(argv[5]);
  test::Scene scene(side, side, 5);
  scene.field(23);
  const test::Made image = test::made(scene);
  const engine::Params params = test::params_of(argv[1], argv[2], image.view());
  test::TiledObjects found;
  const std::clock_t begun = std::clock();
  for (int k = 0; k < times; ++k) found = test::objects_by_tiles(image, argv[2], params, tile, nullptr, {0, 0, side, side}, 1);
  std::printf("%.3f s, %zu objects, %d windows, %d certified, %d grown\n",
              static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC, found.objects.size(), found.windows, found.certified,
              found.grown);
  return 0;
}
