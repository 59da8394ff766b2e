// Tokenizes XML 1.0 without a document type. Own code, as the guard before OpenSlide must refuse what it does not understand:
// libraries accept document types, other encodings and repairs, and none is on every system that OpenSlide is on.
#include "xml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "slide_metadata.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kDeepest = 200;

/// What is wrong; never leaves this file.
struct Refused {
  std::string why;
};
[[noreturn]] void refuse(const std::string& why) { throw Refused{why}; }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'; }
bool same_text(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x) == y; });
}

bool is_character(std::uint32_t c) {
  return c == 9 || c == 10 || c == 13 || (c >= 32 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE) ||
         (c >= 0x10000 && c <= 0x10FFFF);
}

class Reader {
 public:
  Reader(std::string_view text, const XmlVisitor& visit, const XmlTextVisitor& said)
      : text_(text), visit_(visit), said_(said) {}

  void document() {
    skip("\xEF\xBB\xBF");
    if (!skip_spaces()) declaration();
    if (text_.substr(at_).empty() || (text_[at_] != '<' && !is_space(text_[at_]))) refuse("does not begin with an element");
    for (const char c : text_)
      if (static_cast<unsigned char>(c) < 32 && !is_space(c)) refuse("holds a control character, or is not in UTF-8");
    if (!latin1_ && valid_utf8(std::string(text_), text_.size()) != text_) refuse("is not valid UTF-8");
    bool rooted = false;
    while (at_ < text_.size()) {
      if (skip("<!--")) {
        comment();
      } else if (skip("<?")) {
        instruction();
      } else if (skip("<![CDATA[")) {
        if (path_.empty()) refuse("has character data outside its root element");
        past("]]>", "a section of character data");
      } else if (skip("<!")) {
        refuse("has a document type");
      } else if (skip("</")) {
        close();
      } else if (skip("<")) {
        if (path_.empty() && rooted) refuse("has more than one root element");
        rooted = true;
        open();
      } else {
        characters();
      }
    }
    if (!path_.empty()) refuse("has no end of its element " + path_.back());
    if (!rooted) refuse("has no element");
  }

 private:
  bool skip(std::string_view what) {
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    return true;
  }
  bool skip_spaces() {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ > from;
  }
  std::string_view past(std::string_view end, const char* of_what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) refuse(std::string("has no end of ") + of_what);
    const std::string_view between = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return between;
  }
  std::string_view name() {
    const std::size_t from = at_;
    if (at_ < text_.size() && is_letter(text_[at_]))
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    const std::string_view found = text_.substr(from, at_ - from);
    const std::size_t colon = found.find(':');
    if (found.empty() || (colon != std::string_view::npos && (colon + 1 == found.size() || !is_letter(found[colon + 1]) ||
                                                              found.find(':', colon + 1) != std::string_view::npos)))
      refuse("has a name that is none in ASCII");
    return found;
  }
  std::string_view quoted() {
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') refuse("has a value without quotes");
    ++at_;
    return past(std::string_view(&quote, 1), "a value");
  }

  void declaration() {
    if (text_.substr(at_, 5) != "<?xml" || at_ + 5 >= text_.size() || !is_space(text_[at_ + 5])) return;
    at_ += 5;
    for (int k = 0; skip_spaces() && text_.substr(at_, 2) != "?>"; ++k) {
      const std::string_view key = name();
      skip_spaces();
      if (!skip("=")) refuse("has a declaration that is none");
      skip_spaces();
      const std::string_view value = quoted();
      if (key == "version" && k == 0 && value == "1.0") continue;
      if (key == "standalone" && k > 0 && (value == "yes" || value == "no")) continue;
      if (key != "encoding" || k != 1) refuse("has a declaration that is none of XML 1.0");
      latin1_ = same_text(value, "iso-8859-1") || same_text(value, "windows-1252");
      if (!latin1_ && !same_text(value, "utf-8") && !same_text(value, "us-ascii"))
        refuse("is in the encoding " + valid_utf8(std::string(value.substr(0, 40))));
    }
    if (!skip("?>")) refuse("has a declaration that is none");
  }
  void comment() {
    const std::string_view body = past("--", "a comment");
    if (body.find("--") != std::string_view::npos || !skip(">")) refuse("has a comment with two hyphens in it");
  }
  void instruction() {
    if (same_text(name(), "xml")) refuse("has a declaration that is not at its beginning");
    past("?>", "an instruction");
  }
  void characters() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const std::string_view run = text_.substr(at_, end - at_);
    at_ = end;
    if (path_.empty() && !std::all_of(run.begin(), run.end(), is_space)) refuse("has text outside its root element");
    if (run.find("]]>") != std::string_view::npos) refuse("has ]]> in its text");
    const std::string text = decoded(run);
    if (said_ && !std::all_of(text.begin(), text.end(), is_space)) said_(text, path_);
  }
  void close() {
    const std::string closed(name());
    skip_spaces();
    if (!skip(">")) refuse("has an end tag that is none");
    if (names_.empty() || names_.back() != closed) refuse("closes an element that is not open (" + closed + ")");
    names_.pop_back();
    path_.pop_back();
  }
  void open() {
    XmlElement element;
    element.name = name();
    if (path_.size() >= kDeepest) refuse("has more than " + std::to_string(kDeepest) + " elements one in another");
    for (;;) {
      const bool apart = skip_spaces();
      const bool empty = skip("/>");
      if (empty || skip(">")) {
        path_.emplace_back(local_name(element.name));
        visit_(element, path_);
        if (empty) path_.pop_back();
        else names_.push_back(element.name);
        return;
      }
      if (!apart) refuse("has no space before an attribute of " + element.name);
      attribute(element);
    }
  }
  void attribute(XmlElement& element) {
    XmlAttribute one;
    one.name = name();
    skip_spaces();
    if (!skip("=")) refuse("has an attribute without a value (" + one.name + ")");
    skip_spaces();
    const std::string_view raw = quoted();
    if (raw.find('<') != std::string_view::npos) refuse("has < in the value of " + one.name);
    one.value = decoded(raw);
    for (const XmlAttribute& other : element.attributes)
      if (other.name == one.name) refuse("states " + one.name + " twice in one element");
    element.attributes.push_back(std::move(one));
  }
  /// References replaced and white space as one space each.
  std::string decoded(std::string_view raw) const {
    std::string out;
    out.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const char c = raw[i];
      if (c == '&') {
        const std::size_t end = raw.find(';', i);
        if (end == std::string_view::npos) refuse("has & that begins no reference");
        append_utf8(out, referred(raw.substr(i + 1, end - i - 1)));
        i = end;
      } else if (c == '\r') {
        if (i + 1 == raw.size() || raw[i + 1] != '\n') out += ' ';
      } else if (latin1_ && static_cast<unsigned char>(c) >= 0x80) {
        append_utf8(out, static_cast<unsigned char>(c));
      } else {
        out += is_space(c) ? ' ' : c;
      }
    }
    return out;
  }
  static std::uint32_t referred(std::string_view name) {
    if (name == "lt") return '<';
    if (name == "gt") return '>';
    if (name == "amp") return '&';
    if (name == "apos") return '\'';
    if (name == "quot") return '"';
    if (name.size() < 2 || name[0] != '#') refuse("refers to an entity that is not of the standard");
    const bool hex = name[1] == 'x';
    const std::string_view digits = name.substr(hex ? 2 : 1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || !is_character(value))
      refuse("refers to a character that is none");
    return value;
  }

  std::string_view text_;
  const XmlVisitor& visit_;
  const XmlTextVisitor& said_;
  std::size_t at_ = 0;
  bool latin1_ = false;
  std::vector<std::string> names_, path_;
};

}  // namespace

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

const XmlAttribute* XmlElement::find(std::string_view local) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [local](const XmlAttribute& a) { return local_name(a.name) == local; });
  return found == attributes.end() ? nullptr : &*found;
}

std::string read_xml(std::string_view text, const XmlVisitor& visit, const XmlTextVisitor& said) {
  try {
    Reader(text, visit, said).document();
  } catch (const Refused& refused) {
    return refused.why;
  }
  return {};
}

std::string_view until_zero(std::string_view text) { return text.substr(0, text.find('\0')); }

}  // namespace morpho::slide
