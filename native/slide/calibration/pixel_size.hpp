// How large a pixel is, from what a file states about it: TIFF's resolution, ImageJ's description, OME-XML. Each says what it
// does not believe.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../../contract/view.hpp"

namespace morpho::slide {

/// µm per px: an objective of 100x gives about 0.07, a macro camera up to some tens.
inline constexpr double kSmallestMpp = 0.01, kLargestMpp = 100;
/// A TIFF's resolution is often a print resolution that nobody meant (72, 96, 300, 600 dpi: 353 to 42 µm).
inline constexpr double kLargestTiffMpp = 20;

struct PixelSize {
  double x = 0, y = 0;  ///< µm
  std::string source;   ///< as SlideInfo::mpp_source
};
using Warnings = std::vector<std::string>;

/// What a TIFF states of one image. Numbers as the file has them: absent, or not finite where a denominator is 0.
struct StatedSize {
  i64 width = 0, height = 0;
  std::optional<double> x_resolution, y_resolution;
  std::string unit;         ///< of the resolution: "inch", "centimeter", "none", or what else the file states
  std::string description;  ///< whole, as the file has it
};

/// In this order: a resolution in inches or centimetres that is no print's, ImageJ's unit, OME-XML. Nothing where none is
/// stated, or none is believed; what is stated and not believed is told in `warnings`.
std::optional<PixelSize> stated_pixel_size(const StatedSize& stated, double largest_tiff_mpp, Warnings& warnings);

/// A number written as people and programs do: with a comma, a sign or spaces. Nothing where it is none, or not finite.
std::optional<double> stated_number(const std::string& text);
/// For messages: at most 40 bytes.
std::string shortened(const std::string& text);
/// Both axes of a slide usually say the same: once is enough.
void warn_once(Warnings& warnings, const std::string& text);

/// Of the image of an OME-XML whose size is width × height px. Images of that size must agree.
std::optional<PixelSize> ome_pixel_size(const std::string& xml, i64 width, i64 height, Warnings& warnings);
/// µm of a unit of length as OME-XML and ImageJ write it; 0 where it is none.
double um_per(const std::string& unit);

}  // namespace morpho::slide
