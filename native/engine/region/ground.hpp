// The ground of a whole slide (engine/window/ground.hpp), tile by tile on all workers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/window/ground.hpp"
#include "workers.hpp"
#include "raster.hpp"

namespace morpho::engine::region {

/// Which ground is meant.
struct GroundOf {
  std::shared_ptr<slide::Slide> slide;
  double scale = 1;  ///< level-0 px per px of the analysed image
  Extent image;      ///< the whole analysed image, px
  PlanPtr plan;
};

struct GroundJob : GroundOf {
  i64 tile = 0;  ///< px a side; 0: 2048, less where there would be few. No result depends on it
  /// What tiles and images may take, in bytes; 0: no limit. Images beyond it lie in one working file each.
  std::size_t memory_bytes = 0;
  std::string scratch_folder;
  WorkerOptions workers;  ///< its progress is told of two steps: "background" (each tile once), then the reconstruction's
};

class WholeGround final : public Ground {
 public:
  WholeGround(std::string key, const GroundOf& of, std::unique_ptr<Raster> raster)
      : Ground(std::move(key), of.slide, of.scale, of.image), raster_(std::move(raster)) {}
  void read(const Rect& r, void* to, std::size_t pitch) const override;
  std::vector<Rect> unknown(const Rect& r) const override;
  /// Rows of the whole image, without gaps: what a file holds from which open_ground() takes it. Throws as read().
  std::vector<u8> rows(i64 y, i64 count) const;

  std::size_t memory_bytes = 0, scratch_bytes = 0;  ///< one of them is 0
  std::vector<StageTiming> timings;                 ///< "ground", by device; its parts are read, steps, reconstruct, propagate
  std::vector<slide::Unreadable> unreadable;        ///< taken as the slide's background
  std::vector<Rect> uncertain;                      ///< px of the image that hold all that these could change
  std::vector<std::string> notes;                   ///< devices that gave up

 private:
  std::unique_ptr<Raster> raster_;
};

/// Computes it: reads each tile with the halo of the steps before the reconstruction and runs them, then reconstructs the
/// region (region_ops.hpp) in place. Exact, whatever the tile, workers and memory. Cost: the slide is read once, whole. Memory:
/// some 16 bytes a pixel of a tile with its halo, for each worker; two images of the whole, in memory or in `scratch_folder`,
/// of which one stays. Where parts could not be read, how far they matter costs two more reconstructions, and three images
/// (ground_bounds.hpp). Throws INVALID_PARAMETER (a recipe without such a reconstruction; memory for less than one tile),
/// OUTPUT_FAILED before anything is computed where the folder has no room, Cancelled, and as read_scaled. Source: Teodoro
/// 2012 §4.
std::shared_ptr<const WholeGround> compute_ground(Resources& resources, const GroundJob& job);

/// The same from a file of its rows, which another process computed: bytes of the image, row by row, in this machine's order.
/// It is read as windows need it. `uncertain`: as the other was. Throws INVALID_PARAMETER (a recipe without one), NOT_FOUND
/// (the file is not there, or shorter).
std::shared_ptr<const WholeGround> open_ground(const GroundOf& of, const std::string& path, std::vector<Rect> uncertain);

}  // namespace morpho::engine::region
