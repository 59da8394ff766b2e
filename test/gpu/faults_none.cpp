// A real GPU: it fails when it likes.
#include "faults.hpp"

namespace morpho::test::faults {

bool possible() { return false; }
void fail(Call, int, int, bool) {}
void hold(Call) {}
int held() { return 0; }
int calls(Call) { return 0; }
void reset() {}
long live() { return 0; }
std::size_t used_bytes() { return 0; }
void set_memory_bytes(std::size_t) {}
void set_devices(int) {}
std::size_t used_bytes_of(int) { return 0; }
void set_architecture(int) {}
std::vector<std::string> kernels_never_run() { return {}; }
std::size_t kernel_count() { return 0; }

}  // namespace morpho::test::faults
