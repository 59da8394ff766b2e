// Area-averaging resample: hand-checked, and against the definition pixel by pixel.
#include "cpu/cpu_ops.hpp"
#include "cpu/local/resample_rows.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

using Channels = std::vector<int>;
Channels channels_of(const Image<Rgba>& image) {
  Channels out;
  for (const Rgba& c : image.pixels()) out.insert(out.end(), {c.r, c.g, c.b, c.a});
  return out;
}
Image<Rgba> run(const Image<Rgba>& in, Extent e, const ResampleParams& p, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<Rgba> out(e.width, e.height, Rgba{1, 2, 3, 4}, 2);
  cpu::resample(ctx, in.view(), out.view(), p);
  return out;
}
Image<Rgba> naive(const Image<Rgba>& in, Extent e, const ResampleParams& p) {
  Image<Rgba> out(e.width, e.height);
  const auto overlap = [](i64 pixel, i64 begin, i64 end) {
    return std::max<i64>(0, std::min(end, (pixel + 1) << 16) - std::max(begin, pixel << 16));
  };
  for (i32 j = 0; j < e.height; ++j) {
    for (i32 i = 0; i < e.width; ++i) {
      u64 sum[4] = {0, 0, 0, 0}, area = 0;
      for (i32 y = 0; y < in.extent.height; ++y) {
        const i64 wy = overlap(y, p.y0 + j * p.step_y, p.y0 + (j + 1) * p.step_y);
        if (wy == 0) continue;
        for (i32 x = 0; x < in.extent.width; ++x) {
          const u64 w = static_cast<u64>(wy * overlap(x, p.x0 + i * p.step_x, p.x0 + (i + 1) * p.step_x));
          const Rgba c = in.at(x, y);
          sum[0] += w * c.r, sum[1] += w * c.g, sum[2] += w * c.b, sum[3] += w * c.a;
          area += w;
        }
      }
      const auto mean = [&](u64 s) { return static_cast<u8>(area ? (2 * s + area) / (2 * area) : 0); };
      out.at(i, j) = Rgba{mean(sum[0]), mean(sum[1]), mean(sum[2]), mean(sum[3])};
    }
  }
  return out;
}
Image<Rgba> colors(std::mt19937& rng, Extent e) {
  Image<Rgba> out(e.width, e.height, Rgba{}, 3);
  for (auto& c : out.data)
    c = Rgba{static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng())};
  return out;
}

TEST(Resample, HandChecked) {
  Image<Rgba> in(4, 2);
  for (i32 x = 0; x < 4; ++x) {
    in.at(x, 0) = Rgba{static_cast<u8>(10 * x), 0, 255, 255};
    in.at(x, 1) = Rgba{static_cast<u8>(10 * x + 1), 1, 255, 255};
  }
  ResampleParams half;
  half.step_x = half.step_y = 2 << 16;
  EXPECT_EQ(channels_of(run(in, {2, 1}, half)), (Channels{6, 1, 255, 255, 26, 1, 255, 255}));  // 5.5 and 0.5 go up
  ResampleParams third;  // pixels of 4/3: (10*0 + 10/3) / (4/3) = 2.5 along the first row
  third.step_x = 87381;
  EXPECT_EQ(run(in, {3, 1}, third).at(0, 0).r, 2);  // 4/3 is a little more than 87381/65536, so a little less than 2.5
  EXPECT_EQ(channels_of(run(in, {4, 2}, {})), channels_of(in));
  ResampleParams left;
  left.x0 = -3 << 16;
  left.step_x = 2 << 16;
  EXPECT_EQ(channels_of(run(in, {3, 1}, left)),
            (Channels{0, 0, 0, 0, 0, 0, 255, 255, 15, 0, 255, 255}));  // nothing; pixel 0 alone; 1 and 2
}

TEST(Resample, ByDefinition) {
  std::mt19937 rng(70);
  for (Extent e : odd_sizes()) {
    const auto in = colors(rng, e);
    for (int round = 0; round < 6; ++round) {
      ResampleParams p;
      p.x0 = static_cast<i64>(rng() % (12 << 16)) - (6 << 16);
      p.y0 = static_cast<i64>(rng() % (12 << 16)) - (6 << 16);
      p.step_x = round == 0 ? 1 << 20 : round == 1 ? 20000 : 1 + static_cast<i64>(rng() % (5 << 16));
      p.step_y = round == 0 ? 1 << 26 : round == 1 ? 65536 : 1 + static_cast<i64>(rng() % (5 << 16));
      const Extent size{static_cast<i32>(rng() % 30), static_cast<i32>(rng() % 20)};
      const auto expected = channels_of(naive(in, size, p));
      for (int threads : kThreadCounts)
        ASSERT_EQ(channels_of(run(in, size, p, threads)), expected) << e.width << "x" << e.height << " round " << round;
    }
  }
}

// Halves of whole pixels go a way of their own, up to the last odd row and column.
TEST(Resample, HalvesByDefinition) {
  std::mt19937 rng(72);
  for (Extent e : {Extent{64, 40}, Extent{65, 41}, Extent{2, 2}, Extent{1, 3}, Extent{203, 17}}) {
    const auto in = colors(rng, e);
    for (i64 at : {i64{0}, i64{1}, i64{-2}, i64{6}}) {
      ResampleParams p;
      p.x0 = at << 16, p.y0 = (at / 2) << 16;
      p.step_x = p.step_y = 2 << 16;
      const Extent size{e.width / 2 + 3, e.height / 2 + 2};
      const auto expected = channels_of(naive(in, size, p));
      for (int threads : {1, 2, 5, 16})
        ASSERT_EQ(channels_of(run(in, size, p, threads)), expected) << e.width << "x" << e.height << " from " << at;
    }
  }
}

// Steps of up to 4 px are averaged in doubles, which must round as the integers do: halves, and what is nearest to them.
TEST(Resample, RoundsHalvesAndTheirNeighboursByDefinition) {
  std::mt19937 rng(73);
  constexpr i64 one = 65536;
  const std::pair<i64, i64> steps[] = {{one, one},
                                       {3 * one, 2 * one},
                                       {4 * one, 4 * one},
                                       {4 * one, 16 * one},
                                       {4 * one - 1, 16 * one - 1},
                                       {3 * one / 2, 6 * one},
                                       {2 * one - 1, 2 * one},
                                       {one + 1, one - 1},
                                       {4 * one + 1, 4 * one},
                                       {4 * one, 16 * one + 1},
                                       {129931, 129931},
                                       {1, 1}};
  for (const auto& [step_x, step_y] : steps) {
    for (const u8 top : {u8{1}, u8{2}, u8{255}}) {
      Image<Rgba> in(61, 47);
      for (auto& c : in.data)
        c = Rgba{static_cast<u8>(rng() % (top + 1u)), static_cast<u8>(255 - rng() % (top + 1u)), top, 255};
      ResampleParams p;
      p.step_x = step_x, p.step_y = step_y;
      p.x0 = static_cast<i64>(rng() % one) - one / 2, p.y0 = static_cast<i64>(rng() % 3) * one / 2;
      const Extent size{static_cast<i32>(std::min<i64>(70, 62 * one / step_x + 2)),
                        static_cast<i32>(std::min<i64>(50, 48 * one / step_y + 2))};
      ASSERT_EQ(channels_of(run(in, size, p)), channels_of(naive(in, size, p)))
          << step_x << " " << step_y << " up to " << int{top};
    }
  }
}

/// Rows in pieces of many widths, copied so that nothing but the two last rows can be read.
class BrokenRows final : public cpu::RowSource {
 public:
  BrokenRows(const Image<Rgba>& image, std::mt19937& rng, bool change) : image_(image), rng_(rng), change_(change) { cut(); }
  void row(i32 y, std::vector<cpu::RowPiece>& pieces) override {
    ASSERT_GE(y, last_ - 1);
    last_ = std::max(last_, y);
    if (change_) cut();
    auto& copy = rows_[y % 2];
    copy.clear();
    pieces.clear();
    i32 x = 0;
    for (const i32 n : widths_) {
      auto piece = std::make_unique<Rgba[]>(static_cast<std::size_t>(n));
      for (i32 i = 0; i < n; ++i) piece[static_cast<std::size_t>(i)] = image_.at(x + i, y);
      pieces.push_back({piece.get(), n});
      copy.push_back(std::move(piece));
      x += n;
    }
  }

 private:
  void cut() {
    widths_.clear();
    for (i32 left = image_.extent.width; left > 0; left -= widths_.back())
      widths_.push_back(std::min<i32>(left, 1 + static_cast<i32>(rng_() % 9)));
  }
  const Image<Rgba>& image_;
  std::mt19937& rng_;
  const bool change_;
  std::vector<i32> widths_;
  std::vector<std::unique_ptr<Rgba[]>> rows_[2];
  i32 last_ = 0;
};

TEST(Resample, RowsInPiecesGiveTheSame) {
  std::mt19937 rng(74);
  constexpr i64 one = 65536;
  for (const Extent e : {Extent{1, 1}, Extent{2, 5}, Extent{37, 23}, Extent{64, 32}}) {
    const auto in = colors(rng, e);
    for (const i64 step : {i64{20000}, one, 3 * one / 2, 2 * one, i64{129931}, 3 * one, 5 * one, 300 * one}) {
      for (const i64 at : {i64{0}, one, 3 * one, -one, i64{12345}, -7 * one / 2}) {
        const ResampleParams p{at, at, step, step};
        const Extent size{static_cast<i32>(e.width * one / step + 3), static_cast<i32>(e.height * one / step + 3)};
        const auto expected = channels_of(run(in, size, p));
        for (bool change : {false, true}) {
          Workspace w;
          Image<Rgba> out(size.width, size.height, Rgba{9, 9, 9, 9});
          {
            const Workspace::Scope scope(w);
            BrokenRows rows(in, rng, change);
            cpu::RowResampler(w, e, size.width, p).run(rows, out.view(), 0, size.height);
          }
          ASSERT_EQ(channels_of(out), expected) << e.width << " by " << step << " from " << at;
        }
      }
    }
  }
}

TEST(Resample, LargestSumsDoNotOverflow) {
  const Image<Rgba> in(300, 700, Rgba{255, 255, 255, 255});
  ResampleParams p;
  for (i64 step : {256 << 16, 257 << 16, 1 << 27}) {
    p.step_x = p.step_y = step;
    EXPECT_EQ(channels_of(run(in, {1, 1}, p)), (Channels{255, 255, 255, 255}));
  }
  p.y0 = 32768;  // 256 px that touch 257 rows
  p.step_y = 256 << 16;
  EXPECT_EQ(channels_of(run(in, {1, 1}, p)), (Channels{255, 255, 255, 255}));
}

TEST(Resample, ManyThreads) {
  std::mt19937 rng(71);
  const auto in = colors(rng, {1200, 900});
  ResampleParams p;
  p.step_x = p.step_y = 130001;
  const auto expected = channels_of(run(in, {600, 450}, p));
  for (int threads : {2, 3, 8}) EXPECT_EQ(channels_of(run(in, {600, 450}, p, threads)), expected);
}

TEST(Resample, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<Rgba> in(5, 5), out(5, 5);
  const auto with = [&](auto&& change) {
    ResampleParams p;
    change(p);
    cpu::resample(ctx, in.view(), out.view(), p);
  };
  for (i64 bad : {i64{0}, i64{-5}, (i64{1} << 27) + 1}) {
    expect_rejected("step_x", [&] { with([&](auto& p) { p.step_x = bad; }); });
    expect_rejected("step_y", [&] { with([&](auto& p) { p.step_y = bad; }); });
  }
  for (i64 bad : {(i64{1} << 48) + 1, -(i64{1} << 48) - 1}) {
    expect_rejected("x0", [&] { with([&](auto& p) { p.x0 = bad; }); });
    expect_rejected("y0", [&] { with([&](auto& p) { p.y0 = bad; }); });
  }
  expect_rejected("out", [&] { cpu::resample(ctx, in.view(), in.view(), {}); });
  expect_rejected("in", [&] { cpu::resample(ctx, View<const Rgba>(nullptr, {5, 5}), out.view(), {}); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(with([](auto&) {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
