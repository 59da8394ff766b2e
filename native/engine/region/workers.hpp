// The threads that work on a region's tiles: each takes the next tile that waits, on a GPU or on CPU cores, until none is left.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/window/window.hpp"

namespace morpho::engine::region {

/// Who gets which tile where GPUs and cores work side by side. Without GPUs, or without cores, both are the same.
enum class TileOrder : u8 {
  fcfs,    ///< first come, first served, as Teodoro 2012 §4: tiles that were never visited, then those that were woken
  suited,  ///< a core takes woken tiles first, and a new one only while the GPUs have work for longer than it would take
};

/// Which tiles wait, and which are worked on. Tiles are numbers below the count; one waits or is worked on at most once.
class TileQueue {
 public:
  explicit TileQueue(i64 tiles, TileOrder order = TileOrder::fcfs) : order_(order), tiles_(static_cast<std::size_t>(tiles)) {}
  /// All tiles, in order.
  void push_all();
  /// What takes tiles: a worker of a GPU or of the CPU. A GPU's says when it comes and goes, so that cores leave nothing to one
  /// that is not there.
  enum class Taker : u8 { core, gpu };
  void come(Taker taker);
  void go(Taker taker);
  /// The next tile; waits while there is none for this taker but others are worked on, and is empty when all is done or
  /// stopped.
  std::optional<i64> take(Taker taker);
  /// Ends the work on a tile. `settle(wake)` runs alone, before anybody else takes or ends a tile: it publishes what the tile
  /// has become, and calls wake(t) for every tile that must be worked on (again); for one that waits or is worked on it does
  /// nothing, as that one sees what was published when it is taken, or must look itself when it ends.
  void finish(i64 tile, const std::function<void(const std::function<void(i64)>& wake)>& settle);
  /// Back to the front, to be taken by somebody else.
  void give_back(i64 tile);
  /// Nobody takes any more.
  void stop();
  /// Waits until then, at most so long: whether it is so.
  bool stops_within(std::chrono::milliseconds time);
  /// What `settle` of finish() is guarded by, for those who look at what was published.
  std::mutex& mutex() { return mutex_; }
  /// Whether a tile waits still: those who took tiles have all gone. Of use when nobody works on the queue.
  bool left() const { return !fresh_.empty() || !woken_.empty(); }
  struct Count {
    i64 done, left;  ///< visits that have ended; tiles that wait or are worked on
  };
  Count count();

 private:
  enum class State : u8 { idle, waits, worked_on };
  struct Tile {
    State state = State::idle;
    bool visited = false;
    Taker taker = Taker::core;
    double since_ms = 0;  ///< when it was taken
  };
  /// First visits that have ended.
  struct Pace {
    i64 visits = 0;
    double ms = 0;
    double mean() const { return visits > 0 ? ms / static_cast<double>(visits) : 0; }
  };
  std::deque<i64>& line_of(const Tile& tile) { return tile.visited ? woken_ : fresh_; }
  /// The line from which the taker takes now; null: nothing for it.
  std::deque<i64>* line_for(Taker taker);

  TileOrder order_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<i64> fresh_, woken_;
  std::vector<Tile> tiles_;
  Pace gpus_pace_, cores_pace_;
  i64 busy_ = 0, taken_ = 0, gpu_takers_ = 0;
  bool stopped_ = false;
};

/// How the CPU's cores take part.
enum class CpuWorkers : u8 {
  cores,  ///< each core takes tiles by itself (Teodoro 2012 §5.2.5, sequential variant)
  group,  ///< all cores take one tile together (parallel variant)
};

struct WorkerOptions {
  std::vector<DeviceName> devices{{}};  ///< the CPU, GPUs; at least one
  int threads = 1;                      ///< of the CPU, where it is among the devices
  CpuWorkers cpu = CpuWorkers::cores;
  TileOrder order = TileOrder::suited;
  int workers_per_gpu = 12;  ///< so many read, upload and write at once; OpenGpus::kMostCallers of them compute
  const CancelFlag* cancel = nullptr;
  /// Called by hands, one at a time, when a visit has ended: visits of the step so far, and tiles that wait or are worked on.
  /// Must not wait: the other workers' next visits do.
  std::function<void(const char* step, i64 done, i64 left)> progress;
  /// Asked by hands between two visits, by several at once: while it is true they stand still, each with its tile done and no
  /// device taken. Cancel and another worker's error end that within kLookEvery.
  std::function<bool()> held;
  static constexpr std::chrono::milliseconds kLookEvery{50};
};

/// One visit of a tile, for the timeline: ms since the workers were made.
struct Visit {
  i64 tile;
  std::string device, step;  ///< "cpu" or "gpu0", of what was computed there; what was done
  int worker;
  double from_ms, read_ms, computed_ms, to_ms;  ///< begun; pixels there; computed and back on the host; written and settled
};

class Workers;

/// One thread's hold of a device.
class Worker {
 public:
  Worker(Resources& resources, const DeviceName& device, int number, int threads, const CancelFlag* cancel)
      : resources_(resources),
        device_(device),
        number_(number),
        workspace_(resources.workspaces),
        host_{*workspace_, threads, cancel} {}
  bool on_gpu() const { return device_.gpu; }
  std::string device_name() const { return name_of(device_); }
  int number() const { return number_; }
  /// The CPU, with host memory: for what the worker itself does.
  Context& host() { return host_; }
  /// n bytes of host memory until the visit ends; page-locked where a GPU is to read or write it and its driver has some. The
  /// worker keeps such memory for its next visits: it costs about a millisecond for each 4 MiB.
  u8* take(std::size_t n);
  /// Runs fn(Backend&) on the worker's device: waits for it where others use it, and waits for what fn enqueued.
  void compute(const std::function<void(Backend&)>& fn);
  /// Copies for fn of compute(): planes as the backend has them. On the CPU they are the host's own.
  static Plane uploaded(Backend& backend, const Plane& host);
  static void fetch(Backend& backend, const ConstPlane& uploaded, const Plane& host);

  /// Called by the work of a visit when its pixels are there.
  void mark_read() { read_ms_ = now_ms(); }
  /// Called where a visit does something else than its step says.
  void call_it(const char* step) { step_ = step; }

 private:
  friend class Workers;
  void begin_visit(const char* step) {
    read_ms_ = computed_ms_ = 0;
    step_ = step;
  }
  void end_visit() {
    for (Pinned& p : pinned_) p.taken = false;
  }

  Resources& resources_;
  DeviceName device_;
  int number_;
  WorkspacePool::Lease workspace_;
  double read_ms_ = 0, computed_ms_ = 0;
  const char* step_ = "";
  Context host_;
  struct Pinned {
    std::unique_ptr<PinnedPool::Lease> lease;
    std::size_t bytes;
    bool taken;
  };
  std::vector<Pinned> pinned_;
};

/// All workers of a call. Demand-driven: whoever is idle takes the next tile, so that no device holds what it has not begun
/// (Teodoro 2012 §4). A GPU that is lost, or has not the memory for a tile, gives its tile back and takes no more; the others
/// go on, and where none is left a worker of the CPU does; notes() says so.
class Workers {
 public:
  Workers(Resources& resources, const WorkerOptions& options) : resources_(resources), options_(options), begin_ms_(now_ms()) {}
  /// Works until the queue is empty. work(worker, tile) computes; settle(tile, wake) as TileQueue::finish has it. Throws
  /// Cancelled, and the first Error that is not a GPU's own.
  void run(TileQueue& queue, const char* step, const std::function<void(Worker&, i64)>& work,
           const std::function<void(i64, const std::function<void(i64)>&)>& settle);
  /// The same where tiles know nothing of each other.
  void each(i64 tiles, const char* step, const std::function<void(Worker&, i64)>& work);
  /// The same on the CPU's cores alone, whatever the devices: what only looks at pixels where they lie.
  void each_on_cpu(i64 tiles, const char* step, const std::function<void(Worker&, i64)>& work);
  const WorkerOptions& options() const { return options_; }
  const std::vector<Visit>& visits() const { return visits_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// How many tiles are held in memory at once, at most.
  int workers() const;

 private:
  struct Seat {
    DeviceName device;
    int threads;
  };
  std::vector<Seat> seats() const;
  void sit_down(const std::function<std::vector<Seat>()>& seats, TileQueue& queue, const char* step,
                const std::function<void(Worker&, i64)>& work,
                const std::function<void(i64, const std::function<void(i64)>&)>& settle);
  void wait_while_held(Worker& worker, TileQueue& queue) const;
  void work_on(Worker& worker, TileQueue& queue, const char* step, const std::function<void(Worker&, i64)>& work,
               const std::function<void(i64, const std::function<void(i64)>&)>& settle);

  Resources& resources_;
  WorkerOptions options_;
  double begin_ms_;
  std::mutex mutex_;
  std::vector<Visit> visits_;
  std::vector<std::string> notes_;
  std::vector<DeviceName> retired_;
};

}  // namespace morpho::engine::region
