// Why a file cannot be opened as a slide, in words that say what to do next.
#pragma once
#include <string>

#include "slide.hpp"

namespace morpho::slide {

/// Throws NOT_FOUND or SLIDE_UNREADABLE where `path` is no readable, non-empty file.
void require_file(const std::string& path);

/// The error for a file that OpenSlide does not know (`openslide_error` empty) or knows but cannot open. Its detail lets the
/// caller decide: "unsupported-format" (another decoder may try), "damaged" (none will do better), "incomplete" (files that
/// belong to it are missing). Looks at the first bytes and the TIFF directories only.
Error refusal(const std::string& path, const std::string& openslide_error, const std::string& reader_version);

}  // namespace morpho::slide
