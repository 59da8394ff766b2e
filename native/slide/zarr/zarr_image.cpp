// Finds the chunk of a piece, in a file of its own or in a shard, and the wanted channel in it.
#include "zarr_image.hpp"

#include <algorithm>
#include <limits>

#include "../plausible.hpp"
#include "unpack_chunk.hpp"

namespace morpho::slide {
namespace {

constexpr u64 kMostChunks = u64{1} << 24, kMostZarrChannels = 4096;
constexpr std::size_t kMostKept = 16, kMostKeptOfImage = std::size_t{64} << 20;
constexpr u64 kNoChunk = std::numeric_limits<u64>::max();

std::vector<u64> strides_of(const std::vector<u64>& chunk) {
  std::vector<u64> strides(chunk.size(), 1);
  for (std::size_t k = chunk.size(); k-- > 1;) strides[k - 1] = strides[k] * chunk[k];
  return strides;
}

/// Throws PieceError.
std::vector<u8> bytes_of(const RandomFile& file, u64 offset, u64 count) {
  if (count > kMostCompressedBytes) throw PieceError("it has " + std::to_string(count) + " bytes, which no sane chunk has");
  if (!file.contains(offset, count)) throw PieceError("its shard ends before it");
  std::vector<u8> bytes(static_cast<std::size_t>(count));
  if (!file.read(offset, bytes.data(), bytes.size())) throw PieceError("its file could not be read");
  return bytes;
}

u64 number_at(const std::vector<u8>& bytes, std::size_t at, bool big_endian) {
  u64 value = 0;
  for (std::size_t k = 0; k < 8; ++k) value = value << 8 | bytes[at + (big_endian ? k : 7 - k)];
  return value;
}

}  // namespace

KeptBytes::Bytes KeptBytes::find(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) { return one.first == key; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().second;
}

void KeptBytes::keep(const std::string& key, Bytes bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  total_ += bytes->size();
  kept_.emplace_front(key, std::move(bytes));
  while (kept_.size() > 1 && (kept_.size() > kMostKept || total_ > kMostKeptOfImage)) {
    total_ -= kept_.back().second->size();
    kept_.pop_back();
  }
}

std::string ZarrImage::cannot_show(const ZarrArray& array, const ZarrAxes& axes) {
  if (axes.x < 0 || axes.y < 0) return "it has no axes x and y";
  const auto side = [](const std::vector<u64>& sides, int axis) {
    return axis < 0 ? 1 : sides[static_cast<std::size_t>(axis)];
  };
  if (side(array.shape, axes.c) > kMostZarrChannels)
    return "it has " + std::to_string(side(array.shape, axes.c)) + " channels, more than " + std::to_string(kMostZarrChannels);
  const u64 across = side(array.chunk, axes.x), down = side(array.chunk, axes.y);
  const std::string of_size = "its chunks have " + std::to_string(across) + " × " + std::to_string(down) + " px";
  if (across > kMostTilePx / down) return of_size + ", more than a tile may have. Write it anew in chunks of some hundred px";
  const u64 columns = (side(array.shape, axes.x) + across - 1) / across, rows = (side(array.shape, axes.y) + down - 1) / down;
  if (columns > kMostChunks / rows) return of_size + ", too small for its size. Write it anew in chunks of some hundred px";
  const std::vector<u64> strides = strides_of(array.chunk);
  if (strides[static_cast<std::size_t>(axes.y)] != across * strides[static_cast<std::size_t>(axes.x)])
    return "its axes are in an order in which y and x do not follow each other";
  return "";
}

ZarrImage::ZarrImage(std::shared_ptr<const ZarrFolder> folder, std::string key, std::string metadata, ZarrArray array,
                     ZarrAxes axes)
    : folder_(std::move(folder)), key_(std::move(key)), metadata_(std::move(metadata)), array_(std::move(array)), axes_(axes) {
  strides_ = strides_of(array_.chunk);
  const auto x = static_cast<std::size_t>(axes_.x), y = static_cast<std::size_t>(axes_.y);
  stride_ = static_cast<std::uint32_t>(strides_[x]);
  shape_.width = static_cast<i64>(array_.shape[x]);
  shape_.height = static_cast<i64>(array_.shape[y]);
  shape_.piece = {static_cast<i32>(array_.chunk[x]), static_cast<i32>(array_.chunk[y])};
  shape_.type = array_.type;
  shape_.bits = static_cast<std::uint32_t>(8 * sample_bytes(array_.type));
  shape_.samples = axes_.c < 0 ? 1 : static_cast<std::uint32_t>(array_.shape[static_cast<std::size_t>(axes_.c)]);
  shape_.tiled = true;
  shape_.planar = true;
  filled_ = std::make_shared<const std::vector<u8>>(array_.fill.begin(), array_.fill.end());
}

Piece ZarrImage::read(i64 x, i64 y, std::uint32_t sample) const {
  std::vector<u64> place(array_.shape.size(), 0);
  place[static_cast<std::size_t>(axes_.x)] = static_cast<u64>(x);
  place[static_cast<std::size_t>(axes_.y)] = static_cast<u64>(y);
  Piece piece;
  piece.extent = shape_.piece;
  u64 in_chunk = 0;
  if (axes_.c >= 0) {
    const auto c = static_cast<std::size_t>(axes_.c);
    place[c] = sample / array_.chunk[c];
    in_chunk = sample % array_.chunk[c] * strides_[c];
  }
  piece.bytes = chunk_at(place);
  if (piece.bytes) {
    piece.stride = stride_;
    piece.first = static_cast<std::uint32_t>(in_chunk);
    return piece;
  }
  // Where the folder is gone, all chunks are.
  if (!folder_->file(metadata_)) throw PieceError("the slide's folder is gone");
  // The same sample for each px.
  piece.stride = 0;
  piece.bytes = filled_;
  return piece;
}

KeptBytes::Bytes ZarrImage::chunk_at(const std::vector<u64>& place) const {
  std::string name;
  for (const u64 along : place) name += "/" + std::to_string(along);
  try {
    return unpacked(place, name);
  } catch (const PieceError& e) {
    throw PieceError("chunk " + name.substr(1) + " of " + key_ + ": " + e.what());
  }
}

KeptBytes::Bytes ZarrImage::unpacked(const std::vector<u64>& place, const std::string& name) const {
  const bool has_more = axes_.c >= 0 && array_.chunk[static_cast<std::size_t>(axes_.c)] > 1;
  if (has_more)
    if (auto kept = kept_->find(name)) return kept;
  const std::string key = key_ + "/" + array_.key(place);
  const auto file = folder_->file(key);
  if (!file) return nullptr;
  std::vector<u8> packed;
  if (array_.shard) {
    const auto table = shard_table(*file, key);
    u64 cell = 0;
    for (std::size_t k = 0; k < place.size(); ++k)
      cell = cell * array_.shard->per_shard[k] + place[k] % array_.shard->per_shard[k];
    const auto at = static_cast<std::size_t>(cell) * 16;
    const u64 offset = number_at(*table, at, array_.shard->index_big_endian),
              count = number_at(*table, at + 8, array_.shard->index_big_endian);
    if (offset == kNoChunk && count == kNoChunk) return nullptr;
    packed = bytes_of(*file, offset, count);
  } else {
    packed = bytes_of(*file, 0, file->size());
  }
  auto bytes = std::make_shared<const std::vector<u8>>(unpack_chunk(array_, std::move(packed)));
  if (has_more) kept_->keep(name, bytes);
  return bytes;
}

KeptBytes::Bytes ZarrImage::shard_table(const RandomFile& file, const std::string& name) const {
  if (auto kept = kept_->find(name)) return kept;
  const ZarrShard& shard = *array_.shard;
  const u64 count = shard.index_bytes();
  if (count > file.size()) throw PieceError("its shard is shorter than its table");
  std::vector<u8> table = bytes_of(file, shard.index_at_end ? file.size() - count : 0, count);
  if (shard.index_has_sum) {
    const std::size_t end = table.size() - 4;
    std::uint32_t stated = 0;
    for (std::size_t k = 4; k-- > 0;) stated = stated << 8 | table[end + k];
    if (stated != crc32c(table.data(), end)) throw PieceError("the checksum of its shard's table is wrong");
  }
  auto bytes = std::make_shared<const std::vector<u8>>(std::move(table));
  kept_->keep(name, bytes);
  return bytes;
}

}  // namespace morpho::slide
