// Tiles to threads, threads to devices.
#include "workers.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace morpho::engine::region {

void TileQueue::push_all() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    if (tiles_[i].state != State::idle) continue;
    tiles_[i].state = State::waits;
    line_of(tiles_[i]).push_back(static_cast<i64>(i));
  }
  changed_.notify_all();
}
void TileQueue::come(Taker taker) {
  const std::lock_guard lock(mutex_);
  if (taker == Taker::gpu) ++gpu_takers_;
}
void TileQueue::go(Taker taker) {
  const std::lock_guard lock(mutex_);
  if (taker == Taker::gpu) --gpu_takers_;
  changed_.notify_all();  // cores may take what was left to it
}
std::deque<i64>* TileQueue::line_for(Taker taker) {
  const bool beside_gpus = taker == Taker::core && gpu_takers_ > 0 && order_ == TileOrder::suited;
  if (beside_gpus && !woken_.empty()) return &woken_;
  if (!fresh_.empty()) {
    // As long as nobody has ended a visit, nobody knows better than to begin.
    const double gpus_ms = static_cast<double>(fresh_.size()) * gpus_pace_.mean() /
                           static_cast<double>(std::max<i64>(1, gpu_takers_));
    if (!beside_gpus || gpus_pace_.visits == 0 || gpus_ms >= cores_pace_.mean()) return &fresh_;
  }
  return woken_.empty() ? nullptr : &woken_;
}
std::optional<i64> TileQueue::take(Taker taker) {
  std::unique_lock lock(mutex_);
  std::deque<i64>* line = nullptr;
  changed_.wait(lock, [&] { return stopped_ || (line = line_for(taker)) || (busy_ == 0 && !left()); });
  if (stopped_ || !line) return std::nullopt;
  const i64 i = line->front();
  line->pop_front();
  Tile& tile = tiles_[static_cast<std::size_t>(i)];
  tile.state = State::worked_on, tile.taker = taker, tile.since_ms = now_ms();
  ++busy_, ++taken_;
  return i;
}
void TileQueue::finish(i64 i, const std::function<void(const std::function<void(i64)>&)>& settle) {
  const std::lock_guard lock(mutex_);
  Tile& tile = tiles_[static_cast<std::size_t>(i)];
  if (!tile.visited) {
    Pace& pace = tile.taker == Taker::gpu ? gpus_pace_ : cores_pace_;
    ++pace.visits, pace.ms += now_ms() - tile.since_ms;
  }
  tile.state = State::idle, tile.visited = true;
  --busy_;
  settle([&](i64 other) {
    Tile& t = tiles_[static_cast<std::size_t>(other)];
    if (t.state != State::idle) return;
    t.state = State::waits;
    line_of(t).push_back(other);
  });
  changed_.notify_all();
}
void TileQueue::give_back(i64 i) {
  const std::lock_guard lock(mutex_);
  Tile& tile = tiles_[static_cast<std::size_t>(i)];
  tile.state = State::waits;
  line_of(tile).push_front(i);
  --busy_, --taken_;
  changed_.notify_all();
}
TileQueue::Count TileQueue::count() {
  const std::lock_guard lock(mutex_);
  return {taken_ - busy_, static_cast<i64>(fresh_.size() + woken_.size()) + busy_};
}
void TileQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool TileQueue::stops_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [&] { return stopped_; });
}

u8* Worker::take(std::size_t n) {
  if (device_.gpu && n > 0) {
    for (Pinned& p : pinned_) {
      if (p.taken || p.bytes < n || p.bytes / 2 > n) continue;
      p.taken = true;
      return static_cast<u8*>(p.lease->data());
    }
    auto lease = std::make_unique<PinnedPool::Lease>(resources_.pinned, device_.index, n);
    if (lease->data()) {
      // All of it: tiles at the image's rim are a little smaller than the next one.
      const std::size_t all = lease->bytes();
      pinned_.push_back({std::move(lease), all, true});
      return static_cast<u8*>(pinned_.back().lease->data());
    }
  }
  return host_.workspace.take<u8>(n);
}
void Worker::compute(const std::function<void(Backend&)>& fn) {
  host_.check_cancelled();
  if (read_ms_ == 0) mark_read();
  const BackendLease backend(resources_.gpus, device_, host_);
  {
    const Workspace::Scope scope((*backend).context().workspace);
    fn(*backend);
    (*backend).synchronize();  // sync: the worker gives the device to the next one
  }
  computed_ms_ = now_ms();
}
Plane Worker::uploaded(Backend& backend, const Plane& host) {
  if (backend.on_host() || host.extent.empty()) return host;
  const std::size_t pixel = pixel_bytes(host.type), row = static_cast<std::size_t>(host.extent.width) * pixel;
  u8* to = backend.context().workspace.take<u8>(row * static_cast<std::size_t>(host.extent.height));
  // sync: of page-locked memory the GPU reads when it comes there
  backend.upload_rows(to, host.data, static_cast<std::size_t>(host.stride) * pixel, row,
                      static_cast<std::size_t>(host.extent.height));
  return Plane(to, host.type, host.extent);
}
void Worker::fetch(Backend& backend, const ConstPlane& uploaded, const Plane& host) {
  if (backend.on_host() || host.extent.empty()) return;
  // sync: the worker reads the pixels next
  backend.download(host.data, uploaded.data, static_cast<std::size_t>(host.extent.area()) * pixel_bytes(host.type));
}

std::vector<Workers::Seat> Workers::seats() const {
  std::vector<Seat> all;
  const auto is_retired = [&](const DeviceName& d) {
    return std::any_of(retired_.begin(), retired_.end(), [&](const DeviceName& r) { return d.gpu && r.index == d.index; });
  };
  for (const DeviceName& d : options_.devices) {
    if (is_retired(d)) continue;
    if (d.gpu) all.insert(all.end(), static_cast<std::size_t>(std::max(1, options_.workers_per_gpu)), Seat{d, 1});
    else if (options_.cpu == CpuWorkers::group) all.push_back({d, std::max(1, options_.threads)});
    else all.insert(all.end(), static_cast<std::size_t>(std::max(1, options_.threads)), Seat{d, 1});
  }
  if (all.empty()) all.push_back({{}, std::max(1, options_.threads)});
  return all;
}
int Workers::workers() const { return static_cast<int>(seats().size()); }

void Workers::wait_while_held(Worker& worker, TileQueue& queue) const {
  while (options_.held && options_.held()) {
    worker.host().check_cancelled();
    if (queue.stops_within(WorkerOptions::kLookEvery)) return;
  }
}

void Workers::work_on(Worker& worker, TileQueue& queue, const char* step, const std::function<void(Worker&, i64)>& work,
                      const std::function<void(i64, const std::function<void(i64)>&)>& settle) {
  const TileQueue::Taker taker = worker.on_gpu() ? TileQueue::Taker::gpu : TileQueue::Taker::core;
  queue.come(taker);
  const struct Going {
    TileQueue& queue;
    TileQueue::Taker taker;
    ~Going() { queue.go(taker); }
  } going{queue, taker};
  while (const std::optional<i64> tile = queue.take(taker)) {
    Visit visit{*tile, worker.device_name(), step, worker.number(), now_ms(), 0, 0, 0};
    try {
      const Workspace::Scope scope(worker.host().workspace);
      worker.host().check_cancelled();
      worker.begin_visit(step);
      work(worker, *tile);
      worker.end_visit();
    } catch (const Error& e) {
      worker.end_visit();
      const bool gpus_own = worker.on_gpu() && (e.code() == ErrorCode::gpu_lost || e.code() == ErrorCode::gpu_out_of_memory ||
                                                e.code() == ErrorCode::gpu_unavailable);
      if (!gpus_own) throw;
      {
        const std::lock_guard lock(mutex_);
        const std::string note = worker.device_name() + " takes no more tiles: " + e.what();
        if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
        retired_.push_back(worker.device_);
      }
      queue.give_back(*tile);
      return;
    }
    queue.finish(*tile, [&](const std::function<void(i64)>& wake) { settle(*tile, wake); });
    visit.to_ms = now_ms() - begin_ms_;
    visit.from_ms -= begin_ms_;
    // What a GPU's worker did without the GPU was done by its core.
    if (worker.computed_ms_ == 0) visit.device = "cpu";
    visit.step = worker.step_;
    visit.read_ms = (worker.read_ms_ > 0 ? worker.read_ms_ : visit.from_ms + begin_ms_) - begin_ms_;
    visit.computed_ms = worker.computed_ms_ > 0 ? worker.computed_ms_ - begin_ms_ : visit.to_ms;
    {
      const std::lock_guard lock(mutex_);
      visits_.push_back(std::move(visit));
      if (options_.progress) {
        const TileQueue::Count count = queue.count();
        options_.progress(step, count.done, count.left);
      }
    }
    wait_while_held(worker, queue);
  }
}

void Workers::sit_down(const std::function<std::vector<Seat>()>& seats, TileQueue& queue, const char* step,
                       const std::function<void(Worker&, i64)>& work,
                       const std::function<void(i64, const std::function<void(i64)>&)>& settle) {
  std::exception_ptr failed;
  const auto sit = [&](const Seat& seat, int number) {
    try {
      Worker worker(resources_, seat.device, number, seat.threads, options_.cancel);
      work_on(worker, queue, step, work, settle);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failed) failed = std::current_exception();
      queue.stop();
    }
  };
  // Where every GPU has given up and tiles are left, seats() has one for the CPU: the second round.
  for (int round = 0; round < 2; ++round) {
    const std::vector<Seat> all = seats();
    std::vector<std::thread> threads;
    try {
      for (std::size_t k = 1; k < all.size(); ++k) threads.emplace_back(sit, all[k], static_cast<int>(k));
    } catch (const std::exception&) {
      // The system gives no more threads, or no memory for one: those that are there do it all.
    }
    sit(all[0], 0);
    for (std::thread& t : threads) t.join();
    if (failed) std::rethrow_exception(failed);
    if (!queue.left()) return;
  }
}

void Workers::run(TileQueue& queue, const char* step, const std::function<void(Worker&, i64)>& work,
                  const std::function<void(i64, const std::function<void(i64)>&)>& settle) {
  sit_down([&] { return seats(); }, queue, step, work, settle);
}
void Workers::each_on_cpu(i64 tiles, const char* step, const std::function<void(Worker&, i64)>& work) {
  TileQueue queue(tiles);
  queue.push_all();
  std::vector<Seat> cores(static_cast<std::size_t>(std::max(1, options_.threads)), Seat{{}, 1});
  sit_down([&] { return cores; }, queue, step, work, [](i64, const std::function<void(i64)>&) {});
}
void Workers::each(i64 tiles, const char* step, const std::function<void(Worker&, i64)>& work) {
  TileQueue queue(tiles, options_.order);
  queue.push_all();
  run(queue, step, work, [](i64, const std::function<void(i64)>&) {});
}

}  // namespace morpho::engine::region
