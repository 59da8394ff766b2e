// Declares the floods that finish a reconstruction from the image border: bounded for any image, where sweeps and a queue are
// not.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// f on the image border and the bottom inside, reconstructed under (by erosion: above) f. `out` holds f on the border, and
/// inside anything from the bottom to the result, such as what sweeps have reached: the nearer, the less is left to do. f, out:
/// [h, w] of one type, u8 or u16, not empty, apart, fewer than 2^31 pixels. Parallel in bands of rows, in rounds. The result is
/// unique.
/// Cost: three passes; each pixel that is not yet finished is raised once (in a round) and looks at its neighbours once or
/// twice, and finished ones only if they can raise one. Each row of a band's end that its neighbour raises later costs another
/// round, of what follows from it.
/// Memory: 4 bytes a pixel, and for each band 8 a grey level (u16: 65536 of them), 8 a column and 5 rows; where rows have gaps,
/// two images more.
/// Source: Meyer 1994 (floods in the order of grey values); Barnes 2014 (what lies no lower than the flood needs no order).
void flood_on(Context& ctx, ConstPlane f, Plane out, By by, Connectivity connectivity);

}  // namespace morpho::cpu
