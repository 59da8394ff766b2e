// Finds devices by name and says what to do where one is not there.
#include "devices.hpp"

#include <algorithm>
#include <exception>

namespace morpho::engine {

DeviceName parse_device(const std::string& text) {
  if (text == "cpu") return {};
  const std::string digits = text.size() > 3 && text.compare(0, 3, "gpu") == 0 ? text.substr(3) : "";
  const bool number = !digits.empty() && digits.size() <= 3 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number || (digits.size() > 1 && digits[0] == '0')) reject("device", "cpu, gpu0, gpu1, …", "\"" + text + "\"");
  return {true, std::stoi(digits)};
}

const gpu::DeviceInfo& find_gpu(const gpu::DeviceList& list, i32 index) {
  std::string there;
  for (const gpu::DeviceInfo& d : list.devices) {
    if (d.index == index) return d;
    there += (there.empty() ? "" : ", ") + std::string("gpu") + std::to_string(d.index) + " (" + d.name + ")";
  }
  const std::string name = "gpu" + std::to_string(index);
  if (there.empty()) {
    throw Error(ErrorCode::gpu_unavailable, name + " is not there: this program sees 0 GPUs, because " + list.reason + ". Choose cpu; \"morphoscope devices\" lists what there is.");
  }
  throw Error(ErrorCode::gpu_unavailable, name + " is not there: this machine has " + there + ". Choose one of these, or cpu.");
}

OpenGpus::Lease::Lease(OpenGpus& all, i32 index, const CancelFlag* cancel)
    : all_(all), index_(index), cancel_(cancel), exceptions_(std::uncaught_exceptions()) {
  const double begin = now_ms();
  const std::size_t at = static_cast<std::size_t>(index);
  std::unique_lock lock(all_.mutex_);
  if (all_.in_use_.size() <= at) all_.in_use_.resize(at + 1, 0);
  all_.returned_.wait(lock, [&] { return all_.in_use_[at] < kMostCallers; });
  const auto open = std::find_if(all_.idle_.begin(), all_.idle_.end(), [&](const auto& g) { return g->device.info().index == index; });
  if (open != all_.idle_.end()) {
    gpu_ = std::move(*open);
    all_.idle_.erase(open);
  } else {
    const gpu::DeviceList list = gpu::list_devices();
    gpu_ = std::make_unique<OpenGpu>(find_gpu(list, index));
  }
  ++all_.in_use_[at];
  opening_ms_ = now_ms() - begin;
}

OpenGpus::Lease::~Lease() {
  const bool failed = std::uncaught_exceptions() > exceptions_ && !(cancel_ && cancel_->load());
  {
    std::lock_guard lock(all_.mutex_);
    --all_.in_use_[static_cast<std::size_t>(index_)];
    if (!failed) all_.idle_.push_back(std::move(gpu_));
  }
  all_.returned_.notify_all();
}

}  // namespace morpho::engine
