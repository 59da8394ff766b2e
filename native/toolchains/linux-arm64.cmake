# Builds for Linux on arm64 with Debian's cross compiler; test/package/arm64.sh uses it.
#   cmake -S native -B build/linux-arm64 --toolchain native/toolchains/linux-arm64.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# GTest is Debian's, of the architecture arm64 (multiarch); programs such as Ninja are this machine's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
