// Reads .npy version 1 files (C order, little endian) for tests.
#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace testing_npy {

struct Array {
  std::string dtype;  ///< NumPy's short name without the byte order, e.g. "u1", "i4", "f8"
  std::vector<long> shape;
  std::vector<unsigned char> bytes;

  std::size_t size() const {
    std::size_t n = 1;
    for (long s : shape) n *= static_cast<std::size_t>(s);
    return n;
  }
  /// The elements converted to T, whatever the stored type.
  template <class T>
  std::vector<T> as() const {
    std::vector<T> out(size());
    const auto convert = [&](auto zero) {
      using S = decltype(zero);
      for (std::size_t i = 0; i < out.size(); ++i) {
        S s;
        std::memcpy(&s, bytes.data() + i * sizeof(S), sizeof(S));
        out[i] = static_cast<T>(s);
      }
    };
    if (dtype == "u1" || dtype == "b1") convert(std::uint8_t{});
    else if (dtype == "u2") convert(std::uint16_t{});
    else if (dtype == "i4") convert(std::int32_t{});
    else if (dtype == "i8") convert(std::int64_t{});
    else if (dtype == "f4") convert(float{});
    else if (dtype == "f8") convert(double{});
    else throw std::runtime_error("npy: dtype " + dtype);
    return out;
  }
};

inline Array read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path);
  char head[10];
  in.read(head, 10);
  if (std::memcmp(head, "\x93NUMPY\x01", 7) != 0) throw std::runtime_error("not .npy version 1: " + path);
  std::string text(static_cast<unsigned char>(head[8]) + 256u * static_cast<unsigned char>(head[9]), ' ');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  const auto after = [&](const std::string& key) { return text.find(key) + key.size(); };
  Array a;
  const std::size_t quote = text.find('\'', after("'descr':"));
  const std::string descr = text.substr(quote + 1, text.find('\'', quote + 1) - quote - 1);
  a.dtype = descr.substr(1);
  if (descr[0] == '>' || text.find("'fortran_order': False") == std::string::npos)
    throw std::runtime_error("npy layout: " + path);
  std::size_t at = text.find('(', after("'shape':")) + 1;
  while (text[at] != ')') {
    char* end = nullptr;
    const long n = std::strtol(text.c_str() + at, &end, 10);
    if (end != text.c_str() + at) a.shape.push_back(n);
    at = static_cast<std::size_t>(end - text.c_str());
    while (text[at] == ',' || text[at] == ' ') ++at;
  }
  a.bytes.resize(a.size() * static_cast<std::size_t>(std::atoi(a.dtype.c_str() + 1)));
  in.read(reinterpret_cast<char*>(a.bytes.data()), static_cast<std::streamsize>(a.bytes.size()));
  if (!in) throw std::runtime_error("npy is short: " + path);
  return a;
}

}  // namespace testing_npy
