// A stand-in for a GPU: the CPU's operations on memory that nobody else may touch. Whoever reads or writes a plane there by
// itself ends the program, and an operation that is given host memory is refused; so tests show that callers move what must be
// moved.
#pragma once
#ifdef _WIN32
#include "contract/windows.hpp"
#else
#include <sys/mman.h>
#endif

#include <map>

#include "contract/require.hpp"
#include "engine/device/backend.hpp"
#include "oracle.hpp"

namespace morpho::test {

/// The pages of all blocks, closed but while an operation or a copy runs.
class ClosedMemory {
  using Blocks = std::map<void*, std::size_t>;

 public:
  static ClosedMemory& instance() {
    static ClosedMemory memory;
    return memory;
  }
  struct Open {
    Open() { instance().protect(true); }
    ~Open() { instance().protect(false); }
  };
  /// Of what a copy takes or fills, that block alone.
  struct OpenBlock {
    explicit OpenBlock(const void* p) : block(instance().block_of(p)) {
      if (block == instance().blocks_.end()) throw Error(ErrorCode::internal, "a copy was given host memory");
      protect(block, true);
    }
    ~OpenBlock() { protect(block, instance().open_); }
    OpenBlock(const OpenBlock&) = delete;
    OpenBlock& operator=(const OpenBlock&) = delete;
    Blocks::const_iterator block;
  };
  static Workspace::Allocator allocator() { return {allocate, release}; }
  bool holds(const void* p) const { return block_of(p) != blocks_.end(); }

 private:
  static void* allocate(std::size_t bytes) {
#ifdef _WIN32
    void* p = VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, access(instance().open_));
    if (!p) return nullptr;
#else
    // Large pages, at their own addresses: of small ones thousands change with each operation, which took nine tenths of a
    // test's time.
    const std::size_t size = whole_pages(bytes);
    auto* wide = static_cast<char*>(
        mmap(nullptr, size + kLargePage, access(instance().open_), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (wide == MAP_FAILED) return nullptr;
    const std::size_t before = (kLargePage - reinterpret_cast<std::uintptr_t>(wide) % kLargePage) % kLargePage;
    if (before > 0) munmap(wide, before);
    if (before < kLargePage) munmap(wide + before + size, kLargePage - before);
    void* p = wide + before;
#ifdef MADV_HUGEPAGE
    madvise(p, size, MADV_HUGEPAGE);
#endif
#endif
    instance().blocks_[p] = bytes;
    return p;
  }
  static void release(void* p) {
#ifdef _WIN32
    VirtualFree(p, 0, MEM_RELEASE);
#else
    munmap(p, whole_pages(instance().blocks_.at(p)));
#endif
    instance().blocks_.erase(p);
  }
#ifdef _WIN32
  static DWORD access(bool open) { return open ? PAGE_READWRITE : PAGE_NOACCESS; }
#else
  static int access(bool open) { return open ? PROT_READ | PROT_WRITE : PROT_NONE; }
#endif
  Blocks::const_iterator block_of(const void* p) const {
    const auto after = blocks_.upper_bound(const_cast<void*>(p));
    if (after == blocks_.begin()) return blocks_.end();
    const auto block = std::prev(after);
    return p < static_cast<const char*>(block->first) + block->second ? block : blocks_.end();
  }
  void protect(bool open) {
    open_ = open;
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) protect(block, open);
  }
#ifdef _WIN32
  static void protect(Blocks::const_iterator block, bool open) {
    DWORD before = 0;
    VirtualProtect(block->first, block->second, access(open), &before);
  }
#else
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;
  static std::size_t whole_pages(std::size_t bytes) { return (bytes + kLargePage - 1) / kLargePage * kLargePage; }
  static void protect(Blocks::const_iterator block, bool open) {
    mprotect(block->first, whole_pages(block->second), access(open));
  }
#endif
  bool open_ = false;
  Blocks blocks_;
};

template <class T>
void require_closed(const T&) {}
inline void require_closed(const ConstPlane& p) {
  if (p.data && !p.extent.empty() && !ClosedMemory::instance().holds(p.data))
    throw Error(ErrorCode::internal, "an operation was given host memory");
}
inline void require_closed(const Plane& p) { require_closed(ConstPlane(p)); }
inline void require_closed(const NodeTable& t) {
  for (const void* p : {static_cast<const void*>(t.parent), static_cast<const void*>(t.pixel), static_cast<const void*>(t.own),
                        static_cast<const void*>(t.altitude), static_cast<const void*>(t.first)}) {
    if (p && !ClosedMemory::instance().holds(p))
      throw Error(ErrorCode::internal, "an operation was given a table of nodes in host memory");
  }
}
inline void require_closed_array(const void* p) {
  if (p && !ClosedMemory::instance().holds(p))
    throw Error(ErrorCode::internal, "an operation was given an array in host memory");
}
inline void require_closed(const i32* p) { require_closed_array(p); }
inline void require_closed(i32* p) { require_closed_array(p); }
inline void require_closed(const LabelSums* p) { require_closed_array(p); }
inline void require_closed(LabelSums* p) { require_closed_array(p); }
inline void require_closed(const op::Segmentation& s) { require_closed(s.labels), require_closed(s.sums); }
inline void require_closed(const NodeSums* p) { require_closed_array(p); }
inline void require_closed(NodeSums* p) { require_closed_array(p); }
inline void require_closed(const View<const Rgba>& v) { require_closed(as_plane(v)); }
inline void require_closed(const View<Rgba>& v) { require_closed(View<const Rgba>(v.data, v.extent, v.stride)); }

template <auto Entry, class Fn>
struct Guarded;
template <auto Entry, class R, class... A>
struct Guarded<Entry, R (*)(A...)> {
  static R call(A... arguments) {
    (require_closed(arguments), ...);
    ClosedMemory::Open open;
    return (cpu::table().*Entry)(arguments...);
  }
};
template <auto Entry, class Fn>
void guard(OpTable& table, Fn OpTable::*) {
  table.*Entry = Guarded<Entry, Fn>::call;
}

inline const OpTable& remote_table() {
  static const OpTable table = [] {
    OpTable t = cpu::table();
    t.device = "gpu";
    guard<&OpTable::reconstruct>(t, &OpTable::reconstruct);
    guard<&OpTable::geodesic_dilate>(t, &OpTable::geodesic_dilate);
    guard<&OpTable::h_extrema>(t, &OpTable::h_extrema);
    guard<&OpTable::extended_extrema>(t, &OpTable::extended_extrema);
    guard<&OpTable::regional_extrema>(t, &OpTable::regional_extrema);
    guard<&OpTable::fill_holes>(t, &OpTable::fill_holes);
    guard<&OpTable::clear_border>(t, &OpTable::clear_border);
    guard<&OpTable::distance>(t, &OpTable::distance);
    guard<&OpTable::max_tree>(t, &OpTable::max_tree);
    guard<&OpTable::max_tree_nodes>(t, &OpTable::max_tree_nodes);
    guard<&OpTable::max_tree_sums>(t, &OpTable::max_tree_sums);
    guard<&OpTable::attribute_filter>(t, &OpTable::attribute_filter);
    guard<&OpTable::area_open>(t, &OpTable::area_open);
    guard<&OpTable::label>(t, &OpTable::label);
    guard<&OpTable::watershed>(t, &OpTable::watershed);
    guard<&OpTable::area_filter>(t, &OpTable::area_filter);
    guard<&OpTable::morphology>(t, &OpTable::morphology);
    guard<&OpTable::gaussian>(t, &OpTable::gaussian);
    guard<&OpTable::median>(t, &OpTable::median);
    guard<&OpTable::box_mean>(t, &OpTable::box_mean);
    guard<&OpTable::threshold>(t, &OpTable::threshold);
    guard<&OpTable::combine>(t, &OpTable::combine);
    guard<&OpTable::scale>(t, &OpTable::scale);
    guard<&OpTable::root>(t, &OpTable::root);
    guard<&OpTable::histogram>(t, &OpTable::histogram);
    guard<&OpTable::stain>(t, &OpTable::stain);
    guard<&OpTable::weights>(t, &OpTable::weights);
    guard<&OpTable::color_rule>(t, &OpTable::color_rule);
    guard<&OpTable::resample>(t, &OpTable::resample);
    guard<&OpTable::measure>(t, &OpTable::measure);
    guard<&OpTable::label_sums>(t, &OpTable::label_sums);
    guard<&OpTable::choose_labels>(t, &OpTable::choose_labels);
    guard<&OpTable::relabel>(t, &OpTable::relabel);
    guard<&OpTable::better_labels>(t, &OpTable::better_labels);
    guard<&OpTable::choose_nodes>(t, &OpTable::choose_nodes);
    guard<&OpTable::clear_rim>(t, &OpTable::clear_rim);
    return t;
  }();
  return table;
}

class RemoteBackend final : public engine::Backend {
 public:
  explicit RemoteBackend(const CancelFlag* cancel = nullptr) : ctx_{memory_, 1, cancel, nullptr} {}
  const std::string& name() const override { return name_; }
  bool on_host() const override { return false; }
  const OpTable& ops() const override { return remote_table(); }
  const TiledTable& tiled() const override { return cpu::tiled_table(); }
  Context& context() override { return ctx_; }
  Workspace& host_workspace() override { return host_; }
  void pack_rows(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) override {
    EXPECT_TRUE(ClosedMemory::instance().holds(to) && ClosedMemory::instance().holds(from));
    ClosedMemory::Open open;
    for (std::size_t y = 0; y < rows; ++y)
      std::memcpy(static_cast<u8*>(to) + y * row_bytes, static_cast<const u8*>(from) + y * pitch, row_bytes);
  }
  void synchronize() override { ++waited; }
  /// A clock of its own: every point is a ms after the last.
  std::size_t mark() override { return marks++; }
  double ms(std::size_t from, std::size_t to) override {
    EXPECT_LT(to, marks);
    asked = true;
    return static_cast<double>(to) - static_cast<double>(from);
  }
  u64 waits() const override {
    EXPECT_FALSE(asked) << "a time was asked for, which waits, before the work was done";
    return waited;
  }

  std::size_t uploaded = 0, downloaded = 0;  ///< bytes
  u64 waited = 0;                            ///< for its work, by anything but operations
  std::size_t marks = 0;
  bool asked = false;

 private:
  void copy_in(void* to, const void* from, std::size_t bytes) override {
    const ClosedMemory::OpenBlock open(to);
    std::memcpy(to, from, bytes);
    uploaded += bytes;
  }
  void copy_rows_in(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) override {
    const ClosedMemory::OpenBlock open(to);
    for (std::size_t y = 0; y < rows; ++y)
      std::memcpy(static_cast<u8*>(to) + y * row_bytes, static_cast<const u8*>(from) + y * pitch, row_bytes);
    uploaded += rows * row_bytes;
  }
  void copy_out(void* to, const void* from, std::size_t bytes) override {
    const ClosedMemory::OpenBlock open(from);
    std::memcpy(to, from, bytes);
    downloaded += bytes;
    ++waited;
  }
  const std::string name_ = "gpu7";
  Workspace memory_{ClosedMemory::allocator()}, host_;
  Context ctx_;
};

}  // namespace morpho::test
