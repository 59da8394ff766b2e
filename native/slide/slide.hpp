// What every slide reader offers, whatever library is behind it. Slides are hostile input: every failure is an Error that names
// the file.
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../contract/context.hpp"
#include "../contract/view.hpp"
#include "channel.hpp"

namespace morpho::slide {

struct Level {
  i64 width = 0, height = 0;
  double downsample = 1;                ///< level-0 px per px, along the longer side; not always an integer
  i64 tile_width = 0, tile_height = 0;  ///< 0 where the file has no useful tiles
  double own_x = 0, own_y = 0;          ///< of each side; 0 = downsample

  double downsample_x() const { return own_x > 0 ? own_x : downsample; }
  double downsample_y() const { return own_y > 0 ? own_y : downsample; }
};
struct SlideInfo {
  std::string path, vendor, reader, reader_version;
  std::vector<Level> levels;
  double mpp_x = 0, mpp_y = 0;  ///< 0 = uncalibrated
  std::string mpp_source;       ///< "vendor", "tiff-resolution", "ome-xml", "given", "none"
  double objective_power = 0;   ///< 0 = unknown
  Rect bounds;                  ///< level-0 px of the part that holds tissue; the whole canvas where not stated
  Rgba background{255, 255, 255, 255};
  /// Of what is analysed, in bits: 16 where it is one channel that a u8 does not hold. Patches have it so too.
  int depth = 8;
  /// All that the file has; empty where the reader gives one picture in 8-bit colours and knows no more.
  std::vector<Channel> channels;
  std::vector<std::string> associated;            ///< names only
  std::map<std::string, std::string> properties;  ///< valid UTF-8; invalid bytes replaced
  std::vector<std::string> warnings;              ///< in the user's words, e.g. that mpp was "0"
  /// Why all pixels may be others than the intact file's, in the user's words: something was not read while it was opened, and
  /// will not be read again. Empty: they are the file's.
  std::string uncertain_pixels;
};
/// A part of a read that the file could not give (level-0 px), already filled with the background.
struct Unreadable {
  Rect region;
  std::string reason;
};

/// Pixels of a level where they lie in memory already.
struct Patch {
  View<const Rgba> pixels;
  std::shared_ptr<const void> owner;  ///< keeps them
  View<const u16> deep = {};          ///< the same at 16 bits, of slides that have them (SlideInfo::depth)
};
/// Rows of a level as patches side by side, from left to right, each with all of the rows.
struct Band {
  i64 y = 0, height = 0;  ///< level px
  std::vector<Patch> patches;
};

/// What may end a read before it is done. Looked at between the pieces that a library decodes at once (some megapixels).
class ReadControl {
 public:
  /// Never ends.
  ReadControl() = default;
  /// Ends when `cancel` (may be null) is set, or after `limit` of this thread's own computing time (0 = no limit), and in any
  /// case after eight times as long by the clock: a busy machine must not make a picture fail, and a drive that is gone must.
  ReadControl(const CancelFlag* cancel, std::chrono::milliseconds limit);
  /// Ends also at the first part that cannot be read, for who has no use for the rest then. Copies share what was lost.
  ReadControl all_or_nothing() const;
  /// Readers say so of each part that they cannot read, with its reason.
  void lost(const std::string& reason) const;
  void check_cancelled() const {
    if (cancel_ && cancel_->load(std::memory_order_relaxed)) throw Cancelled{};
  }
  /// True once the time is up, or where it was all or nothing and something is lost. Throws Cancelled.
  bool expired() const;
  bool out_of_time() const;
  /// In the user's words: of the time that is up, or of what was lost.
  std::string reason() const;

 private:
  struct Loss {
    std::atomic<bool> any{false};
    std::mutex mutex;
    std::string reason;
  };
  std::shared_ptr<Loss> loss_;
  const CancelFlag* cancel_ = nullptr;
  std::chrono::milliseconds limit_{0};
  std::chrono::nanoseconds computed_before_{0};
  std::chrono::steady_clock::time_point begun_;
};

/// Thread-safe: reads may come from several threads at once.
class Slide {
 public:
  virtual ~Slide() = default;
  virtual const SlideInfo& info() const = 0;
  /// Reads w×h pixels of `level` from (x, y) in that level's own px (may lie partly or wholly outside: background). Opaque.
  /// What `control` left no time for is unreadable for its reason.
  virtual std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control = {}) = 0;
  /// The samples of one of the info's channels as the file has them, of `part` (level px, inside the level). What is unreadable
  /// is 0, and added to `unreadable`.
  virtual ChannelSamples samples([[maybe_unused]] int level, [[maybe_unused]] int channel, [[maybe_unused]] const Rect& part,
                                 [[maybe_unused]] std::vector<Unreadable>& unreadable,
                                 [[maybe_unused]] const ReadControl& control = {}) {
    return {};
  }
  /// The first rows of `part` (level px, inside the level) without a copy: down to the end of the row of tiles there. No
  /// patches where the reader holds no pixels of that level; then read() gives them. What is unreadable is added to
  /// `unreadable` and is background.
  virtual Band band([[maybe_unused]] int level, [[maybe_unused]] const Rect& part,
                    [[maybe_unused]] std::vector<Unreadable>& unreadable, [[maybe_unused]] const ReadControl& control = {}) {
    return {};
  }
  /// What of `level` band() keeps together: pieces of this size from the level's corner on; 0 × 0 where it keeps none. They
  /// need not be the level's stated tiles.
  virtual Extent kept_extent([[maybe_unused]] int level) const { return {}; }
  /// This slide at `scale` (level-0 px per px) where the colours of areas are all that is wanted: near its pixels and not the
  /// same, decoded at a fraction of the cost. One level, not coarser than `scale`. Null where nothing is cheaper. It lives no
  /// longer than this slide. What it cannot decode is unreadable: this slide may still read it.
  virtual std::unique_ptr<Slide> rough([[maybe_unused]] double scale) { return nullptr; }
  /// The JPEG bytes of tile (tx, ty) of `level` exactly as a decoder needs them, or nothing where pass-through is not possible.
  /// Tiles at the right and bottom edge are padded to the level's whole tile size, as the file holds them.
  virtual std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) = 0;
  /// Pixels of an associated image. Throws NOT_FOUND. Only called when the user asks.
  virtual std::vector<Rgba> associated(const std::string& name, Extent& extent) = 0;
};

/// Opens by content, by OpenSlide or TiffSlide. Throws SLIDE_UNREADABLE or NOT_FOUND, and says what to do next. `channel`: the
/// one of several that is analysed, by its name or number; empty where the reader is to choose (PiecedPicture). Throws
/// INVALID_PARAMETER where there is no such channel, in words that name those there are.
std::shared_ptr<Slide> open_slide(const std::string& path, const std::string& channel = {});
/// Decoded tiles that are kept for all open slides together: two rows of tiles of the widest slides, so that neighbouring
/// windows find their halo's tiles.
inline constexpr std::size_t kMostKeptBytes = std::size_t{192} << 20;
/// Keeps so many bytes of them from now on, no more than kMostKeptBytes; what is beyond goes at once.
void keep_decoded_tiles(std::size_t bytes);
/// A slide whose pixels are already in memory (decoded by another library): one level. Takes a copy.
std::shared_ptr<Slide> memory_slide(SlideInfo info, View<const Rgba> pixels);

/// "OpenSlide 3.4.1 (/usr/lib/…)" or why it is not there, and what was tried.
struct OpenSlideStatus {
  bool available = false;
  std::string version, library, reason;
};
OpenSlideStatus openslide_status();

}  // namespace morpho::slide
