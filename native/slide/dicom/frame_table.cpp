// Reads the tables of offsets, or goes from fragment to fragment where there is none (DICOM PS3.5 annex A.4).
#include "frame_table.hpp"

#include <algorithm>

#include "../pieces/unpack.hpp"
#include "../plausible.hpp"

namespace morpho::slide {
namespace {

constexpr DicomTag kFragment = 0xFFFEE000;
constexpr u64 kHead = 8;

u64 little_endian(const u8* p, int bytes) {
  u64 value = 0;
  for (int k = bytes; k-- > 0;) value = value << 8 | p[k];
  return value;
}
DicomTag tag_at(const u8* p) { return static_cast<DicomTag>(little_endian(p, 2) << 16 | little_endian(p + 2, 2)); }

}  // namespace

std::unique_ptr<FrameTable> FrameTable::of(std::unique_ptr<DicomInstance> instance, u64 frame_bytes, std::string& problem) {
  std::unique_ptr<FrameTable> table(new FrameTable(std::move(instance)));
  const DicomInstance& i = table->instance();
  table->frame_bytes_ = frame_bytes;
  if (!i.pixels.encapsulated) return table;
  DicomBytes bytes(*i.file);
  const auto group = bytes.u16_at(i.pixels.offset), number = bytes.u16_at(i.pixels.offset + 2);
  const auto length = bytes.u32_at(i.pixels.offset + 4);
  if (!group || !number || !length || (static_cast<DicomTag>(*group) << 16 | *number) != kFragment ||
      !i.file->contains(i.pixels.offset + kHead, *length)) {
    problem = "its pixels do not begin with a table of offsets";
    return nullptr;
  }
  table->first_fragment_ = i.pixels.offset + kHead + *length;
  const bool done = i.offsets.length > 0 ? table->read_extended(problem)
                    : *length > 0        ? table->read_basic(problem)
                                         : table->walk_fragments(problem);
  return done ? std::move(table) : nullptr;
}

std::vector<u8> FrameTable::stored(u64 offset, u64 count) const {
  std::vector<u8> bytes;
  const RandomFile& file = *instance_->file;
  if (count > kMostCompressedBytes || !file.contains(offset, count))
    throw PieceError("the file states " + std::to_string(count) + " bytes from byte " + std::to_string(offset) +
                     " on for this part, and has " + std::to_string(file.size()));
  bytes.resize(static_cast<std::size_t>(count));
  if (count > 0 && !file.read(offset, bytes.data(), bytes.size()))
    throw PieceError("its " + std::to_string(count) + " bytes from byte " + std::to_string(offset) + " on could not be read");
  return bytes;
}

bool FrameTable::read_extended(std::string& problem) {
  const u64 frames = instance_->frames;
  if (instance_->offsets.length != 8 * frames) {
    problem = "its table has " + std::to_string(instance_->offsets.length / 8) + " offsets for " + std::to_string(frames) +
              " frames";
    return false;
  }
  std::vector<u8> table(static_cast<std::size_t>(8 * frames));
  if (!instance_->file->read(instance_->offsets.offset, table.data(), table.size())) {
    problem = "its table of offsets could not be read";
    return false;
  }
  starts_.reserve(static_cast<std::size_t>(frames));
  for (u64 k = 0; k < frames; ++k)
    starts_.push_back(first_fragment_ + std::min(little_endian(table.data() + 8 * k, 8), u64{1} << 62));
  return true;
}

bool FrameTable::read_basic(std::string& problem) {
  const u64 frames = instance_->frames, length = first_fragment_ - instance_->pixels.offset - kHead;
  if (length != 4 * frames) {
    problem = "its table has " + std::to_string(length / 4) + " offsets for " + std::to_string(frames) + " frames";
    return false;
  }
  std::vector<u8> table(static_cast<std::size_t>(length));
  if (!instance_->file->read(instance_->pixels.offset + kHead, table.data(), table.size())) {
    problem = "its table of offsets could not be read";
    return false;
  }
  starts_.reserve(static_cast<std::size_t>(frames));
  u64 before = 0, wrapped = 0;
  // Offsets of 32 bits begin anew beyond 4 GiB, though they should not.
  for (u64 k = 0; k < frames; ++k) {
    const u64 offset = little_endian(table.data() + 4 * k, 4);
    if (offset < before) wrapped += u64{1} << 32;
    before = offset;
    starts_.push_back(first_fragment_ + wrapped + offset);
  }
  return true;
}

bool FrameTable::walk_fragments(std::string& problem) {
  const u64 frames = instance_->frames;
  DicomBytes bytes(*instance_->file);
  u64 at = first_fragment_;
  for (;;) {
    const auto group = bytes.u16_at(at), number = bytes.u16_at(at + 2);
    const auto length = bytes.u32_at(at + 4);
    // A file that was cut off still has the frames before.
    if (!group || !number || !length) break;
    const DicomTag tag = static_cast<DicomTag>(*group) << 16 | *number;
    if (tag != kFragment) break;
    if (starts_.size() > frames) break;
    starts_.push_back(at);
    at += kHead + *length;
  }
  if (frames == 1 && !starts_.empty()) starts_.resize(1);
  if (starts_.size() <= frames) return true;
  problem = "it has more pieces of frames than frames, and no table that says which belong together";
  return false;
}

std::vector<u8> FrameTable::bytes(u64 frame, u64 skip, u64 count) const {
  const DicomInstance& i = *instance_;
  if (frame >= i.frames) throw PieceError("the file holds no data for this part");
  if (!i.pixels.encapsulated) {
    const u64 begin = frame * frame_bytes_ + skip;
    if (begin + count > i.pixels.length) throw PieceError("the file holds no data for this part");
    return stored(i.pixels.offset + begin, count);
  }
  if (frame >= starts_.size()) throw PieceError("the file holds no data for this part");
  const u64 end = frame + 1 < starts_.size() ? starts_[static_cast<std::size_t>(frame) + 1] : i.file->size();
  std::vector<u8> all;
  for (u64 at = starts_[static_cast<std::size_t>(frame)]; at < end;) {
    const std::vector<u8> head = stored(at, kHead);
    const u64 length = little_endian(head.data() + 4, 4);
    if (tag_at(head.data()) != kFragment) {
      if (all.empty()) throw PieceError("no frame begins at byte " + std::to_string(at) + ", where the file says one does");
      break;
    }
    if (all.size() + length > kMostCompressedBytes)
      throw PieceError("its frame has more than " + std::to_string(kMostCompressedBytes >> 20) + " MiB");
    const std::vector<u8> more = stored(at + kHead, length);
    all.insert(all.end(), more.begin(), more.end());
    at += kHead + length;
  }
  return all;
}

}  // namespace morpho::slide
