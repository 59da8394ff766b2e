// What one DICOM file says of a whole slide's picture: sizes, samples, where its frames lie.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dataset.hpp"

namespace morpho::slide {

/// Where a frame lies in the picture, where the file says so for each.
struct DicomPlace {
  std::uint32_t column = 1, row = 1;  ///< of its first px; both begin at 1
  u16 path = 0, depth = 0;            ///< which of the names of optical paths, and of heights in the tissue
};
/// Pictures of more frames are refused: some hundred gigapixels.
inline constexpr u64 kMostFrames = u64{1} << 23;

struct DicomInstance {
  std::string path;
  std::unique_ptr<RandomFile> file;
  std::string kind, series, syntax;     ///< UIDs: of the SOP class, the series, the transfer syntax
  std::vector<std::string> image_type;  ///< "ORIGINAL", "PRIMARY", "VOLUME", "NONE"
  std::string photometric, organization, concatenation, manufacturer, model;
  u64 columns = 0, rows = 0;              ///< of a frame
  u64 total_columns = 0, total_rows = 0;  ///< of the picture
  u64 frames = 1, first_frame = 0;        ///< first_frame: of a picture in several files, what the others before it hold
  u64 samples = 1, bits_allocated = 0, bits_stored = 0, high_bit = 0, planes = 1;
  bool is_signed = false, planar = false;
  std::optional<double> row_spacing, column_spacing;  ///< mm
  double objective_power = 0;
  /// Optical paths in the file's order: identifier and description.
  std::vector<std::pair<std::string, std::string>> paths;
  std::vector<DicomPlace> places;  ///< of each frame; empty where the file states none
  std::vector<std::string> path_names{""}, depth_names{""};
  DicomEvent pixels;
  std::optional<DicomEvent> profile;  ///< ICC's bytes, of the first optical path
  DicomEvent offsets, lengths;        ///< the extended offset table (7FE0,0001 and 0002); no bytes where there is none

  bool is_slide() const;
  /// "VOLUME", "LABEL", "OVERVIEW", "THUMBNAIL"; VOLUME where nothing is said.
  std::string flavor() const;
};

/// Null where the file is no DICOM file of a data set in little-endian order, or of another series than `series` where that
/// is not empty. `problem` says what is wrong with one that is. Patients' data are passed over.
std::unique_ptr<DicomInstance> read_instance(const std::string& path, const std::string& series, std::string& problem);

}  // namespace morpho::slide
