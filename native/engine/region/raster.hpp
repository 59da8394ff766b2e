// Images of any size, in memory or in a file, from which tiles are read and to which they are written.
#pragma once
#include <memory>
#include <string>

#include "contract/view.hpp"

namespace morpho::engine::region {

/// Pixels of one type, row by row, with 64-bit coordinates: what an operation on a region reads and writes. Rectangles must lie
/// inside. Any number of threads may read; writers of rectangles that do not overlap may write at once.
class Raster {
 public:
  virtual ~Raster() = default;
  PixelType type() const { return type_; }
  i64 width() const { return width_; }
  i64 height() const { return height_; }
  std::size_t pixel() const { return pixel_bytes(type_); }
  /// Copies a rectangle to (from) memory whose rows lie `pitch` bytes apart. Throws, with the file's name, OUTPUT_FAILED where
  /// a working file or an output does not give or take what was asked, SLIDE_UNREADABLE where an input does not.
  virtual void read(const Rect& r, void* to, std::size_t pitch) const = 0;
  virtual void write(const Rect& r, const void* from, std::size_t pitch) = 0;
  /// Where the rectangle's first pixel lies and how many bytes lie from row to row, for those who read and write it in place;
  /// null where it is not in memory.
  virtual u8* direct(const Rect& r, std::size_t& pitch) const { return nullptr; }

 protected:
  /// Throws INVALID_PARAMETER where a side is negative or the pixels are 2^48 and more.
  Raster(PixelType type, i64 width, i64 height);

 private:
  PixelType type_;
  i64 width_, height_;
};

/// Throws INVALID_PARAMETER for `name` where b has not a's extent.
void require_same_extent(const char* name, const Raster& a, const Raster& b);

/// Pixels that somebody else owns, without gaps between rows.
class MemoryRaster final : public Raster {
 public:
  MemoryRaster(PixelType type, i64 width, i64 height, void* data)
      : Raster(type, width, height), data_(static_cast<u8*>(data)) {}
  void read(const Rect& r, void* to, std::size_t pitch) const override;
  void write(const Rect& r, const void* from, std::size_t pitch) override;
  u8* direct(const Rect& r, std::size_t& pitch) const override {
    pitch = static_cast<std::size_t>(width()) * pixel();
    return at(r, 0);
  }

 private:
  u8* at(const Rect& r, i64 row) const {
    return data_ +
           (static_cast<std::size_t>(r.y + row) * static_cast<std::size_t>(width()) + static_cast<std::size_t>(r.x)) * pixel();
  }
  u8* data_;
};

/// Pixels of a file from an offset on, without gaps between rows, in the machine's byte order: a .npy behind its header.
class FileRaster final : public Raster {
 public:
  /// Opens a file that is there, to read. Throws NOT_FOUND where it is not, or is shorter than the pixels need. `lost`: what
  /// reads throw where it does not give its pixels later.
  static std::unique_ptr<FileRaster> open(const std::string& path, u64 offset, PixelType type, i64 width, i64 height,
                                          ErrorCode lost = ErrorCode::slide_unreadable);
  /// Opens a file that is there, to read and write, and makes it as long as the pixels need. Throws OUTPUT_FAILED.
  static std::unique_ptr<FileRaster> extend(const std::string& path, u64 offset, PixelType type, i64 width, i64 height);
  /// A file in `folder` that has no name and goes with the process. Throws OUTPUT_FAILED.
  static std::unique_ptr<FileRaster> scratch(const std::string& folder, PixelType type, i64 width, i64 height);
  ~FileRaster() override;
  void read(const Rect& r, void* to, std::size_t pitch) const override;
  void write(const Rect& r, const void* from, std::size_t pitch) override;

 private:
  FileRaster(int fd, std::string path, u64 offset, PixelType type, i64 width, i64 height, ErrorCode lost)
      : Raster(type, width, height), fd_(fd), path_(std::move(path)), offset_(offset), lost_(lost) {}
  u64 bytes() const { return static_cast<u64>(width()) * static_cast<u64>(height()) * pixel(); }
  u64 place(const Rect& r, i64 row) const {
    return offset_ + (static_cast<u64>(r.y + row) * static_cast<u64>(width()) + static_cast<u64>(r.x)) * pixel();
  }
  int fd_;
  std::string path_;
  u64 offset_;
  ErrorCode lost_;  ///< what it is that the file, which was there, does not give its pixels
};

/// An image that the operation itself needs, with anything in it: in memory as long as `budget` has room for it, which it
/// takes, else in a file of `folder` without a name.
std::unique_ptr<Raster> make_raster(PixelType type, i64 width, i64 height, std::size_t& budget, const std::string& folder);

}  // namespace morpho::engine::region
