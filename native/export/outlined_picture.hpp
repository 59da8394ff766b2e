// Objects' outlines painted on a picture of the slide: a line a pixel wide in each one's colour, and a dark rim along it.
#pragma once
#include <span>

#include "contract/context.hpp"
#include "packed_objects.hpp"

namespace morpho::exports {

/// A picture of a plane whose px are `scale` px of it each (less than 1 where it shows less than the plane has).
struct Picture {
  u8* rgb = nullptr;    ///< [height, width] px of three bytes
  u8* drawn = nullptr;  ///< [height, width]: 1 where an outline is
  Extent extent;
  double x0 = 0, y0 = 0;  ///< of its corner, in its px
  double scale = 1;       ///< its px per px of the objects' plane
  i32 cell_reach = 0;     ///< px of the objects' plane that cells reach beyond their nuclei, whose outlines are painted too
};

/// Objects in their order, the later over the earlier, as far as they lie in the picture. `colors`: three bytes each. The same
/// pixels for any number of threads: each has rows of its own, and an object that lies on the rows of several is traced by
/// each. Cancel is heard between objects.
void paint_outlines(const Context& ctx, const ObjectTable& objects, std::span<const u8> colors, const Picture& picture);

/// Leaves 106 of 256 parts of each px beside, above or below a drawn one that is not drawn itself.
void paint_rims(const Context& ctx, const Picture& picture);

/// The first three bytes of each px.
void drop_alpha(const u8* rgba, i64 pixels, u8* rgb);

}  // namespace morpho::exports
