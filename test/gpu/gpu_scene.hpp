// The images of one benchmark input, on the host and on a GPU: made by the CPU's operations from one grey picture, as
// morpho_bench makes them.
#pragma once
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "../bench/bench_images.hpp"
#include "contract/ops.hpp"
#include "cuda/gpu.hpp"

namespace gpu_bench {

using namespace morpho;

/// objects: what distance and label get, bench::objects_of(). table_*: the arrays of a node table, as images of one row.
enum Slot : std::size_t {
  rgba,
  grey,
  grey16,
  inverted,
  sobel,
  binary,
  objects,
  marker,
  eroded,
  markers,
  labels,
  out8,
  out16,
  wide,
  other,
  half,
  node,
  table_parent,
  table_pixel,
  table_own,
  table_altitude,
  table_first,
  kSlots
};
using Planes = std::vector<Plane>;  ///< by Slot; rgba and half are of 4-byte pixels

inline View<const Rgba> colors(const Plane& p) { return View<const Rgba>(static_cast<const Rgba*>(p.data), p.extent); }
/// The node table of the grey image.
inline NodeTable table_of(const Planes& p) {
  const auto row = [&](Slot s) { return static_cast<i32*>(p[s].data); };
  return {row(table_parent), row(table_pixel),
          row(table_own),    static_cast<u16*>(p[table_altitude].data),
          row(table_first),  p[table_parent].extent.width};
}
inline View<Rgba> mutable_colors(const Plane& p) { return View<Rgba>(static_cast<Rgba*>(p.data), p.extent); }

class Scene {
 public:
  Scene(gpu::Device& device, const std::string& input, bench::Picture<u8>& f, bool corridor)
      : device_(device), input_(input), size_(f.extent.width) {
    const Extent e = f.extent;
    bytes_.resize(kSlots);
    for (std::size_t s = 0; s < kSlots; ++s) {
      const bool is_i32 = s == rgba || s == half || s == markers || s == labels || s == wide || s == other || s >= node;
      const PixelType type = s == grey16 || s == out16 || s == table_altitude ? PixelType::u16
                             : is_i32                                         ? PixelType::i32
                                                                              : PixelType::u8;
      const Extent extent = s == half ? Extent{(e.width + 1) / 2, (e.height + 1) / 2} : e;
      bytes_[s].resize(static_cast<std::size_t>(extent.area()) * morpho::pixel_bytes(type));
      host_.emplace_back(bytes_[s].data(), type, extent);
      device_planes_.emplace_back(device.allocate(bytes_[s].size()), type, extent);
    }
    std::copy(f.data.begin(), f.data.end(), bytes_[grey].begin());
    const bench::Picture<u8> cut = bench::objects_of(input, f);
    std::copy(cut.data.begin(), cut.data.end(), bytes_[objects].begin());
    fill(corridor);
  }
  ~Scene() {
    for (const Plane& p : device_planes_) device_.release(p.data);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const Planes& host() const { return host_; }
  const Planes& device() const { return device_planes_; }
  const std::vector<u8>& host_bytes(Slot s) const { return bytes_[s]; }
  std::size_t pixel_bytes(Slot s) const { return morpho::pixel_bytes(host_[s].type); }
  const std::string& input() const { return input_; }
  i32 size() const { return size_; }

  void upload(Slot s) { device_.upload(device_planes_[s].data, bytes_[s].data(), bytes_[s].size()); }
  /// Writes a slot of one byte a pixel as an .npy file, for peers that run on the same pixels.
  void dump(Slot s, const std::string& path) const {
    std::string head = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(size_) + ", " +
                       std::to_string(size_) + "), }";
    head.resize(117, ' ');
    const std::string start = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head +
                              "\n";  // 118 bytes of header, 128 with what precedes it
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const bool written = file && std::fwrite(start.data(), 1, start.size(), file) == start.size() &&
                         std::fwrite(bytes_[s].data(), 1, bytes_[s].size(), file) == bytes_[s].size();
    if (!file || std::fclose(file) != 0 || !written) throw Error(ErrorCode::output_failed, "could not write " + path);
  }
  /// The GPU's pixels of a slot, valid until the next call.
  const std::vector<u8>& fetch(Slot s) {
    fetched_.resize(bytes_[s].size());
    device_.download(fetched_.data(), device_planes_[s].data, fetched_.size());  // sync: waits
    return fetched_;
  }
  /// Pixels that no operation gives everywhere: one that writes nothing must not pass.
  void poison(Slot s) { device_.fill(device_planes_[s].data, 0xA5, bytes_[s].size()); }

 private:
  void fill(bool corridor) {
    Workspace w;
    Context ctx{w, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())), nullptr, nullptr};
    const OpTable& t = cpu::table();
    const Planes& p = host_;
    const View<u8> f = p[grey].view<u8>(), at_sobel = p[sobel].view<u8>();
    const View<u16> at16 = p[grey16].view<u16>();
    const View<Rgba> at_rgba = mutable_colors(p[rgba]);
    for (i32 y = 0; y < size_; ++y) {
      for (i32 x = 0; x < size_; ++x) {
        const auto g = [&](i32 dx, i32 dy) {
          return static_cast<i32>(f.at(std::clamp(x + dx, 0, size_ - 1), std::clamp(y + dy, 0, size_ - 1)));
        };
        const i32 across = g(1, -1) + 2 * g(1, 0) + g(1, 1) - g(-1, -1) - 2 * g(-1, 0) - g(-1, 1);
        const i32 down = g(-1, 1) + 2 * g(0, 1) + g(1, 1) - g(-1, -1) - 2 * g(0, -1) - g(1, -1);
        at_sobel.at(x, y) = static_cast<u8>(std::min(255, (std::abs(across) + std::abs(down)) / 4));
        // A grey level in 16 bits whose lower ones say how bright the neighbours are.
        at16.at(x, y) = static_cast<u16>(f.at(x, y) << 8 | (g(-1, 0) + g(1, 0) + g(0, -1) + g(0, 1)) / 4);
        const u8 v = static_cast<u8>(255 - f.at(x, y));
        at_rgba.at(x, y) = {v, static_cast<u8>(v - v / 8), v, 255};
      }
    }
    t.scale(ctx, p[grey], p[inverted], {-1, 255, 0});
    t.threshold(ctx, p[grey], p[binary], {100});
    t.scale(ctx, p[grey], p[marker], corridor ? ScaleParams{0, 0, 0} : ScaleParams{1, -40, 0});
    if (corridor) p[marker].view<u8>().at(0, 0) = 255;
    t.morphology(ctx, p[grey], p[eroded], {Morphology::erode, Shape::disk, 10});
    t.extended_extrema(ctx, p[grey], p[out8], {Extremum::maxima, 20, Connectivity::eight});
    t.label(ctx, p[out8], p[markers], {Connectivity::eight});
    t.label(ctx, p[binary], p[labels], {Connectivity::eight});
    t.max_tree(ctx, p[grey], p[wide], p[other], {Connectivity::eight, false});
    NodeTable nodes = take_node_table(w, p[grey].extent);
    t.max_tree_nodes(ctx, p[grey], p[wide], p[other], p[node], nodes);
    put_row(table_parent, nodes.parent, nodes.count);
    put_row(table_pixel, nodes.pixel, nodes.count);
    put_row(table_own, nodes.own, nodes.count);
    put_row(table_altitude, nodes.altitude, nodes.count);
    put_row(table_first, nodes.first, node_tiles(p[grey].extent) + 1);
  }
  template <class T>
  void put_row(Slot s, const T* values, i32 count) {
    std::copy_n(values, count, reinterpret_cast<T*>(bytes_[s].data()));
    for (Planes* planes : {&host_, &device_planes_}) (*planes)[s] = Plane((*planes)[s].data, host_[s].type, {count, 1});
  }

  gpu::Device& device_;
  std::string input_;
  i32 size_;
  std::vector<std::vector<u8>> bytes_;
  Planes host_, device_planes_;
  std::vector<u8> fetched_;
};

}  // namespace gpu_bench
