// Checked getters: every argument from JavaScript is held against its type and range here, and named when it is wrong.
#pragma once
#include <napi.h>

#include <limits>
#include <string>
#include <vector>

#include "../contract/view.hpp"
#include "engine/recipe/pipeline.hpp"

namespace morpho::addon {

/// The most pixels that one call may ask for (1 GiB of RGBA).
inline constexpr i64 kMostPixels = i64{1} << 28;
/// Coordinates from JavaScript; far beyond any slide, and products with scales stay in an i64.
inline constexpr double kFarthest = 1099511627776.0;  // 2^40

/// What a value is, for messages: its type, and its text where that is short.
std::string describe(Napi::Value value);

/// All throw INVALID_PARAMETER "expected … for NAME but received …".
double get_number(Napi::Value value, const std::string& name, double low, double high);
i64 get_integer(Napi::Value value, const std::string& name, double low, double high);
bool get_bool(Napi::Value value, const std::string& name);
/// At most 32768 bytes of UTF-8.
std::string get_string(Napi::Value value, const std::string& name);
Napi::Object get_object(Napi::Value value, const std::string& name);
Napi::Array get_array(Napi::Value value, const std::string& name);
/// A typed array of exactly this type whose buffer is attached.
Napi::Uint8Array get_u8_array(Napi::Value value, const std::string& name);
Napi::Int32Array get_i32_array(Napi::Value value, const std::string& name);

bool is_given(Napi::Value value);  ///< neither undefined nor null

/// Width and height of an image: each 1 … 2^20 (0 allowed where `empty`), together at most kMostPixels.
Extent get_extent(Napi::Value width, Napi::Value height, const std::string& what, bool empty = false);
i64 get_coordinate(Napi::Value value, const std::string& name);
int get_threads(Napi::Value value);  ///< 1 where not given; 1 … 256

/// A flat object of numbers, booleans and strings.
engine::Params get_params(Napi::Value value, const std::string& name);

/// Runs of objects, one object after the other: object k has [offsets[k], offsets[k + 1]).
struct GivenRuns {
  std::vector<Run> runs;
  std::vector<i32> offsets;
};
/// Copies of typed arrays; what is in them is left to check_runs, which needs no JavaScript.
GivenRuns get_runs(Napi::Value runs, Napi::Value offsets);
/// Everything that work on runs relies on: raster order within each object, in range. Throws INVALID_PARAMETER.
void check_runs(const std::vector<Run>& runs, const std::vector<i32>& offsets);

}  // namespace morpho::addon
