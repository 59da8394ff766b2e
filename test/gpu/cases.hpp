// The operations with their parameters, as the comparison runs them.
#pragma once
#include "inputs.hpp"

namespace morpho::test {

/// Every list below calls rig.compare for each combination of its parameters on one picture.
void compare_objects(Rig& rig, const TestImage& binary);
void compare_values(Rig& rig, const TestImage& values);
void compare_local(Rig& rig, const TestImage& grey, bool thorough);
void compare_pointwise(Rig& rig, const TestImage& a, const Picture& b);
void compare_colors(Rig& rig, const TestImage& rgb);
void compare_measure(Rig& rig, const TestImage& binary, const Picture& rgb);
/// Corridors, noise, a checkerboard and a flat image of n x n pixels.
void compare_worst_geodesic(Rig& rig, i32 n);
void compare_deep_trees(Rig& rig, Extent e);
void compare_geodesic(Rig& rig, const TestImage& grey, bool thorough);
/// Every sum of every node, under `op_name`.
void compare_sums(Rig& rig, const std::string& op_name, const TestImage& grey, Connectivity c, bool low, bool gaps);

/// Every operation by name and type with every variant that the GPU has, and the recipes of this folder, through the engine's
/// own places.
void compare_engine(Rig& rig, const std::string& assets, Extent e);
/// Windows whose cut sides leave something uncertain, of all recipes: certified, grown, and at the limit of growing.
void compare_windows(Rig& rig, const std::string& assets, bool reduced);
/// Several threads on one GPU at once. Not where kernels are emulated: there is one thread's worth of state.
void compare_callers(Rig& rig, const std::string& assets, int rounds);

/// Every operation on regions, on a GPU alone and (`several`, not where kernels are emulated) by several callers and devices.
void compare_regions(Rig& rig, Extent e, bool several);
/// Recipes with a reconstruction without limit, of an image of this extent; `several` as above.
void compare_grounds(Rig& rig, const std::string& assets, Extent e, bool several);

/// Allocations that fail, errors of every kind, a full GPU. `program` is this one, to lose a GPU in another process.
void compare_faults(Rig& rig, const std::string& assets, const std::string& program);
/// Loses the GPU by this error of CUDA's, and says what later calls say; 0 where all is as it should be. The process is of no
/// use afterwards.
int lose_gpu(int code, const std::string& assets);
/// Shared memory on every kind of GPU, leases, what a workspace holds.
void compare_limits(Rig& rig);

/// Dark blue disks on pink, as colours.
Picture nuclei_picture(Extent e, bool shines = false);

inline std::string c_text(Connectivity c) { return c == Connectivity::four ? " c4" : " c8"; }
inline constexpr Connectivity kBoth[] = {Connectivity::four, Connectivity::eight};

}  // namespace morpho::test
