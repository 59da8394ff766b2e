// The oracle's image generators, and the walk over its generated cases.
#include "oracle.hpp"

namespace morpho::test {
namespace {

std::uint32_t next(std::uint32_t& s) { return s = s * 1664525u + 1013904223u; }

}  // namespace

Image<u8> noise8(i32 w, i32 h, std::uint32_t seed) {
  Image<u8> out(w, h);
  for (i64 p = 0; p < out.area(); ++p) out[p] = static_cast<u8>(next(seed) >> 24);
  return out;
}

Image<u8> blobs8(i32 w, i32 h, std::uint32_t seed) {
  const Image<u8> noise = noise8(w, h, seed);
  const auto clamped = [](i32 v, i32 n) { return std::clamp(v, 0, n - 1); };
  Image<i32> rows(w, h);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      for (i32 d = -4; d <= 4; ++d) rows.at(x, y) += noise.at(clamped(x + d, w), y);
    }
  }
  Image<u8> out(w, h);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      i32 sum = 0;
      for (i32 d = -4; d <= 4; ++d) sum += rows.at(x, clamped(y + d, h));
      out.at(x, y) = static_cast<u8>(std::clamp(128 + (sum / 81 - 128) * 8, 0, 255));
    }
  }
  return out;
}

Image<u8> serpentine(i32 w, i32 h) {
  Image<u8> out(w, h);
  for (i32 y = 0; y < h; ++y) {
    if (y % 2 == 0) {
      for (i32 x = 0; x < w; ++x) out.at(x, y) = 255;
    } else {
      out.at(y / 2 % 2 == 0 ? w - 1 : 0, y) = 255;
    }
  }
  return out;
}

Image<u8> sparse_zeros(i32 w, i32 h, std::uint32_t seed) {
  Image<u8> out(w, h);
  for (i64 p = 0; p < out.area(); ++p) out[p] = (next(seed) >> 16) % 20011 != 0;
  return out;
}

void each_generated(const std::string& op, const std::function<void(const Case&, const Image<u8>&, const std::string&)>& fn) {
  int n = 0;
  for (const auto& json : manifest()["generated"].items) {
    if (json["op"].text != op) continue;
    const Case c{json};
    SCOPED_TRACE(c.id());
    const auto& in = json["input"];
    const std::string kind = in["kind"].text;
    const i32 h = in["shape"].items[0].integer(), w = in["shape"].items[1].integer();
    const std::uint32_t seed = in.has("seed") ? static_cast<std::uint32_t>(in["seed"].number) : 0;
    Image<u8> image;
    if (kind == "serpentine") image = serpentine(w, h);
    else if (kind == "blobs8") image = blobs8(w, h, seed);
    else if (kind.rfind("sparse zeros", 0) == 0) image = sparse_zeros(w, h, seed);
    else FAIL() << "unknown generator " << kind;
    if (c.params().has("threshold")) {
      for (auto& v : image.data) v = v > 128;
    }
    fn(c, image, json["out"]["sha256"].text);
    executed().insert(c.id());
    ++n;
  }
  EXPECT_GT(n, 0) << "no generated case for " << op;
}

}  // namespace morpho::test
