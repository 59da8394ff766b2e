// What a slide is made of: its channels, and their samples as the file has them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../contract/view.hpp"

namespace morpho::slide {

/// In the machine's byte order.
enum class SampleType : u8 { u8, i8, u16, i16, u32, i32, f32, f64 };

constexpr std::size_t sample_bytes(SampleType t) {
  switch (t) {
    case SampleType::u8:
    case SampleType::i8: return 1;
    case SampleType::u16:
    case SampleType::i16: return 2;
    case SampleType::u32:
    case SampleType::i32:
    case SampleType::f32: return 4;
    case SampleType::f64: break;
  }
  return 8;
}
constexpr const char* sample_name(SampleType t) {
  constexpr const char* names[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"};
  return names[static_cast<int>(t)];
}
/// Calls `use` with a value of the type, which tells it.
template <class Use>
decltype(auto) with_type(SampleType t, Use&& use) {
  switch (t) {
    case SampleType::u8: return use(u8{});
    case SampleType::i8: return use(std::int8_t{});
    case SampleType::u16: return use(u16{});
    case SampleType::i16: return use(std::int16_t{});
    case SampleType::u32: return use(std::uint32_t{});
    case SampleType::i32: return use(i32{});
    case SampleType::f32: return use(float{});
    case SampleType::f64: break;
  }
  return use(double{});
}

/// What of the 8-bit picture a channel makes.
enum class Shown : u8 { no, gray, red, green, blue };
constexpr const char* shown_name(Shown s) {
  constexpr const char* names[] = {"no", "gray", "red", "green", "blue"};
  return names[static_cast<int>(s)];
}

struct Channel {
  std::string name;
  std::optional<Rgba> color;  ///< as the file states it
  SampleType type = SampleType::u8;
  double low = 0, high = 255;  ///< become 0 and 255 in the 8-bit picture
  Shown shown = Shown::no;
};

/// Of one channel, [height, width] without gaps.
struct ChannelSamples {
  SampleType type = SampleType::u8;
  Extent extent;
  std::vector<u8> bytes;
};

}  // namespace morpho::slide
