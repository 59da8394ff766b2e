// Runs one operation on both tables over the same pixels and compares every byte. Needs nothing but the library: no test
// framework.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "contract/ops.hpp"
#include "contract/work_log.hpp"
#include "cuda/gpu.hpp"

namespace morpho::test {

/// An image in host memory whose rows may have gaps and whose first pixel may lie anywhere.
struct Picture {
  PixelType type = PixelType::u8;
  Extent extent;
  std::ptrdiff_t stride = 0;
  std::size_t lead = 0;  ///< pixels before the first one
  std::vector<u8> bytes;
  bool given = false;  ///< false: an image that may be absent, and is

  Picture() = default;
  Picture(PixelType t, Extent e, std::ptrdiff_t gap = 0, std::size_t lead_ = 0)
      : type(t), extent(e), stride(e.width + gap), lead(lead_) {
    given = true;
    bytes.assign((lead + static_cast<std::size_t>(stride) * static_cast<std::size_t>(e.height)) * pixel_bytes(t), 0);
  }
  bool absent() const { return !given; }
  u8* pixels(std::vector<u8>& from) const { return from.data() + lead * pixel_bytes(type); }
  Plane plane() { return absent() ? Plane() : Plane(bytes.data() + lead * pixel_bytes(type), type, extent, stride); }
  i32 get(i32 x, i32 y) const;
  void set(i32 x, i32 y, i32 v);
};
inline i32 Picture::get(i32 x, i32 y) const {
  const u8* p = bytes.data() + (lead + static_cast<std::size_t>(y * stride + x)) * pixel_bytes(type);
  if (type == PixelType::u8) return *p;
  if (type == PixelType::u16) {
    u16 v;
    std::memcpy(&v, p, 2);
    return v;
  }
  i32 v;
  std::memcpy(&v, p, 4);
  return v;
}
inline void Picture::set(i32 x, i32 y, i32 v) {
  u8* p = bytes.data() + (lead + static_cast<std::size_t>(y * stride + x)) * pixel_bytes(type);
  std::memcpy(p, &v, pixel_bytes(type));  // little endian
}
/// Colours are pictures of 4-byte pixels.
inline View<const Rgba> colors(const Plane& p) { return {static_cast<const Rgba*>(p.data), p.extent, p.stride}; }
inline View<Rgba> mutable_colors(const Plane& p) { return {static_cast<Rgba*>(p.data), p.extent, p.stride}; }

/// What an operation gives beside its images: numbers, or bytes of results on the host.
using Extra = std::vector<u8>;
template <class T>
void add(Extra& extra, const T& value) {
  const u8* p = reinterpret_cast<const u8*>(&value);
  extra.insert(extra.end(), p, p + sizeof(T));
}
template <class T, class A>
void add(Extra& extra, const std::vector<T, A>& values) {
  const u8* p = reinterpret_cast<const u8*>(values.data());
  extra.insert(extra.end(), p, p + sizeof(T) * values.size());
}

using Op = std::function<void(const OpTable&, Context&, const std::vector<Plane>& in, const std::vector<Plane>& out, Extra&)>;

/// Runs `fn`, of which a GPU's variant must tell its rounds (contract/work_log.hpp), and returns 1 if it did: something that an
/// Op returns.
template <class Fn>
i64 tells_rounds(const OpTable& t, Context& ctx, const Plane& out, Fn&& fn) {
  WorkLog log;
  {
    const WorkLog::Lent lent(ctx, log);
    fn();
  }
  if (std::string(t.device) == "cpu" || out.extent.empty()) return 1;
  const std::vector<Work> all = log.between(0, log.size());
  return std::any_of(all.begin(), all.end(), [](const Work& w) { return w.rounds > 0; });
}

/// Ends the process with exit code 3 and the comparison's name where one takes longer than `seconds`: a kernel that never ends
/// cannot be left in any other way, and without this nobody would learn which one it was. 0 seconds: never.
class Watchdog {
 public:
  explicit Watchdog(int seconds) : seconds_(seconds) {
    if (seconds > 0) thread_ = std::thread([this] { watch(); });
  }
  ~Watchdog() {
    ended_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void begins(const std::string& name) {
    const std::lock_guard lock(mutex_);
    name_ = name;
    since_ = std::chrono::steady_clock::now();
  }

 private:
  void watch() {
    while (!ended_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const std::lock_guard lock(mutex_);
      if (name_.empty() || std::chrono::steady_clock::now() - since_ < std::chrono::seconds(seconds_)) continue;
      std::printf("FAILED %s: not finished after %d s\n", name_.c_str(), seconds_);
      std::fflush(stdout);
      std::_Exit(3);
    }
  }
  const int seconds_;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::string name_;
  std::chrono::steady_clock::time_point since_;
  std::thread thread_;
};

class Rig {
 public:
  Rig(const OpTable& cpu, const OpTable& gpu, gpu::Device& device, std::size_t pool_bytes, int seconds = 0)
      : cpu_(cpu),
        gpu_(gpu),
        device_(device),
        pool_bytes_(pool_bytes),
        pool_(static_cast<u8*>(device.allocate(pool_bytes))),
        watchdog_(seconds) {}
  ~Rig() {
    try {
      device_.release(pool_);
    } catch (const Error&) {
      // A lost GPU's memory went with it.
    }
  }

  const OpTable& gpu_table() const { return gpu_; }
  /// n elements in the memory of a table's device, on the host.
  template <class T>
  std::vector<T> read(const OpTable& t, const T* from, std::size_t n) const {
    std::vector<T> to(n);
    if (std::string(t.device) == "cpu") std::copy_n(from, n, to.data());
    else if (n > 0) device_.download(to.data(), from, n * sizeof(T));
    return to;
  }
  std::string only;
  int repeats = 1;
  int every = 1;              ///< of an operation's comparisons only every so many are made
  int share = 0, shares = 1;  ///< of those again only this part: processes side by side share the work

  /// Runs `op` on the CPU, then `repeats` times on the GPU, and compares the outputs with their margins, and what it returned.
  /// `in_place` >= 0: the first output is that input.
  void compare(const std::string& op_name, const std::string& input, std::vector<Picture> in, std::vector<Picture> out,
               const Op& op, int in_place = -1) {
    if (!only.empty() && op_name.find(only) == std::string::npos) return;
    Tally& tally = tally_of(op_name);
    if (!wanted(tally)) return;
    const std::string name = op_name + " on " + input;
    watchdog_.begins(name);
    for (Picture& p : out) std::memset(p.bytes.data(), 0xA5, p.bytes.size());
    std::vector<Picture> cpu_in = in, cpu_out = out;
    Extra cpu_extra;
    {
      Context ctx{cpu_work_, 1, nullptr, nullptr};
      std::vector<Plane> i, o;
      for (Picture& p : cpu_in) i.push_back(p.plane());
      for (Picture& p : cpu_out) o.push_back(p.plane());
      if (in_place >= 0) o[0] = i[static_cast<std::size_t>(in_place)];
      op(cpu_, ctx, i, o, cpu_extra);
      if (in_place >= 0) cpu_out[0] = cpu_in[static_cast<std::size_t>(in_place)];
    }
    for (int repeat = 0; repeat < repeats; ++repeat) {
      ++tally.runs;
      used_ = 0;
      try {
        Context ctx = device_.context();
        std::vector<Plane> i, o;
        for (const Picture& p : in) i.push_back(place(p));
        for (const Picture& p : out) o.push_back(place(p));
        if (in_place >= 0) o[0] = i[static_cast<std::size_t>(in_place)];
        Extra extra;
        op(gpu_, ctx, i, o, extra);
        for (std::size_t k = 0; k < out.size(); ++k) {
          std::vector<u8> got(cpu_out[k].bytes.size());
          const u8* from = static_cast<const u8*>(o[k].data) - cpu_out[k].lead * pixel_bytes(cpu_out[k].type);
          if (!got.empty()) device_.download(got.data(), from, got.size());
          if (got != cpu_out[k].bytes) return fail(tally, name, describe(cpu_out[k], got, k), repeat);
        }
        device_.synchronize();
        if (extra != cpu_extra)
          return fail(tally, name,
                      "what it returned differs (" + std::to_string(extra.size()) + " and " + std::to_string(cpu_extra.size()) +
                          " bytes)",
                      repeat);
      } catch (const Error& e) {
        fail(tally, name, std::string(code_name(e.code())) + " " + e.what() + " [" + e.detail() + "]", repeat);
        if (e.code() == ErrorCode::gpu_lost) throw;
        return;
      }
    }
  }

  /// Counts one comparison made elsewhere: `work` returns what differs, or nothing.
  void judge(const std::string& op_name, const std::string& input, const std::function<std::string()>& work) {
    if (!only.empty() && op_name.find(only) == std::string::npos) return;
    Tally& tally = tally_of(op_name);
    if (!wanted(tally)) return;
    watchdog_.begins(op_name + " on " + input);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      ++tally.runs;
      try {
        const std::string differs = work();
        if (!differs.empty()) fail(tally, op_name + " on " + input, differs + " differs", repeat);
      } catch (const Error& e) {
        fail(tally, op_name + " on " + input, std::string(code_name(e.code())) + " " + e.what() + " [" + e.detail() + "]",
             repeat);
        if (e.code() == ErrorCode::gpu_lost) throw;
      }
    }
  }

  /// Prints one line an operation. Returns the number of failed comparisons.
  int report() const {
    int failed = 0;
    std::printf("%-28s %8s %8s\n", "operation", "runs", "failed");
    for (const Tally& t : tallies_) {
      std::printf("%-28s %8d %8d\n", t.op.c_str(), t.runs, t.failed);
      failed += t.failed;
    }
    return failed;
  }

 private:
  struct Tally {
    std::string op;
    int runs = 0, failed = 0, met = 0;
  };
  bool wanted(Tally& tally) { return tally.met++ % every == 0 && made_++ % shares == share; }
  Tally& tally_of(const std::string& op) {
    for (Tally& t : tallies_) {
      if (t.op == op) return t;
    }
    tallies_.push_back({op, 0, 0});
    return tallies_.back();
  }
  void fail(Tally& tally, const std::string& name, const std::string& what, int repeat) {
    if (++tally.failed <= 6) std::printf("FAILED %s (run %d): %s\n", name.c_str(), repeat + 1, what.c_str());
    std::fflush(stdout);
  }
  Plane place(const Picture& p) {
    if (p.absent()) return {};
    used_ = (used_ + 255) / 256 * 256;
    u8* at = pool_ + used_;
    used_ += p.bytes.size();
    if (used_ > pool_bytes_) throw Error(ErrorCode::internal, "the test's pool is too small");
    if (!p.bytes.empty()) device_.upload(at, p.bytes.data(), p.bytes.size());
    return Plane(at + p.lead * pixel_bytes(p.type), p.type, p.extent, p.stride);
  }
  static std::string describe(const Picture& want, const std::vector<u8>& got, std::size_t k) {
    Picture have = want;
    have.bytes = got;
    i64 different = 0;
    std::string first;
    for (i32 y = 0; y < want.extent.height; ++y) {
      for (i32 x = 0; x < want.extent.width; ++x) {
        if (want.get(x, y) == have.get(x, y)) continue;
        if (different++ == 0) {
          first = "first at (" + std::to_string(x) + ", " + std::to_string(y) + "): " + std::to_string(have.get(x, y)) +
                  ", expected " + std::to_string(want.get(x, y));
        }
      }
    }
    return "output " + std::to_string(k) + " differs in " + std::to_string(different) + " pixels of " +
           std::to_string(want.extent.width) + "x" + std::to_string(want.extent.height) +
           (different ? ", " + first : std::string(": it wrote between the rows"));
  }

  const OpTable &cpu_, &gpu_;
  gpu::Device& device_;
  std::size_t pool_bytes_, used_ = 0;
  u8* pool_;
  Workspace cpu_work_;
  std::vector<Tally> tallies_;
  int made_ = 0;
  Watchdog watchdog_;
};

}  // namespace morpho::test
