// The slide that comes with the sources: a test that stands on it is skipped, with the reason, where it was left out.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>

#define MORPHO_SAMPLE MORPHO_ASSETS "/samples/CMU-1-Small-Region.svs"
/// In a test's own body, or its fixture's SetUp.
#define MORPHO_NEEDS_SAMPLE() \
  if (!std::filesystem::exists(MORPHO_SAMPLE)) GTEST_SKIP() << MORPHO_SAMPLE " is not here"
