// Declares the reconstruction from the image border by one flood: bounded for any image, where sweeps and a queue are not.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// out = f on the image border and the bottom inside, reconstructed under (by erosion: above) f. f, out: [h, w] of one type, u8 or u16,
/// not empty, apart, fewer than 2^31 pixels; what `out` holds is not read. Sequential, whatever ctx.threads says. The result is unique.
/// Cost: each pixel is raised once at most, enters one list at most and looks at its neighbours once: the time hardly depends on the image.
/// Memory: 4 bytes a pixel and 8 a grey level (u16: 65536 of them); where rows have gaps, two images more.
/// Source: Meyer 1994 (floods in the order of grey values); Barnes 2014 (what lies no lower than the flood needs no order).
void flood_from_border(Context& ctx, ConstPlane f, Plane out, By by, Connectivity connectivity);

}  // namespace morpho::cpu
