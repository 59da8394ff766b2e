// Native results as JavaScript values: one copy each, made on the JavaScript thread.
#pragma once
#include <napi.h>

#include <vector>

#include "engine/recipe/pipeline.hpp"
#include "engine/window/window_output.hpp"
#include "../export/pack_planes.hpp"
#include "../slide/calibration/tiff_pages.hpp"
#include "../slide/slide.hpp"

namespace morpho::addon {

/// A new zeroed Uint8Array. Throws OUT_OF_MEMORY where Node cannot give it.
Napi::Uint8Array new_bytes(Napi::Env env, std::size_t bytes);

Napi::Object rect_to_js(Napi::Env env, const Rect& rect);
Napi::Object info_to_js(Napi::Env env, const slide::SlideInfo& info);
Napi::Object tiff_page_to_js(Napi::Env env, const slide::LargestPage& page);
/// A typed array of the samples' own type.
Napi::Value samples_to_js(Napi::Env env, const slide::ChannelSamples& samples);
Napi::Array unreadable_to_js(Napi::Env env, const std::vector<slide::Unreadable>& parts);
Napi::Object params_to_js(Napi::Env env, const engine::Params& params);
Napi::Value param_value_to_js(Napi::Env env, const engine::ParamValue& value);
/// Columns and outlines are views of one buffer.
Napi::Object tile_rows_to_js(Napi::Env env, const exports::TileRows& tiles);
Napi::Array planes_to_js(Napi::Env env, const std::vector<engine::NamedPlane>& planes);
Napi::Array timings_to_js(Napi::Env env, const std::vector<engine::StageTiming>& timings);

/// A typed array (Uint8Array, Uint16Array, Int32Array after `type`) that holds a copy of `bytes`.
Napi::Value pixels_to_js(Napi::Env env, PixelType type, const std::vector<u8>& bytes);
Napi::Array strings_to_js(Napi::Env env, const std::vector<std::string>& strings);

}  // namespace morpho::addon
