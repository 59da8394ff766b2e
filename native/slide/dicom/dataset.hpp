// Walks a DICOM data set element by element, without trusting one of its lengths.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../random_file.hpp"

namespace morpho::slide {

using DicomTag = std::uint32_t;  ///< group << 16 | element

/// One step of the walk.
struct DicomEvent {
  enum class Kind : u8 { value, sequence, item, item_end, sequence_end, pixels };
  Kind kind = Kind::value;
  DicomTag tag = 0;
  u16 vr = 0;  ///< two letters, the first in the high byte; 0 where the transfer syntax has none
  u64 offset = 0, length = 0;
  bool encapsulated = false;  ///< pixels: a sequence of fragments; `length` says nothing then
};

constexpr u16 dicom_vr(const char (&letters)[3]) {
  return static_cast<u16>(static_cast<u16>(letters[0]) << 8 | static_cast<u8>(letters[1]));
}

/// Bytes of a file through a small window, for reading forward.
class DicomBytes {
 public:
  explicit DicomBytes(const RandomFile& file) : file_(file) {}
  u64 size() const { return file_.size(); }
  /// Nothing where the file does not hold them.
  std::optional<u16> u16_at(u64 offset);
  std::optional<std::uint32_t> u32_at(u64 offset);
  /// At most `most` bytes of it.
  std::string text_at(u64 offset, u64 length, u64 most = 1024);

 private:
  const u8* load(u64 offset, std::size_t count);
  const RandomFile& file_;
  u64 begin_ = 0;
  std::vector<u8> window_;
};

/// The elements of a data set in little-endian order, nested ones between the events of their sequence and item, up to its
/// pixels. What an item or sequence states of its length stays within what holds it. Of implicit data sets only the
/// sequences that this reader asks for are entered. Cost: one pass over what precedes the pixels, at most kMostHeaderBytes.
/// Source: DICOM PS3.5 chapter 7, annex A.
class DicomWalk {
 public:
  static constexpr u64 kMostHeaderBytes = u64{512} << 20;
  static constexpr std::size_t kDeepest = 24;

  DicomWalk(const RandomFile& file, u64 begin, bool is_explicit);
  /// Nothing at the end, after the pixels, or where something is wrong.
  std::optional<DicomEvent> next();
  /// What was wrong, in words that follow on "its data set"; empty where nothing was.
  const std::string& problem() const { return problem_; }
  DicomBytes& bytes() { return bytes_; }
  /// Where the next element begins.
  u64 at() const { return at_; }

 private:
  struct Open {
    bool item;
    bool is_explicit;
    u64 end;  ///< kUndefinedEnd where a delimiter ends it
    DicomTag tag;
  };
  std::optional<DicomEvent> fail(const std::string& problem);
  std::optional<DicomEvent> close();
  std::optional<DicomEvent> in_sequence(DicomTag tag);
  std::optional<DicomEvent> element(DicomTag tag);
  bool skip_fragments();
  u64 limit() const;

  DicomBytes bytes_;
  u64 begin_, at_;
  bool is_explicit_, done_ = false;
  std::vector<Open> open_;
  std::string problem_;
};

}  // namespace morpho::slide
