// What OME-Zarr's metadata (0.4 and 0.5) says of an image: its levels, axes, channels and the size of a pixel.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../channel.hpp"
#include "json.hpp"
#include "zarr_image.hpp"

namespace morpho::slide {

struct OmeChannel {
  std::string name;  ///< empty where none is stated
  std::optional<Rgba> color;
  std::string window;  ///< "0 to 4095", what its writer would show; empty where none is stated
};

struct OmeImage {
  std::string version, name;
  std::vector<std::string> levels;  ///< keys of the arrays' folders, the finest first
  std::vector<std::string> axes;    ///< names; empty where none are stated
  double mpp_x = 0, mpp_y = 0;      ///< 0 = not stated in a unit of length
  std::vector<OmeChannel> channels;
  bool greyscale = false;  ///< omero's model says so
  std::vector<std::string> warnings;
};

/// `attributes`: of the group, as `.zattrs` has them; of 0.5 what is in "ome". Throws PieceError in words that follow on "PATH
/// is an OME-Zarr, and cannot be read: ".
OmeImage read_ome_image(const Json& attributes);
/// Of an array of `sides` axes. Throws PieceError where the stated ones do not fit.
ZarrAxes axes_of(const OmeImage& image, const ZarrArray& array);
/// Whether three channels are one picture: 8 bits, red, green and blue by their colours or names, in this order, and no channel
/// with a name of its own.
bool is_rgb(const OmeImage& image, const ZarrArray& array, const ZarrAxes& axes);

}  // namespace morpho::slide
