/* Preloaded into the program under test: makes one file operation below a folder fail, hang or be the process's last. Linux.
 *
 * FAULT_BELOW  the folder
 * FAULT_AT     the number of the operation, counted from 1 over all that are listed below
 * FAULT_ONLY   a name: operations of that name alone are counted, as others may come earlier or later from time to time
 * FAULT_DO     an errno to fail with, "kill" (SIGKILL before the operation), "killed" (after it) or "hang"
 * FAULT_STICKY with it, every later operation fails too
 * FAULT_LOG    a file that receives the operations' names, one a line
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int count;

static int below(const char* path) {
  const char* folder = getenv("FAULT_BELOW");
  if (!folder || !path) return 0;
  const size_t n = strlen(folder);
  return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == 0);
}

static int descriptor_below(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  return below(path);
}

static void note(const char* name) {
  const char* log = getenv("FAULT_LOG");
  if (!log) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  char line[64];
  const int n = snprintf(line, sizeof line, "%s\n", name);
  syscall(SYS_write, fd, line, (size_t)n);
  syscall(SYS_close, fd);
}

/* 0: go on; 1: fail, errno is set; 2: go on and die after it. */
static int struck(const char* name) {
  const int at = getenv("FAULT_AT") ? atoi(getenv("FAULT_AT")) : 0;
  const char* what = getenv("FAULT_DO") ? getenv("FAULT_DO") : "";
  const char* only = getenv("FAULT_ONLY");
  note(name);
  if (only && strcmp(only, name) != 0) return 0;
  const int now = atomic_fetch_add(&count, 1) + 1;
  if (at == 0 || now < at || (now > at && !getenv("FAULT_STICKY"))) return 0;
  if (strcmp(what, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(what, "killed") == 0) return 2;
  if (strcmp(what, "hang") == 0)
    for (;;) pause();
  errno = atoi(what);
  return 1;
}

#define REAL(type, name, ...)       \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define GUARD(name, applies, type, call)        \
  const int how = (applies) ? struck(name) : 0; \
  if (how == 1) return -1;                      \
  const type result = call;                     \
  if (how == 2) kill(getpid(), SIGKILL);        \
  return result

int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  GUARD("rename", below(from) || below(to), int, real(from, to));
}
int link(const char* from, const char* to) {
  REAL(int, "link", const char*, const char*);
  GUARD("link", below(to), int, real(from, to));
}
int mkdir(const char* path, mode_t mode) {
  REAL(int, "mkdir", const char*, mode_t);
  GUARD("mkdir", below(path), int, real(path, mode));
}
int unlink(const char* path) {
  REAL(int, "unlink", const char*);
  GUARD("unlink", below(path), int, real(path));
}
int rmdir(const char* path) {
  REAL(int, "rmdir", const char*);
  GUARD("rmdir", below(path), int, real(path));
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  GUARD("fsync", descriptor_below(fd), int, real(fd));
}
int close(int fd) {
  REAL(int, "close", int);
  return real(fd);
}
ssize_t write(int fd, const void* data, size_t n) {
  REAL(ssize_t, "write", int, const void*, size_t);
  GUARD("write", descriptor_below(fd), ssize_t, real(fd, data, n));
}
ssize_t pwrite64(int fd, const void* data, size_t n, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void*, size_t, off64_t);
  GUARD("write", descriptor_below(fd), ssize_t, real(fd, data, n, at));
}
ssize_t pwrite(int fd, const void* data, size_t n, off_t at) {
  REAL(ssize_t, "pwrite", int, const void*, size_t, off_t);
  GUARD("write", descriptor_below(fd), ssize_t, real(fd, data, n, at));
}
ssize_t writev(int fd, const struct iovec* parts, int n) {
  REAL(ssize_t, "writev", int, const struct iovec*, int);
  GUARD("write", descriptor_below(fd), ssize_t, real(fd, parts, n));
}
ssize_t pwritev64(int fd, const struct iovec* parts, int n, off64_t at) {
  REAL(ssize_t, "pwritev64", int, const struct iovec*, int, off64_t);
  GUARD("write", descriptor_below(fd), ssize_t, real(fd, parts, n, at));
}
int open64(const char* path, int flags, ...) {
  REAL(int, "open64", const char*, int, ...);
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  GUARD("create", (flags & O_CREAT) && below(path), int, real(path, flags, mode));
}
int open(const char* path, int flags, ...) {
  REAL(int, "open", const char*, int, ...);
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  GUARD("create", (flags & O_CREAT) && below(path), int, real(path, flags, mode));
}
