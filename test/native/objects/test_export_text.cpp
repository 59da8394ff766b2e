// What exports write of an object, in parts: numbers as JavaScript has them, SHA-256, loops of rings that touch themselves.
#include <gtest/gtest.h>

#include <string>

#include "export/number_text.hpp"
#include "export/polygons.hpp"
#include "export/sha256.hpp"
#include "../support/sha256.hpp"

namespace morpho::exports {
namespace {

std::string seven(double value) {
  std::string out;
  append_seven_digits(out, value);
  return out;
}
std::string parts(double value) {
  std::string out;
  append_ten_thousandths(out, value);
  return out;
}

TEST(ExportNumbers, SevenDigitsAreThoseOfToPrecision) {
  EXPECT_EQ(seven(12345.625), "12345.63");  // a half goes up, not to even
  EXPECT_EQ(seven(1234567.5), "1234568");
  EXPECT_EQ(seven(1234568.5), "1234569");
  EXPECT_EQ(seven(-0.00001234567), "-0.00001234567");
  EXPECT_EQ(seven(9999999.5), "10000000");
  EXPECT_EQ(seven(9999999.4), "9999999");
  EXPECT_EQ(seven(1e-6), "0.000001");
  EXPECT_EQ(seven(1e-7), "1e-7");
  EXPECT_EQ(seven(1.25e-20), "1.25e-20");
  EXPECT_EQ(seven(1e21), "1e+21");
  EXPECT_EQ(seven(123456789012345678901.0), "123456800000000000000");
  EXPECT_EQ(seven(1.7976931348623157e308), "1.797693e+308");
  EXPECT_EQ(seven(5e-324), "5e-324");
  EXPECT_EQ(seven(-0.0), "0");
}

TEST(ExportNumbers, CoordinatesGoToTenThousandths) {
  EXPECT_EQ(parts(0), "0");
  EXPECT_EQ(parts(98304), "98304");
  EXPECT_EQ(parts(0.00005), "0.0001");
  EXPECT_EQ(parts(-0.00005), "0");  // Math.round takes halves up
  EXPECT_EQ(parts(-1.00006), "-1.0001");
  EXPECT_EQ(parts(10.5), "10.5");
  EXPECT_EQ(parts(3.00009), "3.0001");
  EXPECT_EQ(parts(1e12), "1000000000000");
  EXPECT_EQ(parts(1e18), "1000000000000000000");
}

TEST(ExportSha256, IsTheStandards) {
  std::string text;
  for (int n = 0; n < 300; ++n) {
    Sha256 whole, cut;
    const auto* bytes = reinterpret_cast<const u8*>(text.data());
    whole.update({bytes, text.size()});
    const std::size_t at = text.size() / 3;
    cut.update({bytes, at});
    cut.update({bytes + at, text.size() - at});
    std::string hex;
    for (const u8 byte : whole.digest()) {
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
    EXPECT_EQ(hex, testing_sha256::hex(text.data(), text.size())) << n;
    Sha256 again;
    again.update({bytes, text.size()});
    EXPECT_EQ(again.digest(), cut.digest()) << n;
    text.push_back(static_cast<char>(n * 37));
  }
}

TEST(ExportPolygons, CutsARingWhereItTouchesItself) {
  // Two squares that share a corner, walked as one.
  const std::vector<Loop> loops = split_loops({{0, 0}, {0, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 0}});
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0], (Loop{{2, 2}, {2, 4}, {4, 4}, {4, 2}}));
  EXPECT_EQ(loops[1], (Loop{{0, 0}, {0, 2}, {2, 2}, {2, 0}}));
  EXPECT_TRUE(split_loops({{0, 0}, {5, 0}, {0, 0}}).empty());
}

TEST(ExportPolygons, PutsALakeIntoTheSmallestShoreAround) {
  const auto square = [](i32 at, i32 side, bool hole) {
    Ring ring;
    ring.hole = hole;
    if (hole) ring.xy = {at, at, at, at + side, at + side, at + side, at + side, at};
    else ring.xy = {at, at, at + side, at, at + side, at + side, at, at + side};
    return ring;
  };
  const auto polygons = polygons_of({square(0, 20, false), square(6, 8, false), square(2, 16, true), square(8, 2, true)});
  ASSERT_EQ(polygons.size(), 2u);
  ASSERT_EQ(polygons[0].size(), 2u);
  ASSERT_EQ(polygons[1].size(), 2u);
  EXPECT_EQ(polygons[0][1][0].x, 2);
  EXPECT_EQ(polygons[1][1][0].x, 8);
  for (const Polygon& p : polygons) {
    EXPECT_GT(double_area(p[0]), 0);
    EXPECT_LT(double_area(p[1]), 0);
  }
  // One that was pushed out of its ring bounds nothing.
  EXPECT_EQ(polygons_of({square(0, 2, false), square(50, 2, true)})[0].size(), 1u);
}

}  // namespace
}  // namespace morpho::exports
