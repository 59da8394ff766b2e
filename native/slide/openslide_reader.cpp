// Reads pixels through OpenSlide, survives its latched errors, and composites what it gives on the slide's background.
#include "openslide_reader.hpp"

#include "on_level.hpp"
#include "plausible.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <cmath>

namespace morpho::slide {
namespace {

constexpr std::size_t kMostBadCells = 65536;
// Held three times while it is read: 384 MiB. Scanners' largest have 10 Mpx.
constexpr i64 kMostAssociatedPx = i64{1} << 25;

/// Premultiplied ARGB in native byte order over an opaque background, rounded to nearest. Fully transparent pixels are what
/// OpenSlide gives for missing tiles and beyond a region: they become background and never look like black tissue.
Rgba composite(std::uint32_t p, Rgba b) {
  const std::uint32_t a = p >> 24;
  if (a == 255) return {static_cast<u8>(p >> 16), static_cast<u8>(p >> 8), static_cast<u8>(p), 255};
  const auto over = [a](std::uint32_t c, u8 back) {
    return static_cast<u8>(std::min<std::uint32_t>(255, (c & 255) + (back * (255 - a) + 127) / 255));
  };
  return {over(p >> 16, b.r), over(p >> 8, b.g), over(p, b.b), 255};
}

}  // namespace

OpenSlideReader::~OpenSlideReader() {
  if (handle_) lib_.close(handle_);
}

bool OpenSlideReader::fetch(int level, const Rect& part, std::uint32_t* pixels, std::string* reason) {
  if (!handle_) {
    if (reason) *reason = "the slide could not be opened again";
    return false;
  }
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  const double d = plan.downsample;
  // OpenSlide takes level-0 coordinates; for aligned levels this product is exact.
  const i64 x = std::llround(static_cast<double>(part.x) * d), y = std::llround(static_cast<double>(part.y) * d);
  lib_.read_region(handle_, pixels, x, y, plan.index, part.width, part.height);
  if (const char* error = lib_.get_error(handle_)) {
    if (reason) *reason = error;
    return false;
  }
  return true;
}

bool OpenSlideReader::fetch_shared(int level, const Rect& part, std::uint32_t* pixels, u64& generation) {
  std::shared_lock lock(handle_mutex_);
  generation = generation_;
  return fetch(level, part, pixels, nullptr);  // the error may be another thread's: its text says nothing about this part
}

bool OpenSlideReader::reopen(std::string& reason) {
  ++generation_;
  if (handle_) lib_.close(handle_);
  handle_ = nullptr;
  // Its tiles would be a mix of two files.
  if (const FileMark now = FileMark::of(info_.path); now.found && now != mark_) {
    reason = "the slide's file has changed since it was opened";
    return false;
  }
  handle_ = lib_.open(info_.path.c_str());
  if (!handle_) {
    reason = "the slide could not be opened again: it is gone or was changed";
    return false;
  }
  if (const char* error = lib_.get_error(handle_)) {
    reason = std::string("the slide could not be opened again: ") + error;
    lib_.close(handle_);
    handle_ = nullptr;
    return false;
  }
  // Without a directory that libtiff could not read its levels are others, and what is read of them is background.
  if (shape_of(handle_) != shape_) {
    reason = "the slide could not be opened again in full";
    lib_.close(handle_);
    handle_ = nullptr;
    return false;
  }
  return true;
}

OpenSlideReader::Outcome OpenSlideReader::fetch_alone(int level, const Rect& part, std::uint32_t* pixels, u64 generation,
                                                      std::string& reason) {
  std::unique_lock lock(handle_mutex_);
  const bool fresh = generation == generation_ || !handle_;
  if (fresh && !reopen(reason)) return Outcome::gone;
  if (fetch(level, part, pixels, &reason)) return Outcome::good;
  std::string again;
  if (!reopen(again)) {
    reason = again;
    return Outcome::gone;
  }
  // Another thread had opened the slide again, and a third one's error may have latched on it since: once more, afresh.
  if (fresh) return Outcome::failed;
  if (fetch(level, part, pixels, &reason)) return Outcome::good;
  return reopen(again) ? Outcome::failed : Outcome::gone;
}

bool OpenSlideReader::is_bad(const Cell& cell, std::string& reason) {
  if (!any_bad_.load(std::memory_order_acquire)) return false;
  std::lock_guard lock(bad_mutex_);
  const auto it = bad_.find(cell);
  if (it == bad_.end()) return false;
  reason = it->second;
  return true;
}

bool OpenSlideReader::touches_bad(int level, const Rect& part) {
  if (!any_bad_.load(std::memory_order_acquire)) return false;
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  std::string reason;
  for (i64 cy = part.y / plan.cell_h; cy * plan.cell_h < part.y + part.height; ++cy)
    for (i64 cx = part.x / plan.cell_w; cx * plan.cell_w < part.x + part.width; ++cx)
      if (is_bad({level, cx, cy}, reason)) return true;
  return false;
}

/// Which of the tiles that `part` touches the file has no bytes for.
OpenSlideReader::Absence OpenSlideReader::absence(int level, const Rect& part) const {
  const TiffDirectory* d = plans_[static_cast<std::size_t>(level)].sparse;
  if (!d || part.width <= 0 || part.height <= 0) return Absence::none;
  const i64 tw = static_cast<i64>(d->tile_width), th = static_cast<i64>(d->tile_height);
  bool any = false, all = true;
  for (i64 ty = part.y / th; ty * th < part.y + part.height; ++ty)
    for (i64 tx = part.x / tw; tx * tw < part.x + part.width; ++tx) {
      const bool absent = tiff_->tile_is_absent(*d, static_cast<u64>(tx), static_cast<u64>(ty));
      any |= absent;
      all &= absent;
    }
  return all ? Absence::all : any ? Absence::some : Absence::none;
}

std::string OpenSlideReader::absent_reason() {
  const std::lock_guard lock(bad_mutex_);
  return absent_reason_;
}

/// Once OpenSlide has failed at tiles without bytes it fails at each of them, and each would cost two openings of the slide.
bool OpenSlideReader::lacks_tiles(int level, const Rect& part) {
  return any_bad_.load(std::memory_order_acquire) && plans_[static_cast<std::size_t>(level)].sparse &&
         !absent_reason().empty() && absence(level, part) != Absence::none;
}

Rect OpenSlideReader::to_level0(int level, const Rect& part) const {
  const Level& l = info_.levels[static_cast<std::size_t>(level)];
  const auto x = [&l](i64 v) { return static_cast<double>(v) * l.downsample_x(); };
  const auto y = [&l](i64 v) { return static_cast<double>(v) * l.downsample_y(); };
  const Rect r{static_cast<i64>(std::floor(x(part.x))), static_cast<i64>(std::floor(y(part.y))), 0, 0};
  const i64 right = static_cast<i64>(std::ceil(x(part.x + part.width))),
            bottom = static_cast<i64>(std::ceil(y(part.y + part.height)));
  return intersect({r.x, r.y, right - r.x, bottom - r.y}, {0, 0, info_.levels[0].width, info_.levels[0].height});
}

/// OpenSlide gives tiles without bytes as transparent px and no error: where the scanner should have written them, say so.
void OpenSlideReader::report_absent(int level, const Rect& part, const Rect& wanted,
                                    std::vector<Unreadable>& unreadable) const {
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  if (!plan.whole) return;
  for (i64 cy = part.y / plan.cell_h; cy * plan.cell_h < part.y + part.height; ++cy) {
    for (i64 cx = part.x / plan.cell_w; cx * plan.cell_w < part.x + part.width; ++cx) {
      if (!tiff_->tile_is_absent(*plan.whole, static_cast<u64>(cx), static_cast<u64>(cy))) continue;
      const Rect cell{cx * plan.cell_w, cy * plan.cell_h, plan.cell_w, plan.cell_h};
      const Rect shown = intersect(intersect(cell, part), wanted);
      if (shown.width > 0 && shown.height > 0)
        unreadable.push_back({to_level0(level, shown), "the file holds no data for this tile"});
    }
  }
}

/// Reads `chunk` (level px, inside the level) and writes its part inside `wanted` to `out`, whose (0, 0) is wanted's corner.
void OpenSlideReader::read_chunk(int level, const Rect& chunk, const Rect& wanted, View<Rgba> out,
                                 std::vector<Unreadable>& unreadable, const ReadControl& control) {
  const Level& l = info_.levels[static_cast<std::size_t>(level)];
  const auto lose = [&](const Rect& part, const std::string& reason) {
    const Rect shown = intersect(intersect(part, chunk), wanted);
    if (shown.width == 0 || shown.height == 0) return;
    fill(out.sub(static_cast<i32>(shown.x - wanted.x), static_cast<i32>(shown.y - wanted.y),
                 {static_cast<i32>(shown.width), static_cast<i32>(shown.height)}),
         info_.background);
    unreadable.push_back({to_level0(level, shown), reason});
    control.lost(reason);
  };
  if (control.expired()) return lose(chunk, control.reason());
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(chunk.width * chunk.height));
  const auto place = [&](const Rect& part) {
    const Rect shown = intersect(part, wanted);
    bool transparent = false;
    for (i64 y = shown.y; y < shown.y + shown.height; ++y) {
      const std::uint32_t* from = pixels.data() + (y - part.y) * part.width + (shown.x - part.x);
      Rgba* to = out.row(static_cast<i32>(y - wanted.y)) + (shown.x - wanted.x);
      for (i64 i = 0; i < shown.width; ++i) {
        to[i] = composite(from[i], info_.background);
        transparent |= from[i] == 0;
      }
    }
    if (transparent) report_absent(level, part, wanted, unreadable);
  };
  u64 generation = 0;
  if (!touches_bad(level, chunk) && !lacks_tiles(level, chunk) && fetch_shared(level, chunk, pixels.data(), generation))
    return place(chunk);

  bool gone = false;
  std::string reason;
  for (i64 cy = chunk.y / plan.cell_h; cy * plan.cell_h < chunk.y + chunk.height; ++cy) {
    for (i64 cx = chunk.x / plan.cell_w; cx * plan.cell_w < chunk.x + chunk.width; ++cx) {
      const Cell cell{level, cx, cy};
      // The whole cell, so that whether it is readable does not depend on which part of it is asked for.
      const Rect part = intersect({cx * plan.cell_w, cy * plan.cell_h, plan.cell_w, plan.cell_h}, {0, 0, l.width, l.height});
      pixels.resize(std::max(pixels.size(), static_cast<std::size_t>(part.width * part.height)));
      // Each cell that cannot be decoded costs two openings of the slide.
      if (control.expired()) {
        lose(part, control.reason());
        continue;
      }
      if (lacks_tiles(level, part)) {
        lose(part, absent_reason());
        continue;
      }
      if (!gone && !is_bad(cell, reason)) {
        if (fetch_shared(level, part, pixels.data(), generation)) {
          place(part);
          continue;
        }
        const Outcome outcome = fetch_alone(level, part, pixels.data(), generation, reason);
        if (outcome == Outcome::good) {
          place(part);
          continue;
        }
        if (speaks_of_memory(reason)) throw short_of_memory(info_.path, reason);
        // A slide that cannot be opened any more (a network drive that went away) is asked once per read, not once per cell.
        gone = outcome == Outcome::gone;
        if (!gone) {
          const bool absent = absence(level, part) == Absence::all;
          std::lock_guard lock(bad_mutex_);
          if (bad_.size() < kMostBadCells) bad_.emplace(cell, reason);
          any_bad_.store(true, std::memory_order_release);
          if (absent && absent_reason_.empty()) absent_reason_ = reason;
        }
      }
      lose(part, reason);
    }
  }
}

Extent OpenSlideReader::piece_extent(int level) const {
  if (level < 0 || level >= static_cast<int>(plans_.size())) return {};
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  return {static_cast<i32>(plan.cell_w), static_cast<i32>(plan.cell_h)};
}

std::vector<Unreadable> OpenSlideReader::read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) {
  if (level < 0 || level >= static_cast<int>(info_.levels.size()))
    reject("level", "0 to " + std::to_string(info_.levels.size() - 1), std::to_string(level));
  const Level& l = info_.levels[static_cast<std::size_t>(level)];
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  std::vector<Unreadable> unreadable;
  const auto asked = on_level(l, x, y, out, info_.background);
  if (!asked) return unreadable;
  const auto& [wanted, target] = *asked;
  for (i64 cy = wanted.y / plan.chunk_h; cy * plan.chunk_h < wanted.y + wanted.height; ++cy) {
    for (i64 cx = wanted.x / plan.chunk_w; cx * plan.chunk_w < wanted.x + wanted.width; ++cx) {
      Rect chunk{cx * plan.chunk_w, cy * plan.chunk_h, plan.chunk_w, plan.chunk_h};
      // OpenSlide resamples levels whose px do not begin at whole level-0 px, differently for each origin: there only whole
      // chunks of a fixed grid are read, so that a pixel never depends on the request. Elsewhere only what is asked for.
      chunk = intersect(chunk, plan.aligned ? wanted : Rect{0, 0, l.width, l.height});
      read_chunk(level, chunk, wanted, target, unreadable, control);
    }
  }
  return unreadable;
}

std::vector<Rgba> OpenSlideReader::associated(const std::string& name, Extent& extent) {
  if (std::find(info_.associated.begin(), info_.associated.end(), name) == info_.associated.end()) {
    std::string names;
    for (const std::string& n : info_.associated) names += (names.empty() ? "" : ", ") + n;
    throw Error(ErrorCode::not_found,
                info_.path + " has no associated image \"" + name + "\"; it has " + (names.empty() ? "none" : names));
  }
  // Alone: an associated image is read rarely, and its error must not be mistaken for that of a tile.
  std::unique_lock lock(handle_mutex_);
  std::string reason;
  if (!handle_ && !reopen(reason)) {
    if (speaks_of_memory(reason)) throw short_of_memory(info_.path, reason);
    throw Error(ErrorCode::slide_unreadable, info_.path + ": " + reason, "gone");
  }
  i64 w = 0, h = 0;
  lib_.get_associated_image_dimensions(handle_, name.c_str(), &w, &h);
  if (w < 1 || h < 1 || w > kMostAssociatedPx || h > kMostAssociatedPx / w)
    throw Error(ErrorCode::slide_unreadable,
                info_.path + ": the \"" + name + "\" image claims " + std::to_string(w) + " × " + std::to_string(h) +
                    " px, which is no sane size",
                "damaged");
  // libtiff decodes whole strips, whose rows the file states with their samples.
  if (tiff_)
    for (const TiffDirectory& d : tiff_->directories())
      if (d.stripped && d.stated_width == static_cast<u64>(w) && d.stated_height == static_cast<u64>(h) &&
          static_cast<u64>(std::max(d.stated_samples, 1u)) * std::max(d.stated_bits, 1u) >
              kMostDecodedBytes * 8 / static_cast<u64>(w * h))
        refuse_damaged(info_.path, "the \"" + name + "\" image states " + std::to_string(d.stated_samples) + " samples of " +
                                       std::to_string(d.stated_bits) + " bits");
  std::vector<std::uint32_t> raw(static_cast<std::size_t>(w * h));
  lib_.read_associated_image(handle_, name.c_str(), raw.data());
  if (const char* error = lib_.get_error(handle_)) {
    const std::string text = error;
    reopen(reason);
    if (speaks_of_memory(text)) throw short_of_memory(info_.path, text);
    throw Error(ErrorCode::slide_unreadable,
                info_.path + ": the \"" + name + "\" image could not be read (" + text + "); the slide itself can", "damaged");
  }
  extent = {static_cast<i32>(w), static_cast<i32>(h)};
  std::vector<Rgba> pixels(raw.size());
  std::transform(raw.begin(), raw.end(), pixels.begin(), [this](std::uint32_t p) { return composite(p, info_.background); });
  return pixels;
}

}  // namespace morpho::slide
