// A slide of pictures in pieces, as TIFF, DICOM and OME-Zarr hold them: all channels and levels, at the samples' own depth.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../level_agreement.hpp"
#include "../slide.hpp"
#include "../tile_cache.hpp"
#include "composition.hpp"

namespace morpho::slide {

/// A channel: sample `sample` of page `page`.
struct ChannelSource {
  std::string name;
  std::optional<Rgba> color;
  std::size_t page = 0;
  std::uint32_t sample = 0;
};

/// What a file's description found in it.
struct PiecedPicture {
  std::string path, format, reader, reader_version;
  /// [level][page], from the largest on; pages of a level are alike in size and samples.
  std::vector<std::vector<std::unique_ptr<PieceImage>>> levels;
  std::vector<ChannelSource> channels;
  /// The channel that is analysed, by its name or number; empty: the first with a nuclear stain's name, else the first.
  std::string analysed;
  bool colors = false;                 ///< the first three channels are red, green and blue of one picture
  bool inverted = false;               ///< 0 is white
  std::optional<std::uint32_t> alpha;  ///< the sample of page 0 that is opacity
  bool premultiplied = false;          ///< colours were multiplied with it
  std::vector<std::string> warnings;
  std::string uncertain;  ///< SlideInfo's, of what could not be read so far
};

/// The picture that is analysed is composed from the samples (Composition), piece by piece, in the cache that all
/// slides share. What was composed, over which range and what was left out stands in the info's channels and warnings. Pieces
/// that cannot be unpacked are background, and told to each who asks.
class PiecedSlide : public Slide {
 public:
  /// Surveys the channels' ranges: some seconds at most. INVALID_PARAMETER where `analysed` is none of them.
  PiecedSlide(PiecedPicture picture, TileCache& cache);
  ~PiecedSlide() override;

  const SlideInfo& info() const override { return info_; }
  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) override;
  Band band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) override;
  Extent kept_extent(int level) const override;
  ChannelSamples samples(int level, int channel, const Rect& part, std::vector<Unreadable>& unreadable,
                         const ReadControl& control) override;
  std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) override;
  /// Does without the levels that show another picture, and says so, as of those that could not be judged.
  void take(const LevelAgreement& agreement);

 protected:
  SlideInfo info_;

 private:
  void add_levels();
  void add_channels();
  std::size_t analysed_channel() const;
  void add_uncertain(const std::string& why);
  void say_what_is_shown(const Survey& seen, bool whole, std::size_t shown);
  const PieceImage& shown_image(int level) const { return *picture_.levels[static_cast<std::size_t>(level)][page_]; }
  void require_level(int level) const;
  bool is_as_stored() const;
  DecodedTile decode(const PieceImage& image, i64 tx, i64 ty) const;
  Rect to_level0(int level, const Rect& part) const;

  PiecedPicture picture_;
  std::size_t page_ = 0;  ///< that is shown
  Composition composition_;
  TileCache& cache_;
  u64 serial_;  ///< of this slide in the cache
};

/// All of an image that is a picture of its own: a label, a map. Throws PieceError, also where it has more px than that may
/// have.
std::vector<Rgba> whole_picture(const PieceImage& image, bool inverted, Extent& extent);

}  // namespace morpho::slide
