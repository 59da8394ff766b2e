// Whether OpenSlide shows the last rows of a TIFF where they lie: with some versions of libtiff it does not.
#pragma once
namespace morpho::slide {

/// OpenSlide 3.4 asks libtiff for each tile as a picture. Since its fix of CVE-2025-9900 (Debian 12: 4.5.0-6+deb12u3) libtiff
/// puts the rows of a tile that reaches beyond the picture too low by what lies beyond. Found out by a made picture, on the
/// first call; false where none could be written, and without OpenSlide. Not so for tiles that we decode ourselves.
bool openslide_misplaces_last_rows();

}  // namespace morpho::slide
