// Stands for the CUDA library in a build that has none: no devices, and a reason.
#include "cuda/for_tests.hpp"
#include "cuda/gpu.hpp"

namespace morpho::gpu {

namespace {
constexpr const char* kReason = "this build has no GPU code: " MORPHO_CUDA_ABSENT;
[[noreturn]] void unavailable() {
  throw Error(ErrorCode::gpu_unavailable, std::string(kReason) + "; choose the CPU, or install a build with CUDA");
}
}  // namespace

bool built() { return false; }
DeviceList list_devices() { return {{}, kReason}; }
const OpTable& table() { unavailable(); }
const TiledTable& tiled_table() { unavailable(); }
void require_not_lost(i32) {}
void limit_wave_depth(i32) {}
IdleMemory::IdleMemory(std::function<bool(i32)> give_back) : give_back_(std::move(give_back)) {}
IdleMemory::~IdleMemory() = default;
void* allocate_pinned(i32, std::size_t) { return nullptr; }
void release_pinned(void*) noexcept {}
Device::Device(i32) { unavailable(); }
Device::~Device() = default;
Context Device::context(const CancelFlag*) { unavailable(); }
void* Device::allocate(std::size_t) { unavailable(); }
void Device::release(void*) {}
u64 Device::free_bytes() const { unavailable(); }
void Device::upload(void*, const void*, std::size_t) { unavailable(); }
void Device::download(void*, const void*, std::size_t) { unavailable(); }
void Device::upload_rows(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t) { unavailable(); }
void Device::download_rows(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t) { unavailable(); }
void Device::copy(void*, const void*, std::size_t) { unavailable(); }
void Device::pack_rows(void*, const void*, std::size_t, std::size_t, std::size_t) { unavailable(); }
void Device::fill(void*, u8, std::size_t) { unavailable(); }
void Device::synchronize() { unavailable(); }
void Device::make_current() const { unavailable(); }
Timeline::~Timeline() = default;
std::size_t Timeline::mark() { return 0; }
double Timeline::ms(std::size_t, std::size_t) { return 0; }
HostTraffic host_traffic() { return {}; }

}  // namespace morpho::gpu
