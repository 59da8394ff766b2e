// Who waits for others' work can be stopped, and stands in nobody else's way.
#include <atomic>
#include <chrono>
#include <thread>

#include "../support/cut_scene.hpp"
#include "engine/query/explain.hpp"
#include "engine/region/workers.hpp"
#include "engine/query/wand.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point from) { return std::chrono::duration<double, std::milli>(Clock::now() - from).count(); }

/// Runs fn(cancel) in a thread, cancels it once `waits` is so, and expects Cancelled soon.
template <class Fn, class Waits>
void expect_stops_where_it_waits(Fn&& fn, Waits&& waits) {
  CancelFlag cancel{false};
  std::atomic<bool> ended{false}, cancelled{false};
  Clock::time_point end;
  std::thread waiting([&] {
    try {
      fn(cancel);
    } catch (const Cancelled&) {
      cancelled = true;
    }
    end = Clock::now();
    ended = true;
  });
  const auto begin = Clock::now();
  while (!ended && !waits() && ms_since(begin) < 60000) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(ended) << "it waited for nobody";
  const auto asked = Clock::now();
  cancel = true;
  waiting.join();
  EXPECT_TRUE(cancelled);
  // A look every 20 ms; what a busy machine adds is not its own.
  EXPECT_LT(std::chrono::duration<double>(end - asked).count(), 1.0);
}
/// Once so much time has gone by.
auto after(int ms) {
  return [begin = Clock::now(), ms] { return ms_since(begin) >= ms; };
}

/// Of which nothing is read while somebody waits.
class ReadSlide final : public slide::Slide {
 public:
  explicit ReadSlide(std::shared_ptr<slide::Slide> of) : of_(std::move(of)) {}
  const slide::SlideInfo& info() const override { return of_->info(); }
  std::vector<slide::Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const slide::ReadControl& control) override {
    ++reads;
    return of_->read(level, x, y, out, control);
  }
  std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) override { return of_->tile_jpeg(level, tx, ty); }
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override { return of_->associated(name, extent); }
  /// Something was read, and nothing for a second.
  auto rests() {
    return [this, seen = reads.load(), since = Clock::now()]() mutable {
      if (reads == seen) return seen > 0 && ms_since(since) > 1000;
      seen = reads, since = Clock::now();
      return false;
    };
  }
  std::atomic<int> reads{0};

 private:
  std::shared_ptr<slide::Slide> of_;
};

struct Numbered {
  int number;
  friend bool same(const Numbered& a, const Numbered& b) { return a.number == b.number; }
};

TEST(Waits, OfOneKeyOneWorksAtATimeAndOthersAreFree) {
  Exclusive<Numbered> work;
  auto one = work.enter({1}, nullptr);
  const auto other = work.enter({2}, nullptr);  // at once
  expect_stops_where_it_waits([&](const CancelFlag& cancel) { const auto again = work.enter({1}, &cancel); }, after(60));
  std::atomic<bool> entered{false};
  std::thread next([&] {
    const auto again = work.enter({1}, nullptr);
    entered = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(entered);
  one = {};
  next.join();
  EXPECT_TRUE(entered);
  const CancelFlag cancelled{true};
  EXPECT_THROW((void)work.enter({3}, &cancelled), Cancelled);
}

TEST(Waits, OfOneKeySoManyWorkAtATime) {
  Exclusive<Numbered> work;
  const auto first = work.enter({1}, nullptr, 2), second = work.enter({1}, nullptr, 2);  // at once
  expect_stops_where_it_waits([&](const CancelFlag& cancel) { const auto third = work.enter({1}, &cancel, 2); }, after(60));
  const auto third = work.enter({1}, nullptr, 3);  // who may be one of three waits for nobody
}

TEST(Waits, ForALargerWindowsTurnAreCancelled) {
  // Two long lines that cross: one object, of which no window sees the ends that is not larger than windows freely are.
  Scene scene(1500, 900, 2);
  scene.box(40, 446, 1460, 452), scene.box(747, 30, 753, 870);
  Made m = made(scene);
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", m.view());
  const auto slide = std::make_shared<ReadSlide>(m.slide);
  m.slide = slide;
  Resources resources;
  const auto held = resources.larger_windows.enter({}, nullptr);
  WindowJob job = tile_job(m, "he-nuclei", params, 690, 390, 128, 40);
  expect_stops_where_it_waits([&](const CancelFlag& cancel) { run_window(job, resources, &cancel); }, slide->rests());
  slide->reads = 0;
  expect_stops_where_it_waits([&](const CancelFlag& cancel) { explain(job, 600, 449, resources, &cancel); }, slide->rests());
  job.larger_at_once = 2;
  EXPECT_TRUE(run_window(job, resources, nullptr).output.trust.certified);  // beside the one that is held
}

TEST(Waits, ForATreeAreCancelledAndOtherTreesAreBuilt) {
  const Made m = [] {
    Scene scene(300, 260, 2);
    scene.field(22);
    return made(scene);
  }();
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", m.view());
  const WindowJob job = tile_job(m, "he-nuclei", params, 0, 0, 300, 0);
  Resources resources;
  WandAsk ask;
  ask.points = {{100, 100}};
  TreeMemo::Key key;
  key.window = key_of(job);
  key.plan = job.plan;
  const auto& steps = key.plan->program.steps;
  const auto keeps = [](const Step& s) { return s.op == engine::Op::keep && std::string(s.name) == "channel"; };
  key.step = static_cast<std::size_t>(std::find_if(steps.begin(), steps.end(), keeps) - steps.begin());
  const auto building = resources.trees.building.enter(key, nullptr);
  expect_stops_where_it_waits([&](const CancelFlag& cancel) { wand(job, ask, resources, &cancel); }, after(150));
  WindowJob other = tile_job(m, "he-nuclei", params, 0, 0, 200, 60);
  EXPECT_TRUE(wand(other, ask, resources, nullptr).built);
}

/// While some stand still for a pause, another's error ends them all; and so does cancel.
TEST(Waits, OfAPauseEndWithAnothersErrorAndWithCancel) {
  for (const bool fails : {true, false}) {
    Resources resources;
    CancelFlag cancel{false};
    std::atomic<int> visits{0};
    region::WorkerOptions options;
    options.threads = 2;
    options.cancel = &cancel;
    options.held = [] { return true; };  // from the first visit's end on
    options.progress = [&](const char*, i64, i64) { ++visits; };
    region::Workers workers(resources, options);
    std::thread stops([&] {
      while (visits < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (!fails) cancel = true;
    });
    Clock::time_point failed{};
    const auto work = [&](region::Worker&, i64 tile) {
      if (tile != 1) return;
      // The other one stands still by now.
      while (visits < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      failed = Clock::now();
      if (fails) throw Error(ErrorCode::output_failed, "the disk is full");
    };
    if (fails) EXPECT_THROW(workers.each(8, "a step", work), Error);
    else EXPECT_THROW(workers.each(8, "a step", work), Cancelled);
    EXPECT_LT(ms_since(failed), 2000);
    stops.join();
    EXPECT_LE(visits, 2);
  }
}

/// A hand that stands still holds neither the progress of others nor its device.
TEST(Waits, OfAPauseGoOnWhereItEnds) {
  Resources resources;
  std::atomic<bool> held{true};
  std::atomic<int> visits{0};
  region::WorkerOptions options;
  options.threads = 2;
  options.held = [&] { return held.load(); };
  options.progress = [&](const char*, i64, i64) { ++visits; };
  region::Workers workers(resources, options);
  std::thread ends([&] {
    const auto begin = Clock::now();
    // Each of them ends its tile and says so, and begins no other.
    while (visits < 2 && ms_since(begin) < 5000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(visits, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_EQ(visits, 2);
    held = false;
  });
  workers.each(8, "a step", [](region::Worker&, i64) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  ends.join();
  EXPECT_EQ(visits, 8);
}

}  // namespace
}  // namespace morpho::test
