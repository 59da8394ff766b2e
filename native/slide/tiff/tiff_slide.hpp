// A slide that is read from a TIFF by our own reader: all channels and levels, at the samples' own depth.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../level_agreement.hpp"
#include "../slide.hpp"
#include "../tile_cache.hpp"
#include "composition.hpp"
#include "layout.hpp"

namespace morpho::slide {

/// The picture that is shown and analysed is composed from the samples (Composition), piece by piece, in the cache that all
/// slides share. What was composed, over which range and what was left out stands in the info's channels and warnings. Pieces
/// that cannot be unpacked are background, and told to each who asks.
class TiffSlide final : public Slide {
 public:
  /// Every directory of `layout` is one that TiffImage reads. Surveys the channels' ranges: some seconds at most.
  TiffSlide(const std::string& path, std::unique_ptr<TiffIndex> index, TiffLayout layout, TileCache& cache);
  ~TiffSlide() override;

  const SlideInfo& info() const override { return info_; }
  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) override;
  Band band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) override;
  Extent kept_extent(int level) const override;
  ChannelSamples samples(int level, int channel, const Rect& part, std::vector<Unreadable>& unreadable,
                         const ReadControl& control) override;
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return std::nullopt; }
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override;
  /// Does without the levels that show another picture, and says so, as of those that could not be judged.
  void take(const LevelAgreement& agreement);

 private:
  void add_levels();
  void add_channels();
  void add_properties();
  const TiffImage& picture(int level) const { return images_[static_cast<std::size_t>(level)][page_]; }
  void require_level(int level) const;
  Rect to_level0(int level, const Rect& part) const;

  std::unique_ptr<TiffIndex> index_;
  TiffLayout layout_;
  std::vector<std::vector<TiffImage>> images_;  ///< [level][page]
  std::size_t page_ = 0;                        ///< that is shown
  Composition composition_;
  SlideInfo info_;
  TileCache& cache_;
  u64 serial_;  ///< of this slide in the cache
};

/// The slide of a TIFF that this reader is to read: what OpenSlide shows in part, wrongly or not at all, and without OpenSlide
/// all that is of a kind that is known here. Null where it is for others. `vendor`: what OpenSlide takes the file for; empty
/// where it does not know it. Throws SLIDE_UNREADABLE where only this reader could read it right, and it does not.
std::shared_ptr<Slide> open_tiff(const std::string& path, bool has_openslide, const std::string& vendor);
/// The same file by this reader alone, whoever else could read it; null where it cannot.
std::shared_ptr<TiffSlide> open_tiff_alone(const std::string& path);

}  // namespace morpho::slide
