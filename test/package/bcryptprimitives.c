// What Rust's and libvips' Windows programs ask of bcryptprimitives.dll, which Wine 8 lacks: random bytes, by the system's own
// generator.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(void* buffer, ULONG bytes);

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE* buffer, SIZE_T bytes) {
  for (SIZE_T part; bytes > 0; buffer += part, bytes -= part) {
    part = bytes < 1u << 20 ? bytes : 1u << 20;
    if (!SystemFunction036(buffer, (ULONG)part)) return FALSE;
  }
  return TRUE;
}
