/* Preloaded into the program under test: the drive of one file goes away after so many reads of it, for so many
 * reads or for ever, as a network drive does. While it is away reads fail with EIO, and where asked opens do too. Linux.
 *
 * LOSE_FILE    the end of the file's path
 * LOSE_AFTER   so many reads succeed; absent or empty: all do
 * LOSE_READS   so many reads and opens fail then; 0: for ever
 * LOSE_OPENS   1: the file cannot be opened either
 * LOSE_KILL    the process is killed with so many failed reads, as one that hangs is; absent or 0: never
 * LOSE_REPORT  a file for "READS BEFORE FAILED" at the end: reads in all, those before the first write of a journal, and what
 * failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long reads, failed, before_journal;

static int ends(const char* path) {
  const char* end = getenv("LOSE_FILE");
  const size_t n = strlen(path), length = end ? strlen(end) : 0;
  return length > 0 && n >= length && strcmp(path + n - length, end) == 0;
}
static int is_of_file(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  return ends(path);
}
static int away(long done) {
  const char* after = getenv("LOSE_AFTER");
  const char* most = getenv("LOSE_READS");
  if (!after || !*after || done < atol(after)) return 0;
  const long limit = most ? atol(most) : 0;
  if (limit > 0 && atomic_load(&failed) >= limit) return 0;
  const char* kills = getenv("LOSE_KILL");
  if (atomic_fetch_add(&failed, 1) + 1 == (kills ? atol(kills) : 0)) kill(getpid(), SIGKILL);
  errno = EIO;
  return 1;
}
static int read_fails(int fd) {
  const int before = errno;
  if (!is_of_file(fd)) {
    errno = before;
    return 0;
  }
  errno = before;
  return away(atomic_fetch_add(&reads, 1));
}
static int open_fails(const char* path) {
  static const char journal[] = ".journal";
  const size_t n = path ? strlen(path) : 0;
  if (n > sizeof journal && strcmp(path + n - sizeof journal + 1, journal) == 0 && atomic_load(&before_journal) == 0)
    atomic_store(&before_journal, atomic_load(&reads));
  const char* opens = getenv("LOSE_OPENS");
  return path && opens && *opens == '1' && ends(path) && away(atomic_load(&reads));
}

__attribute__((destructor)) static void report(void) {
  const char* path = getenv("LOSE_REPORT");
  FILE* to = path && *path ? fopen(path, "w") : NULL;
  if (!to) return;
  fprintf(to, "%ld %ld %ld\n", atomic_load(&reads), atomic_load(&before_journal), atomic_load(&failed));
  fclose(to);
}

#define REAL(name, ...)                                         \
  static __typeof__(name)* real;                                \
  if (!real) real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name); \
  return real(__VA_ARGS__)

ssize_t read(int fd, void* data, size_t n) {
  if (read_fails(fd)) return -1;
  REAL(read, fd, data, n);
}
ssize_t pread(int fd, void* data, size_t n, off_t at) {
  if (read_fails(fd)) return -1;
  REAL(pread, fd, data, n, at);
}
ssize_t pread64(int fd, void* data, size_t n, off64_t at) {
  if (read_fails(fd)) return -1;
  REAL(pread64, fd, data, n, at);
}
ssize_t readv(int fd, const struct iovec* to, int n) {
  if (read_fails(fd)) return -1;
  REAL(readv, fd, to, n);
}
ssize_t preadv(int fd, const struct iovec* to, int n, off_t at) {
  if (read_fails(fd)) return -1;
  REAL(preadv, fd, to, n, at);
}
ssize_t preadv64(int fd, const struct iovec* to, int n, off64_t at) {
  if (read_fails(fd)) return -1;
  REAL(preadv64, fd, to, n, at);
}
/* OpenSlide reads by streams. */
size_t fread(void* data, size_t size, size_t n, FILE* stream) {
  if (read_fails(fileno(stream))) return 0;
  REAL(fread, data, size, n, stream);
}
size_t __fread_chk(void* data, size_t room, size_t size, size_t n, FILE* stream);
size_t __fread_chk(void* data, size_t room, size_t size, size_t n, FILE* stream) {
  if (read_fails(fileno(stream))) return 0;
  REAL(__fread_chk, data, room, size, n, stream);
}
FILE* fopen(const char* path, const char* how) {
  if (open_fails(path)) return NULL;
  REAL(fopen, path, how);
}
FILE* fopen64(const char* path, const char* how) {
  if (open_fails(path)) return NULL;
  REAL(fopen64, path, how);
}
#define MODE                             \
  mode_t mode = 0;                       \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list more;                        \
    va_start(more, flags);               \
    mode = va_arg(more, mode_t);         \
    va_end(more);                        \
  }
int open(const char* path, int flags, ...) {
  MODE if (open_fails(path)) return -1;
  REAL(open, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE if (open_fails(path)) return -1;
  REAL(open64, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE if (open_fails(path)) return -1;
  REAL(openat, folder, path, flags, mode);
}
