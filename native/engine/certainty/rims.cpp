// Gathers rims of planes, and follows on them what is uncertain of a window.
#include "rims.hpp"

#include <algorithm>

namespace morpho::engine {
namespace {

/// The steps that matter to what is measured.
std::vector<const Step*> followed_steps(const Program& program) {
  std::vector<const Step*> steps;
  std::vector<bool> blocks;  // those that have not ended: does anybody only look in there?
  int looks = 0;
  for (const Step& step : program.steps) {
    if (begins_block(step.op)) {
      blocks.push_back(step.op == Op::look);
      looks += blocks.back();
    } else if (step.op == Op::end) {
      if (blocks.empty()) break;
      looks -= blocks.back();
      blocks.pop_back();
    } else if (looks == 0) {
      steps.push_back(&step);
    }
  }
  return steps;
}

/// As deep as kBytes allow for all planes that are looked at; 0: there are none.
i32 depth_of(const Program& program, const std::vector<const Step*>& steps) {
  i64 pixel = 0;
  for (const Step* step : steps) {
    for (const bool after : {false, true}) {
      for (const Field& field : CertaintyAnalysis::looked_at(*step, after))
        pixel += static_cast<i64>(pixel_bytes(program.planes[static_cast<std::size_t>(field.number)]));
    }
  }
  return pixel == 0 ? 0 : static_cast<i32>(std::min<i64>(Rims::kMostDepth, Rims::kBytes / pixel));
}

RimLayout layout_of(const Uncertainty& frame, const CutSides& sides, i32 depth) {
  RimLayout layout;
  layout.x0 = frame.x0, layout.y0 = frame.y0;
  layout.width = std::max(0, frame.x1 - frame.x0), layout.height = std::max(0, frame.y1 - frame.y0);
  const auto rim = [&](bool is_cut, i32 size) { return is_cut ? std::min(depth, size) : 0; };
  layout.left = rim(sides.left, layout.width), layout.right = rim(sides.right, layout.width);
  layout.top = rim(sides.top, layout.height), layout.bottom = rim(sides.bottom, layout.height);
  if (layout.left + layout.right >= layout.width || layout.top + layout.bottom >= layout.height) {
    layout.left = layout.right = layout.bottom = 0;
    layout.top = layout.height;
  }
  return layout;
}

}  // namespace

bool Rims::are_deep(const Program& program) {
  const i32 depth = depth_of(program, followed_steps(program));
  return depth == 0 || depth >= kLeastDepth;
}

Rims::Rims(Backend& backend, const ProgramPtr& program, Extent extent, const Rect& core, const CutSides& cut)
    : program_(program), extent_(extent), core_(core), cut_(cut), steps_(followed_steps(*program)) {
  const i32 depth = depth_of(*program_, steps_);
  const std::vector<Uncertainty> frames = CertaintyAnalysis::frames(*program_, extent, core, cut, steps_);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const RimLayout layout = layout_of(frames[k], cut, depth);
    for (const bool after : {false, true}) {
      for (const Field& field : CertaintyAnalysis::looked_at(*steps_[k], after)) {
        pieces_.push_back({k, after, field, layout, 0});
      }
    }
  }
  // The largest pixels first: each piece is aligned, and nothing lies between them that nobody has written.
  for (const std::size_t size : {8, 4, 2, 1}) {
    for (Piece& piece : pieces_) {
      if (pixel_bytes(program_->planes[static_cast<std::size_t>(piece.field.number)]) != size) continue;
      piece.offset = bytes_;
      bytes_ += piece.layout.pixels() * size;
    }
  }
  gathered_ = backend.context().workspace.take<u8>(bytes_);
}

void Rims::pack(Backend& backend, ConstPlane plane, const Piece& piece) const {
  const RimLayout& l = piece.layout;
  const std::size_t pixel = pixel_bytes(plane.type), pitch = static_cast<std::size_t>(plane.stride) * pixel;
  u8* to = gathered_ + piece.offset;
  const auto rows = [&](i32 x, i32 y, i32 width, i32 height) {
    if (width <= 0 || height <= 0) return;
    const std::size_t row = static_cast<std::size_t>(width) * pixel, n = static_cast<std::size_t>(height);
    const std::size_t at = static_cast<std::size_t>(l.y0 + y) * pitch + static_cast<std::size_t>(l.x0 + x) * pixel;
    backend.pack_rows(to, static_cast<const u8*>(plane.data) + at, pitch, row, n);
    to += row * n;
  };
  const i32 middle = l.height - l.top - l.bottom;
  rows(0, 0, l.width, l.top);
  rows(0, l.height - l.bottom, l.width, l.bottom);
  rows(0, l.top, l.left, middle);
  rows(l.width - l.right, l.top, l.right, middle);
}

void Rims::fetch(Backend& backend, const HostMemory& to) {
  if (bytes_ == 0) return;
  u8* host = to(bytes_);
  backend.download(host, gathered_, bytes_);  // sync: at the window's end, when all is done
  fetched_ = host;
}

std::optional<Trust> Rims::certainty() const {
  std::size_t step = 0;
  bool after = false;
  auto from = pieces_.begin();
  CertaintyAnalysis analysis(*program_, extent_, core_, {cut_, {}}, [&](Field f) -> SeenPlane {
    while (from != pieces_.end() && (from->step < step || (from->step == step && from->after < after))) ++from;
    for (auto piece = from; piece != pieces_.end() && piece->step == step && piece->after == after; ++piece) {
      if (piece->field.number != f.number) continue;
      return {fetched_ + piece->offset, program_->planes[static_cast<std::size_t>(f.number)], &piece->layout};
    }
    throw Error(ErrorCode::internal, "a plane was asked for that no step has read");
  });
  try {
    for (; step < steps_.size(); ++step) {
      after = false;
      analysis.before(*steps_[step]);
      after = true;
      analysis.after(*steps_[step]);
    }
  } catch (const BeyondRim&) {
    return std::nullopt;
  }
  return analysis.certainty();
}

}  // namespace morpho::engine
