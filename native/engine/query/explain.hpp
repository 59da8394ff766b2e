// Why a pixel is in an object or in none: what each stage shows there, and the rule of each parameter that decided about it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/window/window.hpp"

namespace morpho::engine {

/// As JavaScript and app/contract know it.
const char* name_of(Decides what);

/// What one parameter said of the pixel, or of what the pixel is part of at that step.
struct Judgement {
  Decides what;
  std::string param;               ///< "stage.key"
  std::optional<double> measured;  ///< in the parameter's own unit, px for lengths; absent where only the outcome is known
  double now = 0;                  ///< the parameter's value
  bool kept = false;
};
/// What a plane to look at holds at the pixel.
struct PixelValue {
  std::string plane;
  i32 value = 0;
  bool binary = false;
};
struct Explanation {
  bool inside = false;   ///< some object of the result holds the pixel
  bool certain = false;  ///< nothing beyond the window, and nothing that could not be read, could change the answer
  bool read = false;     ///< nothing that could not be read could change it
  std::vector<PixelValue> values;
  std::vector<Judgement> judgements;  ///< in the order of the steps
  /// The object, or what was last judged as a whole and dropped; px of the analysed image, in raster order. Empty where a pixel
  /// alone was judged.
  std::vector<Run> shape;
  i64 pixels = 0;  ///< computed for it
};
struct Inside {
  bool inside = false;
  bool read = false;  ///< nothing that could not be read could change the answer
};

/// Of the pixel (x, y) of the analysed image, with the values of `job`, whose window, core and planes do not matter: a window
/// is laid around the pixel and grows until what it says is certain (or is as large as windows get), so that the answer is a
/// run's. Its stages are kept for `is_inside`. On the CPU. Throws Error and Cancelled.
Explanation explain(const WindowJob& job, i64 x, i64 y, Resources& resources, const CancelFlag* cancel);

/// Whether an object would hold the pixel with the values of `job`: explain()'s answer, from the first stage that differs from
/// what was asked of this pixel last.
Inside is_inside(const WindowJob& job, i64 x, i64 y, Resources& resources, const CancelFlag* cancel);

}  // namespace morpho::engine
