// JSON of metadata in a slide's folder, read strictly and within bounds: no text makes it nest, grow or loop without end.
#pragma once
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../contract/view.hpp"

namespace morpho::slide {

/// What is wrong with a text, with its byte. Names no file.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Json {
  enum class Kind : u8 { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json, std::less<>> members;

  bool is(Kind k) const { return kind == k; }
  /// Of an object; a null where it has none of that name, or is no object.
  const Json& operator[](std::string_view name) const;
  /// A whole number from 0 to 2^53, nothing else.
  std::optional<u64> count() const;
  /// The text; empty where it is none.
  const std::string& words() const;
};

inline constexpr std::size_t kMostJsonBytes = std::size_t{16} << 20;

/// One document of at most kMostJsonBytes, 64 levels and 2^19 values. NaN and Infinity are numbers, as Python writes them; else
/// RFC 8259 to the letter. Two members of one name are an error. Throws JsonError.
Json read_json(std::string_view text);

}  // namespace morpho::slide
