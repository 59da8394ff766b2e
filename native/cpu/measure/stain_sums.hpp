// Adds up the three concentrations of the colours under runs of pixels.
#pragma once
#include <memory>

#include "contract/object_shape.hpp"

namespace morpho::cpu {

/// Of one call: tables by channel whose entries hold all three stains, so that a pixel is three entries added up.
class StainAdder {
 public:
  /// `tables` stay while this does.
  explicit StainAdder(const objects::ObjectStainTables& tables);
  ~StainAdder();

  /// Exact, and the same integers on every processor. O(pixels).
  objects::StainSums sums(const Run* runs, const Run* end, const View<const Rgba>& rgba) const;

 private:
  struct Lanes;
  const objects::ObjectStainTables& tables_;
  std::unique_ptr<Lanes[]> lanes_;  ///< [channel][value]; none where vectors are not used
};

}  // namespace morpho::cpu
