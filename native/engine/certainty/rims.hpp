// The rims of a window's planes, brought to the host from a backend whose memory it does not see: what certainty is told from.
#pragma once
#include <optional>
#include <vector>

#include "certainty_analysis.hpp"
#include "engine/device/backend.hpp"

namespace morpho::engine {

/// Gathers, while a window is computed on a GPU, the rims of the planes that CertaintyAnalysis would look at, as they are when
/// they would; afterwards, when the GPU is another's already, what is uncertain is followed by the host on those rims. The same
/// code on the same pixels: what is certain is what the CPU's window calls certain. Where uncertainty leads farther in than the
/// rims go, that is said, and the window must be followed with whole planes.
///
/// Cost: on the backend, copies within its memory and one download of bytes(), at most kBytes for each px of the cut sides'
/// length (a window of 1200² px: 19 MB; its planes that are looked at have 8 to 44 bytes a pixel, he-nuclei's 63 MB), as much
/// memory there and on the host. The host does not wait before the window's end.
class Rims {
 public:
  /// How far in they go, from where a plane's certain part begins: as far as these bytes for each px of length allow. So they
  /// are as deep as uncertainty on tissue, of all but few windows: he-nuclei's 93 px (uncertain to 66), iwpp's 140 (129), cell
  /// detection's 146 (97), max-tree's 192 (155).
  static constexpr i64 kBytes = 4096;
  static constexpr i32 kMostDepth = 192;
  /// Less deep ones hardly ever tell.
  static constexpr i32 kLeastDepth = 48;

  /// Whether those of this program are worth gathering. Where not (ihc-nuclei's: its several thresholds have many planes),
  /// whole planes tell at once, and nothing is computed twice.
  static bool are_deep(const Program& program);

  /// Holds the program. Takes memory of the backend, which must be there until fetch().
  Rims(Backend& backend, const ProgramPtr& program, Extent extent, const Rect& core, const CutSides& cut);
  Rims(const Rims&) = delete;
  Rims& operator=(const Rims&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// Before and after each step that CertaintyAnalysis follow, in the program's order: `plane` gives the plane of a field.
  /// Enqueued.
  template <class Fn>
  void before(Backend& backend, Fn&& plane) {
    while (next_ < pieces_.size() && pieces_[next_].step == step_ && !pieces_[next_].after) gather(backend, plane);
  }
  template <class Fn>
  void after(Backend& backend, Fn&& plane) {
    while (next_ < pieces_.size() && pieces_[next_].step == step_) gather(backend, plane);
    ++step_;
  }
  /// All of them to memory that `to` gives, which must be there as long as anybody asks for certainty. sync: once.
  void fetch(Backend& backend, const HostMemory& to);

  /// What is certain, by the host alone; nothing where the rims do not tell.
  std::optional<Trust> certainty() const;

 private:
  struct Piece {
    std::size_t step;  ///< which of the followed ones
    bool after;        ///< it
    Field field;
    RimLayout layout;
    std::size_t offset;
  };
  template <class Fn>
  void gather(Backend& backend, Fn&& plane) {
    const Piece& piece = pieces_[next_++];
    pack(backend, plane(piece.field), piece);
  }
  void pack(Backend& backend, ConstPlane plane, const Piece& piece) const;

  const ProgramPtr program_;
  const Extent extent_;
  const Rect core_;
  const CutSides cut_;
  std::vector<const Step*> steps_;  ///< the followed ones
  std::vector<Piece> pieces_;       ///< in the order in which they are gathered
  std::size_t bytes_ = 0, step_ = 0, next_ = 0;
  u8* gathered_ = nullptr;       ///< in the backend's memory
  const u8* fetched_ = nullptr;  ///< on the host
};

}  // namespace morpho::engine
