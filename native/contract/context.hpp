// What an operation runs on: how many threads, which scratch memory, and whether somebody asked it to stop.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "host_memory.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define MORPHO_GUARDS_WORKSPACE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MORPHO_GUARDS_WORKSPACE 1
#endif
#endif
#ifdef MORPHO_GUARDS_WORKSPACE
extern "C" void __asan_poison_memory_region(void const volatile* at, std::size_t bytes);
extern "C" void __asan_unpoison_memory_region(void const volatile* at, std::size_t bytes);
#endif

namespace morpho {

/// Scratch memory as a stack of blocks. The caller owns it and may reuse it from call to call; an operation takes what it
/// needs, and gives it back by letting its Scope end. Not shared between threads.
/// Cost: one allocation per growth; none once `reserve` or an earlier call has made it large enough.
/// What is kept between calls follows what calls need: when the outermost Scope ends and what is held is many times what the
/// last calls needed, or growth has left several blocks that hold half as much again as they needed, all is given back, and the
/// next call gets one block of what they needed. Several blocks that hold little more are kept: their pages are there already,
/// and a call that is made twice should not pay twice for them. Under the address sanitizer only what was taken may be touched:
/// 64 bytes lie between two takes, and what was given back is closed.
class Workspace {
 public:
  /// How blocks are got: host memory by default, device memory under cuda/.
  struct Allocator {
    void* (*allocate)(std::size_t bytes);  ///< null where there is not so much
    void (*release)(void* p);
    void (*refuse)(std::size_t bytes) = refuse_host;  ///< throws what stands for that
    /// Called with `owner` before the others where there are several memories of a kind: the calling thread is to use this one.
    void (*enter)(void* owner) = nullptr;
    void* owner = nullptr;
  };
  explicit Workspace(Allocator allocator = host_allocator()) : allocator_(allocator) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() { drop(0); }

  /// n elements of T, uninitialised, aligned to 64 bytes, valid until the enclosing Scope ends. Throws OUT_OF_MEMORY.
  template <class T>
  T* take(std::size_t n) {
    if (n > most / sizeof(T)) allocator_.refuse(most);
    return static_cast<T*>(take_bytes(n * sizeof(T)));
  }
  /// Makes sure that `bytes` can be taken without a further allocation.
  void reserve(std::size_t bytes) {
    if (free_in_last() < bytes) add_block(bytes);
  }
  /// The most bytes that were ever in use at once: what tests hold against the stated need of an operation.
  std::size_t peak_bytes() const { return peak_; }
  void reset_peak() { peak_ = used_; }
  /// What it has of the system's memory now, in use or not.
  std::size_t held_bytes() const {
    std::size_t sum = 0;
    for (const Block& b : blocks_) sum += b.size;
    return sum;
  }
  /// Gives back what is not in use.
  void trim() { drop(depth_ == 0 && used_ == 0 ? 0 : current_ + 1); }

  /// Gives back on destruction all that was taken since construction.
  class Scope {
   public:
    explicit Scope(Workspace& w)
        : w_(w),
          block_(w.current_),
          offset_(w.blocks_.empty() ? 0 : w.blocks_[w.current_].used),
          used_(w.used_),
          gaps_(w.gaps_) {
      ++w.depth_;
    }
    ~Scope() {
      for (std::size_t i = block_ + 1; i < w_.blocks_.size(); ++i) w_.give_back(w_.blocks_[i], 0);
      // Where memory ran out, an empty block may have been given back for a larger one that there was no room for.
      if (block_ < w_.blocks_.size()) {
        w_.give_back(w_.blocks_[block_], offset_);
        w_.current_ = block_;
      }
      w_.used_ = used_;
      w_.gaps_ = gaps_;
      if (--w_.depth_ == 0 && used_ == 0) w_.settle();
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Workspace& w_;
    std::size_t block_, offset_, used_, gaps_;
  };

  static Allocator host_allocator() { return {allocate_host_memory, release_host_memory}; }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_host(std::size_t bytes) {
    throw Error(ErrorCode::out_of_memory, "could not get " + std::to_string(bytes >> 20) +
                                              " MiB of working memory; close other programs, or run a smaller region");
  }

 private:
  struct Block {
    void* data;
    std::size_t size, used;
  };
  static constexpr std::size_t least = std::size_t{1} << 20;  ///< bytes of a block
  static constexpr std::size_t most = std::size_t{1} << 62;   ///< more is nobody's need, and sums of it would wrap around
  static constexpr std::size_t keeps = 4;                     ///< times what the last calls needed
  static constexpr int calls = 16;                            ///< that are "the last": so many, and up to as many before them
#ifdef MORPHO_GUARDS_WORKSPACE
  static constexpr std::size_t gap = 64;
  void close(void* at, std::size_t bytes) const {
    if (allocator_.allocate == allocate_host_memory) __asan_poison_memory_region(at, bytes);
  }
  void open(void* at, std::size_t bytes) const {
    if (allocator_.allocate == allocate_host_memory) __asan_unpoison_memory_region(at, bytes);
  }
#else
  static constexpr std::size_t gap = 0;
  void close(void*, std::size_t) const {}
  void open(void*, std::size_t) const {}
#endif
  void give_back(Block& b, std::size_t used) const {
    b.used = used;
    close(static_cast<char*>(b.data) + used, b.size - used);
  }
  std::size_t free_in_last() const { return blocks_.empty() ? 0 : blocks_[current_].size - blocks_[current_].used; }
  // What allocates and releases is apart from what every take and Scope does: it is rare, and must not grow their callers'
  // code.

  /// Gives back the blocks from this one on.
  [[gnu::noinline]] void drop(std::size_t from) {
    while (blocks_.size() > from) {
      open(blocks_.back().data, blocks_.back().size);
      allocator_.release(blocks_.back().data);
      blocks_.pop_back();
    }
    if (current_ >= blocks_.size()) current_ = blocks_.empty() ? 0 : blocks_.size() - 1;
  }
  /// After an outermost Scope: nothing is in use.
  [[gnu::noinline]] void settle() {
    if (need_ > recent_) recent_ = need_;
    need_ = 0;
    const std::size_t needed = std::max({recent_, before_, least});
    if (held_bytes() > (blocks_.size() > 1 ? needed + needed / 2 : keeps * needed)) drop(0);
    if (++settled_ % calls == 0) before_ = std::exchange(recent_, 0);
  }
  [[gnu::noinline]] void add_block(std::size_t bytes) {
    // A later block left by an earlier, larger call is used again before a new one is made.
    for (std::size_t i = blocks_.empty() ? 0 : current_ + 1; i < blocks_.size(); ++i) {
      if (blocks_[i].size >= bytes) {
        current_ = i;
        give_back(blocks_[i], 0);
        return;
      }
    }
    // Those that are later are too small, and nobody uses them.
    if (!blocks_.empty()) drop(blocks_[current_].used == 0 ? current_ : current_ + 1);
    std::size_t size = std::max(bytes, least);
    if (blocks_.empty()) size = std::max({size, recent_, before_});  // one block of what calls need
    size = (size + 63) / 64 * 64;
    blocks_.reserve(blocks_.size() + 1);  // what may throw comes before the block is there
    if (allocator_.enter) allocator_.enter(allocator_.owner);
    void* p = allocator_.allocate(size);
    if (!p && size > bytes) p = allocator_.allocate(size = std::max(least, (bytes + 63) / 64 * 64));
    if (!p) allocator_.refuse(size);
    close(p, size);
    blocks_.push_back({p, size, 0});
    current_ = blocks_.size() - 1;
  }
  void* take_bytes(std::size_t bytes) {
    const std::size_t asked = bytes;
    bytes = (bytes + 63) / 64 * 64;
    if (blocks_.empty() || free_in_last() < bytes + gap) add_block(bytes + gap);
    Block& b = blocks_[current_];
    void* p = static_cast<char*>(b.data) + b.used;
    open(p, asked);
    b.used += bytes + gap;
    used_ += bytes;
    gaps_ += gap;
    if (used_ + gaps_ > need_) need_ = used_ + gaps_;
    if (used_ > peak_) peak_ = used_;
    return p;
  }
  Allocator allocator_;
  std::vector<Block> blocks_;
  std::size_t current_ = 0, used_ = 0, gaps_ = 0, peak_ = 0;
  std::size_t need_ = 0, recent_ = 0, before_ = 0;  ///< at once: of the call under way, of the last calls, of those before them
  unsigned depth_ = 0, settled_ = 0;
};

namespace gpu { class Device; }  // namespace gpu
class WorkLog;

enum class ReconstructVariant : std::uint8_t;
enum class MaxTreeVariant : std::uint8_t;
enum class WatershedVariant : std::uint8_t;
/// Which variant runs where `automatic` is asked for, by the operation itself or by another one that it derives from. All of
/// them are exact. Zero: automatic decides.
struct Choices {
  ReconstructVariant reconstruct{};
  MaxTreeVariant max_tree{};
  WatershedVariant watershed{};
  bool operator==(const Choices&) const = default;
};

/// Set from any thread; read by operations between steps.
using CancelFlag = std::atomic<bool>;

/// Where and how an operation runs. One Context is used by one caller at a time.
struct Context {
  Workspace& workspace;
  int threads = 1;                     ///< CPU threads that an operation may use, at least 1
  const CancelFlag* cancel = nullptr;  ///< may be null
  void* stream = nullptr;              ///< the GPU stream of cuda/'s table; unused on the CPU
  gpu::Device* device = nullptr;       ///< whose memory and stream these are, on which GPU; null: the CPU's
  Choices choices = {};                ///< of variants
  WorkLog* work = nullptr;             ///< told what operations did (work_log.hpp); null: nobody asks

  /// Throws Cancelled if somebody asked to stop. Operations call it between sweeps, never inside inner loops.
  void check_cancelled() const {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled{};
  }
};

}  // namespace morpho
