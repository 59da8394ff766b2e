// The entries of an INI file as GLib's GKeyFile reads them: what Hamamatsu's VMS and VMU and 3DHISTECH's Slidedat.ini are.
#pragma once
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "random_file.hpp"

namespace morpho::slide {

struct IniEntry {
  std::string group, key, value;
};

class IniText {
 public:
  /// Empty where the file is larger than `most_bytes` or cannot be read: OpenSlide refuses it then, too.
  IniText(const std::string& path, u64 most_bytes) {
    const RandomFile file(path);
    if (file.size() == 0 || file.size() > most_bytes) return;
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    if (!file.read(0, text.data(), text.size())) return;
    if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
    std::string group;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t to = std::min(text.find('\n', from), text.size());
      const std::string line = trimmed(text.substr(from, to - from));
      from = to + 1;
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '[') {
        group = line.substr(1, line.find(']') - 1);
        groups_.push_back(group);
      } else if (const std::size_t equals = line.find('='); equals != std::string::npos) {
        entries_.push_back({group, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1))});
      }
    }
  }

  const std::vector<IniEntry>& entries() const { return entries_; }
  bool has_group(const std::string& group) const {
    for (const std::string& g : groups_)
      if (g == group) return true;
    return false;
  }
  /// The last entry of that name wins, as with GLib.
  std::optional<std::string> value(const std::string& group, const std::string& key) const {
    for (auto e = entries_.rbegin(); e != entries_.rend(); ++e)
      if (e->group == group && e->key == key) return e->value;
    return std::nullopt;
  }
  /// 0 where it is absent or no number.
  double number(const std::string& group, const std::string& key) const {
    const auto text = value(group, key);
    return text ? std::strtod(text->c_str(), nullptr) : 0;
  }

  /// GLib's escapes: \s \t \n \r and the backslash.
  static std::string unescaped(const std::string& s) {
    std::string out;
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] != '\\' || i + 1 == s.size()) {
        out += s[i];
        continue;
      }
      const char c = s[++i];
      out += c == 's' ? ' ' : c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
    return out;
  }

 private:
  static std::string trimmed(const std::string& s) {
    const std::size_t begin = s.find_first_not_of(" \t\r\n\v\f");
    return begin == std::string::npos ? std::string() : s.substr(begin, s.find_last_not_of(" \t\r\n\v\f") - begin + 1);
  }
  std::vector<std::string> groups_;
  std::vector<IniEntry> entries_;
};

}  // namespace morpho::slide
