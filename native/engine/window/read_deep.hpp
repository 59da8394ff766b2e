// A rectangle of a slide at any scale, at 16 bits: what recipes take that ask for more than the 8-bit picture.
#pragma once
#include "read_scaled.hpp"

namespace morpho::engine {

/// Fills `out` with the one channel that is analysed, its range as 0 to 65535, where read_scaled gives it as 0 to 255: from the
/// same level, over the same blocks, each px the mean of the same area, rounded to nearest (halves up). So its values depend on
/// (slide, s, its coordinates) alone. Of the limits it knows the control. Parts that the file could not give are background,
/// and returned as read_scaled returns them. Throws INVALID_PARAMETER where the slide has 8 bits (SlideInfo::depth), Cancelled.
/// Cost: after read_scaled of the same rectangle its tiles are decoded already; on one thread. Memory: 8 bytes a level px of a
/// block's row, from ctx.workspace.
[[nodiscard]] std::vector<slide::Unreadable> read_deep(Context& ctx, slide::Slide& slide, double s, i64 x, i64 y, View<u16> out,
                                                       const ReadLimits& limits = {});

}  // namespace morpho::engine
