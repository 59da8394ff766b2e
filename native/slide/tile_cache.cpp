// Keeps decoded tiles within a budget of bytes.
#include "tile_cache.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "slide.hpp"

namespace morpho::slide {

std::shared_ptr<Rgba[]> TileMemory::take(std::size_t pixels) {
  std::unique_ptr<Rgba[]> block;
  {
    std::lock_guard lock(idle_->mutex);
    auto& blocks = idle_->blocks;
    // Nearly all tiles of a slide have one size; those of another are dropped as blocks of this one are asked for.
    while (!blocks.empty() && !block) {
      if (blocks.back().first == pixels) block = std::move(blocks.back().second);
      idle_->bytes -= blocks.back().first * sizeof(Rgba);
      blocks.pop_back();
    }
  }
  if (!block) block = std::make_unique_for_overwrite<Rgba[]>(pixels);
  // The deleter is made first: where there is no memory for it, `block` frees itself.
  const auto deleter = [idle = idle_, pixels](Rgba* p) { give_back(*idle, pixels, p); };
  return {block.release(), deleter};
}

void TileMemory::give_back(Idle& idle, std::size_t pixels, Rgba* block) noexcept {
  std::unique_ptr<Rgba[]> owned(block);
  if (!owned) return;
  std::lock_guard lock(idle.mutex);
  if (idle.bytes + pixels * sizeof(Rgba) > idle.most_bytes) return;
  try {
    idle.blocks.emplace_back(pixels, std::move(owned));
    idle.bytes += pixels * sizeof(Rgba);
  } catch (const std::bad_alloc&) {
    // Then it is freed.
  }
}

void TileMemory::trim() {
  std::lock_guard lock(idle_->mutex);
  idle_->blocks.clear();
  idle_->bytes = 0;
}

std::shared_ptr<const DecodedTile> TileCache::get(const Key& key, const std::function<DecodedTile()>& decode) {
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex_);
    auto [it, fresh] = entries_.try_emplace(key);
    if (fresh) {
      it->second = std::make_shared<Entry>();
      order_.push_front(key);
      it->second->place = order_.begin();
    } else {
      order_.splice(order_.begin(), order_, it->second->place);
    }
    entry = it->second;
  }
  std::lock_guard decoding(entry->decoding);
  if (!entry->tile) {
    try {
      entry->tile = std::make_shared<const DecodedTile>(decode());
    } catch (...) {
      drop(key, entry);
      throw;
    }
    decoded_.fetch_add(1, std::memory_order_relaxed);
    keep(key, entry);
  }
  return entry->tile;
}

/// One whose decoding threw: it has no bytes, and would stay for ever. Who waits for it tries by itself.
void TileCache::drop(const Key& key, const std::shared_ptr<Entry>& entry) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(key);
  if (it == entries_.end() || it->second != entry) return;
  order_.erase(entry->place);
  entries_.erase(it);
}

void TileCache::keep(const Key& key, const std::shared_ptr<Entry>& entry) {
  std::lock_guard lock(mutex_);
  // It may have been forgotten, or made anew by another, while it was decoded.
  const auto it = entries_.find(key);
  if (it == entries_.end() || it->second != entry) return;
  const DecodedTile& tile = *entry->tile;
  const std::size_t each = (tile.pixels ? sizeof(Rgba) : 0) + (tile.deep ? sizeof(u16) : 0);
  entry->bytes = sizeof(Entry) + each * static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height);
  bytes_ += entry->bytes;
  drop_what_is_beyond(entry.get());
}

void TileCache::keep_at_most(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  most_bytes_ = bytes;
  drop_what_is_beyond(nullptr);
}

void TileCache::drop_what_is_beyond(const Entry* spared) {
  // From the end; those that are being decoded have no bytes yet and stay.
  for (auto last = order_.end(); bytes_ > most_bytes_ && last != order_.begin();) {
    --last;
    const auto found = entries_.find(*last);
    if (found->second->bytes == 0 || found->second.get() == spared) continue;
    bytes_ -= found->second->bytes;
    entries_.erase(found);
    last = order_.erase(last);
  }
}

void TileCache::forget(u64 slide) {
  std::lock_guard lock(mutex_);
  for (auto at = order_.begin(); at != order_.end();) {
    if (at->slide != slide) {
      ++at;
      continue;
    }
    const auto found = entries_.find(*at);
    bytes_ -= found->second->bytes;
    entries_.erase(found);
    at = order_.erase(at);
  }
  if (entries_.empty()) memory_.trim();
}

std::size_t TileCache::entries() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

std::size_t TileCache::bytes() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

TileCache& decoded_tiles() {
  static TileCache cache(kMostKeptBytes);
  return cache;
}

void keep_decoded_tiles(std::size_t bytes) { decoded_tiles().keep_at_most(std::min(bytes, kMostKeptBytes)); }

}  // namespace morpho::slide
