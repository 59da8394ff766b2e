// The oracle's cases and generators, and the image helpers that the operation tests share.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "contract/ops.hpp"
#include "json.hpp"
#include "npy.hpp"
#include "sha256.hpp"

namespace morpho::test {

/// So many random images; a fifth of them where every access is checked, which is six times the work and finds on the first
/// hundreds what there is to find. The whole number is compared without sanitizers.
constexpr int random_images(int whole) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (whole + 4) / 5;
#else
  return whole;
#endif
}

/// An image that owns its pixels; `margin` extra pixels a row make its views strided.
template <class T>
struct Image {
  Extent extent;
  i32 margin = 0;
  std::vector<T> data;
  Image() = default;
  Image(i32 w, i32 h, T fill = T{}, i32 row_margin = 0)
      : extent{w, h},
        margin(row_margin),
        data(static_cast<std::size_t>(w + row_margin) * static_cast<std::size_t>(h) + 1, fill) {}
  std::ptrdiff_t stride() const { return extent.width + margin; }
  View<T> view() { return View<T>(data.data(), extent, stride()); }
  View<const T> view() const { return View<const T>(data.data(), extent, stride()); }
  Plane plane() { return view(); }
  ConstPlane cplane() const { return view(); }
  T& at(i32 x, i32 y) {
    return data[static_cast<std::size_t>(y) * static_cast<std::size_t>(stride()) + static_cast<std::size_t>(x)];
  }
  T at(i32 x, i32 y) const { return const_cast<Image*>(this)->at(x, y); }
  T& operator[](i64 p) { return at(static_cast<i32>(p % extent.width), static_cast<i32>(p / extent.width)); }
  T operator[](i64 p) const { return (*const_cast<Image*>(this))[p]; }
  i64 area() const { return extent.area(); }
  /// The pixels without the margin.
  std::vector<T> pixels() const {
    std::vector<T> out;
    out.reserve(static_cast<std::size_t>(area()));
    for (i32 y = 0; y < extent.height; ++y) {
      for (i32 x = 0; x < extent.width; ++x) out.push_back(at(x, y));
    }
    return out;
  }
  template <class U>
  Image<U> to(i32 row_margin = 0) const {
    Image<U> out(extent.width, extent.height, U{}, row_margin);
    for (i64 p = 0; p < area(); ++p) out[p] = static_cast<U>((*this)[p]);
    return out;
  }
};
template <class T>
Image<T> image_of(i32 w, i32 h, const std::vector<T>& v, i32 margin = 0) {
  Image<T> out(w, h, T{}, margin);
  for (i64 p = 0; p < out.area(); ++p) out[p] = v[static_cast<std::size_t>(p)];
  return out;
}
template <class T>
Image<T> random_image(std::mt19937& rng, i32 w, i32 h, i32 levels, i32 step = 1, i32 margin = 0) {
  Image<T> out(w, h, T{}, margin);
  for (auto& v : out.data) v = static_cast<T>(static_cast<i32>(rng() % static_cast<unsigned>(levels)) * step);
  return out;
}

/// Calls fn(q) for the neighbours of p, ascending index.
template <class Fn>
void each_neighbour(Extent e, i64 p, Connectivity c, Fn&& fn) {
  const i32 x = static_cast<i32>(p % e.width), y = static_cast<i32>(p / e.width);
  for (i32 dy = -1; dy <= 1; ++dy) {
    for (i32 dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || (c == Connectivity::four && dx != 0 && dy != 0)) continue;
      if (x + dx < 0 || x + dx >= e.width || y + dy < 0 || y + dy >= e.height) continue;
      fn(static_cast<i64>(y + dy) * e.width + x + dx);
    }
  }
}

inline Context context(Workspace& w, int threads = 1) { return Context{w, threads, nullptr, nullptr}; }

/// Under the thread sanitizer, which finds nothing in one thread and takes tens of times as long.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kLooksForRaces = true;
#else
inline constexpr bool kLooksForRaces = false;
#endif
/// Those that a test compares; of races three threads show what more do.
inline std::vector<int> thread_counts(const std::vector<int>& all) { return kLooksForRaces ? std::vector<int>{3} : all; }

/// Expects INVALID_PARAMETER whose message names `name`.
inline void expect_rejected(const std::string& name, const std::function<void()>& fn) {
  try {
    fn();
    ADD_FAILURE() << "nothing was thrown for " << name;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_parameter) << e.what();
    EXPECT_NE(std::string(e.what()).find(" for " + name + " but received "), std::string::npos) << e.what();
  }
}

// ------------------------------------------------------------------------------------------------------- the fixtures

inline std::string oracle_dir() { return std::string(MORPHO_FIXTURES) + "/oracle/"; }
inline const testing_json::Value& manifest() {
  static const testing_json::Value m = testing_json::read_file(oracle_dir() + "manifest.json");
  return m;
}
/// Ids of the cases that some test has run, for the test that counts them.
inline std::set<std::string>& executed() {
  static std::set<std::string> ids;
  return ids;
}

/// One manifest case with its files at hand.
struct Case {
  const testing_json::Value& json;
  std::string id() const { return json["id"].text; }
  std::string op() const { return json["op"].text; }
  const testing_json::Value& params() const { return json["params"]; }
  Connectivity connectivity() const {
    return params()["connectivity"].integer() == 4 ? Connectivity::four : Connectivity::eight;
  }
  testing_npy::Array file(const std::string& group, const std::string& name) const {
    return testing_npy::read(oracle_dir() + json[group][name].text);
  }
  template <class T>
  Image<T> load(const std::string& group, const std::string& name, i32 margin = 0) const {
    const auto a = file(group, name);
    return image_of<T>(static_cast<i32>(a.shape.at(1)), static_cast<i32>(a.shape.at(0)), a.as<T>(), margin);
  }
  template <class T>
  Image<T> input(const std::string& name, i32 margin = 0) const {
    return load<T>("inputs", name, margin);
  }
  template <class T>
  Image<T> output(const std::string& name) const {
    return load<T>("outputs", name);
  }
};
/// Runs fn on every case of `op` and notes it as executed.
inline int each_case(const std::string& op, const std::function<void(const Case&)>& fn) {
  int n = 0;
  for (const auto& json : manifest()["cases"].items) {
    if (json["op"].text != op) continue;
    const Case c{json};
    SCOPED_TRACE(c.id());
    fn(c);
    executed().insert(c.id());
    ++n;
  }
  EXPECT_GT(n, 0) << "no oracle case for " << op;
  return n;
}
/// fn(case, input image, expected digest) on every generated case of `op`.
void each_generated(const std::string& op, const std::function<void(const Case&, const Image<u8>&, const std::string&)>& fn);

/// The manifest's generators: see its "conventions".
Image<u8> noise8(i32 w, i32 h, std::uint32_t seed);
Image<u8> blobs8(i32 w, i32 h, std::uint32_t seed);
Image<u8> serpentine(i32 w, i32 h);
Image<u8> sparse_zeros(i32 w, i32 h, std::uint32_t seed);

template <class T>
std::string digest(const Image<T>& image) {
  const auto v = image.pixels();
  return testing_sha256::hex(v.data(), v.size() * sizeof(T));
}

}  // namespace morpho::test
