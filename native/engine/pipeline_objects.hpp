// Decisions about whole objects: exact integer sums over the pixels of each label, and the tests that recipes make on them.
#pragma once
#include <vector>

#include "../contract/view.hpp"

namespace morpho::engine {

/// Sums over one label's pixels. Coordinates are relative to the label's first pixel in raster order, so that sums stay small and
/// do not depend on where the window lies.
struct ObjectSums {
  i64 area = 0;
  i64 x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  i64 value = 0;  ///< of the image given, minus `value_below` where given
  i32 first_x = 0, first_y = 0;
};
/// Sums by label, element 0 unused. Labels lie in [0, count]. `value` and `below` may be empty views.
std::vector<ObjectSums> object_sums(View<const i32> labels, i32 count, View<const u8> value, View<const u8> below);

/// An object's ellipticity is its area over the area of the ellipse with the same second moments: 1 for an ellipse, less for
/// anything with bays, waists or holes. This is `ellipticity >= e`, exactly, for every object below 2^16 pixels; larger ones
/// are never elliptic (no nucleus is that large, and their sums would not fit 128 bits).
class EllipticityTest {
 public:
  explicit EllipticityTest(double at_least);
  bool passes(const ObjectSums& s) const;

 private:
  i64 factor_;  ///< 16 π² e², Q16
};

/// Major over minor axis of that ellipse is at most `ratio`, exactly; objects whose moments exceed 2^52 are never compact.
class ElongationTest {
 public:
  explicit ElongationTest(double ratio);
  bool passes(const ObjectSums& s) const;

 private:
  i64 factor_;  ///< 1 - ((ratio² - 1) / (ratio² + 1))², Q16
};

/// The ellipticity itself in 1/1024, rounded down; 0 for objects of 2^16 pixels and more.
i64 ellipticity_q10(const ObjectSums& s);

/// mean value over the object, times (area / reference)^(1/4), is at least `level`: small objects need more contrast than
/// large ones, for it is small specks that stain noise makes. Exact in 128-bit integers; objects of 2^16 pixels and more are
/// compared by their mean alone.
class ContrastTest {
 public:
  ContrastTest(double level, double reference_area);
  bool passes(const ObjectSums& s) const;

 private:
  i64 level_;      ///< Q4
  i64 reference_;  ///< pixels
};

/// Writes dense labels 1..n in ascending order of the old ones; labels that `keep` (indexed by label) refuses become 0. Returns n.
i32 keep_labels(View<i32> labels, const std::vector<char>& keep);

}  // namespace morpho::engine
