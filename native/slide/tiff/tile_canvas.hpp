// A level whose tiles lie on a canvas: beside one another with gaps, or over one another, as scanners that join fields write
// them.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "tiff_image.hpp"

namespace morpho::slide {

/// Tiles of one directory, or equal parts of its tiles, in columns and rows on a canvas. Part (column, row) shows the px from
/// (column · width, row · height) of the directory on, at (x + column · step_x, y + row · step_y), rounded.
struct PlacedTiles {
  TiffDirectory directory;
  i64 width = 0, height = 0;  ///< of a part: what the directory's tiles are divided by
  i64 first_column = 0, first_row = 0, columns = 0, rows = 0;
  double x = 0, y = 0, step_x = 0, step_y = 0;
};
struct CanvasLevel {
  i64 width = 0, height = 0;
  /// Of parts that lie over one another the first tiles' are seen, and of one's parts the last row's and column's.
  std::vector<PlacedTiles> tiles;
  bool sparse = false;  ///< tiles that the file has no bytes for are glass: the scanner left them out
};

/// All tiles of a directory side by side, from (x, y) on, `overlap` px over one another.
PlacedTiles all_tiles(const TiffDirectory& directory, double x = 0, double y = 0, i64 overlap_x = 0, i64 overlap_y = 0);

/// Three samples of 8 bits, `background` where no tile is. Keeps a reference to the index. Thread-safe.
class TileCanvas final : public PieceImage {
 public:
  /// Why the level is not read, in words that follow on "a TIFF"; empty where it is. Judges each directory, and that its parts
  /// are among those that it has and lie over at most some others.
  static std::string cannot_read(const TiffIndex& index, const CanvasLevel& level);
  TileCanvas(const TiffIndex& index, CanvasLevel level, Rgba background);

  /// Throws PieceError.
  Piece read(i64 x, i64 y, std::uint32_t sample) const override;
  /// Where the level is one directory's tiles, side by side.
  std::optional<std::vector<u8>> jpeg(i64 x, i64 y) const override;

 private:
  struct Key {
    std::size_t tiles;
    i64 x, y;
    bool operator<(const Key& o) const { return std::tie(tiles, x, y) < std::tie(o.tiles, o.x, o.y); }
  };
  using Bytes = std::shared_ptr<const std::vector<u8>>;
  struct Kept {
    Bytes bytes;
    std::list<Key>::iterator place;  ///< in order_
  };
  Bytes tile(const Key& key) const;
  void draw(std::size_t k, const Rect& piece, std::vector<u8>& pixels, std::vector<bool>& covered) const;
  void draw_part(std::size_t k, i64 column, i64 row, const Rect& piece, std::vector<u8>& pixels,
                 std::vector<bool>& covered) const;

  const TiffIndex& index_;
  CanvasLevel level_;
  Rgba background_;
  std::vector<std::unique_ptr<TiffImage>> images_;

  /// Tiles decoded last: pieces of the canvas and tiles do not begin at the same px.
  mutable std::mutex mutex_;
  mutable std::map<Key, Kept> kept_;
  mutable std::list<Key> order_;  ///< used last first
  mutable std::size_t kept_bytes_ = 0;
};

}  // namespace morpho::slide
