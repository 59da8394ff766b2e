// Tiles in and out of memory and files.
#include "raster.hpp"

#include <cerrno>
#include <cstring>
#include <new>

#include "contract/host_memory.hpp"
#include "part_file.hpp"

namespace morpho::engine::region {

Raster::Raster(PixelType type, i64 width, i64 height) : type_(type), width_(width), height_(height) {
  const std::string extent = std::to_string(width) + "x" + std::to_string(height);
  if (width < 0 || height < 0) reject("extent", "at least 0x0", extent);
  if (width > 0 && height > (i64{1} << 48) / width) reject("extent", "at most 2^48 pixels", extent);
}

void require_same_extent(const char* name, const Raster& a, const Raster& b) {
  const auto text = [](const Raster& r) { return std::to_string(r.width()) + "x" + std::to_string(r.height()); };
  if (a.width() != b.width() || a.height() != b.height()) reject(name, "the extent " + text(a), text(b));
}

void MemoryRaster::read(const Rect& r, void* to, std::size_t pitch) const {
  const std::size_t row = static_cast<std::size_t>(r.width) * pixel();
  for (i64 y = 0; y < r.height && row; ++y)
    std::memcpy(static_cast<u8*>(to) + static_cast<std::size_t>(y) * pitch, at(r, y), row);
}
void MemoryRaster::write(const Rect& r, const void* from, std::size_t pitch) {
  const std::size_t row = static_cast<std::size_t>(r.width) * pixel();
  for (i64 y = 0; y < r.height && row; ++y)
    std::memcpy(at(r, y), static_cast<const u8*>(from) + static_cast<std::size_t>(y) * pitch, row);
}

namespace {

std::string why() { return std::string(" (") + std::strerror(errno) + ")"; }

/// All of `count` bytes at `offset`, by as many calls as it takes; false with errno where the file does not give or take them.
template <class Call, class Byte>
bool all(Call call, int fd, Byte* p, std::size_t count, u64 offset) {
  while (count > 0) {
    const i64 n = call(fd, p, count, offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      if (n == 0) errno = EIO;
      return false;
    }
    p += n, offset += static_cast<u64>(n), count -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

std::unique_ptr<FileRaster> FileRaster::open(const std::string& path, u64 offset, PixelType type, i64 width, i64 height,
                                             ErrorCode lost) {
  const int fd = part_file::open(path, false);
  if (fd < 0) throw Error(ErrorCode::not_found, path + " cannot be read" + why());
  std::unique_ptr<FileRaster> raster(new FileRaster(fd, path, offset, type, width, height, lost));
  const i64 size = part_file::size(fd);
  if (size < 0 || static_cast<u64>(size) < offset + raster->bytes())
    throw Error(ErrorCode::not_found, path + " is shorter than its " + std::to_string(width) + "x" + std::to_string(height) +
                                          " pixels need: expected " + std::to_string(offset + raster->bytes()) +
                                          " bytes but found " + std::to_string(size));
  return raster;
}
std::unique_ptr<FileRaster> FileRaster::extend(const std::string& path, u64 offset, PixelType type, i64 width, i64 height) {
  const int fd = part_file::open(path, true);
  if (fd < 0) throw Error(ErrorCode::output_failed, path + " cannot be written" + why());
  std::unique_ptr<FileRaster> raster(new FileRaster(fd, path, offset, type, width, height, ErrorCode::output_failed));
  if (!part_file::resize(fd, offset + raster->bytes()))
    throw Error(ErrorCode::output_failed,
                path + " cannot be made " + std::to_string(offset + raster->bytes()) + " bytes long" + why());
  return raster;
}
std::unique_ptr<FileRaster> FileRaster::scratch(const std::string& folder, PixelType type, i64 width, i64 height) {
  const int fd = part_file::scratch(folder);
  if (fd < 0)
    throw Error(ErrorCode::output_failed,
                "a working file cannot be made in " + folder + why() + "; name another folder, or allow more memory");
  std::unique_ptr<FileRaster> raster(
      new FileRaster(fd, "the working file in " + folder, 0, type, width, height, ErrorCode::output_failed));
  if (!part_file::resize(fd, raster->bytes()))
    throw Error(ErrorCode::output_failed, "the working file in " + folder + " cannot grow" + why());
  return raster;
}
FileRaster::~FileRaster() { part_file::close(fd_); }

void FileRaster::read(const Rect& r, void* to, std::size_t pitch) const {
  if (r.width <= 0 || r.height <= 0) return;
  std::size_t row = static_cast<std::size_t>(r.width) * pixel();
  i64 rows = r.height;
  if (r.width == width() && pitch == row) row *= static_cast<std::size_t>(rows), rows = 1;
  for (i64 y = 0; y < rows; ++y) {
    if (!all(part_file::read, fd_, static_cast<u8*>(to) + static_cast<std::size_t>(y) * pitch, row, place(r, y)))
      throw Error(lost_, path_ + " cannot be read any more" + why());
  }
}
void FileRaster::write(const Rect& r, const void* from, std::size_t pitch) {
  if (r.width <= 0 || r.height <= 0) return;
  std::size_t row = static_cast<std::size_t>(r.width) * pixel();
  i64 rows = r.height;
  if (r.width == width() && pitch == row) row *= static_cast<std::size_t>(rows), rows = 1;
  for (i64 y = 0; y < rows; ++y) {
    if (!all(part_file::write, fd_, static_cast<const u8*>(from) + static_cast<std::size_t>(y) * pitch, row, place(r, y)))
      throw Error(ErrorCode::output_failed, path_ + " cannot be written" + why());
  }
}

namespace {

class OwnedRaster final : public Raster {
 public:
  OwnedRaster(PixelType type, i64 width, i64 height)
      : Raster(type, width, height),
        bytes_(static_cast<u8*>(
            allocate_host_memory(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * pixel_bytes(type)))),
        memory_(type, width, height, bytes_.get()) {
    if (!bytes_ && width > 0 && height > 0) throw std::bad_alloc();
  }
  void read(const Rect& r, void* to, std::size_t pitch) const override { memory_.read(r, to, pitch); }
  void write(const Rect& r, const void* from, std::size_t pitch) override { memory_.write(r, from, pitch); }
  u8* direct(const Rect& r, std::size_t& pitch) const override { return memory_.direct(r, pitch); }

 private:
  struct Free {
    void operator()(u8* p) const { release_host_memory(p); }
  };
  /// With anything in it: cleared by one thread, eight gigapixels kept all others waiting for three seconds.
  std::unique_ptr<u8, Free> bytes_;
  MemoryRaster memory_;
};

}  // namespace

std::unique_ptr<Raster> make_raster(PixelType type, i64 width, i64 height, std::size_t& budget, const std::string& folder) {
  const std::size_t bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * pixel_bytes(type);
  if (bytes > budget) return FileRaster::scratch(folder, type, width, height);
  auto owned = std::make_unique<OwnedRaster>(type, width, height);
  budget -= bytes;
  return owned;
}

}  // namespace morpho::engine::region
