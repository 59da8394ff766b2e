// Code that the CPU and kernels share: how it is marked, and the 128-bit integers that it counts in.
#pragma once

#ifdef __CUDACC__
#define MORPHO_EVERYWHERE __host__ __device__
#else
#define MORPHO_EVERYWHERE
#endif

namespace morpho::objects { __extension__ typedef __int128 i128; }  // namespace morpho::objects
