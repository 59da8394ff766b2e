// Bytes at any place of a file, by its descriptor: POSIX has calls for that, Windows has others. Errors are errno's.
#pragma once
#include <string>

#include "contract/view.hpp"

namespace morpho::engine::region::part_file {

/// A descriptor, or -1. The path is UTF-8.
int open(const std::string& path, bool writes);
/// Of a new file in this folder, which is gone when it is closed.
int scratch(const std::string& folder);
void close(int fd);
/// -1 where it cannot be asked for.
i64 size(int fd);
/// Bytes that are new read as zeros.
bool resize(int fd, u64 bytes);
/// The number of bytes, which may be fewer than `count`; 0 at the end of the file, -1 where it fails.
i64 read(int fd, void* to, std::size_t count, u64 offset);
i64 write(int fd, const void* from, std::size_t count, u64 offset);

}  // namespace morpho::engine::region::part_file
