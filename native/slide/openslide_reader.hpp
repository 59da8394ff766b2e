// A slide behind OpenSlide: one handle for many threads, opened again when an error has latched on it.
#pragma once
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "level_agreement.hpp"
#include "openslide_library.hpp"
#include "tiff_index.hpp"

namespace morpho::slide {

/// OpenSlide's reads of one handle are thread-safe, but its first error latches: every later call on the handle fails, also
/// those of other threads. So reads share a lock; who meets an error takes the lock alone, opens the slide again, and
/// retries cell by cell: only cells that fail on a fresh handle are unreadable. They are remembered, so that they cost one
/// reopening each and not one per read; a slide that is opened anew tries them again. Tiles that the file has no bytes for are
/// an error to OpenSlide 3.4.1 in some formats and glass to 4.0: the first of them shows which, and the others are not asked.
class OpenSlideReader final : public Slide {
 public:
  /// Without the levels that `levels`, as judge_levels() of the same file gives them, leave out. Throws SLIDE_UNREADABLE,
  /// NOT_FOUND.
  OpenSlideReader(const OpenSlideLibrary& library, const std::string& path, const LevelAgreement& levels = {});
  ~OpenSlideReader() override;

  const SlideInfo& info() const override { return info_; }
  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) override;
  std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) override;
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override;

  /// Whether the file holds the level as one directory of JPEG tiles and OpenSlide shows their pixels unchanged.
  bool has_tiles(int level) const {
    if (level < 0 || level >= static_cast<int>(plans_.size())) return false;
    const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
    return plan.tiles && plan.aligned;
  }
  /// Whether the file holds the level as one directory of JPEG 2000 tiles of red, green and blue (Aperio's compression 33005)
  /// and OpenSlide shows their pixels unchanged.
  /// Whether it is a TIFF some of whose levels OpenSlide has decoded by libtiff, tile by tile.
  bool asks_libtiff() const {
    return tiff_ && std::any_of(plans_.begin(), plans_.end(), [](const LevelPlan& p) { return !p.tiles && !p.codestreams; });
  }
  bool has_codestreams(int level) const {
    return has_resampled_codestreams(level) && plans_[static_cast<std::size_t>(level)].aligned;
  }
  /// The same, also where OpenSlide shows them resampled.
  bool has_resampled_codestreams(int level) const {
    return level >= 0 && level < static_cast<int>(plans_.size()) && plans_[static_cast<std::size_t>(level)].codestreams;
  }
  /// Tile (tx, ty) of such a level as the file has it; nothing where it has none, or no such level. Thread-safe.
  std::optional<std::vector<u8>> tile_codestream(int level, i64 tx, i64 ty) const;
  /// What of a level is worth keeping together: its tiles, or squares of 256 px where the file has no useful ones, or OpenSlide
  /// resamples the level. 0 × 0 where there is no such level.
  Extent piece_extent(int level) const;

 private:
  /// How one level is read; entry k belongs to info_.levels[k].
  struct LevelPlan {
    std::int32_t index = 0;                      ///< OpenSlide's
    double downsample = 1;                       ///< OpenSlide's, by which it divides: not the level's own
    bool aligned = true;                         ///< every px of the level begins at a whole level-0 px for OpenSlide
    i64 cell_w = 256, cell_h = 256;              ///< what is retried on its own
    i64 chunk_w = 2048, chunk_h = 2048;          ///< what is read at once, a multiple of cells
    const TiffDirectory* tiles = nullptr;        ///< for pass-through, or null
    const TiffDirectory* whole = nullptr;        ///< where a tile without bytes is a loss, tile for tile a cell; or null
    const TiffDirectory* sparse = nullptr;       ///< where a tile without bytes may be an error to OpenSlide; or null
    const TiffDirectory* codestreams = nullptr;  ///< of JPEG 2000 tiles, or null; also where not aligned
    std::vector<u8> tables;
  };
  struct Cell {
    int level;
    i64 x, y;
    bool operator<(const Cell& o) const { return std::tie(level, x, y) < std::tie(o.level, o.x, o.y); }
  };
  enum class Outcome { good, failed, gone };
  enum class Absence { none, some, all };

  void read_levels();
  void leave_out(const std::vector<int>& levels);
  void read_properties();
  void plan_pass_through();
  void shun_absurd_tiles(const std::vector<const TiffDirectory*>& of_level);
  /// `reason` may be null. Call with the lock held.
  bool fetch(int level, const Rect& part, std::uint32_t* pixels, std::string* reason);
  bool fetch_shared(int level, const Rect& part, std::uint32_t* pixels, u64& generation);
  Outcome fetch_alone(int level, const Rect& part, std::uint32_t* pixels, u64 generation, std::string& reason);
  bool reopen(std::string& reason);
  /// Of what OpenSlide says of a handle: its properties, levels and images.
  u64 shape_of(OpenSlideHandle* handle) const;
  void require_same_again() const;
  void read_chunk(int level, const Rect& chunk, const Rect& wanted, View<Rgba> out, std::vector<Unreadable>& unreadable,
                  const ReadControl& control);
  bool touches_bad(int level, const Rect& part);
  bool is_bad(const Cell& cell, std::string& reason);
  Absence absence(int level, const Rect& part) const;
  bool lacks_tiles(int level, const Rect& part);
  std::string absent_reason();
  void report_absent(int level, const Rect& part, const Rect& wanted, std::vector<Unreadable>& unreadable) const;
  Rect to_level0(int level, const Rect& part) const;

  const OpenSlideLibrary& lib_;
  SlideInfo info_;
  std::vector<LevelPlan> plans_;
  std::unique_ptr<TiffIndex> tiff_;

  FileMark mark_;  ///< of the file that was opened: its name may come to mean another

  std::shared_mutex handle_mutex_;  ///< shared: use handle_; alone: replace it
  OpenSlideHandle* handle_ = nullptr;
  u64 shape_ = 0;
  u64 generation_ = 0;

  std::atomic<bool> any_bad_{false};
  std::mutex bad_mutex_;
  std::map<Cell, std::string> bad_;
  std::string absent_reason_;  ///< what OpenSlide said of tiles that the file has no bytes for; empty while it has not
};

}  // namespace morpho::slide
