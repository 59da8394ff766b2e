// The images that every operation is tried on.
#pragma once
#include <algorithm>
#include <filesystem>

#include "../native/support/npy.hpp"
#include "rig.hpp"

namespace morpho::test {

struct Random {
  u64 state;
  std::uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>(state >> 33);
  }
};

struct TestImage {
  std::string name;
  Picture picture;
};

inline std::string size_text(Extent e) { return std::to_string(e.width) + "x" + std::to_string(e.height); }

template <class Fn>
Picture make(PixelType type, Extent e, Fn&& value, std::ptrdiff_t gap = 0, std::size_t lead = 0) {
  Picture p(type, e, gap, lead);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) p.set(x, y, static_cast<i32>(value(x, y)));
  }
  return p;
}
/// The same pixels in a buffer with gaps between its rows and an odd first address.
inline Picture with_gaps(const Picture& p, std::ptrdiff_t gap, std::size_t lead) {
  return make(p.type, p.extent, [&](i32 x, i32 y) { return p.get(x, y); }, gap, lead);
}

/// Blobs of many sizes: a few rounds of averaging of noise.
inline Picture blobs(Extent e, u64 seed) {
  Random r{seed};
  Picture p = make(PixelType::u8, e, [&](i32, i32) { return r.next() & 255; });
  for (i32 round = 0; round < 3; ++round) {
    const Picture q = p;
    const auto at = [&](i32 x, i32 y) { return q.get(std::clamp(x, 0, e.width - 1), std::clamp(y, 0, e.height - 1)); };
    p = make(PixelType::u8, e, [&](i32 x, i32 y) {
      i32 s = 0;
      for (i32 k = -2; k <= 2; ++k) s += at(x + k, y) + at(x, y + k) + at(x + k, y + k);
      return std::clamp((s / 15 - 128) * 5 / 3 + 128, 0, 255);
    });
  }
  return p;
}
inline Picture binary_of(const Picture& p, i32 above) {
  return make(PixelType::u8, p.extent, [&](i32 x, i32 y) { return p.get(x, y) > above ? 1 + (x & 1) * 254 : 0; });
}

/// Grey pictures of one size, u8.
inline std::vector<TestImage> grey_pictures(Extent e, u64 seed) {
  Random r{seed};
  std::vector<TestImage> all;
  all.push_back({"noise", make(PixelType::u8, e, [&](i32, i32) { return r.next() & 255; })});
  all.push_back({"blobs", blobs(e, seed + 1)});
  all.push_back({"flat", make(PixelType::u8, e, [](i32, i32) { return 77; })});
  all.push_back({"ramp", make(PixelType::u8, e, [](i32 x, i32 y) { return (x * 3 + y) & 255; })});
  return all;
}
/// Binary pictures of one size, u8.
inline std::vector<TestImage> binary_pictures(Extent e, u64 seed) {
  Random r{seed};
  std::vector<TestImage> all;
  for (std::uint32_t percent : {3u, 41u, 59u, 97u}) {
    all.push_back(
        {"noise " + std::to_string(percent), make(PixelType::u8, e, [&](i32, i32) { return r.next() % 100 < percent; })});
  }
  all.push_back({"nearly all", make(PixelType::u8, e, [&](i32, i32) { return r.next() % 5000 != 0 ? 255 : 0; })});
  all.push_back({"blobs", binary_of(blobs(e, seed + 1), 128)});
  all.push_back({"empty", make(PixelType::u8, e, [](i32, i32) { return 0; })});
  all.push_back({"full", make(PixelType::u8, e, [](i32, i32) { return 1; })});
  all.push_back({"checker", make(PixelType::u8, e, [](i32 x, i32 y) { return (x + y) & 1; })});
  all.push_back({"combs", make(PixelType::u8, e, [](i32 x, i32 y) { return x % 2 == 0 || y == 0; })});
  all.push_back(
      {"serpentine", make(PixelType::u8, e, [&](i32 x, i32 y) { return y % 2 == 0 || x == (y / 2 % 2 ? 0 : e.width - 1); })});
  all.push_back({"one zero", make(PixelType::u8, e, [](i32 x, i32 y) { return x != 0 || y != 0; })});
  return all;
}
/// Few different values, so that equal ones touch.
inline Picture values(PixelType type, Extent e, u64 seed) {
  Random r{seed};
  return make(type, e, [&](i32, i32) {
    const i32 v = static_cast<i32>(r.next() % 4);
    return type == PixelType::i32 && v == 3 ? -7 : v * 300;
  });
}
inline Picture as_type(const Picture& p, PixelType type, i32 factor) {
  return make(type, p.extent,
              [&](i32 x, i32 y) { return p.get(x, y) * factor + (type == PixelType::u8 ? 0 : (x * 7 + y) & 15); });
}
inline Picture color_picture(Extent e, u64 seed) {
  Random r{seed};
  const Picture base = blobs(e, seed);
  return make(PixelType::i32, e, [&](i32 x, i32 y) {
    const i32 v = base.get(x, y), n = static_cast<i32>(r.next() & 31);
    const auto c = [&](i32 k) { return std::clamp(v * k / 4 + n, 0, 255); };
    return static_cast<i32>(static_cast<std::uint32_t>(c(3) | c(4) << 8 | c(5) << 16 | 255u << 24));
  });
}

/// Every two-dimensional u8 and u16 image among the oracle's fixtures (inputs and results alike: all are images), and the
/// tiles' colours.
inline std::vector<TestImage> fixtures(const std::string& folder) {
  std::vector<TestImage> all;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const bool wanted = path.find(".image.npy") != std::string::npos || path.find(".mask.npy") != std::string::npos ||
                        path.find(".markers.npy") != std::string::npos || path.find("tile_") != std::string::npos;
    if (wanted && path.size() > 4 && path.substr(path.size() - 4) == ".npy") paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    const testing_npy::Array a = testing_npy::read(path);
    const std::string name = path.substr(path.rfind('/') + 1);
    if (a.dtype != "u1" && a.dtype != "b1" && a.dtype != "u2" && a.dtype != "i4") continue;
    const std::vector<i32> v = a.as<i32>();
    if (a.shape.size() == 2) {
      const Extent e{static_cast<i32>(a.shape[1]), static_cast<i32>(a.shape[0])};
      const PixelType t = a.dtype == "u2" ? PixelType::u16 : a.dtype == "i4" ? PixelType::i32 : PixelType::u8;
      all.push_back({name, make(t, e, [&](i32 x, i32 y) {
                       return v[static_cast<std::size_t>(y) * static_cast<std::size_t>(e.width) + static_cast<std::size_t>(x)];
                     })});
    } else if (a.shape.size() == 3 && a.shape[2] == 3) {
      const Extent e{static_cast<i32>(a.shape[1]), static_cast<i32>(a.shape[0])};
      all.push_back(
          {name + " rgb", make(PixelType::i32, e, [&](i32 x, i32 y) {
             const i32*
                 c = &v[(static_cast<std::size_t>(y) * static_cast<std::size_t>(e.width) + static_cast<std::size_t>(x)) * 3];
             return static_cast<i32>(static_cast<std::uint32_t>(c[0] | c[1] << 8 | c[2] << 16 | 255u << 24));
           })});
    }
  }
  return all;
}

inline Picture luminance(const Picture& rgb) {
  return make(PixelType::u8, rgb.extent, [&](i32 x, i32 y) {
    const std::uint32_t c = static_cast<std::uint32_t>(rgb.get(x, y));
    return 255 - static_cast<i32>((299 * (c & 255) + 587 * (c >> 8 & 255) + 114 * (c >> 16 & 255) + 500) / 1000);
  });
}
/// The picture mirrored until it fills the extent.
inline Picture mirrored(const Picture& p, Extent e) {
  const auto mirror = [](i32 i, i32 n) { return i / n % 2 ? n - 1 - i % n : i % n; };
  return make(p.type, e, [&](i32 x, i32 y) { return p.get(mirror(x, p.extent.width), mirror(y, p.extent.height)); });
}

}  // namespace morpho::test
