// Decoded tiles that all threads and neighbouring windows share: each is decoded once while it is kept, the ones used longest
// ago go.
#pragma once
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../contract/view.hpp"

namespace morpho::slide {

/// A tile's pixels, [height, width]; none where it could not be decoded.
struct DecodedTile {
  std::shared_ptr<Rgba[]> pixels;
  i32 width = 0, height = 0;
  std::shared_ptr<u16[]> deep = {};  ///< the same at 16 bits, of slides that have them
};

/// Memory for tiles, which goes from one that is not needed any more to the next: the system's fresh pages cost a sixth of a
/// decoding. Thread-safe; what it gave may outlive it.
class TileMemory {
 public:
  /// Lying idle: at most `most_bytes`.
  explicit TileMemory(std::size_t most_bytes) : idle_(std::make_shared<Idle>(most_bytes)) {}
  /// `pixels` of them, with anything in them. Throws std::bad_alloc.
  std::shared_ptr<Rgba[]> take(std::size_t pixels);
  void trim();

 private:
  struct Idle {
    explicit Idle(std::size_t most) : most_bytes(most) {}
    const std::size_t most_bytes;
    std::mutex mutex;
    std::size_t bytes = 0;
    std::vector<std::pair<std::size_t, std::unique_ptr<Rgba[]>>> blocks;  ///< the one used last is at the end
  };
  static void give_back(Idle& idle, std::size_t pixels, Rgba* block) noexcept;
  const std::shared_ptr<Idle> idle_;
};

/// Thread-safe. Whoever asks for a tile that another thread is decoding waits for that one.
class TileCache {
 public:
  struct Key {
    u64 slide;
    int level;
    i64 x, y;
    bool operator==(const Key&) const = default;
  };

  /// Keeps `most_bytes`, and up to a sixteenth of that for the next tiles.
  explicit TileCache(std::size_t most_bytes) : most_bytes_(most_bytes), memory_(most_bytes / 16) {}

  /// Keeps as much from now on: what is beyond goes at once. For the next tiles it keeps what it did.
  void keep_at_most(std::size_t bytes);

  /// For what `decode` makes.
  TileMemory& memory() { return memory_; }

  /// The tile, decoded by `decode` where it is not kept. The pixels live as long as the pointer, also when they are kept no
  /// more. What `decode` throws comes through, and the next one who asks tries again. A tile without pixels is kept like any
  /// other.
  std::shared_ptr<const DecodedTile> get(const Key& key, const std::function<DecodedTile()>& decode);
  /// Forgets the tiles of a slide that is closed.
  void forget(u64 slide);
  std::size_t bytes() const;
  /// How many tiles are kept or being decoded.
  std::size_t entries() const;
  /// How many tiles were decoded so far: what a run asks twice for, was forgotten in between.
  u64 decoded() const { return decoded_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    std::mutex decoding;
    std::shared_ptr<const DecodedTile> tile;  ///< null until it is decoded
    std::size_t bytes = 0;                    ///< counted in bytes_
    std::list<Key>::iterator place;           ///< in order_
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      u64 h = k.slide * 0x9E3779B97F4A7C15u + static_cast<u64>(k.level);
      h = (h ^ static_cast<u64>(k.x)) * 0xC2B2AE3D27D4EB4Fu;
      h = (h ^ (h >> 29) ^ static_cast<u64>(k.y)) * 0x165667B19E3779F9u;
      return static_cast<std::size_t>(h ^ (h >> 32));
    }
  };
  void keep(const Key& key, const std::shared_ptr<Entry>& entry);
  void drop(const Key& key, const std::shared_ptr<Entry>& entry);
  /// Call with the lock held. `spared` may be null.
  void drop_what_is_beyond(const Entry* spared);

  std::size_t most_bytes_;
  TileMemory memory_;
  mutable std::mutex mutex_;
  std::unordered_map<Key, std::shared_ptr<Entry>, Hash> entries_;
  std::list<Key> order_;  ///< used last first
  std::size_t bytes_ = 0;
  std::atomic<u64> decoded_{0};
};

/// Of all open slides together.
TileCache& decoded_tiles();

}  // namespace morpho::slide
