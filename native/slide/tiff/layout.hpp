// What a TIFF's directories are to a slide: which is which level, which channel, which a label. One description for each kind.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../calibration/pixel_size.hpp"
#include "../pieces/pieced_slide.hpp"
#include "../tiff_index.hpp"
#include "../xml_reader.hpp"
#include "restart_jpeg.hpp"
#include "tile_canvas.hpp"

namespace morpho::slide {

/// An associated image that is a JPEG of its own: in a file beside the slide, or in the description.
struct AssociatedJpeg {
  std::string name;
  std::function<std::vector<u8>()> bytes;
};

struct TiffLayout {
  std::string format;  ///< "generic-tiff", "imagej", "ome-tiff", "qptiff", "aperio", or a scanner's below
  /// [level][page], from the largest on; pages of a level are alike in size and samples.
  std::vector<std::vector<TiffDirectory>> levels;
  std::vector<ChannelSource> channels;
  /// The first three channels are red, green and blue of one picture.
  bool colors = false;
  std::optional<std::uint32_t> alpha;  ///< the sample of page 0 that is opacity (ExtraSamples 1 or 2)
  bool premultiplied = false;          ///< colours were multiplied with it (ExtraSamples 1)
  std::vector<std::pair<std::string, TiffDirectory>> associated;
  Warnings warnings;

  /// Of scanners' slides whose levels are canvases: `levels` then has their first directories alone.
  std::vector<CanvasLevel> canvases;
  /// Of NDPI, whose levels are JPEGs of any size: `levels` then has their directories.
  std::vector<JpegLevel> jpeg_levels;
  Rgba background{255, 255, 255, 255};
  std::map<std::string, std::string> properties;
  std::vector<AssociatedJpeg> associated_jpegs;
};

/// Describes a file by what its first directory says of itself, and by its directories' sizes alone where that does not fit.
/// Trusts no number of the descriptions. `file`: its name without folders, by which OME-XML tells its planes from other files'.
TiffLayout describe_tiff(const TiffIndex& index, const std::string& file);

/// A scanner's slide whose directories are no plain pyramid.
struct ScannerSlide {
  std::string maker;    ///< "Leica"
  std::string problem;  ///< why its layout is not understood, in words that follow on "a … slide"; empty where it is
  TiffLayout layout;
};
/// Nothing where it is none that this reader knows: Hamamatsu (NDPI), Leica, Philips, Trestle, Ventana.
std::optional<ScannerSlide> describe_scanner(const TiffIndex& index, const std::string& path);

// The parts.

/// At most so many planes and SubIFDs are looked at.
inline constexpr std::size_t kMostPlanes = 4096;
inline constexpr std::size_t kMostJpegLevels = 64;

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

/// Thrown while a scanner's description is read: ScannerSlide::problem.
struct NotUnderstood {
  std::string why;
};
// Whose slide it is, and its layout, which throws NotUnderstood. `description`: the first directory's.
bool is_leica(const std::string& description);
TiffLayout describe_leica(const TiffIndex& index, const std::string& description);
bool is_trestle(const TiffIndex& index);
TiffLayout describe_trestle(const TiffIndex& index, const std::string& description, const std::string& path);
bool is_philips(const TiffIndex& index);
TiffLayout describe_philips(const TiffIndex& index, const std::string& description);
bool is_ndpi(const TiffIndex& index);
TiffLayout describe_ndpi(const TiffIndex& index);
bool is_ventana(const TiffIndex& index);
TiffLayout describe_ventana(const TiffIndex& index);

/// Directory k; NotUnderstood where there is none.
const TiffDirectory& directory_at(const TiffIndex& index, i64 k);
/// Text as a whole number, or as any finite one; NotUnderstood names it by `what` where it is none.
i64 whole_of(const std::string& text, const std::string& what);
double number_of(const std::string& text, const std::string& what);
/// Without white space before and after.
std::string trimmed(const std::string& text);
/// What of an XML description could not be read; NotUnderstood.
void require_read(const std::string& problem);
std::string attribute_of(const XmlElement& element, const char* name);
/// What is no digit of base 64 is passed over.
std::vector<u8> from_base64(const std::string& text);
/// As short as it can be written.
std::string number_text(double v);

}  // namespace morpho::slide
