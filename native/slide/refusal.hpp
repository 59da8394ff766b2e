// Why a file cannot be opened as a slide, in words that say what to do next.
#pragma once
#include <string>

#include "slide.hpp"
#include "tiff_index.hpp"

namespace morpho::slide {

/// Throws NOT_FOUND or SLIDE_UNREADABLE where `path` is no readable, non-empty file.
void require_file(const std::string& path);

/// The error for a file that OpenSlide does not know (`openslide_error` empty) or knows but cannot open. Its detail lets the
/// caller decide: "unsupported-format" (another decoder may try), "damaged" (none will do better), "incomplete" (files that
/// belong to it are missing). Looks at the first bytes and the TIFF directories only.
Error refusal(const std::string& path, const std::string& openslide_error, const std::string& reader_version);

/// INVALID_PARAMETER, where a channel was chosen of a slide that is one picture.
Error no_channels(const std::string& path);

/// Throws SLIDE_UNREADABLE, "unsupported-format", where OpenSlide would show tiles of CMYK without their alpha: another decoder
/// has it.
void refuse_unseen_alpha(const std::string& path, const TiffIndex& index, const std::string& reader);

/// Whether an error's text tells of memory that the system did not give, in the words of libjpeg (whose cases 2 and 4 are
/// malloc's), libtiff, GLib and the C library. Then the file is no worse than before, and the same call may do later.
bool speaks_of_memory(const std::string& text);
/// OUT_OF_MEMORY, for what was read of this file.
Error short_of_memory(const std::string& path, const std::string& text);

}  // namespace morpho::slide
