// Reads bytes at any offset of a file from any thread; offsets that a hostile file names are checked against its size first.
#pragma once
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "../contract/error.hpp"
#include "../contract/view.hpp"

namespace morpho::slide {

/// A UTF-8 path as the operating system wants it. A name that a file states may be of any bytes, and Windows takes text alone.
inline std::filesystem::path native_path(const std::string& utf8) {
  try {
    return std::filesystem::path(std::u8string(reinterpret_cast<const char8_t*>(utf8.data()), utf8.size()));
  } catch (const std::filesystem::filesystem_error&) {
    throw Error(ErrorCode::slide_unreadable, "A file's name is not UTF-8, so this system has no such file.");
  }
}

/// What a file is: another one in its place, or other bytes in it, differ in at least one of these.
struct FileMark {
  bool found = false;
  u64 device = 0, inode = 0, size = 0;
  i64 modified_ns = 0;
  bool operator==(const FileMark&) const = default;

  static FileMark of(const std::string& path) {
    FileMark mark;
#ifdef _WIN32
    std::error_code failed;
    const auto at = std::filesystem::last_write_time(native_path(path), failed);
    if (failed) return mark;
    mark.found = true;
    mark.modified_ns = static_cast<i64>(at.time_since_epoch().count());
    mark.size = static_cast<u64>(std::filesystem::file_size(native_path(path), failed));
#else
    struct stat st{};
    if (::stat(path.c_str(), &st) != 0) return mark;
    mark.found = true;
    mark.device = static_cast<u64>(st.st_dev);
    mark.inode = static_cast<u64>(st.st_ino);
    mark.size = static_cast<u64>(st.st_size);
#ifdef __APPLE__
    mark.modified_ns = static_cast<i64>(st.st_mtimespec.tv_sec) * 1'000'000'000 + st.st_mtimespec.tv_nsec;
#else
    mark.modified_ns = static_cast<i64>(st.st_mtim.tv_sec) * 1'000'000'000 + st.st_mtim.tv_nsec;
#endif
#endif
    return mark;
  }
};

class RandomFile {
 public:
  /// Opens for reading; `size()` is 0 and every read fails where that is not possible.
  explicit RandomFile(const std::string& path) {
#ifdef _WIN32
    stream_.open(native_path(path), std::ios::binary);
    if (!stream_) return;
    stream_.seekg(0, std::ios::end);
    size_ = static_cast<u64>(stream_.tellg());
#else
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat st{};
    if (fd_ >= 0 && ::fstat(fd_, &st) == 0 && S_ISREG(st.st_mode)) size_ = static_cast<u64>(st.st_size);
#endif
  }
  RandomFile(const RandomFile&) = delete;
  RandomFile& operator=(const RandomFile&) = delete;
  ~RandomFile() {
#ifndef _WIN32
    if (fd_ >= 0) ::close(fd_);
#endif
  }

  u64 size() const { return size_; }
  bool contains(u64 offset, u64 count) const { return offset <= size_ && count <= size_ - offset; }
  /// Fills `count` bytes; false where they are not all there.
  bool read(u64 offset, void* out, std::size_t count) const {
    if (!contains(offset, count)) return false;
#ifdef _WIN32
    std::lock_guard<std::mutex> lock(mutex_);
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(static_cast<char*>(out), static_cast<std::streamsize>(count));
    return stream_.gcount() == static_cast<std::streamsize>(count);
#else
    auto* p = static_cast<char*>(out);
    while (count > 0) {
      const ssize_t n = ::pread(fd_, p, count, static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      p += n;
      offset += static_cast<u64>(n);
      count -= static_cast<std::size_t>(n);
    }
    return true;
#endif
  }

 private:
  u64 size_ = 0;
#ifdef _WIN32
  mutable std::mutex mutex_;
  mutable std::ifstream stream_;
#else
  int fd_ = -1;
#endif
};

}  // namespace morpho::slide
