/* Preloaded into the program under test: reads of one file fail with EIO, each place of it for one read of its tile. Linux.
 *
 * FAIL_FILE    the end of the file's path. Reads of fewer than 2 KiB (its tables) and of 64 KiB and more (its checksum)
 *              never fail
 * FAIL_SEED    with the place of a read it decides whether that fails; absent or empty: none does
 * FAIL_SHARE   of the places, in thousandths
 * FAIL_TIMES   how often each fails; absent: twice, as OpenSlide's reader opens the file anew and tries once more
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { most = 1 << 16 };
static uint64_t failed[most];
static int failures;
static char seed_of_failures[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int is_of_file(int fd) {
  const char* end = getenv("FAIL_FILE");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (!end || n <= 0) return 0;
  path[n] = 0;
  const size_t length = strlen(end);
  return (size_t)n >= length && strcmp(path + n - length, end) == 0;
}

static uint64_t mixed(uint64_t v) {
  v = (v ^ (v >> 31)) * 0x7fb5d329728ea185u;
  v = (v ^ (v >> 27)) * 0x81dadef4bc2dd44du;
  return v ^ (v >> 33);
}

static int fails(int fd, size_t n, int64_t at) {
  const char* seed = getenv("FAIL_SEED");
  const char* share = getenv("FAIL_SHARE");
  if (!seed || !*seed || !share || n < 2048 || n >= 65536 || !is_of_file(fd)) return 0;
  if ((int)(mixed(mixed((uint64_t)atoll(seed) + 1) + (uint64_t)at) % 1000) >= atoi(share)) return 0;
  int before = 0;
  pthread_mutex_lock(&mutex);
  if (strncmp(seed, seed_of_failures, sizeof seed_of_failures - 1) != 0) {
    strncpy(seed_of_failures, seed, sizeof seed_of_failures - 1);
    failures = 0;
  }
  for (int k = 0; k < failures; ++k) before += failed[k] == (uint64_t)at;
  const char* times = getenv("FAIL_TIMES");
  const int again = before < (times && *times ? atoi(times) : 2) && failures < most;
  if (again) failed[failures++] = (uint64_t)at;
  pthread_mutex_unlock(&mutex);
  return again;
}

ssize_t pread(int fd, void* data, size_t n, off_t at) {
  static ssize_t (*real)(int, void*, size_t, off_t);
  if (!real) real = (ssize_t (*)(int, void*, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  if (fails(fd, n, at)) {
    errno = EIO;
    return -1;
  }
  return real(fd, data, n, at);
}
ssize_t pread64(int fd, void* data, size_t n, off64_t at) {
  static ssize_t (*real)(int, void*, size_t, off64_t);
  if (!real) real = (ssize_t (*)(int, void*, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
  if (fails(fd, n, at)) {
    errno = EIO;
    return -1;
  }
  return real(fd, data, n, at);
}
/* OpenSlide reads by streams. */
size_t fread(void* data, size_t size, size_t n, FILE* stream) {
  static size_t (*real)(void*, size_t, size_t, FILE*);
  if (!real) real = (size_t (*)(void*, size_t, size_t, FILE*))dlsym(RTLD_NEXT, "fread");
  if (size * n >= 2048 && fails(fileno(stream), size * n, ftello(stream))) {
    errno = EIO;
    return 0;
  }
  return real(data, size, n, stream);
}
size_t __fread_chk(void* data, size_t room, size_t size, size_t n, FILE* stream) {
  static size_t (*real)(void*, size_t, size_t, size_t, FILE*);
  if (!real) real = (size_t (*)(void*, size_t, size_t, size_t, FILE*))dlsym(RTLD_NEXT, "__fread_chk");
  if (size * n >= 2048 && fails(fileno(stream), size * n, ftello(stream))) {
    errno = EIO;
    return 0;
  }
  return real(data, room, size, n, stream);
}
