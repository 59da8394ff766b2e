// Windows' own header without its macros `far` and `near`, which are of 16 bits' times and good names here: files are compiled
// together.
#pragma once
#ifdef _WIN32
#include <windows.h>
#include <winioctl.h>
#undef far
#undef near
// Its other headers say FAR and NEAR, which were those two.
#undef FAR
#undef NEAR
#define FAR
#define NEAR
#endif
