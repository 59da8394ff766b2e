// Which neighbours of a pixel come before it in descending order, and how many of them still have to be joined at the pixel.
#pragma once
#include "contract/view.hpp"

namespace morpho::cpu {

/// Neighbours in a ring, clockwise from the north-west: bit k of a mask stands for the k-th. A neighbour comes before a pixel
/// where it is higher, or as high with a smaller index. Neighbours before the pixel that are linked through other such
/// neighbours of the ring are joined when the pixel's turn comes, so one of each linked group stands for all: `ways` holds
/// these.
class HigherNeighbours {
 public:
  struct Ways {
    std::int16_t step[4] = {0, 0, 0, 0};  ///< index steps to one neighbour of each group; none: 0, the pixel itself
    i32 count = 0;
  };
  Ways ways[256];

  HigherNeighbours(Connectivity connectivity, i32 pitch);

  /// Marks the pixels of an image whose rows lie `pitch` apart; a row and a pixel around it must be readable, their values are
  /// unused.
  template <class T>
  void mark(const T* f, u8* higher, i32 width, i32 height, i32 pitch) const;
};

}  // namespace morpho::cpu
