// A drive that does not answer while a slide is opened: OpenSlide passes over what it cannot read, and tells of another slide
// without an error. Such a slide is not opened, nor opened again.
#include <cstring>

#include "../support/oracle.hpp"
#include "../support/sample_slide.hpp"
#include "slide/openslide_library.hpp"
#include "slide/openslide_reader.hpp"

namespace morpho::test {
namespace {

const std::string kSteadySample = MORPHO_SAMPLE;

/// OpenSlide's library whose k-th opening lacks what `lacks` says.
struct Unsteady {
  static inline const slide::OpenSlideLibrary* real = nullptr;
  static inline slide::OpenSlideHandle *lame = nullptr, *broken = nullptr;
  static inline bool fails = false;  ///< the next call of get_error
  static inline int opens = 0, lame_at = 0;
  enum class Lacks { calibration, level, image };
  static inline Lacks lacks = Lacks::calibration;
  static slide::OpenSlideHandle* open(const char* path) {
    slide::OpenSlideHandle* handle = real->open(path);
    lame = ++opens == lame_at ? handle : lame == handle ? nullptr : lame;
    if (broken == handle) broken = nullptr;  // closed before, and its memory given again
    return handle;
  }
  static bool is_lame(slide::OpenSlideHandle* handle, Lacks what) { return handle == lame && lacks == what; }
  static const char* property(slide::OpenSlideHandle* handle, const char* name) {
    const bool lost = is_lame(handle, Lacks::calibration) && std::strcmp(name, "openslide.mpp-x") == 0;
    return lost ? nullptr : real->get_property_value(handle, name);
  }
  static std::int32_t level_count(slide::OpenSlideHandle* handle) {
    return real->get_level_count(handle) - (is_lame(handle, Lacks::level) ? 1 : 0);
  }
  static const char* const* images(slide::OpenSlideHandle* handle) {
    static const char* const none[] = {nullptr};
    return is_lame(handle, Lacks::image) ? none : real->get_associated_image_names(handle);
  }
  /// An error latches on its handle.
  static const char* error(slide::OpenSlideHandle* handle) {
    if (fails) broken = handle;
    fails = false;
    return handle == broken ? "Cannot read" : real->get_error(handle);
  }
  static slide::OpenSlideLibrary library() {
    slide::OpenSlideLibrary library = *real;
    library.open = open, library.get_property_value = property, library.get_level_count = level_count;
    library.get_associated_image_names = images, library.get_error = error;
    opens = 0, lame = broken = nullptr, fails = false;
    return library;
  }
};

TEST(UnsteadyOpening, IsRefusedWithWhatToDo) {
  Unsteady::real = slide::openslide_library();
  if (!Unsteady::real) GTEST_SKIP() << "OpenSlide is not installed (Debian: libopenslide0)";
  MORPHO_NEEDS_SAMPLE();
  for (const auto lacks : {Unsteady::Lacks::calibration, Unsteady::Lacks::level, Unsteady::Lacks::image}) {
    for (int at = 0; at <= 2; ++at) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(lacks) << " at opening " << at);
      const slide::OpenSlideLibrary library = Unsteady::library();
      Unsteady::lacks = lacks, Unsteady::lame_at = at;
      try {
        const slide::OpenSlideReader reader(library, kSteadySample);
        EXPECT_EQ(at, 0);
        EXPECT_EQ(reader.info().levels.size(), 1u);
      } catch (const Error& e) {
        EXPECT_GT(at, 0);
        // Without its one level it is no slide at all.
        if (at == 1 && lacks == Unsteady::Lacks::level) continue;
        EXPECT_EQ(e.code(), ErrorCode::slide_unreadable);
        EXPECT_EQ(e.detail(), "unsteady");
        EXPECT_NE(std::string(e.what()).find("open the slide again"), std::string::npos) << e.what();
      }
    }
  }
}

TEST(UnsteadyOpening, OfASlideThatIsOpenLosesWhatIsReadThenAndNothingMore) {
  Unsteady::real = slide::openslide_library();
  if (!Unsteady::real) GTEST_SKIP() << "OpenSlide is not installed (Debian: libopenslide0)";
  MORPHO_NEEDS_SAMPLE();
  std::vector<Rgba> want(256 * 256), got(256 * 256);
  for (const auto lacks : {Unsteady::Lacks::level, Unsteady::Lacks::image}) {
    const slide::OpenSlideLibrary library = Unsteady::library();
    Unsteady::lacks = lacks, Unsteady::lame_at = 3;
    slide::OpenSlideReader reader(library, kSteadySample);
    ASSERT_TRUE(reader.read(0, 300, 300, View<Rgba>(want.data(), {256, 256}), {}).empty());
    // A read fails, and the slide is opened again as another.
    Unsteady::fails = true;
    EXPECT_FALSE(reader.read(0, 300, 300, View<Rgba>(got.data(), {256, 256}), {}).empty());
    EXPECT_EQ(Unsteady::opens, 3);
    // It is nobody's to go on with: the next read opens it once more.
    EXPECT_TRUE(reader.read(0, 300, 300, View<Rgba>(got.data(), {256, 256}), {}).empty());
    EXPECT_EQ(std::memcmp(want.data(), got.data(), want.size() * sizeof(Rgba)), 0);
  }
}

}  // namespace
}  // namespace morpho::test
