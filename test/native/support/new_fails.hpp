// A test's word on whether an allocation of C++ fails; the program's one `operator new` (test_workspace_need.cpp) asks it.
#pragma once
#include <atomic>

namespace morpho::test {

/// Null: none fails but for want of memory.
inline std::atomic<bool (*)()> new_fails{nullptr};

}  // namespace morpho::test
