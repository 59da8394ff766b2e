// A reader by descent, as deep as it says and no deeper.
#include "json.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "../slide_metadata.hpp"

namespace morpho::slide {
namespace {

constexpr int kMostJsonDepth = 64;
constexpr std::size_t kMostJsonValues = std::size_t{1} << 19;

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : s_(text) {}

  Json document() {
    Json value = read_value(0);
    skip_space();
    if (at_ != s_.size()) fail("the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw JsonError("its JSON is wrong: " + expected + " was expected at byte " + std::to_string(at_));
  }
  bool at_end() const { return at_ >= s_.size(); }
  char next() const { return at_end() ? '\0' : s_[at_]; }
  void skip_space() {
    while (!at_end() && (s_[at_] == ' ' || s_[at_] == '\t' || s_[at_] == '\n' || s_[at_] == '\r')) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_end() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  void require(char c) {
    if (!take(c)) fail(std::string("\"") + c + "\"");
  }
  bool take_word(std::string_view word) {
    if (s_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Json read_value(int depth) {
    if (depth > kMostJsonDepth) throw JsonError("its JSON nests deeper than " + std::to_string(kMostJsonDepth) + " levels");
    if (++values_ > kMostJsonValues) throw JsonError("its JSON has more than " + std::to_string(kMostJsonValues) + " values");
    skip_space();
    Json value;
    if (next() == '{') return read_object(depth);
    if (next() == '[') return read_list(depth);
    if (next() == '"') {
      value.kind = Json::Kind::text;
      value.text = read_text();
    } else if (take_word("true") || take_word("false")) {
      value.kind = Json::Kind::boolean;
      value.boolean = s_[at_ - 2] == 'u';
    } else if (!take_word("null")) {
      value.kind = Json::Kind::number;
      value.number = read_number();
    }
    return value;
  }

  Json read_object(int depth) {
    Json value;
    value.kind = Json::Kind::object;
    require('{');
    if (take('}')) return value;
    do {
      skip_space();
      if (next() != '"') fail("a name");
      std::string name = read_text();
      require(':');
      if (!value.members.emplace(name, read_value(depth + 1)).second)
        throw JsonError("its JSON states \"" + name.substr(0, 40) + "\" twice");
    } while (take(','));
    require('}');
    return value;
  }

  Json read_list(int depth) {
    Json value;
    value.kind = Json::Kind::list;
    require('[');
    if (take(']')) return value;
    do value.items.push_back(read_value(depth + 1));
    while (take(','));
    require(']');
    return value;
  }

  std::uint32_t read_hex() {
    std::uint32_t code = 0;
    const char* from = s_.data() + at_;
    if (s_.size() - at_ < 4 || std::from_chars(from, from + 4, code, 16).ptr != from + 4) fail("four hexadecimal digits");
    at_ += 4;
    return code;
  }

  std::string read_text() {
    std::string out;
    for (++at_;;) {
      if (at_end()) fail("the end of a text");
      const char c = s_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) fail("no control character");
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_end()) fail("an escaped character");
      read_escape(s_[at_++], out);
    }
  }

  void read_escape(char c, std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (const std::size_t k = names.find(c); k != std::string_view::npos) {
      out += meant[k];
      return;
    }
    if (c != 'u') fail("an escaped character");
    std::uint32_t code = read_hex();
    if (code >= 0xD800 && code < 0xDC00 && s_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const std::uint32_t low = read_hex();
      code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00)) : 0xFFFD;
    }
    append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  }

  bool is_digit() const { return next() >= '0' && next() <= '9'; }
  void require_digits() {
    if (!is_digit()) fail("a value");
    while (is_digit()) ++at_;
  }

  double read_number() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (take_word("NaN")) return std::numeric_limits<double>::quiet_NaN();
    if (take_word("Infinity")) return infinity;
    if (take_word("-Infinity")) return -infinity;
    const std::size_t from = at_;
    if (next() == '-') ++at_;
    if (next() == '0') ++at_;
    else require_digits();
    if (next() == '.') {
      ++at_;
      require_digits();
    }
    if (next() == 'e' || next() == 'E') {
      ++at_;
      if (next() == '+' || next() == '-') ++at_;
      require_digits();
    }
    double value = 0;
    const auto [end, error] = std::from_chars(s_.data() + from, s_.data() + at_, value);
    if (error == std::errc::result_out_of_range) return s_[from] == '-' ? -infinity : infinity;
    if (error != std::errc{} || end != s_.data() + at_) fail("a number");
    return value;
  }

  std::string_view s_;
  std::size_t at_ = 0, values_ = 0;
};

}  // namespace

const Json& Json::operator[](std::string_view name) const {
  static const Json none;
  const auto found = members.find(name);
  return found == members.end() ? none : found->second;
}

std::optional<u64> Json::count() const {
  constexpr double most = 9007199254740992.0;
  if (kind != Kind::number || !(number >= 0 && number <= most) || number != std::floor(number)) return std::nullopt;
  return static_cast<u64>(number);
}

const std::string& Json::words() const {
  static const std::string none;
  return kind == Kind::text ? text : none;
}

Json read_json(std::string_view text) {
  if (text.size() > kMostJsonBytes)
    throw JsonError("its JSON has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(kMostJsonBytes));
  return JsonReader(text).document();
}

}  // namespace morpho::slide
