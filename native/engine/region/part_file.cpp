// Bytes at any place of a file, on POSIX systems and on Windows.
#include "part_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#ifdef _WIN32
#include <io.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>

#include "contract/windows.hpp"
#else
#include <unistd.h>

#include <cstdlib>
#endif

namespace morpho::engine::region::part_file {

#ifdef _WIN32
namespace {

std::filesystem::path native(const std::string& utf8) { return std::u8string(utf8.begin(), utf8.end()); }
HANDLE handle(int fd) { return reinterpret_cast<HANDLE>(_get_osfhandle(fd)); }
int error_number() {
  switch (GetLastError()) {
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return ENOSPC;
    case ERROR_SHARING_VIOLATION:
    case ERROR_ACCESS_DENIED: return EACCES;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: return ENOENT;
    default: return EIO;
  }
}
OVERLAPPED place(u64 offset) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return at;
}
/// More at once than the system takes in one call.
DWORD part_of(std::size_t count) { return static_cast<DWORD>(std::min<std::size_t>(count, std::size_t{1} << 30)); }

}  // namespace

/// Whoever made the file may remove it while it is open, as on other systems.
int open(const std::string& path, bool writes) {
  const HANDLE file = CreateFileW(native(path).c_str(), writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    errno = error_number();
    return -1;
  }
  return _open_osfhandle(reinterpret_cast<std::intptr_t>(file), (writes ? _O_RDWR : _O_RDONLY) | _O_BINARY | _O_NOINHERIT);
}
int scratch(const std::string& folder) {
  std::random_device random;
  for (int tries = 0; tries < 100; ++tries) {
    const auto path = native(folder) / ("morphoscope-scratch-" + std::to_string(random()));
    const int fd = _wopen(path.c_str(), _O_CREAT | _O_EXCL | _O_RDWR | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY,
                          _S_IREAD | _S_IWRITE);
    if (fd < 0 && errno == EEXIST) continue;
    DWORD ignored = 0;
    // Else a tile far from the last one waits until the system has filled what lies between. Not every file system can.
    if (fd >= 0) DeviceIoControl(handle(fd), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &ignored, nullptr);
    return fd;
  }
  return -1;
}
void close(int fd) { _close(fd); }
i64 size(int fd) { return _filelengthi64(fd); }
bool resize(int fd, u64 bytes) {
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
  if (SetFileInformationByHandle(handle(fd), FileEndOfFileInfo, &end, sizeof end) != 0) return true;
  errno = error_number();
  return false;
}
i64 read(int fd, void* to, std::size_t count, u64 offset) {
  OVERLAPPED at = place(offset);
  DWORD done = 0;
  if (ReadFile(handle(fd), to, part_of(count), &done, &at) != 0) return done;
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  errno = error_number();
  return -1;
}
i64 write(int fd, const void* from, std::size_t count, u64 offset) {
  OVERLAPPED at = place(offset);
  DWORD done = 0;
  if (WriteFile(handle(fd), from, part_of(count), &done, &at) != 0) return done;
  errno = error_number();
  return -1;
}
#else
int open(const std::string& path, bool writes) { return ::open(path.c_str(), (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC); }
int scratch(const std::string& folder) {
  std::string path = folder + "/morphoscope-scratch-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}
void close(int fd) { ::close(fd); }
i64 size(int fd) {
  struct stat st{};
  return ::fstat(fd, &st) == 0 ? static_cast<i64>(st.st_size) : -1;
}
bool resize(int fd, u64 bytes) { return ::ftruncate(fd, static_cast<off_t>(bytes)) == 0; }
i64 read(int fd, void* to, std::size_t count, u64 offset) { return ::pread(fd, to, count, static_cast<off_t>(offset)); }
i64 write(int fd, const void* from, std::size_t count, u64 offset) {
  return ::pwrite(fd, from, count, static_cast<off_t>(offset));
}
#endif

}  // namespace morpho::engine::region::part_file
