// A library of the system from a folder whose name is in other scripts: on Windows the system's own calls take no UTF-8.
#include <gtest/gtest.h>

#include <filesystem>

#include "slide/random_file.hpp"
#include "slide/shared_library.hpp"
#include "../made_slides/slide_files.hpp"

namespace morpho::test {
namespace {

#ifdef _WIN32
constexpr const char *kLibrary = "version.dll", *kFunction = "GetFileVersionInfoSizeW";
#else
constexpr const char *kLibrary = "libm.so.6", *kFunction = "cos";
#endif

#ifndef __APPLE__  // its own libraries are no files
TEST(SharedLibrary, LoadsFromAFolderInAnyScript) {
  std::string error, missing;
  const slide::SharedLibrary original(kLibrary, error);
  ASSERT_TRUE(original) << error;
  void (*function)() = nullptr;
  original.bind(kFunction, function, missing);
  ASSERT_EQ(missing, "");
  const std::string from = original.location(reinterpret_cast<void*>(function));

  const TemporaryFolder folder;
  const std::string inside = folder.path() + "/Schnitte 切片 ü", copy = inside + "/copied-library.dll";
  std::filesystem::create_directory(slide::native_path(inside));
  std::filesystem::copy_file(slide::native_path(from), slide::native_path(copy));
  {
    const slide::SharedLibrary copied(copy, error);
    ASSERT_TRUE(copied) << error;
    copied.bind(kFunction, function, missing);
    EXPECT_EQ(missing, "");
    EXPECT_EQ(slide::native_path(copied.location(reinterpret_cast<void*>(function))), slide::native_path(copy));
  }
}
#endif

}  // namespace
}  // namespace morpho::test
