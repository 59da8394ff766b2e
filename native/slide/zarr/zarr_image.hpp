// One level of an OME-Zarr as pieces: its chunks.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../pieces/piece_image.hpp"
#include "zarr_array.hpp"
#include "zarr_folder.hpp"

namespace morpho::slide {

/// Which axis of the array is which; -1 where there is none.
struct ZarrAxes {
  int t = -1, c = -1, z = -1, y = -1, x = -1;
};

/// The last few of what is unpacked for several pieces: chunks of several channels, tables of shards. Thread-safe.
class KeptBytes {
 public:
  using Bytes = std::shared_ptr<const std::vector<u8>>;
  Bytes find(const std::string& key);
  void keep(const std::string& key, Bytes bytes);

 private:
  std::mutex mutex_;
  std::list<std::pair<std::string, Bytes>> kept_;
  std::size_t total_ = 0;
};

/// The first of all times and planes. Thread-safe.
class ZarrImage final : public PieceImage {
 public:
  /// Why a level of these axes is not read, in words that follow on "its level 0 cannot be read: "; empty where it is.
  static std::string cannot_show(const ZarrArray& array, const ZarrAxes& axes);
  /// `key`: of the array's folder; `metadata`: of the file in it that tells that the folder is still there.
  ZarrImage(std::shared_ptr<const ZarrFolder> folder, std::string key, std::string metadata, ZarrArray array, ZarrAxes axes);

  /// A place without a chunk has the fill value. Throws PieceError.
  Piece read(i64 x, i64 y, std::uint32_t sample) const override;
  const ZarrArray& array() const { return array_; }

 private:
  /// Null where there is none.
  KeptBytes::Bytes chunk_at(const std::vector<u64>& place) const;
  KeptBytes::Bytes unpacked(const std::vector<u64>& place, const std::string& name) const;
  KeptBytes::Bytes shard_table(const RandomFile& file, const std::string& name) const;

  std::shared_ptr<const ZarrFolder> folder_;
  std::string key_, metadata_;
  ZarrArray array_;
  ZarrAxes axes_;
  std::uint32_t stride_ = 1;                       ///< samples from px to px
  std::vector<u64> strides_;                       ///< samples from place to place along each axis of a chunk
  std::shared_ptr<const std::vector<u8>> filled_;  ///< one sample of a chunk that is not there
  std::unique_ptr<KeptBytes> kept_ = std::make_unique<KeptBytes>();
};

}  // namespace morpho::slide
