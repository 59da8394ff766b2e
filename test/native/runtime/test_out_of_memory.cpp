// Memory that is not there, wherever a slide is opened, read and computed on: always OUT_OF_MEMORY, never a damaged slide, and
// the same call works afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/window/run_plan.hpp"
#include "engine/window/read_scaled.hpp"
#include "../support/new_fails.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/sample_slide.hpp"
#include "slide/openslide_library.hpp"
#include "slide/openslide_reader.hpp"

namespace morpho::test {
namespace {

/// Allocations since they are counted; the one of this number and all after it fail. Every thread's count: the pool's are among
/// them.
std::atomic<long> allocations{0}, failing{0};
bool fails() {
  const long n = ++allocations, first = failing;
  return first > 0 && n >= first;
}
void* allocate(std::size_t bytes) { return new_fails.load() && fails() ? nullptr : allocate_host_memory(bytes); }
const std::string kSample = MORPHO_SAMPLE;

/// Opens, reads, passes a tile through, and runs a recipe on two threads; returns the number of objects.
std::size_t use_slide(const engine::Params& params) {
  const auto slide = slide::open_slide(kSample);
  slide->tile_jpeg(0, 3, 3);
  Workspace w({allocate, Workspace::host_allocator().release});
  Context ctx{w, 2, nullptr};
  const Workspace::Scope scope(w);
  const Extent e{180, 160};
  const View<Rgba> pixels(w.take<Rgba>(static_cast<std::size_t>(e.area())), e);
  if (!engine::read_scaled(cpu::table(), ctx, *slide, 1.5, 500, 700, pixels).empty())
    throw Error(ErrorCode::slide_unreadable, "a part was unreadable");
  return run_alone(cpu::table(), ctx, "he-nuclei", params, pixels, {20, 20, e.width - 40, e.height - 40}, true)
      .objects.objects.size();
}

/// What a call ends in while allocations fail from one on.
std::string ending(long first, const std::function<void()>& work) {
  allocations = 0;
  failing = first;
  new_fails = fails;
  std::string end;
  try {
    work();
    new_fails = nullptr;
  } catch (const Error& e) {
    new_fails = nullptr;
    end = e.code() == ErrorCode::out_of_memory ? "no memory" : std::string(code_name(e.code())) + " " + e.what();
  } catch (const std::bad_alloc&) {
    new_fails = nullptr;
    end = "no memory";
  } catch (const std::exception& e) {
    new_fails = nullptr;
    end = e.what();
  }
  return end;
}

TEST(OutOfMemory, IsSaidWhereverASlideIsOpenedReadAndComputedOn) {
  if (!slide::openslide_library()) GTEST_SKIP() << "OpenSlide is not installed (Debian: libopenslide0)";
  MORPHO_NEEDS_SAMPLE();
  Workspace w;
  Context ctx{w, 1, nullptr};
  std::vector<Rgba> pixels(64 * 64, Rgba{200, 150, 190, 255});
  const engine::Params params = with_overview(cpu::table(), ctx, "he-nuclei",
                                              recipe_params(MORPHO_ASSETS "/recipes/he-nuclei.json", 0.5),
                                              View<const Rgba>(pixels.data(), {64, 64}));
  const std::size_t objects = use_slide(params);
  ASSERT_EQ(ending(0, [&] { use_slide(params); }), "");
  const long all = allocations;
  ASSERT_GT(all, 100);
  int tried = 0;
  // Every one of the first dozen, then ever fewer: what comes later comes often.
  for (long first = 1; first <= all; first += 1 + first / 12, ++tried) {
    const std::string end = ending(first, [&] { use_slide(params); });
    // Threads take turns: now and then fewer allocations are made than the first time, and none fails.
    ASSERT_TRUE(end == "no memory" || (end.empty() && first > all * 9 / 10))
        << "allocation " << first << " of " << all << ": " << end;
  }
  EXPECT_GT(tried, 30);
  EXPECT_EQ(use_slide(params), objects);
}

/// OpenSlide whose next error, at a chosen call of get_error, is the one that libjpeg has where malloc gives it nothing.
struct Short {
  static inline const slide::OpenSlideLibrary* real = nullptr;
  static inline int calls = 0, fails_at = 0;
  static inline const char* text = nullptr;
  static const char* get_error(slide::OpenSlideHandle* handle) {
    if (++calls >= fails_at && fails_at > 0) return text;
    return real->get_error(handle);
  }
};

TEST(OutOfMemory, WhatOpenSlideSaysOfItIsNotTakenForDamage) {
  Short::real = slide::openslide_library();
  if (!Short::real) GTEST_SKIP() << "OpenSlide is not installed (Debian: libopenslide0)";
  MORPHO_NEEDS_SAMPLE();
  slide::OpenSlideLibrary library = *Short::real;
  library.get_error = Short::get_error;
  std::vector<Rgba> pixels(512 * 512);
  const View<Rgba> out(pixels.data(), {512, 512});
  for (const char* text : {"Insufficient memory (case 4)", "TIFFReadEncodedTile: Out of memory", "Cannot allocate memory"}) {
    Short::text = text;
    // At opening, which is done twice, at either read, at an associated image.
    for (int at = 1; at <= 5; ++at) {
      SCOPED_TRACE(testing::Message() << text << " at call " << at);
      Short::calls = 0;
      Short::fails_at = at;
      std::unique_ptr<slide::OpenSlideReader> reader;
      const std::string end = ending(0, [&] {
        reader = std::make_unique<slide::OpenSlideReader>(library, kSample);
        reader->read(0, 300, 300, out, {});
        reader->read(0, 600, 900, out, {});
        reader->associated("thumbnail", *std::make_unique<Extent>());
      });
      EXPECT_EQ(end, "no memory");
      if (!reader) continue;
      // No part of the slide is remembered as bad.
      Short::fails_at = 0;
      EXPECT_TRUE(reader->read(0, 300, 300, out, {}).empty());
      EXPECT_TRUE(reader->read(0, 600, 900, out, {}).empty());
    }
  }
  // Other errors are still damage.
  Short::text = "Not a JPEG file: starts with 0x00 0x00";
  Short::calls = 0;
  Short::fails_at = 3;
  slide::OpenSlideReader reader(library, kSample);
  EXPECT_THAT(reader.read(0, 300, 300, out, {}), testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace morpho::test
