// What a program's reconstruction without limit gives of a whole slide, from which windows take their part.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../../slide/slide.hpp"
#include "engine/recipe/plan.hpp"

namespace morpho::engine {

/// The ground on which windows of one slide at one scale stand: the same for all of them, so that no result depends on which
/// window a pixel is seen from. Immutable; any number of threads may read. region/ground.hpp computes it.
class Ground {
 public:
  virtual ~Ground() = default;
  /// Copies a rectangle of the analysed image to memory whose rows lie `pitch` bytes apart. Throws INTERNAL where it reaches
  /// beyond the image, OUTPUT_FAILED where a working file does not give it.
  virtual void read(const Rect& r, void* to, std::size_t pitch) const = 0;
  /// Rectangles, with their corner at that of `r`, that hold all its pixels which could be others if the slide had been read in
  /// full. None where it was.
  virtual std::vector<Rect> unknown(const Rect& r) const = 0;

  /// The plan's program with this ground in its reconstruction's place (SplitProgram::after). Throws INTERNAL where it was made
  /// by other steps.
  ProgramPtr program_after(const PlanPtr& plan) const;
  /// Throws INTERNAL where it is of another slide, scale or image.
  void require_of(const std::shared_ptr<slide::Slide>& slide, double scale, Extent image) const;
  const std::string& key() const { return key_; }
  /// Of its pixels: no other ground of this process has it, also where it is of the same steps. Never 0.
  u64 epoch() const { return epoch_; }

 protected:
  Ground(std::string key, std::weak_ptr<slide::Slide> slide, double scale, Extent image)
      : key_(std::move(key)), epoch_(next_epoch()), slide_(std::move(slide)), scale_(scale), image_(image) {}
  Extent image() const { return image_; }

 private:
  static u64 next_epoch();

  std::string key_;
  const u64 epoch_;
  std::weak_ptr<slide::Slide> slide_;
  double scale_;
  Extent image_;
};

}  // namespace morpho::engine
