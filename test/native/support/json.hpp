// A minimal JSON reader for tests: whole documents, no comments, UTF-8 passed through.
#pragma once
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace testing_json {

struct Value {
  enum class Kind { null, boolean, number, string, array, object } kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Value> items;
  std::map<std::string, Value> members;

  bool has(const std::string& key) const { return members.count(key) != 0; }
  const Value& operator[](const std::string& key) const {
    const auto it = members.find(key);
    if (it == members.end()) throw std::runtime_error("JSON: no member " + key);
    return it->second;
  }
  int integer() const { return static_cast<int>(number); }
};

class Reader {
 public:
  explicit Reader(const std::string& text) : s_(text) {}
  Value document() {
    Value v = value();
    space();
    if (at_ != s_.size()) fail("the end");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw std::runtime_error("JSON: expected " + expected + " at byte " + std::to_string(at_));
  }
  void space() {
    while (at_ < s_.size() && std::isspace(static_cast<unsigned char>(s_[at_]))) ++at_;
  }
  char peek() {
    space();
    if (at_ >= s_.size()) fail("more text");
    return s_[at_];
  }
  void expect(char c) {
    if (peek() != c) fail(std::string(1, c));
    ++at_;
  }
  bool word(const char* w) {
    const std::string t(w);
    if (s_.compare(at_, t.size(), t) != 0) return false;
    at_ += t.size();
    return true;
  }
  std::string string() {
    expect('"');
    std::string out;
    while (at_ < s_.size() && s_[at_] != '"') {
      if (s_[at_] != '\\') {
        out += s_[at_++];
        continue;
      }
      const char c = s_.at(at_ + 1);
      at_ += 2;
      if (c == 'n') out += '\n';
      else if (c == 't') out += '\t';
      else if (c == 'u') {
        at_ += 4;  // no test compares text outside ASCII
        out += '?';
      } else out += c;
    }
    expect('"');
    return out;
  }
  Value value() {
    Value v;
    const char c = peek();
    if (c == '{') {
      v.kind = Value::Kind::object;
      ++at_;
      while (peek() != '}') {
        std::string key = string();
        expect(':');
        v.members.emplace(std::move(key), value());
        if (peek() == ',') ++at_;
      }
      ++at_;
    } else if (c == '[') {
      v.kind = Value::Kind::array;
      ++at_;
      while (peek() != ']') {
        v.items.push_back(value());
        if (peek() == ',') ++at_;
      }
      ++at_;
    } else if (c == '"') {
      v.kind = Value::Kind::string;
      v.text = string();
    } else if (word("true") || word("false")) {
      v.kind = Value::Kind::boolean;
      v.boolean = c == 't';
    } else if (word("null")) {
    } else if (word("NaN") || word("Infinity") || word("-Infinity")) {
      v.kind = Value::Kind::number;
    } else {
      char* end = nullptr;
      v.kind = Value::Kind::number;
      v.number = std::strtod(s_.c_str() + at_, &end);
      if (end == s_.c_str() + at_) fail("a value");
      at_ = static_cast<std::size_t>(end - s_.c_str());
    }
    return v;
  }
  const std::string& s_;
  std::size_t at_ = 0;
};

inline Value read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path);
  std::stringstream text;
  text << in.rdbuf();
  const std::string s = text.str();
  return Reader(s).document();
}

}  // namespace testing_json
