// Which files beside a DICOM file belong to its slide.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "instance.hpp"

namespace morpho::slide {

/// The instance in `path` first, then those of its series in its folder, by name: of files that end in .dcm where `path` does,
/// else of files that do not. Links are not followed. Null where `path` is no DICOM file, with the `problem` where it is a
/// broken one. What is wrong with others stands in `broken`, by their names.
std::vector<std::unique_ptr<DicomInstance>> read_series(const std::string& path, std::string& problem,
                                                        std::vector<std::pair<std::string, std::string>>& broken);

}  // namespace morpho::slide
