// Takes from a data set what reading pixels needs, and no more.
#include "instance.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace morpho::slide {
namespace {

constexpr const char* kWholeSlide = "1.2.840.10008.5.1.4.1.1.77.1.6";
constexpr const char *kImplicit = "1.2.840.10008.1.2", *kBigEndian = "1.2.840.10008.1.2.2",
                     *kDeflated = "1.2.840.10008.1.2.1.99";
constexpr std::size_t kMostPaths = 1024, kMostNames = 64;

enum Tag : DicomTag {
  kSyntax = 0x00020010,
  kImageType = 0x00080008,
  kSopClass = 0x00080016,
  kManufacturer = 0x00080070,
  kModel = 0x00081090,
  kSeries = 0x0020000E,
  kConcatenation = 0x00209161,
  kConcatenationOffset = 0x00209228,
  kOrganization = 0x00209311,
  kSamples = 0x00280002,
  kPhotometric = 0x00280004,
  kPlanar = 0x00280006,
  kFrames = 0x00280008,
  kRows = 0x00280010,
  kColumns = 0x00280011,
  kSpacing = 0x00280030,
  kAllocated = 0x00280100,
  kStored = 0x00280101,
  kHighBit = 0x00280102,
  kSigned = 0x00280103,
  kProfile = 0x00282000,
  kDepth = 0x0040074A,
  kTotalColumns = 0x00480006,
  kTotalRows = 0x00480007,
  kPaths = 0x00480105,
  kPathIdentifier = 0x00480106,
  kPathDescription = 0x00480107,
  kObjective = 0x00480112,
  kPathOfFrame = 0x00480207,
  kColumnOfFrame = 0x0048021E,
  kRowOfFrame = 0x0048021F,
  kFocalPlanes = 0x00480303,
  kShared = 0x52009229,
  kPerFrame = 0x52009230,
  kExtendedOffsets = 0x7FE00001,
  kExtendedLengths = 0x7FE00002,
};

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('\\', from), text.size());
    std::size_t first = text.find_first_not_of(' ', from);
    first = std::min(first, to);
    std::size_t last = to;
    while (last > first && text[last - 1] == ' ') --last;
    parts.push_back(text.substr(first, last - first));
    from = to + 1;
  }
  return parts;
}

/// Not by std::stod: that asks the locale.
std::optional<double> decimal(const std::string& text) {
  double value = 0;
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The data set of one instance, as its events come.
class Reading {
 public:
  Reading(DicomInstance& into, DicomBytes& bytes) : i_(into), bytes_(bytes) {}

  void take(const DicomEvent& e) {
    using Kind = DicomEvent::Kind;
    switch (e.kind) {
      case Kind::sequence: within_.push_back(e.tag); break;
      case Kind::sequence_end: within_.pop_back(); break;
      case Kind::item: begin_item(); break;
      case Kind::item_end: break;
      case Kind::pixels: i_.pixels = e; break;
      case Kind::value:
        if (within_.empty()) take_top(e);
        else take_nested(e);
    }
  }

 private:
  std::string text(const DicomEvent& e) { return bytes_.text_at(e.offset, e.length); }
  u64 number(const DicomEvent& e) {
    if (e.vr == dicom_vr("IS") || (e.vr == 0 && (e.tag == kFrames))) {
      const auto value = decimal(parts_of(text(e)).front());
      return value && *value >= 0 && *value <= 9e15 ? static_cast<u64>(*value) : 0;
    }
    if (e.length >= 4 && e.vr != dicom_vr("US")) return bytes_.u32_at(e.offset).value_or(0);
    return bytes_.u16_at(e.offset).value_or(0);
  }

  /// 0, which no place is, where the file states a negative one.
  std::uint32_t signed_place(const DicomEvent& e) {
    const u64 value = number(e);
    return value > 0x7FFFFFFF ? 0 : static_cast<std::uint32_t>(value);
  }
  /// What is beyond the most names is the first of them, which is none.
  static u16 index_of(const std::string& name, std::vector<std::string>& names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<u16>(found - names.begin());
    if (names.size() >= kMostNames) return 0;
    names.push_back(name);
    return static_cast<u16>(names.size() - 1);
  }

  bool is_in(DicomTag outermost) const { return !within_.empty() && within_.front() == outermost; }

  void begin_item() {
    if (within_.size() == 1 && within_.front() == kPerFrame && i_.places.size() <= kMostFrames) i_.places.emplace_back();
    if (within_.size() == 1 && within_.front() == kPaths && i_.paths.size() < kMostPaths) i_.paths.emplace_back();
  }

  void take_top(const DicomEvent& e) {
    switch (e.tag) {
      case kImageType: i_.image_type = parts_of(text(e)); break;
      case kSopClass: i_.kind = text(e); break;
      case kManufacturer: i_.manufacturer = text(e); break;
      case kModel: i_.model = text(e); break;
      case kSeries: i_.series = text(e); break;
      case kConcatenation: i_.concatenation = text(e); break;
      case kConcatenationOffset: i_.first_frame = number(e); break;
      case kOrganization: i_.organization = text(e); break;
      case kSamples: i_.samples = number(e); break;
      case kPhotometric: i_.photometric = text(e); break;
      case kPlanar: i_.planar = number(e) == 1; break;
      case kFrames: i_.frames = number(e); break;
      case kRows: i_.rows = number(e); break;
      case kColumns: i_.columns = number(e); break;
      case kSpacing: take_spacing(e); break;
      case kAllocated: i_.bits_allocated = number(e); break;
      case kStored: i_.bits_stored = number(e); break;
      case kHighBit: i_.high_bit = number(e); break;
      case kSigned: i_.is_signed = number(e) == 1; break;
      case kTotalColumns: i_.total_columns = number(e); break;
      case kTotalRows: i_.total_rows = number(e); break;
      case kFocalPlanes: i_.planes = number(e); break;
      case kExtendedOffsets: i_.offsets = e; break;
      case kExtendedLengths: i_.lengths = e; break;
      default: break;
    }
  }

  void take_nested(const DicomEvent& e) {
    if (is_in(kShared) && e.tag == kSpacing) return take_spacing(e);
    if (is_in(kPaths) && within_.size() == 1 && !i_.paths.empty()) {
      if (e.tag == kProfile && i_.paths.size() == 1) i_.profile = e;
      if (e.tag == kPathIdentifier) i_.paths.back().first = text(e);
      if (e.tag == kPathDescription) i_.paths.back().second = text(e);
      if (e.tag == kObjective)
        if (const auto power = decimal(text(e)); power && *power > 0 && *power <= 1000) i_.objective_power = *power;
    }
    if (!is_in(kPerFrame) || i_.places.empty()) return;
    DicomPlace& place = i_.places.back();
    switch (e.tag) {
      case kColumnOfFrame: place.column = signed_place(e); break;
      case kRowOfFrame: place.row = signed_place(e); break;
      case kDepth: place.depth = index_of(text(e), i_.depth_names); break;
      case kPathIdentifier: place.path = index_of(text(e), i_.path_names); break;
      case kSpacing: take_spacing(e); break;
      default: break;
    }
  }

  void take_spacing(const DicomEvent& e) {
    const auto parts = parts_of(text(e));
    if (parts.size() != 2) return;
    i_.row_spacing = decimal(parts[0]);
    i_.column_spacing = decimal(parts[1]);
  }

  DicomInstance& i_;
  DicomBytes& bytes_;
  std::vector<DicomTag> within_;
};

/// The group of the file itself, which is always explicit. Gives where the data set begins.
std::optional<u64> read_meta(const RandomFile& file, std::string& syntax) {
  constexpr u64 begin = 132;
  DicomWalk walk(file, begin, true);
  for (;;) {
    const u64 at = walk.at();
    const auto group = walk.bytes().u16_at(at);
    if (!group) return std::nullopt;
    if (*group != 2) return at;
    const auto e = walk.next();
    if (!e || e->kind != DicomEvent::Kind::value) return std::nullopt;
    if (e->tag == kSyntax) syntax = walk.bytes().text_at(e->offset, e->length);
  }
}

}  // namespace

bool DicomInstance::is_slide() const { return kind == kWholeSlide; }

std::string DicomInstance::flavor() const { return image_type.size() > 2 && !image_type[2].empty() ? image_type[2] : "VOLUME"; }

std::unique_ptr<DicomInstance> read_instance(const std::string& path, const std::string& series, std::string& problem) {
  auto i = std::make_unique<DicomInstance>();
  i->path = path;
  i->file = std::make_unique<RandomFile>(path);
  char mark[4] = {};
  if (!i->file->read(128, mark, 4) || std::memcmp(mark, "DICM", 4) != 0) return nullptr;
  const auto begin = read_meta(*i->file, i->syntax);
  if (!begin) {
    problem = "its first group is damaged";
    return nullptr;
  }
  if (i->syntax == kBigEndian || i->syntax == kDeflated) {
    problem = "its data set is " + std::string(i->syntax == kDeflated ? "deflated" : "in big-endian order") +
              ", which is not read";
    return nullptr;
  }
  DicomWalk walk(*i->file, *begin, i->syntax != kImplicit);
  Reading reading(*i, walk.bytes());
  while (const auto e = walk.next()) {
    reading.take(*e);
    if (!series.empty() && !i->series.empty() && i->series != series) return nullptr;
  }
  if (!walk.problem().empty()) {
    problem = "its data set " + walk.problem();
    return nullptr;
  }
  return i;
}

}  // namespace morpho::slide
