// What a TIFF's directories are to a slide: which is which level, which channel, which a label. One description for each kind.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../calibration/pixel_size.hpp"
#include "../pieces/pieced_slide.hpp"
#include "../tiff_index.hpp"

namespace morpho::slide {

struct TiffLayout {
  std::string format;  ///< "generic-tiff", "imagej", "ome-tiff", "qptiff", "aperio"
  /// [level][page], from the largest on; pages of a level are alike in size and samples.
  std::vector<std::vector<TiffDirectory>> levels;
  std::vector<ChannelSource> channels;
  /// The first three channels are red, green and blue of one picture.
  bool colors = false;
  std::optional<std::uint32_t> alpha;  ///< the sample of page 0 that is opacity (ExtraSamples 1 or 2)
  bool premultiplied = false;          ///< colours were multiplied with it (ExtraSamples 1)
  std::vector<std::pair<std::string, TiffDirectory>> associated;
  Warnings warnings;
};

/// Describes a file by what its first directory says of itself, and by its directories' sizes alone where that does not fit.
/// Trusts no number of the descriptions. `file`: its name without folders, by which OME-XML tells its planes from other files'.
TiffLayout describe_tiff(const TiffIndex& index, const std::string& file);

/// Whether a scanner's format that this reader does not know: its directories mean something else.
bool is_foreign_tiff(const TiffIndex& index);

// The parts.

/// At most so many planes and SubIFDs are looked at.
inline constexpr std::size_t kMostPlanes = 4096;

/// Same sizes of samples, and as many: pages of one slide.
bool alike(const TiffDirectory& a, const TiffDirectory& b);
/// Adds the channels of pages, named by `names` where there are as many, and what is opacity.
void add_channels(TiffLayout& layout, const TiffIndex& index, const std::vector<ChannelSource>& named);
/// Adds the levels below the first: SubIFDs of its pages, else smaller directories of the chain that are no pages.
void add_reduced_levels(TiffLayout& layout, const TiffIndex& index);

/// OME-XML of the first directory. Nothing where there is none, or it does not agree with the file, which `warnings` tell.
std::optional<TiffLayout> describe_ome(const TiffIndex& index, const std::string& file, const std::string& xml,
                                       Warnings& warnings);
/// What PerkinElmer's and Akoya's QPTIFF says of one directory.
struct QptiffPage {
  std::string image_type, name;
  std::optional<Rgba> color;
};
std::optional<QptiffPage> qptiff_page(const std::string& xml);

}  // namespace morpho::slide
