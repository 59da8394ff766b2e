// Finds devices by name and says what to do where one is not there.
#include "devices.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>

namespace morpho::engine {

DeviceName parse_device(const std::string& text) {
  if (text == "cpu") return {};
  const std::string digits = text.size() > 3 && text.compare(0, 3, "gpu") == 0 ? text.substr(3) : "";
  const bool number = !digits.empty() && digits.size() <= 3 &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number || (digits.size() > 1 && digits[0] == '0')) reject("device", "cpu, gpu0, gpu1, …", "\"" + text + "\"");
  return {true, std::stoi(digits)};
}

std::string name_of(const DeviceName& device) { return device.gpu ? "gpu" + std::to_string(device.index) : "cpu"; }

const gpu::DeviceInfo& find_gpu(const gpu::DeviceList& list, i32 index) {
  std::string there;
  for (const gpu::DeviceInfo& d : list.devices) {
    if (d.index == index) return d;
    there += (there.empty() ? "" : ", ") + std::string("gpu") + std::to_string(d.index) + " (" + d.name + ")";
  }
  const std::string name = "gpu" + std::to_string(index);
  if (there.empty()) {
    throw Error(ErrorCode::gpu_unavailable, name + " is not there: this program sees 0 GPUs, because " + list.reason +
                                                ". Choose cpu; \"morphoscope devices\" lists what there is.");
  }
  throw Error(ErrorCode::gpu_unavailable, name + " is not there: this machine has " + there + ". Choose one of these, or cpu.");
}

namespace {
/// How often somebody who waits looks whether it was cancelled: a flag wakes nobody.
constexpr auto kLook = std::chrono::milliseconds(20);
}  // namespace

OpenGpus::Lease::Lease(OpenGpus& all, i32 index, const CancelFlag* cancel)
    : all_(all), index_(index), cancel_(cancel), exceptions_(std::uncaught_exceptions()) {
  const double begin = now_ms();
  const std::size_t at = static_cast<std::size_t>(index);
  {
    std::unique_lock lock(all_.mutex_);
    if (all_.in_use_.size() <= at) all_.in_use_.resize(at + 1, 0);
    while (all_.in_use_[at] >= kMostCallers) {
      if (cancel && cancel->load()) throw Cancelled{};
      all_.returned_.wait_for(lock, kLook);
    }
    ++all_.in_use_[at];
  }
  try {
    gpu::require_not_lost(index);
    gpu_ = all_.take_idle(index);
    // Outside of the mutex: opening one takes up to seconds.
    if (!gpu_) gpu_ = std::make_unique<OpenGpu>(find_gpu(gpu::list_devices(), index));
  } catch (...) {
    all_.leave(index);
    throw;
  }
  opening_ms_ = now_ms() - begin;
}

OpenGpus::Lease::~Lease() {
  const bool failed = std::uncaught_exceptions() > exceptions_ && !(cancel_ && cancel_->load());
  // Its memory is free, or there for the next one, before anybody who waits goes on.
  try {
    if (!failed) all_.give(std::move(gpu_));
  } catch (const std::bad_alloc&) {
    // Then it is closed.
  }
  gpu_.reset();
  all_.leave(index_);
}

std::unique_ptr<OpenGpu> OpenGpus::take_idle(i32 index) {
  const std::lock_guard lock(mutex_);
  const auto open = std::find_if(idle_.rbegin(), idle_.rend(), [&](const auto& g) { return g->device.info().index == index; });
  if (open == idle_.rend()) return nullptr;
  auto gpu = std::move(*open);
  idle_.erase(std::next(open).base());
  return gpu;
}

void OpenGpus::give(std::unique_ptr<OpenGpu> gpu) {
  const i32 index = gpu->device.info().index;
  const u64 budget = gpu->device.info().memory_bytes / 4;
  std::vector<std::unique_ptr<OpenGpu>> closed;  // closed where nobody waits for it
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(gpu));
  u64 held = 0;
  for (const auto& g : idle_) held += g->device.info().index == index ? g->device.workspace().held_bytes() : 0;
  for (auto g = idle_.begin(); g != idle_.end() && held > budget;) {
    if ((*g)->device.info().index != index) {
      ++g;
      continue;
    }
    held -= (*g)->device.workspace().held_bytes();
    closed.push_back(std::move(*g));
    g = idle_.erase(g);
  }
}

void OpenGpus::leave(i32 index) {
  {
    const std::lock_guard lock(mutex_);
    --in_use_[static_cast<std::size_t>(index)];
  }
  returned_.notify_all();
}

std::size_t OpenGpus::held_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const auto& g : idle_) sum += g->device.workspace().held_bytes();
  return sum;
}

bool OpenGpus::trim(i32 index) {
  std::vector<std::unique_ptr<OpenGpu>> closed;
  const std::lock_guard lock(mutex_);
  for (auto g = idle_.begin(); g != idle_.end();) {
    if (index >= 0 && (*g)->device.info().index != index) {
      ++g;
      continue;
    }
    closed.push_back(std::move(*g));
    g = idle_.erase(g);
  }
  return !closed.empty();
}

PinnedPool::Lease::Block PinnedPool::take(i32 gpu, std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (std::find(gpus_.begin(), gpus_.end(), gpu) == gpus_.end()) gpus_.push_back(gpu);
    auto best = idle_.end();
    for (auto b = idle_.begin(); b != idle_.end(); ++b)
      if (b->bytes >= bytes && (best == idle_.end() || b->bytes <= best->bytes)) best = b;
    // A large one would be missed by large windows.
    if (best != idle_.end() && best->bytes / 4 <= bytes) {
      const Lease::Block block = *best;
      idle_.erase(best);
      return block;
    }
  }
  constexpr std::size_t step = std::size_t{1} << 20;  // windows at a slide's rim are a little smaller
  const std::size_t size = (bytes + step - 1) / step * step;
  void* const data = gpu::allocate_pinned(gpu, size);
  return {data, data ? size : 0};
}

void PinnedPool::give(Lease::Block block) noexcept {
  if (!block.data) return;
  std::size_t gpus = 1;
  try {
    const std::lock_guard lock(mutex_);
    gpus = gpus_.size();
    idle_.push_back(block);
  } catch (const std::bad_alloc&) {
    gpu::release_pinned(block.data);
  }
  keep(gpus * kMostIdleBytesOfGpu);
}

/// Those that have lain there for longest go.
void PinnedPool::keep(std::size_t most_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  std::size_t held = 0;
  for (const Lease::Block& b : idle_) held += b.bytes;
  while (held > most_bytes) {
    held -= idle_.front().bytes;
    gpu::release_pinned(idle_.front().data);
    idle_.erase(idle_.begin());
  }
}

std::size_t PinnedPool::held_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const Lease::Block& b : idle_) sum += b.bytes;
  return sum;
}

BackendLease::BackendLease(OpenGpus& gpus, const DeviceName& device, Context& host) {
  if (device.gpu) backend_ = std::make_unique<GpuBackend>(*gpu_.emplace(gpus, device.index, host.cancel), host.cancel);
  else backend_ = std::make_unique<CpuBackend>(cpu::table(), host);
}

}  // namespace morpho::engine
