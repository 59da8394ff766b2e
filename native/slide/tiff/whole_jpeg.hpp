// A JPEG that is a picture of its own: a label, an overview, in a file beside a slide or in its description.
#pragma once
#include <vector>

#include "../../contract/view.hpp"

namespace morpho::slide {

/// Its pixels. Throws PieceError, also where it has more px than such a picture may have.
std::vector<Rgba> whole_jpeg(const std::vector<u8>& jpeg, Extent& extent);

}  // namespace morpho::slide
