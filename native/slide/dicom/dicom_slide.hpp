// A DICOM whole slide: the files of one series in one folder.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "../pieces/pieced_slide.hpp"
#include "frame_image.hpp"

namespace morpho::slide {

class DicomSlide final : public PiecedSlide {
 public:
  /// `associated`: "label", "macro", "thumbnail".
  DicomSlide(PiecedPicture picture, std::map<std::string, std::string> properties,
             std::map<std::string, std::unique_ptr<PieceImage>> associated, TileCache& cache);
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override;

 private:
  std::map<std::string, std::unique_ptr<PieceImage>> associated_;
};

/// The slide that a DICOM file belongs to, with the levels, channels, label and overview that are in files of its series beside
/// it; its info's path is the same whichever of them is opened. Null where the file is no DICOM. Of several focal planes the
/// middle one is shown. Throws SLIDE_UNREADABLE where it is a DICOM file, and none of a whole slide that is read here. Cost:
/// the headers of the files in its folder, of at most 4096. `channel`: as open_slide has it. Source: DICOM PS3.3 A.32.8 and
/// C.8.12.
std::shared_ptr<Slide> open_dicom(const std::string& path, const std::string& channel = {});

}  // namespace morpho::slide
