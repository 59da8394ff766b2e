// Where the frames of a DICOM file lie, and their bytes.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "instance.hpp"

namespace morpho::slide {

/// Of one file, which it keeps open. Thread-safe after construction.
class FrameTable {
 public:
  /// Null where the file does not say where its frames lie, for what `problem` then says. `frame_bytes`: of a frame that is not
  /// compressed. Cost: of compressed frames without a table one small read each, once.
  static std::unique_ptr<FrameTable> of(std::unique_ptr<DicomInstance> instance, u64 frame_bytes, std::string& problem);

  const DicomInstance& instance() const { return *instance_; }
  /// A frame's bytes as they are stored, its fragments joined; `count` from byte `skip` on where it is not compressed. Throws
  /// PieceError.
  std::vector<u8> bytes(u64 frame, u64 skip, u64 count) const;

 private:
  explicit FrameTable(std::unique_ptr<DicomInstance> instance) : instance_(std::move(instance)) {}
  bool read_extended(std::string& problem);
  bool read_basic(std::string& problem);
  bool walk_fragments(std::string& problem);
  std::vector<u8> stored(u64 offset, u64 count) const;

  std::unique_ptr<DicomInstance> instance_;
  u64 frame_bytes_ = 0;
  u64 first_fragment_ = 0;  ///< after the basic offset table
  /// Of compressed frames: where the item of the first fragment begins.
  std::vector<u64> starts_;
};

}  // namespace morpho::slide
