// Numbers as messages show them.
#pragma once
#include <charconv>
#include <string>

namespace morpho {

/// Twelve digits at most, as few as the number needs, whatever the program's locale: "0.1", "2147483647", "1e+18".
inline std::string text_of(double v) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::general, 12).ptr};
}

}  // namespace morpho
