// Keeps a list of the sequences and items that are open, so that no nesting can exhaust the stack.
#include "dataset.hpp"

#include <algorithm>

namespace morpho::slide {
namespace {

constexpr u64 kUndefinedEnd = ~u64{0};
constexpr std::uint32_t kUndefinedLength = 0xFFFFFFFF;
constexpr DicomTag kItem = 0xFFFEE000, kItemEnd = 0xFFFEE00D, kSequenceEnd = 0xFFFEE0DD, kPixelData = 0x7FE00010;
constexpr std::size_t kWindowBytes = 1 << 16;

/// Those with four bytes of length after two that are reserved (PS3.5 table 7.1-1).
bool has_long_form(u16 vr) {
  constexpr u16 known[] = {dicom_vr("OB"), dicom_vr("OD"), dicom_vr("OF"), dicom_vr("OL"), dicom_vr("OV"),
                           dicom_vr("OW"), dicom_vr("SQ"), dicom_vr("SV"), dicom_vr("UC"), dicom_vr("UN"),
                           dicom_vr("UR"), dicom_vr("UT"), dicom_vr("UV")};
  return std::find(std::begin(known), std::end(known), vr) != std::end(known);
}

/// Sequences that are entered where the transfer syntax does not say what is one.
bool is_known_sequence(DicomTag tag) {
  constexpr DicomTag known[] = {0x52009229, 0x52009230, 0x00289110, 0x0048021A, 0x00480105, 0x00480207};
  return std::find(std::begin(known), std::end(known), tag) != std::end(known);
}

}  // namespace

const u8* DicomBytes::load(u64 offset, std::size_t count) {
  if (!file_.contains(offset, count)) return nullptr;
  if (offset < begin_ || offset + count > begin_ + window_.size()) {
    begin_ = offset;
    window_.resize(static_cast<std::size_t>(std::min<u64>(std::max(kWindowBytes, count), file_.size() - offset)));
    if (!file_.read(begin_, window_.data(), window_.size())) {
      window_.clear();
      return nullptr;
    }
  }
  return window_.data() + (offset - begin_);
}
std::optional<u16> DicomBytes::u16_at(u64 offset) {
  const u8* p = load(offset, 2);
  return p ? std::optional<u16>(static_cast<u16>(p[0] | p[1] << 8)) : std::nullopt;
}
std::optional<std::uint32_t> DicomBytes::u32_at(u64 offset) {
  const u8* p = load(offset, 4);
  if (!p) return std::nullopt;
  return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 | static_cast<std::uint32_t>(p[2]) << 16 |
         static_cast<std::uint32_t>(p[3]) << 24;
}
std::string DicomBytes::text_at(u64 offset, u64 length, u64 most) {
  const auto count = static_cast<std::size_t>(std::min(length, most));
  const u8* p = count == 0 ? nullptr : load(offset, count);
  std::string text = p ? std::string(reinterpret_cast<const char*>(p), count) : std::string();
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
  return text;
}

DicomWalk::DicomWalk(const RandomFile& file, u64 begin, bool is_explicit)
    : bytes_(file), begin_(begin), at_(begin), is_explicit_(is_explicit) {}

std::optional<DicomEvent> DicomWalk::fail(const std::string& problem) {
  problem_ = problem;
  done_ = true;
  return std::nullopt;
}

/// Where the innermost one that states its length ends.
u64 DicomWalk::limit() const {
  for (auto open = open_.rbegin(); open != open_.rend(); ++open)
    if (open->end != kUndefinedEnd) return open->end;
  return bytes_.size();
}

std::optional<DicomEvent> DicomWalk::close() {
  const Open closed = open_.back();
  open_.pop_back();
  using Kind = DicomEvent::Kind;
  return DicomEvent{closed.item ? Kind::item_end : Kind::sequence_end, closed.tag, 0, at_, 0, false};
}

std::optional<DicomEvent> DicomWalk::next() {
  if (done_) return std::nullopt;
  if (!open_.empty() && at_ >= open_.back().end) return close();
  if (open_.empty() && at_ == bytes_.size()) {
    done_ = true;
    return std::nullopt;
  }
  if (at_ - begin_ > kMostHeaderBytes)
    return fail("has more than " + std::to_string(kMostHeaderBytes >> 20) + " MiB before its pixels");
  const auto group = bytes_.u16_at(at_), number = bytes_.u16_at(at_ + 2);
  if (!group || !number || at_ + 8 > limit()) return fail("ends in the middle of an element");
  const DicomTag tag = static_cast<DicomTag>(*group) << 16 | *number;
  return !open_.empty() && !open_.back().item ? in_sequence(tag) : element(tag);
}

std::optional<DicomEvent> DicomWalk::in_sequence(DicomTag tag) {
  const std::uint32_t length = bytes_.u32_at(at_ + 4).value_or(0);
  const u64 within = limit();
  at_ += 8;
  if (tag == kSequenceEnd) return close();
  if (tag != kItem) return fail("has something other than items in a sequence");
  if (length != kUndefinedLength && length > within - at_) return fail("has an item that is longer than what holds it");
  open_.push_back({true, open_.back().is_explicit, length == kUndefinedLength ? kUndefinedEnd : at_ + length, tag});
  return DicomEvent{DicomEvent::Kind::item, tag, 0, at_, 0, false};
}

std::optional<DicomEvent> DicomWalk::element(DicomTag tag) {
  const u64 within = limit();
  if (tag == kItemEnd && !open_.empty()) {
    at_ += 8;
    return close();
  }
  const bool has_vr = open_.empty() ? is_explicit_ : open_.back().is_explicit;
  u16 vr = 0;
  u64 length = 0, value = at_ + 8;
  if (has_vr) {
    const u16 letters = bytes_.u16_at(at_ + 4).value_or(0);
    vr = static_cast<u16>(letters << 8 | letters >> 8);
    if (has_long_form(vr)) {
      const auto stated = bytes_.u32_at(at_ + 8);
      if (!stated) return fail("ends in the middle of an element");
      length = *stated;
      value = at_ + 12;
    } else length = bytes_.u16_at(at_ + 6).value_or(0);
  } else length = bytes_.u32_at(at_ + 4).value_or(0);
  const bool undefined = length == kUndefinedLength && (!has_vr || has_long_form(vr));
  if (value > within || (!undefined && length > within - value))
    return fail("has an element that is longer than what holds it");
  using Kind = DicomEvent::Kind;
  if (tag == kPixelData && open_.empty()) {
    done_ = true;
    at_ = value;
    return DicomEvent{Kind::pixels, tag, vr, value, undefined ? 0 : length, undefined};
  }
  if (tag == kPixelData && undefined) {
    at_ = value;
    if (!skip_fragments()) return fail("has fragments that are longer than what holds them");
    return DicomEvent{Kind::value, tag, vr, value, 0, true};
  }
  const bool sequence = vr == dicom_vr("SQ") || undefined || (!has_vr && is_known_sequence(tag));
  if (!sequence) {
    at_ = value + length;
    return DicomEvent{Kind::value, tag, vr, value, length, false};
  }
  if (open_.size() >= kDeepest) return fail("nests sequences more than " + std::to_string(kDeepest / 2) + " deep");
  at_ = value;
  // A sequence of unknown kind has no kinds within (PS3.5, 6.2.2).
  open_.push_back({false, has_vr && vr != dicom_vr("UN"), undefined ? kUndefinedEnd : value + length, tag});
  return DicomEvent{Kind::sequence, tag, vr, value, 0, false};
}

/// Of a picture within the data set, an icon say.
bool DicomWalk::skip_fragments() {
  for (const u64 within = limit(); at_ + 8 <= within;) {
    const auto group = bytes_.u16_at(at_), number = bytes_.u16_at(at_ + 2);
    const auto length = bytes_.u32_at(at_ + 4);
    if (!group || !number || !length) return false;
    const DicomTag tag = static_cast<DicomTag>(*group) << 16 | *number;
    at_ += 8;
    if (tag == kSequenceEnd) return true;
    if (tag != kItem || *length > within - at_) return false;
    at_ += *length;
  }
  return false;
}

}  // namespace morpho::slide
